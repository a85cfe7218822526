//! The interactive shell: edits lines, completes names, and keeps a history.

use std::collections::HashMap;
use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::PathBuf;
use std::time::Duration;

use ringtrace_query::{Error, READY, Session, parameters, quoted, ready};
use rustyline::completion::{Completer, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{CompletionType, Config, Context, Editor, Helper};
use tokio::runtime::Runtime;

use crate::output::{Format, Output};
use crate::{Exit, execute, print, report, terminal};

const MAX_LINES: usize = 2_000;

/// The exit status after an interrupt, as in a shell.
const INTERRUPTED: i32 = 130;

const HELP: &str = "\
A query ends with a semicolon, and can have several lines. Tab completes names.
  .tables           lists the tables
  .columns TABLE    lists the columns of a table
  .ready            lists the ready queries
  .ready NAME [PARAMETER=VALUE]...   runs one
  .quit             leaves the shell, as does Ctrl-D
";

/// The commands of the shell.
const COMMANDS: [&str; 5] = [".columns", ".help", ".quit", ".ready", ".tables"];

/// Words that queries often contain.
const WORDS: [&str; 28] = [
    "and",
    "as",
    "asc",
    "between",
    "by",
    "case",
    "count(*)",
    "desc",
    "distinct",
    "else",
    "end",
    "explain",
    "from",
    "group",
    "having",
    "in",
    "is",
    "join",
    "like",
    "limit",
    "not",
    "null",
    "order",
    "over",
    "percentile_cont(",
    "select",
    "when",
    "where",
];

/// Runs the shell until the user leaves.
pub fn run(session: &Session, runtime: &Runtime, is_strict: bool) -> Result<Exit, Error> {
    let config = Config::builder()
        .completion_type(CompletionType::List)
        .completion_show_all_if_ambiguous(true)
        .history_ignore_space(true)
        .max_history_size(MAX_LINES)
        .map(rustyline::config::Builder::build)
        .unwrap_or_default();
    let mut editor: Editor<Names, FileHistory> = Editor::with_config(config).map_err(unusable)?;
    editor.set_helper(Some(Names { session, runtime, is_strict }));
    let history = history();
    if let Some(path) = &history {
        // In the first session the file does not exist yet.
        let _ = editor.load_history(path);
    }
    print("`.help` shows the commands of this shell.\n")?;
    loop {
        let line = match editor.readline("sql> ") {
            Ok(line) => line,
            Err(ReadlineError::Interrupted | ReadlineError::Signal(_)) => continue,
            Err(ReadlineError::Eof) => return Ok(Exit::Done),
            Err(error) => return Err(unusable(error)),
        };
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        if let (Ok(true), Some(path)) = (editor.add_history_entry(line), &history) {
            let _ = editor.append_history(path);
        }
        if line == ".quit" || line == ".exit" {
            return Ok(Exit::Done);
        }
        if let Some(names) = editor.helper()
            && let Err(error) = names.execute(line)
        {
            report(&error);
        }
    }
}

/// The names that the shell completes.
struct Names<'s> {
    session: &'s Session,
    runtime: &'s Runtime,
    is_strict: bool,
}

impl Names<'_> {
    fn execute(&self, line: &str) -> Result<(), Error> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            [".help"] => print(HELP),
            [".tables"] => {
                let names = self.session.tables().names()?;
                print(&names.iter().map(|name| format!("{}\n", quoted(name))).collect::<String>())
            }
            [".ready"] => print(&crate::list()),
            [".ready", name, ref given @ ..] => {
                let query = ready(name)?;
                let split = |text: &&str| {
                    text.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()))
                };
                let given: Option<Vec<_>> = given.iter().map(split).collect();
                let given = given.ok_or_else(|| Error::usage(".ready: expected PARAMETER=VALUE"))?;
                self.query(query.sql, &parameters(Some(query), &given)?)
            }
            [".columns", ..] => {
                let name = line.strip_prefix(".columns").unwrap_or_default().trim().trim_matches('"');
                let columns = self.runtime.block_on(self.session.columns(name))?;
                let columns = columns.ok_or_else(|| Error::usage(format!("there is no table `{name}`")))?;
                let lines = columns
                    .fields()
                    .iter()
                    .map(|field| format!("{}  {}\n", quoted(field.name()), field.data_type()));
                print(&lines.collect::<String>())
            }
            [word, ..] if word.starts_with('.') => {
                Err(Error::usage(format!("there is no command `{word}`")).help("`.help` shows the commands"))
            }
            _ => self.query(line, &HashMap::new()),
        }
    }

    /// Runs a query until it ends or the user presses Ctrl-C.
    fn query(
        &self,
        sql: &str,
        values: &HashMap<String, datafusion::common::ScalarValue>,
    ) -> Result<(), Error> {
        let output = Output { format: Format::Table, path: None };
        let stopping = self.runtime.spawn(exit_at_second_interrupt());
        let done = self.runtime.block_on(async {
            tokio::select! {
                done = execute(self.session, sql, values, &output, self.is_strict) => done.map(|_| ()),
                _ = tokio::signal::ctrl_c() => {
                    // Findings of a cancelled query are incomplete.
                    self.session.findings().await;
                    print("cancelled\n")
                }
            }
        });
        stopping.abort();
        done
    }

    /// Returns the names that begin with `typed`: tables, the columns of the tables in `line`,
    /// words, and commands.
    fn candidates(&self, line: &str, typed: &str) -> Vec<String> {
        if typed.starts_with('.') {
            return COMMANDS.iter().map(|&name| name.to_owned()).collect();
        }
        let words: Vec<&str> = line.split(|character: char| !is_name(character)).collect();
        if line.trim_start().starts_with(".ready") {
            return READY.iter().map(|query| query.name.to_owned()).collect();
        }
        let tables = self.session.tables().names().unwrap_or_default();
        let mut names: Vec<String> = Vec::new();
        for table in tables.iter().filter(|table| words.contains(&table.as_str())) {
            if let Ok(Some(columns)) = self.runtime.block_on(self.session.columns(table)) {
                names.extend(columns.fields().iter().map(|field| quoted(field.name())));
            }
        }
        names.extend(tables.iter().map(|table| quoted(table)));
        names.extend(WORDS.iter().map(|&word| word.to_owned()));
        names
    }
}

