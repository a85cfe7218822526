//! The face for build scripts.

mod cargo;
mod error;
mod linker;
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

use crate::format::ringtrace_rs::FORMAT;
use crate::{BACKENDS, Backend, Group, Request, SourceWriter, files};
use cargo::{Cargo, Environment};
pub use error::BuildError;

/// Generates the probes of a package, from its build script:
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
/// The probes of the group `blk` are then where `ringtrace::include_trace!("blk")` stands. Paths count from the package's
/// folder.
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
    /// No groups yet.
    pub fn new() -> Builder {
        Builder::default()
    }

    /// The group `name`, with the events of the declarations file at `file`.
    pub fn group(self, name: impl Into<String>, file: impl AsRef<Path>) -> Builder {
        self.group_of_files(name, [file])
    }

    /// The group `name`, with the events of several declarations files.
    pub fn group_of_files(
        mut self,
        name: impl Into<String>,
        files: impl IntoIterator<Item = impl AsRef<Path>>,
    ) -> Builder {
        let files = files.into_iter().map(|file| file.as_ref().to_owned()).collect();
        self.groups.push(GroupFiles { name: name.into(), files });
        self
    }

    /// Compiles these backends in: `dtrace` adds USDT probes, for bpftrace, SystemTap, perf and gdb; `ust` adds tracepoints of
    /// LTTng-UST.
    ///
    /// `simple`, `log`, `syslog` and `ftrace` may be named, and are there in any case: they belong to the runtime, and options switch
    /// them on while the program runs.
    ///
    /// Neither needs the runtime: they stay in a package that is built without its feature `runtime`, at the cost of
    /// a load and a test each.
    ///
    /// `ust` wants the feature `ust` of this crate, a C compiler, and the headers of LTTng-UST.
    pub fn backends(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Builder {
        self.backends = names.into_iter().map(Into::into).collect();
        self
    }

    /// What tracers from outside know the probes by, before the event's name: `usdt:PROGRAM:PROVIDER:EVENT` for USDT,
    /// `PROVIDER:EVENT` for LTTng.
    ///
    /// Otherwise each group's name is that. C has `qemu` for all groups, which is part of QEMU's interface; but a Rust program
    /// has libraries that trace, each with its own build script, and their events should not look like the program's.
    pub fn provider(mut self, name: impl Into<String>) -> Builder {
        self.provider = Some(name.into());
        self
    }

    /// Writes `trace-GROUP.rs` into this folder; otherwise they go into the folder `ringtrace` of cargo's `OUT_DIR`, where
    /// `include_trace!` looks for them.
    pub fn out_dir(mut self, folder: impl Into<PathBuf>) -> Builder {
        self.out_dir = Some(folder.into());
        self
    }

    /// Says nothing of what the lint `name` finds; `all` are all lints. The last word about a lint counts.
    ///
    /// `keyword-name` is allowed unless it is denied: the generated code escapes keywords of Rust, and those of other
    /// languages do not matter here.
    pub fn allow(mut self, name: impl Into<String>) -> Builder {
        self.levels.push((Level::Allow, name.into()));
        self
    }

    /// Makes errors of what the lint `name` finds, which are warnings otherwise; `all` are all lints.
    pub fn deny(mut self, name: impl Into<String>) -> Builder {
        self.levels.push((Level::Deny, name.into()));
        self
    }

    /// Generates, and tells cargo which files that depends on.
    ///
    /// A file is written only when its contents change, so that an incremental compilation has nothing to do for the others.
    ///
    /// # Errors
    /// Declarations with errors, files that cannot be read or written, groups that clash: all of them have been told to
    /// cargo, a line `cargo::error=` each, with file, line and column. No output was written, or not all.
    ///
    /// Let `main` return the error: cargo then shows it last, with the lines of the declarations that are wrong. A `main` that drops it
    /// makes for a shorter message, and the package's build fails all the same.
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
        let mut parsed = parse(sources, Dialect::NEW);
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
                    cargo.error(&format!("{}: {error}", path.display()));
                }
                // A group that is gone leaves its file: `include_trace!` asks for this.
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
        if environment.linux_linker.as_deref().is_some_and(linker::takes_export) {
            cargo.link_argument(linker::EXPORT);
        }
        cargo.finish()
    }

    /// The levels of lints: the generator's own, then those asked for.
    fn levels(&self, cargo: &mut Cargo<'_>) -> Levels {
        let mut levels = Levels::default();
        let own = [(Level::Allow, "keyword-name")].into_iter();
        let asked = self.levels.iter().map(|(level, name)| (*level, name.as_str()));
        let denied = FORMAT.denied_lints.iter().map(|name| (Level::Deny, *name));
        for (level, name) in own.chain(asked).chain(denied) {
            let set = match level {
                Level::Allow => levels.allow(name),
                Level::Deny => levels.deny(name),
            };
            if let Err(unknown) = set {
                let meant = unknown.suggestion.map(|meant| format!("; did you mean `{meant}`?"));
                let why = if unknown.is_error { "is always an error" } else { "is no lint" };
                cargo.error(&format!("Builder: `{name}` {why}{}", meant.unwrap_or_default()));
            }
        }
        levels
    }

    /// The backends asked for.
    fn backends_named(&self, cargo: &mut Cargo<'_>) -> Vec<&'static Backend> {
        let mut backends: Vec<&'static Backend> = Vec::new();
        for name in &self.backends {
            match Backend::named(name) {
                Some(backend) if backends.iter().any(|other| other.name() == name) => {
                    cargo.error(&format!("Builder: the backend `{}` is named twice", backend.name()));
                }
                Some(backend) => backends.push(backend),
                None => {
                    let known: Vec<&str> = BACKENDS.iter().map(|backend| backend.name()).collect();
                    cargo.error(&format!(
                        "Builder: there is no backend {name:?}; there are {}",
                        known.join(", ")
                    ));
                }
            }
        }
        backends
    }

    /// Names of groups become names of files, and `include_trace!` must find one; tracers find a provider.
    fn check_names(&self, cargo: &mut Cargo<'_>) {
        let mut seen = HashSet::new();
        for GroupFiles { name, .. } in &self.groups {
            check_name("group", name, cargo);
            if !seen.insert(name) {
                cargo.error(&format!("Builder: there are two groups `{name}`; `group_of_files` makes one group of several files"));
            }
        }
        if let Some(name) = &self.provider {
            check_name("provider", name, cargo);
        }
    }

    /// Where the output goes.
    fn folder(&self, environment: &Environment, cargo: &mut Cargo<'_>) -> Option<PathBuf> {
        let of_cargo = || environment.out_dir.as_ref().map(|folder| folder.join("ringtrace"));
        let folder = self.out_dir.clone().or_else(of_cargo);
        if folder.is_none() {
            cargo.error(
                "Builder: OUT_DIR is not set; outside of a build script, say where to write with `out_dir`",
            );
        }
        folder
    }

    /// All sources, in order, and the group that each belongs to.
    fn read(&self, cargo: &mut Cargo<'_>) -> (Vec<SourceFile>, Vec<usize>) {
        let mut sources = Vec::new();
        let mut groups = Vec::new();
        let mut seen = HashSet::new();
        for (group, GroupFiles { files, .. }) in self.groups.iter().enumerate() {
            for path in files {
                if !seen.insert(path) {
                    cargo.error(&format!("Builder: the file {} is given twice", path.display()));
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
                            "{path}: {error}; the path counts from the folder of Cargo.toml"
                        ));
                    }
                    Err(error) => cargo.error(&format!("{}: {error}", path.display())),
                }
            }
        }
        (sources, groups)
    }

    /// What is made of all groups; `None` when something cannot be.
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
            match (FORMAT.generate)(&request, &mut out) {
                Ok(()) => texts.push(out.finish()),
                Err(refused) => cargo.diagnostics(&refused, 0, &declarations.sources),
            }
        }
        let has_ust = backends.iter().any(|backend| backend.name() == "ust");
        let libraries = if has_ust { ust::sources(&with_providers) } else { Ok(Vec::new()) };
        let libraries = libraries.unwrap_or_else(|refused| {
            cargo.diagnostics(&refused, 0, &declarations.sources);
            Vec::new()
        });
        (!cargo.has_errors()).then_some(Generated { texts, libraries })
    }
}

/// What the files will have in them.
struct Generated {
    /// Rust, for each group.
    texts: Vec<String>,
    /// C, for each provider of LTTng-UST.
    libraries: Vec<ust::Sources>,
}

fn check_name(whose: &str, name: &str, cargo: &mut Cargo<'_>) {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if name.is_empty() || !name.chars().all(is_word) {
        cargo.error(&format!(
            "Builder: the {whose}'s name {name:?} is not made of letters, digits, `_` and `-`"
        ));
    }
}

/// The declarations file at `path`.
fn read(path: &Path) -> io::Result<SourceFile> {
    files::read(&path.display().to_string(), File::open(path)?)
}
