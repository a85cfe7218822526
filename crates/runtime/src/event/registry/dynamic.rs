//! The part of the registry for events that are declared while the program runs.

use std::ptr;

use super::enabled::EnabledCount;
use super::{PendingSwitch, Registry, lock};
use crate::event::{EventState, Group};
use crate::options::Switch;

impl Registry {
    /// Keeps a switch for events that are declared later while the program runs.
    pub(super) fn keep_for_dynamic(&mut self, switch: &Switch) {
        if switch.pattern.is_glob() {
            // Only the last switch with a pattern counts. So the list does not grow if a client
            // repeats its patterns.
            self.pending.retain(|one| !(one.only_dynamic && one.switch.pattern == switch.pattern));
            self.pending.push(PendingSwitch { switch: switch.clone(), spent: false, only_dynamic: true });
        }
    }

    /// Returns `name`, or the first of `name_2`, `name_3` and so on that no event has.
    fn unused_name(&self, name: &str) -> String {
        let is_used = |name: &str| {
            let mut declared = self.groups.iter().filter(|group| group.name() != DYNAMIC_GROUP);
            self.dynamic_names.contains(name)
                || declared.any(|group| group.events().iter().any(|event| event.name() == name))
        };
        let mut unused = name.to_owned();
        let mut number = 2;
        while is_used(&unused) {
            unused = format!("{name}_{number}");
            number += 1;
        }
        unused
    }
}

/// The group of events that are declared while the program runs.
pub(crate) const DYNAMIC_GROUP: &str = "dynamic";

/// Functions that the module `dynamic` calls under the registry's lock.
pub(crate) struct DynamicRegistry<'r> {
    registry: &'r mut Registry,
}

impl DynamicRegistry<'_> {
    /// Reserves and returns `name`, with a number appended if an event has this name already.
    pub(crate) fn reserve_name(&mut self, name: &str) -> &'static str {
        let name: &'static str = self.registry.unused_name(name).leak();
        self.registry.dynamic_names.insert(name);
        name
    }

    /// Adds an event, in the state that earlier switches set for its name.
    pub(crate) fn add(&mut self, group: &'static Group, remark: Option<&'static str>) {
        self.registry.insert(group, None);
        self.note(group, remark);
        self.registry.apply_pending(group, true);
    }

    /// Adds an event after or instead of the group `at`, with the state `enable`.
    pub(crate) fn add_at(
        &mut self,
        group: &'static Group,
        at: &'static Group,
        remark: Option<&'static str>,
        enable: bool,
    ) {
        let place = self.registry.groups.iter().position(|known| ptr::eq(*known, at));
        self.registry.insert(group, place.map(|place| place + 1));
        self.note(group, remark);
        for event in group.events().iter().filter(|_| enable) {
            self.registry.put(event, true, &mut EnabledCount::new(true));
        }
        if let Some(place) = place
            && at.events().iter().all(|event| event.is_placeholder())
        {
            self.registry.groups.remove(place);
            // The placeholder keeps its state, because a thread may not know yet that another event
            // has replaced it.
            for event in at.events().iter().filter(|event| event.state() == EventState::Enabled) {
                EnabledCount::new(false).changes(event);
            }
        }
    }

    fn note(&mut self, group: &'static Group, remark: Option<&'static str>) {
        let Some(remark) = remark else { return };
        self.registry.remarks.extend(group.events().iter().map(|event| (event.id(), remark)));
    }
}

/// Calls `change` under the lock, so `change` must call nothing else in this module.
pub(crate) fn with_dynamic<R>(change: impl FnOnce(&mut DynamicRegistry<'_>) -> R) -> R {
    change(&mut DynamicRegistry { registry: &mut lock() })
}

/// Adds a function that is called after each switch, without the lock.
pub(crate) fn add_switch_hook(hook: fn()) {
    let mut registry = lock();
    if !registry.switch_hooks.iter().any(|&known| ptr::fn_addr_eq(known, hook)) {
        registry.switch_hooks.push(hook);
    }
}

/// Calls the switch hooks. The caller must have released the lock.
pub(super) fn report_switch() {
    let hooks = lock().switch_hooks.clone();
    hooks.iter().for_each(|hook| hook());
}

/// Returns whether the program is known to declare events while it runs.
pub(crate) fn expects_dynamic() -> bool {
    let registry = lock();
    !(registry.switch_hooks.is_empty() && registry.dynamic_names.is_empty())
}
