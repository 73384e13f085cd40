//! Reads the functions and lines of a Go program from Go's own table (.gopclntab), which stripped
//! programs keep. src/symbolize/go-line-table.ts describes the layouts. This file reads only what
//! disassembly needs.
use object::{Object, ObjectSection};

/// Indexes of two words in the runtime's description of the program (moduledata): the lowest
/// program counter, and the first address of the code.
const MIN_PC_WORD: usize = 20;
const TEXT_WORD: usize = 22;
/// Largest number of bytes of a name or a path.
const TEXT_BYTES_MAX: usize = 4096;

/// Layouts of the table, named after the first Go version that has them.
#[derive(Clone, Copy, PartialEq)]
enum Version {
    Two,
    Sixteen,
    Eighteen,
    Twenty,
}

impl Version {
    fn of(magic: u32) -> Option<Self> {
        match magic {
            0xffff_fffb => Some(Version::Two),
            0xffff_fffa => Some(Version::Sixteen),
            0xffff_fff0 => Some(Version::Eighteen),
            0xffff_fff1 => Some(Version::Twenty),
            _ => None,
        }
    }

    /// True if functions have absolute addresses.
    fn is_old(self) -> bool {
        self == Version::Two || self == Version::Sixteen
    }
}

/// The table of one program. Every offset is checked when it is used.
pub struct GoTable<'data> {
    bytes: &'data [u8],
    is_little: bool,
    version: Version,
    quantum: u64,
    word: usize,
    count: usize,
    text: u64,
    names: usize,
    units: usize,
    files: usize,
    values: usize,
    functions: usize,
}

/// A function: its range of addresses, and the offset of its fields in the table.
struct Found {
    start: u64,
    at: usize,
}

impl<'data> GoTable<'data> {
    /// Reads the table of a file; None if there is no table that can be read.
    pub fn load(file: &object::File<'data>) -> Option<Self> {
        let section = [".gopclntab", ".data.rel.ro.gopclntab"]
            .iter()
            .find_map(|name| file.section_by_name(name))?;
        let bytes = section.data().ok()?;
        let text = file.section_by_name(".text").map_or(0, |text| text.address());
        let text = module_text(file, section.address()).unwrap_or(text);
        Self::parse(bytes, file.is_little_endian(), text)
    }

    /// Reads the header. `text` is the address of the code, for headers that do not contain it.
    fn parse(bytes: &'data [u8], is_little: bool, text: u64) -> Option<Self> {
        let head = |at: usize| read(bytes, at, 4, is_little);
        let version = Version::of(head(0)? as u32)?;
        let (quantum, word) = (u64::from(*bytes.get(6)?), usize::from(*bytes.get(7)?));
        if word != 4 && word != 8 {
            return None;
        }
        let field = |index: usize| -> Option<usize> {
            usize::try_from(read(bytes, 8 + index * word, word, is_little)?).ok()
        };
        let count = field(0)?;
        let mut table = GoTable {
            bytes,
            is_little,
            version,
            quantum,
            word,
            count,
            text,
            names: 0,
            units: 0,
            files: 0,
            values: 0,
            functions: 8 + word,
        };
        if version == Version::Two {
            let after = count.checked_mul(2 * word)?.checked_add(table.functions + word)?;
            table.files = usize::try_from(read(bytes, after, 4, is_little)?).ok()?;
        } else {
            let first = if version == Version::Sixteen { 2 } else { 3 };
            table.names = field(first)?;
            table.units = field(first + 1)?;
            table.files = field(first + 2)?;
            table.values = field(first + 3)?;
            table.functions = field(first + 4)?;
            // Since Go 1.26, the linker leaves this field at 0.
            let said = if first == 3 { field(2)? as u64 } else { 0 };
            if said != 0 {
                table.text = said;
            }
        }
        // The last row contains only the end of the last function.
        let last = count.checked_mul(2 * table.entry_size())?.checked_add(table.functions)?;
        (last.checked_add(table.entry_size())? <= bytes.len()).then_some(table)
    }

