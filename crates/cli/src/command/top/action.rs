//! The actions that keys trigger.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::order::Key;

/// A user's action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    Quit,
    Suspend,
    Redraw,
    /// Moves the cursor down by this many rows, or up if negative.
    Move(isize),
    Page(isize),
    First,
    Last,
    /// Closes the question or the help page, cancels the filter, or hides the cursor.
    Back,
    Switch,
    /// Enables or disables all events that the filter accepts.
    SwitchAll(bool),
    /// Sorts by this key. Selecting the same key again reverses the order.
    Sort(Key),
    Reverse,
    /// Sorts by the next column, or by the previous one if negative.
    SortNext(isize),
    Filter,
    /// Toggles between showing all events and only active ones.
    Everything,
    Pause,
    /// Toggles between the rates of the last minute and those of the whole trace.
    Window,
    Interval(isize),
    TraceFile,
    Flush,
    Help,
    Yes,
    Type(char),
    Erase,
    EraseAll,
    Enter,
}

/// The context in which keys are interpreted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keys {
    Commands,
    Text,
    Answer,
    Page,
}

/// Returns the action of `key`.
pub fn action(keys: Keys, key: KeyEvent) -> Option<Action> {
    if key.kind == KeyEventKind::Release {
        return None;
    }
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return match key.code {
            KeyCode::Char('c') => Some(Action::Quit),
            KeyCode::Char('z') => Some(Action::Suspend),
            KeyCode::Char('l') => Some(Action::Redraw),
            KeyCode::Char('u') if keys == Keys::Text => Some(Action::EraseAll),
            // Some terminals send this for the backspace key.
            KeyCode::Char('h') if keys == Keys::Text => Some(Action::Erase),
            KeyCode::Char('f' | 'd') if keys == Keys::Commands => Some(Action::Page(1)),
            KeyCode::Char('b' | 'u') if keys == Keys::Commands => Some(Action::Page(-1)),
            _ => None,
        };
    }
    if key.modifiers.contains(KeyModifiers::ALT) {
        return None;
    }
    match keys {
        Keys::Commands => command(key.code),
        Keys::Text => text(key.code),
        Keys::Answer => Some(match key.code {
            KeyCode::Char('y' | 'Y') => Action::Yes,
            _ => Action::Back,
        }),
        Keys::Page => Some(match key.code {
            KeyCode::Char('q') => Action::Quit,
            KeyCode::Up | KeyCode::Char('k') => Action::Move(-1),
            KeyCode::Down | KeyCode::Char('j') => Action::Move(1),
            KeyCode::PageUp => Action::Move(-10),
            KeyCode::PageDown => Action::Move(10),
            _ => Action::Back,
        }),
    }
}

fn command(code: KeyCode) -> Option<Action> {
    Some(match code {
        KeyCode::Up | KeyCode::Char('k') => Action::Move(-1),
        KeyCode::Down | KeyCode::Char('j') => Action::Move(1),
        KeyCode::PageUp => Action::Page(-1),
        KeyCode::PageDown => Action::Page(1),
        KeyCode::Home => Action::First,
        KeyCode::End => Action::Last,
        KeyCode::Left | KeyCode::Char('<') => Action::SortNext(-1),
        KeyCode::Right | KeyCode::Char('>') => Action::SortNext(1),
        KeyCode::Esc => Action::Back,
        KeyCode::Char(' ') => Action::Switch,
        KeyCode::Char('E') => Action::SwitchAll(true),
        KeyCode::Char('D') => Action::SwitchAll(false),
        KeyCode::Char('r') => Action::Sort(Key::Rate),
        KeyCode::Char('c') => Action::Sort(Key::Count),
        KeyCode::Char('d') => Action::Sort(Key::Dropped),
        KeyCode::Char('n') => Action::Sort(Key::Name),
        KeyCode::Char('g') => Action::Sort(Key::Group),
        KeyCode::Char('s') => Action::Sort(Key::State),
        KeyCode::Char('v') => Action::Reverse,
        KeyCode::Char('/') => Action::Filter,
        KeyCode::Char('a') => Action::Everything,
        KeyCode::Char('p') => Action::Pause,
        KeyCode::Char('w') => Action::Window,
        KeyCode::Char('+' | '=') => Action::Interval(1),
        KeyCode::Char('-') => Action::Interval(-1),
        KeyCode::Char('t') => Action::TraceFile,
        KeyCode::Char('f') => Action::Flush,
        KeyCode::Char('?' | 'h') | KeyCode::F(1) => Action::Help,
        KeyCode::Char('q') => Action::Quit,
        _ => return None,
    })
}

fn text(code: KeyCode) -> Option<Action> {
    Some(match code {
        KeyCode::Enter => Action::Enter,
        KeyCode::Backspace => Action::Erase,
        KeyCode::Char(c) => Action::Type(c),
        KeyCode::Esc | KeyCode::Up | KeyCode::Down | KeyCode::PageUp | KeyCode::PageDown => {
            return command(code);
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(keys: Keys, code: KeyCode) -> Option<Action> {
        action(keys, KeyEvent::new(code, KeyModifiers::NONE))
    }

    #[test]
    fn letters_are_commands_or_text() {
        assert_eq!(press(Keys::Commands, KeyCode::Char('q')), Some(Action::Quit));
        assert_eq!(press(Keys::Text, KeyCode::Char('q')), Some(Action::Type('q')));
        assert_eq!(press(Keys::Answer, KeyCode::Char('q')), Some(Action::Back));
        assert_eq!(press(Keys::Answer, KeyCode::Char('y')), Some(Action::Yes));
        assert_eq!(press(Keys::Page, KeyCode::Char('x')), Some(Action::Back));
    }

    #[test]
    fn control_c_leaves_from_everywhere() {
        for keys in [Keys::Commands, Keys::Text, Keys::Answer, Keys::Page] {
            let key = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
            assert_eq!(action(keys, key), Some(Action::Quit));
            assert_eq!(action(keys, KeyEvent { kind: KeyEventKind::Release, ..key }), None);
        }
    }

    #[test]
    fn unbound_keys_do_nothing() {
        assert_eq!(press(Keys::Commands, KeyCode::Char('\u{e9}')), None);
        assert_eq!(press(Keys::Commands, KeyCode::F(7)), None);
        let key = KeyEvent::new(KeyCode::Char('q'), KeyModifiers::ALT);
        assert_eq!(action(Keys::Commands, key), None);
    }
}
