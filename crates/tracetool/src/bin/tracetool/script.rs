//! From options to what they ask for, in the order in which QEMU's script looks at them.

use std::ffi::OsString;

use ringtrace_tracetool::{BACKENDS, Backend, Format, StapMode};

use crate::call::{Asked, Batch, Call, Depfile, Input, Output, Refusal};
use crate::era::{self, Era};
use crate::options::{self, Given, Scanned};
use crate::shell;
use crate::surroundings::Surroundings;

/// What `arguments` ask for.
pub fn ask(arguments: Vec<OsString>, surroundings: &Surroundings) -> Result<Asked, Refusal> {
    match options::scan(arguments.iter().cloned()) {
        Ok(scanned) => of_scanned(scanned, surroundings),
        Err(error) if error.unknown.as_ref().is_some_and(era::is_shell_word) => shell::ask(arguments),
        Err(error) => Err(Refusal::new(error.text)),
    }
}

fn of_scanned(scanned: Scanned, surroundings: &Surroundings) -> Result<Asked, Refusal> {
    for given in &scanned.options {
        match given.name {
            "help" => return Ok(Asked::Help),
            "version" => return Ok(Asked::Version),
            "man" => return Ok(Asked::Man),
            "list-backends" => return Ok(Asked::ListBackends(list_backends())),
            _ => {}
        }
    }
    if let Some(calls) = last(&scanned, "batch") {
        return batch(calls.clone().into(), scanned).map(Asked::Batch);
    }
    let Some(backends) = text(&scanned, "backends")? else {
        return Err(Refusal::new("no backends specified"));
    };
    if scanned.options.iter().any(|given| given.name == "check-backends") {
        return Ok(Asked::CheckBackends(backends.split(',').all(|name| backend(name).is_some())));
    }
    generate(backends, &scanned, surroundings).map(Asked::Generate)
}

/// `nop, dtrace, ...`
fn list_backends() -> String {
    let names: Vec<&str> = BACKENDS.iter().map(|backend| backend.name()).collect();
    names.join(", ")
}

fn generate(backends: &str, scanned: &Scanned, surroundings: &Surroundings) -> Result<Call, Refusal> {
    let era = Era::of(scanned, surroundings);
    let format_name = text(scanned, "format")?.unwrap_or_default();
    let group = text(scanned, "group")?.filter(|name| !name.is_empty());
    let Some(name) = group.or_else(|| (!asks_for_group(era, format_name)).then_some(WHOLE_PROGRAM)) else {
        return Err(Refusal::new("group name is required"));
    };
    check_group(name)?;
    let format = Format::named(format_name);
    let needs = format.map(|format| format.needs).unwrap_or_default();
    let binary = text(scanned, "binary")?;
    if needs.binary && binary.is_none() {
        return Err(Refusal::new("--binary is required for SystemTAP tapset generator"));
    }
    let probe_prefix = probe_prefix(scanned)?;
    if needs.probe_prefix && probe_prefix.is_none() {
        return Err(Refusal::new("--probe-prefix is required for SystemTAP tapset generator"));
    }
    let (inputs, output) = files(era, &scanned.files)?;
    let format = format.ok_or_else(|| match format_name {
        "" => Refusal::new("format not set"),
        name => Refusal::new(format!("unknown format: {name}")),
    })?;
    let depfile = depfile(scanned)?;
    if depfile.is_some() && output == Output::Stdout {
        return Err(Refusal::new("--depfile names what an output file depends on, and there is none"));
    }
    // Scripts of 2016 wrote whole traces. Who gives a group is of a later year.
    let is_of_2016 = era != Era::Today && group.is_none();
    Ok(Call {
        format,
        backends: known_backends(backends)?,
        group: name.to_owned(),
        binary: binary.unwrap_or_default().to_owned(),
        probe_prefix: probe_prefix.unwrap_or_default(),
        stap_mode: manner(text(scanned, "stap-manner")?, is_of_2016)?,
        legacy_types: era != Era::Today || last(scanned, "legacy-types").is_some(),
        inputs,
        output,
        depfile,
    })
}

/// What the group is called where calls name none: in those years, one file declared the events of the whole program.
pub const WHOLE_PROGRAM: &str = "all";

/// Whether a call must name a group.
fn asks_for_group(era: Era, format: &str) -> bool {
    era == Era::Today && !era::is_of_table(format.as_ref())
}

/// Names of groups become parts of names in every language, and of names of files.
fn check_group(name: &str) -> Result<(), Refusal> {
    if name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-') {
        return Ok(());
    }
    Err(Refusal::new(format!("group name {name:?} is not made of letters, digits and `_`")))
}

