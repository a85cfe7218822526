//! The options of the shell script that QEMU had from 2010 to early 2012. It read standard input, wrote standard output, and
//! said on standard output what was wrong with a call.

use std::ffi::OsString;

use ringtrace_tracetool::{Backend, Format, StapMode};

use crate::call::{Asked, Call, Input, Output, Refusal};
use crate::script::{WHOLE_PROGRAM, backend, prefix_of_target};

/// The backends that it had, in its order.
const BACKENDS: [&str; 5] = ["nop", "simple", "stderr", "ust", "dtrace"];

/// Its options for formats, and what those are called today.
const FORMATS: [(&str, &str); 4] = [("-h", "h"), ("-c", "c"), ("-d", "d"), ("--stap", "stap")];

/// What was given.
#[derive(Default)]
struct Given {
    backend: Option<&'static Backend>,
    /// The option, and the format.
    format: Option<(&'static str, &'static str)>,
    binary: Option<String>,
    target_type: Option<String>,
    target_arch: Option<String>,
    probe_prefix: Option<String>,
    check_backend: bool,
    list_backends: bool,
    help: bool,
}

/// What `arguments` ask for. Options come in any order; the last of a kind counts.
pub fn ask(arguments: Vec<OsString>) -> Result<Asked, Refusal> {
    let given = read(arguments)?;
    if given.help {
        return Ok(Asked::Help);
    }
    if given.list_backends {
        return Ok(Asked::ListBackends(BACKENDS.join(" ")));
    }
    let backend = given.backend.ok_or_else(|| {
        refusal("no backend specified: --nop, --simple, --stderr, --ust or --dtrace; --help says what else there is")
    })?;
    if given.check_backend {
        return Ok(Asked::CheckBackends(true));
    }
    generate(given, backend).map(Asked::Generate)
}

fn read(arguments: Vec<OsString>) -> Result<Given, Refusal> {
    let mut given = Given::default();
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        let Some(argument) = argument.to_str() else {
            return Err(refusal(format!("option {argument:?} not recognized")));
        };
        // The script had only the second form.
        let (option, value) = match argument.split_once('=') {
            Some((option, value)) => (option, Some(value.to_owned())),
            None => (argument, None),
        };
        let mut value = || {
            let next = || arguments.next().and_then(|value| value.into_string().ok());
            value.clone().or_else(next).ok_or_else(|| refusal(format!("option {option} requires argument")))
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
                    (None, None) => return Err(refusal(format!("option {option} not recognized"))),
                }
            }
        }
    }
    Ok(given)
}

fn generate(given: Given, backend: &'static Backend) -> Result<Call, Refusal> {
    let Some((option, format)) = given.format else {
        return Err(refusal("format not set: -h, -c, -d or --stap"));
    };
    if ["-d", "--stap"].contains(&option) && backend.name() != "dtrace" {
        return Err(refusal(format!("{option} is there for --dtrace only")));
    }
    let format = Format::named(format).ok_or_else(|| refusal(format!("unknown format: {format}")))?;
    if format.needs.binary && given.binary.is_none() {
        return Err(refusal("--binary is required for SystemTAP tapset generator"));
    }
    let probe_prefix = match (given.probe_prefix, given.target_type, given.target_arch) {
        (Some(prefix), ..) => prefix,
        (None, Some(kind), Some(arch)) => prefix_of_target(&kind, &arch),
        _ if !format.needs.probe_prefix => String::new(),
        (None, None, _) => return Err(refusal("--target-type is required for SystemTAP tapset generator")),
        (None, _, None) => return Err(refusal("--target-arch is required for SystemTAP tapset generator")),
    };
    Ok(Call {
        format,
        backends: vec![backend],
        group: WHOLE_PROGRAM.to_owned(),
        binary: given.binary.unwrap_or_default(),
        probe_prefix,
        stap_mode: StapMode::Dynamic,
        legacy_types: true,
        inputs: vec![Input::Stdin],
        output: Output::Stdout,
        depfile: None,
    })
}

fn refusal(text: impl Into<String>) -> Refusal {
    Refusal { text: text.into(), on_stdout: true }
}
