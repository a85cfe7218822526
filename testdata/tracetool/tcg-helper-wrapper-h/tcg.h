/*
 * Functions that generate calls to tcg in translated code.
 * Generated from tcg.events. Make changes there.
 */

/* For values that translated code already has. */
#define tcg_temp_new_nop(v) (v)
#define tcg_temp_free_nop(v)

static inline void gen_helper_trace_guest_load_exec(TCGv_env __tcg___cpu, TCGv addr, uint8_t size, void *where)
{
    TCGv_env ____tcg___cpu = tcg_temp_new_nop(__tcg___cpu);
    TCGv __addr = tcg_temp_new_nop(addr);
    TCGv_i32 __size = tcg_const_i32(size);
    TCGv_ptr __where = tcg_const_ptr(where);
    gen_helper_trace_guest_load_exec_proxy(____tcg___cpu, __addr, __size, __where);
    tcg_temp_free_nop(____tcg___cpu);
    tcg_temp_free_nop(__addr);
    tcg_temp_free_i32(__size);
    tcg_temp_free_ptr(__where);
}

static inline void gen_helper_trace_every_type_exec(TCGv a, TCGv_i32 b, TCGv_i64 c, TCGv_ptr d, uint8_t e, uint16_t f, uint32_t g, uint64_t h, void *i)
{
    TCGv __a = tcg_temp_new_nop(a);
    TCGv_i32 __b = tcg_temp_new_nop(b);
    TCGv_i64 __c = tcg_temp_new_nop(c);
    TCGv_ptr __d = tcg_temp_new_nop(d);
    TCGv_i32 __e = tcg_const_i32(e);
    TCGv_i32 __f = tcg_const_i32(f);
    TCGv_i32 __g = tcg_const_i32(g);
    TCGv_i64 __h = tcg_const_i64(h);
    TCGv_ptr __i = tcg_const_ptr(i);
    gen_helper_trace_every_type_exec_proxy(__a, __b, __c, __d, __e, __f, __g, __h, __i);
    tcg_temp_free_nop(__a);
    tcg_temp_free_nop(__b);
    tcg_temp_free_nop(__c);
    tcg_temp_free_nop(__d);
    tcg_temp_free_i32(__e);
    tcg_temp_free_i32(__f);
    tcg_temp_free_i32(__g);
    tcg_temp_free_i64(__h);
    tcg_temp_free_ptr(__i);
}

static inline void gen_helper_trace_cpu_alone_exec(TCGv_env __tcg___cpu)
{
    TCGv_env ____tcg___cpu = tcg_temp_new_nop(__tcg___cpu);
    gen_helper_trace_cpu_alone_exec_proxy(____tcg___cpu);
    tcg_temp_free_nop(____tcg___cpu);
}

static inline void gen_helper_trace_nothing_exec(void)
{
    gen_helper_trace_nothing_exec_proxy();
}

static inline void gen_helper_trace_known_late_exec(TCGv_i64 a)
{
    TCGv_i64 __a = tcg_temp_new_nop(a);
    gen_helper_trace_known_late_exec_proxy(__a);
    tcg_temp_free_nop(__a);
}

static inline void gen_helper_trace_known_early_exec(uint16_t a)
{
    TCGv_i32 __a = tcg_const_i32(a);
    gen_helper_trace_known_early_exec_proxy(__a);
    tcg_temp_free_i32(__a);
}

static inline void gen_helper_trace_names_exec(TCGv a, uint8_t __a, uint32_t if__, TCGv_ptr if_)
{
    TCGv ___a = tcg_temp_new_nop(a);
    TCGv_i32 _____a = tcg_const_i32(__a);
    TCGv_i32 ___if__ = tcg_const_i32(if__);
    TCGv_ptr ___if_ = tcg_temp_new_nop(if_);
    gen_helper_trace_names_exec_proxy(___a, _____a, ___if__, ___if_);
    tcg_temp_free_nop(___a);
    tcg_temp_free_i32(_____a);
    tcg_temp_free_i32(___if__);
    tcg_temp_free_nop(___if_);
}
