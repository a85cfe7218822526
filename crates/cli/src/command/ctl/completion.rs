//! Completes the word at the cursor.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::hmp_commands::HmpCommands;
use super::words::quoted;

/// The word to complete.
#[derive(Debug, PartialEq, Eq)]
pub struct CompletionContext<'l> {
    pub start: usize,
    /// The part of the word before the cursor, without quotes.
    pub typed: &'l str,
    pub kind: CompletionKind<'l>,
}

/// The kind of word expected at the cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CompletionKind<'l> {
    /// A command; if `is_info`, a subcommand of `info`.
    Command {
        is_info: bool,
    },
    Event,
    /// One of these words, separated by `|`.
    Choice(&'l str),
    File,
    Nothing,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    pub replacement: String,
    pub display: String,
}

/// If more events than this match, complete their names segment by segment, like paths.
const MANY: usize = 60;

/// Determines what the monitor's commands accept at the end of `line`, where the cursor is.
pub fn context_at<'l>(line: &'l str, commands: &'l HmpCommands) -> CompletionContext<'l> {
    let start = word_start(line);
    let typed = line[start..].trim_start_matches('"');
    let at = |kind| CompletionContext { start, typed, kind };
    let before = line[..start].trim();
    if before.is_empty() {
        return at(CompletionKind::Command { is_info: false });
    }
    if before == "info" {
        return at(CompletionKind::Command { is_info: true });
    }
    let Some((known, rest)) = commands.find(&line[..start]) else { return at(CompletionKind::Nothing) };
    let behind = words(rest);
    if known.is_called("help") {
        return at(match &behind[..] {
            [] => CompletionKind::Command { is_info: false },
            ["info"] => CompletionKind::Command { is_info: true },
            _ => CompletionKind::Nothing,
        });
    }
    let Some(argument) = known.arguments.get(behind.len()) else { return at(CompletionKind::Nothing) };
    match argument.trim_matches(['[', ']']) {
        "name" if known.names.iter().any(|name| name.contains("trace-")) => at(CompletionKind::Event),
        "file" | "filename" => at(CompletionKind::File),
        // Only `trace-file set` takes an argument.
        "arg" if behind == ["set"] => at(CompletionKind::File),
        "item1[,..." => {
            // Complete only the last item of a list, and only the name in a pattern.
            let item = typed.rfind(',').map_or(0, |comma| comma + 1);
            let Some(pattern) = typed[item..].strip_prefix("trace:") else {
                return CompletionContext {
                    start: start + item,
                    typed: &typed[item..],
                    kind: CompletionKind::Choice("none|help|trace:"),
                };
            };
            let pattern = pattern.strip_prefix('-').unwrap_or(pattern);
            let start = line.len() - pattern.len();
            CompletionContext { start, typed: pattern, kind: CompletionKind::Event }
        }
        choice if choice.contains('|') => at(CompletionKind::Choice(choice)),
        _ => at(CompletionKind::Nothing),
    }
}

/// Returns the arguments that are still missing after `line`, as shown in the help.
pub fn hint(line: &str, commands: &HmpCommands) -> Option<String> {
    let (known, rest) = commands.find(line)?;
    let is_behind_a_blank = line.ends_with(char::is_whitespace);
    let left: Vec<&str> = known.arguments.iter().skip(words(rest).len()).map(String::as_str).collect();
    // Separate the hint from the name if there is no space before the cursor.
    let blank = if is_behind_a_blank { "" } else { " " };
    (!left.is_empty()).then(|| blank.to_owned() + &left.join(" "))
}

/// Returns the names of commands that start with `typed`.
pub fn command_names<'v>(
    typed: &str,
    is_info: bool,
    commands: &'v HmpCommands,
    more: &'v [&str],
) -> Vec<Candidate> {
    let names = commands.names().chain(more.iter().copied());
    let mut names: Vec<&str> = names
        .filter_map(|name| match (is_info, name.strip_prefix("info ")) {
            (true, second) => second,
            (false, None) => Some(name),
            (false, Some(_)) => None,
        })
        .filter(|name| name.starts_with(typed) && *name != "?")
        .collect();
    names.sort_unstable();
    names.dedup();
    whole(names)
}

