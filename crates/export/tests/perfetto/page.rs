//! Checks the tracks and details that the Perfetto UI shows for an export.

use std::path::Path;

use ringtrace_events::SourceFile;
use ringtrace_peers::perfetto::in_page;
use ringtrace_tracefile::pair::parse;

use crate::{Format, PAIRS, export, testdata};

/// Opens all groups, returns the names of the tracks, finds a request, and returns its details.
const STEPS: &str = r#"
    const closed = page.locator('.pf-track__collapse-button i:text-is("expand_more")');
    for (let count; (count = await closed.count()) > 0;) {
        await closed.first().click();
        await page.waitForFunction(
            count => [...document.querySelectorAll('.pf-track__collapse-button i')].filter(i => i.innerText === 'expand_more').length < count,
            count,
        );
    }
    const tracks = await page.locator('.pf-track').evaluateAll(tracks => tracks.map(track => track.getAttribute('ref')));
    await page.screenshot({ path: args[2] + '-tracks.png' });

    const search = page.locator('.pf-omnibox input').first();
    await search.fill('request_begin');
    await page.locator('.pf-omnibox__stepthrough-current, .pf-omnibox').getByText('/ 7').waitFor();
    await search.press('Enter');
    await page.getByText('Arguments', { exact: true }).waitFor();
    await search.evaluate(element => element.blur());
    await page.keyboard.press('f');
    const details = await page.locator('.pf-grid-layout').first().innerText();
    await page.screenshot({ path: args[2] + '-request.png' });
    return { tracks, details: details.replaceAll('arrow_drop_down', '').split('\n').map(line => line.trim()).filter(line => line) };
"#;

const TRACKS: [&str; 17] = [
    "System",
    "System/Clock Snapshots",
    "Global Track Events",
    "Global Track Events/Dropped events",
    "Global Track Events/Recording off",
    "Global Track Events/queue depth queue=0",
    "Global Track Events/queue depth queue=1",
    "request",
    "request/pid=4242",
    "request/pid=5151",
    "Process 4242",
    "Process 4242/main 4242",
    "Process 4242/wörker \"1\" 4243",
    "Process 4242/after <b> 4244",
    "Process 4242/Thread 4245",
    "Process 5151",
    "Process 5151/other 5151",
];

#[test]
fn the_page_shows_tracks_and_the_details_of_a_request() {
    let (description, _) = parse(&SourceFile::new("pairs", PAIRS));
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("everything.pftrace");
    let trace = testdata("export/everything.trace");
    export((Format::Perfetto, "perfetto"), &trace, None, &description, &out);
    // Store the screenshots in the build folder, where developers can look at them.
    let pictures = Path::new(env!("CARGO_TARGET_TMPDIR")).join("perfetto");
    let Some(answer) = in_page(&out, STEPS, &[&pictures]) else { return };
    let seen: serde_json::Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(seen["tracks"], serde_json::json!(TRACKS));
    let details: Vec<&str> =
        seen["details"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
    let detail = |name: &str| details.iter().position(|line| *line == name).map(|at| details[at + 1]);
    assert_eq!(detail("Name"), Some("request_begin"), "{details:?}");
    assert_eq!(detail("Category"), Some("request"));
    assert_eq!(detail("Absolute Time"), Some("2026-11-23T12:00:02.123458426"));
    assert_eq!(detail("Duration"), Some("400ns"));
    assert_eq!(detail("what"), Some("read \\xff"));
    assert_eq!(detail("event"), Some("request_end"));
}
