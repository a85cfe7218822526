// Probes of the group `nothing`, generated from nothing.events. Make changes there.

pub(crate) use ::ringtrace::span;

mod macros {
}

#[allow(non_upper_case_globals)]
mod events {
    use ::ringtrace::{Argument, ArgumentKind, Declaration, Event};

}

mod group {
    use super::events;

    ::ringtrace::group! { name: "nothing", events: [] }
}
