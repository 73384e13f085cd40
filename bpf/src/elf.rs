//! Reads the parts of an ELF file that sampling needs. The file is untrusted, so each read is
//! bounded. The file is not memory-mapped, because the process would crash if someone truncated it.
use std::collections::HashMap;
use std::fs::File;
use std::os::unix::fs::FileExt;

const HEADER_BYTES: usize = 64;
const SEGMENT_BYTES: usize = 56;
const SECTION_BYTES: usize = 64;
const SEGMENTS_MAX: usize = 512;
const SECTIONS_MAX: usize = 16_384;
const NAMES_BYTES_MAX: u64 = 16 << 20;
const NOTES_BYTES_MAX: u64 = 64 << 10;
/// Largest unwinding information that is read. The largest known, in librustc_driver and Chromium,
/// is about 15 MB.
const UNWIND_BYTES_MAX: u64 = 64 << 20;

/// Largest section of relocations that is read; that of libruby is 64 KB.
const RELOCATIONS_BYTES_MAX: u64 = 16 << 20;
const RELOCATION_BYTES: usize = 24;
/// Type of a relocation that requests the module number of thread-local storage, either of a
/// symbol's or of the file's own.
const RELOCATION_STORAGE_NUMBER: u32 = 16;

/// Largest symbol table that is read; that of Node 22 is 2 MB.
const SYMBOLS_BYTES_MAX: u64 = 16 << 20;
const SYMBOL_BYTES: usize = 24;
const INTEGER_NAME_BYTES_MAX: usize = 256;
const INTEGERS_MAX: usize = 4096;

const MACHINE_X86_64: u16 = 62;
/// ELF type of programs with fixed addresses.
const TYPE_PROGRAM: u16 = 2;
const SEGMENT_LOAD: u32 = 1;
const SEGMENT_INTERPRETER: u32 = 3;
const SEGMENT_NOTE: u32 = 4;
const SEGMENT_STORAGE: u32 = 7;
const SEGMENT_UNWIND_INDEX: u32 = 0x6474_e550;
const FLAG_EXECUTABLE: u32 = 1;
const SECTION_WITHOUT_BYTES: u32 = 8;

/// Source of an ELF file's content: a file, or an image in memory.
pub enum Source<'a> {
    File(&'a File),
    Bytes(&'a [u8]),
}

impl Source<'_> {
    /// Reads exactly `length` bytes; fails if there are fewer, or if `length` exceeds `max`.
    pub fn read(&self, offset: u64, length: u64, max: u64) -> Result<Vec<u8>, String> {
        if length > max {
            return Err(format!("a part of {length} bytes is over {max}"));
        }
        let length = usize::try_from(length).map_err(|error| error.to_string())?;
        match self {
            Source::File(file) => {
                let mut bytes = vec![0; length];
                file.read_exact_at(&mut bytes, offset)
                    .map_err(|error| format!("{length} bytes at {offset}: {error}"))?;
                Ok(bytes)
            }
            Source::Bytes(bytes) => usize::try_from(offset)
                .ok()
                .and_then(|start| bytes.get(start..start.checked_add(length)?))
                .map(<[u8]>::to_vec)
                .ok_or_else(|| format!("{length} bytes at {offset} are not there")),
        }
    }
}

/// A mapped part of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    pub offset: u64,
    pub file_bytes: u64,
    pub address: u64,
    pub is_executable: bool,
}

/// Contents of a file's headers.
#[derive(Debug)]
pub struct Headers {
    pub loads: Vec<Load>,
    notes: Vec<(u64, u64)>,
    unwind_index: Option<(u64, u64, u64)>,
    sections: (u64, u16, u16),
    /// Size in bytes and alignment of the thread-local storage.
    storage: Option<(u64, u64)>,
    is_program: bool,
}

/// Unwinding information and its address.
pub struct UnwindSection {
    pub address: u64,
    pub bytes: Vec<u8>,
}

/// A symbol that the file defines (not one that it imports).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symbol {
    pub address: u64,
    pub bytes: u64,
}

/// A segment of the file and its mapped address.
struct Part {
    address: u64,
    offset: u64,
    length: u64,
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(bytes[at..at + 2].try_into().expect("2 bytes"))
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("4 bytes"))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("8 bytes"))
}

