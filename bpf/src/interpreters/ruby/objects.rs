//! Reads Ruby's strings and arrays. The type of each object is checked, and each length is limited.
use super::Layout;
use crate::v8::Memory;

pub const TYPE_CLASS: u64 = 2;
pub const TYPE_MODULE: u64 = 3;
const TYPE_STRING: u64 = 5;
const TYPE_ARRAY: u64 = 7;
pub const TYPE_INCLUDED: u64 = 0x1c;
pub const TYPE_MASK: u64 = 0x1f;
/// Mask for the type of an object and the kind of an internal object.
pub const INTERNAL_MASK: u64 = 0xf01f;
pub const METHOD_ENTRY: u64 = 0x601a;
pub const SEQUENCE: u64 = 0x701a;

/// Flag of a string whose characters are outside the object.
const STRING_IS_APART: u64 = 1 << 13;
const STRING_LENGTH_SHIFT: u64 = 14;
const STRING_LENGTH_MASK: u64 = 0x1f;
/// Flag of arrays whose elements are in the object.
const ARRAY_IS_WHOLE: u64 = 1 << 13;
const ARRAY_LENGTH_SHIFT: u64 = 15;
const ARRAY_LENGTH_MASK: u64 = 0x7f;

/// Objects in the memory of a process with Ruby.
pub struct Objects<'a, M: Memory> {
    pub memory: &'a M,
    pub layout: &'a Layout,
}

impl<M: Memory> Objects<'_, M> {
    pub fn word(&self, address: u64) -> Option<u64> {
        let mut bytes = [0; 8];
        self.memory.read(address, &mut bytes).then(|| u64::from_le_bytes(bytes))
    }

    pub fn field(&self, object: u64, offset: u64) -> Option<u64> {
        self.word(object.checked_add(offset)?)
    }

    /// Returns the flags of an object; none for values such as integers, symbols and nil, which are
    /// not objects.
    pub fn flags(&self, object: u64) -> Option<u64> {
        if object & 7 != 0 || object < 4096 {
            return None;
        }
        self.word(object)
    }

    /// Returns a string, truncated to `max` bytes; replaces bytes that are not UTF-8.
    pub fn string(&self, object: u64, max: usize) -> Option<String> {
        let flags = self.flags(object)?;
        if flags & TYPE_MASK != TYPE_STRING {
            return None;
        }
        let is_apart = flags & STRING_IS_APART != 0;
        let (length, data) = match self.layout.fields.string_length {
            Some(offset) => (self.field(object, offset)?, offset + 8),
            None if is_apart => (self.field(object, 16)?, 24),
            None => (flags >> STRING_LENGTH_SHIFT & STRING_LENGTH_MASK, 16),
        };
        let start = if is_apart { self.field(object, data)? } else { object.checked_add(data)? };
        let mut bytes = vec![0; usize::try_from(length).ok()?.min(max)];
        let is_read = bytes.is_empty() || self.memory.read(start, &mut bytes);
        is_read.then(|| String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Returns an element of an array; none if the array has no such element.
    pub fn element(&self, object: u64, index: u64) -> Option<u64> {
        let flags = self.flags(object)?;
        if flags & TYPE_MASK != TYPE_ARRAY {
            return None;
        }
        let is_whole = flags & ARRAY_IS_WHOLE != 0;
        let (length, start) = if is_whole {
            (flags >> ARRAY_LENGTH_SHIFT & ARRAY_LENGTH_MASK, object.checked_add(16)?)
        } else {
            (self.field(object, 16)?, self.field(object, 32)?)
        };
        if index >= length {
            return None;
        }
        self.word(start.checked_add(index.checked_mul(8)?)?)
    }
}
