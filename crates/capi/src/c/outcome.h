/*
 * What a function of ours wants done that Rust does not do: print on C's streams, or end the program. start.rs has the same numbers.
 *
 * Part of ringtrace; licensed under MIT or Apache 2.0.
 */
#ifndef RINGTRACE_OUTCOME_H
#define RINGTRACE_OUTCOME_H

enum outcome {
    DONE,
    LIST, /* the names of all events, and the end */
    BAD
};

#endif
