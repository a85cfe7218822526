//! The screen while somebody looks at it.

use std::io;
use std::time::{Duration, Instant};

use ratatui::crossterm::event::{self, Event};

use super::action::action;
use super::app::{Look, Step};
use super::sampler::Feed;
use super::screen::{Screen, Wish};
use super::view::{self, Paint};

/// How long it may take until what the source tells is seen.
const STEP: Duration = Duration::from_millis(50);

/// Shows `look` with what `feed` tells, until somebody quits.
///
/// # Errors
/// When the terminal refuses.
pub fn run(mut look: Look, feed: &Feed, paint: Paint) -> io::Result<()> {
    let started = Instant::now();
    let mut screen = Screen::open()?;
    let mut dirty = true;
    loop {
        dirty |= look.tick(started.elapsed());
        while let Some(news) = feed.news() {
            look.take(news);
            dirty = true;
        }
        match screen.wish() {
            Some(Wish::Quit) => return screen.close(),
            Some(Wish::Suspend) => {
                screen.suspend()?;
                dirty = true;
            }
            Some(Wish::Redraw) => {
                screen.terminal().clear()?;
                dirty = true;
            }
            None => {}
        }
        if std::mem::take(&mut dirty) {
            draw(&mut screen, &mut look, paint)?;
        }
        let mut wait = STEP;
        // All keys that were pressed, then one picture: nobody waits for those in between.
        while event::poll(wait)? {
            wait = Duration::ZERO;
            dirty = true;
            let Event::Key(key) = event::read()? else { continue };
            let Some(action) = action(look.keys(), key) else { continue };
            match look.act(action) {
                Step::Stay => {}
                Step::Quit => return screen.close(),
                Step::Suspend => screen.suspend()?,
                Step::Redraw => screen.terminal().clear()?,
                Step::Ask(request) => feed.ask(request),
            }
        }
    }
}

fn draw(screen: &mut Screen, look: &mut Look, paint: Paint) -> io::Result<()> {
    screen.terminal().draw(|frame| {
        let area = frame.area();
        look.fit(view::rows_that_fit(area, look));
        if let Some(place) = view::draw(look, paint, area, frame.buffer_mut()) {
            frame.set_cursor_position(place);
        }
    })?;
    Ok(())
}
