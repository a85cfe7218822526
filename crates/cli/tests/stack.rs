//! Tests call stacks of events with a real program, from the option to the printed names.
//!
//! The program is built with frame pointers, in a target folder of its own.

#![cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;

use ringtrace_peers::{firefox, perfetto};
use serde_json::Value;
use tempfile::TempDir;

/// The program with frame pointers.
static STACKS: LazyLock<PathBuf> = LazyLock::new(|| {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("frame-pointers");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "--locked", "--package", "ringtrace-example-stacks", "--target-dir"]);
    cargo.arg(&target).current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
    cargo.env("RUSTFLAGS", "-C force-frame-pointers=yes").env_remove("CARGO_ENCODED_RUSTFLAGS");
    // Line tables suffice for all names.
    cargo.env("CARGO_PROFILE_DEV_DEBUG", "line-tables-only");
    let built = cargo.output().unwrap();
    assert!(built.status.success(), "{cargo:?}\n{}", text(&built.stderr));
    target.join("debug/stacks")
});

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Runs the program in `folder` with options for the trace file `trace`.
fn stacks(folder: &TempDir, options: &[&str], word: Option<&str>) -> Command {
    let mut command = Command::new(&*STACKS);
    command.current_dir(folder).env_remove("RINGTRACE").env("RINGTRACE_DIR", folder.path());
    for option in options.iter().chain(&["file=trace"]) {
        command.args(["--trace", option]);
    }
    command.args(word);
    command
}

fn ringtrace(folder: &TempDir, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ringtrace"));
    command.current_dir(folder).args(arguments).env("RINGTRACE_DIR", folder.path()).output().unwrap()
}

/// Returns the output of a successful command without warnings.
fn output(folder: &TempDir, arguments: &[&str]) -> String {
    let output = ringtrace(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    assert_eq!(text(&output.stderr), "", "{arguments:?}");
    text(&output.stdout)
}

fn recorded(options: &[&str], word: Option<&str>) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let output = stacks(&folder, options, word).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(text(&output.stderr), "");
    folder
}

/// Returns the events of a trace as JSON.
fn events(folder: &TempDir, arguments: &[&str]) -> Vec<Value> {
    let lines = output(folder, &[&["print", "--style", "jsonl", "--symbols"], arguments].concat());
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Returns the names of the program's own functions in an event's stack.
fn own_functions(event: &Value) -> Vec<&str> {
    let frames = event["stack"].as_array().map(Vec::as_slice).unwrap_or_default();
    let own =
        |frame: &&Value| frame["file"].as_str().is_some_and(|file| file.ends_with("stacks/src/main.rs"));
    frames.iter().filter(own).map(|frame| frame["function"].as_str().unwrap()).collect()
}

const MAIN: [&str; 4] = ["stacks::read_block", "stacks::load_header", "stacks::check_disk", "stacks::main"];

const READER: [&str; 2] = ["stacks::read_block", "stacks::load_index"];

fn assert_stacks(events: &[Value]) {
    let names: Vec<&str> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert_eq!(names, ["blk_read", "blk_read", "blk_error", "blk_read", "blk_error"]);
    for event in events.iter().filter(|event| event["event"] == "blk_read") {
        assert!(event.get("stack").is_none(), "{event}");
    }
    assert_eq!(own_functions(&events[2]), MAIN);
    assert_eq!(own_functions(&events[4]), READER);
}

const SOME: &[&str] = &["blk_*", "blk_error,stack"];

#[test]
fn chosen_events_have_the_names_of_their_callers_in_order() {
    let folder = recorded(SOME, None);
    let events = events(&folder, &["trace"]);
    assert_stacks(&events);
    // The first frame shown is the function that contains the probe, with the line of the probe.
    let first = &events[2]["stack"][0];
    let source = std::fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/stacks/src/main.rs"),
    );
    let line = source.unwrap().lines().position(|line| line.contains("trace::blk_error(sector, -5)"));
    assert_eq!(first["function"], "stacks::read_block");
    assert_eq!(first["line"], line.unwrap() + 1);
    // The walk ends where the thread begins.
    let last = |event: &Value| event["stack"].as_array().unwrap().last().unwrap()["module"].clone();
    for event in [&events[2], &events[4]] {
        assert!(last(event).as_str().unwrap().contains("libc"), "{event}");
    }
}

