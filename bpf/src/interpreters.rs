//! Interpreters whose frames are unwound. Each language has a folder for its own code, which finds
//! the interpreter's layout in a file, makes the two entries for the kernel, and reads code
//! objects.
//!
//! An unknown version or a missing symbol is not an error. Frames stay native, and the agent's
//! status page shows the reason.
use crate::elf::{Headers, Source};
use crate::layout::{
    InterpretedFrame, MAPPING_HAS_PHP, MAPPING_HAS_PYTHON, MAPPING_HAS_RUBY, Mapping, PhpOffsets,
    PhpProgram, PythonOffsets, PythonProgram, RubyOffsets, RubyProgram,
};
use crate::v8::Memory;
use std::sync::Arc;

mod blocks;
pub mod php;
pub mod python;
pub mod ruby;

/// A function, block, module or class body in the source, or a C function of Ruby or PHP.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Code {
    /// Qualified name, as users of the language write it: `Shop.pay`, `Shop#pay`, `Shop::pay`.
    pub name: String,
    pub file: String,
    pub first_line: u32,
    /// Table of lines; its format depends on the language and version.
    pub lines: Box<[u8]>,
}

/// An interpreter in a file. Its addresses are addresses in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Layout {
    Python(python::Layout),
    Ruby(ruby::Layout),
    Php(php::Layout),
}

/// Layout of a file, or the reason why there is none.
pub type Found = Result<Layout, String>;

impl Layout {
    /// Reads the layout of a file; none if it does not contain an interpreter.
    pub fn read(headers: &Headers, source: &Source) -> Option<Found> {
        let python = python::Layout::read(headers, source).map(|found| found.map(Layout::Python));
        let ruby = || ruby::Layout::read(headers, source).map(|found| found.map(Layout::Ruby));
        let php = || php::Layout::read(headers, source).map(|found| found.map(Layout::Php));
        python.or_else(ruby).or_else(php)
    }

    /// Name of the language in batches.
    pub fn language(&self) -> &'static str {
        match self {
            Layout::Python(_) => "python",
            Layout::Ruby(_) => "ruby",
            Layout::Php(_) => "php",
        }
    }

    /// Returns the name and version, as the agent's status page shows them.
    pub fn title(&self) -> String {
        match self {
            Layout::Python(layout) => format!("Python 3.{}", layout.minor),
            Layout::Ruby(layout) => format!("Ruby {}", layout.version),
            Layout::Php(layout) => format!("PHP {}", layout.version),
        }
    }

    /// Returns the flag for mappings that contain the interpreter's loop.
    pub fn mapping_flag(&self) -> u8 {
        match self {
            Layout::Python(_) => MAPPING_HAS_PYTHON,
            Layout::Ruby(_) => MAPPING_HAS_RUBY,
            Layout::Php(_) => MAPPING_HAS_PHP,
        }
    }

    /// Returns the kernel's entries for a process; `bias` is the difference between process
    /// addresses and file addresses.
    pub fn entries(&self, bias: u64) -> [Mapping; 2] {
        // SAFETY: all of these are structures of integers with the same size.
        unsafe {
            match self {
                Layout::Python(layout) => [
                    std::mem::transmute::<PythonProgram, Mapping>(layout.program(bias)),
                    std::mem::transmute::<PythonOffsets, Mapping>(layout.offsets.clone()),
                ],
                Layout::Ruby(layout) => [
                    std::mem::transmute::<RubyProgram, Mapping>(layout.program(bias)),
                    std::mem::transmute::<RubyOffsets, Mapping>(layout.offsets.clone()),
                ],
                Layout::Php(layout) => [
                    std::mem::transmute::<PhpProgram, Mapping>(layout.program(bias)),
                    std::mem::transmute::<PhpOffsets, Mapping>(layout.offsets.clone()),
                ],
            }
        }
    }

    /// Returns the line that a frame runs; 0 if it is unknown.
    pub fn line(&self, code: &Code, frame: &InterpretedFrame) -> u32 {
        match self {
            Layout::Python(layout) => {
                python::code::line(layout, code, frame.code, frame.instruction)
            }
            Layout::Ruby(_) => ruby::lines::line(&code.lines, frame.instruction),
            // The kernel program has already read the line.
            Layout::Php(_) => u32::try_from(frame.instruction).unwrap_or(0),
        }
    }
}

/// An interpreter in the memory of a process.
#[derive(Clone)]
pub struct InProcess {
    pub layout: Arc<Layout>,
    /// Number to add to addresses in the file.
    pub bias: u64,
}

impl InProcess {
    /// Returns the code that a frame runs; none if the check shows that its memory was reused.
    pub fn read(&self, memory: &impl Memory, frame: &InterpretedFrame) -> Option<Code> {
        match &*self.layout {
            Layout::Python(layout) => {
                let reader = python::code::Reader { memory, layout, bias: self.bias };
                reader.read(frame.code, frame.check)
            }
            Layout::Ruby(layout) => {
                ruby::code::Reader { memory, layout, bias: self.bias }.read(frame)
            }
            Layout::Php(layout) => php::code::Reader { memory, layout }.read(frame),
        }
    }
}

/// Returns the check of a code object, computed like mix_words in kernel/interpreter.h.
pub fn mix_words(words: &[u64]) -> u64 {
    let mixed = words.iter().fold(0u64, |mixed, word| {
        let mixed = (mixed ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ mixed >> 29
    });
    mixed >> 32 & crate::layout::CHECK_MASK
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use std::collections::HashMap;

    /// Memory of words.
    #[derive(Clone, Default)]
    pub struct Words(pub HashMap<u64, u64>);

    impl Memory for Words {
        fn read(&self, address: u64, bytes: &mut [u8]) -> bool {
            bytes.iter_mut().enumerate().all(|(i, byte)| {
                let Some(at) = address.checked_add(i as u64) else { return false };
                let Some(word) = self.0.get(&(at & !7)) else { return false };
                *byte = word.to_le_bytes()[(at & 7) as usize];
                true
            })
        }
    }

    impl Words {
        pub fn put(&mut self, address: u64, bytes: &[u8]) {
            for (i, byte) in bytes.iter().enumerate() {
                let at = address + i as u64;
                let word = self.0.entry(at & !7).or_default();
                *word |= u64::from(*byte) << ((at & 7) * 8);
            }
        }

        pub fn put_word(&mut self, address: u64, value: u64) {
            self.put(address, &value.to_le_bytes());
        }
    }
}
