//! Packs the rows of a table into cache lines.
use crate::layout::{BLOCK_SHIFTS, LINE_RULES, Line, NO_START, RULE_MORE, Rule};
use crate::table::Table;

/// Largest number of lines, because a rule has 24 bits for the number of a line.
const LINES_MAX: usize = 1 << 24;

const STARTS_OF_WORD: usize = 4;
/// Number of offsets in a line; the last two offsets are unused.
const STARTS: usize = LINE_RULES + 2;

/// A table in the format that the kernel program searches.
#[derive(Default)]
pub struct Lines {
    /// Address in the file to which the other addresses are relative.
    pub base: u64,
    /// Binary logarithm of the size of a block in bytes.
    pub block_shift: u8,
    /// Number of blocks up to the block of the last row, which ends the table.
    pub block_count: u32,
    /// One line per block, then the additional lines of blocks. Empty for a table without rows.
    pub list: Vec<Line>,
}

impl Lines {
    /// Packs a table into at most `lines_max` lines. Larger blocks take less memory, but a search
    /// reads more lines if a block has many rows. Tables with few rows therefore get larger blocks.
    pub fn pack(table: &Table, lines_max: usize) -> Result<Lines, String> {
        let lines_max = lines_max.min(LINES_MAX);
        let fits = |shift: &u8| line_count(table, *shift) <= lines_max;
        let mut shifts = BLOCK_SHIFTS.filter(fits);
        let smallest = shifts.next().ok_or_else(|| format!("it has over {lines_max} lines"))?;
        let is_short =
            |shift: &u8| line_count(table, *shift) * 4 <= block_count(table, *shift) as usize * 7;
        Ok(Lines::with_blocks(table, shifts.rfind(is_short).unwrap_or(smallest)))
    }

    fn with_blocks(table: &Table, block_shift: u8) -> Lines {
        let block_count = block_count(table, block_shift);
        let offset_of = |address: u32| address & ((1 << block_shift) - 1);
        let mut list = Vec::with_capacity(line_count(table, block_shift));
        list.resize(block_count as usize, Line::of(&[]));
        let mut rest = &*table.rows;
        let mut before = Rule::default();
        let mut rules: Vec<(u32, Rule)> = Vec::new();
        for block in 0..block_count {
            let count = rest.iter().take_while(|row| row.address >> block_shift == block).count();
            let own;
            (own, rest) = rest.split_at(count);
            rules.clear();
            // The last rule of the previous block is valid up to the first row of this block.
            if own.first().is_none_or(|row| offset_of(row.address) != 0) {
                rules.push((0, before));
            }
            rules.extend(own.iter().map(|row| (offset_of(row.address), row.rule)));
            before = rules.last().map_or(before, |(_, rule)| *rule);
            add_block(&mut list, block as usize, &rules);
        }
        Lines { base: table.base, block_shift, block_count, list }
    }
}

/// Returns the number of blocks up to the block of the last row.
fn block_count(table: &Table, block_shift: u8) -> u32 {
    table.rows.last().map_or(0, |last| (last.address >> block_shift) + 1)
}

/// Returns the number of lines of a table: one line per block, and one line for every nine rules
/// after a block's first ten.
fn line_count(table: &Table, block_shift: u8) -> usize {
    let mut count = block_count(table, block_shift) as usize;
    for rows in table.rows.chunk_by(|a, b| a.address >> block_shift == b.address >> block_shift) {
        let goes_on = rows[0].address & ((1 << block_shift) - 1) != 0;
        let over = (rows.len() + usize::from(goes_on)).saturating_sub(LINE_RULES);
        count += over.div_ceil(LINE_RULES - 1);
    }
    count
}

/// Writes the line of a block, and appends its additional lines.
fn add_block(lines: &mut Vec<Line>, block: usize, mut rules: &[(u32, Rule)]) {
    let mut at = block;
    while rules.len() > LINE_RULES {
        let (own, rest) = rules.split_at(LINE_RULES - 1);
        let next = lines.len();
        let more = Rule { cfa: next as u16, rbp: (next >> 16) as i8, kind: RULE_MORE };
        let mut all = own.to_vec();
        all.push((rest[0].0, more));
        lines[at] = Line::of(&all);
        lines.push(Line::of(&[]));
        (at, rules) = (next, rest);
    }
    lines[at] = Line::of(rules);
}

impl Line {
    /// Returns a line with these rules, each with its offset in the block.
    fn of(rules: &[(u32, Rule)]) -> Line {
        let mut starts = [NO_START as u16; STARTS];
        let mut line = Line::default();
        for (i, (start, rule)) in rules.iter().enumerate() {
            starts[i] = *start as u16;
            line.rules[i] = *rule;
        }
        for (word, starts) in line.starts.iter_mut().zip(starts.chunks_exact(STARTS_OF_WORD)) {
            *word = starts.iter().rev().fold(0, |word, start| word << 16 | u64::from(*start));
        }
        line
    }

    /// Returns the offset of each rule; NO_START after the last rule.
    #[cfg(test)]
    pub fn starts(&self) -> [u16; STARTS] {
        let word_of = |i: usize| self.starts[i / STARTS_OF_WORD];
        std::array::from_fn(|i| (word_of(i) >> (16 * (i % STARTS_OF_WORD))) as u16)
    }
}