/// Some operators, such as joins, cannot be cancelled while they compute.
async fn exit_at_second_interrupt() {
    const WAIT: Duration = Duration::from_secs(1);
    if tokio::signal::ctrl_c().await.is_ok() {
        tokio::time::sleep(WAIT).await;
        terminal::say("note", "the query cannot be cancelled now", Some("Ctrl-C again ends the program"));
        if tokio::signal::ctrl_c().await.is_ok() {
            #[expect(clippy::disallowed_methods, reason = "no other way ends a task that does not yield")]
            std::process::exit(INTERRUPTED);
        }
    }
}

fn is_name(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '"' | '.' | ':')
}

impl Helper for Names<'_> {}
impl Highlighter for Names<'_> {}
impl Hinter for Names<'_> {
    type Hint = String;
}

impl Validator for Names<'_> {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        let input = context.input().trim();
        let is_complete = input.is_empty() || input.starts_with('.') || input.ends_with(';');
        Ok(if is_complete { ValidationResult::Valid(None) } else { ValidationResult::Incomplete })
    }
}

impl Completer for Names<'_> {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let start = line[..position].rfind(|character| !is_name(character));
        let start = start.map_or(0, |at| at + line[at..].chars().next().map_or(1, char::len_utf8));
        let typed = &line[start..position];
        let mut names = self.candidates(line, typed);
        names.retain(|name| name.starts_with(typed) || name.trim_start_matches('"').starts_with(typed));
        names.sort();
        names.dedup();
        let pair = |name: String| Pair { display: name.clone(), replacement: name };
        Ok((start, names.into_iter().map(pair).collect()))
    }
}

/// Returns the path of the history, which is private to the user.
#[expect(clippy::disallowed_methods, reason = "the shell's history is in the user's state folder")]
fn history() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let state = folder("XDG_STATE_HOME").or_else(|| Some(folder("HOME")?.join(".local/state")))?;
    let folder = state.join("ringtrace");
    let _ = DirBuilder::new().recursive(true).mode(0o700).create(&folder);
    Some(folder.join("sql-history"))
}

fn unusable(error: ReadlineError) -> Error {
    match error {
        ReadlineError::Io(error) => Error::system("terminal", &error),
        other => Error::system("terminal", &std::io::Error::other(other)),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use ringtrace_query::{Opening, Resources, Source};

    use super::*;

    #[test]
    fn names_of_tables_and_of_their_columns_are_completed() {
        let trace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/export/everything.trace");
        let opening = Opening { paths: vec![trace], ..Opening::default() };
        let source = Source::open(opening, Default::default(), Default::default()).unwrap();
        let session = Session::new(source, Resources { threads: 1, memory_bytes: 1 << 30 }).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let names = Names { session: &session, runtime: &runtime, is_strict: false };
        let editor = FileHistory::new();
        let complete = |line: &str| -> Vec<String> {
            let found = names.complete(line, line.len(), &Context::new(&editor)).unwrap();
            found.1.into_iter().map(|pair| format!("{}{}", &line[..found.0], pair.replacement)).collect()
        };
        assert_eq!(
            complete("select * from requ"),
            ["select * from request_begin", "select * from request_end", "select * from request_merge"]
        );
        assert_eq!(
            complete("select * from request_begin where s"),
            [
                "select * from request_begin where sector",
                "select * from request_begin where select",
                "select * from request_begin where signed_integers",
                "select * from request_begin where spans",
                "select * from request_begin where steps"
            ]
        );
        assert_eq!(complete(".ready lat"), [".ready latency"]);
        assert_eq!(complete(".t"), [".tables"]);
        assert_eq!(complete("select * from nosuch"), [""; 0]);
    }
}
