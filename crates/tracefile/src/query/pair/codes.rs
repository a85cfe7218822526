//! The one table of what can be wrong in a file of pairs, as `ringtrace explain` tells it.

use ringtrace_events::codes::Code;

/// All of them, by number.
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
    title: "the file is not text in UTF-8",
    explanation: "A file of pairs is text in UTF-8. The message names the first byte that does not belong. (A trace is given as \
        TRACE, not with --pairs.) Comments are the usual place of letters in an older encoding.",
    bad: "",
    good: "",
};

pub(super) static UNKNOWN_WORD: Code = Code {
    code: "P0002",
    name: "unknown-word",
    title: "a line begins with a word that means nothing there",
    explanation: "Lines that are not indented begin with `pair` or `counter`. Below a pair stand `begin`, `end`, `step` and \
        `track`; below a counter `value` and `track`. A comment begins with `#`.",
    bad: "pair request\n  start submit id\n  end complete id\n",
    good: "pair request\n  begin submit id\n  end complete id\n",
};

pub(super) static MISPLACED: Code = Code {
    code: "P0003",
    name: "misplaced",
    title: "a line belongs to no pair and no counter",
    explanation: "Lines that are indented belong to the last line above that is not. So `begin`, `end`, `step`, `track` and \
        `value` are indented, by any number of blanks, and a `pair` or `counter` stands above them.",
    bad: "pair request\nbegin submit id\nend complete id\n",
    good: "pair request\n  begin submit id\n  end complete id\n",
};

pub(super) static MISSING: Code = Code {
    code: "P0004",
    name: "missing",
    title: "a line ends too early",
    explanation: "`pair` and `counter` are followed by a name, `begin`, `end` and `step` by an event and its keys, `track` by \
        arguments, `value` by an event and its argument.",
    bad: "counter queue depth\n  value queue_length\n",
    good: "counter queue depth\n  value queue_length length\n",
};

pub(super) static BAD_NAME: Code = Code {
    code: "P0005",
    name: "bad-name",
    title: "the name of a pair or counter cannot be used",
    explanation: "Names are for people: they are any text of at most 200 bytes without control characters. No two of a file \
        are the same.",
    bad: "pair request\n  begin submit id\n  end complete id\npair request\n  begin issue id\n  end complete id\n",
    good: "pair request\n  begin submit id\n  begin issue id\n  end complete id\n",
};

pub(super) static BAD_EVENT: Code = Code {
    code: "P0006",
    name: "bad-event",
    title: "what should be an event's name is none",
    explanation: "Events are named as they are declared. There are no patterns here, as keys have to be found in each event's \
        arguments: write a line for each event.",
    bad: "pair request\n  begin submit_* id\n  end complete id\n",
    good: "pair request\n  begin submit_read id\n  begin submit_write id\n  end complete id\n",
};

pub(super) static BAD_KEY: Code = Code {
    code: "P0007",
    name: "bad-key",
    title: "what should be an argument's name is none",
    explanation: "Keys and tracks are arguments of the event, by their names, or `pid` or `tid`, which are those of the record; \
        `arg.pid` is an argument that is called like that. Several are separated by commas.",
    bad: "pair request\n  begin submit queue id\n  end complete queue id\n",
    good: "pair request\n  begin submit queue,id\n  end complete queue,id\n",
};

pub(super) static KEY_COUNT: Code = Code {
    code: "P0008",
    name: "key-count",
    title: "events of a pair have different numbers of keys",
    explanation: "The first key of an event is compared with the first key of the others, the second with the second. So all \
        have the same number. Where an event calls an argument otherwise, its own line has that name.\n\n\
        Without any keys, events are matched by the one integer or pointer that all of them have.",
    bad: "pair request\n  begin submit queue,id\n  end complete tag\n",
    good: "pair request\n  begin submit queue,id\n  end complete queue,tag\n",
};

pub(super) static TWICE: Code = Code {
    code: "P0009",
    name: "twice",
    title: "something stands twice in a pair or a counter",
    explanation: "An event can end a span and begin the next one of the same pair. Beside that, an event is in a pair once; and \
        there is one `track` line.",
    bad: "pair request\n  begin submit id\n  step submit id\n  end complete id\n",
    good: "pair request\n  begin submit id\n  step issue id\n  end complete id\n",
};

pub(super) static INCOMPLETE: Code = Code {
    code: "P0010",
    name: "incomplete",
    title: "a pair lacks its begin or end, or a counter its value",
    explanation: "A pair has at least one `begin` and one `end`, a counter at least one `value`.",
    bad: "pair request\n  begin submit id\n",
    good: "pair request\n  begin submit id\n  end complete id\n",
};

pub(super) static TOO_MANY: Code = Code {
    code: "P0011",
    name: "too-many-pairs",
    title: "there are too many pairs and counters",
    explanation: "A file describes at most 1000 pairs and counters: each costs time at every event, and nobody looks at more.",
    bad: "",
    good: "",
};
