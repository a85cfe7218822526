//! Options, as QEMU's script has taken them since 2012: `--opt=value`, `--opt value`, shortened while that is unique, and all
//! of them before the first name of a file.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// An option that there is.
#[derive(Debug)]
pub struct OptionSpec {
    /// Without the `--`.
    pub name: &'static str,
    /// What its value is called in the help text; empty for one that has none.
    pub value: &'static str,
    /// What it is for, in a line or several.
    pub about: &'static str,
    /// Not of today's script: then it must be written in full, so that what is short for another option stays so.
    pub extension: bool,
}

const fn original(name: &'static str, value: &'static str, about: &'static str) -> OptionSpec {
    OptionSpec { name, value, about, extension: false }
}

const fn extension(name: &'static str, value: &'static str, about: &'static str) -> OptionSpec {
    OptionSpec { name, value, about, extension: true }
}

/// All of them, in the order in which help lists them.
pub static OPTIONS: &[OptionSpec] = &[
    original("format", "FORMAT", "What to generate"),
    original("backends", "BACKEND[,BACKEND...]", "Where events go"),
    original("group", "NAME", "The name of the group that the events form"),
    original("binary", "PATH", "SystemTap: the program that has the probes"),
    original("probe-prefix", "PREFIX", "SystemTap: what the names of probes begin with"),
    original("target-type", "TYPE", "SystemTap, with --target-name: the prefix is qemu.TYPE.NAME"),
    original("target-name", "NAME", "SystemTap: see --target-type"),
    extension("target-arch", "ARCH", "What --target-name was called until 2013"),
    extension("stap-mode", "MODE", "simpletrace-stap: static (default), dynamic, v3"),
    extension("legacy-types", "", "Accept the types of files from before 2018, and `vcpu` and `tcg`"),
    extension("depfile", "PATH", "Write which files the output depends on, for make and ninja"),
    extension("depfile-target", "NAME", "Name this there in place of the output: a stamp"),
    extension("batch", "FILE", "Do the calls in FILE, one a line; these options go before each"),
    original("list-backends", "", "List the backends"),
    original("check-backends", "", "Exit with 0 if all of the --backends exist, else with 1"),
    extension("version", "", "Print the version"),
    extension("man", "", "Print the manual page"),
    original("help", "", "Print this"),
];

/// One that was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GivenOption {
    /// The full name of the option.
    pub name: &'static str,
    /// As it was written, without the `--` and its value.
    pub written: OsString,
    /// Its value; empty for one that has none.
    pub value: OsString,
}

/// The arguments of a call.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ScannedArguments {
    /// The options, in order.
    pub options: Vec<GivenOption>,
    /// What follows them.
    pub files: Vec<OsString>,
}

/// Why arguments are not such a call. Its text is that of Python's `getopt`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScanError {
    /// What is wrong.
    pub text: String,
    /// The whole argument, when there is no such option.
    pub unknown: Option<OsString>,
}

impl ScanError {
    fn of(option: &[u8], what: &str) -> ScanError {
        let text = format!("option --{} {what}", String::from_utf8_lossy(option));
        ScanError { text, unknown: None }
    }
}

/// Takes `arguments` apart, up to the first that is wrong.
pub fn scan(arguments: impl IntoIterator<Item = OsString>) -> Result<ScannedArguments, ScanError> {
    let mut arguments = arguments.into_iter();
    let mut scanned = ScannedArguments::default();
    while let Some(argument) = arguments.next() {
        let bytes = argument.as_bytes();
        if bytes == b"--" {
            break;
        }
        if bytes == b"-" || !bytes.starts_with(b"-") {
            scanned.files.push(argument);
            break;
        }
        let Some(option) = bytes.strip_prefix(b"--") else {
            let text = String::from_utf8_lossy(bytes);
            let first = text.chars().nth(1).unwrap_or_default();
            return Err(ScanError {
                text: format!("option -{first} not recognized"),
                unknown: Some(argument),
            });
        };
        let (written, value) = match option.iter().position(|byte| *byte == b'=') {
            Some(at) => (&option[..at], Some(OsStr::from_bytes(&option[at + 1..]).to_owned())),
            None => (option, None),
        };
        let known = match known(written) {
            Ok(known) => known,
            Err(LookupError::Ambiguous) => return Err(ScanError::of(written, "not a unique prefix")),
            Err(LookupError::Unknown) => {
                let error = ScanError::of(written, "not recognized");
                return Err(ScanError { unknown: Some(argument), ..error });
            }
        };
        let value = match (known.value.is_empty(), value) {
            (true, None) => OsString::new(),
            (true, Some(_)) => {
                return Err(ScanError::of(known.name.as_bytes(), "must not have an argument"));
            }
            (false, Some(value)) => value,
            (false, None) => {
                arguments.next().ok_or_else(|| ScanError::of(known.name.as_bytes(), "requires argument"))?
            }
        };
        let written = OsString::from_vec(written.to_vec());
        scanned.options.push(GivenOption { name: known.name, written, value });
    }
    scanned.files.extend(arguments);
    Ok(scanned)
}

