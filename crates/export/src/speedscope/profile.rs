//! A profile. A file contains many of them.

use std::io::{self, Write};

use crate::shared::json;
use crate::shared::spill::{SpillStreamId, SpillStreams};

/// The owner of a profile. Owners are ordered as in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Owner {
    Lane {
        track: u32,
        lane: u32,
    },
    Counter {
        track: u32,
    },
    /// The records of a thread, or of a process if the trace contains no thread ids.
    Thread {
        pid: u32,
        /// The thread's id. The first thread of a process has the process's id.
        tid: u32,
    },
    Recording,
}

/// Number of parts into which a nanosecond is divided. Speedscope ignores a frame that opens and
/// closes at the same time, so each frame is open for at least one part. Records within the
/// same nanosecond are thus all shown, and whole nanoseconds remain exact.
const PARTS: i128 = 1024;

#[derive(Debug)]
pub struct Profile {
    pub owner: Owner,
    name: String,
    /// Whether this is the profile that all owners beyond the limit share. Spans and steps can
    /// overlap in it.
    is_shared: bool,
    events: SpillStreamId,
    is_empty: bool,
    /// The start of the profile in parts. It is not later than the first record.
    first: i128,
    last: i128,
    /// The open frames, and the time in parts at which they were opened. The next frames close
    /// them.
    open: Option<([u64; 2], i128)>,
    steps: Option<SpillStreamId>,
    before_steps: Option<i128>,
}

impl Profile {
    pub fn new(owner: Owner, name: String, is_shared: bool, spill: &mut SpillStreams) -> Profile {
        Profile {
            owner,
            name,
            is_shared,
            events: spill.add(),
            is_empty: true,
            first: 0,
            last: i128::MIN,
            open: None,
            steps: None,
            before_steps: None,
        }
    }

    /// Opens two frames at `at_ns`, one nested in the other. Closes the previous frames.
    pub fn show(&mut self, frames: [u64; 2], at_ns: i128, spill: &mut SpillStreams) -> io::Result<()> {
        self.close(at_ns, spill)?;
        let text = self.opens(frames, at_ns);
        self.append(&text, spill)
    }

    pub fn close(&mut self, at_ns: i128, spill: &mut SpillStreams) -> io::Result<()> {
        let text = self.closes(at_ns);
        self.append(&text, spill)
    }

    /// Opens two frames within a span that is written later. The next frames close them.
    pub fn step(&mut self, frames: [u64; 2], at_ns: i128, spill: &mut SpillStreams) -> io::Result<()> {
        if self.is_shared {
            return self.show(frames, at_ns, spill);
        }
        self.before_steps.get_or_insert(self.last);
        let steps = *self.steps.get_or_insert_with(|| spill.add());
        let text = self.closes(at_ns) + &self.opens(frames, at_ns);
        spill.append(steps, text.as_bytes())
    }

    /// Writes a span as two frames, with its steps nested in them.
    pub fn enclose(
        &mut self,
        frames: [u64; 2],
        from_ns: i128,
        to_ns: i128,
        spill: &mut SpillStreams,
    ) -> io::Result<()> {
        if self.is_shared {
            self.close(from_ns, spill)?;
        }
        let before_steps = self.before_steps.take().unwrap_or(self.last);
        let last_step = std::mem::replace(&mut self.last, before_steps);
        let open_step = self.open.take();
        let text = self.opens(frames, from_ns);
        self.append(&text, spill)?;
        if let Some(steps) = self.steps {
            spill.splice(steps, self.events)?;
        }
        self.last = self.last.max(last_step);
        let open_span = std::mem::replace(&mut self.open, open_step);
        self.close(to_ns, spill)?;
        self.open = open_span;
        self.close(to_ns, spill)
    }

    /// Opens two frames. Times never decrease: an earlier time counts as the last one.
    fn opens(&mut self, frames: [u64; 2], at_ns: i128) -> String {
        self.last = self.last.max(at_ns * PARTS);
        self.first = self.first.min(self.last);
        self.open = Some((frames, self.last));
        frames.map(|frame| event('O', frame, self.last)).concat()
    }

    fn closes(&mut self, at_ns: i128) -> String {
        let Some(([outer, inner], since)) = self.open.take() else { return String::new() };
        self.last = self.last.max(at_ns * PARTS).max(since + least(since));
        [inner, outer].map(|frame| event('C', frame, self.last)).concat()
    }

    fn append(&mut self, text: &str, spill: &mut SpillStreams) -> io::Result<()> {
        // No comma precedes the first event.
        let text = if self.is_empty { text.trim_start_matches(',') } else { text };
        self.is_empty &= text.is_empty();
        spill.append(self.events, text.as_bytes())
    }

