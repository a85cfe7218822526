/*
 * What translated code calls of nothing.
 * Generated from nothing.events: changes belong there.
 */
