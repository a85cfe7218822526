//! Parses the locations of a USDT probe's values: `-4@%edi 8@16(%rsp) -8@$5 4f@%xmm0`.

/// A value of a USDT probe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operand {
    /// The size in bytes. 0 if the note does not contain it.
    pub bytes: u8,
    /// Whether the value is signed.
    pub signed: bool,
    /// Whether the value is a floating-point number.
    pub float: bool,
    /// The location in assembler syntax: a register, a memory operand or a constant.
    pub place: String,
}

/// Maximum number of operands of a probe. No probe has that many: SystemTap's macros allow twelve,
/// ringtrace's declarations ten, and old declarations files sixteen.
const MAX_OPERANDS: usize = 32;

/// Parses the locations of values in a note.
pub fn operands(text: &str) -> Vec<Operand> {
    let mut operands: Vec<Operand> = Vec::new();
    for word in text.split_ascii_whitespace() {
        if operands.len() == MAX_OPERANDS {
            break;
        }
        match (Operand::parse(word), operands.last_mut()) {
            (Some(operand), _) => operands.push(operand),
            // AArch64 operands may contain spaces: `8@[sp, 16]`.
            (None, Some(last)) => {
                last.place.push(' ');
                last.place.push_str(word);
            }
            (None, None) => {
                operands.push(Operand { bytes: 0, signed: false, float: false, place: word.to_owned() });
            }
        }
    }
    operands
}

impl Operand {
    /// Parses the first word of an operand, `SIZE@LOCATION`.
    fn parse(word: &str) -> Option<Operand> {
        let (size, place) = word.split_once('@')?;
        let (size, float) = match size.strip_suffix('f') {
            Some(size) => (size, true),
            None => (size, false),
        };
        let size: i8 = size.parse().ok()?;
        Some(Operand { bytes: size.unsigned_abs(), signed: size < 0, float, place: place.to_owned() })
    }

    /// The C type of the same size and signedness.
    pub fn ctype(&self) -> &'static str {
        match (self.float, self.bytes) {
            (true, 4) => "float",
            (true, _) => "double",
            (false, _) => self.ctype_of_bits(),
        }
    }

    /// The integer type of the same size and signedness, for readers without floating-point
    /// support.
    pub fn ctype_of_bits(&self) -> &'static str {
        match (self.bytes, self.signed) {
            (1, true) => "int8_t",
            (1, false) => "uint8_t",
            (2, true) => "int16_t",
            (2, false) => "uint16_t",
            (4, true) => "int32_t",
            (4, false) => "uint32_t",
            (_, true) => "int64_t",
            (_, false) => "uint64_t",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        operands(text).iter().map(|operand| format!("{} {}", operand.ctype(), operand.place)).collect()
    }

    #[test]
    fn locations_of_all_kinds() {
        assert_eq!(shown(""), [""; 0]);
        assert_eq!(
            shown("-4@%edi 8@16(%rsp) -8@$5 1@-20(%rbp,%rax,4) 4f@%xmm0"),
            ["int32_t %edi", "uint64_t 16(%rsp)", "int64_t $5", "uint8_t -20(%rbp,%rax,4)", "float %xmm0"]
        );
        assert_eq!(shown("-2@[sp, 16] 8@x0"), ["int16_t [sp, 16]", "uint64_t x0"]);
        // Notes of SystemTap's first version had no sizes.
        assert_eq!(shown("%rdi 8@%rsi"), ["uint64_t %rdi", "uint64_t %rsi"]);
    }
}
