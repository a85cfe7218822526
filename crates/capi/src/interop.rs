//! What `main()` got, and what of it is taken out.

use std::ffi::{OsStr, OsString, c_char, c_int};

use ringtrace::{Options, OptionsError};

use crate::own::string;

/// The arguments of a program.
pub(crate) struct Arguments {
    count: *mut c_int,
    first: *mut *mut c_char,
}

impl Arguments {
    /// `None`: there are none.
    ///
    /// # Safety
    /// NULL, or what main() got, which stays as long as this.
    pub(crate) unsafe fn of(argc: *mut c_int, argv: *mut *mut c_char) -> Option<Arguments> {
        (!argc.is_null() && !argv.is_null()).then_some(Arguments { count: argc, first: argv })
    }

    /// What `parse` takes of them, and the others.
    pub(crate) fn taken(
        &self,
        parse: impl FnOnce(Vec<OsString>) -> Result<(Options, Vec<OsString>), OptionsError>,
    ) -> Result<(Options, Vec<*mut c_char>), OptionsError> {
        // SAFETY: the promise of who made this: so many strings.
        let all: Vec<*mut c_char> =
            unsafe { (0..*self.count as usize).map(|at| *self.first.add(at)).collect() };
        // SAFETY: as above.
        let text = |at: &*mut c_char| -> &OsStr { unsafe { string(*at) } };
        let (options, rest) = parse(all.iter().map(|at| text(at).to_owned()).collect())?;
        // They are in order, so each is the next one that reads like it.
        let mut all = all.iter();
        let find = |wanted: &OsString| all.find(|at| text(at) == wanted).copied();
        Ok((options, rest.iter().filter_map(find).collect()))
    }

    /// Leaves these to the program.
    pub(crate) fn leave(&self, left: &[*mut c_char]) {
        // SAFETY: not more than there were, and a place for the NULL behind them.
        unsafe {
            for (at, argument) in left.iter().enumerate() {
                *self.first.add(at) = *argument;
            }
            *self.first.add(left.len()) = std::ptr::null_mut();
            *self.count = left.len() as c_int;
        }
    }
}
