//! Disassembles the functions around addresses.
//!
//! The answer has one line for each item, with fields separated by tabs:
//!   F <start> <end> <name>: a function; numbers are hexadecimal
//!   I <address> <bytes> <target> <line> <file> <text>: an instruction of the function; `target`
//!     is the function that it jumps to or calls, file and line are those of the innermost call
//!   C <bytes>: number of bytes at the end of the function that are left out
//!   W <reason>: an address without a function, or without code
use std::collections::BTreeMap;
use std::fmt::Write;

use demangle::{Mode, demangle};
use object::{Architecture, Object, ObjectSection, SectionFlags, SectionKind};

use crate::dwarf::Lines;
use crate::go_table::GoTable;
use crate::symbols::Functions;

/// Largest number of bytes of a function that are disassembled.
const FUNCTION_BYTES_MAX: u64 = 64 << 10;
/// Largest number of functions in a request.
const FUNCTIONS_MAX: usize = 64;
/// Largest number of characters in the name of a function or a file.
const NAME_LENGTH_MAX: usize = 500;

/// Size of an arm64 instruction in bytes.
const ARM_INSTRUCTION_BYTES: usize = 4;

/// A file with code, and the sources of its names.
pub struct Program<'a, 'data> {
    pub file: &'a object::File<'data>,
    pub functions: Functions<'data>,
    pub lines: Option<Lines<'data>>,
    /// Lines of a Go program without DWARF.
    pub go: Option<GoTable<'data>>,
    pub mode: Mode,
}

/// An instruction, before names are found for its addresses.
struct Instruction {
    length: usize,
    text: String,
    target: Option<u64>,
}

/// Disassembles the functions around the addresses. Errors: code of an unsupported processor.
pub fn disassemble(program: &Program<'_, '_>, addresses: &[u64]) -> Result<String, String> {
    let decode = match program.file.architecture() {
        Architecture::X86_64 => decode_x86,
        Architecture::Aarch64 => decode_arm,
        other => return Err(format!("code: that of {other:?} is not disassembled")),
    };
    let mut answer = String::new();
    let mut wanted = BTreeMap::new();
    for &address in addresses {
        match program.functions.range_of(address) {
            Some((start, end, name)) => drop(wanted.insert(start, (end, name))),
            None => writeln!(answer, "W\tno function is known at 0x{address:x}").expect("memory"),
        }
    }
    if wanted.len() > FUNCTIONS_MAX {
        let more = wanted.len() - FUNCTIONS_MAX;
        writeln!(answer, "W\t{more} more functions are left out").expect("memory");
    }
    for (start, (end, name)) in wanted.into_iter().take(FUNCTIONS_MAX) {
        let shown = clean(&demangle(name, program.mode));
        writeln!(answer, "F\t{start:x}\t{end:x}\t{shown}").expect("memory");
        let end_read = end.min(start.saturating_add(FUNCTION_BYTES_MAX));
        match code_at(program.file, start, end_read) {
            None => writeln!(answer, "W\tthe file has no code at 0x{start:x}").expect("memory"),
            Some(code) => add_instructions(program, start, code, decode, &mut answer),
        }
        if end_read < end {
            writeln!(answer, "C\t{}", end - end_read).expect("memory");
        }
    }
    Ok(answer)
}

/// Returns the bytes of a range of code; None if the file does not have them.
fn code_at<'data>(file: &object::File<'data>, start: u64, end: u64) -> Option<&'data [u8]> {
    let section = file.sections().find(|section| {
        start >= section.address()
            && start - section.address() < section.size()
            && is_code(section.kind(), section.flags())
    })?;
    let data = section.data().ok()?;
    let from = usize::try_from(start - section.address()).ok()?;
    let length = usize::try_from(end.saturating_sub(start)).ok()?;
    let rest = data.get(from..)?;
    (!rest.is_empty()).then(|| &rest[..length.min(rest.len())])
}

fn is_code(kind: SectionKind, flags: SectionFlags) -> bool {
    let executable = object::elf::SHF_EXECINSTR;
    let is_executable = matches!(
        flags,
        SectionFlags::Elf { sh_flags, .. } if sh_flags & executable == executable
    );
    is_executable && !kind.is_bss()
}

fn add_instructions(
    program: &Program<'_, '_>,
    start: u64,
    code: &[u8],
    decode: fn(u64, &[u8]) -> Instruction,
    answer: &mut String,
) {
    let mut at = 0;
    while at < code.len() {
        let address = start + at as u64;
        let instruction = decode(address, &code[at..]);
        let length = instruction.length.clamp(1, code.len() - at);
        let target = instruction.target.and_then(|to| {
            let (first, _, name) = program.functions.range_of(to)?;
            let name = clean(&demangle(name, program.mode));
            Some(if to == first { name } else { format!("{name}+0x{:x}", to - first) })
        });
        let place = program.lines.as_ref().and_then(|lines| lines.place_of(address));
        let of_go = || program.go.as_ref().and_then(|table| table.place_of(address));
        let (file, line) = place.or_else(of_go).unwrap_or_default();
        write!(answer, "I\t{address:x}\t").expect("memory");
        for byte in &code[at..at + length] {
            write!(answer, "{byte:02x}").expect("memory");
        }
        let (target, file) = (target.unwrap_or_default(), clean(&file));
        writeln!(answer, "\t{target}\t{line}\t{file}\t{}", instruction.text).expect("memory");
        at += length;
    }
}

