/*
 * Functions that generate calls to nothing in translated code.
 * Generated from nothing.events. Make changes there.
 */

/* For values that translated code already has. */
#define tcg_temp_new_nop(v) (v)
#define tcg_temp_free_nop(v)
