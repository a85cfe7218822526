//! Strings and paths of the standard library as arguments of probes.

use std::borrow::Cow;
use std::ffi::{CStr, CString, OsStr, OsString};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use super::ToBytes;

impl ToBytes for OsStr {
    #[inline(always)]
    fn to_bytes(&self) -> &[u8] {
        self.as_encoded_bytes()
    }
}

impl ToBytes for Path {
    #[inline(always)]
    fn to_bytes(&self) -> &[u8] {
        self.as_os_str().to_bytes()
    }
}

macro_rules! owned {
    ($([$($generics:tt)*] $owned:ty => $borrowed:ty;)*) => {$(
        impl<$($generics)*> ToBytes for $owned {
            #[inline(always)]
            fn to_bytes(&self) -> &[u8] {
                <$borrowed>::to_bytes(self)
            }
        }
    )*};
}

owned! {
    [] String => str;
    [] Vec<u8> => [u8];
    [] CString => CStr;
    [] OsString => OsStr;
    [] PathBuf => Path;
    [B: ToBytes + ?Sized] Box<B> => B;
    [B: ToBytes + ?Sized] Rc<B> => B;
    [B: ToBytes + ?Sized] Arc<B> => B;
    [B: ToBytes + ToOwned + ?Sized] Cow<'_, B> => B;
}
