//! `kvmtrace_format [-c MHZ] [-s] [DEFINITIONS] < STREAM`, a replacement for the last version of
//! that script (2009).
//!
//! The arguments (parsed like getopt), the interpretation of the stream, the output and the exit
//! statuses are the same. Like the script, the tool misreads the stream after a record of six or
//! seven words, and exits with status 0 for a stream with a wrong magic word.
//!
//! There are some differences. Errors are messages instead of tracebacks. Definitions for older
//! versions of the script (`tsc`) also work, and `-c` has an effect with them. Without DEFINITIONS,
//! built-in definitions are used instead of the files in /usr/share. The instructions in PPC_INSTR
//! records are not decoded: the definitions format these records, and `-s`, which only counted
//! instructions, prints nothing.

use std::ffi::OsString;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use ringtrace_kvmtrace::{Clock, DefinitionSet, Definitions, Error, Stream, StreamOptions, definition_set};
use ringtrace_kvmtrace::{Variant, WideRecords};

use super::ProgramName;

use crate::exit::{CliError, Exit};
use crate::kvmtrace_text::{PrintError, print_records, read_definitions, stream_error};
use crate::terminal::Terminal;

pub const PROGRAM_NAME: ProgramName = ProgramName {
    name: "kvmtrace_format",
    usage: "[-c MHZ] [-s] [DEFINITIONS] < STREAM",
    about: "print the text of a kvmtrace stream, as the script of KVM's tools did",
    run: |arguments, terminal| run(arguments, terminal).into(),
};

const USAGE: &str = "Usage: kvmtrace_format [-c MHZ] [-s] [DEFINITIONS] < STREAM\n";
const INPUT: &str = "standard input";

/// The event for which the original script printed statistics.
const PPC_INSTR: u32 = 0x0002_0019;

fn run(arguments: &[OsString], terminal: &Terminal) -> Exit {
    let exit = match print(arguments.get(1..).unwrap_or_default(), terminal) {
        Ok(()) => Exit::Done,
        Err(failure) => {
            terminal.report(&failure);
            if failure.exit == Exit::Usage {
                terminal.quote(USAGE);
            }
            failure.exit
        }
    };
    // The script had only two exit statuses.
    if exit == Exit::Done { Exit::Done } else { Exit::Input }
}

fn print(arguments: &[OsString], terminal: &Terminal) -> Result<(), CliError> {
    let options = Options::parse(arguments)?;
    let definitions = match &options.definitions {
        Some(path) => read_definitions(path, terminal).inspect_err(|failure| {
            if failure.exit == Exit::Input {
                terminal.quote("Bad format file\n");
            }
        })?,
        None => definition_set("2009").map_or_else(Definitions::empty, DefinitionSet::definitions),
    };
    let expected =
        StreamOptions { variant: Some(Variant::K3), order: None, wide_records: WideRecords::Misread };
    let mut stream = match Stream::open(io::stdin().lock(), expected) {
        Ok(stream) => stream,
        Err(error @ Error::NotKvmtrace { .. }) => {
            terminal.report(&stream_error(INPUT, &error));
            terminal.quote("Bad data file: magic number error.\n");
            return Ok(());
        }
        Err(error) => return Err(stream_error(INPUT, &error)),
    };
    let mut clock = Clock::new(options.clock_mhz, definitions.time_names());
    let mut uncounted = false;
    let mut out = io::stdout().lock();
    let printed = print_records(&mut stream, &definitions, &mut clock, &mut out, |_, record| {
        uncounted |= record.event == PPC_INSTR;
    });
    if options.statistics && uncounted {
        terminal.warn(
            "there are no statistics, because PowerPC instructions are not decoded",
            Some("`ringtrace kvmtrace -s` counts events"),
        );
    }
    match printed {
        Ok(()) => Ok(()),
        // The script read each record in parts, and treated an end of file between two parts as the
        // end of the stream.
        Err(PrintError::Stream(Error::Cut { cut, .. })) if cut.between_parts() => Ok(()),
        Err(error) => Err(error.into_error(INPUT)),
    }
}

#[derive(Debug, Default, PartialEq)]
struct Options {
    clock_mhz: Option<f64>,
    statistics: bool,
    definitions: Option<PathBuf>,
}

