//! The program `ringtrace-worker`, which reads traces for `ringtrace sql --workers`.

#![deny(unsafe_code)]

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use ringtrace_events::message::visible;
use ringtrace_query::workers::{Certificate, Folders, Limits, Server, Token, new_certificate};
use ringtrace_query::{Error, ErrorKind};
use tokio::runtime::Builder;

/// Read traces for `ringtrace sql --workers`
///
/// The worker runs on the machine with the traces, and decodes, filters and groups their records
/// for clients. Connections use TLS, and clients must send the worker's token. The worker reads
/// only files in the folders of --folder.
#[derive(Parser, Debug)]
#[command(name = "ringtrace-worker", version, after_help = EXAMPLES)]
struct Arguments {
    /// Serve the traces and datasets in the folder PATH and below; for several, repeat the option
    #[arg(long, value_name = "PATH", required_unless_present = "new_certificate")]
    folder: Vec<PathBuf>,

    /// Listen at ADDRESS:PORT; port 0 means a free one. The worker prints its address
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:7117")]
    listen: String,

    /// The worker's certificate, in PEM
    #[arg(long, value_name = "FILE", required_unless_present = "new_certificate")]
    certificate: Option<PathBuf>,

    /// The private key of the certificate, in PEM
    #[arg(long, value_name = "FILE", required_unless_present = "new_certificate")]
    key: Option<PathBuf>,

    /// The token that clients must send. Other users must not be able to read the file [default:
    /// the variable RINGTRACE_TOKEN]
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,

    /// Create certificate.pem, key.pem and token in the folder DIR, and exit
    #[arg(long, value_name = "DIR", conflicts_with_all = ["folder", "certificate", "key", "token_file"])]
    new_certificate: Option<PathBuf>,

    /// Number of threads that process rows [default: one for each processor]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,

    /// Limit for the memory of grouping, in MiB
    #[arg(long = "memory", value_name = "MIB", default_value_t = 4096)]
    memory_mib: usize,
}

const EXAMPLES: &str = "\
Examples:
  ringtrace-worker --new-certificate ~/.config/ringtrace
  ringtrace-worker --folder /var/traces --listen 10.0.0.5:7117 \\
      --certificate certificate.pem --key key.pem --token-file token";

/// The variable with the token.
const TOKEN: &str = "RINGTRACE_TOKEN";

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let mut text = format!("error: {}", error.message);
            if let Some(help) = &error.help {
                text.push_str(&format!("\n  help: {help}"));
            }
            say(&text);
            ExitCode::from(match error.kind {
                ErrorKind::Input => 1,
                ErrorKind::Usage => 2,
                ErrorKind::System => 4,
            })
        }
    }
}

/// Prints lines to standard error.
fn say(text: &str) {
    let text: Vec<String> = text.split('\n').map(|line| visible::text(line).to_string()).collect();
    // Ignore errors: standard error may be closed.
    let _ = writeln!(io::stderr().lock(), "{}", text.join("\n"));
}

fn run(arguments: &Arguments) -> Result<(), Error> {
    if let Some(folder) = &arguments.new_certificate {
        return new_certificate(folder);
    }
    let (Some(certificate), Some(key)) = (&arguments.certificate, &arguments.key) else {
        return Err(Error::usage("--certificate and --key are needed"));
    };
    let certificate = Certificate::read(certificate, key)?;
    let folders = Folders::new(&arguments.folder)?;
    let threads = arguments
        .threads
        .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, Into::into))
        .max(1);
    let limits = Limits { threads, memory_bytes: arguments.memory_mib << 20 };
    let failed = |error: io::Error| Error::system("a thread", &error);
    let compute =
        Builder::new_multi_thread().worker_threads(threads + 1).enable_all().build().map_err(failed)?;
    let network = Builder::new_multi_thread().worker_threads(1).enable_all().build().map_err(failed)?;
    let security = (certificate, token(arguments)?);
    network.block_on(async {
        let log = |line: String| say(&line);
        let address = arguments.listen.as_str();
        let server = Server::bind(address, security, folders, limits, compute.handle().clone(), log).await?;
        let address = server.address().map_err(|error| Error::system(address, &error))?;
        let mut output = io::stdout().lock();
        let printed = writeln!(output, "listening at {address}").and_then(|()| output.flush());
        printed.map_err(|error| Error::system("standard output", &error))?;
        drop(output);
        server.serve().await;
        Ok(())
    })
}

#[expect(clippy::disallowed_methods, reason = "the token can be given as a variable")]
fn token(arguments: &Arguments) -> Result<Token, Error> {
    match (&arguments.token_file, std::env::var(TOKEN)) {
        (Some(path), _) => Token::read(path),
        (None, Ok(token)) => Token::new(&token)
            .map_err(|error| Error { message: format!("{TOKEN}: {}", error.message), ..error }),
        (None, Err(_)) => {
            Err(Error::usage("no token is given").help(format!("specify --token-file FILE, or set {TOKEN}")))
        }
    }
}
