//! What `objdump --disassemble --wide` prints, as far as instructions must be counted.

/// A function.
#[derive(Debug)]
pub struct Function {
    /// With its path, without parameters.
    pub name: String,
    pub instructions: Vec<Instruction>,
}

#[derive(Debug)]
pub struct Instruction {
    /// From the function's section's begin.
    pub address: u64,
    pub bytes: usize,
    /// Mnemonic and operands.
    pub text: String,
}

impl Instruction {
    /// Where a jump goes within its section.
    pub fn jump_target(&self) -> Option<u64> {
        let (mnemonic, operand) = self.text.split_once(' ')?;
        let address = operand.split_whitespace().next()?;
        if mnemonic.starts_with('j') { u64::from_str_radix(address, 16).ok() } else { None }
    }
}

/// The functions of a disassembly:
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

/// A line `ADDRESS:<tab>BYTES<tab>TEXT`.
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