#[test]
fn frames_are_lines_below_their_event() {
    let folder = recorded(SOME, None);
    let lines = output(&folder, &["print", "trace", "--symbols", "--style", "log", "--time", "relative"]);
    let lines: Vec<&str> = lines.lines().collect();
    let at = lines.iter().position(|line| line.contains("blk_error sector 12 status -5")).unwrap();
    let source = |line: &str, name: &str| {
        line.starts_with(&format!("    {name} ("))
            && line.contains("stacks/src/main.rs:")
            && line.ends_with(')')
    };
    for (name, line) in MAIN.iter().zip(&lines[at + 1..]) {
        assert!(source(line, name), "{line}");
    }
    // Each event is one line for --head, --tail and --count, whatever its frames.
    assert_eq!(output(&folder, &["print", "trace", "--count"]), "5\n");
    let tail = output(&folder, &["print", "trace", "--tail", "1"]);
    assert!(tail.starts_with("blk_error ") && tail.lines().count() > 4, "{tail}");
    assert_eq!(tail.lines().filter(|line| line.starts_with("blk_")).count(), 1, "{tail}");
}

#[test]
fn without_symbols_frames_have_module_offset_and_build_id() {
    let folder = recorded(SOME, None);
    let lines = output(&folder, &["print", "trace", "--event", "blk_error"]);
    let own = lines.lines().filter(|line| line.starts_with(&format!("    {}+0x", STACKS.display())));
    for line in own.clone() {
        let (_, id) = line.split_once(" (build id ").unwrap();
        assert!(
            id.len() > 16 && id.trim_end_matches(')').bytes().all(|byte| byte.is_ascii_hexdigit()),
            "{line}"
        );
    }
    assert!(own.count() > 8, "{lines}");
    // Other readers see the same events without stacks.
    let others = output(&folder, &["print", "trace", "--compat", "10.2"]);
    assert_eq!(others.lines().count(), 5, "{others}");
}

#[test]
fn a_program_that_was_built_again_is_not_used_for_names() {
    let folder = recorded(SOME, None);
    let trace = std::fs::read(folder.path().join("trace")).unwrap();
    // Change the recorded build id of the program.
    let path = format!(" {}", STACKS.display()).into_bytes();
    let at = trace.windows(path.len()).position(|window| window == path).unwrap();
    let mut other = trace.clone();
    other[at - 1] = if other[at - 1] == b'0' { b'1' } else { b'0' };
    std::fs::write(folder.path().join("other"), other).unwrap();
    let printed = ringtrace(&folder, &["print", "--symbols", "other"]);
    assert!(printed.status.success());
    assert!(!text(&printed.stdout).contains("stacks::read_block"), "{}", text(&printed.stdout));
    let stderr = text(&printed.stderr);
    assert!(stderr.contains("no symbols from "), "{stderr}");
    assert!(stderr.contains("the program ran another version"), "{stderr}");
}

#[test]
#[cfg(target_arch = "x86_64")]
fn wrong_frame_pointers_do_no_harm() {
    let folder = recorded(&["blk_error,stack"], Some("wrong"));
    let events = events(&folder, &["trace"]);
    assert_eq!(events.len(), 9 + 4096 + 2);
    for event in &events {
        let frames = event["stack"].as_array().unwrap();
        assert!((1..=64 + 8).contains(&frames.len()), "{event}");
        assert_eq!(own_functions(event)[0], "stacks::wrong::record", "{event}");
    }
    // The frame of `record` is valid, and its caller is the function that sets the wrong pointer.
    let stack = |event: &Value| event["stack"].as_array().unwrap().clone();
    let [of_heap, of_itself] = [&events[9 + 4096], &events[9 + 4096 + 1]].map(stack);
    // Memory that is not on the stack is not read.
    assert_eq!(of_heap.len(), 2, "{of_heap:?}");
    assert!(of_heap[1]["function"].as_str().unwrap().ends_with("::call"), "{of_heap:?}");
    // A frame that is its own caller ends the stack.
    assert_eq!((of_itself.len(), &of_itself[2]["address"]), (3, &Value::from("0x4242")));
}

