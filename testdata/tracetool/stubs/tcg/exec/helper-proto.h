/* Declares helpers as translated code calls them. */

#ifndef STUB_HELPER_PROTO_H
#define STUB_HELPER_PROTO_H

#include "exec/helper-head.h"
#include "cpu.h"

#define DEF_HELPER_FLAGS_0(name, flags, ret) \
    ret helper_##name(void);
#define DEF_HELPER_FLAGS_1(name, flags, ret, t1) \
    ret helper_##name(C_TYPE_##t1);
#define DEF_HELPER_FLAGS_2(name, flags, ret, t1, t2) \
    ret helper_##name(C_TYPE_##t1, C_TYPE_##t2);
#define DEF_HELPER_FLAGS_3(name, flags, ret, t1, t2, t3) \
    ret helper_##name(C_TYPE_##t1, C_TYPE_##t2, C_TYPE_##t3);
#define DEF_HELPER_FLAGS_4(name, flags, ret, t1, t2, t3, t4) \
    ret helper_##name(C_TYPE_##t1, C_TYPE_##t2, C_TYPE_##t3, C_TYPE_##t4);
#define DEF_HELPER_FLAGS_5(name, flags, ret, t1, t2, t3, t4, t5) \
    ret helper_##name(C_TYPE_##t1, C_TYPE_##t2, C_TYPE_##t3, C_TYPE_##t4, C_TYPE_##t5);
#define DEF_HELPER_FLAGS_6(name, flags, ret, t1, t2, t3, t4, t5, t6) \
    ret helper_##name(C_TYPE_##t1, C_TYPE_##t2, C_TYPE_##t3, C_TYPE_##t4, C_TYPE_##t5, C_TYPE_##t6);
#define DEF_HELPER_FLAGS_7(name, flags, ret, t1, t2, t3, t4, t5, t6, t7) \
    ret helper_##name(C_TYPE_##t1, C_TYPE_##t2, C_TYPE_##t3, C_TYPE_##t4, C_TYPE_##t5, C_TYPE_##t6, C_TYPE_##t7);
#define DEF_HELPER_FLAGS_8(name, flags, ret, t1, t2, t3, t4, t5, t6, t7, t8) \
    ret helper_##name(C_TYPE_##t1, C_TYPE_##t2, C_TYPE_##t3, C_TYPE_##t4, C_TYPE_##t5, C_TYPE_##t6, C_TYPE_##t7, C_TYPE_##t8);
#define DEF_HELPER_FLAGS_9(name, flags, ret, t1, t2, t3, t4, t5, t6, t7, t8, t9) \
    ret helper_##name(C_TYPE_##t1, C_TYPE_##t2, C_TYPE_##t3, C_TYPE_##t4, C_TYPE_##t5, C_TYPE_##t6, C_TYPE_##t7, C_TYPE_##t8, C_TYPE_##t9);
#define DEF_HELPER_FLAGS_10(name, flags, ret, t1, t2, t3, t4, t5, t6, t7, t8, t9, t10) \
    ret helper_##name(C_TYPE_##t1, C_TYPE_##t2, C_TYPE_##t3, C_TYPE_##t4, C_TYPE_##t5, C_TYPE_##t6, C_TYPE_##t7, C_TYPE_##t8, C_TYPE_##t9, C_TYPE_##t10);

#include "trace/generated-helpers.h"

#undef DEF_HELPER_FLAGS_0
#undef DEF_HELPER_FLAGS_1
#undef DEF_HELPER_FLAGS_2
#undef DEF_HELPER_FLAGS_3
#undef DEF_HELPER_FLAGS_4
#undef DEF_HELPER_FLAGS_5
#undef DEF_HELPER_FLAGS_6
#undef DEF_HELPER_FLAGS_7
#undef DEF_HELPER_FLAGS_8
#undef DEF_HELPER_FLAGS_9
#undef DEF_HELPER_FLAGS_10

#endif
