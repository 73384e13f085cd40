//! Line tables of code objects, which map instructions to lines.

/// Format of the table, by version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineTable {
    /// Format up to 3.9: pairs of bytes, each the number of instruction bytes and of lines to add.
    Numbers,
    /// Format of 3.10: pairs of bytes for ranges, some of which have no line.
    Ranges,
    /// Format from 3.11 on: for each range, a byte that describes the following bytes.
    Locations,
}

impl LineTable {
    /// Returns the line of the instruction at a byte offset; 0 = none.
    pub fn line(self, table: &[u8], first_line: u32, offset: u32) -> u32 {
        let first = i64::from(first_line);
        let line = match self {
            LineTable::Numbers => line_by_numbers(table, first, offset),
            LineTable::Ranges => line_by_ranges(table, first, offset),
            LineTable::Locations => line_by_locations(table, first, offset),
        };
        line.and_then(|line| u32::try_from(line).ok()).unwrap_or(0)
    }
}

fn line_by_numbers(table: &[u8], first: i64, offset: u32) -> Option<i64> {
    let mut at = 0;
    let mut line = first;
    for pair in table.chunks_exact(2) {
        at += u32::from(pair[0]);
        if at > offset {
            break;
        }
        line += i64::from(pair[1] as i8);
    }
    Some(line)
}

fn line_by_ranges(table: &[u8], first: i64, offset: u32) -> Option<i64> {
    const NO_LINE: i8 = -128;
    let mut end = 0;
    let mut line = first;
    for pair in table.chunks_exact(2) {
        let change = pair[1] as i8;
        if change != NO_LINE {
            line += i64::from(change);
        }
        end += u32::from(pair[0]);
        if offset < end {
            return (change != NO_LINE).then_some(line);
        }
    }
    None
}

/// Size of an instruction in bytes.
const UNIT_BYTES: u32 = 2;
const SHORT_END: u8 = 10;
const ONE_LINE_END: u8 = 13;
const WITHOUT_COLUMNS: u8 = 13;
const LONG: u8 = 14;

fn line_by_locations(table: &[u8], first: i64, offset: u32) -> Option<i64> {
    let mut bytes = table.iter().copied();
    let mut end = 0;
    let mut line = first;
    while let Some(head) = bytes.next() {
        let kind = head >> 3 & 15;
        match kind {
            ..SHORT_END => {
                bytes.next()?;
            }
            SHORT_END..ONE_LINE_END => {
                line += i64::from(kind - SHORT_END);
                bytes.nth(1)?;
            }
            WITHOUT_COLUMNS => line += signed(&mut bytes)?,
            LONG => {
                line += signed(&mut bytes)?;
                for _ in 0..3 {
                    unsigned(&mut bytes)?;
                }
            }
            _ => {}
        }
        end += (u32::from(head & 7) + 1) * UNIT_BYTES;
        if offset < end {
            return (kind <= LONG).then_some(line);
        }
    }
    None
}

/// Reads a number with six bits per byte, lowest first; the next bit is set if more bytes follow.
fn unsigned(bytes: &mut impl Iterator<Item = u8>) -> Option<i64> {
    let mut value = 0;
    for shift in (0..36).step_by(6) {
        let byte = bytes.next()?;
        value |= i64::from(byte & 63) << shift;
        if byte & 64 == 0 {
            return Some(value);
        }
    }
    None
}

/// Reads a number whose lowest bit is the sign.
fn signed(bytes: &mut impl Iterator<Item = u8>) -> Option<i64> {
    let value = unsigned(bytes)?;
    Some(if value & 1 == 0 { value >> 1 } else { -(value >> 1) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(table: LineTable, bytes: &[u8], offsets: &[u32]) -> Vec<u32> {
        offsets.iter().map(|offset| table.line(bytes, 10, *offset)).collect()
    }

    #[test]
    fn numbers_add_up() {
        // Line 11 from offset 4 on, 9 from 6 on, 409 from 8 on.
        let mut bytes = vec![4, 1, 2, 0xfe, 2, 127, 0, 127, 0, 127, 0, 19];
        assert_eq!(
            lines(LineTable::Numbers, &bytes, &[0, 3, 4, 6, 8, 99]),
            [10, 10, 11, 9, 409, 409]
        );
        bytes.truncate(3);
        assert_eq!(lines(LineTable::Numbers, &bytes, &[4, 6]), [11, 11]);
    }

    #[test]
    fn ranges_may_have_no_line() {
        let bytes = [4, 0, 2, 0x80, 6, 3, 2, 0xff];
        assert_eq!(
            lines(LineTable::Ranges, &bytes, &[0, 4, 6, 10, 12, 14]),
            [10, 0, 13, 13, 12, 0]
        );
    }

    #[test]
    fn locations_have_many_forms() {
        let bytes = [
            0x80 | 15 << 3, // one instruction without a line
            0x80 | 1,
            0x12, // two on the first line
            0x80 | 12 << 3,
            1,
            2, // two lines further
            0x80 | 13 << 3,
            9, // four lines back: 9 is -(9 >> 1)
            0x80 | 14 << 3,
            0x40 | 2,
            3,
            0,
            1,
            1, // (2 | 3 << 6) >> 1 = 97 lines further
            0x80 | 14 << 3,
            0x40, // damaged
        ];
        let found = lines(LineTable::Locations, &bytes, &[0, 2, 5, 6, 8, 10, 12, 99]);
        assert_eq!(found, [0, 10, 10, 12, 8, 105, 0, 0]);
    }
}
