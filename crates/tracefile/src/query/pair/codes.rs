//! Diagnostic codes of `--pairs` files. `ringtrace explain` prints them.

use ringtrace_events::codes::Code;

/// All codes, by number.
pub static PAIR_CODES: &[&Code] = &[
    &NOT_TEXT,
    &UNKNOWN_WORD,
    &MISPLACED,
    &MISSING,
    &BAD_NAME,
    &BAD_EVENT,
    &BAD_KEY,
    &KEY_COUNT,
    &TWICE,
    &INCOMPLETE,
    &TOO_MANY,
];

pub(super) static NOT_TEXT: Code = Code {
    code: "P0001",
    name: "not-text",
    title: "the file is not UTF-8 text",
    explanation: "A file of pairs is UTF-8 text. The message names the first invalid byte, which is often a letter of an older \
        encoding in a comment. If the file is a trace, pass it as TRACE and not with --pairs.",
    bad: "",
    good: "",
};

pub(super) static UNKNOWN_WORD: Code = Code {
    code: "P0002",
    name: "unknown-word",
    title: "a line starts with an unknown word",
    explanation: "A line without indentation starts with `pair` or `counter`. The lines below a pair start with `begin`, `end`, \
        `step` or `track`, those below a counter with `value` or `track`. A comment starts with `#`.",
    bad: "pair request\n  start submit id\n  end complete id\n",
    good: "pair request\n  begin submit id\n  end complete id\n",
};

pub(super) static MISPLACED: Code = Code {
    code: "P0003",
    name: "misplaced",
    title: "a line does not belong to a pair or counter",
    explanation: "An indented line belongs to the last line above it without indentation. Put `pair` or `counter` first, and \
        indent `begin`, `end`, `step`, `track` and `value` below it by any number of blanks.",
    bad: "pair request\nbegin submit id\nend complete id\n",
    good: "pair request\n  begin submit id\n  end complete id\n",
};

pub(super) static MISSING: Code = Code {
    code: "P0004",
    name: "missing",
    title: "a line is incomplete",
    explanation: "`pair` and `counter` need a name, `begin`, `end` and `step` an event and its keys, `track` one or more \
        arguments, and `value` an event and its argument.",
    bad: "counter queue depth\n  value queue_length\n",
    good: "counter queue depth\n  value queue_length length\n",
};

pub(super) static BAD_NAME: Code = Code {
    code: "P0005",
    name: "bad-name",
    title: "the name of a pair or counter is invalid",
    explanation: "A name is any text of at most 200 bytes without control characters. It must be unique within the file.",
    bad: "pair request\n  begin submit id\n  end complete id\npair request\n  begin issue id\n  end complete id\n",
    good: "pair request\n  begin submit id\n  begin issue id\n  end complete id\n",
};

pub(super) static BAD_EVENT: Code = Code {
    code: "P0006",
    name: "bad-event",
    title: "an event's name is invalid",
    explanation: "Write event names as they are declared. Patterns are not allowed, because each event has its own keys: write \
        one line for each event.",
    bad: "pair request\n  begin submit_* id\n  end complete id\n",
    good: "pair request\n  begin submit_read id\n  begin submit_write id\n  end complete id\n",
};

pub(super) static BAD_KEY: Code = Code {
    code: "P0007",
    name: "bad-key",
    title: "an argument's name is invalid",
    explanation: "A key or track is an argument of the event, or `pid` or `tid` of the record. For an argument that is called \
        `pid` or `tid`, write `arg.pid` or `arg.tid`. Separate several with commas.",
    bad: "pair request\n  begin submit queue id\n  end complete queue id\n",
    good: "pair request\n  begin submit queue,id\n  end complete queue,id\n",
};

pub(super) static KEY_COUNT: Code = Code {
    code: "P0008",
    name: "key-count",
    title: "events of a pair have different numbers of keys",
    explanation: "The first key of an event is compared with the first key of the other events, the second with the second, and \
        so on. All events therefore need the same number of keys. If an event uses another name for an argument, write \
        that name on its line.\n\n\
        Without keys, events are matched by the single integer or pointer argument that all of them share.",
    bad: "pair request\n  begin submit queue,id\n  end complete tag\n",
    good: "pair request\n  begin submit queue,id\n  end complete queue,tag\n",
};

pub(super) static TWICE: Code = Code {
    code: "P0009",
    name: "twice",
    title: "a pair or counter repeats an event or a track",
    explanation: "An event can end a span and begin the next one of the same pair. Otherwise, use each event only once in a \
        pair, and write only one `track` line.",
    bad: "pair request\n  begin submit id\n  step submit id\n  end complete id\n",
    good: "pair request\n  begin submit id\n  step issue id\n  end complete id\n",
};

pub(super) static INCOMPLETE: Code = Code {
    code: "P0010",
    name: "incomplete",
    title: "a pair has no begin or end, or a counter has no value",
    explanation: "A pair needs at least one `begin` and one `end`, and a counter needs at least one `value`.",
    bad: "pair request\n  begin submit id\n",
    good: "pair request\n  begin submit id\n  end complete id\n",
};

pub(super) static TOO_MANY: Code = Code {
    code: "P0011",
    name: "too-many-pairs",
    title: "there are too many pairs and counters",
    explanation: "A file can contain at most 1000 pairs and counters, because each of them takes time for every event.",
    bad: "",
    good: "",
};
