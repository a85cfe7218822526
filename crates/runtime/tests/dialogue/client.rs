//! A client of a dialogue, that runs what is to be run.

#![allow(clippy::disallowed_methods, reason = "tests may read the environment")]

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use ringtrace::monitor::Mode;
use ringtrace::monitor::dialogue::{Dialogue, Next, Notice, Program};
use tempfile::TempDir;

/// A folder of its own, which is the current one until this is dropped. Events, trace files and the current folder are the
/// process's: one test at a time has one.
pub struct Place {
    before: PathBuf,
    folder: TempDir,
    _turn: MutexGuard<'static, ()>,
}

impl Place {
    pub fn new() -> Place {
        static TURN: Mutex<()> = Mutex::new(());
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let (before, folder) = (std::env::current_dir().unwrap(), tempfile::tempdir().unwrap());
        std::env::set_current_dir(folder.path()).unwrap();
        Place { before, folder, _turn: turn }
    }

    /// As links on the way to it lead.
    pub fn path(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        std::env::set_current_dir(&self.before).unwrap();
    }
}

/// How a dialogue has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    Closed,
    Quit,
}

/// A client.
pub struct Client {
    dialogue: Dialogue,
    program: Program,
    pub end: Option<End>,
}

impl Client {
    /// Connects; the second is what it is greeted with.
    pub fn connect(mode: Mode, program: Program) -> (Client, Vec<u8>) {
        let mut out = Vec::new();
        let dialogue = Dialogue::new(mode, &program, &mut out);
        (Client { dialogue, program, end: None }, out)
    }

    /// Sends something, and says what comes back.
    pub fn send(&mut self, bytes: &[u8]) -> Vec<u8> {
        assert_eq!(self.end, None, "nobody is there any more");
        self.dialogue.take(bytes);
        self.run()
    }

    /// Sends no more.
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

    /// A line of HMP, and what is said of it: lines, without the prompt.
    pub fn line(&mut self, line: &str) -> String {
        let answer = String::from_utf8(self.send(format!("{line}\n").as_bytes())).unwrap();
        let answer = answer.strip_suffix("(qemu) ").unwrap_or(&answer);
        answer.replace("\r\n", "\n")
    }

    /// A message of QMP, without a line end, and what comes back, without its last one.
    pub fn message(&mut self, message: &str) -> String {
        let answer = String::from_utf8(self.send(message.as_bytes())).unwrap();
        answer.strip_suffix("\r\n").unwrap_or_else(|| panic!("{message}: {answer:?}")).to_owned()
    }

    /// Is told something unasked, and says what it sees of it.
    pub fn notify(&mut self, notice: &Notice) -> String {
        let mut out = Vec::new();
        self.dialogue.notify(notice, &mut out);
        String::from_utf8(out).unwrap()
    }
}
