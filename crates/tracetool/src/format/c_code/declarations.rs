//! What headers declare for each event, `disable`d or not.

use ringtrace_events::declaration::Tcg;

use super::CProbe;
use crate::{SourceWriter, Template};

const EVENT: &str = "

    /* {declaration} */
    extern TraceEvent _TRACE_{capitals}_EVENT;
    extern uint16_t _TRACE_{capitals}_DSTATE;
    #define TRACE_{capitals}_ENABLED {is_enabled}
";

/// A `tcg` declaration makes two events, and the macro of its own name tells of both.
const TCG_EVENT: &str = "
    #define TRACE_{original}_ENABLED {is_enabled}
";

/// Writes it.
pub(in crate::format) struct Declarations {
    event: Template<'static>,
    tcg_event: Template<'static>,
}

impl Declarations {
    pub fn new() -> Declarations {
        Declarations { event: Template::new(EVENT), tcg_event: Template::new(TCG_EVENT) }
    }

    /// The objects of an event, and whether it is compiled in.
    pub fn write(&self, probe: &CProbe<'_>, out: &mut SourceWriter) {
        let event = probe.event();
        let is_enabled = ("is_enabled", if event.disabled { "0" } else { "1" });
        probe.block_with(&self.event, &[is_enabled], out);
        if event.tcg == Some(Tcg::Translation) {
            let original = probe.capitals().strip_suffix("_TRANS").unwrap_or_default();
            out.block(&self.tcg_event, &[("original", original), is_enabled]);
        }
    }
}
