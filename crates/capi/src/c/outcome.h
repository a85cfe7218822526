/*
 * The action to take after a Rust function returns: print to C's streams, or end the program. start.rs
 * defines the same numbers.
 *
 * Part of ringtrace; licensed under MIT or Apache 2.0.
 */
#ifndef RINGTRACE_OUTCOME_H
#define RINGTRACE_OUTCOME_H

enum outcome {
    DONE,
    LIST, /* print the names of all events and exit */
    BAD
};

#endif
