//! `copier [--trace OPTION]... [--threads N] [--block BYTES] SOURCE TARGET`: copies a file, with tracing.
//!
//! ```text
//! cargo run --release -p ringtrace-examples --bin copier -- --trace '*,file=copy.trace' SOURCE TARGET
//! cargo run --release -- stat copy.trace --pair blk_begin:blk_end:req
//! ```

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    ringtrace_examples::copier::program::main(std::env::args_os())
}
