# Invalid notes: a string without an end, an unknown kind, and a length beyond the end of the section.

        .section .note.stapsdt, "", "note"
        .4byte 8, 92f - 91f, 3
        .asciz "stapsdt"
91:     .8byte 0x1000, 0x2000, 0
        .asciz "blk"
        .ascii "never_ends"
92:     .balign 4
        .4byte 8, 92f - 91f, 3
        .asciz "stapsdt"
91:     .8byte 0x1000, 0x2000, 0
        .asciz "blk"
        .asciz "sound"
        .asciz "@@ 4@ -@x 4@%eax"
92:     .balign 4
        .4byte 8, 4, 77
        .asciz "stapsdt"
        .4byte 0
        .4byte 8, 0xfffffff0, 3
        .asciz "stapsdt"

        .section .note.ringtrace, "a", "note"
        .4byte 10, 92f - 91f, 1
        .asciz "ringtrace"
        .balign 4
91:     .asciz "blk"
        .asciz "this is no declaration"
92:     .balign 4
        .4byte 10, 92f - 91f, 1
        .asciz "ringtrace"
        .balign 4
91:     .asciz "\033[31mred"
        .asciz "blk_red(int a) \"%d\033[31m\""
92:     .balign 4
