//! Rust equivalents of the types in kernel/layout.h, and parsed samples.
pub use generated::*;
use std::mem::offset_of;

/// Written by build.rs.
#[allow(clippy::all, dead_code, non_camel_case_types)]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/layout.rs"));
}

// Two mappings, or one line of rules, fit into a cache line.
const _: () = assert!(size_of::<Mapping>() == 32 && size_of::<Line>() == 64);
// The entries of interpreters are stored in the array of mappings, so they have the same size.
const _: () = assert!(size_of::<PythonProgram>() == 32 && size_of::<PythonOffsets>() == 32);
const _: () = assert!(size_of::<RubyProgram>() == 32 && size_of::<RubyOffsets>() == 32);
const _: () = assert!(size_of::<PhpProgram>() == 32 && size_of::<PhpOffsets>() == 32);

/// Name of a thread: up to 16 bytes, including a zero byte at the end.
pub type TaskName = [u64; NAME_WORDS];

/// Range of `block_shift`.
pub const BLOCK_SHIFTS: std::ops::RangeInclusive<u8> = BLOCK_SHIFT_MIN..=BLOCK_SHIFT_MAX;

// SAFETY: four integers without padding.
unsafe impl aya::Pod for Process {}

// SAFETY: integers without padding.
unsafe impl aya::Pod for CpuState {}

/// A user frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UserFrame {
    Native(u64),
    /// A native frame with the description of its JavaScript function.
    Script {
        address: u64,
        shared: u64,
    },
    Interpreted(InterpretedFrame),
}

/// A frame of Python, Ruby or PHP.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct InterpretedFrame {
    /// Address of the code object. In Ruby, this is the instruction sequence, or the method entry
    /// of a C function. In PHP, it is the function, or a closure's name with PHP_CLOSURE_MARK.
    pub code: u64,
    /// Address of Ruby's method entry, or of the name of a PHP closure's class; 0 if there is none.
    pub method: u64,
    /// Address of the instruction. In Ruby and before Python 3.11, this is the instruction's
    /// number; in PHP, it is the line.
    pub instruction: u64,
    /// Check value; it differs if another code object has reused the address.
    pub check: u64,
    /// Address of a PHP closure's file, and its first line; otherwise 0.
    pub file: u64,
    pub first_line: u32,
}

impl UserFrame {
    /// Returns the address of a native frame.
    pub fn address(&self) -> Option<u64> {
        match self {
            UserFrame::Native(address) | UserFrame::Script { address, .. } => Some(*address),
            UserFrame::Interpreted(_) => None,
        }
    }
}

/// A sample from the kernel. Frames are ordered from the leaf to the root.
pub struct Sample {
    pub head: SampleHead,
    pub user: Vec<UserFrame>,
    pub kernel: Vec<u64>,
}

impl Sample {
    /// Parses a record; none if it is shorter than its header declares.
    pub fn read(record: &[u8]) -> Option<Sample> {
        let (head, frames) = record.split_at_checked(offset_of!(SampleRecord, frames))?;
        // SAFETY: the slice has the size of the structure, and any bytes are valid for the
        // structure.
        let head = unsafe { head.as_ptr().cast::<SampleHead>().read_unaligned() };
        let count = usize::from(head.user_count) + usize::from(head.kernel_count);
        let mut words = frames
            .get(..count * 8)?
            .chunks_exact(8)
            .map(|word| u64::from_le_bytes(word.try_into().expect("8 bytes")));
        let user = read_user(head.language, words.by_ref().take(usize::from(head.user_count)));
        Some(Sample { head, user, kernel: words.collect() })
    }
}

/// Reads user frames, ordered from the leaf to the root. In a record, interpreted frames come after
/// the native frame of the interpreter loop that runs them. The loop is their caller, so they are
/// moved before its frame. With LANGUAGE_RUBY_IN_CALLEE, the loop has two native frames, and they
/// are moved before both.
fn read_user(language: u8, mut words: impl Iterator<Item = u64>) -> Vec<UserFrame> {
    let mut user = Vec::with_capacity(words.size_hint().0);
    let mut is_rest = false;
    while let Some(word) = words.next() {
        match (word & (FUNCTION_MARK | INTERPRETER_MARK), user.last_mut()) {
            (FUNCTION_MARK, Some(last)) => {
                if let UserFrame::Native(address) = *last {
                    *last = UserFrame::Script { address, shared: word ^ FUNCTION_MARK };
                }
            }
            (INTERPRETER_MARK, _) if word == INTERPRETER_MARK => is_rest = true,
            (INTERPRETER_MARK, _) => {
                let Some(frame) = read_interpreted(language, word, &mut words) else { break };
                let frame = UserFrame::Interpreted(frame);
                let after = if is_rest { 0 } else { loop_frames(language, &user) };
                user.insert(user.len() - after, frame);
            }
            _ => user.push(UserFrame::Native(word)),
        }
    }
    user
}

