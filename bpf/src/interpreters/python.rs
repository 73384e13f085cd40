//! Python in a file: its version, and the addresses of its structures. `versions.rs` has the
//! offsets in these structures, `code.rs` reads code objects from the memory of a process.
use crate::elf::{Headers, Source, Symbol};
use crate::layout::{PYTHON_OBJECTS, PythonOffsets, PythonProgram};
use std::collections::HashMap;

pub mod code;
mod lines;
mod versions;

pub use versions::Fields;

/// Python in a file. Its addresses are those in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Minor version: 11 for 3.11.
    pub minor: u8,
    pub offsets: PythonOffsets,
    pub fields: Fields,
    runtime: u64,
    loop_range: (u64, u64),
    code_type: u64,
    string_type: u64,
}

/// Layout of a file, or the reason why there is none.
pub type Found = Result<Layout, String>;

const LOOP: &str = "_PyEval_EvalFrameDefault";
const RUNTIME: &str = "_PyRuntime";
const VERSION: &str = "Py_Version";
const CODE_TYPE: &str = "PyCode_Type";
const STRING_TYPE: &str = "PyUnicode_Type";
/// Only in builds with the option --with-trace-refs. Up to 3.12, their objects begin with two more
/// words.
const TRACED: &str = "PyModule_Create2TraceRefs";
const TRACED_MAX: u8 = 12;
/// Versions before 3.11 are only contained in strings.
const STRINGS_BYTES_MAX: u64 = 16 << 20;
const TAG: &[u8] = b"cpython-3";

impl Layout {
    /// Reads the layout of a file; none if it does not contain Python.
    pub fn read(headers: &Headers, source: &Source) -> Option<Found> {
        let wanted = [LOOP, RUNTIME, VERSION, CODE_TYPE, STRING_TYPE, TRACED];
        let symbols = headers.dynamic_symbols(source, LOOP, &wanted).ok()?;
        // Extension modules may call the loop without containing it.
        let code = *symbols.get(LOOP)?;
        Some(Layout::from_symbols(headers, source, &symbols, code))
    }

    fn from_symbols(
        headers: &Headers,
        source: &Source,
        symbols: &HashMap<&str, Symbol>,
        code: Symbol,
    ) -> Found {
        let address = |name: &str| {
            let found = symbols.get(name).map(|symbol| symbol.address);
            found.ok_or_else(|| format!("there is no symbol {name}"))
        };
        let (minor, name) = read_version(headers, source, symbols)?;
        let runtime = address(RUNTIME)?;
        let start = headers.bytes_at(source, runtime, versions::TABLE_BYTES).unwrap_or_default();
        let row = versions::find(minor, &start).map_err(|why| format!("Python {name}: {why}"))?;
        if minor <= TRACED_MAX && symbols.contains_key(TRACED) {
            return Err(format!("Python {name}: built with --with-trace-refs"));
        }
        Ok(Layout {
            minor,
            offsets: row.offsets,
            fields: row.fields,
            runtime: runtime.wrapping_add(row.interpreters),
            loop_range: (code.address, code.bytes),
            code_type: address(CODE_TYPE)?,
            string_type: address(STRING_TYPE)?,
        })
    }

    /// Returns the first entry for the kernel; `bias` is the difference between process addresses
    /// and file addresses.
    pub fn program(&self, bias: u64) -> PythonProgram {
        let mut program = PythonProgram {
            interpreters: self.runtime.wrapping_add(bias),
            ..PythonProgram::default()
        };
        if self.offsets.chain == PYTHON_OBJECTS {
            program.loop_start = self.loop_range.0.wrapping_add(bias);
            program.loop_bytes = u32::try_from(self.loop_range.1).unwrap_or(0);
        }
        program
    }
}

/// Returns the minor version, and the version as a string.
fn read_version(
    headers: &Headers,
    source: &Source,
    symbols: &HashMap<&str, Symbol>,
) -> Result<(u8, String), String> {
    if let Some(symbol) = symbols.get(VERSION) {
        let bytes = headers
            .bytes_at(source, symbol.address, 4)
            .ok_or_else(|| format!("{VERSION} is not in the file"))?;
        let (micro, minor, major) = (bytes[1], bytes[2], bytes[3]);
        let name = format!("{major}.{minor}.{micro}");
        return if major == 3 { Ok((minor, name)) } else { Err(format!("version {name}")) };
    }
    let part = headers.section_bytes(source, b".rodata", STRINGS_BYTES_MAX);
    let part = part.ok().flatten().unwrap_or_default();
    let mut found: Vec<u8> = version_tags(&part).collect();
    found.sort_unstable();
    found.dedup();
    match found[..] {
        [minor] => Ok((minor, format!("3.{minor}"))),
        _ => Err("the version is unknown".to_owned()),
    }
}

/// Yields the minor versions in tags such as "cpython-310", which occur in names of compiled files.
/// The linker may merge a string into the end of another string.
fn version_tags(bytes: &[u8]) -> impl Iterator<Item = u8> {
    let starts = bytes.windows(TAG.len()).enumerate().filter(|(_, part)| *part == TAG);
    starts.filter_map(|(at, _)| {
        let rest = &bytes[at + TAG.len()..];
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let is_whole = matches!(rest.get(digits), Some(0 | b'-'));
        std::str::from_utf8(&rest[..digits]).ok()?.parse().ok().filter(|_| is_whole)
    })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub fn layout_of_3_12() -> Layout {
        layout_of(12)
    }

    pub fn layout_of(minor: u8) -> Layout {
        let row = versions::find(minor, &[]).expect("it is known");
        Layout {
            minor,
            offsets: row.offsets,
            fields: row.fields,
            runtime: 0x8000,
            loop_range: (0, 0),
            code_type: 0x9000,
            string_type: 0xa000,
        }
    }

    #[test]
    fn an_unknown_version_says_so() {
        let why = |minor, start: &[u8]| versions::find(minor, start).err().unwrap_or_default();
        assert_eq!(why(7, &[]), "versions before 3.8 are unknown");
        assert_eq!(why(16, &[]), "versions after 3.15 are unknown");
        assert_eq!(why(13, &[0; 1024]), "_PyRuntime does not start with offsets");
        let mut start = [0; 1024];
        start[..8].copy_from_slice(b"xdebugpy");
        start[8..16].copy_from_slice(&0x030e_0af0u64.to_le_bytes());
        assert_eq!(why(13, &start), "the offsets are those of another version");
        assert!(why(14, &start).ends_with("is 0, out of 0 bytes"), "{}", why(14, &start));
    }

    #[test]
    fn tags_say_the_version() {
        let bytes = b"\0cpython-310\0/x/cpython-39-x86_64\0cpython-3\0cpython-38.pyc\0cpython-3999";
        assert_eq!(version_tags(bytes).collect::<Vec<_>>(), [10, 9]);
    }
}
