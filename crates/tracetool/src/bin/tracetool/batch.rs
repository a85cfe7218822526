//! Many calls, done by one process: a line each in a file.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;

use crate::call::{Asked, Batch, Call, Input, Output};
use crate::declarations::Shelf;
use crate::depfile::{self, Rule};
use crate::failure::{Failure, reason};
use crate::surroundings::{Stdin, Surroundings};
use crate::words::{self, Line, Unclosed};
use crate::{generate, script};

/// Files of calls are not longer than this. One for all of QEMU's has a fiftieth of it.
const MAX_BYTES: u64 = 4 << 20;

/// Does all calls that can be done; tells why the others cannot.
pub fn run(batch: &Batch, surroundings: &Surroundings) -> Result<(), Vec<Failure>> {
    let lines = read(&batch.calls).map_err(|failure| vec![failure])?;
    let mut calls = Calls {
        batch,
        // The lines themselves may come from there.
        surroundings: Surroundings { stdin: || Stdin::Other, ..surroundings.clone() },
        shelf: Shelf::default(),
        outputs: HashMap::new(),
        rules: Vec::new(),
    };
    let failures: Vec<Failure> = lines.into_iter().filter_map(|line| calls.line(line).err()).collect();
    if !failures.is_empty() {
        return Err(failures);
    }
    match &batch.depfile {
        Some(depfile) => depfile::write(depfile, &calls.rules).map_err(|failure| vec![failure]),
        None => Ok(()),
    }
}

/// What messages call the file of calls.
fn name(calls: &Input) -> String {
    match calls {
        Input::Stdin => "<stdin>".to_owned(),
        Input::File(path) => path.display().to_string(),
    }
}

fn read(calls: &Input) -> Result<Vec<Line>, Failure> {
    let mut text = Vec::new();
    let read = match calls {
        Input::Stdin => io::stdin().lock().take(MAX_BYTES + 1).read_to_end(&mut text),
        Input::File(path) => {
            File::open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut text))
        }
    };
    let name = name(calls);
    match read {
        Err(error) => Err(Failure::message(format!("{name}: {}", reason(&error)))),
        Ok(_) if text.len() as u64 > MAX_BYTES => {
            Err(Failure::message(format!("{name}: the file of calls is larger than 4 MiB")))
        }
        Ok(_) => words::lines(&text).map_err(|Unclosed(line)| {
            Failure::message(format!("{name}:{line}: the quotation that begins here does not end"))
        }),
    }
}

/// The calls on their way.
struct Calls<'b> {
    batch: &'b Batch,
    surroundings: Surroundings,
    shelf: Shelf,
    /// What was written, and by which line.
    outputs: HashMap<PathBuf, usize>,
    rules: Vec<Rule>,
}

impl Calls<'_> {
    fn line(&mut self, line: Line) -> Result<(), Failure> {
        let number = line.number;
        let at_line = |text: &str| Failure::message(format!("{}:{number}: {text}", name(&self.batch.calls)));
        let (call, output) = self.call(line).map_err(|text| at_line(&text))?;
        if let Some(before) = self.outputs.insert(output.clone(), number) {
            let output = output.display();
            return Err(at_line(&format!("{output} is what line {before} writes already")));
        }
        let declarations = self.shelf.get(&call.inputs, call.legacy_types, &self.surroundings)?;
        let text = generate::generate(&call, declarations, &self.surroundings)?;
        generate::write_file(&output, text.as_bytes())?;
        let mut rule = Rule::of(&call);
        if let Input::File(path) = &self.batch.calls {
            rule.inputs.push(path.clone());
        }
        self.rules.push(rule);
        Ok(())
    }

    /// What a line asks for, and the file that it writes.
    fn call(&self, line: Line) -> Result<(Call, PathBuf), String> {
        let arguments = self.batch.arguments.iter().cloned().chain(line.words).collect();
        let asked = script::ask(arguments, &self.surroundings).map_err(|refusal| refusal.text)?;
        let Asked::Generate(call) = asked else {
            return Err("here, calls generate something and nothing else".to_owned());
        };
        if call.depfile.is_some() {
            return Err("--depfile goes before --batch, and tells of all calls".to_owned());
        }
        match call.output.clone() {
            Output::File(output) if !call.inputs.contains(&Input::Stdin) => Ok((call, output)),
            _ => Err("here, calls name their declarations and the output, and those are files".to_owned()),
        }
    }
}
