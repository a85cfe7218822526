/*
 * The USDT probes of types.
 * Generated from types.events. Make changes there.
 */

provider qemu {
    probe signed_8(int8_t a, char b, int8_t c);
    probe signed_16(int16_t a, short b, short c);
    probe signed_32(int32_t a, int b, signed c, const int d);
    probe signed_64(int64_t a, long b, int64_t c, long d);
    probe unsigned_8(uint8_t a, unsigned char b);
    probe unsigned_16(uint16_t a, unsigned short b, unsigned short c);
    probe unsigned_32(uint32_t a, unsigned b, unsigned int c);
    probe unsigned_64(uint64_t a, unsigned long b, uint64_t c, unsigned long d);
    probe sizes(size_t a, ssize_t b, uintptr_t c, ptrdiff_t d, const size_t e);
    probe truth(bool a);
    probe pointers(void *a, const void *b, void **c, int *d, char **e, const char **f, uint8_t *g);
    probe strings(const char *a, char *b, const char *c, char *d);
};
