//! The HMP protocol: lines of text, each answer followed by the prompt.

use std::time::Duration;

use super::error::{MonitorError, MonitorErrorKind};
use super::socket::{Limit, Socket};

#[derive(Debug)]
pub(super) struct Hmp {
    pub socket: Socket,
    prompt: String,
}

impl Hmp {
    /// Detects the prompt after the monitor's `greeting`. Each program has its own prompt. The
    /// answer to an empty line consists only of the prompt.
    pub fn detect_prompt(
        mut socket: Socket,
        greeting: &str,
        limit: &Limit,
    ) -> Result<(Hmp, String), MonitorError> {
        let not_a_monitor = |socket: &Socket| {
            MonitorErrorKind::NotAMonitor(Some(greeting.chars().take(100).collect())).at(socket.path())
        };
        // `ringtrace 0.1.0 monitor - type 'help' for more information`
        let Some((program, _)) = greeting.split_once(" monitor - type 'help'") else {
            // A monitor that refuses a client sends one line with the reason, and closes the
            // connection.
            let soon = Limit::new(limit.time.min(Duration::from_secs(1)));
            return Err(match socket.receive(&soon) {
                Err(MonitorError { kind: MonitorErrorKind::Ended, .. }) => {
                    MonitorErrorKind::TurnedAway(greeting.to_owned()).at(socket.path())
                }
                _ => not_a_monitor(&socket),
            });
        };
        socket.send(b"\n", limit)?;
        let prompt = loop {
            let text = String::from_utf8_lossy(&socket.incoming).replace(['\r', '\n'], "");
            let (first, second) = text.split_at_checked(text.len() / 2).unwrap_or_default();
            if !first.is_empty() && first == second && first.ends_with(' ') {
                break first.to_owned();
            }
            socket.receive(limit).map_err(|error| match error.kind {
                MonitorErrorKind::Timeout(_) => not_a_monitor(&socket),
                _ => error,
            })?;
        };
        socket.incoming.clear();
        Ok((Hmp { socket, prompt }, program.to_owned()))
    }

    /// Executes `line`. Returns the answer, including line ends.
    pub fn human(&mut self, line: &str, limit: &Limit) -> Result<String, MonitorError> {
        // Discard late output of a command that timed out.
        self.socket.take()?;
        self.socket.incoming.clear();
        self.socket.send(format!("{line}\n").as_bytes(), limit)?;
        loop {
            let answer = &self.socket.incoming;
            if let Some(said) = answer.strip_suffix(self.prompt.as_bytes())
                && (said.is_empty() || said.ends_with(b"\n"))
            {
                let said = without_echo(&String::from_utf8_lossy(said)).to_owned();
                self.socket.incoming.clear();
                return Ok(said);
            }
            self.socket.receive(limit)?;
        }
    }
}

/// Removes the echo of the line. QEMU edits lines itself, and sends back each typed key with cursor
/// movements.
fn without_echo(said: &str) -> &str {
    match said.split_once('\n') {
        Some((echo, said)) if echo.contains('\x1b') => said,
        _ => said,
    }
}