#[test]
fn stacks_survive_sorting_conversion_context_and_compression() {
    let folder = recorded(SOME, None);
    // Converted traces name threads at their end.
    let of = |events: &[Value]| -> Vec<String> {
        let mut events = events.to_vec();
        for event in &mut events {
            event.as_object_mut().unwrap().remove("thread");
        }
        events.iter().map(Value::to_string).collect()
    };
    let expected = of(&events(&folder, &["trace"]));
    assert_eq!(of(&events(&folder, &["--sort", "trace"])), expected);
    output(&folder, &["convert", "--to", "v4", "trace", "converted"]);
    assert_eq!(of(&events(&folder, &["converted"])), expected);
    output(&folder, &["convert", "--to", "v4", "--sort", "trace", "sorted.zst"]);
    assert_eq!(of(&events(&folder, &["sorted.zst"])), expected);
    output(&folder, &["convert", "--event", "blk_error", "trace", "errors"]);
    assert_eq!(of(&events(&folder, &["errors"])), [expected[2].clone(), expected[4].clone()]);
    assert_eq!(of(&events(&folder, &["-C", "2", "--event", "blk_error", "trace"])), expected);
    // Twice the same trace, merged by time.
    let merged = ringtrace(&folder, &["print", "--style", "jsonl", "--symbols", "trace", "converted"]);
    assert!(text(&merged.stderr).contains("records of this trace are read twice"), "{merged:?}");
    let merged: Vec<Value> =
        text(&merged.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(of(&merged).iter().step_by(2).cloned().collect::<Vec<_>>(), expected);
    let threads = |count| output(&folder, &["print", "--symbols", "--threads", count, "trace"]);
    assert_eq!(threads("1"), threads("4"));
    let stdin = Command::new("sh")
        .args(["-c", "cat trace | \"$0\" print --style jsonl --symbols -", env!("CARGO_BIN_EXE_ringtrace")])
        .current_dir(&folder)
        .output();
    let lines = text(&stdin.unwrap().stdout);
    let piped: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(of(&piped), expected);
}

#[test]
fn a_killed_program_leaves_its_stacks() {
    for policy in ["discard", "block", "overwrite"] {
        let folder = tempfile::tempdir().unwrap();
        let option = format!("policy={policy}");
        let mut child = stacks(&folder, &[SOME, &[&option]].concat(), Some("wait"))
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert_eq!(line, "ready\n");
        child.kill().unwrap();
        child.wait().unwrap();
        let pid = child.id().to_string();
        let recovered = ringtrace(&folder, &["recover", &pid, "-o", "recovered", "--remove"]);
        assert!(recovered.status.success(), "{}", text(&recovered.stderr));
        let printed = ringtrace(&folder, &["print", "--style", "jsonl", "--symbols", "--sort", "recovered"]);
        let lines = text(&printed.stdout);
        let events: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_stacks(&events);
    }
}

#[test]
fn a_flight_recorder_keeps_stacks_to_its_end() {
    let folder = recorded(&["blk_*", "blk_error,stack,policy=overwrite"], None);
    assert_stacks(&events(&folder, &["--sort", "trace"]));
}

#[test]
fn the_cpu_is_recorded_with_and_without_a_stack() {
    let folder = recorded(&["blk_*,cpu", "blk_error,stack"], None);
    let all = events(&folder, &["trace"]);
    assert_stacks(&all);
    let configured = std::fs::read_to_string("/sys/devices/system/cpu/possible").unwrap();
    let last: u64 = configured.trim().rsplit(['-', ',']).next().unwrap().parse().unwrap();
    let cpus: Vec<u64> = all.iter().map(|event| event["cpu"].as_u64().unwrap()).collect();
    assert!(cpus.iter().all(|cpu| *cpu <= last), "{cpus:?}");
    // The CPU is the last item of the line in all styles that print events, and absent for other readers.
    for style in [
        &["--style", "simpletrace"][..],
        &["--style", "log"],
        &["--values", "format"],
        &["--values", "typed"],
    ] {
        let lines = output(&folder, &[&["print", "trace"], style].concat());
        let lines = lines.lines().filter(|line| line.starts_with("blk_"));
        let shown: Vec<String> = lines.map(|line| line.rsplit_once(' ').unwrap().1.to_owned()).collect();
        assert_eq!(shown, cpus.iter().map(|cpu| format!("cpu={cpu}")).collect::<Vec<_>>(), "{style:?}");
    }
    assert!(!output(&folder, &["print", "trace", "--compat", "10.2"]).contains("cpu="));
    output(&folder, &["convert", "--to", "v4", "trace", "converted"]);
    let converted = events(&folder, &["converted"]);
    assert_eq!(converted.iter().map(|event| event["cpu"].as_u64().unwrap()).collect::<Vec<_>>(), cpus);
}

#[test]
fn signal_handlers_have_the_stack_on_which_they_run() {
    let folder = recorded(&["blk_error,stack"], Some("signal"));
    let events = events(&folder, &["trace"]);
    let [own, alternate, after] = events.as_slice() else { panic!("{events:?}") };
    // The innermost function of the interrupted code has no frame above the handler's.
    let functions = own_functions(own);
    let callers = ["stacks::signal::interrupted", "stacks::signal::record_all", "stacks::main"];
    assert_eq!(functions[0], "stacks::signal::handle");
    assert!(functions.ends_with(&callers), "{functions:?}");
    // The walk does not leave the stack of the handler, and continues on the thread's own one.
    assert_eq!(own_functions(alternate), ["stacks::signal::handle"]);
    assert_eq!(alternate["stack"].as_array().unwrap().len(), 1);
    assert_eq!(own_functions(after), ["stacks::read_block", "stacks::signal::record_all", "stacks::main"]);
}

/// Exports the trace `trace` to `name`, and returns the path of the file.
fn export(folder: &TempDir, name: &str, options: &[&str]) -> PathBuf {
    output(folder, &[&["export", "trace", "-o", name], options].concat());
    folder.path().join(name)
}

/// Returns whether `names` begins with `expected`.
fn assert_begins(names: &[&str], expected: &[&str]) {
    assert!(names.starts_with(expected), "{names:?}");
}

fn strings(values: &Value, member: &str) -> Vec<String> {
    values.as_array().unwrap().iter().map(|value| value[member].as_str().unwrap().to_owned()).collect()
}

#[test]
fn firefox_profiler_shows_stacks_of_markers_and_samples() {
    let folder = recorded(SOME, None);
    for (options, is_named) in [(&["--symbols"][..], true), (&[], false)] {
        let file = export(&folder, &format!("{is_named}.firefox.json"), options);
        let Some(profile) = firefox::Profile::load(&file) else { return };
        let all = profile.ask(&["profile", "markers", "--has-stack", "--limit", "10"]);
        assert_eq!(strings(&all["markers"], "name"), ["blk_error", "blk_error"]);
        for (index, expected) in [(0, &MAIN[..]), (1, &READER)] {
            let marker = &all["markers"][index];
            let stack = profile.ask(&["marker", "stack", marker["handle"].as_str().unwrap()]);
            let names = strings(&stack["stack"]["frames"], "name");
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            if is_named {
                assert_begins(&names, expected);
            } else {
                assert!(
                    names[..expected.len()].iter().all(|name| name.starts_with("stacks+0x")),
                    "{names:?}"
                );
            }
            // Each stack is also a sample of its thread.
            let thread = marker["threadHandle"].as_str().unwrap();
            let functions = profile.ask(&["thread", "functions", "--thread", thread, "--limit", "0"]);
            let function = |name: &str| {
                let all = functions["functions"].as_array().unwrap();
                all.iter().find(|function| function["name"] == name).unwrap_or_else(|| panic!("{functions}"))
            };
            assert_eq!(function(names[0])["selfSamples"], 1);
            assert_eq!(function(names[names.len() - 1])["totalSamples"], 1);
            assert_eq!(function(names[names.len() - 1])["selfSamples"], 0);
        }
    }
}

#[test]
fn perfetto_has_stacks_as_arguments_and_as_call_stacks() {
    let folder = recorded(SOME, None);
    let file = export(&folder, "trace.pftrace", &["--symbols"]);
    let bytes = std::fs::read(&file).unwrap();
    // Perfetto reads call stacks since version 53. They list the outermost frame first.
    let frame = |name: &str| {
        let encoded = [&[0x0a, name.len() as u8], name.as_bytes(), &[0x12]].concat();
        bytes.windows(encoded.len()).position(|window| window == encoded).unwrap()
    };
    assert!(MAIN.windows(2).all(|two| frame(two[0]) > frame(two[1])));
    let queries = [
        "select name, extract_arg(arg_set_id, 'debug.stack[0]'), extract_arg(arg_set_id, 'debug.stack[1]') from slice order by ts",
        perfetto::ERRORS,
    ];
    let Some(rows) = perfetto::query(&file, &queries) else { return };
    let function = |cell: &Value| cell.as_str().unwrap_or("").split(" (").next().unwrap().to_owned();
    let shown: Vec<String> =
        rows[0].iter().map(|row| row.iter().map(function).collect::<Vec<_>>().join(" ")).collect();
    let error = |functions: &[&str]| format!("blk_error {} {}", functions[0], functions[1]);
    let read = "blk_read  ".to_owned();
    assert_eq!(shown, [read.clone(), read.clone(), error(&MAIN), read, error(&READER)]);
    // Older versions count the call stacks as unknown fields.
    let others: Vec<_> = rows[1].iter().filter(|row| row[0] != "unknown_extension_fields").collect();
    assert!(others.is_empty(), "{others:?}");
}

#[test]
fn speedscope_has_profiles_of_stacks() {
    let folder = recorded(SOME, None);
    let file = export(&folder, "trace.speedscope.json", &["--symbols"]);
    let file: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    let frames = &file["shared"]["frames"];
    let profiles = file["profiles"].as_array().unwrap();
    let sampled: Vec<&Value> = profiles.iter().filter(|profile| profile["type"] == "sampled").collect();
    assert_eq!(sampled.len(), 2, "{profiles:?}");
    for (profile, (thread, expected)) in sampled.iter().zip([("stacks", &MAIN[..]), ("reader", &READER)]) {
        let name = profile["name"].as_str().unwrap();
        assert!(
            name.starts_with(&format!("stacks: {thread} (")) && name.ends_with("), call stacks"),
            "{name}"
        );
        assert_eq!((&profile["endValue"], &profile["weights"]), (&1.into(), &Value::from(vec![1])));
        let [sample] = profile["samples"].as_array().unwrap().as_slice() else { panic!("{profile}") };
        let frame = |index: &Value| &frames[index.as_u64().unwrap() as usize];
        let sample: Vec<&Value> = sample.as_array().unwrap().iter().rev().map(frame).collect();
        let names: Vec<&str> = sample.iter().map(|frame| frame["name"].as_str().unwrap()).collect();
        assert_begins(&names, &[&["blk_error"], expected].concat());
        assert!(sample[1]["file"].as_str().unwrap().ends_with("stacks/src/main.rs"), "{sample:?}");
        assert!(sample[1]["line"].is_u64(), "{sample:?}");
    }
}

#[test]
fn json_lines_have_the_names_of_functions() {
    let folder = recorded(SOME, None);
    let lines = std::fs::read_to_string(export(&folder, "trace.jsonl", &["--symbols"])).unwrap();
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let errors: Vec<&Value> = lines.iter().filter(|line| line["event"] == "blk_error").collect();
    assert_eq!(own_functions(errors[0]), MAIN);
    assert_eq!(own_functions(errors[1]), READER);
}

#[test]
fn formats_without_stacks_refuse_symbols() {
    let folder = recorded(SOME, None);
    let refused = ringtrace(&folder, &["export", "trace", "-o", "trace.csv", "--symbols"]);
    assert_eq!(refused.status.code(), Some(2));
    let stderr = text(&refused.stderr);
    assert!(stderr.contains("error: --symbols: csv contains no stacks"), "{stderr}");
    assert!(
        stderr.contains("these formats contain stacks: perfetto, firefox, speedscope, jsonl"),
        "{stderr}"
    );
    assert!(!folder.path().join("trace.csv").exists());
}
