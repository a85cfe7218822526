//! `ringtrace print`: the text of traces.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Args, FromArgMatches};
use ringtrace_events::Source;
use ringtrace_tracefile::text::TextBuffer;
use ringtrace_tracefile::text::simpletrace::SimpletraceText;
use ringtrace_tracefile::{Flow, Input, Options, Reader};

use super::Command;
use crate::exit::{Exit, Failure};
use crate::terminal::Terminal;

pub const COMMAND: Command = Command {
    name: "print",
    configure: |command| Arguments::augment_args(command.about("Print the text of traces")),
    run: |matches, terminal| {
        let arguments = Arguments::from_arg_matches(matches).map_err(|e| Failure::usage(e.to_string()))?;
        run(&arguments, terminal)
    },
};

#[derive(Args)]
struct Arguments {
    /// Declarations of the program that wrote the trace (QEMU: trace-events-all)
    #[arg(long, value_name = "FILE")]
    events: Vec<PathBuf>,
    /// The traces; `-` is standard input
    #[arg(required = true)]
    trace: Vec<PathBuf>,
}

fn run(arguments: &Arguments, _terminal: &Terminal) -> Result<Exit, Failure> {
    let mut options = Options { era_dialect: true, ..Options::default() };
    for path in &arguments.events {
        let text = std::fs::read_to_string(path).map_err(|error| Failure::system(path.display(), &error))?;
        options.sources.push(Source::new(path.display().to_string(), text));
    }
    for path in &arguments.trace {
        let name = path.display().to_string();
        let input = Input::open(path).map_err(|error| Failure::system(&name, &error))?;
        let mut reader = Reader::new(&name, input, &options).map_err(|c| Failure::input(c.to_string()))?;
        let text = SimpletraceText::new(reader.era());
        let out = TextBuffer::with_capacity(1 << 18);
        let stdout = io::stdout().lock();
        struct V<'a> {
            text: SimpletraceText,
            out: TextBuffer,
            stdout: io::StdoutLock<'a>,
            failed: io::Result<()>,
        }
        impl ringtrace_tracefile::Visitor for V<'_> {
            #[inline(always)]
            fn quick(&mut self, record: &ringtrace_wire::simpletrace::Record<'_>, i: u32) -> Option<Flow> {
                if !self.text.render_quick(record, i, &mut self.out) {
                    return None;
                }
                if self.out.len() > (1 << 18) - 4096 {
                    self.failed = self.stdout.write_all(self.out.as_bytes());
                    self.out.clear();
                    if self.failed.is_err() {
                        return Some(Flow::Stop);
                    }
                }
                Some(Flow::Continue)
            }
            fn entry(&mut self, entry: &ringtrace_tracefile::Entry<'_>) -> Flow {
                self.text.render(entry, &mut self.out);
                if self.out.len() > (1 << 18) - 4096 {
                    self.failed = self.stdout.write_all(self.out.as_bytes());
                    self.out.clear();
                    if self.failed.is_err() {
                        return Flow::Stop;
                    }
                }
                Flow::Continue
            }
        }
        let mut v = V { text, out, stdout, failed: Ok(()) };
        let result = reader.for_each_mut(&mut v);
        let V { failed, mut stdout, out, .. } = v;
        failed.and_then(|()| stdout.write_all(out.as_bytes())).map_err(|e| Failure::system("stdout", &e))?;
        result.map_err(|c| Failure::input(c.to_string()))?;
    }
    Ok(Exit::Done)
}
