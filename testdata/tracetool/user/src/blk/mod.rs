//! A block device with probes.

ringtrace::include_trace!("blk");

/// A request.
#[derive(Debug)]
pub struct Request {
    /// The offset on the device.
    pub offset: u64,
    /// The number of bytes.
    pub len: i32,
    /// The device.
    pub name: &'static str,
}

/// A function with a probe of every argument type.
#[inline(never)]
pub fn read(request: &Request) -> u64 {
    trace::blk_read(request, request.offset, request.len, request.name);
    request.offset.wrapping_mul(3)
}

/// Does the same as `read`, but without a probe.
#[inline(never)]
pub fn read_untraced(request: &Request) -> u64 {
    request.offset.wrapping_mul(5)
}

/// Contains only a probe.
#[inline(never)]
pub fn write(request: &Request, offset: u64, len: i32) {
    trace::blk_write(request, offset, len);
}

/// Contains only a probe, whose argument is expensive to compute.
#[inline(never)]
pub fn write_lazily(request: &Request, f: fn() -> u64) {
    trace::blk_write!(request, f(), 0);
}

/// Contains only a probe, whose arguments are converted.
#[inline(never)]
pub fn write_converted(request: &Request, offset: usize, len: i16) {
    trace::blk_write!(request, offset, len);
}

/// Contains only a span.
#[inline(never)]
pub fn spanned(request: &Request, offset: usize, f: fn() -> i32) {
    let _request = trace::span!(blk_begin(request, offset) => blk_end(request, f()));
}

/// Contains a span around a call that may panic.
#[inline(never)]
pub fn spanned_call(request: &mut Request, f: fn(&mut Request) -> i32) -> i32 {
    let mut span = trace::span!(blk_begin(&*request, request.offset) => blk_end(&*request, -1));
    let ret = f(request);
    span.set(|end| end.ret = ret);
    ret
}

/// Contains only probes of an event that is declared with `disable`.
#[inline(never)]
pub fn poll(request: &Request) {
    trace::blk_poll(request);
    trace::blk_poll!(request);
}

/// Passes all types that probes accept as strings and addresses, in both forms.
pub fn all_kinds(request: &mut Request, maybe: Option<&str>, c: &core::ffi::CStr) {
    let pointer: *const Request = request;
    trace::blk_read(pointer, 0, 0, "text");
    trace::blk_read!(pointer.cast_mut(), 0, 0, b"bytes");
    trace::blk_read(&*request, 0, 0, maybe);
    trace::blk_read!(&mut *request, 0, 0, c,);
    trace::blk_read(core::ptr::NonNull::from(&mut *request), 0, 0, None::<&[u8]>);
    trace::blk_error(&*request, 1);
    trace::r#type(1);
    trace::r#type!(1);
    if trace::type_enabled() && trace::blk_poll_enabled() {
        trace::blk_write(None::<&Request>, 0, 0);
    }
}
