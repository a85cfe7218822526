//! The names of functions in stacks, for `--symbols`.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use ringtrace_binary::Symbols;
use ringtrace_tracefile::metadata::Module;
use ringtrace_tracefile::text::stack::{Finder, FunctionFinder, FunctionName};

use crate::terminal::Terminal;

/// A file, by its path and its build id.
type FileKey = (Vec<u8>, Vec<u8>);

/// The symbols of the files that stacks refer to. A file is opened when it is first needed.
#[derive(Debug, Default)]
pub struct SymbolFiles {
    files: Mutex<HashMap<FileKey, Result<Symbols, String>>>,
}

impl SymbolFiles {
    pub fn new() -> Arc<SymbolFiles> {
        Arc::default()
    }

    pub fn finder(self: &Arc<Self>) -> Finder {
        Some(Arc::<SymbolFiles>::clone(self))
    }

    /// Warns about files without readable symbols.
    pub fn report(&self, terminal: &Terminal) {
        let files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let mut failed: Vec<_> = files
            .iter()
            .filter_map(|((path, _), file)| Some((String::from_utf8_lossy(path), file.as_ref().err()?)))
            .collect();
        failed.sort_unstable();
        for (path, error) in failed {
            terminal.warn(&format!("no symbols from {}: {error}", path.escape_debug()), None);
        }
    }
}

impl FunctionFinder for SymbolFiles {
    fn functions(&self, module: &Module, address: u64) -> Vec<FunctionName> {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (module.path.clone(), module.build_id.clone());
        let file = files.entry(key).or_insert_with_key(|(path, build_id)| {
            Symbols::open(Path::new(OsStr::from_bytes(path)), build_id)
        });
        let functions = file.as_mut().map_or_else(|_| Vec::new(), |symbols| symbols.functions(address));
        let name = |function: ringtrace_binary::Function| FunctionName {
            name: function.name,
            source: function.source,
            is_inlined: function.is_inlined,
        };
        functions.into_iter().map(name).collect()
    }
}
