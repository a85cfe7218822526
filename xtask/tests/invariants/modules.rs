//! The module tree of a crate, read from its sources, and the paths that each module uses.
//!
//! Sources are read as tokens, so comments and literals are never mistaken for code. Items under
//! `#[cfg(test)]` and `#[cfg(loom)]` are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use super::{root, rust_files};

/// A path as it is written: `crate::ring::Ring` has three segments.
type Segments = Vec<String>;

/// One crate: a library, or one program.
pub struct Crate {
    /// The name of the crate in messages, such as `crates/wire/src`.
    pub name: String,
    modules: Vec<Module>,
}

/// A module in a file of its own, or an inline one.
#[derive(Default)]
struct Module {
    /// The module's path below the crate's root. It is empty for the root.
    path: Segments,
    parent: usize,
    /// The module that the file defines. This is the module itself, unless it is inline.
    file: usize,
    /// The file, relative to the workspace's root.
    source: PathBuf,
    children: BTreeMap<String, usize>,
    items: BTreeSet<String>,
    imports: BTreeMap<String, Segments>,
    globs: Vec<Segments>,
    uses: Vec<Use>,
}

/// A path that a module uses, in a `use` declaration or in code.
struct Use {
    path: Segments,
    line: usize,
}

/// The target of a path.
#[derive(Debug, PartialEq, Eq)]
enum Target {
    /// A module of this crate, or an item defined in it.
    Module(usize),
    /// Another crate's item.
    External(Segments),
    /// A local name, or one that only the compiler can resolve.
    Unknown,
}

/// A dependency between two modules, with the line that causes it.
#[derive(Debug, PartialEq, Eq)]
pub struct Edge {
    /// The module that uses the other.
    pub from: String,
    /// The module that is used.
    pub to: String,
    /// `FILE:LINE` of the first use.
    pub place: String,
}

/// Returns the library or program in `crates/NAME/src`, and the programs in its folder `bin`.
pub fn crates(name: &str) -> Vec<Crate> {
    let source = root().join("crates").join(name).join("src");
    let mut roots: Vec<PathBuf> =
        ["lib.rs", "main.rs"].iter().map(|file| source.join(file)).filter(|file| file.is_file()).collect();
    for file in rust_files(&source.join("bin")) {
        if file.ends_with("main.rs") || file.parent().is_some_and(|folder| folder.ends_with("bin")) {
            roots.push(file);
        }
    }
    assert!(!roots.is_empty(), "{} has no crate root", source.display());
    roots.iter().map(|file| Crate::read(file, &|path| std::fs::read_to_string(path).ok())).collect()
}

impl Crate {
    /// Reads the crate whose root is `file`. `read` returns a file's text, or `None` if there is no
    /// such file.
    fn read(file: &Path, read: &dyn Fn(&Path) -> Option<String>) -> Crate {
        let mut reader = Reader { read, modules: Vec::new() };
        let folder = file.parent().unwrap();
        reader.file(file, folder, Vec::new(), 0);
        let name = file.strip_prefix(root()).unwrap_or(file).display().to_string();
        Crate { name, modules: reader.modules }
    }

    /// Returns the files of the crate, relative to the workspace's root.
    pub fn files(self) -> Vec<PathBuf> {
        let files = self.modules.into_iter().enumerate().filter(|(at, module)| module.file == *at);
        files.map(|(_, module)| module.source).collect()
    }