fn decode_x86(address: u64, code: &[u8]) -> Instruction {
    use iced_x86::{Decoder, DecoderOptions, Formatter, IntelFormatter, OpKind};
    let mut decoder = Decoder::with_ip(64, code, address, DecoderOptions::NONE);
    let instruction = decoder.decode();
    if instruction.is_invalid() {
        return Instruction { length: 1, text: "(bad)".to_string(), target: None };
    }
    let mut formatter = IntelFormatter::new();
    let options = formatter.options_mut();
    options.set_hex_prefix("0x");
    options.set_hex_suffix("");
    options.set_uppercase_hex(false);
    options.set_first_operand_char_index(8);
    options.set_space_after_operand_separator(true);
    options.set_branch_leading_zeros(false);
    options.set_show_branch_size(false);
    options.set_small_hex_numbers_in_decimal(false);
    let mut text = String::new();
    formatter.format(&instruction, &mut text);
    let is_near = instruction.op_count() > 0 && instruction.op0_kind() == OpKind::NearBranch64;
    let target = is_near.then(|| instruction.near_branch_target());
    Instruction { length: instruction.len(), text, target }
}

fn decode_arm(address: u64, code: &[u8]) -> Instruction {
    use yaxpeax_arch::{Decoder, U8Reader};
    use yaxpeax_arm::armv8::a64::{InstDecoder, Opcode, Operand};
    let length = ARM_INSTRUCTION_BYTES;
    let Ok(instruction) = InstDecoder::default().decode(&mut U8Reader::new(code)) else {
        return Instruction { length, text: "(bad)".to_string(), target: None };
    };
    let is_branch =
        matches!(instruction.opcode, Opcode::B | Opcode::BL | Opcode::Bcc(_) | Opcode::CBZ)
            || matches!(instruction.opcode, Opcode::CBNZ | Opcode::TBZ | Opcode::TBNZ);
    let target = instruction.operands.iter().find_map(|operand| match operand {
        Operand::PCOffset(offset) if is_branch => Some(address.wrapping_add_signed(*offset)),
        _ => None,
    });
    Instruction { length, text: clean(&instruction.to_string()), target }
}

/// Truncates a name, and replaces characters that would end its field or line in the response.
fn clean(name: &str) -> String {
    name.chars()
        .take(NAME_LENGTH_MAX)
        .map(|char| if char.is_control() { '\u{fffd}' } else { char })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(decode: fn(u64, &[u8]) -> Instruction, mut code: &[u8]) -> Vec<String> {
        let mut texts = Vec::new();
        let mut address = 0x1000;
        while !code.is_empty() {
            let Instruction { length, text, target } = decode(address, code);
            let target = target.map(|to| format!(" -> {to:x}")).unwrap_or_default();
            texts.push(format!("{text}{target}"));
            let length = length.min(code.len());
            code = &code[length..];
            address += length as u64;
        }
        texts
    }

    #[test]
    fn x86_instructions_and_their_targets() {
        // push rbp; mov rbp, rsp; call 0x1009; jne 0x1000; a byte that starts no instruction in
        // 64-bit mode.
        let code = [0x55, 0x48, 0x89, 0xe5, 0xe8, 0, 0, 0, 0, 0x75, 0xf5, 0x06];
        let want = [
            "push    rbp",
            "mov     rbp, rsp",
            "call    0x1009 -> 1009",
            "jne     0x1000 -> 1000",
            "(bad)",
        ];
        assert_eq!(texts(decode_x86, &code), want);
    }

    #[test]
    fn an_instruction_that_is_cut_off_is_bad() {
        assert_eq!(texts(decode_x86, &[0xe8, 0, 0])[0], "(bad)");
        assert_eq!(texts(decode_arm, &[0xc0, 0x03]), ["(bad)"]);
    }

    #[test]
    fn arm_instructions_and_their_targets() {
        // ret; bl +8; nothing.
        let code = [0xc0, 0x03, 0x5f, 0xd6, 0x02, 0, 0, 0x94, 0, 0, 0, 0];
        assert_eq!(texts(decode_arm, &code).len(), 3);
        assert_eq!(texts(decode_arm, &code)[0], "ret");
        assert!(texts(decode_arm, &code)[1].ends_with(" -> 100c"));
    }

    #[test]
    fn hostile_names_stay_in_their_field() {
        assert_eq!(
            clean("a\tb\nF\t0\t1\tc\r"),
            "a\u{fffd}b\u{fffd}F\u{fffd}0\u{fffd}1\u{fffd}c\u{fffd}"
        );
        assert_eq!(clean(&"x".repeat(1_000)).len(), NAME_LENGTH_MAX);
    }
}
