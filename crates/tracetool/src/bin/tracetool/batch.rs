//! Runs many calls in one process, from a file with one call per line.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;

use ringtrace_tracetool::files;

use crate::batch_lines::{self, CallLine, UnclosedQuote};
use crate::command::{Batch, Call, Command, Context, Input, Output, StdinKind};
use crate::declarations::DeclarationCache;
use crate::depfile::{self, MakeRule};
use crate::error::Error;
use crate::{generate, script};

/// Maximum size of a batch file. A file for all of QEMU is a fiftieth of this size.
const MAX_BYTES: u64 = 4 << 20;

/// Runs all valid calls. Returns the errors of the invalid or failed ones.
///
/// The dependency file is written before the first output, so that make finds no new targets if it
/// cannot be written. Invalid lines have no dependencies, so with any of them, the old file is kept.
pub fn run(batch: &Batch, context: &Context) -> Result<(), Vec<Error>> {
    let lines = read(&batch.calls).map_err(|error| vec![error])?;
    let mut calls = Calls {
        batch,
        // Standard input may be the batch file itself.
        context: Context { stdin: || StdinKind::Other, ..context.clone() },
        cache: DeclarationCache::default(),
        outputs: HashMap::new(),
        reported: HashSet::new(),
    };
    let parsed: Vec<Result<BatchCall, Error>> = lines.into_iter().map(|line| calls.parse(line)).collect();
    if let Some(depfile) = &batch.depfile
        && parsed.iter().all(Result::is_ok)
    {
        let rules: Vec<MakeRule> = parsed.iter().flatten().map(|call| calls.rule(call)).collect();
        depfile::write(depfile, &rules).map_err(|error| vec![error])?;
    }
    let run = parsed.into_iter().map(|call| calls.run(&call?));
    let errors: Vec<Error> = run.filter_map(Result::err).collect();
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// The name of the batch file in messages.
fn name(calls: &Input) -> String {
    match calls {
        Input::Stdin => "<stdin>".to_owned(),
        Input::File(path) => path.display().to_string(),
    }
}

fn read(calls: &Input) -> Result<Vec<CallLine>, Error> {
    let mut text = Vec::new();
    let read = match calls {
        Input::Stdin => io::stdin().lock().take(MAX_BYTES + 1).read_to_end(&mut text),
        Input::File(path) => {
            File::open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut text))
        }
    };
    let name = name(calls);
    match read {
        Err(error) => Err(Error::message(format!("{name}: {}", files::reason(&error)))),
        Ok(_) if text.len() as u64 > MAX_BYTES => {
            Err(Error::message(format!("{name}: the batch file is larger than 4 MiB")))
        }
        Ok(_) => batch_lines::lines(&text).map_err(|UnclosedQuote(line)| {
            Error::message(format!("{name}:{line}: the quote that begins here is not closed"))
        }),
    }
}

/// A valid line.
struct BatchCall {
    /// The line number.
    number: usize,
    call: Call,
    output: PathBuf,
}

struct Calls<'b> {
    batch: &'b Batch,
    context: Context,
    cache: DeclarationCache,
    /// The outputs, each with the line number of its call.
    outputs: HashMap<PathBuf, usize>,
    /// Messages of earlier calls. Several calls may have the same unreadable input.
    reported: HashSet<String>,
}

impl Calls<'_> {
    fn parse(&mut self, line: CallLine) -> Result<BatchCall, Error> {
        let number = line.number;
        let (call, output) = self.call(line).map_err(|text| Error::message(self.at_line(number, &text)))?;
        if let Some(before) = self.outputs.insert(output.clone(), number) {
            let text = format!("{} is already the output of line {before}", output.display());
            return Err(Error::message(self.at_line(number, &text)));
        }
        Ok(BatchCall { number, call, output })
    }

    fn rule(&self, call: &BatchCall) -> MakeRule {
        let mut rule = MakeRule::of(&call.call);
        if let Input::File(path) = &self.batch.calls {
            rule.inputs.push(path.clone());
        }
        rule
    }

    fn run(&mut self, call: &BatchCall) -> Result<(), Error> {
        self.generate(call).map_err(|error| match error {
            Error::Messages(mut messages) => {
                messages.retain(|message| self.reported.insert(message.clone()));
                Error::Messages(messages.iter().map(|text| self.at_line(call.number, text)).collect())
            }
            // Its location is in the declarations file.
            error @ Error::Declarations { .. } => error,
        })
    }

    fn generate(&mut self, BatchCall { call, output, .. }: &BatchCall) -> Result<(), Error> {
        let declarations = self.cache.get(&call.inputs, call.dialect, &self.context)?;
        let text = generate::generate(call, declarations, &self.context)?;
        generate::write_output(output, &text)
    }

    /// Prepends the location of a line to a message.
    fn at_line(&self, number: usize, text: &str) -> String {
        format!("{}:{number}: {text}", name(&self.batch.calls))
    }

    /// Parses a line. Returns the call and its output file.
    fn call(&self, line: CallLine) -> Result<(Call, PathBuf), String> {
        let arguments = self.batch.arguments.iter().cloned().chain(line.words).collect();
        let command = script::parse_command(arguments, &self.context).map_err(|error| error.text)?;
        let Command::Generate(call) = command else {
            return Err("each line of a batch file must generate an output file".to_owned());
        };
        if call.depfile.is_some() {
            return Err("put --depfile before --batch; it applies to all calls".to_owned());
        }
        match call.output.clone() {
            Output::File(output) if !call.inputs.contains(&Input::Stdin) => Ok((call, output)),
            _ => Err("each line of a batch file must name declarations files and an output file".to_owned()),
        }
    }
}
