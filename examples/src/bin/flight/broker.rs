//! The traced program: a small message broker. A publisher sends messages to each topic; a
//! subscriber receives and acknowledges them.

use std::collections::VecDeque;
use std::error::Error;
use std::io::{self, Write};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Instant;

ringtrace::include_trace!("flight");

pub const TOPICS: [&str; 3] = ["orders", "payments", "parcels"];
/// Number of messages in a topic before its publisher waits.
const DEPTH: usize = 64;

struct Message {
    number: u64,
    body: Vec<u8>,
    published: Instant,
}

struct Topic {
    name: &'static str,
    messages: Mutex<VecDeque<Message>>,
    changed: Condvar,
}

/// Runs until the process is killed, or its output is closed. Prints `TOPIC NUMBER` for each
/// completed message.
///
/// # Errors
/// Fails if tracing or a thread cannot be started.
pub fn run() -> Result<(), Box<dyn Error>> {
    // The option `--trace '*,policy=overwrite'` makes this a flight recorder.
    let _tracing = ringtrace::Options::from_env_and_args()?.start()?;

    let topics = TOPICS.map(|name| Topic {
        name,
        messages: Mutex::new(VecDeque::with_capacity(DEPTH)),
        changed: Condvar::new(),
    });
    thread::scope(|scope| {
        for topic in &topics {
            let named = |role: &str| thread::Builder::new().name(format!("{role}-{}", topic.name));
            named("pub").spawn_scoped(scope, || topic.publish_all())?;
            named("sub").spawn_scoped(scope, || topic.receive_all())?;
        }
        Ok(())
    })
}

impl Topic {
    fn publish_all(&self) {
        for number in 1.. {
            self.publish(Message {
                number,
                body: vec![number as u8; 1024 + number as usize % 4096],
                published: Instant::now(),
            });
        }
    }

    fn publish(&self, message: Message) {
        let mut messages = self.messages.lock().unwrap_or_else(PoisonError::into_inner);
        while messages.len() == DEPTH {
            trace::queue_full(self.name, DEPTH);
            messages = self.changed.wait(messages).unwrap_or_else(PoisonError::into_inner);
        }
        trace::msg_publish(message.number, self.name, message.body.len(), messages.len());
        messages.push_back(message);
        self.changed.notify_all();
    }

    fn take(&self) -> Message {
        let mut messages = self.messages.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(message) = messages.pop_front() {
                self.changed.notify_all();
                return message;
            }
            messages = self.changed.wait(messages).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn receive_all(&self) {
        loop {
            let Message { number, body, published } = self.take();
            trace::msg_deliver(number, self.name, published.elapsed().as_nanos() as u64);
            let sum = body.iter().fold(0, |sum: u32, &byte| sum.rotate_left(5) ^ u32::from(byte));
            std::hint::black_box(sum);
            trace::msg_ack(number, self.name);
            // Trace before printing, so that the trace contains every message printed. Each line is
            // written with one call.
            let line = format!("{} {number}\n", self.name);
            if io::stdout().write_all(line.as_bytes()).is_err() {
                // The reader of the output has exited.
                std::process::exit(1);
            }
        }
    }
}
