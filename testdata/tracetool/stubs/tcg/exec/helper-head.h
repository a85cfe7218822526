/* The types of helpers' arguments, by their letters. */

#ifndef STUB_HELPER_HEAD_H
#define STUB_HELPER_HEAD_H

#define TCG_CALL_NO_RWG 0

#define C_TYPE_env CPUArchState *
#define C_TYPE_tl target_ulong
#define C_TYPE_i32 uint32_t
#define C_TYPE_i64 uint64_t
#define C_TYPE_ptr void *

#define TCG_TYPE_env TCGv_env
#define TCG_TYPE_tl TCGv
#define TCG_TYPE_i32 TCGv_i32
#define TCG_TYPE_i64 TCGv_i64
#define TCG_TYPE_ptr TCGv_ptr

#endif
