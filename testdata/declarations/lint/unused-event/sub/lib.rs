fn f() {
    trace::trace_used_in_rust(2);
}
