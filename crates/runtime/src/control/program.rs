//! Properties of the program that a monitor serves.

/// Permissions that the program grants to clients, and the name and prompt that they see.
#[derive(Debug, Clone, Default)]
pub struct Program {
    /// The folder that must contain all files named by clients. `None`: no restriction.
    pub directory: Option<std::path::PathBuf>,
    /// Whether clients may end the program.
    pub may_quit: bool,
    /// The answer to `query-name`.
    pub name: Option<String>,
    /// The HMP prompt; `None`: `(ringtrace) `.
    pub prompt: Option<String>,
}
