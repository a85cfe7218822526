/* Defines functions that generate calls of helpers, and includes the hand-written ones that precede them. */

#ifndef STUB_HELPER_GEN_H
#define STUB_HELPER_GEN_H

#include "exec/helper-head.h"
#include "exec/helper-proto.h"
#include "tcg.h"

#define DEF_HELPER_FLAGS_0(name, flags, ret) \
    static inline ret gen_helper_##name(void) { helper_##name(); }
#define DEF_HELPER_FLAGS_1(name, flags, ret, t1) \
    static inline ret gen_helper_##name(TCG_TYPE_##t1 a1) { helper_##name(a1.bits); }
#define DEF_HELPER_FLAGS_2(name, flags, ret, t1, t2) \
    static inline ret gen_helper_##name(TCG_TYPE_##t1 a1, TCG_TYPE_##t2 a2) { helper_##name(a1.bits, a2.bits); }
#define DEF_HELPER_FLAGS_3(name, flags, ret, t1, t2, t3) \
    static inline ret gen_helper_##name(TCG_TYPE_##t1 a1, TCG_TYPE_##t2 a2, TCG_TYPE_##t3 a3) { helper_##name(a1.bits, a2.bits, a3.bits); }
#define DEF_HELPER_FLAGS_4(name, flags, ret, t1, t2, t3, t4) \
    static inline ret gen_helper_##name(TCG_TYPE_##t1 a1, TCG_TYPE_##t2 a2, TCG_TYPE_##t3 a3, TCG_TYPE_##t4 a4) { helper_##name(a1.bits, a2.bits, a3.bits, a4.bits); }
#define DEF_HELPER_FLAGS_5(name, flags, ret, t1, t2, t3, t4, t5) \
    static inline ret gen_helper_##name(TCG_TYPE_##t1 a1, TCG_TYPE_##t2 a2, TCG_TYPE_##t3 a3, TCG_TYPE_##t4 a4, TCG_TYPE_##t5 a5) { helper_##name(a1.bits, a2.bits, a3.bits, a4.bits, a5.bits); }
#define DEF_HELPER_FLAGS_6(name, flags, ret, t1, t2, t3, t4, t5, t6) \
    static inline ret gen_helper_##name(TCG_TYPE_##t1 a1, TCG_TYPE_##t2 a2, TCG_TYPE_##t3 a3, TCG_TYPE_##t4 a4, TCG_TYPE_##t5 a5, TCG_TYPE_##t6 a6) { helper_##name(a1.bits, a2.bits, a3.bits, a4.bits, a5.bits, a6.bits); }
#define DEF_HELPER_FLAGS_7(name, flags, ret, t1, t2, t3, t4, t5, t6, t7) \
    static inline ret gen_helper_##name(TCG_TYPE_##t1 a1, TCG_TYPE_##t2 a2, TCG_TYPE_##t3 a3, TCG_TYPE_##t4 a4, TCG_TYPE_##t5 a5, TCG_TYPE_##t6 a6, TCG_TYPE_##t7 a7) { helper_##name(a1.bits, a2.bits, a3.bits, a4.bits, a5.bits, a6.bits, a7.bits); }
#define DEF_HELPER_FLAGS_8(name, flags, ret, t1, t2, t3, t4, t5, t6, t7, t8) \
    static inline ret gen_helper_##name(TCG_TYPE_##t1 a1, TCG_TYPE_##t2 a2, TCG_TYPE_##t3 a3, TCG_TYPE_##t4 a4, TCG_TYPE_##t5 a5, TCG_TYPE_##t6 a6, TCG_TYPE_##t7 a7, TCG_TYPE_##t8 a8) { helper_##name(a1.bits, a2.bits, a3.bits, a4.bits, a5.bits, a6.bits, a7.bits, a8.bits); }
#define DEF_HELPER_FLAGS_9(name, flags, ret, t1, t2, t3, t4, t5, t6, t7, t8, t9) \
    static inline ret gen_helper_##name(TCG_TYPE_##t1 a1, TCG_TYPE_##t2 a2, TCG_TYPE_##t3 a3, TCG_TYPE_##t4 a4, TCG_TYPE_##t5 a5, TCG_TYPE_##t6 a6, TCG_TYPE_##t7 a7, TCG_TYPE_##t8 a8, TCG_TYPE_##t9 a9) { helper_##name(a1.bits, a2.bits, a3.bits, a4.bits, a5.bits, a6.bits, a7.bits, a8.bits, a9.bits); }
#define DEF_HELPER_FLAGS_10(name, flags, ret, t1, t2, t3, t4, t5, t6, t7, t8, t9, t10) \
    static inline ret gen_helper_##name(TCG_TYPE_##t1 a1, TCG_TYPE_##t2 a2, TCG_TYPE_##t3 a3, TCG_TYPE_##t4 a4, TCG_TYPE_##t5 a5, TCG_TYPE_##t6 a6, TCG_TYPE_##t7 a7, TCG_TYPE_##t8 a8, TCG_TYPE_##t9 a9, TCG_TYPE_##t10 a10) { helper_##name(a1.bits, a2.bits, a3.bits, a4.bits, a5.bits, a6.bits, a7.bits, a8.bits, a9.bits, a10.bits); }

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

#include "trace/generated-helpers-wrappers.h"

#endif
