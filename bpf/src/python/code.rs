//! Reads code objects of Python from the memory of a process. Nothing in it is believed: the type
//! of every object is checked, every length has a limit, and a check tells if another object is
//! there than the one that ran.
use super::Layout;
use crate::layout::CHECK_MASK;
use crate::v8::Memory;

/// A function, module or class body, as its source has it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Code {
    /// With the names around it from 3.11 on: `Shop.pay`, `main.<locals>.<lambda>`.
    pub name: String,
    pub file: String,
    pub first_line: u32,
    lines: Box<[u8]>,
}

const NAME_CHARACTERS_MAX: usize = 256;
const FILE_CHARACTERS_MAX: usize = 4096;
/// Generated code has functions of 100,000 lines.
const LINES_BYTES_MAX: u64 = 1 << 20;
const STATE_COMPACT: u32 = 1 << 3;
const STATE_ASCII: u32 = 1 << 4;

/// Memory of a process with Python.
pub struct Reader<'a, M: Memory> {
    pub memory: &'a M,
    pub layout: &'a Layout,
    /// Number to add to addresses of the file.
    pub bias: u64,
}

impl<M: Memory> Reader<'_, M> {
    /// Returns the code object at `address`; none where that is another one than the check says.
    pub fn read(&self, address: u64, check: u64) -> Option<Code> {
        if self.check_of(address)? != check {
            return None;
        }
        let fields = &self.layout.fields;
        let word = |offset| self.word(address.checked_add(offset)?);
        if word(fields.object_type)? != self.layout.code_type.wrapping_add(self.bias) {
            return None;
        }
        let name = fields.code_qualified_name.unwrap_or(fields.code_name);
        let code = Code {
            name: self.string(word(name)?, NAME_CHARACTERS_MAX)?,
            file: self.string(word(fields.code_file)?, FILE_CHARACTERS_MAX)?,
            first_line: word(fields.code_first_line)? as u32,
            lines: self.bytes(word(fields.code_lines)?)?,
        };
        // It may have been freed in the meantime.
        (self.check_of(address)? == check).then_some(code)
    }

    /// The check as the kernel program makes it: read_check of kernel/python.h.
    fn check_of(&self, address: u64) -> Option<u64> {
        let offsets = &self.layout.offsets;
        let line = address.checked_add(u64::from(offsets.code_line))?;
        let mut words = [0; 4];
        if offsets.code_name == 0 {
            for (i, word) in words.iter_mut().enumerate() {
                *word = self.word(line.checked_add(i as u64 * 8)?)?;
            }
            words[3] &= 0xffff_ffff;
        } else {
            let name = self.word(address.checked_add(u64::from(offsets.code_name))?)?;
            let hash = self.word(name.checked_add(u64::from(offsets.name_hash))?)?;
            words = [self.word(line)? & 0xffff_ffff, name, hash, 0];
        }
        let mut mixed = 0u64;
        for word in words {
            mixed = (mixed ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            mixed ^= mixed >> 29;
        }
        Some(mixed >> 32 & CHECK_MASK)
    }

    fn word(&self, address: u64) -> Option<u64> {
        let mut bytes = [0; 8];
        self.memory.read(address, &mut bytes).then(|| u64::from_le_bytes(bytes))
    }

    /// A string, cut to `max` characters.
    fn string(&self, address: u64, max: usize) -> Option<String> {
        let fields = &self.layout.fields;
        let word = |offset| self.word(address.checked_add(offset)?);
        if word(fields.object_type)? != self.layout.string_type.wrapping_add(self.bias) {
            return None;
        }
        let length = word(fields.string_length)?;
        let state = (word(fields.string_state)? as u32) >> fields.string_kind_shift;
        let width = state & 7;
        if state & STATE_COMPACT == 0 || !matches!(width, 1 | 2 | 4) || length > 1 << 31 {
            return None;
        }
        let is_ascii = state & STATE_ASCII != 0;
        if is_ascii && width != 1 {
            return None;
        }
        let data = if is_ascii { fields.string_ascii_data } else { fields.string_other_data };
        let count = (length as usize).min(max);
        let mut bytes = vec![0; count * width as usize];
        if !self.memory.read(address.checked_add(data)?, &mut bytes) {
            return None;
        }
        bytes.chunks_exact(width as usize).map(character).collect()
    }

    fn bytes(&self, address: u64) -> Option<Box<[u8]>> {
        let fields = &self.layout.fields;
        let length = self.word(address.checked_add(fields.bytes_length)?)?;
        if length > LINES_BYTES_MAX {
            return None;
        }
        let mut bytes = vec![0; length as usize];
        let is_read = self.memory.read(address.checked_add(fields.bytes_data)?, &mut bytes);
        is_read.then(|| bytes.into_boxed_slice())
    }
}

/// A character of one, two or four bytes. Halves of pairs, which file names may have, are replaced.
fn character(bytes: &[u8]) -> Option<char> {
    let mut word = [0; 4];
    word[..bytes.len()].copy_from_slice(bytes);
    let number = u32::from_le_bytes(word);
    let is_half = (0xd800..0xe000).contains(&number);
    if is_half { Some(char::REPLACEMENT_CHARACTER) } else { char::from_u32(number) }
}

impl Code {
    /// Returns the line of an instruction as a frame has it; 0 where it is not known.
    pub fn line(&self, layout: &Layout, code: u64, instruction: u64) -> u32 {
        let offset = match layout.fields.code_start {
            Some(start) => instruction.wrapping_sub(code.wrapping_add(start)),
            // Instructions have numbers from 3.10 on.
            None if layout.minor >= 10 => (instruction as u32 as i32 as i64 * 2) as u64,
            None => instruction as u32 as i32 as u64,
        };
        let is_before_start = (offset as i64) < 0;
        match u32::try_from(offset) {
            Ok(offset) => layout.fields.line_table.line(&self.lines, self.first_line, offset),
            // It has not started.
            Err(_) if is_before_start && offset as i64 >= -16 => self.first_line,
            Err(_) => 0,
        }
    }
}
