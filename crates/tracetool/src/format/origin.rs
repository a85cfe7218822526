//! Where generated code says that it comes from.

use ringtrace_events::message::visible;

use crate::Group;

/// Files beyond which only their number is told: the group `all` of a large program has a hundred.
const MAX_NAMED: usize = 3;

/// `Generated from FILE: changes belong there.`, for a comment in C's manner.
pub(crate) fn origin(group: &Group<'_>) -> String {
    let files = match group.sources.as_slice() {
        named if named.len() <= MAX_NAMED => {
            let names: Vec<String> = named.iter().map(|source| visible::text(source.name())).collect();
            names.join(", ").replace("*/", "* /")
        }
        many => format!("{} declarations files", many.len()),
    };
    format!("Generated from {files}: changes belong there.")
}
