//! Converts options to commands, checking them in the same order as QEMU's script.

use std::ffi::OsString;

use ringtrace_events::parse::Dialect;
use ringtrace_tracetool::{BACKENDS, Backend, Format, StapMode};

use crate::command::Context;
use crate::command::{Batch, Call, Command, Depfile, Input, Output, UsageError};
use crate::options::{self, GivenOption, ScannedArguments};
use crate::script_version::{self, ScriptVersion};
use crate::shell;

pub fn parse_command(arguments: Vec<OsString>, context: &Context) -> Result<Command, UsageError> {
    match options::scan(arguments.iter().cloned()) {
        Ok(scanned) => command_of(scanned, context),
        Err(error) if error.unknown.as_ref().is_some_and(script_version::is_shell_word) => {
            shell::parse_command(arguments)
        }
        Err(error) => Err(UsageError::new(error.text)),
    }
}

fn command_of(scanned: ScannedArguments, context: &Context) -> Result<Command, UsageError> {
    for given in &scanned.options {
        match given.name {
            "help" => return Ok(Command::Help),
            "version" => return Ok(Command::Version),
            "man" => return Ok(Command::Man),
            "list-backends" => return Ok(Command::ListBackends(list_backends())),
            _ => {}
        }
    }
    if let Some(calls) = last(&scanned, "batch") {
        return batch(calls.clone().into(), scanned).map(Command::Batch);
    }
    let Some(backends) = text(&scanned, "backends")? else {
        return Err(UsageError::new("no backends specified"));
    };
    if scanned.options.iter().any(|given| given.name == "check-backends") {
        return Ok(Command::CheckBackends(backends.split(',').all(|name| backend(name).is_some())));
    }
    generate(backends, &scanned, context).map(Command::Generate)
}

/// The list `nop, dtrace, ...`.
fn list_backends() -> String {
    let names: Vec<&str> = BACKENDS.iter().map(|backend| backend.name).collect();
    names.join(", ")
}

fn generate(backends: &str, scanned: &ScannedArguments, context: &Context) -> Result<Call, UsageError> {
    let version = ScriptVersion::of(scanned, context);
    let format_name = text(scanned, "format")?.unwrap_or_default();
    let group = text(scanned, "group")?.filter(|name| !name.is_empty());
    let Some(name) = group.or_else(|| (!requires_group(version, format_name)).then_some(WHOLE_PROGRAM))
    else {
        return Err(UsageError::new("group name is required"));
    };
    check_group(name)?;
    let format = Format::named(format_name);
    let needs = format.map(|format| format.needs).unwrap_or_default();
    let binary = text(scanned, "binary")?;
    if needs.binary && binary.is_none() {
        return Err(UsageError::new("--binary is required for SystemTAP tapset generator"));
    }
    let probe_prefix = probe_prefix(scanned)?;
    if needs.probe_prefix && probe_prefix.is_none() {
        return Err(UsageError::new("--probe-prefix is required for SystemTAP tapset generator"));
    }
    let (inputs, output) = files(version, &scanned.files)?;
    let format = format.ok_or_else(|| match format_name {
        "" => UsageError::new("format not set"),
        name => UsageError::new(format!("unknown format: {name}")),
    })?;
    let depfile = depfile(scanned)?;
    if depfile.is_some() && output == Output::Stdout {
        return Err(UsageError::new("--depfile requires an output file"));
    }
    // The SystemTap scripts generated in 2016 wrote whole traces. A call with a group is written
    // for a later version.
    let is_of_2016 = version != ScriptVersion::Current && group.is_none();
    Ok(Call {
        format,
        backends: known_backends(backends)?,
        group: name.to_owned(),
        binary: binary.unwrap_or_default().to_owned(),
        probe_prefix: probe_prefix.unwrap_or_default(),
        stap_mode: stap_mode(text(scanned, "stap-mode")?, is_of_2016)?,
        dialect: dialect(version, format, scanned)?,
        inputs,
        output,
        depfile,
    })
}

/// Returns the rules for declarations. Programs that use ringtrace's runtime can use all types.
fn dialect(
    version: ScriptVersion,
    format: &Format,
    scanned: &ScannedArguments,
) -> Result<Dialect, UsageError> {
    let given = |name| last(scanned, name).is_some();
    match (version != ScriptVersion::Current || given("legacy-types"), given("extended-types")) {
        (true, true) => Err(UsageError::new("--extended-types is not for files from before 2018")),
        (false, false) if format.name != "ringtrace-rs" => Ok(Dialect::NEW),
        (legacy_types @ true, false) => Ok(Dialect::Generate { legacy_types, strict: false }),
        (false, _) => Ok(Dialect::Extended { strict: false }),
    }
}

/// The group's name if the call specifies none. Scripts without groups declared all events of the
/// program in one output file.
pub const WHOLE_PROGRAM: &str = "all";

/// Whether a call must have a group.
fn requires_group(version: ScriptVersion, format: &str) -> bool {
    version == ScriptVersion::Current && !script_version::is_of_table(format.as_ref())
}

