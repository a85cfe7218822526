//! Splits a byte stream into JSON messages. A read may end anywhere in a message, and messages need
//! no line ends.

pub(crate) const MAX_MESSAGE_BYTES: usize = 1 << 20;
/// The maximum depth of nested brackets in a message.
pub(crate) const MAX_DEPTH: usize = 100;

/// Splits a stream into messages.
///
/// A message is an object, an array, a string, or a run of other characters. The framer does not
/// check a message's contents, except for bytes that show that the client is out of step: a line
/// end in a string, a control character elsewhere, and the bytes FE and FF, which UTF-8 never
/// contains. Such a byte ends the message as broken. A client that has lost track of its output can
/// therefore send FF to start a new message.
#[derive(Debug, Default)]
pub(crate) struct Framer {
    message: Vec<u8>,
    depth: usize,
    /// The quote that will end the current string.
    quote: Option<u8>,
    /// Whether the previous byte was a backslash in a string.
    escaped: bool,
    /// Whether the message is a run of characters without brackets and quotes.
    is_word: bool,
    /// Whether the message is nested too deeply. Its bytes are discarded up to its end.
    is_too_deep: bool,
    /// The number of bytes in the message so far, including discarded ones.
    bytes: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Framed {
    /// A complete message. [`Framer::message`] returns it until [`Framer::clear`] is called.
    Message,
    /// An incomplete message, ended by this invalid byte.
    Broken(u8),
    TooDeep,
    /// A message longer than [`MAX_MESSAGE_BYTES`]. The start of the next message cannot be found.
    TooLong,
}

impl Framer {
    /// Takes bytes up to the end of a message. Returns how many it took.
    pub(crate) fn take(&mut self, input: &[u8]) -> (usize, Option<Framed>) {
        for (at, &byte) in input.iter().enumerate() {
            let (is_taken, framed) = self.step(byte);
            if framed.is_some() {
                return (at + usize::from(is_taken), framed);
            }
        }
        (input.len(), None)
    }

    pub(crate) fn message(&self) -> &[u8] {
        &self.message
    }

    pub(crate) fn clear(&mut self) {
        let mut message = std::mem::take(&mut self.message);
        message.clear();
        // Free the memory of a long message.
        message.shrink_to(4 << 10);
        *self = Framer { message, ..Framer::default() };
    }

    /// Takes one byte. Returns whether the byte belongs to this message, and how the message ended.
    fn step(&mut self, byte: u8) -> (bool, Option<Framed>) {
        let is_blank = matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
        let is_between = self.bytes == 0;
        if is_between && is_blank {
            return (true, None);
        }
        let is_lost = match self.quote {
            Some(_) => matches!(byte, b'\r' | b'\n'),
            None => byte < b' ' && !is_blank,
        };
        if is_lost || byte >= 0xfe {
            return (true, Some(Framed::Broken(byte)));
        }
        let ends_word = is_blank || matches!(byte, b'{' | b'}' | b'[' | b']' | b'"' | b'\'' | b',' | b':');
        if self.is_word && ends_word {
            return (false, Some(Framed::Message));
        }
        if self.bytes == MAX_MESSAGE_BYTES {
            return (true, Some(Framed::TooLong));
        }
        self.bytes += 1;
        if !self.is_too_deep {
            self.message.push(byte);
        }
        if let Some(quote) = self.quote {
            if self.escaped || byte == b'\\' {
                self.escaped = !self.escaped;
            } else if byte == quote {
                self.quote = None;
            }
        } else {
            match byte {
                b'"' | b'\'' => self.quote = Some(byte),
                b'{' | b'[' => self.depth += 1,
                // An unmatched closing bracket is passed on as a message of its own, which the
                // parser rejects.
                b'}' | b']' => self.depth = self.depth.saturating_sub(1),
                b',' | b':' => {}
                _ => self.is_word = self.depth == 0,
            }
        }
        if self.depth > MAX_DEPTH {
            self.is_too_deep = true;
            self.message.clear();
        }
        let is_open = self.depth > 0 || self.quote.is_some() || self.is_word;
        let found = if self.is_too_deep { Framed::TooDeep } else { Framed::Message };
        (true, (!is_open).then_some(found))
    }
}

#[cfg(test)]
mod tests {
    use super::{Framed, Framer, MAX_DEPTH, MAX_MESSAGE_BYTES};

    /// Splits a stream that arrives in pieces of `piece` bytes.
    fn found(stream: &[u8], piece: usize) -> Vec<String> {
        let (mut framer, mut found) = (Framer::default(), Vec::new());
        for mut piece in stream.chunks(piece) {
            while !piece.is_empty() {
                let (taken, framed) = framer.take(piece);
                piece = &piece[taken..];
                let Some(framed) = framed else { continue };
                found.push(match framed {
                    Framed::Message => framer.message().escape_ascii().to_string(),
                    other => format!("{other:?}"),
                });
                framer.clear();
            }
        }
        found
    }

    #[test]
    fn streams_are_split_into_messages() {
        for (stream, expected) in [
            (&b"{}{}"[..], vec!["{}", "{}"]),
            (b" {\"a\": [1, {}]}\r\n[2]", vec![r#"{\"a\": [1, {}]}"#, "[2]"]),
            (br#"{"}\"]": '"{'}7 "#, vec![r#"{\"}\\\"]\": \'\"{\'}"#, "7"]),
            (b"nonsense{}", vec!["nonsense", "{}"]),
            (b"a,:]\n", vec!["a", ",", ":", "]"]),
            (b"{\"no end\n{}", vec!["Broken(10)", "{}"]),
            (b"{[\xff{}", vec!["Broken(255)", "{}"]),
            (b"\0", vec!["Broken(0)"]),
            (b"{\"a\":\t1\r\n}", vec![r#"{\"a\":\t1\r\n}"#]),
            // A word ends only when another byte follows.
            (b"true", vec![]),
        ] {
            for piece in [1, 2, 3, 100] {
                assert_eq!(found(stream, piece), expected, "{} by {piece}", stream.escape_ascii());
            }
        }
    }

    #[test]
    fn depth_and_length_are_bounded() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert_eq!(
            found(format!("{}{{}}", nested(MAX_DEPTH)).as_bytes(), 7),
            [nested(MAX_DEPTH), "{}".into()]
        );
        assert_eq!(found(format!("{}{{}}", nested(MAX_DEPTH + 1)).as_bytes(), 7), ["TooDeep", "{}"]);
        let text = |bytes: usize| format!("\"{}\"", "x".repeat(bytes - 2));
        assert_eq!(
            found(text(MAX_MESSAGE_BYTES).as_bytes(), 4096),
            [text(MAX_MESSAGE_BYTES).escape_default().to_string()]
        );
        assert_eq!(found(text(MAX_MESSAGE_BYTES + 1).as_bytes(), 4096)[0], "TooLong");
        assert_eq!(found("[".repeat(MAX_MESSAGE_BYTES + 1).as_bytes(), 4096), ["TooLong"]);
    }
}