    /// Returns the functions in the order of the table: start, end (exclusive) and name.
    pub fn functions(&self) -> impl Iterator<Item = (u64, u64, &'data str)> + '_ {
        (0..self.count).filter_map(|row| {
            let (start, end) = (self.entry(row)?, self.entry(row + 1)?);
            let offset = if self.version.is_old() { self.word } else { 4 };
            let name = self.number(self.fields_of(row)?.checked_add(offset)?)?;
            let name = self.text_at(self.names.checked_add(name as usize)?)?;
            (start < end && !name.is_empty()).then_some((start, end, name))
        })
    }

    /// Returns the file and the line of the innermost call at an address.
    pub fn place_of(&self, address: u64) -> Option<(String, u32)> {
        let found = self.find(address)?;
        let file = self.value_at(self.later(&found, 20)?, found.start, address)?;
        let line = self.value_at(self.later(&found, 24)?, found.start, address)?;
        let name = self.file_name(&found, usize::try_from(file).ok()?)?;
        Some((name.to_string(), u32::try_from(line).ok()?))
    }

    fn entry_size(&self) -> usize {
        if self.version.is_old() { self.word } else { 4 }
    }

    fn entry(&self, row: usize) -> Option<u64> {
        let size = self.entry_size();
        let value = read(self.bytes, self.functions + row * 2 * size, size, self.is_little)?;
        if self.version.is_old() { Some(value) } else { self.text.checked_add(value) }
    }

    /// Returns the offset of the fields of a function.
    fn fields_of(&self, row: usize) -> Option<usize> {
        let size = self.entry_size();
        let at = self.functions + row * 2 * size + size;
        let offset = usize::try_from(read(self.bytes, at, size, self.is_little)?).ok()?;
        let start = if self.version == Version::Two { 0 } else { self.functions };
        start.checked_add(offset)
    }

    fn find(&self, address: u64) -> Option<Found> {
        let (mut low, mut high) = (0, self.count);
        if address < self.entry(0)? || address >= self.entry(self.count)? {
            return None;
        }
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if self.entry(middle)? <= address { low = middle } else { high = middle }
        }
        Some(Found { start: self.entry(low)?, at: self.fields_of(low)? })
    }

    /// Reads 4 bytes.
    fn number(&self, at: usize) -> Option<u32> {
        read(self.bytes, at, 4, self.is_little).map(|value| value as u32)
    }

    /// Reads a field after the first field. In older versions, the first field is larger.
    fn later(&self, found: &Found, offset: usize) -> Option<u32> {
        let shift = if self.version.is_old() { self.word - 4 } else { 0 };
        self.number(found.at.checked_add(offset + shift)?)
    }

    fn file_name(&self, found: &Found, file: usize) -> Option<&'data str> {
        if self.version == Version::Two {
            // Entry 0 of the list of files is the number of files.
            if file == 0 {
                return None;
            }
            let at = self.files.checked_add(file.checked_mul(4)?)?;
            return self.text_at(self.number(at)? as usize);
        }
        let unit = (self.later(found, 32)? as usize).checked_add(file)?;
        let offset = self.number(self.units.checked_add(unit.checked_mul(4)?)?)?;
        self.text_at(self.files.checked_add(offset as usize)?)
    }

    /// Returns the value for an address in a table of values by program counter; None if there is
    /// none.
    fn value_at(&self, table: u32, start: u64, address: u64) -> Option<i64> {
        let mut at = self.values.checked_add(table as usize)?;
        if table == 0 {
            return None;
        }
        let (mut value, mut next, mut is_first) = (-1i64, start, true);
        loop {
            let change = self.varint(&mut at)?;
            if change == 0 && !is_first {
                return None;
            }
            let half = i64::from(change >> 1);
            value += if change & 1 == 0 { half } else { !half };
            next = next.checked_add(u64::from(self.varint(&mut at)?) * self.quantum)?;
            if address < next {
                return Some(value);
            }
            is_first = false;
        }
    }

    fn varint(&self, at: &mut usize) -> Option<u32> {
        let mut result = 0u32;
        for shift in (0..35).step_by(7) {
            let byte = *self.bytes.get(*at)?;
            *at += 1;
            result |= u32::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
            if byte < 0x80 {
                return Some(result);
            }
        }
        None
    }

    fn text_at(&self, at: usize) -> Option<&'data str> {
        let rest = self.bytes.get(at..)?;
        let rest = &rest[..rest.len().min(TEXT_BYTES_MAX)];
        let end = rest.iter().position(|&byte| byte == 0)?;
        std::str::from_utf8(&rest[..end]).ok()
    }
}

