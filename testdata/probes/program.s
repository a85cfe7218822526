# A program for `ringtrace probes`. It contains declarations in notes, as in Rust programs, and in strings, as in C programs. It also contains
# USDT probes with and without semaphores, as in Rust programs, in QEMU and in other programs, and C events that are only symbols.

        .macro declared group, text
        .pushsection .note.ringtrace, "a", "note"
        .balign 4
        .4byte 10, 92f - 91f, 1
        .asciz "ringtrace"
        .balign 4
91:     .asciz "\group"
        .asciz "\text"
92:     .balign 4
        .popsection
        .endm

        .macro usdt provider, name, semaphore, arguments
90:     nop
        .pushsection .note.stapsdt, "", "note"
        .balign 4
        .4byte 8, 92f - 91f, 3
        .asciz "stapsdt"
91:     .8byte 90b, base, \semaphore
        .asciz "\provider"
        .asciz "\name"
        .asciz "\arguments"
92:     .balign 4
        .popsection
        .endm

        declared "blk", "blk_begin(uint64_t req, const char *name) \"req %\" PRIu64 \" name %s\""
        declared "blk", "blk_end(uint64_t req) \"req %\" PRIu64"
        declared "blk", "blk_reset(void) \"reset\""
        declared "blk", "disable blk_poll(void *queue) \"queue %p\""

        .text
        .globl _start
_start: usdt "blk", "blk_begin", counted, "8@0(%rax) 8@8(%rax)"
        usdt "blk", "blk_reset", counted, ""
        usdt "qemu", "qcow2_open", counted, "8@%rdi -4@%esi 1@%dl -2@$-5 8@16(%rsp)"
        usdt "other", "twice", 0, "4@%eax"
        usdt "other", "twice", 0, "4@-20(%rbp,%rcx,4)"
        usdt "other", "number", 0, "8f@%xmm0"

        .globl _TRACE_QCOW2_OPEN_EVENT, _TRACE_QCOW2_CLOSE_EVENT
        .data
_TRACE_QCOW2_OPEN_EVENT:
_TRACE_QCOW2_CLOSE_EVENT:
        .8byte 0

        .section ringtrace_groups, "aw"
        .8byte 0, net, 0, declarations
        .section .rodata
declarations: .8byte net_send, 0
net:    .asciz "net"
net_send: .asciz "net_send(size_t len) \"len %zu\""

        .section .probes, "aw"
counted: .2byte 0
        .section .stapsdt.base, "a"
base:   .byte 0
