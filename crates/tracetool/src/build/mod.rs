//! The interface for build scripts.

mod cargo;
#[cfg(test)]
mod tests;
mod ust;

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use ringtrace_events::SourceFile;
use ringtrace_events::lint::{Levels, lint};
use ringtrace_events::parse::{Dialect, Parsed, parse};

use crate::format::RINGTRACE_RS;
use crate::{BACKENDS, Backend, Group, Request, SourceWriter, files};
pub use cargo::BuildError;
use cargo::{Cargo, Environment};

/// Generates the probes of a package from its build script:
///
/// ```no_run
/// // build.rs
/// fn main() -> Result<(), ringtrace_tracetool::BuildError> {
///     ringtrace_tracetool::Builder::new()
///         .group("blk", "src/blk/trace-events")
///         .group("net", "src/net/trace-events")
///         .build()
/// }
/// ```
///
/// `ringtrace::include_trace!("blk")` then includes the probes of the group `blk`. Paths are
/// relative to the package's folder.
#[derive(Debug, Default)]
pub struct Builder {
    groups: Vec<GroupFiles>,
    out_dir: Option<PathBuf>,
    levels: Vec<(Level, String)>,
    backends: Vec<String>,
    provider: Option<String>,
}

#[derive(Debug)]
struct GroupFiles {
    name: String,
    files: Vec<PathBuf>,
}

#[derive(Debug, Clone, Copy)]
enum Level {
    Allow,
    Deny,
}

impl Builder {
    /// Creates a builder without groups.
    pub fn new() -> Builder {
        Builder::default()
    }

    /// Adds the group `name` with the events of the declarations file `file`.
    pub fn group(self, name: impl Into<String>, file: impl AsRef<Path>) -> Builder {
        self.group_of_files(name, [file])
    }

    /// Adds the group `name` with the events of several declarations files.
    pub fn group_of_files(
        mut self,
        name: impl Into<String>,
        files: impl IntoIterator<Item = impl AsRef<Path>>,
    ) -> Builder {
        let files = files.into_iter().map(|file| file.as_ref().to_owned()).collect();
        self.groups.push(GroupFiles { name: name.into(), files });
        self
    }

