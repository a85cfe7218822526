//! `ringtrace man`: writes the manual pages.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use clap_mangen::Man;

use super::{Command, parse_arguments, tool};
use crate::exit::{CliError, Exit};
use crate::program_name::{PROGRAM_NAMES, ProgramName};

pub const COMMAND: Command = Command {
    name: "man",
    about: "Write the manual pages to a folder",
    configure: |command| {
        Arguments::augment_args(command)
            .after_help("Example:\n  ringtrace man ~/.local/share/man/man1 && man ringtrace-print")
    },
    run: |matches, _| run(&parse_arguments(matches)?),
};

#[derive(Args)]
struct Arguments {
    /// The folder, which is created if needed
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

fn run(arguments: &Arguments) -> Result<Exit, CliError> {
    let folder = &arguments.folder;
    std::fs::create_dir_all(folder).map_err(|error| CliError::system(folder.display(), &error))?;
    for Page { name, text } in pages() {
        let path = folder.join(format!("{name}.1"));
        std::fs::write(&path, text).map_err(|error| CliError::system(path.display(), &error))?;
    }
    Ok(Exit::Done)
}

/// A manual page of section 1.
struct Page {
    name: String,
    text: Vec<u8>,
}

/// Returns the pages for the tool, its commands, and its program names.
fn pages() -> Vec<Page> {
    let mut tool = tool().disable_help_subcommand(true);
    tool.build();
    let commands: Vec<clap::Command> = tool.get_subcommands().cloned().collect();
    let mut pages = vec![page(tool)];
    pages.extend(commands.into_iter().map(page));
    pages.extend(PROGRAM_NAMES.iter().map(page_of_program_name));
    pages
}

/// Returns the first lines of a page. They contain no date, so that the same sources always produce
/// the same pages. (clap's own title without a date also drops the empty argument.) The definition
/// of `Aq` is needed because clap writes apostrophes as `Aq`.
fn title(name: &str) -> Vec<u8> {
    let version = env!("CARGO_PKG_VERSION");
    let title = format!(
        ".ie \\n(.g .ds Aq \\(aq\n.el .ds Aq '\n.TH {} 1 \"\" \"ringtrace {version}\" \"User Commands\"\n",
        escape(name)
    );
    title.into_bytes()
}

fn page(command: clap::Command) -> Page {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name()).to_owned();
    let notes = command.get_after_long_help().or(command.get_after_help());
    let notes = notes.map(ToString::to_string).unwrap_or_default();
    let has_subcommands = command.has_subcommands();
    let man = Man::new(command);
    let mut text = title(&name);
    let written = man
        .render_name_section(&mut text)
        .and_then(|()| man.render_synopsis_section(&mut text))
        .and_then(|()| man.render_description_section(&mut text))
        .and_then(|()| man.render_options_section(&mut text))
        .and_then(|()| if has_subcommands { man.render_subcommands_section(&mut text) } else { Ok(()) })
        .and_then(|()| write_end(&notes, &mut text));
    debug_assert!(written.is_ok(), "writing to memory does not fail");
    Page { name, text }
}

fn page_of_program_name(program: &ProgramName) -> Page {
    let ProgramName { name, usage, about, .. } = program;
    let mut text = title(name);
    let written = writeln!(text, ".SH NAME\n{} \\- {}", escape(name), escape(about))
        .and_then(|()| writeln!(text, ".SH SYNOPSIS\n\\fB{}\\fR {}", escape(name), escape(usage)))
        .and_then(|()| {
            let what = "This is the ringtrace tool. When it is called by this name, it accepts the arguments of the program \
                        of that name, and has the same output and exit statuses.";
            writeln!(text, ".SH DESCRIPTION\n{what}\n.SH \"SEE ALSO\"\n.BR ringtrace (1)")
        });
    debug_assert!(written.is_ok(), "writing to memory does not fail");
    Page { name: (*name).to_owned(), text }
}

/// Writes the sections after the options: the notes of the help text, with indented lines verbatim,
/// and the exit statuses.
fn write_end(notes: &str, out: &mut Vec<u8>) -> std::io::Result<()> {
    let mut section = "";
    for line in notes.lines() {
        let wanted = match line {
            "Example:" | "Examples:" => "EXAMPLES",
            _ if section.is_empty() => "NOTES",
            _ => section,
        };
        if wanted != section {
            section = wanted;
            writeln!(out, ".SH {section}")?;
        }
        match line {
            "Example:" | "Examples:" => {}
            "" => writeln!(out, ".PP")?,
            _ if line.starts_with(' ') => writeln!(out, ".RS\n.nf\n{}\n.fi\n.RE", escape(line.trim_start()))?,
            _ => writeln!(out, "{}", escape(line))?,
        }
    }
    writeln!(out, ".SH \"EXIT STATUS\"")?;
    for exit in Exit::ALL {
        writeln!(out, ".TP\n{}\n{}", exit.status(), escape(exit.meaning()))?;
    }
    writeln!(out, ".SH \"SEE ALSO\"\n.BR ringtrace (1)")
}

/// Escapes what roff would interpret in `text`.
fn escape(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-").replace('\'', "\\(aq");
    if text.starts_with('.') { format!("\\&{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::COMMANDS;

    #[test]
    fn every_command_and_every_name_has_a_page() {
        let pages = pages();
        let names: Vec<&str> = pages.iter().map(|page| page.name.as_str()).collect();
        let expected: Vec<String> = std::iter::once("ringtrace".to_owned())
            .chain(COMMANDS.iter().map(|command| format!("ringtrace-{}", command.name)))
            .chain(PROGRAM_NAMES.iter().map(|program| program.name.to_owned()))
            .collect();
        assert_eq!(names, expected);
        for Page { name, text } in &pages {
            let text = String::from_utf8(text.clone()).unwrap();
            assert!(text.contains(".TH ") && text.contains(".SH NAME"), "{name}");
        }
    }

    #[test]
    fn notes_keep_their_lines_and_examples_have_a_section() {
        let mut text = Vec::new();
        write_end("A note.\n  ID  'x' -s\n\nExamples:\n  ringtrace x > \\y", &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        let expected = "\
.SH NOTES
A note.
.RS
.nf
ID  \\(aqx\\(aq \\-s
.fi
.RE
.PP
.SH EXAMPLES
.RS
.nf
ringtrace x > \\ey
.fi
.RE
.SH \"EXIT STATUS\"
.TP
0
success, even if the reader closed the output early
";
        assert!(text.starts_with(expected), "{text}");
    }
}