/// Why a word is no option.
enum LookupError {
    /// It is short for none.
    Unknown,
    /// It is short for several.
    Ambiguous,
}

/// The option that `written` is, or is short for.
fn known(written: &[u8]) -> Result<&'static OptionSpec, LookupError> {
    if let Some(exact) = OPTIONS.iter().find(|known| known.name.as_bytes() == written) {
        return Ok(exact);
    }
    let mut longer =
        OPTIONS.iter().filter(|known| !known.extension && known.name.as_bytes().starts_with(written));
    match (longer.next(), longer.next()) {
        (Some(only), None) => Ok(only),
        (Some(_), Some(_)) => Err(LookupError::Ambiguous),
        (None, _) => Err(LookupError::Unknown),
    }
}

/// Whether the option `name` has no value.
pub fn is_flag(name: &str) -> bool {
    OPTIONS.iter().any(|known| known.name == name && known.value.is_empty())
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use proptest::prelude::*;
    use proptest::sample::select;

    use super::{OPTIONS, OptionSpec, ScannedArguments, scan};

    fn scanned(arguments: &[String]) -> Result<ScannedArguments, String> {
        scan(arguments.iter().map(OsString::from)).map_err(|error| error.text)
    }

    /// The shortest forms that mean an option and no other, found by trying all.
    fn unique_forms(known: &'static OptionSpec) -> Vec<&'static str> {
        let others = OPTIONS.iter().filter(|other| !other.extension && other.name != known.name);
        let is_unique = |form: &&str| {
            *form == known.name
                || !known.extension && others.clone().all(|other| !other.name.starts_with(form))
        };
        (1..=known.name.len()).map(|len| &known.name[..len]).filter(is_unique).collect()
    }

    #[test]
    fn what_is_short_for_an_option_of_the_script_stays_so() {
        let shortest = |name: &str| {
            let known = OPTIONS.iter().find(|known| known.name == name).unwrap();
            unique_forms(known)[0]
        };
        for (name, expected) in [
            ("format", "f"),
            ("backends", "ba"),
            ("group", "g"),
            ("binary", "bi"),
            ("probe-prefix", "p"),
            ("target-type", "target-t"),
            ("target-name", "target-n"),
            ("list-backends", "l"),
            ("check-backends", "c"),
            ("help", "h"),
            ("batch", "batch"),
            ("version", "version"),
        ] {
            assert_eq!(shortest(name), expected);
        }
    }

    /// An option in one of its forms and the arguments by which it is given.
    fn given() -> impl Strategy<Value = (&'static str, String, Vec<String>)> {
        let option = select(
            OPTIONS
                .iter()
                .flat_map(|known| unique_forms(known).into_iter().map(move |form| (known, form)))
                .collect::<Vec<_>>(),
        );
        (option, "[-=a-z, ]{0,6}", any::<bool>()).prop_map(|((known, form), value, joined)| {
            if known.value.is_empty() {
                (known.name, String::new(), vec![format!("--{form}")])
            } else if joined {
                (known.name, value.clone(), vec![format!("--{form}={value}")])
            } else {
                (known.name, value.clone(), vec![format!("--{form}"), value])
            }
        })
    }

    /// What Python's own `getopt` makes of a line of arguments: options and files, or what it has against them.
    const ORIGINAL: &str = r#"
import getopt, sys
known = sys.argv[1].split(",")
for line in sys.stdin.read().split("\n")[:-1]:
    try:
        options, files = getopt.getopt(line.split("\t"), "", known)
        print("".join(f"{name[2:]}={value}\t" for name, value in options) + "|" + "".join(f"\t{file}" for file in files))
    except getopt.GetoptError as error:
        print(error)
"#;

    /// Arguments of every kind, in all combinations of up to three.
    #[test]
    fn the_script_understands_the_same() {
        const KINDS: [&str; 18] = [
            "--format=h",
            "--form",
            "--f=",
            "--backends",
            "--backend=a,b",
            "--b=x",
            "--b",
            "--help",
            "--he=x",
            "--check",
            "--target=",
            "--target-t",
            "--zz",
            "--=x",
            "-h",
            "-",
            "--",
            "file",
        ];
        let mut lines: Vec<Vec<&str>> = KINDS.iter().map(|kind| vec![*kind]).collect();
        for length in 1..3 {
            let shorter: Vec<Vec<&str>> = lines.iter().filter(|line| line.len() == length).cloned().collect();
            lines.extend(shorter.iter().flat_map(|line| KINDS.map(|kind| [&line[..], &[kind]].concat())));
        }
        let text: String = lines.iter().map(|line| line.join("\t") + "\n").collect();
        let input = tempfile::tempfile().unwrap();
        std::os::unix::fs::FileExt::write_all_at(&input, text.as_bytes(), 0).unwrap();
        let known = OPTIONS
            .iter()
            .filter(|known| !known.extension)
            .map(|known| format!("{}{}", known.name, if known.value.is_empty() { "" } else { "=" }));
        let mut python = std::process::Command::new("python3");
        python.args(["-c", ORIGINAL, &known.collect::<Vec<_>>().join(",")]).stdin(input);
        let Ok(output) = python.output() else {
            std::io::Write::write_all(&mut std::io::stderr(), b"SKIPPED: python3 is not installed\n")
                .unwrap();
            return;
        };
        let answers = String::from_utf8(output.stdout).unwrap();
        assert_eq!(answers.lines().count(), lines.len(), "{}", String::from_utf8_lossy(&output.stderr));
        for (line, answer) in lines.iter().zip(answers.lines()) {
            let arguments: Vec<String> = line.iter().map(|word| (*word).to_owned()).collect();
            let ours = match scanned(&arguments) {
                Ok(found) => {
                    let options =
                        found.options.iter().map(|it| format!("{}={}\t", it.name, it.value.display()));
                    let files = found.files.iter().map(|file| format!("\t{}", file.display()));
                    format!("{}|{}", options.collect::<String>(), files.collect::<String>())
                }
                Err(text) => text,
            };
            assert_eq!(ours, answer, "{line:?}");
        }
    }

    proptest! {
        /// Whatever form options are given in, and whatever their values look like, they are what was meant.
        #[test]
        fn options_come_back(
            given in prop::collection::vec(given(), 0..6),
            ends in any::<bool>(),
            files in prop::collection::vec("[a-z]{1,3}|-", 0..3),
        ) {
            let mut arguments: Vec<String> = given.iter().flat_map(|(.., arguments)| arguments.clone()).collect();
            arguments.extend(ends.then(|| "--".to_owned()));
            arguments.extend(files.iter().cloned());
            let found = scanned(&arguments).unwrap();
            let options: Vec<_> = found.options.iter().map(|option| (option.name, option.value.to_str().unwrap())).collect();
            let expected: Vec<_> = given.iter().map(|(name, value, _)| (*name, value.as_str())).collect();
            prop_assert_eq!(options, expected);
            let found: Vec<_> = found.files.iter().map(|file| file.to_str().unwrap()).collect();
            prop_assert_eq!(found, files);
        }

        /// Behind the first file, everything is one.
        #[test]
        fn options_end_at_the_first_file(behind in prop::collection::vec("[-=a-z]{0,8}", 0..5)) {
            let mut arguments = vec!["--help".to_owned(), "file".to_owned()];
            arguments.extend(behind.iter().cloned());
            let found = scanned(&arguments).unwrap();
            prop_assert_eq!(found.options.len(), 1);
            prop_assert_eq!(found.files.len(), 1 + behind.len());
        }

        /// Whatever is given, there is an answer; what is refused is an option.
        #[test]
        fn nothing_is_too_strange(arguments in prop::collection::vec("-{0,3}[-=a-zA-Zé]{0,8}", 0..6)) {
            if let Err(text) = scanned(&arguments) {
                prop_assert!(text.starts_with("option -"), "{}", text);
            }
        }
    }
}