    /// Adds backends to the generated code: `dtrace` adds USDT probes for bpftrace, SystemTap, perf
    /// and gdb; `ust` adds LTTng-UST tracepoints.
    ///
    /// Neither needs the runtime: both also work in a package that is built without its feature
    /// `runtime`. Each costs one load and one test per probe.
    ///
    /// `ust` needs the feature `ust` of this crate, a C compiler, and the headers of LTTng-UST.
    ///
    /// `simple`, `log`, `syslog` and `ftrace` are accepted but have no effect: they are part of the
    /// runtime, and options enable them at run time.
    pub fn backends(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Builder {
        self.backends = names.into_iter().map(Into::into).collect();
        self
    }

    /// Sets the provider, under which other tracers list the probes: `usdt:PROGRAM:PROVIDER:EVENT`
    /// for USDT, `PROVIDER:EVENT` for LTTng.
    ///
    /// The default is the group's name. In C the provider is `qemu` for all groups, as part of
    /// QEMU's interface. A Rust program, however, may use libraries that have their own probes and
    /// build scripts, and their events must be distinguishable.
    pub fn provider(mut self, name: impl Into<String>) -> Builder {
        self.provider = Some(name.into());
        self
    }

    /// Sets the folder for `trace-GROUP.rs`. The default is the folder `ringtrace` in cargo's
    /// `OUT_DIR`, where `include_trace!` finds the files.
    pub fn out_dir(mut self, folder: impl Into<PathBuf>) -> Builder {
        self.out_dir = Some(folder.into());
        self
    }

    /// Ignores findings of the lint `name`, or of all lints if `name` is `all`. The last call for a
    /// lint wins.
    ///
    /// `keyword-name` is allowed by default: generated code escapes Rust's keywords, and keywords
    /// of other languages do not matter here. `reserved-name` is allowed for the same reason.
    pub fn allow(mut self, name: impl Into<String>) -> Builder {
        self.levels.push((Level::Allow, name.into()));
        self
    }

    /// Reports findings of the lint `name` as errors instead of warnings. `all` means all lints.
    pub fn deny(mut self, name: impl Into<String>) -> Builder {
        self.levels.push((Level::Deny, name.into()));
        self
    }

    /// Generates the files, and registers the declarations files with cargo.
    ///
    /// A file is written only if its contents change, so that incremental builds need not recompile
    /// unchanged ones.
    ///
    /// # Errors
    /// Fails if declarations have errors, files cannot be read or written, or groups clash. Each
    /// error has already been printed as a line `cargo::error=` with file, line and column. Some or
    /// all files have not been written.
    ///
    /// Return the error from `main`: cargo then prints it last, with the source lines of the
    /// declarations. If `main` drops it, the message is shorter, but the build still fails.
    pub fn build(self) -> Result<(), BuildError> {
        self.run(&Environment::of_build_script(), &mut cargo::listener())
    }

    fn run(&self, environment: &Environment, stdout: &mut dyn Write) -> Result<(), BuildError> {
        let mut cargo = Cargo::new(stdout);
        let levels = self.levels(&mut cargo);
        self.check_names(&mut cargo);
        let backends = self.backends_named(&mut cargo);
        let folder = self.folder(environment, &mut cargo);
        let (sources, groups_of_sources) = self.read(&mut cargo);
        let mut parsed = parse(sources, Dialect::Extended { strict: false });
        lint(&mut parsed, &levels, None);
        cargo.diagnostics(&parsed.diagnostics, parsed.omitted, &parsed.declarations.sources);
        let generated = if cargo.has_errors() {
            None
        } else {
            self.generate(&parsed, &groups_of_sources, &backends, &mut cargo)
        };
        if let (Some(folder), Some(Generated { texts, libraries })) = (folder, generated) {
            for (group, text) in self.groups.iter().zip(texts) {
                let path = folder.join(format!("trace-{}.rs", group.name));
                let written =
                    fs::create_dir_all(&folder).and_then(|()| files::replace(&path, text.as_bytes()));
                if let Err(error) = written {
                    cargo.error(&format!("{}: {}", path.display(), files::reason(&error)));
                }
                // The output file of a removed group still exists, so `include_trace!` checks this
                // variable.
                cargo.variable(&format!("RINGTRACE_GROUP_{}", group.name), "made");
            }
            if !libraries.is_empty() && !cargo.has_errors() {
                cargo.link_search(&folder);
                for library in libraries {
                    if let Err(message) = library.build(&folder) {
                        cargo.error(&message);
                    }
                }
            }
        }
        if environment.linux_linker.as_deref().is_some_and(cargo::takes_export) {
            cargo.link_argument(cargo::EXPORT);
        }
        cargo.finish()
    }

    /// Returns the lint levels: the defaults, then the user's.
    fn levels(&self, cargo: &mut Cargo<'_>) -> Levels {
        let mut levels = Levels::default();
        let own = [(Level::Allow, "keyword-name"), (Level::Allow, "reserved-name")].into_iter();
        let given = self.levels.iter().map(|(level, name)| (*level, name.as_str()));
        let denied = RINGTRACE_RS.denied_lints.iter().map(|name| (Level::Deny, *name));
        for (level, name) in own.chain(given).chain(denied) {
            let set = match level {
                Level::Allow => levels.allow(name),
                Level::Deny => levels.deny(name),
            };
            if let Err(unknown) = set {
                let suggestion = unknown.suggestion.map(|name| format!("; did you mean `{name}`?"));
                let why = if unknown.is_error { "is always an error" } else { "is not a lint" };
                cargo.error(&format!("Builder: `{name}` {why}{}", suggestion.unwrap_or_default()));
            }
        }
        levels
    }

    fn backends_named(&self, cargo: &mut Cargo<'_>) -> Vec<&'static Backend> {
        let mut backends: Vec<&'static Backend> = Vec::new();
        for name in &self.backends {
            match Backend::named(name) {
                Some(backend) if backends.iter().any(|other| other.name == name) => {
                    cargo.error(&format!("Builder: the backend `{}` is specified twice", backend.name));
                }
                Some(backend) => backends.push(backend),
                None => {
                    let known: Vec<&str> = BACKENDS.iter().map(|backend| backend.name).collect();
                    cargo.error(&format!("Builder: unknown backend {name:?}; expected {}", known.join(", ")));
                }
            }
        }
        backends
    }

    /// Checks the names of groups, which become file names, and of the provider.
    fn check_names(&self, cargo: &mut Cargo<'_>) {
        let mut seen = HashSet::new();
        for GroupFiles { name, .. } in &self.groups {
            check_name("group", name, cargo);
            if !seen.insert(name) {
                cargo.error(&format!("Builder: the group `{name}` is specified twice; use `group_of_files` for a group of several files"));
            }
        }
        if let Some(name) = &self.provider {
            check_name("provider", name, cargo);
        }
    }

    fn folder(&self, environment: &Environment, cargo: &mut Cargo<'_>) -> Option<PathBuf> {
        let of_cargo = || environment.out_dir.as_ref().map(|folder| folder.join("ringtrace"));
        let folder = self.out_dir.clone().or_else(of_cargo);
        if folder.is_none() {
            cargo.error(
                "Builder: OUT_DIR is not set; outside of a build script, set the folder with `out_dir`",
            );
        }
        folder
    }

    /// Reads all source files, in order. Returns them with the index of the group that each belongs
    /// to.
    fn read(&self, cargo: &mut Cargo<'_>) -> (Vec<SourceFile>, Vec<usize>) {
        let mut sources = Vec::new();
        let mut groups = Vec::new();
        let mut seen = HashSet::new();
        for (group, GroupFiles { files, .. }) in self.groups.iter().enumerate() {
            for path in files {
                if !seen.insert(path) {
                    cargo.error(&format!("Builder: the file {} is specified twice", path.display()));
                    continue;
                }
                cargo.rerun_if_changed(path);
                match read(path) {
                    Ok(source) => {
                        sources.push(source);
                        groups.push(group);
                    }
                    Err(error) if path.is_relative() => {
                        let path = path.display();
                        cargo.error(&format!(
                            "{path}: {}; the path is relative to the folder of Cargo.toml",
                            files::reason(&error)
                        ));
                    }
                    Err(error) => {
                        cargo.error(&format!("{}: {}", path.display(), files::reason(&error)));
                    }
                }
            }
        }
        (sources, groups)
    }

    /// Generates the code of all groups. Returns `None` on errors.
    fn generate(
        &self,
        parsed: &Parsed,
        group_of: &[usize],
        backends: &[&'static Backend],
        cargo: &mut Cargo<'_>,
    ) -> Option<Generated> {
        let declarations = &parsed.declarations;
        let mut groups: Vec<Group<'_>> = self
            .groups
            .iter()
            .map(|GroupFiles { name, .. }| Group { name, sources: Vec::new(), events: Vec::new() })
            .collect();
        for (source, group) in declarations.sources.iter().zip(group_of) {
            groups[*group].sources.push(source);
        }
        for event in &declarations.events {
            groups[group_of[event.source]].events.push(event);
        }
        let with_providers: Vec<(&str, &Group<'_>)> =
            groups.iter().map(|group| (self.provider.as_deref().unwrap_or(group.name), group)).collect();
        let mut texts = Vec::new();
        for (provider, group) in &with_providers {
            let mut out = SourceWriter::new();
            let request = Request { provider, ..Request::new((*group).clone(), backends) };
            match (RINGTRACE_RS.generate)(&request, &mut out) {
                Ok(()) => texts.push(out.finish()),
                Err(diagnostics) => cargo.diagnostics(&diagnostics, 0, &declarations.sources),
            }
        }
        let has_ust = backends.iter().any(|backend| backend.name == "ust");
        let libraries = if has_ust { ust::sources(&with_providers) } else { Ok(Vec::new()) };
        let libraries = libraries.unwrap_or_else(|diagnostics| {
            cargo.diagnostics(&diagnostics, 0, &declarations.sources);
            Vec::new()
        });
        (!cargo.has_errors()).then_some(Generated { texts, libraries })
    }
}

struct Generated {
    /// The Rust code for each group.
    texts: Vec<String>,
    /// The C code for each LTTng-UST provider.
    libraries: Vec<ust::Sources>,
}

fn check_name(owner: &str, name: &str, cargo: &mut Cargo<'_>) {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if name.is_empty() || !name.chars().all(is_word) {
        cargo.error(&format!(
            "Builder: the {owner}'s name {name:?} must consist of letters, digits, `_` and `-`"
        ));
    }
}

fn read(path: &Path) -> io::Result<SourceFile> {
    files::read(&path.display().to_string(), File::open(path)?)
}
