//! The JSON output. `docs/usdt.md` describes every field.

use std::path::Path;

use crate::output::json_line;
use ringtrace_binary::{Event, Inventory, Operand};
use serde::Serialize;

use crate::exit::CliError;

pub fn render(path: &Path, inventory: &Inventory) -> Result<String, CliError> {
    let document = Document {
        file: path.display().to_string(),
        events: inventory.events.iter().map(OneEvent::new).collect(),
        oddities: &inventory.anomalies,
    };
    json_line(&document)
}

#[derive(Serialize)]
struct Document<'a> {
    file: String,
    events: Vec<OneEvent<'a>>,
    oddities: &'a [String],
}

#[derive(Serialize)]
struct OneEvent<'a> {
    name: &'a str,
    group: Option<&'a str>,
    disabled: bool,
    arguments: Option<Vec<Argument<'a>>>,
    format: Option<&'a str>,
    usdt: Option<Usdt<'a>>,
    lttng: Option<&'a str>,
}

#[derive(Serialize)]
struct Argument<'a> {
    name: Option<&'a str>,
    #[serde(rename = "type")]
    ctype: &'a str,
}

#[derive(Serialize)]
struct Usdt<'a> {
    provider: &'a str,
    name: &'a str,
    semaphore: Option<u64>,
    sites: Vec<Site<'a>>,
}

#[derive(Serialize)]
struct Site<'a> {
    address: u64,
    operands: Vec<OperandJson<'a>>,
}

#[derive(Serialize)]
struct OperandJson<'a> {
    bytes: u8,
    signed: bool,
    float: bool,
    place: &'a str,
}

impl<'a> OneEvent<'a> {
    fn new(event: &'a Event) -> OneEvent<'a> {
        let is_known = event.declaration.is_some() || event.usdt.is_some();
        let argument = |argument: ringtrace_binary::Argument<'a>| Argument {
            name: argument.name,
            ctype: argument.ctype,
        };
        OneEvent {
            name: &event.name,
            group: event.group.as_deref(),
            disabled: event.is_disabled(),
            arguments: is_known.then(|| event.arguments().into_iter().map(argument).collect()),
            format: event.format(),
            usdt: event.usdt.as_ref().map(Usdt::new),
            lttng: event.lttng.as_deref(),
        }
    }
}

impl<'a> Usdt<'a> {
    fn new(usdt: &'a ringtrace_binary::Usdt) -> Usdt<'a> {
        let place = |operand: &'a Operand| {
            let Operand { bytes, signed, float, place } = operand;
            OperandJson { bytes: *bytes, signed: *signed, float: *float, place }
        };
        let site = |site: &'a ringtrace_binary::Site| Site {
            address: site.address,
            operands: site.operands.iter().map(place).collect(),
        };
        Usdt {
            provider: &usdt.provider,
            name: &usdt.name,
            semaphore: usdt.semaphore,
            sites: usdt.sites.iter().map(site).collect(),
        }
    }
}
