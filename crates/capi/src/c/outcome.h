/*
 * The next action after a Rust function: print to C's streams, or end the program. start.rs has the
 * same numbers.
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