    /// Returns the uses of other crates' items whose path starts with one of `prefixes`, as
    /// `FILE:LINE: PATH`.
    pub fn external_uses(&self, prefixes: &[&str]) -> Vec<String> {
        let mut found = Vec::new();
        for (at, module) in self.modules.iter().enumerate() {
            for Use { path, line } in &module.uses {
                let Target::External(path) = self.resolve(at, path, 0) else { continue };
                let path = path.join("::");
                let matches = |prefix: &&str| {
                    path.strip_prefix(*prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
                };
                if prefixes.iter().any(matches) {
                    found.push(format!("{}:{line}: {path}", module.source.display()));
                }
            }
        }
        found
    }

    /// Returns the dependencies between the modules that are files.
    ///
    /// Omits dependencies of the crate's root, dependencies on the root, and dependencies of a
    /// module on the modules inside it. A re-export creates no dependency for its module, because
    /// users of the name depend on the module that defines it.
    pub fn edges(&self) -> Vec<Edge> {
        let mut edges = BTreeMap::new();
        for (at, module) in self.modules.iter().enumerate() {
            for Use { path, line } in &module.uses {
                let Target::Module(target) = self.resolve(at, path, 0) else { continue };
                let (from, to) = (&self.modules[module.file], &self.modules[self.modules[target].file]);
                let is_inside = to.path.starts_with(&from.path);
                if !is_inside && !to.path.is_empty() {
                    let place = format!("{}:{line}", from.source.display());
                    edges.entry((from.path.join("::"), to.path.join("::"))).or_insert(place);
                }
            }
        }
        edges.into_iter().map(|((from, to), place)| Edge { from, to, place }).collect()
    }

    /// Returns the top-level modules that contain other modules.
    pub fn folders(&self) -> BTreeSet<&str> {
        let files = self.modules.iter().enumerate().filter(|(at, module)| module.file == *at);
        files.filter(|(_, module)| module.path.len() > 1).map(|(_, module)| &*module.path[0]).collect()
    }

    /// Resolves a path that is used in module `at`. `depth` bounds the chain of re-exports.
    fn resolve(&self, at: usize, path: &[String], depth: usize) -> Target {
        let module = &self.modules[at];
        let Some((first, rest)) = path.split_first() else { return Target::Module(at) };
        match first.as_str() {
            "crate" => self.descend(0, rest, depth),
            "self" => self.descend(at, rest, depth),
            "super" => self.descend(module.parent, rest, depth),
            _ if depth > 8 => Target::Unknown,
            _ if module.children.contains_key(first) || module.imports.contains_key(first) => {
                self.descend(at, path, depth)
            }
            _ if module.items.contains(first) => Target::Module(at),
            _ => match self.resolve_in_globs(at, path, depth) {
                Some(target) => target,
                None if rest.is_empty() => Target::Unknown,
                None => Target::External(path.to_vec()),
            },
        }
    }

    /// Resolves `path`, which starts with a name in module `at`, or is empty.
    fn descend(&self, at: usize, path: &[String], depth: usize) -> Target {
        let module = &self.modules[at];
        let Some((first, rest)) = path.split_first() else { return Target::Module(at) };
        if first == "super" {
            return self.descend(module.parent, rest, depth);
        }
        if let Some(&child) = module.children.get(first) {
            return self.descend(child, rest, depth);
        }
        if module.items.contains(first) || depth > 8 {
            return Target::Module(at);
        }
        if let Some(import) = module.imports.get(first) {
            // In `use memchr::memchr;`, the first segment of the path is the other crate.
            if import.first() != Some(first) {
                return self.resolve(at, &[import, rest].concat(), depth + 1);
            }
            return Target::External([import, rest].concat());
        }
        self.resolve_in_globs(at, path, depth).unwrap_or(Target::Module(at))
    }

    /// Resolves a path whose first name is imported into module `at` by a `use ..::*;`.
    fn resolve_in_globs(&self, at: usize, path: &[String], depth: usize) -> Option<Target> {
        let first = path.first()?;
        if depth > 8 {
            return None;
        }
        self.modules[at].globs.iter().find_map(|glob| {
            let Target::Module(from) = self.resolve(at, glob, depth + 1) else { return None };
            let found = &self.modules[from];
            let has = from != at
                && (found.children.contains_key(first)
                    || found.items.contains(first)
                    || found.imports.contains_key(first));
            has.then(|| self.descend(from, path, depth + 1))
        })
    }
}

/// Reads the files of a crate.
struct Reader<'r> {
    read: &'r dyn Fn(&Path) -> Option<String>,
    modules: Vec<Module>,
}

