//! The ring's own files, and model versions of the other files.

pub(crate) mod attach;
pub(crate) mod current;
pub(crate) mod recording;
pub(crate) mod slot;

#[path = "../../../src/ring/consumer.rs"]
pub(crate) mod consumer;
#[path = "../../../src/ring/doorbell.rs"]
pub(crate) mod doorbell;
#[path = "../../../src/ring/flight.rs"]
pub(crate) mod flight;
#[path = "../../../src/ring/free_slots.rs"]
pub(crate) mod free_slots;
#[path = "../../../src/ring/overflow.rs"]
pub(crate) mod overflow;
#[path = "../../../src/ring/ownership.rs"]
pub(crate) mod ownership;
#[path = "../../../src/ring/producer.rs"]
pub(crate) mod producer;
#[path = "../../../src/ring/quiesce.rs"]
pub(crate) mod quiesce;
#[path = "../../../src/ring/slot_wait.rs"]
pub(crate) mod slot_wait;
#[path = "../../../src/ring/without_slot.rs"]
pub(crate) mod without_slot;