impl Options {
    /// Parses options like Python's getopt: options may be grouped, and the first word that is not
    /// an option ends them. Words after the definitions are ignored.
    fn parse(arguments: &[OsString]) -> Result<Options, CliError> {
        let mut options = Options::default();
        let mut words = arguments.iter();
        let definitions = loop {
            let Some(word) = words.next() else { break None };
            let letters = match word.as_bytes() {
                b"--" => break words.next(),
                [b'-', letters @ ..] if !letters.is_empty() => letters,
                _ => break Some(word),
            };
            let mut letters = letters.iter();
            while let Some(letter) = letters.next() {
                match letter {
                    b's' => options.statistics = true,
                    b'c' => {
                        let attached = letters.as_slice();
                        letters = [].iter();
                        let value = match words.as_slice().first() {
                            _ if !attached.is_empty() => attached,
                            Some(word) => {
                                words.next();
                                word.as_bytes()
                            }
                            None => return Err(CliError::usage("option -c requires argument")),
                        };
                        options.clock_mhz = Some(parse_mhz(value)?);
                    }
                    _ => {
                        let letter = letter.escape_ascii();
                        return Err(CliError::usage(format!("option -{letter} not recognized")));
                    }
                }
            }
        };
        if definitions.is_none() && !arguments.is_empty() {
            return Err(CliError::input("expected a definitions file after the options")
                .help("specify one; without any arguments, the built-in definitions are used"));
        }
        options.definitions = definitions.map(|path| Path::new(path).to_owned());
        Ok(options)
    }
}

/// Parses a word like Python's `int`.
fn parse_mhz(word: &[u8]) -> Result<f64, CliError> {
    let is_blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0x0b;
    let trim_start = |word: &[u8]| {
        let blanks = word.iter().take_while(|byte| is_blank(byte)).count();
        word[blanks..].to_vec()
    };
    let mut digits = trim_start(word);
    while digits.last().is_some_and(is_blank) {
        digits.pop();
    }
    let negative = digits.first() == Some(&b'-');
    if matches!(digits.first(), Some(b'-' | b'+')) {
        digits = trim_start(&digits[1..]);
    }
    let error = || {
        let word = String::from_utf8_lossy(word);
        CliError::input(format!("the frequency `{}` is not an integer", word.escape_debug()))
            .help("-c takes MHz: -c 2400")
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return Err(error());
    }
    let mhz: f64 = String::from_utf8_lossy(&digits).parse().map_err(|_| error())?;
    if mhz.is_infinite() {
        return Err(error());
    }
    Ok(if negative { -mhz } else { mhz })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(arguments: &[&str]) -> Result<Options, String> {
        let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
        Options::parse(&arguments).map_err(|failure| failure.message)
    }

    #[test]
    fn options_are_parsed_like_getopt() {
        let full = Options { clock_mhz: Some(2400.0), statistics: true, definitions: Some("defs".into()) };
        for arguments in [
            &["-c", "2400", "-s", "defs"][..],
            &["-sc2400", "defs"],
            &["-s", "-c2400", "--", "defs"],
            &["-c", "1", "-sc", "2400", "defs", "ignored", "-x"],
        ] {
            assert_eq!(parse(arguments).as_ref(), Ok(&full), "{arguments:?}");
        }
        assert_eq!(parse(&[]), Ok(Options::default()));
        assert_eq!(parse(&["-"]).map(|options| options.definitions), Ok(Some("-".into())));
        for (arguments, message) in [
            (&["-x", "defs"][..], "option -x not recognized"),
            (&["--help"], "option -- not recognized"),
            (&["-c"], "option -c requires argument"),
            (&["-c", "10"], "expected a definitions file after the options"),
            (&["-s", "--"], "expected a definitions file after the options"),
            (&["-c", "2.4", "defs"], "the frequency `2.4` is not an integer"),
        ] {
            assert_eq!(parse(arguments), Err(message.to_owned()), "{arguments:?}");
        }
    }

    /// The expected values are those of Python 2.7.18.
    #[test]
    fn frequencies_are_python_integers() {
        for (word, mhz) in [
            ("2400", 2400.0),
            (" 7 ", 7.0),
            ("\t7\n", 7.0),
            ("\u{b}7", 7.0),
            ("-7", -7.0),
            ("- 7", -7.0),
            ("+ 7", 7.0),
            ("007", 7.0),
            ("0", 0.0),
            ("99999999999999999999", 1e20),
        ] {
            assert_eq!(parse_mhz(word.as_bytes()).ok(), Some(mhz), "{word:?}");
        }
        for word in ["", " ", "+", "--7", "7L", "0x10", "2.4", "1_0", "7 7", "abc", "1e3", "7\0"] {
            assert!(parse_mhz(word.as_bytes()).is_err(), "{word:?}");
        }
    }
}