impl Reader<'_> {
    /// Reads the module in `file`. The files of its child modules are in `folder`.
    fn file(&mut self, file: &Path, folder: &Path, path: Segments, parent: usize) -> usize {
        let text = (self.read)(file).unwrap_or_else(|| panic!("cannot read {}", file.display()));
        let tokens: TokenStream =
            text.parse().unwrap_or_else(|error| panic!("{} is not Rust: {error}", file.display()));
        let source = file.strip_prefix(root()).unwrap_or(file).to_owned();
        let at = self.modules.len();
        self.modules.push(Module { path, parent, file: at, source, ..Module::default() });
        self.items(tokens, folder, at);
        at
    }

    /// Reads the items of module `at`.
    fn items(&mut self, tokens: TokenStream, folder: &Path, at: usize) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut rest = &tokens[..];
        while let Some((first, behind)) = rest.split_first() {
            if let Some(behind) = skip_test(rest) {
                rest = behind;
                continue;
            }
            let word = ident(first).unwrap_or_default();
            let next = behind.first().and_then(ident);
            match (word.as_str(), next) {
                ("mod", Some(name)) => {
                    let path = [&self.modules[at].path[..], std::slice::from_ref(&name)].concat();
                    let folder = folder.join(&name);
                    let child = match behind.get(1) {
                        Some(TokenTree::Group(body)) => {
                            let (file, source) = (self.modules[at].file, self.modules[at].source.clone());
                            let module = Module { path, parent: at, file, source, ..Module::default() };
                            self.modules.push(module);
                            let child = self.modules.len() - 1;
                            self.items(body.stream(), &folder, child);
                            child
                        }
                        _ => {
                            let own = folder.join("mod.rs");
                            let beside = folder.with_extension("rs");
                            let file = if (self.read)(&own).is_some() { own } else { beside };
                            self.file(&file, &folder, path, at)
                        }
                    };
                    self.modules[at].children.insert(name, child);
                    rest = &behind[2..];
                }
                ("macro_rules", None) => {
                    self.modules[at].items.extend(behind.get(1).and_then(ident));
                    rest = &behind[2..];
                }
                ("fn" | "struct" | "enum" | "union" | "trait" | "type" | "const" | "static", Some(name)) => {
                    let name = if name == "mut" { behind.get(1).and_then(ident) } else { Some(name) };
                    let is_keyword = matches!(name.as_deref(), Some("unsafe" | "fn" | "extern"));
                    self.modules[at].items.extend(name.filter(|_| !is_keyword));
                    rest = behind;
                }
                _ => rest = self.code(rest, at),
            }
        }
    }

    /// Reads one token, path, group or `use` declaration at the start of `tokens`. Returns the rest
    /// of the tokens.
    fn code<'t>(&mut self, tokens: &'t [TokenTree], at: usize) -> &'t [TokenTree] {
        if let Some(behind) = skip_test(tokens) {
            return behind;
        }
        let word = ident(&tokens[0]);
        if word.as_deref() == Some("pub") {
            let restricted = matches!(tokens.get(1), Some(TokenTree::Group(_)));
            let behind = &tokens[1 + usize::from(restricted)..];
            if behind.first().and_then(ident).as_deref() == Some("use") {
                return self.import(behind, at, true);
            }
            return behind;
        }
        // `use<'a>` is a bound of an `impl Trait`.
        if word.as_deref() == Some("use") && !is_punct(tokens.get(1), '<') {
            return self.import(tokens, at, false);
        }
        match &tokens[0] {
            TokenTree::Group(group) => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                let mut rest = &inner[..];
                while !rest.is_empty() {
                    rest = self.code(rest, at);
                }
                &tokens[1..]
            }
            TokenTree::Punct(punct) => match (punct.as_char(), tokens.get(1)) {
                // The name of a method, a field or a lifetime is not a path. The end of a range may
                // be one.
                ('.' | '\'', Some(TokenTree::Ident(_))) => &tokens[2..],
                ('.', next) if is_punct(next, '.') => {
                    let dots = tokens.iter().take_while(|token| is_punct(Some(token), '.'));
                    &tokens[dots.count()..]
                }
                _ => &tokens[1..],
            },
            TokenTree::Ident(first) => {
                let line = first.span().start().line;
                let (path, behind) = path(tokens);
                let is_arguments = |group: &Group| group.delimiter() == Delimiter::Parenthesis;
                let is_called = is_punct(behind.first(), '!')
                    || matches!(behind.first(), Some(TokenTree::Group(group)) if is_arguments(group));
                // Other single names are mostly local variables.
                if path.len() > 1 || is_called || path[0].starts_with(char::is_uppercase) {
                    self.modules[at].uses.push(Use { path, line });
                }
                behind
            }
            TokenTree::Literal(_) => &tokens[1..],
        }
    }

    /// Reads a `use` declaration. Returns the tokens after it.
    fn import<'t>(&mut self, tokens: &'t [TokenTree], at: usize, is_reexport: bool) -> &'t [TokenTree] {
        let end = tokens.iter().position(|token| is_punct(Some(token), ';')).unwrap_or(tokens.len());
        let mut found = Vec::new();
        use_tree(&tokens[1..end], &[], &mut found);
        let module = &mut self.modules[at];
        for (path, name, line) in found {
            match name {
                Some(name) if name == "_" => {}
                Some(name) => drop(module.imports.insert(name, path.clone())),
                None => module.globs.push(path.clone()),
            }
            if !is_reexport {
                module.uses.push(Use { path, line });
            }
        }
        tokens.get(end + 1..).unwrap_or_default()
    }
}

fn is_punct(token: Option<&TokenTree>, character: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == character)
}

