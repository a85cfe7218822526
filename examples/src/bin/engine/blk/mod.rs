//! A block device that is not there: it takes requests into a queue, and answers them some time later, not in their order. Now and then
//! it fails.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::probe_statistics::{ProbeStatistics, probe};
use crate::random::Random;
use crate::slowdown::{RequestKind, Slowdown};

ringtrace::include_trace!("blk");

/// How many requests it works on at a time.
const DEPTH: usize = 32;
/// How often a request is tried before it has failed.
const ATTEMPTS: u32 = 3;
const SECTORS: u64 = 1 << 30;
const EIO: i32 = 5;

/// What a request asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Op {
    Read,
    Write,
    Flush,
}

/// Whom a request is for: a get that waits for it, or nobody.
pub type Waiter = Option<u64>;

/// A request that the device has answered.
#[derive(Debug)]
pub struct Answer {
    /// 0, or minus the error.
    pub ret: i32,
    pub waiter: Waiter,
}

/// A request that it works on. What is due first comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Request {
    /// At which poll it is answered.
    due: u64,
    req: u64,
    op: Op,
    attempts: u32,
    waiter: Waiter,
}

/// A thread's queue of the device.
#[derive(Debug)]
pub struct Queue {
    in_flight: BinaryHeap<Reverse<Request>>,
    random: Random,
    polls: u64,
    next_req: u64,
    /// Requests of other threads have the numbers between.
    stride: u64,
    errors: u64,
    pub slow: Slowdown,
    pub account: Option<ProbeStatistics>,
}

impl Queue {
    /// The queue of one of `threads` threads.
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

    /// Asks the device. Where its queue is full, it must answer something before: that is returned.
    pub fn submit(&mut self, op: Op, page: u64, waiter: Waiter) -> Option<Answer> {
        let req = self.next_req;
        self.next_req += self.stride;
        let mut answer = None;
        if self.in_flight.len() == DEPTH {
            probe!(self, queue_full(self.in_flight.len() as u32, req));
            while answer.is_none() {
                answer = self.answer_first();
            }
        }
        match op {
            Op::Read => probe!(self, blk_submit(req, "read", page * 8 % SECTORS, 8)),
            Op::Write => probe!(self, blk_submit(req, "write", page * 8 % SECTORS, 8)),
            Op::Flush => probe!(self, blk_flush_begin(req, self.in_flight.len() as u32)),
        }
        self.start(Request { due: 0, req, op, attempts: 1, waiter });
        answer
    }

    fn start(&mut self, request: Request) {
        let (kind, takes) = match request.op {
            Op::Read => (RequestKind::Read, 2 + self.random.below(8)),
            Op::Write => (RequestKind::Write, 1 + self.random.below(4)),
            Op::Flush => (RequestKind::Flush, 20),
        };
        let takes = self.slow.stretch(kind, takes, &mut self.random);
        // Somewhere a disk turns its head.
        let takes = if self.random.once_in(500) { takes * 20 } else { takes };
        self.in_flight.push(Reverse(Request { due: self.polls + takes, ..request }));
        probe!(self, queue_add(self.in_flight.len() as u32));
    }

    /// Time goes by.
    pub fn poll(&mut self) {
        self.polls += 1;
        probe!(self, queue_poll(self.in_flight.len() as u32));
    }

    /// What has been answered by now, one at a time.
    pub fn next_answer(&mut self) -> Option<Answer> {
        while self.in_flight.peek()?.0.due <= self.polls {
            if let Some(answer) = self.answer_first() {
                return Some(answer);
            }
        }
        None
    }

    /// Answers what is due first; `None` when it is tried again, or there is nothing.
    fn answer_first(&mut self) -> Option<Answer> {
        let Reverse(mut request) = self.in_flight.pop()?;
        let Request { req, op, attempts, waiter, .. } = request;
        if op == Op::Flush {
            probe!(self, blk_flush_end(req));
            return Some(Answer { ret: 0, waiter });
        }
        // What has failed once is likely to fail again.
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
        Some(Answer { ret, waiter })
    }

    /// Waits for all that the device still works on.
    pub fn drain(&mut self) -> Vec<Answer> {
        let mut answers = Vec::new();
        while !self.in_flight.is_empty() {
            answers.extend(self.answer_first());
        }
        answers
    }

    /// The end: the account, if one was kept.
    pub fn close(mut self) -> Option<ProbeStatistics> {
        probe!(self, blk_close(self.next_req / self.stride, self.errors));
        self.account
    }
}
