//! Options of QEMU's shell script (2010 to early 2012). It read standard input, wrote standard
//! output, and printed errors to standard output.

use std::ffi::OsString;

use ringtrace_events::parse::Dialect;
use ringtrace_tracetool::{Backend, Format, StapMode};

use crate::command::{Call, Command, Input, Output, UsageError};
use crate::script::{WHOLE_PROGRAM, backend, prefix_of_target};

/// The script's backends, in its order.
const BACKENDS: [&str; 5] = ["nop", "simple", "stderr", "ust", "dtrace"];

/// The script's options for formats, and their current names.
const FORMATS: [(&str, &str); 4] = [("-h", "h"), ("-c", "c"), ("-d", "d"), ("--stap", "stap")];

#[derive(Default)]
struct ShellOptions {
    backend: Option<&'static Backend>,
    /// The option and the format.
    format: Option<(&'static str, &'static str)>,
    binary: Option<String>,
    target_type: Option<String>,
    target_arch: Option<String>,
    probe_prefix: Option<String>,
    check_backend: bool,
    list_backends: bool,
    help: bool,
}

/// Parses a command line. Options may be in any order, and the last one of each kind wins.
pub fn parse_command(arguments: Vec<OsString>) -> Result<Command, UsageError> {
    let given = read(arguments)?;
    if given.help {
        return Ok(Command::Help);
    }
    if given.list_backends {
        return Ok(Command::ListBackends(BACKENDS.join(" ")));
    }
    let backend = given.backend.ok_or_else(|| {
        usage_error("no backend specified: --nop, --simple, --stderr, --ust or --dtrace; see --help for more")
    })?;
    if given.check_backend {
        return Ok(Command::CheckBackends(true));
    }
    generate(given, backend).map(Command::Generate)
}

fn read(arguments: Vec<OsString>) -> Result<ShellOptions, UsageError> {
    let mut given = ShellOptions::default();
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        let Some(argument) = argument.to_str() else {
            return Err(usage_error(format!("option {argument:?} not recognized")));
        };
        // The original script did not support the form `OPTION=VALUE`.
        let (option, value) = match argument.split_once('=') {
            Some((option, value)) => (option, Some(value.to_owned())),
            None => (argument, None),
        };
        let mut value = || {
            let next = || arguments.next().and_then(|value| value.into_string().ok());
            value
                .clone()
                .or_else(next)
                .ok_or_else(|| usage_error(format!("option {option} requires argument")))
        };
        match option {
            "--binary" => given.binary = Some(value()?),
            "--target-type" => given.target_type = Some(value()?),
            "--target-arch" | "--target-name" => given.target_arch = Some(value()?),
            "--probe-prefix" => given.probe_prefix = Some(value()?),
            "--check-backend" | "--check-backends" => given.check_backend = true,
            "--list-backends" => given.list_backends = true,
            "--help" => given.help = true,
            _ => {
                let format = FORMATS.into_iter().find(|(written, _)| *written == option);
                let name = option.strip_prefix("--").filter(|name| BACKENDS.contains(name));
                match (format, name.and_then(backend)) {
                    (Some(_), _) => given.format = format,
                    (None, Some(backend)) => given.backend = Some(backend),
                    (None, None) => return Err(usage_error(format!("option {option} not recognized"))),
                }
            }
        }
    }
    Ok(given)
}

fn generate(given: ShellOptions, backend: &'static Backend) -> Result<Call, UsageError> {
    let Some((option, format)) = given.format else {
        return Err(usage_error("format not set: -h, -c, -d or --stap"));
    };
    if ["-d", "--stap"].contains(&option) && backend.name != "dtrace" {
        return Err(usage_error(format!("{option} requires --dtrace")));
    }
    let format = Format::named(format).ok_or_else(|| usage_error(format!("unknown format: {format}")))?;
    if format.needs.binary && given.binary.is_none() {
        return Err(usage_error("--binary is required for SystemTAP tapset generator"));
    }
    let probe_prefix = match (given.probe_prefix, given.target_type, given.target_arch) {
        (Some(prefix), ..) => prefix,
        (None, Some(kind), Some(arch)) => prefix_of_target(&kind, &arch),
        _ if !format.needs.probe_prefix => String::new(),
        (None, None, _) => {
            return Err(usage_error("--target-type is required for SystemTAP tapset generator"));
        }
        (None, _, None) => {
            return Err(usage_error("--target-arch is required for SystemTAP tapset generator"));
        }
    };
    Ok(Call {
        format,
        backends: vec![backend],
        group: WHOLE_PROGRAM.to_owned(),
        binary: given.binary.unwrap_or_default(),
        probe_prefix,
        stap_mode: StapMode::Dynamic,
        dialect: Dialect::Generate { legacy_types: true, strict: false },
        inputs: vec![Input::Stdin],
        output: Output::Stdout,
        depfile: None,
    })
}

fn usage_error(text: impl Into<String>) -> UsageError {
    UsageError { text: text.into(), on_stdout: true }
}
