//! PHP in a file: its version, and where its structures and its loop are. `versions.rs` has the
//! offsets in these structures, `code.rs` reads functions from the memory of a process.
use crate::elf::{Headers, Source, Symbol};
use crate::layout::{LANGUAGE_PHP, PhpOffsets, PhpProgram};
use loop_code::LoopCode;
use std::collections::HashMap;

pub mod code;
mod loop_code;
mod versions;

/// PHP in a file. Its addresses are those in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Complete version, such as 8.2.36.
    pub version: String,
    pub offsets: PhpOffsets,
    newest_frame: u64,
    code: LoopCode,
}

const LOOP: &str = "execute_ex";
const GLOBALS: &str = "executor_globals";
/// A header of responses, which is followed by the version.
const VERSION: &[u8] = b"X-Powered-By: PHP/";
const VERSION_BYTES_MAX: usize = 32;
/// The build of extensions: a number, then NTS, or TS for builds with threads.
const BUILD: &[u8] = b"API20";
const WITHOUT_THREADS: &[u8] = b",NTS";
const BUILD_NUMBER_DIGITS: usize = 6;
const STRINGS_BYTES_MAX: u64 = 32 << 20;

impl Layout {
    /// Reads the layout of a file; none if it does not contain PHP.
    pub fn read(headers: &Headers, source: &Source) -> Option<Result<Layout, String>> {
        let symbols = headers.dynamic_symbols(source, LOOP, &[LOOP, GLOBALS]).ok()?;
        // Extensions such as debuggers may call the loop without containing it.
        let code = *symbols.get(LOOP)?;
        let strings = headers.section_bytes(source, b".rodata", STRINGS_BYTES_MAX);
        let strings = strings.ok().flatten().unwrap_or_default();
        let version = find_version(&strings)?;
        let found = Layout::from_symbols(headers, source, &symbols, code, &version, &strings);
        Some(found.map_err(|why| format!("PHP {version}: {why}")))
    }

    fn from_symbols(
        headers: &Headers,
        source: &Source,
        symbols: &HashMap<&str, Symbol>,
        code: Symbol,
        version: &str,
        strings: &[u8],
    ) -> Result<Layout, String> {
        let row = versions::find(version)?;
        if !is_without_threads(strings) {
            return Err("builds with threads (ZTS) are unknown".to_owned());
        }
        let globals =
            symbols.get(GLOBALS).ok_or_else(|| format!("there is no symbol {GLOBALS}"))?;
        let code = LoopCode::read(headers, source, code)?;
        Ok(Layout {
            version: version.to_owned(),
            offsets: PhpOffsets {
                loop_body: code.body,
                loop_frame_bytes: code.frame_bytes,
                language: LANGUAGE_PHP,
                ..row.offsets
            },
            newest_frame: globals.address.wrapping_add(row.newest_frame),
            code,
        })
    }

    /// Returns the first entry for the kernel; `bias` is the difference between process addresses
    /// and file addresses.
    pub fn program(&self, bias: u64) -> PhpProgram {
        let LoopCode { start, bytes, cold_start, cold_bytes, .. } = self.code;
        PhpProgram {
            newest_frame: self.newest_frame.wrapping_add(bias),
            loop_start: start.wrapping_add(bias),
            cold_start: cold_start.wrapping_add(bias),
            loop_bytes: bytes,
            cold_bytes,
        }
    }
}

/// Returns the version; none if the file does not send PHP's header.
fn find_version(strings: &[u8]) -> Option<String> {
    starts(strings, VERSION).find_map(|rest| {
        let length = rest.iter().take(VERSION_BYTES_MAX).position(|byte| *byte == 0)?;
        let version = std::str::from_utf8(&rest[..length]).ok()?;
        version.starts_with(|first: char| first.is_ascii_digit()).then(|| version.to_owned())
    })
}

fn is_without_threads(strings: &[u8]) -> bool {
    starts(strings, BUILD).any(|rest| {
        let number = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        number == BUILD_NUMBER_DIGITS && rest[number..].starts_with(WITHOUT_THREADS)
    })
}

/// Yields the bytes after each occurrence of `name`.
fn starts<'a>(bytes: &'a [u8], name: &'static [u8]) -> impl Iterator<Item = &'a [u8]> {
    let found = bytes.windows(name.len()).enumerate().filter(move |(_, part)| *part == name);
    found.map(move |(at, _)| &bytes[at + name.len()..])
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub fn layout_of(version: &str) -> Layout {
        let row = versions::find(version).expect("it is known");
        Layout {
            version: version.to_owned(),
            offsets: row.offsets,
            newest_frame: 0,
            code: LoopCode::default(),
        }
    }

    #[test]
    fn an_unknown_version_says_so() {
        let why = |version| versions::find(version).err().unwrap_or_default();
        assert_eq!(why("8.2.36"), "");
        assert_eq!(why("8.20.1"), "the version is unknown");
        assert_eq!(why("5.6.40"), "the version is unknown");
    }

    #[test]
    fn strings_say_the_version_and_the_build() {
        let strings =
            b"\0X-Powered-By: PHBy: PHP/1\0X-Powered-By: PHP/8.2.36-dev\0API20220829,NTS\0";
        assert_eq!(find_version(strings).as_deref(), Some("8.2.36-dev"));
        assert!(is_without_threads(strings));
        assert!(!is_without_threads(b"API20220829,TS,NTS"));
        assert_eq!(find_version(b"X-Powered-By: PHP/%s\0"), None);
        assert_eq!(find_version(b"X-Powered-By: PHP/8.2"), None);
    }
}
