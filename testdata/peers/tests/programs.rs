//! Checks that external programs work, independently of ringtrace.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr, reason = "a test")]

use std::process::Command;

use ringtrace_peers::{chromium, node, python};

/// Returns the output of `program --version`.
fn version(program: &str) -> Option<String> {
    let Ok(output) = Command::new(program).arg("--version").output() else {
        eprintln!("SKIPPED: no {program} (`cargo xtask check` installs it)");
        return None;
    };
    Some(String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
}

#[test]
fn programs_print_their_versions() {
    for (program, expected) in [("trace-cmd", "trace-cmd version 3."), ("jq", "jq-1."), ("npm", "")] {
        let Some(said) = version(program) else { continue };
        assert!(said.contains(expected), "{program} says {said:?}");
    }
}

#[test]
fn python_packages_are_installed() {
    let script = "
import sys, os, importlib
module = importlib.import_module(sys.argv[1])
folder = os.path.dirname(module.__file__)
print(module.__version__, *sorted(os.listdir(folder + '/web_dist'))) if len(sys.argv) > 2 else print(module.__version__)
";
    for (name, arguments, expected) in [
        ("duckdb", &["duckdb"][..], "2.0.0\n"),
        ("pyarrow.parquet", &["pyarrow"], "26.0.1\n"),
        ("viztracer", &["viztracer", "files"], "1.1.1 "),
    ] {
        let Some(ran) = python::run(name, script, arguments) else { continue };
        let said = ran.succeeded();
        assert!(said.starts_with(expected), "{name}: {said}");
    }
}

#[test]
fn node_packages_are_installed() {
    let script = "
const version = name => require(name + '/package.json').version;
console.log(process.version, ...process.argv.slice(2).map(version));
";
    let Some(ran) = node::run(script, &["playwright-core", "speedscope", "@firefox-devtools/profiler-cli"])
    else {
        return;
    };
    assert_eq!(ran.succeeded(), "v24.21.0 1.65.1 1.25.0 0.10.0\n");
    assert!(node::package("speedscope", "dist/release/index.html").is_some());
}

#[test]
fn pages_render_and_have_no_network() {
    let steps = "
await page.setContent('<button onclick=\"this.textContent = `clicked ` + innerWidth\">' + args[0] + '</button>');
await page.click('button');
const text = await page.textContent('button');
expect(text === 'clicked 1280', text);
const far = await page.goto('http://example.com/').catch(error => String(error));
expect(String(far).includes('ERR_NAME_NOT_RESOLVED'), far);
return [text, problems.length];
";
    let Some(ran) = chromium::run(steps, &["press"]) else { return };
    assert_eq!(ran.succeeded(), "[\"clicked 1280\",0]\n");

    let failing = chromium::run("expect(args.length === 1, 'one argument');", &["a", "b"]).unwrap();
    assert!(!failing.status.success());
    assert!(failing.stderr.contains("expected: one argument"), "{}", failing.stderr);
}
