//! HMP's side of a connection: lines for people, each answer ended by the prompt.

use std::time::Duration;

use super::error::{MonitorError, MonitorErrorKind};
use super::socket::{Limit, Socket};

#[derive(Debug)]
pub(super) struct Hmp {
    pub socket: Socket,
    prompt: String,
}

impl Hmp {
    /// After `greeting`, which the monitor has sent: learns its prompt. Programs choose their prompts; an empty line is
    /// answered by nothing else.
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
            // Who is turned away is told why, in a line, and that is the end.
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

    /// What the monitor says to `line`, with its line ends.
    pub fn human(&mut self, line: &str, limit: &Limit) -> Result<String, MonitorError> {
        // Of a command that took too long.
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

/// QEMU edits lines itself: it sends back what is typed, key by key, with what moves a terminal's cursor.
fn without_echo(said: &str) -> &str {
    match said.split_once('\n') {
        Some((echo, said)) if echo.contains('\x1b') => said,
        _ => said,
    }
}