impl Headers {
    /// Reads the headers of a 64-bit x86 file.
    pub fn read(source: &Source) -> Result<Headers, String> {
        let header = source.read(0, HEADER_BYTES as u64, HEADER_BYTES as u64)?;
        if header[..4] != *b"\x7fELF" {
            return Err("it is not an ELF file".to_owned());
        }
        // Class 2 is 64 bits, encoding 1 little-endian.
        if header[4] != 2 || header[5] != 1 || u16_at(&header, 18) != MACHINE_X86_64 {
            return Err("it is not a 64-bit x86 file".to_owned());
        }
        let count = usize::from(u16_at(&header, 56));
        if usize::from(u16_at(&header, 54)) != SEGMENT_BYTES || count > SEGMENTS_MAX {
            return Err(format!("it has {count} segments, over {SEGMENTS_MAX}, or odd ones"));
        }
        let bytes = (count * SEGMENT_BYTES) as u64;
        let table = source.read(u64_at(&header, 32), bytes, bytes)?;
        let mut headers = Headers {
            loads: Vec::new(),
            notes: Vec::new(),
            unwind_index: None,
            sections: (u64_at(&header, 40), u16_at(&header, 60), u16_at(&header, 62)),
            storage: None,
            is_program: u16_at(&header, 16) == TYPE_PROGRAM,
        };
        if usize::from(u16_at(&header, 58)) != SECTION_BYTES {
            headers.sections.1 = 0;
        }
        for segment in table.chunks_exact(SEGMENT_BYTES) {
            headers.add_segment(segment);
        }
        Ok(headers)
    }

    fn add_segment(&mut self, segment: &[u8]) {
        let offset = u64_at(segment, 8);
        let address = u64_at(segment, 16);
        let file_bytes = u64_at(segment, 32);
        match u32_at(segment, 0) {
            SEGMENT_LOAD => self.loads.push(Load {
                offset,
                file_bytes,
                address,
                is_executable: u32_at(segment, 4) & FLAG_EXECUTABLE != 0,
            }),
            SEGMENT_INTERPRETER => self.is_program = true,
            SEGMENT_STORAGE => self.storage = Some((u64_at(segment, 40), u64_at(segment, 48))),
            SEGMENT_NOTE => self.notes.push((offset, file_bytes)),
            SEGMENT_UNWIND_INDEX => self.unwind_index = Some((offset, address, file_bytes)),
            _ => {}
        }
    }

    /// Returns the address range of code; none if no segment has code.
    pub fn code(&self) -> Option<(u64, u64)> {
        let loads = || self.loads.iter().filter(|load| load.is_executable);
        let start = loads().map(|load| load.address).min()?;
        let end = loads().map(|load| load.address.saturating_add(load.file_bytes)).max()?;
        Some((start, end))
    }

    /// True for programs, false for libraries.
    pub fn is_program(&self) -> bool {
        self.is_program
    }

    /// Returns the number of bytes from the start of a program's thread-local storage to the
    /// address in register fs; none if the program has no such storage.
    pub fn storage_bytes(&self) -> Option<u64> {
        let (bytes, alignment) = self.storage?;
        bytes.checked_next_multiple_of(alignment.max(1))
    }

    /// Returns the address of the word in which the dynamic linker stores the module number of a
    /// library's own thread-local storage; none if its code does not use one.
    pub fn storage_number(&self, source: &Source) -> Option<u64> {
        let all = self.section_bytes(source, b".rela.dyn", RELOCATIONS_BYTES_MAX).ok()??;
        let found = all
            .chunks_exact(RELOCATION_BYTES)
            .find(|one| u32_at(one, 8) == RELOCATION_STORAGE_NUMBER && u32_at(one, 12) == 0);
        found.map(|one| u64_at(one, 0))
    }

    /// Returns the descriptor of a note with this owner and type; none if there is no such note.
    pub fn note(&self, source: &Source, owner: &[u8], kind: u32) -> Option<Vec<u8>> {
        self.notes.iter().take(16).find_map(|&(offset, length)| {
            let bytes = source.read(offset, length, NOTES_BYTES_MAX).ok()?;
            find_note(&bytes, owner, kind).map(<[u8]>::to_vec)
        })
    }

