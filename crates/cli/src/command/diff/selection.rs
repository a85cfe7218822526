//! The arguments of `diff`: traces, or selections of a dataset such as `fleet/host=alpha`.

use std::path::{Component, Path, PathBuf};

use ringtrace_export::dataset::{SETTINGS, SelectError, Selection};

use crate::command::ingest::store_url;
use crate::exit::{CliError, Exit, did_you_mean};

/// The keys of selections.
const KEYS: [&str; 3] = ["host", "date", "trace"];

/// The limit for values that an error lists.
const MAX_LISTED: usize = 10;

/// An argument.
#[derive(Debug)]
pub enum Operand {
    Trace(PathBuf),
    Dataset(DatasetPath),
}

/// A dataset, and the rows of it that are compared.
#[derive(Debug)]
pub struct DatasetPath {
    /// The path as the user wrote it.
    pub name: String,
    pub folder: PathBuf,
    pub selection: Selection,
}

impl Operand {
    pub fn trace(&self) -> Option<&PathBuf> {
        match self {
            Operand::Trace(path) => Some(path),
            Operand::Dataset(_) => None,
        }
    }

    /// Interprets an argument. Paths that exist are traces, unless they are datasets.
    pub fn parse(path: &Path) -> Result<Operand, CliError> {
        if let Some(url) = store_url(path) {
            let dataset = url.split('/').take_while(|part| !part.contains('=')).collect::<Vec<_>>().join("/");
            return Err(CliError::usage(format!("{url} is in an object store: `diff` reads local files"))
                .help(format!(
                    "ringtrace sql {dataset} --ready compare --set by=host --set one=A --set other=B"
                )));
        }
        if !is_dataset(path) && (path.as_os_str() == "-" || path.exists()) {
            return Ok(Operand::Trace(path.to_owned()));
        }
        let name = path.display().to_string();
        let Some(folder) = path.ancestors().find(|folder| is_dataset(folder)) else {
            return match without_selections(path) {
                Some(folder) => Err(CliError::usage(format!(
                    "{name}: {} is not a dataset: it contains no {SETTINGS}",
                    shown(folder)
                ))
                .exit(Exit::System)
                .help("`ringtrace ingest DATASET TRACE...` creates a dataset")),
                None => Ok(Operand::Trace(path.to_owned())),
            };
        };
        let mut selection = Selection::default();
        for component in path.strip_prefix(folder).unwrap_or(Path::new("")).components() {
            let word = match component {
                Component::Normal(word) => word.to_string_lossy(),
                Component::CurDir => continue,
                _ => component.as_os_str().to_string_lossy(),
            };
            select(&mut selection, &word)
                .map_err(|error| CliError { message: format!("{name}: {}", error.message), ..error })?;
        }
        Ok(Operand::Dataset(DatasetPath { name, folder: folder.to_owned(), selection }))
    }
}

fn is_dataset(folder: &Path) -> bool {
    folder.join(SETTINGS).is_file()
}

/// Returns the name of a folder. A relative path of the current folder is empty.
fn shown(folder: &Path) -> String {
    if folder.as_os_str().is_empty() { "the current folder".to_owned() } else { folder.display().to_string() }
}

/// Returns the path before the selections at its end, if there are any.
fn without_selections(path: &Path) -> Option<&Path> {
    let is_selection = |path: &&Path| {
        let key = path.file_name().and_then(|name| name.to_str()?.split_once('='));
        key.is_some_and(|(key, _)| KEYS.contains(&key))
    };
    let last = path.ancestors().take_while(is_selection).last()?;
    last.parent()
}

/// Adds the selection `word`, such as `host=alpha`.
fn select(selection: &mut Selection, word: &str) -> Result<(), CliError> {
    let Some((key, value)) = word.split_once('=') else {
        return Err(CliError::usage(format!("`{word}` is not a selection of rows of the dataset")).help(
            "write host=NAME, date=DATE or trace=ID after the dataset's folder, as in fleet/host=alpha",
        ));
    };
    let slot = match key {
        "host" => &mut selection.host,
        "date" => &mut selection.date,
        "trace" => &mut selection.trace,
        _ => {
            return Err(CliError::usage(format!("unknown selection `{key}`: expected host, date or trace"))
                .maybe_help(did_you_mean(key, KEYS)));
        }
    };
    if value.is_empty() {
        return Err(CliError::usage(format!("the selection `{word}` has no value"))
            .help(format!("write {key}=VALUE; for all rows, omit it")));
    }
    if key == "date" && value != "unknown" && !is_date(value) {
        return Err(CliError::usage(format!("`{word}`: expected a date such as 2026-11-23, or `unknown`"))
            .help("dates are in UTC"));
    }
    if let Some(before) = slot.replace(value.to_owned()) {
        return Err(CliError::usage(format!("{key} is selected twice: `{before}` and `{value}`"))
            .help("compare several selections as runs: A1 A2 -- B1 B2"));
    }
    Ok(())
}

