//! Compares the screen, rendered as text, with accepted files in many states and sizes.
//! `RINGTRACE_ACCEPT=1` accepts the current output.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::time::Duration;

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;

use super::super::action::Action::{
    self, Enter, Everything, Filter, First, Help, Interval, Last, Move, Pause, Sort, SwitchAll, Type,
};
use super::super::app::App;
use super::super::fixture::{act, app_after, engine, trace};
use super::super::order::Key;
use super::super::sample::{EventSample, EventState, Ring, Sample, TraceState};
use super::super::sampler::{Change, Update};
use super::*;

const UNICODE: Theme = Theme { colour: true, unicode: true };
const ASCII: Theme = Theme { colour: false, unicode: false };

/// Returns the app after it has received the engine's samples of these seconds.
fn seconds(seconds: std::ops::Range<u64>) -> App {
    app_after(seconds.map(engine))
}

/// Returns the app after ten seconds and then `actions`.
fn after(actions: &[Action]) -> App {
    let mut app = seconds(0..10);
    act(&mut app, actions.iter().copied());
    app
}

/// Returns the app after the user has typed a filter.
fn typed(text: &str) -> App {
    let mut app = after(&[Filter]);
    act(&mut app, text.chars().map(Type));
    app
}

/// Returns the app after ten samples, each modified by `change`.
fn with(change: fn(&mut Sample)) -> App {
    app_after((0..10).map(|second| {
        let mut sample = engine(second);
        change(&mut sample);
        sample
    }))
}

fn later(mut app: App, news: Vec<Update>, second: u64) -> App {
    news.into_iter().for_each(|news| app.take(news));
    app.tick(Duration::from_secs(second));
    app
}

fn then(mut app: App, actions: &[Action]) -> App {
    act(&mut app, actions.iter().copied());
    app
}

struct Screen {
    name: &'static str,
    app: fn() -> App,
    theme: Theme,
    sizes: &'static [(u16, u16)],
}

const fn screen(name: &'static str, app: fn() -> App) -> Screen {
    Screen { name, app, theme: UNICODE, sizes: &[(80, 24)] }
}

impl Screen {
    const fn sizes(self, sizes: &'static [(u16, u16)]) -> Screen {
        Screen { sizes, ..self }
    }

    const fn ascii(self) -> Screen {
        Screen { theme: ASCII, ..self }
    }
}

