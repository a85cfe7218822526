//! Executes commands from standard input, one per line.

use std::io::{self, BufRead};

use super::Request;
use crate::exit::{CliError, Exit};
use crate::monitor::Client;
use crate::output::print;
use crate::terminal::Terminal;

/// Executes the commands of standard input. Stops at the first that fails, because later ones may
/// depend on it, unless `keep_going`. Skips blank lines and those that start with `#`.
pub fn run(client: &mut Client, json: bool, keep_going: bool, terminal: &Terminal) -> Result<Exit, CliError> {
    let mut exit = Exit::Done;
    for (index, line) in io::stdin().lock().lines().enumerate() {
        let line = line.map_err(|error| CliError::system("standard input", &error))?;
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let answered = Request::of_line(line, json).and_then(|request| request.run(client, terminal));
        match answered {
            Ok(said) => print(&said)?,
            Err(failure) => {
                let failure =
                    CliError { message: format!("line {}: {}", index + 1, failure.message), ..failure };
                if failure.exit == Exit::System || !keep_going {
                    return Err(failure);
                }
                terminal.report(&failure);
                exit = Exit::Input;
            }
        }
    }
    Ok(exit)
}