/// Reads an interpreted frame that starts with the word `first`; none if words are missing.
fn read_interpreted(
    language: u8,
    first: u64,
    words: &mut impl Iterator<Item = u64>,
) -> Option<InterpretedFrame> {
    let second = words.next()?;
    let high = (first ^ INTERPRETER_MARK) >> ADDRESS_BITS;
    let mut frame = InterpretedFrame {
        code: first & ADDRESS_MASK,
        instruction: second & ADDRESS_MASK,
        check: high << CHECK_LOW_BITS | second >> ADDRESS_BITS,
        ..InterpretedFrame::default()
    };
    match language {
        LANGUAGE_PYTHON => {}
        LANGUAGE_PHP if frame.code & PHP_CLOSURE_MARK == 0 => {}
        LANGUAGE_PHP => {
            let [class, file] = [words.next()?, words.next()?];
            frame.method = class & ADDRESS_MASK;
            frame.file = file & ADDRESS_MASK;
            frame.first_line = (class >> ADDRESS_BITS | file >> ADDRESS_BITS << 16) as u32;
        }
        _ => {
            frame.method = frame.instruction;
            frame.instruction = words.next()? & ADDRESS_MASK;
        }
    }
    Some(frame)
}

/// Returns how many of the last native frames belong to the loop that runs the next frames.
fn loop_frames(language: u8, user: &[UserFrame]) -> usize {
    let max = if language == LANGUAGE_RUBY_IN_CALLEE { 2 } else { 1 };
    let is_native = |frame: &&UserFrame| !matches!(frame, UserFrame::Interpreted(_));
    user.iter().rev().take(max).take_while(is_native).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interpreted(code: u64, instruction: u64, check: u64) -> [u64; 2] {
        [
            INTERPRETER_MARK | check >> CHECK_LOW_BITS << ADDRESS_BITS | code,
            instruction | check << ADDRESS_BITS,
        ]
    }

    #[test]
    fn frames_of_python_are_called_by_the_interpreter() {
        let words = [
            &[0x10, 0x7fff_ffff_f000][..],
            &interpreted(0x7f00_0000_0040, 0x7f00_0000_00f2, CHECK_MASK - 1),
            &interpreted(0x50, 7, 0),
            &[0x30, FUNCTION_MARK | 0x99, INTERPRETER_MARK],
            &interpreted(0x60, 0xffff_ffff, 3),
        ];
        let frame = |code, instruction, check| {
            let frame = InterpretedFrame::default();
            UserFrame::Interpreted(InterpretedFrame { code, instruction, check, ..frame })
        };
        let want = [
            UserFrame::Native(0x10),
            frame(0x7f00_0000_0040, 0x7f00_0000_00f2, CHECK_MASK - 1),
            frame(0x50, 7, 0),
            UserFrame::Native(0x7fff_ffff_f000),
            UserFrame::Script { address: 0x30, shared: 0x99 },
            frame(0x60, 0xffff_ffff, 3),
        ];
        assert_eq!(read_user(LANGUAGE_PYTHON, words.concat().into_iter()), want);
        // The record is truncated or damaged.
        let cut = [FUNCTION_MARK, INTERPRETER_MARK | 8];
        assert_eq!(read_user(LANGUAGE_PYTHON, cut.into_iter()).len(), 1);
    }

    #[test]
    fn frames_of_ruby_are_called_by_the_loop_and_its_callee() {
        let ruby = |code, method, check| {
            let [first, second] = interpreted(code, method, check);
            [first, second, 9]
        };
        let frame = |code, method, check| {
            let frame = InterpretedFrame { code, method, check, ..InterpretedFrame::default() };
            UserFrame::Interpreted(InterpretedFrame { instruction: 9, ..frame })
        };
        let words = [&[0x10, 0x20, 0x30][..], &ruby(0x40, 0x50, 7), &ruby(0x60, 0, 8), &[0x70]];
        let native = UserFrame::Native;
        let frames = [frame(0x40, 0x50, 7), frame(0x60, 0, 8)];
        let want = |at: usize| {
            let mut all = vec![native(0x10), native(0x20), native(0x30), native(0x70)];
            all.splice(at..at, frames);
            all
        };
        let read = |language| read_user(language, words.concat().into_iter());
        assert_eq!(read(LANGUAGE_RUBY), want(2));
        assert_eq!(read(LANGUAGE_RUBY_IN_CALLEE), want(1));
        assert_eq!(read_user(LANGUAGE_RUBY, [INTERPRETER_MARK | 8, 8].into_iter()).len(), 0);
    }

    #[test]
    fn closures_of_php_have_their_strings() {
        let closure = [0x7fff_0000_0050, 0x7fff_0000_0060].map(|text| text | 0xabcd << 48);
        let name = interpreted(0x7fff_0000_0040 | PHP_CLOSURE_MARK, 9, CHECK_MASK);
        let words = [&[0x10][..], &interpreted(0x30, 7, 1), &name, &closure, &[0x70]].concat();
        let frame = |frame| UserFrame::Interpreted(frame);
        let want = [
            frame(InterpretedFrame {
                code: 0x30,
                instruction: 7,
                check: 1,
                ..InterpretedFrame::default()
            }),
            frame(InterpretedFrame {
                code: 0x7fff_0000_0041,
                method: 0x7fff_0000_0050,
                instruction: 9,
                check: CHECK_MASK,
                file: 0x7fff_0000_0060,
                first_line: 0xabcd_abcd,
            }),
            UserFrame::Native(0x10),
            UserFrame::Native(0x70),
        ];
        assert_eq!(read_user(LANGUAGE_PHP, words.iter().copied()), want);
        assert_eq!(read_user(LANGUAGE_PHP, words[..6].iter().copied()).len(), 2, "it is cut");
    }
}