/// All states, each with the sizes in which it is drawn.
const SCREENS: &[Screen] = &[
    screen("begin", || app_after([])),
    screen("first_numbers", || seconds(0..1)),
    screen("running", || seconds(0..90)).sizes(&[(56, 12), (80, 24), (120, 40), (200, 50)]),
    screen("ascii", || seconds(0..90)).ascii(),
    screen("too_small", || seconds(0..2)).sizes(&[(40, 10), (10, 2), (1, 1), (200, 11)]),
    screen("chosen", || after(&[Move(1), Move(1)])),
    screen("everything", || after(&[Everything, Sort(Key::Name), Last])).sizes(&[
        (80, 24),
        (80, 14),
        (120, 40),
    ]),
    screen("paused", || later(after(&[Pause]), vec![Update::Sample(Box::new(engine(60)))], 11)),
    screen("filter_typed", || typed("blk")),
    screen("filter_kept", || then(typed("*_hit"), &[Enter])),
    screen("filter_without_match", || typed("no such event")),
    screen("filter_of_events_that_are_off", || typed("checkpoint")),
    screen("question", || then(typed("checkpoint"), &[Enter, SwitchAll(true)])),
    screen("question_of_all", || after(&[SwitchAll(false)])),
    screen("refused", || {
        let change = Change::Events { pattern: "x".to_owned(), enable: true };
        later(seconds(0..10), vec![Update::Changed(change, Err("unknown event \"x\"".to_owned()))], 10)
    }),
    screen("help", || after(&[Help])).sizes(&[(56, 12), (80, 24), (120, 40)]),
    screen("nothing_is_on", || {
        with(|sample| {
            (sample.recorded, sample.dropped) = (0, 0);
            for event in &mut sample.events {
                (event.state, event.recorded, event.dropped) = (Some(EventState::Disabled), Some(0), Some(0));
            }
        })
    }),
    screen("not_recording", || with(|sample| sample.state = TraceState::Off(Some(83_000_000_000)))),
    screen("not_started", || {
        with(|sample| {
            (sample.state, sample.file, sample.policy) = (TraceState::NotStarted, None, None);
            (sample.rings, sample.backends) = (Vec::new(), Vec::new());
            sample.events.iter_mut().for_each(|event| (event.recorded, event.dropped) = (Some(0), Some(0)));
            (sample.recorded, sample.dropped, sample.file_bytes) = (0, 0, 0);
        })
    }),
    screen("disk_full", || {
        with(|sample| {
            sample.error = Some("The trace file cannot be written: No space left on device".to_owned());
            sample.rings[0].used_bytes = 1 << 20;
        })
    })
    .sizes(&[(80, 24), (200, 50)]),
    screen("flight_recorder", || {
        with(|sample| {
            sample.policy = Some("overwrite".to_owned());
            sample.overwritten = Some(sample.recorded);
            sample.recorded = 20_000 - sample.recorded % 100;
            sample.rings[0].used_bytes = 1 << 20;
            sample.events.iter_mut().for_each(|event| event.recorded = None);
        })
    }),
    screen("silent", || later(seconds(0..10), Vec::new(), 21)),
    screen("ended", || later(seconds(0..10), vec![Update::Lost("the program has ended".to_owned())], 75)),
    screen("odd_names", || {
        with(|sample| {
            sample.program = "en\x1b[31mgine\n".to_owned();
            sample.file = Some("/tmp/\u{202e}x\x07".to_owned());
            sample.events.truncate(1);
            sample.events[0].name = "tab\there\x1b]0;title\x07 \u{7e41}\u{7e41} e\u{301}".to_owned();
            sample.events.push(EventSample { name: "\u{7e41}".repeat(60), ..sample.events[0].clone() });
            sample.rings[0].name = "\x1b[2J".to_owned();
        })
    }),
    screen("huge_numbers", || {
        with(|sample| {
            let second = sample.time_ns / 1_000_000_000 - 1000;
            (sample.recorded, sample.dropped) = (u64::MAX / 10 * second, u64::MAX / 100 * second);
            sample.file_bytes = u64::MAX / 10 * second;
            sample.pid = Some(u32::MAX);
            for event in &mut sample.events {
                (event.recorded, event.dropped) =
                    (Some(u64::MAX / 20 * second), Some(u64::MAX / 100 * second));
            }
        })
    })
    .sizes(&[(56, 12), (80, 24), (200, 50)]),
    screen("many_rings", || {
        with(|sample| {
            let ring = |tid: u32| Ring {
                tid,
                used_bytes: u64::from(tid) << 10,
                size_bytes: 512 << 10,
                ..Ring::default()
            };
            sample.rings = (0..300).map(ring).collect();
        })
    })
    .sizes(&[(80, 24), (200, 50)]),
    screen("longer_interval", || after(&[Interval(1), Interval(1), First])),
    screen("trace_reading", || app_after([trace(3, TraceState::Behind(123 << 20))])),
    screen("trace_growing", || app_after((80..84).map(|second| trace(second, TraceState::On))))
        .sizes(&[(80, 24), (120, 40)]),
    screen("trace_ended", || app_after([trace(200, TraceState::Ended)])).sizes(&[
        (56, 12),
        (80, 24),
        (200, 50),
    ]),
    screen("trace_left", || app_after([trace(200, TraceState::Left)])).ascii(),
    screen("trace_help", || then(app_after([trace(2, TraceState::On)]), &[Help])),
];

/// Draws `app` through a ratatui terminal.
fn draw_screen(mut app: App, theme: Theme, (columns, lines): (u16, u16)) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(columns, lines)).unwrap();
    terminal
        .draw(|frame| {
            app.fit(rows_that_fit(frame.area(), &app));
            if let Some(place) = draw(&app, theme, frame.area(), frame.buffer_mut()) {
                frame.set_cursor_position(place);
            }
        })
        .unwrap();
    terminal.backend().buffer().clone()
}

