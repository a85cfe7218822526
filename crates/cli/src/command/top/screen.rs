//! Takes control of the terminal for the screen, and restores the terminal no matter how the tool
//! ends.

use std::io::{self, Stdout, Write, stdout};
use std::panic;
use std::sync::Arc;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use ratatui::Terminal;
use ratatui::backend::{Backend, CrosstermBackend};
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use signal_hook::consts::{SIGCONT, SIGINT, SIGTERM, SIGTSTP};
use signal_hook::{flag, low_level};

/// Control of the terminal, which is restored when this is dropped.
#[derive(Debug)]
pub struct Screen {
    terminal: Terminal<CrosstermBackend<Stdout>>,
    signals: Signals,
}

/// Flags that the signal handlers set.
#[derive(Debug, Clone, Default)]
struct Signals {
    interrupt: Arc<AtomicBool>,
    terminate: Arc<AtomicBool>,
    stop: Arc<AtomicBool>,
    went_on: Arc<AtomicBool>,
}

/// The action that a received signal requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignalRequest {
    Quit,
    Suspend,
    /// Redraw everything: the process was stopped, and other processes may have written to the
    /// terminal.
    Redraw,
}

impl Screen {
    pub fn open() -> io::Result<Screen> {
        give_back_on_panic();
        let signals = Signals::default();
        for (signal, flag) in [
            (SIGINT, &signals.interrupt),
            (SIGTERM, &signals.terminate),
            (SIGTSTP, &signals.stop),
            (SIGCONT, &signals.went_on),
        ] {
            if matches!(signal, SIGINT | SIGTERM) {
                // A second signal ends the tool at once, even if the tool is blocked.
                flag::register_conditional_default(signal, Arc::clone(flag))?;
            }
            flag::register(signal, Arc::clone(flag))?;
        }
        take()?;
        let terminal = new_terminal().inspect_err(|_| give_back())?;
        Ok(Screen { terminal, signals })
    }

    pub fn terminal(&mut self) -> &mut Terminal<CrosstermBackend<Stdout>> {
        &mut self.terminal
    }

    /// Returns the request of a signal received since the last call.
    pub fn signal_request(&self) -> Option<SignalRequest> {
        let Signals { interrupt, terminate, stop, went_on } = &self.signals;
        if interrupt.load(Ordering::Relaxed) || terminate.load(Ordering::Relaxed) {
            Some(SignalRequest::Quit)
        } else if stop.swap(false, Ordering::Relaxed) {
            Some(SignalRequest::Suspend)
        } else if went_on.swap(false, Ordering::Relaxed) {
            Some(SignalRequest::Redraw)
        } else {
            None
        }
    }

    /// Restores the terminal, stops the process as Ctrl-Z would, and takes control of the terminal
    /// again when the process continues.
    pub fn suspend(&mut self) -> io::Result<()> {
        give_back();
        low_level::emulate_default_handler(SIGTSTP)?;
        // Ignore the SIGCONT that ended our own stop.
        self.signals.went_on.store(false, Ordering::Relaxed);
        take()?;
        self.redraw()
    }

    /// Clears the screen, so that everything is drawn again.
    pub fn redraw(&mut self) -> io::Result<()> {
        self.terminal = new_terminal()?;
        Ok(())
    }

    /// Restores the terminal. After SIGTERM, ends the process with that signal, so that the exit
    /// status reports it.
    pub fn close(self) -> io::Result<()> {
        let terminated = self.signals.terminate.load(Ordering::Relaxed);
        drop(self);
        if terminated { low_level::emulate_default_handler(SIGTERM) } else { Ok(()) }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

/// Creates an empty terminal. [`Terminal::clear`] would also ask for the position of the cursor, and
/// some terminals do not answer.
fn new_terminal() -> io::Result<Terminal<CrosstermBackend<Stdout>>> {
    let mut backend = CrosstermBackend::new(stdout());
    backend.clear()?;
    Terminal::new(backend)
}

fn take() -> io::Result<()> {
    enable_raw_mode()?;
    execute!(stdout(), EnterAlternateScreen).inspect_err(|_| give_back())
}

/// Restores as much as possible, and ignores errors: the terminal may be gone.
fn give_back() {
    let _ = disable_raw_mode();
    let _ = execute!(stdout(), LeaveAlternateScreen, Show);
    let _ = stdout().flush();
}

/// Restores the terminal before a panic message is printed. The message would otherwise vanish with
/// the alternate screen.
fn give_back_on_panic() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let report = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            give_back();
            report(info);
        }));
    });
}
