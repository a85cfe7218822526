/*
 * What has translated code call functions of nothing.
 * Generated from nothing.events: changes belong there.
 */

/* Values that are the translated code's already. */
#define tcg_temp_new_nop(v) (v)
#define tcg_temp_free_nop(v)
