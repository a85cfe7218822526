/*
 * Functions of nothing that translated code calls.
 * Generated from nothing.events. Make changes there.
 */
