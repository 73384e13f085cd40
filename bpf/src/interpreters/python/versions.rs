//! Offsets in the structures of each Python version. For 3.8 to 3.12 they are a table, read from
//! debug information by testing/python-offsets.ts. From 3.13 on, they are at the start of
//! `_PyRuntime`, in an order that depends on the version.
use super::lines::LineTable;
use crate::layout::{PYTHON_ENTRIES, PYTHON_OBJECTS, PYTHON_RECORDS, PYTHON_SHIMS, PythonOffsets};

/// Offsets for reading names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fields {
    pub object_type: u64,
    pub code_file: u64,
    pub code_name: u64,
    /// Offset of the qualified name; none before 3.11.
    pub code_qualified_name: Option<u64>,
    pub code_first_line: u64,
    pub code_lines: u64,
    /// Offset of the first instruction; none before 3.11, where frames have instruction numbers.
    pub code_start: Option<u64>,
    pub line_table: LineTable,
    pub string_length: u64,
    pub string_state: u64,
    /// Number of bits below the kind in the state.
    pub string_kind_shift: u8,
    pub string_ascii_data: u64,
    pub string_other_data: u64,
    pub bytes_length: u64,
    pub bytes_data: u64,
}

impl Fields {
    /// Returns the offset of the name that is shown.
    pub fn shown_name(&self) -> u64 {
        self.code_qualified_name.unwrap_or(self.code_name)
    }
}

/// Offsets of a version.
pub struct Row {
    /// Offset in `_PyRuntime` of the pointer to the first interpreter.
    pub interpreters: u64,
    pub offsets: PythonOffsets,
    pub fields: Fields,
}

/// Oldest version, and newest tested version.
pub const MINORS: std::ops::RangeInclusive<u8> = 8..=15;

/// Returns the offsets for version 3.`minor`. `start` is the start of `_PyRuntime`.
pub fn find(minor: u8, start: &[u8]) -> Result<Row, String> {
    match minor {
        8 | 9 => Ok(of_3_8()),
        10 => Ok(of_3_10()),
        11 => Ok(of_3_11()),
        12 => Ok(of_3_12()),
        13..=15 => Described::read(minor, start)?.row(),
        ..8 => Err(format!("versions before 3.{} are unknown", MINORS.start())),
        _ => Err(format!("versions after 3.{} are unknown", MINORS.end())),
    }
}

fn fields_to_3_10(line_table: LineTable) -> Fields {
    Fields {
        object_type: 8,
        code_file: 104,
        code_name: 112,
        code_qualified_name: None,
        code_first_line: 40,
        code_lines: 120,
        code_start: None,
        line_table,
        string_length: 16,
        string_state: 32,
        string_kind_shift: 2,
        string_ascii_data: 48,
        string_other_data: 72,
        bytes_length: 16,
        bytes_data: 32,
    }
}

fn of_3_8() -> Row {
    Row {
        interpreters: 32,
        offsets: PythonOffsets {
            interpreter_threads: 8,
            interpreter_next: 0,
            thread_next: 8,
            thread_id: 176,
            thread_frame: 24,
            code_line: 40,
            code_file: 104,
            frame_code: 32,
            frame_back: 24,
            frame_instruction: 104,
            frame_bytes: 112,
            chain: PYTHON_OBJECTS,
            ..PythonOffsets::default()
        },
        fields: fields_to_3_10(LineTable::Numbers),
    }
}

fn of_3_10() -> Row {
    let old = of_3_8();
    Row {
        offsets: PythonOffsets { frame_instruction: 96, frame_bytes: 104, ..old.offsets },
        fields: fields_to_3_10(LineTable::Ranges),
        ..old
    }
}

fn of_3_11() -> Row {
    Row {
        interpreters: 40,
        offsets: PythonOffsets {
            interpreter_threads: 16,
            interpreter_next: 0,
            thread_next: 8,
            thread_id: 152,
            thread_frame: 56,
            code_line: 72,
            code_file: 112,
            record_frame: 8,
            record_back: 16,
            frame_code: 32,
            frame_back: 48,
            frame_instruction: 56,
            frame_owner: 68,
            frame_bytes: 72,
            chain: PYTHON_ENTRIES,
            ..PythonOffsets::default()
        },
        fields: Fields {
            code_file: 112,
            code_name: 120,
            code_qualified_name: Some(128),
            code_first_line: 72,
            code_lines: 136,
            code_start: Some(184),
            ..fields_to_3_10(LineTable::Locations)
        },
    }
}

fn of_3_12() -> Row {
    Row {
        interpreters: 40,
        offsets: PythonOffsets {
            interpreter_threads: 72,
            interpreter_next: 0,
            thread_next: 8,
            thread_id: 136,
            thread_frame: 56,
            code_line: 68,
            record_frame: 0,
            record_back: 8,
            frame_code: 0,
            frame_back: 8,
            frame_instruction: 56,
            frame_owner: 70,
            frame_bytes: 72,
            chain: PYTHON_RECORDS,
            ..PythonOffsets::default()
        },
        fields: Fields {
            code_first_line: 68,
            code_start: Some(192),
            string_ascii_data: 40,
            string_other_data: 56,
            ..of_3_11().fields
        },
    }
}

