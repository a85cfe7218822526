//! Parses the output of `objdump --disassemble --wide`, to count instructions.

/// A disassembled function.
#[derive(Debug)]
pub struct Function {
    /// The path without parameters.
    pub name: String,
    pub instructions: Vec<Instruction>,
}

#[derive(Debug)]
pub struct Instruction {
    /// Offset in the function's section.
    pub address: u64,
    pub bytes: usize,
    /// Mnemonic and operands.
    pub text: String,
}

impl Instruction {
    /// The target of a jump, as an offset in the section.
    pub fn jump_target(&self) -> Option<u64> {
        let (mnemonic, operand) = self.text.split_once(' ')?;
        let address = operand.split_whitespace().next()?;
        if mnemonic.starts_with('j') { u64::from_str_radix(address, 16).ok() } else { None }
    }
}

/// Parses the functions of a disassembly:
///
/// ```text
/// 0000000000000000 <tracetool_user::blk::write>:
///    0:    0f b6 05 00 00 00 00    movzbl 0x0(%rip),%eax        # 7 <...>
/// ```
pub fn functions(disassembly: &str) -> Vec<Function> {
    let mut functions: Vec<Function> = Vec::new();
    for line in disassembly.lines() {
        if let Some((_, name)) = line.strip_suffix(">:").and_then(|line| line.split_once('<')) {
            functions.push(Function { name: name.to_owned(), instructions: Vec::new() });
        } else if let (Some(function), Some(instruction)) = (functions.last_mut(), instruction(line)) {
            function.instructions.push(instruction);
        }
    }
    functions
}

/// Parses a line `ADDRESS:<tab>BYTES<tab>TEXT`.
fn instruction(line: &str) -> Option<Instruction> {
    let mut columns = line.split('\t');
    let address = columns.next()?.trim().strip_suffix(':')?;
    let bytes = columns.next()?.split_whitespace().count();
    let text = columns.next()?.split('#').next()?;
    Some(Instruction {
        address: u64::from_str_radix(address, 16).ok()?,
        bytes,
        text: text.split_whitespace().collect::<Vec<&str>>().join(" "),
    })
}
