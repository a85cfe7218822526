//! Quoting for a POSIX shell.

use std::borrow::Cow;

/// Quotes `word` for a shell if necessary. NULs are left out, because no shell accepts them.
pub fn quote(word: &str) -> Cow<'_, str> {
    // Leave more characters unquoted than shlex does, so that options and paths stay easy to read.
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_=+,./:@%".contains(c) || !c.is_ascii();
    if !word.is_empty() && word.chars().all(is_plain) {
        return Cow::Borrowed(word);
    }
    shlex::try_quote(word).unwrap_or_else(|_| quote(&word.replace('\0', "")).into_owned().into())
}

/// Joins words into a command line, and quotes them if necessary.
pub fn join<'w>(words: impl IntoIterator<Item = &'w str>) -> String {
    words.into_iter().map(quote).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_reads_the_words_that_were_quoted() {
        let words = [
            "engine",
            "a b",
            "",
            "it's",
            "\"",
            "$HOME",
            "!",
            "^",
            "--x=1,2",
            "*",
            "caf\u{e9}",
            "\\",
            "~",
            "-n",
        ];
        let line = join(words);
        assert_eq!(shlex::split(&line).unwrap(), words);
        let output = std::process::Command::new("sh")
            .args(["-c", &format!("printf '%s\\n' {line}")])
            .output()
            .unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), words.join("\n") + "\n");
    }

    #[test]
    fn plain_words_stay_as_they_are() {
        for (word, expected) in [
            ("/tmp/a.b", "/tmp/a.b"),
            ("--x=1,2", "--x=1,2"),
            ("caf\u{e9}", "caf\u{e9}"),
            ("a b", "'a b'"),
            ("a\0b", "ab"),
        ] {
            assert_eq!(quote(word), expected);
        }
    }
}
