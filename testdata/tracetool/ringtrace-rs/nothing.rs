// The probes of the group `nothing`, generated from nothing.events: changes belong there.

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
