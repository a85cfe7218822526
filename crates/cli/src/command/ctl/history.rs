//! The history of lines that the user typed into the shell.

use std::env;
use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use rustyline::Editor;
use rustyline::history::FileHistory;

use super::editor::LineHelper;

pub const MAX_LINES: usize = 2_000;

/// The history file. Its path is `None` if the environment does not determine it.
#[derive(Debug)]
pub struct History {
    path: Option<PathBuf>,
}

impl History {
    /// Loads the previous lines. Errors are ignored: the shell works without a history.
    pub fn load(editor: &mut Editor<LineHelper, FileHistory>) -> History {
        #[expect(clippy::disallowed_methods, reason = "the shell's history is in the user's state folder")]
        let path = path(env::var_os("XDG_STATE_HOME").map(Into::into), env::var_os("HOME").map(Into::into));
        let Some(path) = path else { return History { path: None } };
        if let Some(folder) = path.parent() {
            // The history is private to the user, so restrict the folder. rustyline restricts the
            // file.
            let _ = DirBuilder::new().recursive(true).mode(0o700).create(folder);
        }
        // In the first session the file does not exist yet.
        let _ = editor.load_history(&path);
        History { path: Some(path) }
    }

    /// Saves `line` at once, so that it is not lost if the shell is killed.
    pub fn keep(&mut self, line: &str, editor: &mut Editor<LineHelper, FileHistory>) {
        let kept = editor.add_history_entry(line);
        if let (Ok(true), Some(path)) = (kept, &self.path)
            && editor.append_history(path).is_err()
        {
            self.path = None;
        }
    }
}

/// Returns `$XDG_STATE_HOME/ringtrace/ctl-history`. The variable must be an absolute path; it
/// defaults to `~/.local/state`.
fn path(state: Option<PathBuf>, home: Option<PathBuf>) -> Option<PathBuf> {
    let state = state.filter(|path| path.is_absolute());
    let state =
        state.or_else(|| home.filter(|path| path.is_absolute()).map(|home| home.join(".local/state")))?;
    Some(state.join(Path::new("ringtrace/ctl-history")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_history_is_in_the_state_folder_of_xdg() {
        let place =
            |state: Option<&str>, home: Option<&str>| path(state.map(Into::into), home.map(Into::into));
        let expected = |path: &str| Some(PathBuf::from(path));
        assert_eq!(place(Some("/s"), Some("/h")), expected("/s/ringtrace/ctl-history"));
        assert_eq!(place(Some("relative"), Some("/h")), expected("/h/.local/state/ringtrace/ctl-history"));
        assert_eq!(place(None, Some("/h")), expected("/h/.local/state/ringtrace/ctl-history"));
        assert_eq!(place(Some(""), None), None);
    }
}
