//! A simulated block device. It has a queue of requests, which it completes later and out of order.
//! Some requests fail.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::probe_statistics::{ProbeStatistics, probe};
use crate::random::Random;
use crate::slowdown::{RequestKind, Slowdown};

ringtrace::include_trace!("blk");

/// Size of the queue.
const DEPTH: usize = 32;
/// Number of attempts before a request fails.
const ATTEMPTS: u32 = 3;
const SECTORS: u64 = 1 << 30;
const EIO: i32 = 5;

/// The kind of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Op {
    Read,
    Write,
    Flush,
}

/// The key of a get that waits for the request, if any.
pub type Waiter = Option<u64>;

#[derive(Debug)]
pub struct Completion {
    /// 0, or the negative error number.
    pub ret: i32,
    pub waiter: Waiter,
}

/// A request in the queue. Requests are ordered by time of completion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Request {
    /// The number of the poll at which the request completes.
    due: u64,
    req: u64,
    op: Op,
    attempts: u32,
    waiter: Waiter,
}

/// The queue of one thread.
#[derive(Debug)]
pub struct Queue {
    in_flight: BinaryHeap<Reverse<Request>>,
    random: Random,
    polls: u64,
    next_req: u64,
    /// Difference between consecutive request numbers. The numbers in between belong to other
    /// threads.
    stride: u64,
    errors: u64,
    pub slow: Slowdown,
    pub account: Option<ProbeStatistics>,
}

impl Queue {
    /// Opens the queue of thread `thread` (of `threads`).
    pub fn open(thread: u32, threads: u32, random: Random, account: Option<ProbeStatistics>) -> Queue {
        let in_flight = BinaryHeap::with_capacity(DEPTH);
        let (next_req, stride) = (u64::from(thread), u64::from(threads));
        let mut queue = Queue {
            in_flight,
            random,
            polls: 0,
            next_req,
            stride,
            errors: 0,
            slow: Slowdown::default(),
            account,
        };
        probe!(queue, blk_open("/dev/engine0", SECTORS, DEPTH as u32));
        queue
    }

    /// Adds a request. If the queue is full, first completes another request and returns it.
    pub fn submit(&mut self, op: Op, page: u64, waiter: Waiter) -> Option<Completion> {
        let req = self.next_req;
        self.next_req += self.stride;
        let mut completion = None;
        if self.in_flight.len() == DEPTH {
            probe!(self, queue_full(self.in_flight.len() as u32, req));
            while completion.is_none() {
                completion = self.complete_first();
            }
        }
        match op {
            Op::Read => probe!(self, blk_submit(req, "read", page * 8 % SECTORS, 8)),
            Op::Write => probe!(self, blk_submit(req, "write", page * 8 % SECTORS, 8)),
            Op::Flush => probe!(self, blk_flush_begin(req, self.in_flight.len() as u32)),
        }
        self.start(Request { due: 0, req, op, attempts: 1, waiter });
        completion
    }

    fn start(&mut self, request: Request) {
        let (kind, takes) = match request.op {
            Op::Read => (RequestKind::Read, 2 + self.random.below(8)),
            Op::Write => (RequestKind::Write, 1 + self.random.below(4)),
            Op::Flush => (RequestKind::Flush, 20),
        };
        let takes = self.slow.stretch(kind, takes, &mut self.random);
        // A few requests take much longer.
        let takes = if self.random.once_in(500) { takes * 20 } else { takes };
        self.in_flight.push(Reverse(Request { due: self.polls + takes, ..request }));
        probe!(self, queue_add(self.in_flight.len() as u32));
    }

    /// Advances the time.
    pub fn poll(&mut self) {
        self.polls += 1;
        probe!(self, queue_poll(self.in_flight.len() as u32));
    }

    pub fn next_completion(&mut self) -> Option<Completion> {
        while self.in_flight.peek()?.0.due <= self.polls {
            if let Some(completion) = self.complete_first() {
                return Some(completion);
            }
        }
        None
    }

    /// Completes the first request. Returns `None` if it is retried, or the queue is empty.
    fn complete_first(&mut self) -> Option<Completion> {
        let Reverse(mut request) = self.in_flight.pop()?;
        let Request { req, op, attempts, waiter, .. } = request;
        if op == Op::Flush {
            probe!(self, blk_flush_end(req));
            return Some(Completion { ret: 0, waiter });
        }
        // A request that has failed once is likely to fail again.
        let fails = self.random.once_in(if attempts == 1 { 2000 } else { 3 });
        if fails {
            self.errors += 1;
            let what = if op == Op::Read { "unrecovered read error" } else { "write fault" };
            probe!(self, blk_error(req, what, EIO));
            if attempts < ATTEMPTS {
                request.attempts += 1;
                probe!(self, blk_retry(req, request.attempts));
                self.start(request);
                return None;
            }
        }
        let ret = if fails { -EIO } else { 0 };
        probe!(self, blk_complete(req, ret, attempts));
        Some(Completion { ret, waiter })
    }

    /// Completes all requests in the queue.
    pub fn drain(&mut self) -> Vec<Completion> {
        let mut completions = Vec::new();
        while !self.in_flight.is_empty() {
            completions.extend(self.complete_first());
        }
        completions
    }

    /// Closes the queue and returns the statistics of its probes.
    pub fn close(mut self) -> Option<ProbeStatistics> {
        probe!(self, blk_close(self.next_req / self.stride, self.errors));
        self.account
    }
}
