//! Formats the monitor's notices as lines for the shell.

use std::time::{Duration, Instant};

use ringtrace_events::message::visible;

use crate::monitor::Notice;
use crate::quantity;

/// The minimum time between two lines about drops. The monitor reports drops every second; the
/// reports in between are added up.
const DROP_REPORT_INTERVAL: Duration = Duration::from_secs(10);

#[derive(Debug, Default)]
pub struct NoticeLog {
    /// The number of events dropped since the last line, and the program's total.
    dropped: Option<(u64, u64)>,
    reported_at: Option<Instant>,
}

impl NoticeLog {
    /// Returns the lines to print for `notices` at the time `now`.
    pub fn lines(&mut self, notices: &[Notice], now: Instant) -> Vec<String> {
        let mut lines: Vec<String> = notices.iter().filter_map(|notice| self.line(notice)).collect();
        lines.extend(self.drops(now));
        lines
    }

    fn line(&mut self, notice: &Notice) -> Option<String> {
        let data = &notice.data;
        let text = |key: &str| data[key].as_str().map(visible::text);
        match notice.event.as_str() {
            "TRACE_DROPPED" => {
                let (count, total) = (data["count"].as_u64()?, data["total"].as_u64()?);
                let before = self.dropped.map_or(0, |(count, _)| count);
                self.dropped = Some((before.saturating_add(count), total));
                None
            }
            "TRACE_FILE_ERROR" => {
                let (file, error) = (text("file")?, text("error")?);
                Some(format!("{file}: {error}: the trace file cannot be written"))
            }
            "SHUTDOWN" => Some("the program is shutting down".to_owned()),
            event if data.is_null() => Some(visible::text(event)),
            event => Some(visible::text(&format!("{event} {data}"))),
        }
    }

    fn drops(&mut self, now: Instant) -> Option<String> {
        let (count, total) = self.dropped?;
        if self.reported_at.is_some_and(|reported_at| now.duration_since(reported_at) < DROP_REPORT_INTERVAL)
        {
            return None;
        }
        self.dropped = None;
        self.reported_at = Some(now);
        let events = quantity::counted(count, "event was", "events were");
        Some(format!("{events} dropped, {} in all", quantity::count(total)))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn notice(event: &str, data: Value) -> Notice {
        Notice { time_us: 0, event: event.to_owned(), data }
    }

    #[test]
    fn drops_are_reported_at_once_and_then_added_up() {
        let mut notices = NoticeLog::default();
        let start = Instant::now();
        let mut reported = |second: u64, dropped: Option<(u64, u64)>| {
            let news = dropped
                .map(|(count, total)| notice("TRACE_DROPPED", json!({"count": count, "total": total})));
            notices.lines(news.as_slice(), start + Duration::from_secs(second)).join("; ")
        };
        assert_eq!(reported(0, None), "");
        assert_eq!(reported(1, Some((1, 1))), "1 event was dropped, 1 in all");
        assert_eq!(reported(2, Some((1000, 1001))), "");
        assert_eq!(reported(3, Some((234, 1235))), "");
        assert_eq!(reported(10, None), "");
        assert_eq!(reported(11, None), "1,234 events were dropped, 1,235 in all");
        assert_eq!(reported(30, None), "");
    }

    #[test]
    fn everything_else_is_reported_at_once() {
        let mut notices = NoticeLog::default();
        let reported = [
            notice("TRACE_FILE_ERROR", json!({"file": "/x/trace-1", "error": "No space left on device"})),
            notice("STOP", Value::Null),
            notice("DEVICE_DELETED", json!({"path": "/m\u{1b}"})),
            notice("SHUTDOWN", json!({"guest": false, "reason": "host-qmp-quit"})),
            notice("TRACE_DROPPED", json!({"count": "?"})),
        ];
        let expected = "\
/x/trace-1: No space left on device: the trace file cannot be written
STOP
DEVICE_DELETED {\"path\":\"/m\\u001b\"}
the program is shutting down";
        assert_eq!(notices.lines(&reported, Instant::now()).join("\n"), expected);
    }
}