    /// Writes the profile. All profiles start at the first record and end at `last_ns`, so that
    /// they can be compared.
    pub fn write(&self, last_ns: i128, spill: &SpillStreams, out: &mut impl Write) -> io::Result<()> {
        let end = if self.is_empty { last_ns * PARTS } else { self.last.max(last_ns * PARTS) };
        let mut text = b"{\"type\":\"evented\",\"unit\":\"nanoseconds\",\"name\":".to_vec();
        json::string(&self.name, &mut text);
        json::plain(
            format_args!(
                ",\"startValue\":{},\"endValue\":{},\"events\":[",
                nanoseconds(self.first),
                nanoseconds(end)
            ),
            &mut text,
        );
        out.write_all(&text)?;
        spill.copy(self.events, out)?;
        out.write_all(b"]}")
    }
}

/// Returns the event that opens or closes a frame, with a comma before it.
fn event(kind: char, frame: u64, at: i128) -> String {
    format!(",{{\"type\":\"{kind}\",\"frame\":{frame},\"at\":{}}}", nanoseconds(at))
}

/// Returns the smallest number of parts that distinguishes a time from `at`, for readers that store
/// nanoseconds as doubles. A double has 53 significant bits. One is reserved for rounding.
fn least(at: i128) -> i128 {
    let bits = i128::BITS - at.abs().leading_zeros();
    1 << bits.saturating_sub(52)
}

/// Formats parts as nanoseconds in decimal digits, without rounding.
fn nanoseconds(parts: i128) -> String {
    let sign = if parts < 0 { "-" } else { "" };
    let (whole, rest) = (parts.abs() / PARTS, parts.abs() % PARTS);
    if rest == 0 {
        return format!("{sign}{whole}");
    }
    // 1/1024 has ten digits.
    let digits = format!("{:010}", rest * 9_765_625);
    format!("{sign}{whole}.{}", digits.trim_end_matches('0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_not_rounded() {
        for (parts, expected) in [
            (0, "0"),
            (1, "0.0009765625"),
            (512, "0.5"),
            (-1536, "-1.5"),
            (1024 * 1_000_000_007 + 1023, "1000000007.9990234375"),
        ] {
            assert_eq!(nanoseconds(parts), expected);
        }
    }

    #[test]
    fn times_that_differ_by_the_least_number_of_parts_differ_as_doubles() {
        for at_ns in
            [0, 1, 1 << 40, (1 << 43) - 1, 1 << 43, 123_456_789_012_345, (1 << 52) - 1, (1 << 52) + 1]
        {
            let at = at_ns * PARTS;
            let [here, later]: [f64; 2] =
                [at, at + least(at)].map(|parts| nanoseconds(parts).parse().unwrap());
            assert!(here < later && later <= here + 2.0, "{at_ns}: {here} {later}");
            assert_eq!(here.floor() as i128, at_ns);
            assert_eq!(later.floor() as i128 == at_ns, at_ns < 1 << 51);
        }
    }

    fn events_of(append: impl FnOnce(&mut Profile, &mut SpillStreams) -> io::Result<()>) -> String {
        let mut spill = SpillStreams::new().unwrap();
        let mut profile = Profile::new(Owner::Recording, "line".to_owned(), false, &mut spill);
        append(&mut profile, &mut spill).unwrap();
        let mut out = Vec::new();
        profile.write(9, &spill, &mut out).unwrap();
        let profile: serde_json::Value = serde_json::from_slice(&out).unwrap();
        let event = |event: &serde_json::Value| {
            let kind = if event["type"] == "O" { '(' } else { ')' };
            format!("{kind}{} {}", event["frame"], event["at"])
        };
        profile["events"].as_array().unwrap().iter().map(event).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn frames_that_open_when_others_do_have_a_width() {
        let text = events_of(|profile, spill| {
            profile.show([0, 1], 5, spill)?;
            profile.show([2, 3], 5, spill)?;
            profile.show([4, 5], 7, spill)?;
            profile.close(9, spill)
        });
        assert_eq!(
            text,
            "(0 5, (1 5, )1 5.0009765625, )0 5.0009765625, (2 5.0009765625, (3 5.0009765625, )3 7, )2 7, (4 7, (5 7, )5 9, )4 9"
        );
    }

    #[test]
    fn steps_are_nested_in_their_span() {
        let text = events_of(|profile, spill| {
            profile.enclose([0, 1], 1, 1, spill)?;
            profile.step([2, 3], 1, spill)?;
            profile.step([4, 5], 2, spill)?;
            profile.enclose([0, 1], 1, 3, spill)?;
            profile.enclose([6, 7], 3, 4, spill)
        });
        assert_eq!(
            text,
            "(0 1, (1 1, )1 1.0009765625, )0 1.0009765625, \
             (0 1.0009765625, (1 1.0009765625, (2 1.0009765625, (3 1.0009765625, )3 2, )2 2, (4 2, (5 2, )5 3, )4 3, )1 3, )0 3, \
             (6 3, (7 3, )7 4, )6 4"
        );
    }
}
