//! `ringtrace open`: opens a trace in Perfetto's UI, which fetches the trace from this process.

mod browser;
mod request;
mod serve;

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::output::print;
use crate::values::{parse_number, thread_count};
use clap::Args;
use ringtrace_export::ExportTarget;

use self::request::ServedTrace;
use self::serve::Server;
use super::{Command, parse_arguments};
use crate::exit::{CliError, Exit};
use crate::export_job::{ExportJob, ExportOutput};
use crate::pair_arguments::PairArguments;
use crate::reading::ReadArguments;
use crate::terminal::Terminal;

pub const COMMAND: Command = Command {
    name: "open",
    about: "Open traces in Perfetto's UI, in a browser",
    configure: |command| Arguments::augment_args(command).after_help(EXAMPLES),
    run: |matches, terminal| run(&parse_arguments(matches)?, terminal),
};

const EXAMPLES: &str = "\
Examples:
  ringtrace open -e trace-events-all trace-4711
  ringtrace open --since 1.5 --until 2 trace-4711
  ringtrace open --no-browser trace-4711
  ssh -L 9001:127.0.0.1:9001 HOST ringtrace open trace-4711";

#[derive(Args, Debug)]
struct Arguments {
    /// Port of 127.0.0.1 to serve the trace on; 0 is any free port. All versions of the UI accept the default
    #[arg(long, value_name = "PORT", default_value_t = 9001, value_parser = parse_number::<u16>, help_heading = "Page")]
    port: u16,

    /// Address of the UI, if you serve your own
    #[arg(long, value_name = "URL", default_value = "https://ui.perfetto.dev", value_parser = page, help_heading = "Page")]
    ui: String,

    /// Only print the address, and do not start a browser
    #[arg(long, help_heading = "Page")]
    no_browser: bool,

    /// Show the names of functions in stacks, from the program's files
    #[arg(long, help_heading = "Page")]
    symbols: bool,

    #[command(flatten)]
    pairs: PairArguments,

    #[command(flatten)]
    read: ReadArguments,
}

/// Parses the address of a page. Removes a trailing slash.
fn page(text: &str) -> Result<String, String> {
    let page = text.trim_end_matches('/');
    let rest = page.strip_prefix("https://").or_else(|| page.strip_prefix("http://")).unwrap_or_default();
    let is_harmless =
        |character: char| character.is_ascii_graphic() && !matches!(character, '"' | '\\' | '#' | '?');
    if rest.is_empty() || rest.starts_with('/') || !rest.chars().all(is_harmless) {
        return Err("expected an address such as https://ui.perfetto.dev".to_owned());
    }
    Ok(page.to_owned())
}

/// Returns the origin of `page` (the part before the path), whose scripts may fetch the trace.
fn origin(page: &str) -> &str {
    let host = page.find("://").map_or(0, |place| place + 3);
    match page[host..].find('/') {
        Some(path) => &page[..host + path],
        None => page,
    }
}

fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, CliError> {
    // Bind before the export: without a port, the export would be useless.
    let server = Server::bind(arguments.port).map_err(|error| {
        let refused = CliError::system(format!("port {} of 127.0.0.1", arguments.port), &error);
        refused.help("end the program that uses the port, perhaps another `ringtrace open`; or use --port 0, which most versions of the UI accept")
    })?;
    let file = tempfile::tempfile().map_err(|error| CliError::system("a temporary file", &error))?;
    let place = file.try_clone().map_err(|error| CliError::system("a temporary file", &error))?;
    let to = ExportOutput { target: ExportTarget::File(place), name: "a temporary file", is_stdout: false };
    let format = ringtrace_export::PERFETTO;
    let exit = ExportJob {
        read: &arguments.read,
        pairs: &arguments.pairs,
        format,
        symbols: arguments.symbols,
        threads: thread_count(None),
    }
    .export(to, terminal)?;

    let secret = secret().map_err(|error| CliError::system("a random number", &error))?;
    let name = served_name(&arguments.read.traces[0], format.endings[0]);
    let served = ServedTrace {
        port: server.port(),
        path: format!("/{secret}/{name}"),
        origin: origin(&arguments.ui).to_owned(),
    };
    let address = address(&served, &arguments.ui);
    let is_started = !arguments.no_browser && browser::start(&address);
    print(instructions(&served, &address, is_started, &name, terminal))?;
    server.serve_once(&file, &served).map_err(|error| CliError::system("a temporary file", &error))?;
    terminal.note("the trace was fetched");
    Ok(exit)
}

/// Returns a random string for the address. The address grants access to the trace, so other
/// users of this machine must not guess it.
fn secret() -> io::Result<String> {
    let mut bytes = [0; 16];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Returns the name that the page shows: the name of `trace`, with `_` in place of characters that
/// have a special meaning in URLs.
fn served_name(trace: &Path, ending: &str) -> String {
    let name = trace.file_stem().filter(|name| *name != "-").unwrap_or_default().to_string_lossy();
    let kept: String = name
        .chars()
        .map(|character| {
            if character.is_ascii_alphanumeric() || matches!(character, '.' | '-' | '_') {
                character
            } else {
                '_'
            }
        })
        .collect();
    let kept = if kept.is_empty() { "trace" } else { &kept };
    format!("{kept}{ending}")
}

/// Returns the address of the UI, which contains the address of the trace.
fn address(served: &ServedTrace, ui: &str) -> String {
    format!("{ui}/#!/?url=http://127.0.0.1:{}{}", served.port, served.path)
}

fn instructions(
    served: &ServedTrace,
    address: &str,
    is_started: bool,
    name: &str,
    terminal: &Terminal,
) -> String {
    let port = served.port;
    let address = terminal.paint("1;4", address);
    let what = match is_started {
        true => "A browser opens this address.",
        false => "Open this address in a browser on this machine.",
    };
    let host = rustix::system::uname();
    let host = host.nodename().to_string_lossy();
    format!(
        "{what} The page fetches the trace from here once; press Ctrl-C to give up.

  {address}

If the browser is on another machine, run this there; then the same address works:

  ssh -L {port}:127.0.0.1:{port} {host}

If there is no connection, write the file with `ringtrace export`, the same arguments and `-o {name}`, and open it in the page.
"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_addresses() {
        for (text, expected, of) in [
            ("https://ui.perfetto.dev", "https://ui.perfetto.dev", "https://ui.perfetto.dev"),
            ("https://ui.perfetto.dev/", "https://ui.perfetto.dev", "https://ui.perfetto.dev"),
            ("http://127.0.0.1:10000/v52/", "http://127.0.0.1:10000/v52", "http://127.0.0.1:10000"),
        ] {
            assert_eq!(page(text).as_deref(), Ok(expected));
            assert_eq!(origin(expected), of);
        }
        for text in
            ["", "ui.perfetto.dev", "https://", "https:///x", "http://a b", "http://a\r\nb", "https://a/#x"]
        {
            assert!(page(text).is_err(), "{text}");
        }
    }

    #[test]
    fn names_contain_only_characters_that_addresses_can_have() {
        for (trace, expected) in [
            ("boot-small.bin", "boot-small.pftrace"),
            ("dir/trace-4711", "trace-4711.pftrace"),
            ("a b&c?#/\u{fc} .bin", "__.pftrace"),
            ("-", "trace.pftrace"),
            ("..", "trace.pftrace"),
        ] {
            assert_eq!(served_name(Path::new(trace), ".pftrace"), expected);
        }
    }
}