/// Returns whether `text` is a date as in names of folders.
fn is_date(text: &str) -> bool {
    text.len() == "2026-11-23".len() && text.parse::<jiff::civil::Date>().is_ok()
}

impl DatasetPath {
    /// Returns the error that prevents the selection from being read.
    pub fn error(&self, error: SelectError) -> CliError {
        let (name, folder) = (&self.name, self.folder.display());
        match error {
            SelectError::Read(error) => self.read_error(&error),
            SelectError::Unknown { key, value, known } => {
                let list = match known.len() {
                    0 => format!("{folder} contains no events"),
                    count if count > MAX_LISTED => {
                        let shown = known[..MAX_LISTED].join(", ");
                        format!("{folder} has the {key}s {shown} and {} more", count - MAX_LISTED)
                    }
                    1 => format!("{folder} has the {key} {}", known[0]),
                    _ => format!("{folder} has the {key}s {}", known.join(", ")),
                };
                let near = did_you_mean(&value, known.iter().map(String::as_str));
                let help = near.filter(|_| key != "date").map_or(list.clone(), |near| format!("{near} {list}"));
                CliError::usage(format!("{name}: there is no {key} `{value}` in the dataset")).help(help)
            }
            SelectError::Nothing if self.selection == Selection::default() => {
                CliError::input(format!("{name}: nothing to compare: the dataset contains no events"))
                    .help("`ringtrace ingest DATASET TRACE...` adds traces")
            }
            SelectError::Nothing => {
                CliError::input(format!("{name}: nothing to compare: no trace has events with all of these selections"))
                    .help(format!("`ringtrace sql {folder} 'select distinct trace, host from events'` lists the traces"))
            }
            SelectError::NoWallClock { trace, traces } => CliError::input(format!(
                "{name}: {traces} traces are selected, and the wall-clock time of {trace} is unknown, so they have no common clock"
            ))
            .help("ingest that trace again with --epoch, or compare single traces: trace=ID"),
        }
    }

    /// Returns the error of a file of the dataset. The message of `error` names the file.
    pub fn read_error(&self, error: &std::io::Error) -> CliError {
        use std::io::ErrorKind;
        let message = error.to_string();
        match error.kind() {
            ErrorKind::Unsupported => CliError::lines(Exit::System, format!("{}: {message}", self.name))
                .help("cargo install --path crates/cli --features parquet"),
            ErrorKind::NotFound => CliError::lines(Exit::System, message)
                .help("another process may have replaced the file: run the command again"),
            ErrorKind::InvalidData | ErrorKind::Other | ErrorKind::UnexpectedEof => {
                CliError::lines(Exit::Input, message)
            }
            _ => CliError::lines(Exit::System, message),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selections_follow_the_folder_in_any_order() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(SETTINGS), "{}").unwrap();
        let parse = |words: &str| Operand::parse(&folder.path().join(words));
        for words in ["host=a%20b/date=2026-11-23/trace=1", "trace=1/./host=a%20b/date=2026-11-23/"] {
            let Ok(Operand::Dataset(found)) = parse(words) else { panic!("{words}") };
            let some = |text: &str| Some(text.to_owned());
            let expected = Selection { host: some("a%20b"), date: some("2026-11-23"), trace: some("1") };
            assert_eq!((found.selection, found.folder.as_path()), (expected, folder.path()));
        }
        assert!(matches!(parse(""), Ok(Operand::Dataset(found)) if found.selection == Selection::default()));
        for (words, expected) in [
            ("hots=a", "unknown selection `hots`"),
            ("alpha", "`alpha` is not a selection"),
            ("host=", "has no value"),
            ("date=2026-11-31", "expected a date"),
            ("date=20261123", "expected a date"),
            ("host=a/host=b", "selected twice"),
        ] {
            let error = parse(words).unwrap_err();
            assert!(error.message.contains(expected), "{words}: {}", error.message);
        }
    }

    #[test]
    fn paths_that_exist_are_traces() {
        let folder = tempfile::tempdir().unwrap();
        let trace = folder.path().join("trace=1");
        std::fs::write(&trace, "").unwrap();
        assert!(matches!(Operand::parse(&trace), Ok(Operand::Trace(_))));
        assert!(matches!(Operand::parse(&folder.path().join("missing")), Ok(Operand::Trace(_))));
        assert!(matches!(Operand::parse(Path::new("-")), Ok(Operand::Trace(_))));
        let error = Operand::parse(&folder.path().join("fleet/host=alpha")).unwrap_err();
        assert!(
            error.message.ends_with("fleet is not a dataset: it contains no _dataset.json"),
            "{}",
            error.message
        );
    }
}