    /// Returns the unwinding information. Finds it by its section, or by its index if there are no
    /// sections. None if the file has no unwinding information.
    pub fn unwind_section(&self, source: &Source) -> Result<Option<UnwindSection>, String> {
        let Some(Part { address, offset, length }) = self.unwind_part(source)? else {
            return Ok(None);
        };
        let bytes = source.read(offset, length, UNWIND_BYTES_MAX)?;
        Ok(Some(UnwindSection { address, bytes }))
    }

    /// Returns the size of the unwinding information, which determines the time to compile its
    /// table.
    pub fn unwind_bytes(&self, source: &Source) -> u64 {
        self.unwind_part(source).ok().flatten().map_or(0, |part| part.length)
    }

    fn unwind_part(&self, source: &Source) -> Result<Option<Part>, String> {
        match self.named_section(source, b".eh_frame")? {
            Some(part) => Ok(Some(part)),
            None => self.indexed_part(source),
        }
    }

    fn named_section(&self, source: &Source, name: &[u8]) -> Result<Option<Part>, String> {
        let (offset, count, names_index) = self.sections;
        let count = usize::from(count);
        if count == 0 || count > SECTIONS_MAX {
            return Ok(None);
        }
        let bytes = (count * SECTION_BYTES) as u64;
        // The section headers of an image in memory are usually missing.
        let Ok(table) = source.read(offset, bytes, bytes) else { return Ok(None) };
        let Some(names) = table.chunks_exact(SECTION_BYTES).nth(usize::from(names_index)) else {
            return Ok(None);
        };
        let names = source.read(u64_at(names, 24), u64_at(names, 32), NAMES_BYTES_MAX)?;
        let found = table.chunks_exact(SECTION_BYTES).find(|section| {
            let start = u32_at(section, 0) as usize;
            let end = start.saturating_add(name.len());
            let has_bytes = u32_at(section, 4) != SECTION_WITHOUT_BYTES;
            has_bytes && names.get(start..end) == Some(name) && names.get(end) == Some(&0)
        });
        Ok(found.map(|section| Part {
            address: u64_at(section, 16),
            offset: u64_at(section, 24),
            length: u64_at(section, 32),
        }))
    }

    /// Finds the unwinding information by the pointer at the start of its index. It ends at the
    /// latest at the end of its segment.
    fn indexed_part(&self, source: &Source) -> Result<Option<Part>, String> {
        let Some((offset, index_address, length)) = self.unwind_index else { return Ok(None) };
        if length < 8 {
            return Ok(None);
        }
        let index = source.read(offset, 8, 8)?;
        // Linkers write version 1 and a signed 4-byte pointer relative to its own offset.
        if index[0] != 1 || index[1] != 0x1b {
            return Ok(None);
        }
        let distance = i64::from(u32_at(&index, 4) as i32);
        let address = index_address.wrapping_add(4).wrapping_add_signed(distance);
        let load = self
            .loads
            .iter()
            .find(|load| address >= load.address && address - load.address < load.file_bytes);
        let Some(load) = load else { return Ok(None) };
        let skipped = address - load.address;
        let length = (load.file_bytes - skipped).min(UNWIND_BYTES_MAX);
        Ok(Some(Part { address, offset: load.offset.wrapping_add(skipped), length }))
    }
}

impl Headers {
    /// Reads the 4-byte integers of dynamic symbols whose names begin with `prefix`. The keys are
    /// the rest of the names.
    pub fn dynamic_integers(
        &self,
        source: &Source,
        prefix: &[u8],
    ) -> Result<HashMap<String, i32>, String> {
        let mut found = HashMap::new();
        let symbols = self.named_section(source, b".dynsym")?;
        let names = self.named_section(source, b".dynstr")?;
        let (Some(symbols), Some(names)) = (symbols, names) else { return Ok(found) };
        let names = source.read(names.offset, names.length, NAMES_BYTES_MAX)?;
        // Most files have no such symbols.
        if !names.windows(prefix.len()).any(|part| part == prefix) {
            return Ok(found);
        }
        let symbols = source.read(symbols.offset, symbols.length, SYMBOLS_BYTES_MAX)?;
        for symbol in symbols.chunks_exact(SYMBOL_BYTES) {
            let name = names.get(u32_at(symbol, 0) as usize..).unwrap_or_default();
            let Some(name) = name.strip_prefix(prefix) else { continue };
            let length = name.iter().take(INTEGER_NAME_BYTES_MAX).position(|byte| *byte == 0);
            let Some(length) = length.filter(|_| found.len() < INTEGERS_MAX) else { continue };
            if let Some(value) = self.integer_at(source, u64_at(symbol, 8)) {
                found.insert(String::from_utf8_lossy(&name[..length]).into_owned(), value);
            }
        }
        Ok(found)
    }