/// Checks the name of a group, which becomes part of file names, and of identifiers in all
/// languages.
fn check_group(name: &str) -> Result<(), UsageError> {
    if name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-') {
        return Ok(());
    }
    Err(UsageError::new(format!("group name {name:?} must consist of letters, digits, `_` and `-`")))
}

/// Returns the prefix of the probes' names: the given one, or else one derived from the target.
fn probe_prefix(scanned: &ScannedArguments) -> Result<Option<String>, UsageError> {
    if let Some(prefix) = text(scanned, "probe-prefix")? {
        return Ok(Some(prefix.to_owned()));
    }
    let name = text(scanned, "target-name")?.or(text(scanned, "target-arch")?);
    Ok(text(scanned, "target-type")?.zip(name).map(|(kind, name)| prefix_of_target(kind, name)))
}

/// Returns a prefix such as `qemu.system.x86_64`, derived from the target.
pub fn prefix_of_target(kind: &str, name: &str) -> String {
    format!("qemu.{kind}.{name}")
}

fn files(version: ScriptVersion, files: &[OsString]) -> Result<(Vec<Input>, Output), UsageError> {
    let inputs = |files: &[OsString]| files.iter().cloned().map(Input::from).collect();
    match (version, files) {
        (ScriptVersion::Current, [events @ .., output]) if !events.is_empty() => {
            Ok((inputs(events), output.clone().into()))
        }
        (ScriptVersion::Current, _) => Err(UsageError::new("missing trace-events and output filepaths")),
        (ScriptVersion::ToStdout, files) => Ok((inputs(files), Output::Stdout)),
        (ScriptVersion::Streams, _) => Ok((vec![Input::Stdin], Output::Stdout)),
    }
}

/// Parses a list of backends and removes duplicates.
fn known_backends(list: &str) -> Result<Vec<&'static Backend>, UsageError> {
    let mut backends: Vec<&'static Backend> = Vec::new();
    for name in list.split(',') {
        let Some(backend) = backend(name) else {
            return Err(UsageError::new(format!("unknown backend: {name}")));
        };
        if !backends.iter().any(|other| other.name == backend.name) {
            backends.push(backend);
        }
    }
    Ok(backends)
}

/// Finds a backend by its current or former name.
pub fn backend(name: &str) -> Option<&'static Backend> {
    match name {
        // Until 2016.
        "stderr" => Backend::named("log"),
        // Until 2014 the formats `events-h` and `events-c` required this backend.
        "events" => Backend::named("nop"),
        _ => Backend::named(name),
    }
}

fn stap_mode(value: Option<&str>, is_of_2016: bool) -> Result<StapMode, UsageError> {
    match value {
        None if is_of_2016 => Ok(StapMode::Dynamic),
        None | Some("static") => Ok(StapMode::Static),
        Some("dynamic") => Ok(StapMode::Dynamic),
        Some("v3") => Ok(StapMode::Version3),
        Some(other) => {
            Err(UsageError::new(format!("unknown mode: {other}; expected `static`, `dynamic` or `v3`")))
        }
    }
}

fn depfile(scanned: &ScannedArguments) -> Result<Option<Depfile>, UsageError> {
    let target = last(scanned, "depfile-target").map(Into::into);
    match last(scanned, "depfile") {
        Some(path) => Ok(Some(Depfile { path: path.into(), target })),
        None if target.is_some() => Err(UsageError::new("--depfile-target requires --depfile")),
        None => Ok(None),
    }
}

/// Options that apply to the batch file itself, not to its calls.
const OF_BATCH: [&str; 3] = ["batch", "depfile", "depfile-target"];

/// Parses a batch call. All other options are inserted before the options of each call.
fn batch(calls: Input, scanned: ScannedArguments) -> Result<Batch, UsageError> {
    if let Some(file) = scanned.files.first() {
        let file = file.display();
        return Err(UsageError::new(format!(
            "with --batch, name the declarations files in the batch file: {file}"
        )));
    }
    let depfile = depfile(&scanned)?;
    let others = scanned.options.into_iter().filter(|given| !OF_BATCH.contains(&given.name));
    let arguments = others.flat_map(|GivenOption { name, value, .. }| {
        let value = (!options::is_flag(name)).then_some(value);
        std::iter::once(OsString::from(format!("--{name}"))).chain(value)
    });
    Ok(Batch { calls, arguments: arguments.collect(), depfile })
}

/// The last value of the option `name`.
fn last<'s>(scanned: &'s ScannedArguments, name: &str) -> Option<&'s OsString> {
    scanned.options.iter().rev().find(|given| given.name == name).map(|given| &given.value)
}

/// The last value of the option `name`, for options whose value appears in generated code.
fn text<'s>(scanned: &'s ScannedArguments, name: &str) -> Result<Option<&'s str>, UsageError> {
    let value = last(scanned, name);
    value.map(|value| value.to_str().ok_or_else(|| not_utf8(name, value))).transpose()
}

fn not_utf8(name: &str, value: &OsString) -> UsageError {
    UsageError::new(format!("option --{name}: the value {value:?} is not UTF-8"))
}
