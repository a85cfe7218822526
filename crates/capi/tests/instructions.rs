//! Checks which machine instructions a probe executes. The probe of a disabled event executes a
//! load, a test and a jump. The probe of an enabled event calls only string functions of the C
//! library.

#![cfg(target_arch = "x86_64")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod program;

use std::collections::{BTreeMap, VecDeque};
use std::process::Command;
use std::sync::LazyLock;

#[derive(Debug)]
struct Instruction {
    address: u64,
    text: String,
    /// The symbol of the relocation.
    symbol: Option<String>,
}

type Functions = BTreeMap<String, Vec<Instruction>>;

/// Disassembled functions, by compiler.
static FUNCTIONS: LazyLock<[(&str, Functions); 2]> =
    LazyLock::new(|| ["gcc", "clang"].map(|compiler| (compiler, functions(compiler))));

/// Compiles and disassembles the sources with `compiler`.
fn functions(compiler: &str) -> Functions {
    let demo = program::generate("demo", "simple");
    let mut functions = BTreeMap::new();
    for source in [program::here().join("tests/c/probes.c"), demo.join("trace-demo.c")] {
        let object = program::made().join(format!("ringtrace-capi-instructions-{compiler}.o"));
        program::succeeds(
            program::cc(compiler).arg("-c").arg("-I").arg(&demo).arg(source).arg("-o").arg(&object),
        );
        let output = Command::new("objdump")
            .args(["-dr", "--no-show-raw-insn", "--wide"])
            .arg(object)
            .output()
            .unwrap();
        functions.extend(disassembled(&String::from_utf8(output.stdout).unwrap()));
    }
    functions
}

fn disassembled(text: &str) -> BTreeMap<String, Vec<Instruction>> {
    let mut functions: BTreeMap<String, Vec<Instruction>> = BTreeMap::new();
    let mut name = String::new();
    for line in text.lines() {
        if let Some((_, found)) = line.strip_suffix(">:").and_then(|line| line.split_once('<')) {
            name = found.to_owned();
            functions.insert(name.clone(), Vec::new());
            continue;
        }
        let Some(function) = functions.get_mut(&name) else { continue };
        // `ADDRESS:` `INSTRUCTION`, and optionally `OFFSET: KIND` `SYMBOL-4`.
        let mut cells = line.split('\t');
        let address =
            cells.next().and_then(|cell| u64::from_str_radix(cell.trim().strip_suffix(':')?, 16).ok());
        let (Some(address), Some(text)) = (address, cells.next()) else { continue };
        let symbol = cells.nth(1).and_then(|symbol| symbol.split(['-', '+']).next()).map(str::to_owned);
        function.push(Instruction { address, text: text.trim().to_owned(), symbol });
    }
    functions
}

/// Returns the length of the shortest path from `from` to an instruction that starts with `to`, and
/// the index of that instruction. The path may only call `allowed` functions.
fn way(function: &[Instruction], from: usize, to: &str, allowed: &[&str]) -> Option<(usize, usize)> {
    let mut seen = vec![false; function.len()];
    let mut queue = VecDeque::from([(from, 1)]);
    while let Some((at, length)) = queue.pop_front() {
        let Some(instruction) = function.get(at) else { continue };
        if std::mem::replace(&mut seen[at], true) {
            continue;
        }
        let text = instruction.text.as_str();
        if text.starts_with(to) {
            return Some((length, at));
        }
        let called = instruction.symbol.as_deref().unwrap_or_default();
        if text.starts_with("call") && !allowed.contains(&called) {
            continue;
        }
        if text.starts_with('j') {
            let target =
                text.split_whitespace().nth(1).and_then(|target| u64::from_str_radix(target, 16).ok());
            let target = function.iter().position(|one| Some(one.address) == target);
            queue.extend(target.map(|target| (target, length + 1)));
        }
        if !text.starts_with("jmp") && !text.starts_with("ret") {
            queue.push_back((at + 1, length + 1));
        }
    }
    None
}

#[test]
fn a_probe_that_is_off_is_a_load_a_test_and_a_jump() {
    for (compiler, functions) in &*FUNCTIONS {
        for probe in ["probe_two", "probe_named"] {
            let function = &functions[probe];
            let (length, at) = way(function, 0, "ret", &[]).unwrap();
            assert_eq!(at + 1, length, "{compiler}: no jump is taken: {function:?}");
            // clang first loads the address from a table, which the linker removes. With both
            // compilers, a landing pad may come first.
            let others = function[..at].iter().filter(|one| !one.text.starts_with("endbr"));
            let jumps = function[..at].iter().filter(|one| one.text.starts_with('j')).count();
            assert!(others.count() <= 4 && jumps == 1, "{compiler}: {function:?}");
        }
        let disabled = functions["probe_off"].iter().find(|one| !one.text.starts_with("endbr"));
        assert!(disabled.unwrap().text.starts_with("ret"), "{compiler}");
    }
}

#[test]
fn a_record_is_written_without_a_call() {
    for (compiler, functions) in &*FUNCTIONS {
        for (probe, allowed, most) in [
            ("_simple_trace_demo_two", &[][..], 36),
            ("_simple_trace_demo_wide", &[], 74),
            ("_simple_trace_demo_named", &["strnlen"], 90),
        ] {
            let function = &functions[probe];
            let (before, clock) = way(function, 0, "rdtsc", allowed).unwrap();
            let (after, _) = way(function, clock, "ret", allowed).unwrap();
            assert!(before + after <= most, "{compiler}: {probe} takes {} instructions", before + after);
            if probe == "_simple_trace_demo_two" {
                let saves = function.iter().any(|one| one.text.starts_with("push"));
                assert!(!saves, "{compiler}: {probe} saves registers");
            }
        }
    }
}
