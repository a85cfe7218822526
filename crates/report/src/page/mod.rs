//! The report page and its sections.

mod chart;
mod context;
mod events;
mod latency;
mod missing;
mod packed;
mod scale;
mod summary;
mod svg;
mod timeline;

use crate::collect::Collector;
use crate::html;
use context::Context;

pub use context::{PageInfo, Unfinished};

const SCRIPT: &str = concat!(
    include_str!("script/numbers.js"),
    include_str!("script/tables.js"),
    include_str!("script/timeline.js")
);

/// A section: its title, its id, and its renderer. A section that renders to an empty string is
/// left out.
type Section = (fn(&Context<'_>) -> &'static str, &'static str, fn(&Context<'_>) -> String);

const SECTIONS: &[Section] = &[
    (|_| "Timeline", "timeline", timeline::render),
    (|_| "Latency", "latency", latency::render),
    (|_| "Events", "events", events::render),
    (|page| page.thread_headings().1, "threads", events::render_threads),
    (|_| "Missing", "missing", missing::render),
    (|_| "Recording", "recording", summary::render),
];

/// Renders the page with everything that `collector` has collected.
pub fn render_page(collector: &Collector, info: &PageInfo<'_>) -> String {
    let page = Context::new(collector, info);
    let sections = SECTIONS.iter().map(|(title, id, render)| (title(&page), *id, render(&page)));
    let sections: Vec<_> = sections.filter(|(.., text)| !text.is_empty()).collect();
    let mut body = summary::header(&page);
    body.push_str("<nav aria-label=Contents>\n");
    for (title, id, _) in &sections {
        body.push_str(&format!("<a href=\"#{id}\">{title}</a>\n"));
    }
    body.push_str("</nav>\n<main>\n");
    for (title, id, text) in &sections {
        body.push_str(&format!(
            "<section id={id} aria-labelledby={id}-title>\n<h2 id={id}-title>{title}</h2>\n{text}</section>\n"
        ));
    }
    body.push_str("</main>\n");
    body.push_str(&format!(
        "<footer>Made by ringtrace {}. Percentiles are accurate to 0.8%. Times are relative to the first record.</footer>\n",
        env!("CARGO_PKG_VERSION")
    ));
    html::page(&summary::title(&page), &body, &timeline::data(&page), SCRIPT)
}