/// Number of bytes of `_PyRuntime` that contain all offsets.
pub const TABLE_BYTES: u64 = 1024;
const COOKIE: &[u8] = b"xdebugpy";

/// Words of a table of offsets, and the starts of its groups. Each group starts with the size of a
/// structure.
struct Described {
    words: Vec<u64>,
    groups: Groups,
}

/// Word numbers of the groups' starts.
struct Groups {
    runtime: usize,
    interpreter: usize,
    thread: usize,
    /// Word number of the thread id within the thread's group.
    thread_id: usize,
    frame: usize,
    code: usize,
    object: usize,
    bytes: usize,
    string: usize,
}

impl Described {
    fn read(minor: u8, start: &[u8]) -> Result<Described, String> {
        let words: Vec<u64> = start
            .chunks_exact(8)
            .map(|word| u64::from_le_bytes(word.try_into().expect("8 bytes")))
            .collect();
        if !start.starts_with(COOKIE) || words.len() * 8 < TABLE_BYTES as usize {
            return Err("_PyRuntime does not start with offsets".to_owned());
        }
        // The word after the cookie is the version: 0x030d00f0 is 3.13.0.
        if words[1] >> 16 != 0x300 | u64::from(minor) {
            return Err("the offsets are those of another version".to_owned());
        }
        let groups = match minor {
            13 => Groups {
                runtime: 3,
                interpreter: 6,
                thread: 19,
                thread_id: 5,
                frame: 28,
                code: 34,
                object: 44,
                bytes: 64,
                string: 67,
            },
            14 => Groups {
                runtime: 3,
                interpreter: 6,
                thread: 22,
                thread_id: 5,
                frame: 31,
                code: 39,
                object: 50,
                bytes: 74,
                string: 77,
            },
            15 => Groups {
                runtime: 3,
                interpreter: 6,
                thread: 22,
                thread_id: 8,
                frame: 39,
                code: 47,
                object: 58,
                bytes: 86,
                string: 89,
            },
            _ => return Err("the order of its offsets is unknown".to_owned()),
        };
        Ok(Described { words, groups })
    }

    /// Returns the offset at word `n` of a group; it must be within the group's structure.
    fn offset(&self, group: usize, n: usize) -> Result<u64, String> {
        let (size, offset) = (self.words[group], self.words[group + n]);
        if offset < size {
            Ok(offset)
        } else {
            Err(format!("offset {} is {offset}, out of {size} bytes", group + n))
        }
    }

    fn row(&self) -> Result<Row, String> {
        let Groups { runtime, interpreter, thread, thread_id, frame, code, .. } = self.groups;
        let Groups { object, bytes, string, .. } = self.groups;
        let at = |group, n| self.offset(group, n);
        let large = |group, n| u32::try_from(at(group, n)?).map_err(|error| error.to_string());
        let middle = |group, n| u16::try_from(at(group, n)?).map_err(|error| error.to_string());
        let small = |group, n| u8::try_from(at(group, n)?).map_err(|error| error.to_string());
        let frame_owner = small(frame, 5)?;
        let frame_instruction = small(frame, 3)?;
        let ascii_data = self.words[string + 3];
        Ok(Row {
            interpreters: at(runtime, 2)?,
            offsets: PythonOffsets {
                interpreter_threads: large(interpreter, 3)?,
                interpreter_next: large(interpreter, 2)?,
                thread_next: middle(thread, 2)?,
                thread_id: middle(thread, thread_id)?,
                thread_frame: middle(thread, 4)?,
                code_line: middle(code, 5)?,
                frame_code: small(frame, 2)?,
                frame_back: small(frame, 1)?,
                frame_instruction,
                frame_owner,
                frame_bytes: (frame_owner.max(frame_instruction) & !7) + 8,
                chain: PYTHON_SHIMS,
                ..PythonOffsets::default()
            },
            fields: Fields {
                object_type: at(object, 1)?,
                code_file: at(code, 1)?,
                code_name: at(code, 2)?,
                code_qualified_name: Some(at(code, 3)?),
                code_first_line: at(code, 5)?,
                code_lines: at(code, 4)?,
                code_start: Some(at(code, 9)?),
                line_table: LineTable::Locations,
                string_length: at(string, 2)?,
                string_state: at(string, 1)?,
                // Without a lock, there is an extra byte before the kind.
                string_kind_shift: if self.words[2] == 0 { 2 } else { 8 },
                string_ascii_data: ascii_data,
                // Other strings have two words before their characters.
                string_other_data: ascii_data + 16,
                bytes_length: at(bytes, 1)?,
                bytes_data: at(bytes, 2)?,
            },
        })
    }
}
