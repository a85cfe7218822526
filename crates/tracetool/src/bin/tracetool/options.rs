//! Parses options as QEMU's script has done since 2012: `--opt=value` or `--opt value`, only before
//! the first file. Any unique abbreviation of an option is accepted.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

#[derive(Debug)]
pub struct OptionSpec {
    /// The name without `--`.
    pub name: &'static str,
    /// The value's name in the help text. Empty for an option without a value.
    pub value: &'static str,
    /// The help text.
    pub about: &'static str,
    /// Whether QEMU's script lacks the option. Such an option cannot be abbreviated, so that the
    /// script's abbreviations stay unique.
    pub extension: bool,
}

const fn original(name: &'static str, value: &'static str, about: &'static str) -> OptionSpec {
    OptionSpec { name, value, about, extension: false }
}

const fn extension(name: &'static str, value: &'static str, about: &'static str) -> OptionSpec {
    OptionSpec { name, value, about, extension: true }
}

/// All options, in the order of the help text.
pub static OPTIONS: &[OptionSpec] = &[
    original("format", "FORMAT", "The output format"),
    original("backends", "BACKEND[,BACKEND...]", "The destinations of events"),
    original("group", "NAME", "The name of the group of events"),
    original("binary", "PATH", "SystemTap: the program that contains the probes"),
    original("probe-prefix", "PREFIX", "SystemTap: the prefix of the probes' names"),
    original("target-type", "TYPE", "SystemTap, with --target-name: the prefix is qemu.TYPE.NAME"),
    original("target-name", "NAME", "SystemTap: see --target-type"),
    extension("target-arch", "ARCH", "The old name of --target-name, until 2013"),
    extension("stap-mode", "MODE", "simpletrace-stap: static (default), dynamic, v3"),
    extension("legacy-types", "", "Accept the types in files from before 2018, and `vcpu` and `tcg`"),
    extension(
        "extended-types",
        "",
        "Accept `double`, `float` and enumerations, for programs other than QEMU",
    ),
    extension("depfile", "PATH", "Write the output's dependencies to PATH, for make and ninja"),
    extension(
        "depfile-target",
        "NAME",
        "The target in the depfile in place of the output, such as a stamp file",
    ),
    extension("batch", "FILE", "Run the calls in FILE, one per line, with these options before each"),
    original("list-backends", "", "List the backends"),
    original("check-backends", "", "Exit with 0 if all --backends exist, otherwise with 1"),
    extension("version", "", "Print the version"),
    extension("man", "", "Print the manual page"),
    original("help", "", "Print this help"),
];

/// An option of the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GivenOption {
    /// The full name of the option.
    pub name: &'static str,
    /// The name as written, without `--` and the value.
    pub written: OsString,
    /// The value. Empty for an option without one.
    pub value: OsString,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ScannedArguments {
    pub options: Vec<GivenOption>,
    pub files: Vec<OsString>,
}

/// An invalid option, with the message of Python's `getopt`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScanError {
    pub text: String,
    /// The whole argument, if the option is unknown.
    pub unknown: Option<OsString>,
}

impl ScanError {
    fn of(option: &[u8], what: &str) -> ScanError {
        let text = format!("option --{} {what}", String::from_utf8_lossy(option));
        ScanError { text, unknown: None }
    }
}

/// Splits `arguments` into options and files, up to the first invalid argument.
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

/// The reason why a word is not an option.
enum LookupError {
    /// No option starts with the word.
    Unknown,
    /// Several options start with the word.
    Ambiguous,
}

/// Finds the option with the name or the abbreviation `written`.
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

/// Whether the option `name` takes no value.
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

    /// All unique abbreviations of an option, shortest first, found by trying each.
    fn unique_forms(known: &'static OptionSpec) -> Vec<&'static str> {
        let others = OPTIONS.iter().filter(|other| !other.extension && other.name != known.name);
        let is_unique = |form: &&str| {
            *form == known.name
                || !known.extension && others.clone().all(|other| !other.name.starts_with(form))
        };
        (1..=known.name.len()).map(|len| &known.name[..len]).filter(is_unique).collect()
    }

    #[test]
    fn abbreviations_of_the_script_stay_valid() {
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

    /// Generates an option in one of its forms, and the arguments for it.
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

    /// A script that runs Python's own `getopt` on lines of arguments, and prints the options and
    /// files or the error.
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

    /// Compares the results with Python's for all combinations of up to three arguments of every
    /// kind.
    #[test]
    fn options_match_the_script() {
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
        /// Options in any form and with any value are parsed as given.
        #[test]
        fn options_are_read_back(
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

        /// After the first file, all arguments are files.
        #[test]
        fn options_end_at_the_first_file(behind in prop::collection::vec("[-=a-z]{0,8}", 0..5)) {
            let mut arguments = vec!["--help".to_owned(), "file".to_owned()];
            arguments.extend(behind.iter().cloned());
            let found = scanned(&arguments).unwrap();
            prop_assert_eq!(found.options.len(), 1);
            prop_assert_eq!(found.files.len(), 1 + behind.len());
        }

        /// Any arguments produce a result, and each error message contains an option.
        #[test]
        fn any_input_is_handled(arguments in prop::collection::vec("-{0,3}[-=a-zA-Zé]{0,8}", 0..6)) {
            if let Err(text) = scanned(&arguments) {
                prop_assert!(text.starts_with("option -"), "{}", text);
            }
        }
    }
}
