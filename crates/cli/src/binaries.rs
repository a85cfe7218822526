//! Reads executables and libraries for the commands about probes.

use std::ffi::OsStr;
use std::fs::File;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use clap::Args;
use ringtrace_binary::{Event, Inventory};
use ringtrace_events::message::{self, MessageFormat};
use ringtrace_events::parse::{Dialect, parse};
use ringtrace_events::{self as events, Severity, glob};

use crate::exit::CliError;
use crate::reading::read_declarations;
use crate::terminal::Terminal;

/// Declarations for programs that do not carry their own.
#[derive(Args, Debug)]
pub struct DeclarationArguments {
    /// Declarations, for programs that do not carry their own (QEMU: trace-events-all)
    #[arg(short, long, value_name = "FILE")]
    pub events: Vec<PathBuf>,
}

impl DeclarationArguments {
    /// Returns the events declared in the files. Warns about lines that cannot be parsed, and skips
    /// them.
    pub fn read(&self, terminal: &Terminal) -> Result<Vec<events::Event>, CliError> {
        let sources = self.events.iter().map(|path| read_declarations(path));
        let parsed = parse(sources.collect::<Result<_, _>>()?, Dialect::Read);
        for error in parsed.diagnostics.iter().filter(|found| found.severity == Severity::Error) {
            let one = std::slice::from_ref(error);
            let text = message::render(one, &parsed.declarations.sources, MessageFormat::Short);
            terminal.warn(&format!("skipped declaration: {}", text.trim_end()), None);
        }
        Ok(parsed.declarations.events)
    }
}

/// Finds the file to execute for `program`, as a shell would. A path is returned unchanged.
pub fn executable(program: &OsStr) -> Option<PathBuf> {
    if program.as_encoded_bytes().contains(&b'/') {
        return Some(PathBuf::from(program));
    }
    #[expect(clippy::disallowed_methods, reason = "programs are searched for in PATH")]
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|path| is_executable(path))
}

pub fn is_executable(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

/// Returns the events of the executable or library at `path`.
pub fn inspect(path: &Path, given: &[events::Event], terminal: &Terminal) -> Result<Inventory, CliError> {
    let name = path.display();
    let file = File::open(path).map_err(|error| CliError::system(name.to_string(), &error))?;
    if file.metadata().is_ok_and(|metadata| metadata.is_dir()) {
        return Err(CliError::input(format!("{name} is a folder; an executable or a library is expected")));
    }
    let inventory =
        Inventory::of_file(&file, given).map_err(|error| CliError::input(format!("{name}: {error}")))?;
    for anomaly in &inventory.anomalies {
        terminal.warn(&format!("{name}: {anomaly}"), None);
    }
    Ok(inventory)
}

/// Returns whether one of `patterns` matches `event`. A pattern matches the event's name, or its
/// provider (or group) and name, as in `blk:blk_*`.
pub fn matches_any(event: &Event, patterns: &[String]) -> bool {
    let name = full_name(event);
    patterns.iter().any(|pattern| {
        let is_it = |pattern: &str| {
            let pattern = pattern.as_bytes();
            glob::matches(pattern, event.name.as_bytes()) || glob::matches(pattern, name.as_bytes())
        };
        is_it(pattern) || (event.is_symbol() && is_it(&pattern.to_ascii_uppercase()))
    })
}

/// Returns `PROVIDER:NAME`.
pub fn full_name(event: &Event) -> String {
    match event.family() {
        Some(family) => format!("{family}:{}", event.name),
        None => event.name.clone(),
    }
}
