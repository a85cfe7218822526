#ifndef STUB_TRACE_FTRACE_H
#define STUB_TRACE_FTRACE_H

void __attribute__((format(printf, 1, 2))) ftrace_write(const char *format, ...);

#endif
