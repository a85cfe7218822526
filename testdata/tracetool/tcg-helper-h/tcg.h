/*
 * Functions of tcg that translated code calls.
 * Generated from tcg.events. Make changes there.
 */

DEF_HELPER_FLAGS_4(trace_guest_load_exec_proxy, TCG_CALL_NO_RWG, void, env, tl, i32, ptr)

DEF_HELPER_FLAGS_9(trace_every_type_exec_proxy, TCG_CALL_NO_RWG, void, tl, i32, i64, ptr, i32, i32, i32, i64, ptr)

DEF_HELPER_FLAGS_1(trace_cpu_alone_exec_proxy, TCG_CALL_NO_RWG, void, env)

DEF_HELPER_FLAGS_0(trace_nothing_exec_proxy, TCG_CALL_NO_RWG, void)

DEF_HELPER_FLAGS_1(trace_known_late_exec_proxy, TCG_CALL_NO_RWG, void, i64)

DEF_HELPER_FLAGS_1(trace_known_early_exec_proxy, TCG_CALL_NO_RWG, void, i32)

DEF_HELPER_FLAGS_4(trace_names_exec_proxy, TCG_CALL_NO_RWG, void, tl, i32, i32, ptr)
