//! Measures ringtrace in the same way as the other libraries.

use ringtrace::{Options, flush};
use ringtrace_benches::burst;

use crate::Measured;

ringtrace::include_trace!("peers");

burst! {
    fn emit(|number| trace::peer_two(number, number.wrapping_mul(7)));
}

pub fn measure(rounds: usize) -> Result<Measured, String> {
    let file = tempfile::NamedTempFile::new().map_err(|error| error.to_string())?;
    let options = Options::new().enable("peer_*").file(file.path());
    let guard = options.start().map_err(|error| error.to_string())?;
    let measured = crate::measure(
        rounds,
        emit,
        |_| _ = flush(),
        |issued| {
            flush();
            let bytes = file.as_file().metadata().map_or(0, |metadata| metadata.len());
            if bytes >= issued * 48 {
                "all are in the file".to_owned()
            } else {
                format!("{bytes} bytes for {issued} events")
            }
        },
    );
    drop(guard);
    Ok(measured)
}
