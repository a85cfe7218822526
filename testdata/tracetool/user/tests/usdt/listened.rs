//! The program `listened`, which waits for commands.

use std::io::{BufRead, BufReader, Lines, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

pub struct Listened {
    child: Child,
    words: ChildStdin,
    answers: Lines<BufReader<ChildStdout>>,
}

impl Listened {
    pub fn start(program: &Path) -> Listened {
        let mut command = Command::new(program);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (words, answers) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Listened { child, words, answers: BufReader::new(answers).lines() }
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    pub fn ask(&mut self, word: &str) -> String {
        writeln!(self.words, "{word}").unwrap();
        self.answers.next().unwrap().unwrap()
    }

    /// Waits until tracers listen to `count` events. Returns `false` if the `listener` ends first.
    pub fn wait_for_listeners(&mut self, count: usize, listener: Option<&mut Child>) -> bool {
        let begin = Instant::now();
        let wanted = format!("{count} events are listened to");
        let mut listener = listener;
        while self.ask("listened") != wanted {
            assert!(begin.elapsed() < Duration::from_secs(60), "{}", self.ask("listened"));
            if listener.as_mut().is_some_and(|child| child.try_wait().unwrap().is_some()) {
                return false;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        // The kernel counts a listener before it inserts the breakpoint.
        std::thread::sleep(Duration::from_millis(200));
        true
    }
}

impl Drop for Listened {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
