//! Many hostile clients at the same time. They get an error or a closed connection, and the
//! program's trace stays intact.

use std::io;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::thread;

use ringtrace_peers::monitor_client::MonitorClient;
use serde_json::json;

use crate::client::Permissions;
use crate::random::Random;
use crate::trace_folder::TraceFolder;
use crate::{Load, check_counts, engine, exclusive, finish_requests, ready, status, without_clients};

const LOAD: Load = Load {
    name: "hostile clients",
    trace: "*,policy=block,buffer=256K",
    permissions: Permissions { toggled: &[], sets_files: false, pauses: false },
};

/// The memory that the program may need during the attacks: for each attacker, the longest message
/// and its parsed form.
const MAX_BYTES: u64 = 64 << 20;
/// The additional memory that the program may still use after the attacks, because allocators do
/// not release everything.
const KEPT_BYTES: u64 = 16 << 20;
const PIECE_BYTES: usize = 1 << 20;
const ATTACKS_OF_EACH: usize = 2;

/// A name and an attack. The attack returns the number of bytes sent. It fails if other clients use
/// all connections.
type Attack = (&'static str, fn(&Path, &mut Random) -> io::Result<usize>);

const ATTACKS: &[Attack] = &[
    ("a line without an end", |socket, _| flood(MonitorClient::connect(socket)?, "", "x")),
    ("a line of NULs without an end", |socket, _| {
        flood(MonitorClient::connect(socket)?, "trace-event ", "\0")
    }),
    ("a string without an end", |socket, _| flood(MonitorClient::connect(socket)?, "{\"execute\": \"", "x")),
    ("nesting without an end", |socket, _| flood(MonitorClient::connect(socket)?, NEGOTIATED, "[")),
    ("a list without an end", |socket, _| flood(MonitorClient::connect(socket)?, "{\"execute\": [", "{},")),
    ("blanks without an end", |socket, _| flood(MonitorClient::connect(socket)?, NEGOTIATED, " \n")),
    ("errors without an end, unread", |socket, _| {
        let mut client = MonitorClient::connect(socket)?;
        // The monitor stops reading from a client that does not read its replies.
        client.shorten_timeout()?;
        flood(client, NEGOTIATED, "}")
    }),
    ("random bytes", noise),
    ("random bytes, in JSON", |socket, random| {
        let mut client = MonitorClient::connect(socket)?;
        client.send(NEGOTIATED.as_bytes())?;
        mutate(&mut client, random)
    }),
    ("hundreds of connections", |socket, _| {
        (0..500).try_for_each(|_| MonitorClient::connect(socket).map(drop)).map(|()| 0)
    }),
    ("all connections at once", |socket, _| {
        let talks: io::Result<Vec<MonitorClient>> = (0..70).map(|_| MonitorClient::connect(socket)).collect();
        talks.map(|_| 0)
    }),
    ("an end before the beginning", |socket, _| MonitorClient::connect(socket)?.read_to_end().map(|_| 0)),
];

const NEGOTIATED: &str = "{\"execute\": \"qmp_capabilities\"}";

/// Sends `first`, then `piece` repeatedly, up to 8 MiB.
fn flood(mut client: MonitorClient, first: &str, piece: &str) -> io::Result<usize> {
    let piece = piece.repeat(PIECE_BYTES / piece.len());
    client.send(first.as_bytes())?;
    let taken = (0..8).take_while(|_| client.send(piece.as_bytes()).is_ok()).count();
    Ok(taken * PIECE_BYTES)
}

fn noise(socket: &Path, random: &mut Random) -> io::Result<usize> {
    let mut client = MonitorClient::connect(socket)?;
    client.shorten_timeout()?;
    let bytes: Vec<u8> = (0..10_000).map(|_| random.below(256) as u8).collect();
    client.send(&bytes)?;
    client.read_to_end()?;
    Ok(bytes.len())
}

/// Sends a hundred commands that contain random errors.
fn mutate(client: &mut MonitorClient, random: &mut Random) -> io::Result<usize> {
    client.shorten_timeout()?;
    let command = br#"{"execute": "trace-event-get-state", "arguments": {"name": "blk_*"}, "id": "\u00e9"}"#;
    for _ in 0..100 {
        let mut bytes = command.to_vec();
        for _ in 0..=random.below(3) {
            let at = random.below(bytes.len() as u64) as usize;
            bytes[at] = random.one_of(b"\0\x80\xff\xc3\xed\xa0\"\\{}[]:,u0");
        }
        client.send(&bytes)?;
    }
    client.read_to_end()?;
    Ok(100 * command.len())
}

/// Checks that errors leave the connection open.
fn survives(socket: &Path) {
    let mut hmp = MonitorClient::hmp(socket).unwrap();
    assert!(!hmp.run("x").unwrap().is_empty());
    for words in [&b"\xff\xfe\n"[..], b"trace-event \xc3 on\n", b"trace-event \0 on\n", b"\0\n"] {
        hmp.send(words).unwrap();
        hmp.until_prompt().unwrap();
    }
    assert_eq!(hmp.run("info trace-events get_begin").unwrap(), "get_begin : state 1\r\n");
    let mut qmp = MonitorClient::qmp(socket).unwrap();
    let deep = [b"[".repeat(101), b"]".repeat(101)].concat();
    for message in [&b"{\"execute\": \"\xff\"}"[..], b"{\"execute\": \"\0\"}", b"\xed\xa0\x80\n", &deep] {
        qmp.send(message).unwrap();
        // In QMP, this byte ends anything that is still open, such as a string. Some messages cause
        // several errors.
        qmp.send(b"\xff").unwrap();
        let id = qmp.send_command("query-name", &json!({})).unwrap();
        let answers = std::iter::from_fn(|| {
            let answer = qmp.message().unwrap();
            (answer.get("id") != Some(&id)).then_some(answer)
        });
        let errors =
            answers.inspect(|answer| assert!(answer["error"]["desc"].is_string(), "{answer}")).count();
        assert!(errors > 0, "no error: {message:?}");
    }
}

#[test]
fn hostile_clients_do_no_harm() {
    let _alone = exclusive();
    let folder = TraceFolder::new();
    let engine = engine(&folder, &LOAD);
    ready(&engine);
    let socket = engine.socket();
    survives(socket);
    let before = engine.usage_without_clients();
    let (answers, most_bytes, attacks) = thread::scope(|scope| {
        // Connect this client before all others.
        let mut polite = MonitorClient::qmp(socket).unwrap();
        let attackers = (0..).zip(ATTACKS).map(|(seed, (_, attack))| {
            scope.spawn(move || {
                let mut random = Random::new(seed);
                // The monitor may close the attackers' connections.
                (0..ATTACKS_OF_EACH).map(|_| attack(socket, &mut random).unwrap_or_default()).sum::<usize>()
            })
        });
        let attackers: Vec<_> = attackers.collect();
        let (mut answers, mut most_bytes) = (0_u64, 0);
        while !attackers.iter().all(thread::ScopedJoinHandle::is_finished) {
            let events = polite.execute("trace-event-get-state", &json!({"name": "get_*"})).unwrap().unwrap();
            assert_eq!(events.as_array().unwrap().len(), 2);
            answers += 1;
            most_bytes = most_bytes.max(engine.usage().anonymous_bytes);
        }
        let taken: Vec<usize> = attackers.into_iter().map(|attacker| attacker.join().unwrap()).collect();
        (answers, most_bytes, taken)
    });
    survives(socket);
    let after = without_clients(&engine, &before);
    for ((name, _), bytes) in ATTACKS.iter().zip(attacks) {
        eprintln!("{ATTACKS_OF_EACH} times {name}: {} KiB sent", bytes >> 10);
    }
    eprintln!(
        "{answers} answers to a correct client; memory before {} KiB, peak {} KiB, after {} KiB",
        before.anonymous_bytes >> 10,
        most_bytes >> 10,
        after.anonymous_bytes >> 10,
    );
    assert!(most_bytes <= before.anonymous_bytes + MAX_BYTES, "the program used {most_bytes} bytes");
    assert!(after.anonymous_bytes <= before.anonymous_bytes + KEPT_BYTES, "{before:?} {after:?}");
    let probes = finish_requests(&engine, &folder);
    let status = status(&engine);
    let finished = engine.end();
    assert!(finished.status.success(), "{finished:?}");
    let (files, _) = folder.read(Path::new(""), &AtomicBool::new(true));
    check_counts(&LOAD, &probes, &status, &files);
}
