//! A client of a dialogue, which also runs the commands.

#![allow(clippy::disallowed_methods, reason = "tests may read the environment")]

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use ringtrace::monitor::Mode;
use ringtrace::monitor::dialogue::{Dialogue, Next, Notice, Program};
use tempfile::TempDir;

/// A temporary folder that is the current folder until this value is dropped. Events, trace files
/// and the current folder belong to the process, so only one test at a time can have a
/// `TestFolder`.
pub struct TestFolder {
    before: PathBuf,
    folder: TempDir,
    _turn: MutexGuard<'static, ()>,
}

impl TestFolder {
    pub fn new() -> TestFolder {
        static TURN: Mutex<()> = Mutex::new(());
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let (before, folder) = (std::env::current_dir().unwrap(), tempfile::tempdir().unwrap());
        std::env::set_current_dir(folder.path()).unwrap();
        TestFolder { before, folder, _turn: turn }
    }

    /// Returns the folder's path, with all links resolved.
    pub fn path(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap()
    }
}

impl Drop for TestFolder {
    fn drop(&mut self) {
        std::env::set_current_dir(&self.before).unwrap();
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    Closed,
    Quit,
}

pub struct Client {
    dialogue: Dialogue,
    program: Program,
    pub end: Option<End>,
}

impl Client {
    /// Connects a client. Returns the client and the greeting.
    pub fn connect(mode: Mode, program: Program) -> (Client, Vec<u8>) {
        let mut out = Vec::new();
        let dialogue = Dialogue::new(mode, &program, &mut out);
        (Client { dialogue, program, end: None }, out)
    }

    pub fn send(&mut self, bytes: &[u8]) -> Vec<u8> {
        assert_eq!(self.end, None, "the connection is closed");
        self.dialogue.take(bytes);
        self.run()
    }

    pub fn finish(&mut self) -> Vec<u8> {
        self.dialogue.finish();
        self.run()
    }

    fn run(&mut self) -> Vec<u8> {
        let mut out = Vec::new();
        loop {
            match self.dialogue.next(&mut out) {
                Next::Wait => return out,
                Next::Run(call) => self.dialogue.answer(call.run(&self.program), &mut out),
                Next::Close => {
                    self.end = Some(End::Closed);
                    return out;
                }
                Next::Quit => {
                    self.end = Some(End::Quit);
                    return out;
                }
            }
        }
    }

    /// Sends an HMP line. Returns the lines of the answer, without the prompt.
    pub fn line(&mut self, line: &str) -> String {
        let answer = String::from_utf8(self.send(format!("{line}\n").as_bytes())).unwrap();
        let answer = answer.strip_suffix("(qemu) ").unwrap_or(&answer);
        answer.replace("\r\n", "\n")
    }

    /// Sends a QMP message without a line end. Returns the answer, without its last line end.
    pub fn message(&mut self, message: &str) -> String {
        let answer = String::from_utf8(self.send(message.as_bytes())).unwrap();
        answer.strip_suffix("\r\n").unwrap_or_else(|| panic!("{message}: {answer:?}")).to_owned()
    }

    /// Passes a notice to the dialogue. Returns the output.
    pub fn notify(&mut self, notice: &Notice) -> String {
        let mut out = Vec::new();
        self.dialogue.notify(notice, &mut out);
        String::from_utf8(out).unwrap()
    }
}
