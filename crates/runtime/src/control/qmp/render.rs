//! Renders answers for machines, as objects on separate lines that end in CR LF.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::control::command::{Answer, COMMANDS, CommandError, PROTOCOL, package};
use crate::control::json::Writer;

/// Returns the greeting for a client. It offers no capabilities.
pub(in crate::control) fn greeting() -> String {
    message(|writer| {
        writer.name("QMP").object(|writer| {
            writer.name("version");
            version(writer);
            writer.name("capabilities").list(|_| {});
        });
    })
}

pub(in crate::control) fn returned(answer: &Answer, id: Option<&str>) -> String {
    message(|writer| {
        writer.name("return");
        value(writer, answer);
        write_id(writer, id);
    })
}

pub(in crate::control) fn text(lines: &str, id: Option<&str>) -> String {
    message(|writer| {
        writer.name("return").text(&lines.replace('\n', "\r\n"));
        write_id(writer, id);
    })
}

pub(in crate::control) fn error(error: &CommandError, id: Option<&str>) -> String {
    message(|writer| {
        write_id(writer, id);
        writer.name("error").object(|writer| {
            writer.name("class").text(error.class.name());
            let advice = error.advice.lines().map(|line| format!("; {}", line.trim())).collect::<String>();
            writer.name("desc").text(&(error.text.clone() + &advice));
        });
    })
}

/// Renders a notice that no client has requested.
pub(in crate::control) fn event(name: &str, data: impl FnOnce(&mut Writer)) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    message(|writer| {
        writer.name("timestamp").object(|writer| {
            writer.name("seconds").number(now.as_secs());
            writer.name("microseconds").number(now.subsec_micros().into());
        });
        writer.name("event").text(name);
        writer.name("data").object(data);
    })
}

fn message(members: impl FnOnce(&mut Writer)) -> String {
    let mut writer = Writer::default();
    writer.object(members);
    writer.into_text() + "\r\n"
}

fn write_id(writer: &mut Writer, id: Option<&str>) {
    if let Some(id) = id {
        writer.name("id").written(id);
    }
}

fn value(writer: &mut Writer, answer: &Answer) {
    match answer {
        Answer::Nothing | Answer::Quit | Answer::Name(None) => writer.object(|_| {}),
        Answer::States(states) => writer.list(|writer| {
            for (name, state) in states {
                writer.object(|writer| {
                    writer.name("name").text(name);
                    writer.name("state").text(&state.to_string());
                });
            }
        }),
        Answer::TraceFile(file, is_on) => writer.object(|writer| {
            writer.name("file").text(&file.to_string_lossy());
            writer.name("enable").flag(*is_on);
        }),
        Answer::Text(text) => writer.text(text),
        Answer::Records(records) => writer.object(|writer| writer.name("records").number(*records)),
        Answer::Status(report) => super::status::write(writer, report),
        Answer::Version => version(writer),
        Answer::Name(Some(name)) => writer.object(|writer| writer.name("name").text(name)),
        Answer::Commands => writer.list(|writer| {
            for qmp in COMMANDS.iter().filter_map(|command| command.qmp.as_ref()) {
                writer.object(|writer| writer.name("name").text(qmp.name));
            }
        }),
    }
}

fn version(writer: &mut Writer) {
    writer.object(|writer| {
        writer.name("qemu").object(|writer| {
            PROTOCOL.iter().for_each(|(part, number)| writer.name(part).number(*number));
        });
        writer.name("package").text(package());
    });
}
