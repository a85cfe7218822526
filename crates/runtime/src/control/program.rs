//! The program, as its clients see it.

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
