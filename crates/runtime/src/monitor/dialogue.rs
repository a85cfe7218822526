//! One connection, without its socket: bytes that came in, commands to run, bytes to send.

use super::Mode;

/// A connection's state.
#[derive(Debug)]
pub struct Dialogue {
    mode: Mode,
}

/// What is to be done next.
#[derive(Debug)]
pub enum Next {
    /// Nothing, until more has come in.
    Wait,
    /// To run this, and give the outcome to [`Dialogue::answer`]. Nothing of this connection is looked at meanwhile.
    Run(Call),
    /// To send what is to be sent, and close.
    Close,
    /// The same, and then to end the program, which allows it.
    Quit,
}

/// A command with its arguments, ready to run.
#[derive(Debug)]
pub struct Call {}

/// What a command has done.
#[derive(Debug)]
pub struct Outcome {}

/// What the program lets its clients do, and what it says of itself.
#[derive(Debug, Clone, Default)]
pub struct Program {
    /// Files that clients name must be in this folder or below. `None`: anywhere.
    pub directory: Option<std::path::PathBuf>,
    /// Clients may end the program.
    pub may_quit: bool,
    /// What `query-name` answers.
    pub name: Option<String>,
    /// What the HMP prompts with; `None`: `(ringtrace) `.
    pub prompt: Option<String>,
}

/// Something that clients are told unasked, in QMP.
#[derive(Debug, Clone)]
pub enum Notice {
    /// Events were dropped: so many since the last notice, and since tracing was started.
    Dropped {
        /// Since the last notice.
        count: u64,
        /// Since tracing was started.
        total: u64,
    },
    /// The trace file takes nothing.
    FileError {
        /// The trace file.
        file: std::path::PathBuf,
        /// Why.
        error: String,
    },
}

impl Call {
    /// Whether it may take long: it waits for the writer thread, or for a disk.
    pub fn is_slow(&self) -> bool {
        false
    }

    /// Does it.
    pub fn run(self, program: &Program) -> Outcome {
        let _ = program;
        Outcome {}
    }
}

impl Dialogue {
    /// Begins: `out` gets the greeting.
    pub fn new(mode: Mode, program: &Program, out: &mut Vec<u8>) -> Dialogue {
        let _ = (program, out);
        Dialogue { mode }
    }

    /// Takes what came in. Bounded: what is too long is not kept.
    pub fn take(&mut self, bytes: &[u8]) {
        let _ = bytes;
    }

    /// What is to be done with what came in. Errors that need no command are answered here, into `out`.
    pub fn next(&mut self, out: &mut Vec<u8>) -> Next {
        let _ = (self.mode, out);
        Next::Wait
    }

    /// What the command that was to be run has done.
    pub fn answer(&mut self, outcome: Outcome, out: &mut Vec<u8>) {
        let _ = (outcome, out);
    }

    /// Whether this client is one to be told of what happens unasked: in QMP, when it may give commands.
    pub fn wants_notices(&self) -> bool {
        false
    }

    /// Tells something unasked, if this client is one to be told.
    pub fn notify(&mut self, notice: &Notice, out: &mut Vec<u8>) {
        let _ = (notice, out);
    }
}
