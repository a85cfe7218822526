//! The models of threads without a slot.

use std::time::Duration;

use loom::thread;
use ringtrace_wire::arena::FullPolicy;

use crate::model::{Drain, SMALL, Stage, record};
use crate::os::sync::{Ordering, fence};
use crate::ring::producer::{self, CLOSED, Producer};
use crate::ring::slot::{LEFT, USED};
use crate::ring::without_slot::WithoutSlot;
use crate::ring::{attach, ownership, quiesce};

/// Two threads share one slot. The second thread waits, and gets the slot after the writer thread
/// has freed it.
pub(crate) fn wait_for_slot() {
    let stage = Stage::new(FullPolicy::Block, None, SMALL);
    let session = stage.session;
    let life = move |tid: u32| {
        session.slot_wait.wait(|| session.free.take(), || true, None).unwrap();
        stage.enter(0, tid);
        assert!(record(0));
        producer::clear_current();
        ownership::detach(&stage.slots[0]);
        session.want_writer();
    };
    let threads = [1, 2].map(|tid| thread::spawn(move || life(tid)));
    let mut drain = Drain::of(stage.slots[0]);
    let mut freed = 0;
    while freed < 2 {
        let heard = session.doorbell.listen();
        if ownership::state(&drain.slot) == LEFT {
            drain.next = 0;
            drain.pass();
            assert_eq!(drain.next, 1);
            ownership::set_free(&drain.slot);
            session.free.release(0);
            session.slot_wait.announce();
            freed += 1;
        } else {
            session.doorbell.sleep(heard, Duration::MAX);
        }
    }
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    stage.end();
}

/// A thread without a slot drops two records. Then it gets a slot, while the writer thread collects
/// counts. The ring reports the loss before the thread's first record.
pub(crate) fn without_slot() {
    let stage = Stage::new(FullPolicy::Discard, None, SMALL);
    let table = &stage.session.without_slot;
    let thread = thread::spawn(move || {
        let entry = table.claim(7, [1; 16]).unwrap();
        assert!(entry.count(1));
        assert!(entry.count(1));
        assert!(attach::enter(stage.seat(0), 7, || table.take(entry)));
        assert!(record(2));
    });
    let mut drain = Drain::of(stage.slots[0]);
    table.collect(false, |_| false, |found| panic!("{found:?}"));
    drain.pass();
    thread.join().unwrap();
    drain.conclude(3);
    assert_eq!(drain.reported, 2);
    assert!(table.claim(8, [1; 16]).is_some());
    stage.end();
}

/// The only entry passes from a thread that exits to another thread. Each count is reported for the
/// thread that dropped the records.
pub(crate) fn entries_pass_on() {
    let stage = Stage::new(FullPolicy::Discard, None, SMALL);
    let life = move |tid: u32| {
        let entry = stage.session.without_slot.claim(tid, [tid as u8; 16])?;
        assert!(entry.count(u64::from(tid)));
        entry.leave();
        Some(tid)
    };
    let threads = [1, 2].map(|tid| thread::spawn(move || life(tid)));
    let mut reported = Vec::new();
    let mut collect = |all| {
        let table = &stage.session.without_slot;
        let is_gone = |tid| {
            assert!([1, 2].contains(&tid));
            false
        };
        table.collect(all, is_gone, |found| reported.push((found.tid, found.name[0], found.count)));
    };
    collect(false);
    let claimed = threads.map(|thread| thread.join().unwrap());
    stage.session.without_slot.close();
    collect(true);
    reported.sort_unstable();
    let expected = claimed.into_iter().flatten().map(|tid| (tid, tid as u8, u64::from(tid)));
    assert_eq!(reported, expected.collect::<Vec<_>>());
    stage.end();
}

/// The session ends while a thread without a slot drops a record. The count is reported for this
/// thread, unless the thread finds that the session has ended.
pub(crate) fn dropped_at_the_end() {
    let stage = Stage::new(FullPolicy::Discard, None, SMALL);
    let table = &stage.session.without_slot;
    let writer = thread::spawn(move || {
        let mut reported = 0;
        if !table.close() {
            let is_gone = |_| false;
            table.collect(true, is_gone, |found| {
                assert_eq!((found.tid, found.name), (7, [1; 16]));
                reported += found.count;
            });
        }
        reported
    });
    let is_counted = match table.claim(7, [1; 16]) {
        Some(entry) => entry.count(1),
        None => table.count_unlisted(1),
    };
    assert_eq!(writer.join().unwrap(), u64::from(is_counted));
    stage.end();
}

/// The session ends while a thread without a slot drops a record and then gets a slot. If the
/// entries are unused at the end, the next session counts another thread's record in them.
pub(crate) fn entries_of_the_next_session() {
    let stage = Stage::new(FullPolicy::Discard, None, SMALL);
    let table = &stage.session.without_slot;
    let thread = thread::spawn(move || {
        let Some(entry) = table.claim(7, [1; 16]) else { return 0 };
        assert!(entry.count(1));
        table.take(entry)
    });
    if table.close() {
        let next = WithoutSlot::new(table.entries());
        let entry = next.claim(8, [2; 16]).unwrap();
        assert!(entry.count(2));
        entry.leave();
        let mut reported = Vec::new();
        next.collect(false, |_| false, |found| reported.push((found.tid, found.name, found.count)));
        assert_eq!(reported, [(8, [2; 16], 2)]);
    }
    assert!(thread.join().unwrap() <= 1);
    stage.end();
}

/// The session ends while a thread without a slot gets one. The writer thread counts the thread's
/// dropped record once, in the slot or in the table.
pub(crate) fn attached_at_the_end() {
    end_while_attaching(|producer| {
        // As in `quiesce.rs`, first execute the fence, then wait for threads that are inside.
        fence(Ordering::SeqCst);
        while producer::is_inside(producer.next.load(Ordering::Acquire)) {
            thread::yield_now();
        }
    });
}

/// Like [`attached_at_the_end`], but the writer thread cuts the thread off. If the thread finds
/// that its record is not counted, it counts the record in the next session.
pub(crate) fn attached_at_the_end_while_stopped() {
    end_while_attaching(|producer| {
        fence(Ordering::SeqCst);
        if producer::is_inside(producer.next.load(Ordering::Acquire)) {
            quiesce::revoke_from_stopped([producer].into_iter());
            assert_eq!(quiesce::cut_off(producer), None);
        }
    });
}

fn end_while_attaching(end: fn(&'static Producer)) {
    let stage = Stage::new(FullPolicy::Discard, None, SMALL);
    let (slot, producer) = (stage.slots[0], stage.producers[0]);
    let table = &stage.session.without_slot;
    let entry = table.claim(7, [0; 16]).unwrap();
    assert!(entry.count(1));
    let thread = thread::spawn(move || {
        ownership::attach(stage.session, &slot, producer, 7, || table.take(entry)).err().unwrap_or(0)
    });
    stage.session.stop(false);
    end(producer);
    quiesce::close(producer);
    table.close();
    let in_slot = producer.dropped.load(Ordering::Relaxed) & !CLOSED;
    assert!(in_slot == 0 || ownership::state(&slot) == USED);
    let mut in_table = 0;
    table.collect(true, |_| false, |found| in_table += found.count);
    let in_next = thread.join().unwrap();
    assert_eq!(in_slot + in_table + in_next, 1);
    stage.end();
}