/// Returns the words of `choice` that start with `typed`.
pub fn choices(typed: &str, choice: &str) -> Vec<Candidate> {
    whole(choice.split('|').filter(|word| word.starts_with(typed)))
}

/// Returns the names of events that start with `typed`. If there are many, returns their common
/// prefixes up to the next `_`.
pub fn events<'n>(typed: &str, names: impl IntoIterator<Item = &'n str>) -> Vec<Candidate> {
    let mut names: Vec<&str> = names.into_iter().filter(|name| name.starts_with(typed)).collect();
    names.sort_unstable();
    let mut known = typed.len();
    while names.len() > MANY {
        let mut families: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for name in &names {
            let end = name[known..].find('_').map_or(name.len(), |end| known + end + 1);
            families.entry(&name[..end]).or_default().push(name);
        }
        if families.len() > 1 {
            return families.into_iter().map(|(start, members)| family(start, &members)).collect();
        }
        // All names share the next segment: distinguish them by the segment after it.
        let next = families.keys().next().map_or(known, |start| start.len());
        if next == known {
            break;
        }
        known = next;
    }
    whole(names)
}

fn family(start: &str, members: &[&str]) -> Candidate {
    match members {
        [one] => Candidate { replacement: (*one).to_owned(), display: (*one).to_owned() },
        _ => Candidate { replacement: start.to_owned(), display: format!("{start}* {}", members.len()) },
    }
}

/// Returns the files whose paths start with `typed`, relative to `folder`.
pub fn files(typed: &str, folder: &Path) -> Vec<Candidate> {
    let (parent, start) = typed.rfind('/').map_or(("", typed), |slash| typed.split_at(slash + 1));
    let Ok(entries) = fs::read_dir(folder.join(parent)) else { return Vec::new() };
    let mut found: Vec<Candidate> = entries
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let is_shown = name.starts_with(start) && (start.starts_with('.') || !name.starts_with('.'));
            let is_folder = entry.path().is_dir();
            let name = if is_folder { name + "/" } else { name };
            // Do not close the quote after a folder, so that the user can continue the path.
            let mut replacement = quoted(&format!("{parent}{name}"));
            if is_folder {
                replacement.truncate(replacement.trim_end_matches('"').len());
            }
            is_shown.then_some(Candidate { replacement, display: name })
        })
        .collect();
    found.sort_unstable_by(|a, b| a.display.cmp(&b.display));
    if let [one] = &mut found[..]
        && !one.display.ends_with('/')
    {
        one.replacement.push(' ');
    }
    found
}

/// Returns candidates that are complete words. A single candidate is followed by a space.
fn whole<'n>(names: impl IntoIterator<Item = &'n str>) -> Vec<Candidate> {
    let one = |name: &str| Candidate { replacement: name.to_owned(), display: name.to_owned() };
    let mut candidates: Vec<Candidate> = names.into_iter().map(one).collect();
    if let [one] = &mut candidates[..]
        && !one.replacement.ends_with(':')
    {
        one.replacement.push(' ');
    }
    candidates
}

/// Returns the start of the last word of `line`. The word may be quoted and contain spaces.
fn word_start(line: &str) -> usize {
    let mut start = line.len();
    let mut is_quoted = false;
    let mut is_escaped = false;
    let mut is_in_word = false;
    for (at, c) in line.char_indices() {
        let is_blank = c.is_whitespace() && !is_quoted;
        if !is_blank && !is_in_word {
            start = at;
            is_quoted = c == '"';
        } else if is_quoted && c == '"' && !is_escaped {
            is_quoted = false;
        }
        is_escaped = c == '\\' && !is_escaped;
        is_in_word = !is_blank;
        if is_blank {
            start = line.len();
        }
    }
    start
}

/// Splits `text` into words, which may be quoted.
fn words(mut text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    text = text.trim();
    while !text.is_empty() {
        let start = word_start(text);
        words.push(&text[start..]);
        text = text[..start].trim_end();
    }
    words.reverse();
    words
}
