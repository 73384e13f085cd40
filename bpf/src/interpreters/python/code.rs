//! Reads Python code objects from the memory of a process. The memory is untrusted: types of
//! objects are checked, lengths are limited, and a check value shows if the address contains
//! another object now.
use super::Layout;
use crate::interpreters::blocks::Blocks;
use crate::interpreters::{Code, mix_words};
use crate::layout::PYTHON_TEXT_BYTES;
use crate::v8::Memory;

const NAME_CHARACTERS_MAX: usize = 256;
const FILE_CHARACTERS_MAX: usize = 4096;
/// Generated code has functions of 100,000 lines.
const LINES_BYTES_MAX: u64 = 1 << 20;
const STATE_COMPACT: u32 = 1 << 3;
const STATE_ASCII: u32 = 1 << 4;
/// Offset of the type if the references before it are one word.
const TYPE_AFTER_REFERENCES: u64 = 8;

/// Memory of a process with Python.
pub struct Reader<'a, M: Memory> {
    pub memory: &'a M,
    pub layout: &'a Layout,
    /// Number to add to addresses in the file.
    pub bias: u64,
}

impl<M: Memory> Reader<'_, M> {
    /// Returns the code object at `address`; none if its check value differs.
    pub fn read(&self, address: u64, check: u64) -> Option<Code> {
        let code = self.with_blocks(&Blocks::new(self.memory)).read_code(address, check)?;
        // The code object may have been freed in the meantime, and its strings with it.
        self.with_blocks(&Blocks::new(self.memory)).is_code(address, check)?.then_some(code)
    }

    fn with_blocks<'a>(&'a self, memory: &'a Blocks<'a, M>) -> Reader<'a, Blocks<'a, M>> {
        Reader { memory, layout: self.layout, bias: self.bias }
    }

    fn read_code(&self, address: u64, check: u64) -> Option<Code> {
        if !self.is_code(address, check)? {
            return None;
        }
        let fields = &self.layout.fields;
        let word = |offset| self.word(address.checked_add(offset)?);
        Some(Code {
            name: self.string(word(fields.shown_name())?, NAME_CHARACTERS_MAX)?,
            file: self.string(word(fields.code_file)?, FILE_CHARACTERS_MAX)?,
            first_line: word(fields.code_first_line)? as u32,
            lines: self.bytes(word(fields.code_lines)?)?,
        })
    }

    /// Returns whether the code object with this check value is at `address`, and is not freed.
    fn is_code(&self, address: u64, check: u64) -> Option<bool> {
        let kind = self.word(address.checked_add(self.layout.fields.object_type)?)?;
        let is_code = kind == self.layout.code_type.wrapping_add(self.bias);
        Some(is_code && self.is_alive(address)? && self.check_of(address)? == check)
    }

    /// Returns whether an object has references. Most of a freed object stays in memory for a
    /// while, but its first word becomes 0 or the address of the next free block. Where the C
    /// library allocated it, the type is overwritten, or the number of references is 0.
    fn is_alive(&self, address: u64) -> Option<bool> {
        let first = self.word(address)?;
        if self.layout.fields.object_type == TYPE_AFTER_REFERENCES {
            // The number is in the lower half. Python 3.14 has flags in the highest 16 bits.
            return Some(first as u32 != 0 && (first >> 32) as u16 == 0);
        }
        // Without a lock, an object has the references of its thread, and those of other threads
        // above two flags.
        let own = self.word(address.checked_add(8)?)? >> 32;
        let shared = self.word(address.checked_add(16)?)? >> 2;
        Some(own != 0 || shared != 0)
    }

    /// Returns the check value, computed like read_check in kernel/python.h.
    fn check_of(&self, address: u64) -> Option<u64> {
        let offsets = &self.layout.offsets;
        let line = address.checked_add(u64::from(offsets.code_line))?;
        if offsets.code_file != 0 {
            let fields = &self.layout.fields;
            let mut words = vec![self.word(line)? & 0xffff_ffff];
            for offset in [fields.code_file, fields.shown_name()] {
                self.check_text(self.word(address.checked_add(offset)?)?, &mut words)?;
            }
            return Some(mix_words(&words));
        }
        let mut words = [0; 4];
        for (i, word) in words.iter_mut().enumerate() {
            *word = self.word(line.checked_add(i as u64 * 8)?)?;
        }
        words[3] &= 0xffff_ffff;
        Some(mix_words(&words))
    }

    /// Adds what the check has of a string: its address, its length and its last bytes.
    fn check_text(&self, address: u64, words: &mut Vec<u64>) -> Option<()> {
        let fields = &self.layout.fields;
        let word = |offset| self.word(address.checked_add(offset)?);
        let length = word(fields.string_length)?;
        let state = (word(fields.string_state)? as u32) >> fields.string_kind_shift;
        let is_ascii = state & STATE_ASCII != 0;
        let data = if is_ascii { fields.string_ascii_data } else { fields.string_other_data };
        let is_compact = state & STATE_COMPACT != 0;
        let bytes = if is_compact { length.wrapping_mul(u64::from(state & 7)) } else { 0 };
        let count = bytes.min(PYTHON_TEXT_BYTES as u64);
        let start = address.checked_add(data)?.checked_add(bytes - count)?;
        let mut text = [0; PYTHON_TEXT_BYTES];
        let text = &mut text[..count as usize];
        if !self.memory.read(start, text) {
            return None;
        }
        words.extend([address, length]);
        words.extend(text.chunks(8).map(|part| {
            let mut word = [0; 8];
            word[..part.len()].copy_from_slice(part);
            u64::from_le_bytes(word)
        }));
        Some(())
    }

    fn word(&self, address: u64) -> Option<u64> {
        let mut bytes = [0; 8];
        self.memory.read(address, &mut bytes).then(|| u64::from_le_bytes(bytes))
    }

    /// Reads a string, truncated to `max` characters.
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

