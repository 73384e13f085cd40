//! Reads the lines of an instruction sequence. Ruby has a list of entries, and a succinct bit
//! vector that gives the number of entries that start at or before an instruction.
use super::Layout;
use super::objects::Objects;
use crate::layout::ADDRESS_MASK;
use crate::v8::Memory;

/// Largest number of entries; some generated code has 100,000 lines.
const ENTRIES_MAX: u64 = 1 << 18;
const INSTRUCTION_WORDS_MAX: u64 = 1 << 22;

/// Number of instructions whose counts are stored directly. A word holds nine counts of 7 bits
/// each.
const DIRECT_COUNTS: usize = 54;
const COUNTS_OF_WORD: usize = 9;
const COUNT_BITS: usize = 7;
const DIRECT_WORDS: usize = DIRECT_COUNTS / COUNTS_OF_WORD;
/// Number of bits in a block, which covers further instructions. A block consists of the count
/// before the block, the counts before each of its words, and the words.
const BLOCK_BITS: usize = 512;
const BLOCK_WORDS: usize = 2 + BLOCK_BITS / 64;
const WORD_COUNT_BITS: usize = 9;

/// Size in bytes of a range of instructions with the same line. It has two numbers of four bytes:
/// the first instruction word of the range, and the line.
const RANGE_BYTES: usize = 8;

impl<M: Memory> Objects<'_, M> {
    /// Reads the lines of a sequence of `size` words whose body is at `body`.
    pub fn lines(&self, body: u64, size: u64) -> Option<Box<[u8]>> {
        let Layout { fields, .. } = self.layout;
        let at = |n: u64| self.field(body, fields.body_lines + n * 8);
        let count = at(2)? & 0xffff_ffff;
        if count > ENTRIES_MAX || size > INSTRUCTION_WORDS_MAX {
            return None;
        }
        let entry_bytes = fields.line_entry_bytes as usize;
        let mut bytes = vec![0; count as usize * entry_bytes];
        if count > 0 && !self.memory.read(at(0)?, &mut bytes) {
            return None;
        }
        let entries: Vec<u32> = bytes
            .chunks_exact(entry_bytes)
            .map(|entry| u32::from_le_bytes(entry[..4].try_into().expect("4 bytes")))
            .collect();
        if count < 2 {
            return Some(pack(entries.iter().map(|line| (0, *line))));
        }
        let blocks = (size as usize).saturating_sub(DIRECT_COUNTS).div_ceil(BLOCK_BITS);
        let mut table = vec![0; (DIRECT_WORDS + blocks * BLOCK_WORDS) * 8];
        if !self.memory.read(at(3)?, &mut table) {
            return None;
        }
        let words = table.chunks_exact(8).map(|word| word.try_into().expect("8 bytes"));
        let words: Vec<u64> = words.map(u64::from_le_bytes).collect();
        let lines = (0..size as usize).map(|position| {
            let entry = count_up_to(&words, position).checked_sub(1)?;
            Some((position as u32, *entries.get(entry)?))
        });
        Some(pack(lines.collect::<Option<Vec<_>>>()?.into_iter()))
    }
}

/// Returns the number of entries that start at or before an instruction word.
fn count_up_to(words: &[u64], position: usize) -> usize {
    let Some(after) = position.checked_sub(DIRECT_COUNTS) else {
        let word = words[position / COUNTS_OF_WORD];
        return (word >> (position % COUNTS_OF_WORD * COUNT_BITS)) as usize & 0x7f;
    };
    let block = &words[DIRECT_WORDS + after / BLOCK_BITS * BLOCK_WORDS..][..BLOCK_WORDS];
    let bit = after % BLOCK_BITS;
    let before_word = match bit / 64 {
        0 => 0,
        word => (block[1] >> ((word - 1) * WORD_COUNT_BITS)) as usize & 0x1ff,
    };
    let in_word = (block[2 + bit / 64] << (63 - bit % 64)).count_ones() as usize;
    (block[0] as u32) as usize + before_word + in_word
}

/// Keeps only the first of consecutive entries with the same line.
fn pack(lines: impl Iterator<Item = (u32, u32)>) -> Box<[u8]> {
    let mut bytes = Vec::new();
    let mut last = None;
    for (position, line) in lines {
        if last != Some(line) {
            bytes.extend(position.to_le_bytes());
            bytes.extend(line.to_le_bytes());
        }
        last = Some(line);
    }
    bytes.into_boxed_slice()
}

/// Returns the line of the instruction before number `next`, because frames store the number of
/// their next instruction; 0 if it is unknown.
pub fn line(lines: &[u8], next: u64) -> u32 {
    if next == ADDRESS_MASK {
        return 0;
    }
    let position = next.saturating_sub(1);
    let (starts, _) = lines.as_chunks::<RANGE_BYTES>();
    let number = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().expect("4 bytes"));
    let after = starts.partition_point(|range| u64::from(number(&range[..4])) <= position);
    after.checked_sub(1).map_or(0, |at| number(&starts[at][4..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_direct_or_in_blocks() {
        let mut words = vec![0; DIRECT_WORDS + BLOCK_WORDS];
        words[1] = 5 << COUNT_BITS | 4;
        words[DIRECT_WORDS] = 7;
        words[DIRECT_WORDS + 1] = 3;
        words[DIRECT_WORDS + 2] = 0b111;
        words[DIRECT_WORDS + 3] = 1 << 6;
        let count = |position| count_up_to(&words, position);
        assert_eq!([count(9), count(10)], [4, 5]);
        assert_eq!([count(54), count(55), count(117)], [8, 9, 10]);
        assert_eq!([count(54 + 64), count(54 + 64 + 6)], [10, 11]);
    }

    #[test]
    fn a_frame_has_the_next_instruction() {
        let lines = pack([(0, 3), (1, 3), (4, 5), (9, 4)].into_iter());
        let found = [0, 1, 4, 5, 9, 10, 99].map(|next| line(&lines, next));
        assert_eq!(found, [3, 3, 3, 5, 5, 4, 4]);
        assert_eq!([line(&lines, ADDRESS_MASK), line(&[], 1)], [0, 0]);
    }
}