fn ident(token: &TokenTree) -> Option<String> {
    match token {
        TokenTree::Ident(ident) => Some(ident.to_string().trim_start_matches("r#").to_owned()),
        _ => None,
    }
}

/// Whether `tokens` start with `::`.
fn is_separator(tokens: &[TokenTree]) -> bool {
    is_punct(tokens.first(), ':') && is_punct(tokens.get(1), ':')
}

/// Returns the path at the start of `tokens`, which has at least one name, and the remaining
/// tokens.
fn path(tokens: &[TokenTree]) -> (Segments, &[TokenTree]) {
    let mut segments: Segments = ident(&tokens[0]).into_iter().collect();
    let mut rest = &tokens[1..];
    while is_separator(rest) {
        let Some(name) = rest.get(2).and_then(ident) else { break };
        segments.push(name);
        rest = &rest[3..];
    }
    (segments, rest)
}

/// Collects the paths in a `use` tree. Each has its line, and the name under which it is imported
/// (`None` for a glob).
fn use_tree(tokens: &[TokenTree], prefix: &[String], found: &mut Vec<(Segments, Option<String>, usize)>) {
    for tree in tokens.split(|token| is_punct(Some(token), ',')).filter(|tree| !tree.is_empty()) {
        let line = tree[0].span().start().line;
        let tree = if is_separator(tree) { &tree[2..] } else { tree };
        let (own, rest) =
            if tree.first().and_then(ident).is_some() { path(tree) } else { (Vec::new(), tree) };
        let mut full = [prefix, &own].concat();
        let rest = if is_separator(rest) { &rest[2..] } else { rest };
        match rest.first() {
            Some(TokenTree::Group(group)) => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                use_tree(&inner, &full, found);
            }
            Some(TokenTree::Punct(_)) => found.push((full, None, line)),
            // `as NAME`, or nothing.
            other => {
                if full.len() > 1 && full.last().is_some_and(|last| last == "self") {
                    full.pop();
                }
                let renamed = other.and_then(|_| rest.get(1)).and_then(ident);
                let name = renamed.or_else(|| full.last().cloned());
                found.push((full, name, line));
            }
        }
    }
}

/// If an attribute limits the item at the start of `tokens` to tests, returns the tokens after the
/// item.
fn skip_test(tokens: &[TokenTree]) -> Option<&[TokenTree]> {
    let mut rest = tokens;
    let mut is_test = false;
    while let [TokenTree::Punct(hash), TokenTree::Group(attribute), behind @ ..] = rest {
        if hash.as_char() != '#' || attribute.delimiter() != Delimiter::Bracket {
            break;
        }
        is_test |= is_test_only(&attribute.stream());
        rest = behind;
    }
    if !is_test {
        return None;
    }
    let first = rest.first().and_then(ident).unwrap_or_default();
    const ITEMS: &str =
        "async const enum extern fn impl let macro_rules mod pub static struct trait type unsafe use";
    let is_item = ITEMS.split(' ').any(|word| word == first);
    for (at, token) in rest.iter().enumerate() {
        match token {
            TokenTree::Punct(p) if p.as_char() == ';' || !is_item && p.as_char() == ',' => {
                return Some(&rest[at + 1..]);
            }
            TokenTree::Group(g) if g.delimiter() == Delimiter::Brace => return Some(&rest[at + 1..]),
            _ => {}
        }
    }
    Some(&[])
}