/// Returns the characters of the buffer, followed by the styles of each line.
fn text(buffer: &Buffer) -> String {
    let line = |y| {
        buffer.content()[usize::from(y) * usize::from(buffer.area.width)..]
            .iter()
            .take(buffer.area.width.into())
    };
    let mut out = String::new();
    for y in 0..buffer.area.height {
        let mut skipped = 0;
        let mut text = String::new();
        for cell in line(y) {
            if skipped == 0 {
                text.push_str(cell.symbol());
                skipped = theme::width(cell.symbol()).saturating_sub(1);
            } else {
                skipped -= 1;
            }
        }
        writeln!(out, "{}", text.trim_end()).unwrap();
    }
    out.push_str("--- styles: line, columns, style\n");
    for y in 0..buffer.area.height {
        let cells: Vec<&Cell> = line(y).collect();
        let mut from = 0;
        while from < cells.len() {
            let style = |at: usize| (cells[at].fg, cells[at].modifier);
            let to = (from..cells.len()).find(|&at| style(at) != style(from)).unwrap_or(cells.len());
            let (colour, modifier) = style(from);
            if style(from) != (ratatui::style::Color::Reset, ratatui::style::Modifier::empty()) {
                let colour = format!("{colour:?}").replace("Reset", "-").to_lowercase();
                let modifier = format!("{modifier:?}").to_lowercase();
                writeln!(out, "{y:>2} {from:>3}-{:<3} {colour} {modifier}", to - 1).unwrap();
            }
            from = to;
        }
    }
    out
}

#[test]
fn screens_are_as_accepted() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/top");
    #[expect(clippy::disallowed_methods, reason = "tests may read the environment")]
    let accept = std::env::var_os("RINGTRACE_ACCEPT").is_some_and(|value| value == "1");
    let screens = || {
        let files = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
        files.filter(|path| path.extension().is_some_and(|it| it == "txt"))
    };
    if accept {
        screens().for_each(|path| fs::remove_file(path).unwrap());
    }
    let mut expected_files = Vec::new();
    for screen in SCREENS {
        for &(columns, lines) in screen.sizes {
            let now = text(&draw_screen((screen.app)(), screen.theme, (columns, lines)));
            let file = format!("{}.{columns}x{lines}.txt", screen.name);
            if accept {
                fs::write(folder.join(&file), now).unwrap();
            } else {
                let accepted = fs::read_to_string(folder.join(&file)).unwrap_or_default();
                assert_eq!(now, accepted, "testdata/top/{file}: RINGTRACE_ACCEPT=1 accepts");
            }
            expected_files.push(file);
        }
    }
    let mut there: Vec<String> =
        screens().map(|path| path.file_name().unwrap().to_str().unwrap().to_owned()).collect();
    there.sort();
    expected_files.sort();
    assert_eq!(there, expected_files, "files in testdata/top");
}

/// Checks that no screen contains control characters, and that every size can be drawn.
#[test]
fn every_size_is_drawn_without_control_characters() {
    let is_harmless =
        |c: char| !c.is_control() && !matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}');
    for screen in SCREENS {
        for size in [(1, 1), (20, 5), (56, 12), (57, 13), (63, 17), (79, 18), (111, 19), (151, 30), (300, 70)]
        {
            let buffer = draw_screen((screen.app)(), screen.theme, size);
            for cell in buffer.content() {
                assert!(cell.symbol().chars().all(is_harmless), "{}: {:?}", screen.name, cell.symbol());
            }
            assert_eq!(buffer.area, Rect::new(0, 0, size.0, size.1));
        }
    }
}

/// Checks that the theme's limits are respected: no colours without colour support, and only ASCII
/// without Unicode support.
#[test]
fn unsupported_colours_and_characters_are_not_used() {
    let buffer = draw_screen(app_after((0..90).map(engine)), ASCII, (200, 50));
    for cell in buffer.content() {
        assert_eq!(cell.fg, ratatui::style::Color::Reset);
        assert!(cell.symbol().is_ascii(), "{:?}", cell.symbol());
    }
}
