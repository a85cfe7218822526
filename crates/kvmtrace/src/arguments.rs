//! The values of a record, under the names that definitions know them by.

use crate::Record;

/// How many of a record's words have a key.
pub const WORD_KEYS: usize = 5;

/// What `%(key)` names in a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// `tsc`: the timestamp; in seconds, as a fraction, where the clock's frequency is given.
    Tsc,
    /// `ts`: the timestamp as it stands in the record.
    Ts,
    /// `reltsc` and `relts`: the difference to the last timestamp, as in the record.
    SinceLast,
    /// `event`
    Event,
    /// `vcpu`
    Vcpu,
    /// `pid`
    Pid,
    /// `1` to `5`, counted from 0: the record's words, 0 where it has fewer.
    Word(usize),
}

impl Key {
    /// The key called `name`.
    pub fn from_name(name: &[u8]) -> Option<Key> {
        Some(match name {
            b"tsc" => Key::Tsc,
            b"ts" => Key::Ts,
            b"reltsc" | b"relts" => Key::SinceLast,
            b"event" => Key::Event,
            b"vcpu" => Key::Vcpu,
            b"pid" => Key::Pid,
            [digit @ b'1'..=b'5'] => Key::Word(usize::from(digit - b'1')),
            _ => return None,
        })
    }
}

/// What the two time keys are called where all keys are listed.
///
/// The formatters before July 2008 knew `tsc` and `reltsc` only, those after it `ts` and `relts` only, and `-c`
/// no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeNames {
    /// `tsc`, `reltsc`: cycles.
    Tsc,
    /// `ts`, `relts`: nanoseconds.
    Ts,
}

impl TimeNames {
    /// All keys with their names, in the order in which Python 2 listed a dictionary of them.
    pub fn listing(self) -> [(&'static str, Key); 10] {
        let [one, two, three, four, five] = ["1", "2", "3", "4", "5"]
            .map(|name| (name, Key::from_name(name.as_bytes()).unwrap_or(Key::Event)));
        let (event, vcpu, pid) = (("event", Key::Event), ("vcpu", Key::Vcpu), ("pid", Key::Pid));
        match self {
            TimeNames::Tsc => {
                let (tsc, reltsc) = (("tsc", Key::Tsc), ("reltsc", Key::SinceLast));
                [one, three, reltsc, five, four, vcpu, two, pid, tsc, event]
            }
            TimeNames::Ts => {
                let (ts, relts) = (("ts", Key::Ts), ("relts", Key::SinceLast));
                [one, three, two, five, four, relts, vcpu, pid, ts, event]
            }
        }
    }
}

/// A value, as Python 2 distinguishes them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    /// An `int`.
    Int(i64),
    /// A `long`: prints with a suffix in some places, though it might fit an `int`.
    Long(i128),
    /// A `float`.
    Float(f64),
}

/// The values of one record.
#[derive(Debug, Clone, Copy)]
pub struct Arguments {
    tsc: Value,
    ts: Value,
    since_last: Value,
    event: u32,
    vcpu: u32,
    pid: u32,
    words: [u32; WORD_KEYS],
    time_names: TimeNames,
}

impl Arguments {
    /// The value of `key`.
    pub fn value(&self, key: Key) -> Value {
        let word = |word: u32| Value::Int(word.into());
        match key {
            Key::Tsc => self.tsc,
            Key::Ts => self.ts,
            Key::SinceLast => self.since_last,
            Key::Event => word(self.event),
            Key::Vcpu => word(self.vcpu),
            Key::Pid => word(self.pid),
            Key::Word(index) => word(self.words.get(index).copied().unwrap_or_default()),
        }
    }

    /// What the two time keys are called where all are listed.
    pub fn time_names(&self) -> TimeNames {
        self.time_names
    }
}

/// Turns records into arguments; remembers the last timestamp.
#[derive(Debug, Clone)]
pub struct Clock {
    mhz: Option<f64>,
    time_names: TimeNames,
    last: u64,
}

impl Clock {
    /// A clock that ticks `mhz` million times a second, which turns `tsc` into seconds; `None` or zero leaves
    /// it in ticks.
    pub fn new(mhz: Option<f64>, time_names: TimeNames) -> Clock {
        Clock { mhz: mhz.filter(|mhz| *mhz != 0.0), time_names, last: 0 }
    }

    /// The arguments of the next record of the stream.
    pub fn arguments(&mut self, record: &Record) -> Arguments {
        let now = record.timestamp.unwrap_or(0);
        let ts = if now > i64::MAX.cast_unsigned() {
            Value::Long(now.into())
        } else {
            Value::Int(now.cast_signed())
        };
        let mut words = [0; WORD_KEYS];
        for (word, value) in words.iter_mut().zip(record.words.as_slice()) {
            *word = *value;
        }
        Arguments {
            tsc: self.mhz.map_or(ts, |mhz| Value::Float(now as f64 / (mhz * 1e6))),
            ts,
            since_last: self.since_last(record.timestamp),
            event: record.event,
            vcpu: record.vcpu,
            pid: record.pid,
            words,
            time_names: self.time_names,
        }
    }

    /// Zero without a timestamp, and after none or zero.
    fn since_last(&mut self, timestamp: Option<u64>) -> Value {
        let Some(now) = timestamp else { return Value::Int(0) };
        let last = std::mem::replace(&mut self.last, now);
        if last == 0 {
            return Value::Int(0);
        }
        // Python's difference is a `long` if one of its operands is.
        match (i64::try_from(now), i64::try_from(last)) {
            (Ok(now), Ok(last)) => Value::Int(now - last),
            _ => Value::Long(i128::from(now) - i128::from(last)),
        }
    }
}
