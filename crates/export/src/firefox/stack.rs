//! The tables of stacks, which all threads of a profile share.

use std::collections::HashMap;
use std::hash::Hash;
use std::io::{self, Write};

use serde_json::Value;

use super::{EVENTS, Strings};
use crate::shared::json;
use crate::shared::stack::StackFrame;

/// The tables. A stack is a frame and the stack of its caller, so common callers are stored once.
#[derive(Debug, Default)]
pub struct StackTables {
    /// For each stack: its innermost frame, and the stack of the caller.
    stacks: Table<(usize, Option<usize>)>,
    /// For each frame: its function, and the line.
    frames: Table<(usize, Option<u32>)>,
    /// For each function: its name, and its source file.
    functions: Table<(usize, Option<usize>)>,
    /// The names of source files.
    sources: Table<usize>,
}

/// Distinct rows, in the order in which they were added.
#[derive(Debug)]
struct Table<T> {
    rows: Vec<T>,
    indices: HashMap<T, usize>,
}

/// The name of a column, and the function that returns the cell of a row.
type Column<'c, T> = (&'c str, &'c dyn Fn(&T) -> Value);

impl<T> Default for Table<T> {
    fn default() -> Table<T> {
        Table { rows: Vec::new(), indices: HashMap::new() }
    }
}

impl<T: Copy + Eq + Hash> Table<T> {
    fn index(&mut self, row: T) -> usize {
        *self.indices.entry(row).or_insert_with(|| {
            self.rows.push(row);
            self.rows.len() - 1
        })
    }

    /// Writes the table's length, and a column for each name with the cells that the function
    /// returns.
    fn write(&self, columns: &[Column<'_, T>], out: &mut impl Write) -> io::Result<()> {
        write!(out, "{{\"length\":{}", self.rows.len())?;
        for (name, cell) in columns {
            write!(out, ",\"{name}\":")?;
            json::array(&self.rows, out, |row, out| json::plain(cell(row), out))?;
        }
        out.write_all(b"}")
    }
}

impl StackTables {
    /// Returns the index of a stack, whose frames are listed innermost first. Returns `None` if
    /// there are no frames.
    pub fn index(&mut self, frames: &[StackFrame], strings: &mut Strings) -> Option<usize> {
        let mut stack = None;
        for frame in frames.iter().rev() {
            let source = frame.file.as_ref().map(|file| self.sources.index(strings.index(file)));
            let function = self.functions.index((strings.index(&frame.name), source));
            let frame = self.frames.index((function, frame.line));
            stack = Some(self.stacks.index((frame, stack)));
        }
        stack
    }

    /// Writes the tables as members of an object.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(b"\"stackTable\":")?;
        self.stacks.write(&[("frame", &|row| row.0.into()), ("prefix", &|row| row.1.into())], out)?;
        out.write_all(b",\"frameTable\":")?;
        self.frames.write(
            &[
                ("address", &|_| Value::from(-1)),
                ("inlineDepth", &|_| Value::from(0)),
                ("category", &|_| Value::from(EVENTS)),
                ("subcategory", &|_| Value::from(0)),
                ("func", &|row| row.0.into()),
                ("nativeSymbol", &|_| Value::Null),
                ("innerWindowID", &|_| Value::Null),
                ("line", &|row| row.1.into()),
                ("column", &|_| Value::Null),
            ],
            out,
        )?;
        out.write_all(b",\"funcTable\":")?;
        self.functions.write(
            &[
                ("name", &|row| row.0.into()),
                ("isJS", &|_| Value::from(false)),
                ("relevantForJS", &|_| Value::from(false)),
                ("resource", &|_| Value::from(-1)),
                ("source", &|row| row.1.into()),
                ("lineNumber", &|_| Value::Null),
                ("columnNumber", &|_| Value::Null),
            ],
            out,
        )?;
        out.write_all(b",\"sources\":")?;
        self.sources.write(
            &[
                ("id", &|_| Value::Null),
                ("filename", &|row| Value::from(*row)),
                ("startLine", &|_| Value::from(1)),
                ("startColumn", &|_| Value::from(1)),
                ("sourceMapURL", &|_| Value::Null),
            ],
            out,
        )
    }
}
