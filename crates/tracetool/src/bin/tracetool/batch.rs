//! Runs many calls in one process, from a file with one call per line.

use std::collections::HashMap;
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
pub fn run(batch: &Batch, context: &Context) -> Result<(), Vec<Error>> {
    let lines = read(&batch.calls).map_err(|error| vec![error])?;
    let mut calls = Calls {
        batch,
        // Standard input may be the batch file itself.
        context: Context { stdin: || StdinKind::Other, ..context.clone() },
        cache: DeclarationCache::default(),
        outputs: HashMap::new(),
        rules: Vec::new(),
    };
    let errors: Vec<Error> = lines.into_iter().filter_map(|line| calls.line(line).err()).collect();
    if !errors.is_empty() {
        return Err(errors);
    }
    match &batch.depfile {
        Some(depfile) => depfile::write(depfile, &calls.rules).map_err(|error| vec![error]),
        None => Ok(()),
    }
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

struct Calls<'b> {
    batch: &'b Batch,
    context: Context,
    cache: DeclarationCache,
    /// The written files, each with the line number of its call.
    outputs: HashMap<PathBuf, usize>,
    rules: Vec<MakeRule>,
}

impl Calls<'_> {
    fn line(&mut self, line: CallLine) -> Result<(), Error> {
        let number = line.number;
        let at_line = |text: &str| Error::message(format!("{}:{number}: {text}", name(&self.batch.calls)));
        let (call, output) = self.call(line).map_err(|text| at_line(&text))?;
        if let Some(before) = self.outputs.insert(output.clone(), number) {
            let output = output.display();
            return Err(at_line(&format!("{output} is already the output of line {before}")));
        }
        let declarations = self.cache.get(&call.inputs, call.dialect, &self.context)?;
        let text = generate::generate(&call, declarations, &self.context)?;
        generate::write_output(&output, &text)?;
        let mut rule = MakeRule::of(&call);
        if let Input::File(path) = &self.batch.calls {
            rule.inputs.push(path.clone());
        }
        self.rules.push(rule);
        Ok(())
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
