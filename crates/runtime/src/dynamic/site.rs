//! Call sites whose arguments become known with their first record.

use std::sync::OnceLock;

use super::declare::{
    Argument, Kind, add_beside, add_beside_at_host, declaration, emit, identifier, leak, leak_group,
};
use super::values::{Shape, Values};
use crate::event::registry::dynamic::{self as registry, DYNAMIC_GROUP};
use crate::event::{Declaration, Event, EventState, Group};
use crate::probe::host;

/// A call site that emits events. Its first record determines the arguments of its event. If a
/// later record has other arguments, it belongs to another event, `NAME__v2`, which starts in the
/// same state.
///
/// The site is listed and can be switched as soon as it has been created.
#[derive(Debug)]
pub struct Site {
    name: &'static str,
    remark: Option<&'static str>,
    placeholder: &'static Group,
    /// Stored inline, because each record needs it.
    first: OnceLock<Variant>,
}

/// An event of a site.
#[derive(Debug)]
struct Variant {
    shape: Shape,
    event: &'static Event,
    group: &'static Group,
    next: OnceLock<Box<Variant>>,
}

impl Site {
    /// Creates a site. `remark` is metadata of its events: the location in the source code, as
    /// `LEVEL TARGET FILE:LINE`.
    pub fn new(name: &str, remark: Option<&str>) -> Site {
        let remark = remark.map(leak);
        let (name, placeholder) = registry::with_dynamic(|registry| {
            let name = registry.reserve_name(&identifier(name));
            let placeholder = leak_group(Event::placeholder(Declaration {
                name,
                group: DYNAMIC_GROUP,
                arguments: &[],
                format: None,
                text: name,
                traceable: true,
            }));
            if host::host().is_none() {
                registry.add(placeholder, None);
            }
            (name, placeholder)
        });
        if host::host().is_some() {
            host::register_group(placeholder);
        }
        Site { name, remark, placeholder, first: OnceLock::new() }
    }

    /// The name of the site's first event.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns whether any backend receives one of the site's events now.
    #[inline]
    pub fn is_enabled(&self) -> bool {
        match self.first.get() {
            None => self.placeholder.events()[0].is_enabled(),
            Some(first) if first.event.is_enabled() => true,
            Some(_) => self.variants().any(|variant| variant.event.is_enabled()),
        }
    }

    /// Emits the event with arguments of these types, if it is on. Calls `argument` with the index
    /// of each argument when the event is declared, that is, if no record had these types before.
    #[inline]
    pub fn emit<'n>(&self, values: &Values, argument: impl Fn(usize, Kind) -> Argument<'n>) {
        let shape = values.shape();
        match self.first.get() {
            Some(first) if first.shape == shape => emit(first.event, values),
            _ => self.emit_other(values, &argument),
        }
    }

    #[cold]
    fn emit_other<'n>(&self, values: &Values, argument: &dyn Fn(usize, Kind) -> Argument<'n>) {
        let known = self.find(values.shape());
        emit(known.unwrap_or_else(|| self.declare(values.shape(), argument)), values);
    }

    fn variants(&self) -> impl Iterator<Item = &Variant> {
        std::iter::successors(self.first.get(), |variant| Some(variant.next.get()?))
    }

    fn find(&self, shape: Shape) -> Option<&'static Event> {
        self.variants().find(|variant| variant.shape == shape).map(|variant| variant.event)
    }

    /// Declares the event with arguments of these types, unless another thread has done so.
    fn declare<'n>(&self, shape: Shape, argument: &dyn Fn(usize, Kind) -> Argument<'n>) -> &'static Event {
        let arguments: Vec<Argument<'n>> = shape.kinds().map(|(index, kind)| argument(index, kind)).collect();
        // Only the thread with the registry's lock adds a variant.
        let (group, beside, enable) = registry::with_dynamic(|registry| {
            if let Some(variant) = self.variants().find(|variant| variant.shape == shape) {
                return (variant.group, None, false);
            }
            let count = self.variants().count();
            let name = match count {
                0 => self.name,
                _ => registry.reserve_name(&format!("{}__v{}", self.name, count + 1)),
            };
            let last = self.variants().last();
            let group = leak_group(Event::new(declaration(name, &arguments).0));
            let is_on = |event: &Event| event.state() == EventState::Enabled;
            let enable = match last {
                None => is_on(self.placeholder.events()[0]),
                Some(_) => self.variants().any(|variant| is_on(variant.event)),
            };
            let beside = last.map_or(self.placeholder, |last| last.group);
            add_beside(registry, group, beside, self.remark, enable);
            let variant = Variant { shape, event: group.events()[0], group, next: OnceLock::new() };
            // The cell is still empty, because this thread holds the lock.
            let _ = match last {
                None => self.first.set(variant).is_ok(),
                Some(last) => last.next.set(Box::new(variant)).is_ok(),
            };
            (group, Some(beside), enable)
        });
        if let Some(beside) = beside {
            add_beside_at_host(group, beside, enable);
        }
        group.events()[0]
    }
}