    /// Returns the dynamic symbols with `wanted` names; none unless the file has the name `first`.
    pub fn dynamic_symbols<'a>(
        &self,
        source: &Source,
        first: &str,
        wanted: &[&'a str],
    ) -> Result<HashMap<&'a str, Symbol>, String> {
        let mut found = HashMap::new();
        let Some(names) = self.section_bytes(source, b".dynstr", NAMES_BYTES_MAX)? else {
            return Ok(found);
        };
        if !names.windows(first.len()).any(|part| part == first.as_bytes()) {
            return Ok(found);
        }
        let symbols = self.section_bytes(source, b".dynsym", SYMBOLS_BYTES_MAX)?;
        for symbol in symbols.unwrap_or_default().chunks_exact(SYMBOL_BYTES) {
            let rest = names.get(u32_at(symbol, 0) as usize..).unwrap_or_default();
            let is_defined = u16_at(symbol, 6) != 0;
            let name = wanted.iter().find(|name| {
                rest.strip_prefix(name.as_bytes()).is_some_and(|rest| rest.first() == Some(&0))
            });
            if let Some(name) = name.filter(|_| is_defined) {
                let (address, bytes) = (u64_at(symbol, 8), u64_at(symbol, 16));
                found.insert(*name, Symbol { address, bytes });
            }
        }
        Ok(found)
    }

    /// Returns the bytes of a section; none if there is no such section.
    pub fn section_bytes(
        &self,
        source: &Source,
        name: &[u8],
        max: u64,
    ) -> Result<Option<Vec<u8>>, String> {
        let part = self.named_section(source, name)?;
        part.map(|part| source.read(part.offset, part.length, max)).transpose()
    }

    /// Returns the bytes at an address; none if the file does not contain all of them.
    pub fn bytes_at(&self, source: &Source, address: u64, length: u64) -> Option<Vec<u8>> {
        let load = self.loads.iter().find(|load| {
            let end = load.address.saturating_add(load.file_bytes);
            address >= load.address && address < end && end - address >= length
        })?;
        let offset = load.offset.checked_add(address - load.address)?;
        source.read(offset, length, length).ok()
    }

    /// Returns the integer at an address; 0 if the address is in the part of a segment that is not
    /// in the file.
    fn integer_at(&self, source: &Source, address: u64) -> Option<i32> {
        let load = self.loads.iter().rfind(|load| load.address <= address)?;
        let skipped = address - load.address;
        if skipped >= load.file_bytes {
            return Some(0);
        }
        let bytes = source.read(load.offset.checked_add(skipped)?, 4, 4).ok()?;
        Some(u32_at(&bytes, 0) as i32)
    }
}

fn find_note<'a>(mut bytes: &'a [u8], owner: &[u8], kind: u32) -> Option<&'a [u8]> {
    let padded = |length: usize| length.checked_next_multiple_of(4);
    while bytes.len() >= 12 {
        let owner_bytes = u32_at(bytes, 0) as usize;
        let value_bytes = u32_at(bytes, 4) as usize;
        let value_start = 12usize.checked_add(padded(owner_bytes)?)?;
        let next = value_start.checked_add(padded(value_bytes)?)?;
        let name = bytes.get(12..12usize.checked_add(owner_bytes)?)?;
        let value = bytes.get(value_start..value_start.checked_add(value_bytes)?)?;
        if name == owner && u32_at(bytes, 8) == kind {
            return Some(value);
        }
        bytes = bytes.get(next..)?;
    }
    None
}

/// Returns the address of an offset in the file; none if it is not in a segment. Executable
/// segments come first, because two segments may share a page of the file.
pub fn address_of_offset(loads: &[Load], offset: u64) -> Option<u64> {
    let page = 4095;
    let has = |load: &&Load| {
        offset >= load.offset & !page && offset < load.offset.saturating_add(load.file_bytes)
    };
    let load = loads
        .iter()
        .filter(|load| load.is_executable)
        .find(has)
        .or_else(|| loads.iter().find(has))?;
    Some(load.address.wrapping_add(offset.wrapping_sub(load.offset)))
}