/// What the names of probes begin with; as it was given goes before what a target makes of it.
fn probe_prefix(scanned: &Scanned) -> Result<Option<String>, Refusal> {
    if let Some(prefix) = text(scanned, "probe-prefix")? {
        return Ok(Some(prefix.to_owned()));
    }
    let name = text(scanned, "target-name")?.or(text(scanned, "target-arch")?);
    Ok(text(scanned, "target-type")?.zip(name).map(|(kind, name)| prefix_of_target(kind, name)))
}

/// `qemu.system.x86_64`
pub fn prefix_of_target(kind: &str, name: &str) -> String {
    format!("qemu.{kind}.{name}")
}

fn files(era: Era, files: &[OsString]) -> Result<(Vec<Input>, Output), Refusal> {
    let inputs = |files: &[OsString]| files.iter().cloned().map(Input::from).collect();
    match (era, files) {
        (Era::Today, [events @ .., output]) if !events.is_empty() => {
            Ok((inputs(events), output.clone().into()))
        }
        (Era::Today, _) => Err(Refusal::new("missing trace-events and output filepaths")),
        (Era::ToStdout, files) => Ok((inputs(files), Output::Stdout)),
        (Era::Streams, _) => Ok((vec![Input::Stdin], Output::Stdout)),
    }
}

/// The backends of a list; one that is named twice counts once.
fn known_backends(list: &str) -> Result<Vec<&'static Backend>, Refusal> {
    let mut backends: Vec<&'static Backend> = Vec::new();
    for name in list.split(',') {
        let Some(backend) = backend(name) else {
            return Err(Refusal::new(format!("unknown backend: {name}")));
        };
        if !backends.iter().any(|other| other.name() == backend.name()) {
            backends.push(backend);
        }
    }
    Ok(backends)
}

/// The backend `name`, today's or one that was called so once.
pub fn backend(name: &str) -> Option<&'static Backend> {
    match name {
        // To 2016.
        "stderr" => Backend::named("log"),
        // Until 2014 it had to be named with the formats `events-h` and `events-c`.
        "events" => Backend::named("nop"),
        _ => Backend::named(name),
    }
}

fn manner(asked: Option<&str>, is_of_2016: bool) -> Result<StapMode, Refusal> {
    match asked {
        None if is_of_2016 => Ok(StapMode::Dynamic),
        None | Some("static") => Ok(StapMode::Static),
        Some("dynamic") => Ok(StapMode::Dynamic),
        Some("v3") => Ok(StapMode::Version3),
        Some(other) => {
            Err(Refusal::new(format!("unknown manner: {other}; there are `static`, `dynamic` and `v3`")))
        }
    }
}

fn depfile(scanned: &Scanned) -> Result<Option<Depfile>, Refusal> {
    let target = last(scanned, "depfile-target").map(Into::into);
    match last(scanned, "depfile") {
        Some(path) => Ok(Some(Depfile { path: path.into(), target })),
        None if target.is_some() => Err(Refusal::new("--depfile-target stands in a --depfile")),
        None => Ok(None),
    }
}

/// What is about a file of calls, not the calls in it.
const OF_BATCH: [&str; 3] = ["batch", "depfile", "depfile-target"];

/// Many calls: what was given goes before each, but what is about the file of calls.
fn batch(calls: Input, scanned: Scanned) -> Result<Batch, Refusal> {
    if let Some(file) = scanned.files.first() {
        let file = file.display();
        return Err(Refusal::new(format!("with --batch, names of files stand in its lines: {file}")));
    }
    let depfile = depfile(&scanned)?;
    let others = scanned.options.into_iter().filter(|given| !OF_BATCH.contains(&given.name));
    let arguments = others.flat_map(|Given { name, value, .. }| {
        let value = (!options::is_flag(name)).then_some(value);
        std::iter::once(OsString::from(format!("--{name}"))).chain(value)
    });
    Ok(Batch { calls, arguments: arguments.collect(), depfile })
}

/// The value of the option `name`, as it was given last.
fn last<'s>(scanned: &'s Scanned, name: &str) -> Option<&'s OsString> {
    scanned.options.iter().rev().find(|given| given.name == name).map(|given| &given.value)
}

/// The same, of an option whose value stands in generated code.
fn text<'s>(scanned: &'s Scanned, name: &str) -> Result<Option<&'s str>, Refusal> {
    let value = last(scanned, name);
    value.map(|value| value.to_str().ok_or_else(|| not_utf8(name, value))).transpose()
}

fn not_utf8(name: &str, value: &OsString) -> Refusal {
    Refusal::new(format!("option --{name}: the value {value:?} is not UTF-8"))
}
