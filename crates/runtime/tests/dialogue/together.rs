//! A client and the program switch backends at the same time.

use std::path::Path;

use ringtrace::monitor::Mode;
use ringtrace::monitor::dialogue::Program;
use ringtrace::{Backends, Settings, registry, session};

use crate::client::{Client, TestFolder};
use crate::declared::Declared;

#[test]
fn switches_of_a_client_and_the_program_are_independent() {
    const ROUNDS: u32 = 300;
    let _folder = TestFolder::new();
    let events = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/monitor/program.events");
    let _declared = Declared::of(&events, |_| true);
    let is_logging = || registry::backends().contains(Backends::LOG);
    let log_file = Some("log".into());
    let _guard =
        session::start(Settings { file: Some("trace".into()), log_file, ..Settings::default() }).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let (mut client, _) = Client::connect(Mode::Hmp, Program::default());
            for round in 0..ROUNDS {
                client.send(b"log none\n");
                assert!(!is_logging(), "round {round}");
                client.send(b"log trace:*\n");
                assert!(is_logging(), "round {round}");
            }
        });
        for round in 0..ROUNDS {
            session::set_recording(false).unwrap();
            assert!(!session::is_recording(), "round {round}");
            session::set_recording(true).unwrap();
            assert!(session::is_recording(), "round {round}");
        }
    });
}
