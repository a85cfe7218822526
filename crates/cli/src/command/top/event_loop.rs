//! The event loop of the interactive screen.

use std::io;
use std::time::{Duration, Instant};

use ratatui::crossterm::event::{self, Event};

use super::action::action;
use super::app::{App, Step};
use super::sampler::Sampler;
use super::screen::{Screen, SignalRequest};
use super::view::{self, Theme};

/// The maximum delay before updates appear on the screen.
const STEP: Duration = Duration::from_millis(50);

/// Shows `app` with the updates of `sampler` until the user quits.
pub fn run(mut app: App, sampler: &Sampler, theme: Theme) -> io::Result<()> {
    let started = Instant::now();
    let mut screen = Screen::open()?;
    let mut dirty = true;
    loop {
        dirty |= app.tick(started.elapsed());
        while let Some(news) = sampler.news() {
            app.take(news);
            dirty = true;
        }
        match screen.signal_request() {
            Some(SignalRequest::Quit) => return screen.close(),
            Some(SignalRequest::Suspend) => {
                screen.suspend()?;
                dirty = true;
            }
            Some(SignalRequest::Redraw) => {
                screen.redraw()?;
                dirty = true;
            }
            None => {}
        }
        if std::mem::take(&mut dirty) {
            draw(&mut screen, &mut app, theme)?;
        }
        let mut wait = STEP;
        // Handle all pending keys before drawing.
        while event::poll(wait)? {
            wait = Duration::ZERO;
            dirty = true;
            let Event::Key(key) = event::read()? else { continue };
            let Some(action) = action(app.keys(), key) else { continue };
            match app.act(action) {
                Step::Stay => {}
                Step::Quit => return screen.close(),
                Step::Suspend => screen.suspend()?,
                Step::Redraw => screen.redraw()?,
                Step::Ask(request) => sampler.ask(request),
            }
        }
    }
}

fn draw(screen: &mut Screen, app: &mut App, theme: Theme) -> io::Result<()> {
    screen.terminal().draw(|frame| {
        let area = frame.area();
        app.fit(view::rows_that_fit(area, app));
        if let Some(place) = view::draw(app, theme, area, frame.buffer_mut()) {
            frame.set_cursor_position(place);
        }
    })?;
    Ok(())
}
