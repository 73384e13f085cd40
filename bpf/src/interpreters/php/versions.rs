//! Offsets in the structures of each PHP version, from its headers: zend_globals.h,
//! zend_compile.h and zend_generators.h. testing/php-offsets.ts prints them. Other offsets are the same in all versions
//! and are in kernel/php.h.

use crate::layout::PhpOffsets;

/// Offsets of a version.
pub struct Row {
    /// Offset in the executor's globals of the pointer to the newest frame.
    pub newest_frame: u64,
    pub offsets: PhpOffsets,
}

/// Tested versions.
const KNOWN: [(&str, fn() -> Row); 3] = [("7.4.", of_7_4), ("8.2.", of_8_2), ("8.4.", of_8_4)];

/// Returns the offsets of a version such as 8.2.36.
pub fn find(version: &str) -> Result<Row, String> {
    let known = KNOWN.iter().find(|(prefix, _)| version.starts_with(prefix));
    known.map(|(_, row)| row()).ok_or_else(|| "the version is unknown".to_owned())
}

fn of_7_4() -> Row {
    let next = of_8_2();
    Row {
        offsets: PhpOffsets {
            function_count: 60,
            function_operations: 64,
            function_file: 136,
            closure_bit: 20,
            generator_frame: 64,
            generator_inner: 160,
            generator_placeholder: 200,
            ..next.offsets
        },
        ..next
    }
}

fn of_8_2() -> Row {
    Row {
        newest_frame: 488,
        offsets: PhpOffsets {
            function_count: 80,
            function_operations: 88,
            function_file: 152,
            closure_bit: 22,
            generator_frame: 56,
            generator_inner: 152,
            generator_placeholder: 184,
            ..PhpOffsets::default()
        },
    }
}

fn of_8_4() -> Row {
    let last = of_8_2();
    Row {
        offsets: PhpOffsets {
            function_count: 96,
            function_operations: 104,
            function_file: 168,
            ..last.offsets
        },
        ..last
    }
}
