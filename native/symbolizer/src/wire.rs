//! The request and the answer. All numbers are little-endian.
//!
//! Request: addresses of 8 bytes each. With the argument `names`: mangled names, each as a length
//! u32 and UTF-8. A name is answered like an address with one frame.
//!
//! Answer:
//!   magic u32 "PSYM", flags u32, address count u32, string count u32
//!   for each address: source u8, 0 u8, frame count u16
//!     for each frame, the innermost first: function, system name, file as strings u32,
//!     line u32, start line u32, column u32
//!   for each string: length u32, UTF-8
use std::collections::HashMap;

const MAGIC: u32 = u32::from_le_bytes(*b"PSYM");
/// Largest number of inlined calls at an address. If there are more, the outermost calls are left
/// out.
const FRAMES_MAX: u16 = 1_000;

/// The file has no DWARF.
pub const FLAG_NO_DWARF: u32 = 1;
/// The DWARF of the file cannot be read.
pub const FLAG_INVALID_DWARF: u32 = 2;
/// Split units (.dwo, .dwp) are missing.
pub const FLAG_SPLIT_DWARF: u32 = 4;
/// The file that .gnu_debugaltlink refers to is missing.
pub const FLAG_ALTERNATE_FILE: u32 = 8;

/// Origin of the frames of an address.
#[derive(Clone, Copy)]
pub enum Source {
    Nothing = 0,
    Dwarf = 1,
    Symbols = 2,
}

/// Errors: truncated request.
pub fn read_addresses(request: &[u8]) -> Result<Vec<u64>, String> {
    let chunks = request.chunks_exact(8);
    if !chunks.remainder().is_empty() {
        return Err("request: it is cut off".to_string());
    }
    Ok(chunks.map(|bytes| u64::from_le_bytes(bytes.try_into().expect("eight bytes"))).collect())
}

/// Reads the names of a request. Errors: the request is truncated, or a name is not valid UTF-8.
pub fn read_names(request: &[u8]) -> Result<Vec<&str>, String> {
    let cut_off = || "request: it is cut off".to_string();
    let mut names = Vec::new();
    let mut rest = request;
    while !rest.is_empty() {
        let (length, after) = rest.split_first_chunk::<4>().ok_or_else(cut_off)?;
        let (name, after) =
            after.split_at_checked(u32::from_le_bytes(*length) as usize).ok_or_else(cut_off)?;
        names.push(std::str::from_utf8(name).map_err(|error| format!("request: {error}"))?);
        rest = after;
    }
    Ok(names)
}

/// An answer under construction.
pub struct Answer {
    pub flags: u32,
    addresses: u32,
    rows: Vec<u8>,
    /// Offset of the frame count of the last address.
    last: usize,
    strings: HashMap<String, u32>,
    texts: Vec<u8>,
}

impl Answer {
    pub fn new(addresses: usize) -> Self {
        Answer {
            flags: 0,
            addresses: 0,
            rows: Vec::with_capacity(addresses * 28),
            last: 0,
            strings: HashMap::new(),
            texts: Vec::new(),
        }
    }

    pub fn begin_address(&mut self, source: Source) {
        self.addresses += 1;
        self.rows.extend_from_slice(&[source as u8, 0]);
        self.last = self.rows.len();
        self.rows.extend_from_slice(&0u16.to_le_bytes());
    }

    pub fn add_frame(
        &mut self,
        function: &str,
        system_name: &str,
        file: &str,
        line: u32,
        start_line: u32,
        column: u32,
    ) {
        let count = u16::from_le_bytes([self.rows[self.last], self.rows[self.last + 1]]);
        if count >= FRAMES_MAX {
            return;
        }
        self.rows[self.last..self.last + 2].copy_from_slice(&(count + 1).to_le_bytes());
        let names = [function, system_name, file].map(|text| self.string(text));
        for number in names.into_iter().chain([line, start_line, column]) {
            self.rows.extend_from_slice(&number.to_le_bytes());
        }
    }

    fn string(&mut self, text: &str) -> u32 {
        if let Some(&index) = self.strings.get(text) {
            return index;
        }
        let index = self.strings.len() as u32;
        self.strings.insert(text.to_string(), index);
        self.texts.extend_from_slice(&(text.len() as u32).to_le_bytes());
        self.texts.extend_from_slice(text.as_bytes());
        index
    }

    pub fn finish(self) -> Vec<u8> {
        let header = [MAGIC, self.flags, self.addresses, self.strings.len() as u32];
        let mut bytes: Vec<u8> = header.iter().flat_map(|number| number.to_le_bytes()).collect();
        bytes.extend_from_slice(&self.rows);
        bytes.extend_from_slice(&self.texts);
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(names: &[&[u8]]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for name in names {
            bytes.extend_from_slice(&(name.len() as u32).to_le_bytes());
            bytes.extend_from_slice(name);
        }
        bytes
    }

    #[test]
    fn names_come_in_order_empty_and_equal_ones_too() {
        let names = ["_Z3foov", "", "größe", "_Z3foov"];
        let bytes = request(&names.map(str::as_bytes));
        assert_eq!(read_names(&bytes), Ok(names.to_vec()));
        assert_eq!(read_names(&[]), Ok(vec![]));
    }

    #[test]
    fn a_request_that_ends_anywhere_else_is_cut_off() {
        let bytes = request(&[b"_Z3foov", b"main"]);
        let whole = [0, 11, bytes.len()];
        for end in 0..=bytes.len() {
            assert_eq!(read_names(&bytes[..end]).is_ok(), whole.contains(&end), "{end} bytes");
        }
        let longest = u32::MAX.to_le_bytes();
        assert_eq!(read_names(&longest), Err("request: it is cut off".to_string()));
    }

    #[test]
    fn names_must_be_utf8() {
        let error = read_names(&request(&[b"main", b"\xff\xfe"])).expect_err("no UTF-8");
        assert!(error.starts_with("request: invalid utf-8"), "{error}");
    }
}