/// Whether an attribute is `cfg(test)`, `cfg(loom)`, or a `cfg(all(..))` with one of the two.
fn is_test_only(attribute: &TokenStream) -> bool {
    let text = attribute.to_string().replace(' ', "");
    let Some(condition) = text.strip_prefix("cfg(").and_then(|rest| rest.strip_suffix(')')) else {
        return false;
    };
    let all = condition.strip_prefix("all(").and_then(|rest| rest.strip_suffix(')'));
    all.unwrap_or(condition).split(',').any(|part| part == "test" || part == "loom")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(files: &[(&str, &str)]) -> Crate {
        let file = |path: &Path| {
            files.iter().find(|(name, _)| Path::new(name) == path).map(|(_, text)| (*text).to_owned())
        };
        Crate::read(Path::new("src/lib.rs"), &file)
    }

    fn edges(files: &[(&str, &str)]) -> Vec<String> {
        read(files)
            .edges()
            .iter()
            .map(|edge| format!("{} -> {} ({})", edge.from, edge.to, edge.place))
            .collect()
    }

    #[test]
    fn imports_and_paths_in_code_are_edges() {
        let found = edges(&[
            ("src/lib.rs", "mod a; mod b; mod c; mod d;"),
            ("src/a.rs", "use crate::b::{self, B as Other};\nfn f() { super::c::g::<B>(); d.e() }"),
            ("src/b.rs", "pub struct B; // crate::c::g\nconst TEXT: &str = \"crate::c::g\";"),
            ("src/c.rs", "pub fn g() {}"),
            ("src/d.rs", "/// See [`crate::c::g`].\nfn f(x: u8) { vec![crate::b::B] }"),
        ]);
        assert_eq!(found, ["a -> b (src/a.rs:1)", "a -> c (src/a.rs:2)", "d -> b (src/d.rs:2)"]);
    }

    #[test]
    fn reexports_lead_to_the_module_that_defines_the_name() {
        let found = edges(&[
            ("src/lib.rs", "mod facade; mod inner; mod user; pub use facade::Thing;"),
            (
                "src/facade/mod.rs",
                "mod thing; pub use self::thing::*; pub(crate) use crate::inner::Inner as Renamed;",
            ),
            ("src/facade/thing.rs", "pub struct Thing; pub fn make() {}"),
            ("src/inner.rs", "pub struct Inner;"),
            (
                "src/user.rs",
                "use crate::Thing;\nuse crate::facade::Renamed;\nfn f() { crate::facade::make() }",
            ),
        ]);
        assert_eq!(found, ["user -> facade::thing (src/user.rs:1)", "user -> inner (src/user.rs:2)"]);
    }

    #[test]
    fn a_child_that_uses_its_parent_is_an_edge_and_the_reverse_is_not() {
        let found = edges(&[
            ("src/lib.rs", "mod folder; fn root() { folder::child::f() }"),
            ("src/folder/mod.rs", "mod child; use child::f; pub struct Shared;"),
            ("src/folder/child.rs", "use super::Shared; pub fn f() { crate::root() }"),
        ]);
        assert_eq!(found, ["folder::child -> folder (src/folder/child.rs:1)"]);
    }

    #[test]
    fn a_name_that_a_glob_brings_is_an_edge_to_its_module() {
        let found = edges(&[
            ("src/lib.rs", "mod a; mod b; mod prelude;"),
            ("src/prelude.rs", "pub use crate::b::B;"),
            ("src/a.rs", "use crate::prelude::*;\nfn f() -> B { loop {} }"),
            ("src/b.rs", "pub struct B;"),
        ]);
        assert_eq!(found, ["a -> b (src/a.rs:2)", "a -> prelude (src/a.rs:1)"]);
    }

    #[test]
    fn inline_modules_belong_to_their_file() {
        let found = edges(&[
            ("src/lib.rs", "mod a; mod b;"),
            (
                "src/a.rs",
                "mod inline { use super::super::b::B; pub mod deeper { pub fn f() { super::g() } } fn g() {} }",
            ),
            ("src/b.rs", "pub struct B; fn f() { crate::a::inline::deeper::f() }"),
        ]);
        assert_eq!(found, ["a -> b (src/a.rs:1)", "b -> a (src/b.rs:1)"]);
    }

    #[test]
    fn tests_are_left_out() {
        let found = edges(&[
            ("src/lib.rs", "mod a; mod b; #[cfg(test)] mod not_read;"),
            (
                "src/a.rs",
                "#[cfg(test)] mod tests { use crate::b::B; }
                 #[cfg(all(test, unix))] use crate::b::B;
                 #[cfg(test)] #[allow(unused)] fn f<A, B>() where A: crate::b::B { crate::b::f() }
                 #[cfg(any(test, unix))] fn g() { crate::b::f() }",
            ),
            ("src/b.rs", "struct S { #[cfg(test)] field: crate::a::A, other: u8 }"),
        ]);
        assert_eq!(found, ["a -> b (src/a.rs:4)"]);
    }

    #[test]
    fn uses_of_other_crates_are_found_by_their_full_path() {
        let found = read(&[
            (
                "src/lib.rs",
                "use std::io::{self, Read};\nmod io_like;\nfn f() { io::stdout(); }\n// std::io::Write",
            ),
            ("src/io_like.rs", "fn stdout() {}\nfn f() { stdout(); ::std::io::stdout(); }"),
        ]);
        assert_eq!(
            found.external_uses(&["std::io::stdout", "std::io::Read"]),
            [
                "src/lib.rs:1: std::io::Read",
                "src/lib.rs:3: std::io::stdout",
                "src/io_like.rs:2: std::io::stdout"
            ]
        );
    }
}
