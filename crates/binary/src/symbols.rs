//! The functions at addresses of executables and libraries, from their debug information or symbol
//! tables.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use addr2line::Loader;
use object::{Object, ReadCache};

/// The folder of separate debug information, by build id.
const DEBUG_FOLDER: &str = "/usr/lib/debug/.build-id";

/// The functions of one executable or library.
pub struct Symbols {
    loader: Loader,
    known: HashMap<u64, Vec<Function>>,
}

impl std::fmt::Debug for Symbols {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Symbols").field("known", &self.known.len()).finish_non_exhaustive()
    }
}

/// A function, and the position in its source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// The name. Names of Rust functions are demangled.
    pub name: String,
    /// The file and the line in the source code, if the file has debug information.
    pub source: Option<(String, Option<u32>)>,
    /// Whether the function is inlined into the next one of a list.
    pub is_inlined: bool,
}

impl Symbols {
    /// Opens the file at `path`. If it has no debug information, but the system has separate debug
    /// information for its build id, uses that.
    ///
    /// # Errors
    /// Returns a message if the file cannot be read, or if its build id is not `build_id`. An empty
    /// `build_id` accepts every file.
    pub fn open(path: &Path, build_id: &[u8]) -> Result<Symbols, String> {
        let file = inspect(path)?;
        if !build_id.is_empty() && file.build_id != build_id {
            return Err(match file.build_id.as_slice() {
                [] => "it has no build id; the program ran another version".to_owned(),
                found => format!("its build id is {}; the program ran another version", hex(found)),
            });
        }
        let debug = debug_file(build_id).filter(|_| !file.has_debug_information);
        let debug = debug.filter(|path| inspect(path).is_ok_and(|found| found.build_id == build_id));
        let loader = Loader::new(debug.as_deref().unwrap_or(path)).map_err(|error| error.to_string())?;
        Ok(Symbols { loader, known: HashMap::new() })
    }

    /// Returns the functions that contain `address`, an address in the file, innermost first:
    /// inlined functions precede the function into which they are inlined. Returns nothing if there
    /// is no symbol for the address.
    pub fn functions(&mut self, address: u64) -> Vec<Function> {
        if let Some(functions) = self.known.get(&address) {
            return functions.clone();
        }
        let functions = self.find(address);
        if self.known.len() >= MAX_KNOWN {
            self.known.clear();
        }
        self.known.insert(address, functions.clone());
        functions
    }

    fn find(&self, address: u64) -> Vec<Function> {
        let mut functions = Vec::new();
        if address > MAX_ADDRESS {
            return functions;
        }
        if let Ok(mut frames) = self.loader.find_frames(address) {
            while let Ok(Some(frame)) = frames.next() {
                let name = frame.function.as_ref().and_then(|name| name.demangle().ok());
                let name = name.map_or_else(String::new, std::borrow::Cow::into_owned);
                let source = frame.location.and_then(|place| Some((place.file?.to_owned(), place.line)));
                functions.push(Function { name, source, is_inlined: true });
            }
        }
        // Debug information with line tables only has no names, or names without their modules, but
        // symbols are only those of functions that are not inlined.
        match (functions.last_mut(), self.symbol(address)) {
            (Some(last), Some(name))
                if !last.name.split('<').next().is_some_and(|first| first.contains("::")) =>
            {
                last.name = name;
            }
            (None, Some(name)) => functions.push(Function { name, source: None, is_inlined: false }),
            _ => {}
        }
        functions.retain(|function| !function.name.is_empty());
        if let Some(last) = functions.last_mut() {
            last.is_inlined = false;
        }
        functions
    }
}

impl Symbols {
    /// Returns the name in the symbol table.
    fn symbol(&self, address: u64) -> Option<String> {
        let symbol = self.loader.find_symbol(address)?;
        Some(addr2line::demangle_auto(symbol.into(), None).into_owned())
    }
}

/// Addresses beyond this one are in no file. `addr2line` adds to addresses without a check.
const MAX_ADDRESS: u64 = u64::MAX / 2;

/// The number of addresses whose functions are kept in memory.
const MAX_KNOWN: usize = 1 << 16;

struct Inspected {
    build_id: Vec<u8>,
    has_debug_information: bool,
}

fn inspect(path: &Path) -> Result<Inspected, String> {
    // A trace can name any path. Opening a device or a pipe may have side effects.
    let metadata = fs::metadata(path).map_err(|error| without_number(&error))?;
    if !metadata.is_file() {
        return Err("it is not a regular file".to_owned());
    }
    let file = fs::File::open(path).map_err(|error| without_number(&error))?;
    let cache = ReadCache::new(file);
    let object = object::File::parse(&cache).map_err(|error| error.to_string())?;
    let build_id = object.build_id().ok().flatten().unwrap_or_default().to_vec();
    Ok(Inspected { build_id, has_debug_information: object.has_debug_symbols() })
}

/// Returns the path of separate debug information, if there is some for `build_id`.
fn debug_file(build_id: &[u8]) -> Option<PathBuf> {
    let (first, rest) = build_id.split_first()?;
    let path = Path::new(DEBUG_FOLDER).join(hex(&[*first])).join(format!("{}.debug", hex(rest)));
    path.is_file().then_some(path)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the system's error message, without its number.
fn without_number(error: &std::io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_lowercase()
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests read their own program")]
mod tests {
    use super::*;

    #[inline(never)]
    fn known_function() -> u64 {
        std::hint::black_box(known_function as fn() -> u64 as usize as u64)
    }

    /// The distance between addresses in this program's memory and in its file.
    fn bias(symbols: &Symbols) -> u64 {
        let maps = fs::read_to_string("/proc/self/maps").unwrap();
        let program = std::env::current_exe().unwrap();
        let first = maps.lines().find(|line| line.ends_with(program.to_str().unwrap())).unwrap();
        let start = u64::from_str_radix(first.split('-').next().unwrap(), 16).unwrap();
        start - symbols.loader.relative_address_base()
    }

    #[test]
    fn functions_of_this_program_have_names_and_lines() {
        let program = std::env::current_exe().unwrap();
        let mut symbols = Symbols::open(&program, &[]).unwrap();
        let address = known_function() - bias(&symbols);
        let found = symbols.functions(address);
        let last = found.last().unwrap();
        assert!(last.name.ends_with("symbols::tests::known_function"), "{found:?}");
        assert!(last.source.as_ref().unwrap().0.ends_with("symbols.rs"), "{found:?}");
        assert_eq!(symbols.functions(address), found);
        assert_eq!(symbols.functions(1 << 60), []);
    }

    #[test]
    fn another_build_is_refused() {
        let program = std::env::current_exe().unwrap();
        let error = Symbols::open(&program, &[1, 2, 3]).unwrap_err();
        assert!(error.contains("the program ran another version"), "{error}");
        let error = Symbols::open(Path::new("/nonexistent"), &[]).unwrap_err();
        assert_eq!(error, "no such file or directory");
        let error = Symbols::open(Path::new("/proc/self/status"), &[]).unwrap_err();
        assert!(!error.is_empty());
    }
}