/// Reads an unsigned number of 4 or 8 bytes.
fn read(bytes: &[u8], at: usize, size: usize, is_little: bool) -> Option<u64> {
    let field = bytes.get(at..at.checked_add(size)?)?;
    let join = |value: u64, &byte: &u8| value << 8 | u64::from(byte);
    Some(if is_little { field.iter().rev().fold(0, join) } else { field.iter().fold(0, join) })
}

/// Finds the first address of the code in the runtime's description of the program. The description
/// begins with the address of the table.
fn module_text(file: &object::File<'_>, table: u64) -> Option<u64> {
    let word = if file.is_64() { 8 } else { 4 };
    let is_little = file.is_little_endian();
    [".go.module", ".noptrdata", ".data", ".data.rel.ro"].iter().find_map(|name| {
        let bytes = file.section_by_name(name)?.data().ok()?;
        (0..bytes.len()).step_by(word).find_map(|at| {
            if read(bytes, at, word, is_little)? != table {
                return None;
            }
            let field = |index: usize| read(bytes, at + index * word, word, is_little);
            let (least, text) = (field(MIN_PC_WORD)?, field(TEXT_WORD)?);
            (text != 0 && least >= text).then_some(text)
        })
    })
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// Makes a table as in Go 1.20. It has two functions, at 0x1000 and 0x1010, and a line table.
    pub fn make() -> Vec<u8> {
        let mut bytes = vec![0u8; 8];
        bytes[..4].copy_from_slice(&0xffff_fff1u32.to_le_bytes());
        (bytes[6], bytes[7]) = (1, 8);
        // The header has counts, then the address of the code and the starts of the parts.
        for word in [2u64, 1, 0x1000, 0x50, 0x60, 0x68, 0x70, 0x80] {
            bytes.extend_from_slice(&word.to_le_bytes());
        }
        bytes.resize(0x50, 0);
        bytes.extend_from_slice(b"main.a\0main.b\0");
        bytes.resize(0x60, 0);
        bytes.extend_from_slice(&0u32.to_le_bytes());
        bytes.resize(0x68, 0);
        bytes.extend_from_slice(b"/a.go\0");
        bytes.resize(0x70, 0);
        // The first byte is not used. Then follow file 0 for 32 bytes, line 7 for 4 bytes, and line
        // 5.
        bytes.extend_from_slice(&[0, 2, 32, 0, 16, 4, 3, 28, 0]);
        bytes.resize(0x80, 0);
        // The rows are the functions at 0x1000 and 0x1010, and the end. The fields of the functions
        // follow.
        for row in [[0u32, 20], [16, 60]] {
            row.iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
        }
        bytes.extend_from_slice(&32u32.to_le_bytes());
        for name in [0u32, 7] {
            // The fields are entry, name, 12 other bytes, the tables of stack sizes, files and
            // lines, and the unit.
            for field in [0, name, 0, 0, 0, 1, 4, 0, 0, 0] {
                bytes.extend_from_slice(&field.to_le_bytes());
            }
        }
        bytes
    }

    #[test]
    fn functions_and_lines() {
        let bytes = make();
        let table = GoTable::parse(&bytes, true, 0).expect("a table");
        let functions: Vec<_> = table.functions().collect();
        assert_eq!(functions, [(0x1000, 0x1010, "main.a"), (0x1010, 0x1020, "main.b")]);
        let file = "/a.go".to_string();
        assert_eq!(table.place_of(0x1003), Some((file.clone(), 7)));
        assert_eq!(table.place_of(0x1004), Some((file, 5)));
        assert_eq!(table.place_of(0xfff), None);
        assert_eq!(table.place_of(0x1020), None);
    }

    #[test]
    fn every_cut_and_every_wrong_byte_is_survived() {
        let bytes = make();
        for length in 0..bytes.len() {
            use_table(&bytes[..length]);
        }
        for at in 0..bytes.len() {
            for value in [0, 1, 0x7f, 0x80, 0xff] {
                let mut damaged = bytes.clone();
                damaged[at] = value;
                use_table(&damaged);
            }
        }
    }

    /// Reads everything in a table, which may be damaged.
    pub fn use_table(bytes: &[u8]) {
        for is_little in [true, false] {
            let Some(table) = GoTable::parse(bytes, is_little, u64::MAX - 8) else { continue };
            let count = table.functions().take(1_000).count();
            let found = [0, 0x1003, 0x1011, u64::MAX].map(|address| table.place_of(address));
            assert!(count <= 1_000 && found.len() == 4);
        }
    }
}