/// Decodes a character of one, two or four bytes. Replaces lone surrogates, which occur in file
/// names.
fn character(bytes: &[u8]) -> Option<char> {
    let mut word = [0; 4];
    word[..bytes.len()].copy_from_slice(bytes);
    let number = u32::from_le_bytes(word);
    let is_half = (0xd800..0xe000).contains(&number);
    if is_half { Some(char::REPLACEMENT_CHARACTER) } else { char::from_u32(number) }
}

/// Returns the line of an instruction in the code at `address`, as a frame stores it; 0 if it is
/// unknown.
pub fn line(layout: &Layout, code: &Code, address: u64, instruction: u64) -> u32 {
    let offset = match layout.fields.code_start {
        Some(start) => instruction.wrapping_sub(address.wrapping_add(start)),
        // Instructions have numbers from 3.10 on.
        None if layout.minor >= 10 => (instruction as u32 as i32 as i64 * 2) as u64,
        None => instruction as u32 as i32 as u64,
    };
    let is_before_start = (offset as i64) < 0;
    match u32::try_from(offset) {
        Ok(offset) => layout.fields.line_table.line(&code.lines, code.first_line, offset),
        // The frame has not started to run.
        Err(_) if is_before_start && offset as i64 >= -16 => code.first_line,
        Err(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interpreters::python::tests::{layout_of, layout_of_3_12};
    use crate::interpreters::tests::Words;

    const BIAS: u64 = 0x1000;
    const CODE: u64 = 0x10_0000;
    const NAME: u64 = 0x20_0000;
    const FILE: u64 = 0x30_0000;
    const LINES: u64 = 0x40_0000;

    fn put_string(words: &mut Words, type_of: u64, at: u64, state: u64, data: (u64, &[u8], u64)) {
        let (offset, bytes, length) = data;
        words.put_word(at + 8, type_of);
        words.put_word(at + 16, length);
        words.put_word(at + 32, state);
        words.put(at + offset, bytes);
    }

    /// Creates memory with a code object whose name has two-byte characters.
    fn memory(layout: &Layout) -> Words {
        let mut words = Words::default();
        let string = layout.string_type + BIAS;
        words.put_word(CODE, 3);
        words.put_word(CODE + 8, layout.code_type + BIAS);
        words.put(CODE + 68, &7u32.to_le_bytes());
        for offset in [72, 80] {
            words.put_word(CODE + offset, 0);
        }
        words.put(CODE + 92, &1234u32.to_le_bytes());
        for (offset, value) in [(96, 0), (112, FILE), (128, NAME), (136, LINES)] {
            words.put_word(CODE + offset, value);
        }
        let name: Vec<u8> = "Łódź.pay".encode_utf16().flat_map(u16::to_le_bytes).collect();
        put_string(&mut words, string, NAME, 1 | 2 << 2 | 1 << 5, (56, &name, 8));
        put_string(&mut words, string, FILE, 1 << 2 | 3 << 5, (40, b"/shop.py", 8));
        words.put_word(LINES + 16, 3);
        words.put(LINES + 32, &[0x80 | 11 << 3, 1, 2]);
        words
    }

    fn read(layout: &Layout, memory: &Words, check: u64) -> Option<Code> {
        Reader { memory, layout, bias: BIAS }.read(CODE, check)
    }

    #[test]
    fn a_code_object_is_read_and_nothing_else() {
        let layout = layout_of_3_12();
        let whole = memory(&layout);
        let reader = Reader { memory: &whole, layout: &layout, bias: BIAS };
        let check = reader.check_of(CODE).expect("it is there");
        let code = read(&layout, &whole, check).expect("it is there");
        assert_eq!((&*code.name, &*code.file, code.first_line), ("Łódź.pay", "/shop.py", 7));
        let start = CODE + layout.fields.code_start.expect("from 3.11 on");
        assert_eq!(line(&layout, &code, CODE, start), 8);
        // One offset is before the first instruction; another is outside the table.
        assert_eq!(line(&layout, &code, CODE, start - 2), 7);
        assert_eq!(line(&layout, &code, CODE, start + 2), 0);
        assert_eq!(line(&layout, &code, CODE, 3), 0);
        assert_eq!(read(&layout, &whole, check ^ 1), None, "another code object is there");
    }

    /// Before 3.12, the strings of a code object tell it from the next one in its memory.
    #[test]
    fn the_check_covers_the_ends_of_the_file_and_of_the_name() {
        let layout = layout_of(11);
        let check = |file: &[u8], name: &[u8]| {
            let mut words = Words::default();
            words.put(CODE + 72, &7u32.to_le_bytes());
            for (offset, value) in [(112, FILE), (128, NAME)] {
                words.put_word(CODE + offset, value);
            }
            for (at, text) in [(FILE, file), (NAME, name)] {
                put_string(&mut words, 0, at, 1 << 2 | 3 << 5, (48, text, text.len() as u64));
            }
            Reader { memory: &words, layout: &layout, bias: BIAS }.check_of(CODE)
        };
        let long = [b'x'; 100];
        let with = |at: usize, byte| {
            let mut changed = long;
            changed[at] = byte;
            changed
        };
        let base = check(&long, b"Shop.pay");
        assert!(base.is_some());
        for (file, name) in [
            (&with(99, b'y')[..], &b"Shop.pay"[..]),
            (&with(36, b'y'), b"Shop.pay"),
            (&long[1..], b"Shop.pay"),
            (b"", b"Shop.pay"),
            (&long, b"Shop.buy"),
            (&long, b"Shop.pa"),
        ] {
            assert_ne!(check(file, name), base, "{name:?} in {file:?}");
        }
        assert_eq!(check(&with(35, b'y'), b"Shop.pay"), base, "too far from the end");
    }

    #[test]
    fn a_freed_code_object_has_no_name() {
        let layout = layout_of_3_12();
        let mut words = memory(&layout);
        let reader = Reader { memory: &words, layout: &layout, bias: BIAS };
        let check = reader.check_of(CODE).expect("a code object");
        // One reference, an immortal object, flags.
        for references in [1, 0xffff_ffff, 4 << 48 | 0xc000_0000] {
            words.0.insert(CODE, references);
            assert!(read(&layout, &words, check).is_some(), "{references:x}");
        }
        // The address of the next free block, or none.
        for references in [0x7f12_3456_7890, 0x5566_0000_1230, 0] {
            words.0.insert(CODE, references);
            assert_eq!(read(&layout, &words, check), None, "{references:x}");
        }
    }

    #[test]
    fn a_freed_code_object_of_free_threads_has_no_name() {
        let mut layout = layout_of_3_12();
        layout.fields.object_type = 24;
        let is_alive = |own: u64, shared: u64| {
            let mut words = Words::default();
            for (offset, word) in [(0, 0x7f12_3456_7890), (8, own << 32 | 7), (16, shared)] {
                words.put_word(CODE + offset, word);
            }
            Reader { memory: &words, layout: &layout, bias: BIAS }.is_alive(CODE)
        };
        assert_eq!(is_alive(1, 0), Some(true));
        assert_eq!(is_alive(0xffff_ffff, 0), Some(true), "immortal");
        assert_eq!(is_alive(0, 1 << 2 | 3), Some(true), "of another thread");
        assert_eq!(is_alive(0, 3), Some(false));
        assert_eq!(is_alive(0, 0), Some(false));
    }

    /// With each word missing or damaged in turn, the result must be correct or none.
    #[test]
    fn damaged_memory_gives_no_name() {
        let layout = layout_of_3_12();
        let whole = memory(&layout);
        let reader = Reader { memory: &whole, layout: &layout, bias: BIAS };
        let check = reader.check_of(CODE).expect("it is there");
        let code = read(&layout, &whole, check);
        let characters = [NAME + 56, NAME + 64, FILE + 40, LINES + 32];
        let lengths = [NAME + 16, FILE + 16, LINES + 16];
        for address in whole.0.keys().copied() {
            let mut damaged = whole.clone();
            damaged.0.remove(&address);
            assert_eq!(read(&layout, &damaged, check), None, "without {address:x}");
            // Damaged characters result in another name, and a length of 0 in an empty name.
            if characters.contains(&address) {
                continue;
            }
            for value in [0, u64::MAX, 1 << 40, CODE] {
                if value == 0 && lengths.contains(&address) {
                    continue;
                }
                damaged.0.insert(address, value);
                let found = read(&layout, &damaged, check);
                let is_same = whole.0[&address] == value;
                let is_right = found.is_none() || is_same || found == code;
                assert!(is_right, "{value:x} at {address:x}: {found:?}");
            }
        }
    }
}
