//! Starts the example `engine`, for tests that control and observe it.

use std::path::Path;
use std::process::Command;

use ringtrace_peers::monitored::Monitored;

/// Starts the engine in `folder`, with its monitor at `socket` in `mode`. The load is low: one
/// thread, with ten requests per second.
pub fn start(folder: &Path, mode: &str, options: &[&str]) -> Monitored {
    let tool = Path::new(env!("CARGO_BIN_EXE_ringtrace"));
    let engine = tool.with_file_name("engine");
    assert!(engine.exists(), "{}: build it with `cargo build --workspace --bins`", engine.display());
    let mut command = Command::new(engine);
    command.args(["--threads", "1", "--rate", "10"]).args(options);
    // Separate the arenas from those of other processes, because tests list them.
    command.env("RINGTRACE_DIR", folder.join("arenas"));
    Monitored::start(command, folder, mode)
}
