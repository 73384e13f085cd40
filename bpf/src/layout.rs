//! Rust's side of kernel/layout.h: its types and numbers, and the samples read from records.
pub use generated::*;
use std::mem::offset_of;

/// Written by build.rs.
#[allow(clippy::all, dead_code, non_camel_case_types)]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/layout.rs"));
}

// Two mappings, or one line of rules, are a line of cache.
const _: () = assert!(size_of::<Mapping>() == 32 && size_of::<Line>() == 64);
// Entries of Python are among the mappings.
const _: () = assert!(size_of::<PythonProgram>() == 32 && size_of::<PythonOffsets>() == 32);

/// Name of a thread: up to 16 bytes, which end with a zero byte.
pub type TaskName = [u64; NAME_WORDS];

/// Shifts that blocks of a table may have.
pub const BLOCK_SHIFTS: std::ops::RangeInclusive<u8> = BLOCK_SHIFT_MIN..=BLOCK_SHIFT_MAX;

// SAFETY: four integers without padding.
unsafe impl aya::Pod for Process {}

// SAFETY: integers without padding.
unsafe impl aya::Pod for CpuState {}

/// A frame of user space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UserFrame {
    Native(u64),
    /// A native frame, and the description of its JavaScript function.
    Script {
        address: u64,
        shared: u64,
    },
    Python(PythonFrame),
}

/// A Python frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PythonFrame {
    /// Address of the code object.
    pub code: u64,
    /// Address of the instruction; before Python 3.11, its number.
    pub instruction: u64,
    /// Changes when another code object has taken the same address.
    pub check: u64,
}

impl UserFrame {
    /// Address of a native frame.
    pub fn address(&self) -> Option<u64> {
        match self {
            UserFrame::Native(address) | UserFrame::Script { address, .. } => Some(*address),
            UserFrame::Python(_) => None,
        }
    }
}

/// A sample as it came from the kernel. Frames are from the leaf to the root.
pub struct Sample {
    pub head: SampleHead,
    pub user: Vec<UserFrame>,
    pub kernel: Vec<u64>,
}

impl Sample {
    /// Reads a record; none if it is shorter than its own header says.
    pub fn read(record: &[u8]) -> Option<Sample> {
        let (head, frames) = record.split_at_checked(offset_of!(SampleRecord, frames))?;
        // SAFETY: the slice has the size of the structure, which any bytes are valid for.
        let head = unsafe { head.as_ptr().cast::<SampleHead>().read_unaligned() };
        let count = usize::from(head.user_count) + usize::from(head.kernel_count);
        let mut words = frames
            .get(..count * 8)?
            .chunks_exact(8)
            .map(|word| u64::from_le_bytes(word.try_into().expect("8 bytes")));
        let user = read_user(words.by_ref().take(usize::from(head.user_count)));
        Some(Sample { head, user, kernel: words.collect() })
    }
}

/// Reads user frames. Those of Python come after the native frame of the interpreter that runs
/// them, and go before it: it has called them.
fn read_user(mut words: impl Iterator<Item = u64>) -> Vec<UserFrame> {
    let mut user = Vec::with_capacity(words.size_hint().0);
    let mut is_rest = false;
    while let Some(word) = words.next() {
        match (word & (FUNCTION_MARK | PYTHON_MARK), user.last_mut()) {
            (FUNCTION_MARK, Some(last)) => {
                if let UserFrame::Native(address) = *last {
                    *last = UserFrame::Script { address, shared: word ^ FUNCTION_MARK };
                }
            }
            (PYTHON_MARK, _) if word == PYTHON_MARK => is_rest = true,
            (PYTHON_MARK, _) => {
                let Some(second) = words.next() else { break };
                let high = (word ^ PYTHON_MARK) >> ADDRESS_BITS;
                let frame = UserFrame::Python(PythonFrame {
                    code: word & ADDRESS_MASK,
                    instruction: second & ADDRESS_MASK,
                    check: high << CHECK_LOW_BITS | second >> ADDRESS_BITS,
                });
                let at = user.len().saturating_sub(usize::from(!is_rest));
                user.insert(at, frame);
            }
            _ => user.push(UserFrame::Native(word)),
        }
    }
    user
}

#[cfg(test)]
mod tests {
    use super::*;

    fn python(code: u64, instruction: u64, check: u64) -> [u64; 2] {
        [
            PYTHON_MARK | check >> CHECK_LOW_BITS << ADDRESS_BITS | code,
            instruction | check << ADDRESS_BITS,
        ]
    }

    #[test]
    fn frames_of_python_are_called_by_the_interpreter() {
        let words = [
            &[0x10, 0x7fff_ffff_f000][..],
            &python(0x7f00_0000_0040, 0x7f00_0000_00f2, CHECK_MASK - 1),
            &python(0x50, 7, 0),
            &[0x30, FUNCTION_MARK | 0x99, PYTHON_MARK],
            &python(0x60, 0xffff_ffff, 3),
        ];
        let frame =
            |code, instruction, check| UserFrame::Python(PythonFrame { code, instruction, check });
        let want = [
            UserFrame::Native(0x10),
            frame(0x7f00_0000_0040, 0x7f00_0000_00f2, CHECK_MASK - 1),
            frame(0x50, 7, 0),
            UserFrame::Native(0x7fff_ffff_f000),
            UserFrame::Script { address: 0x30, shared: 0x99 },
            frame(0x60, 0xffff_ffff, 3),
        ];
        assert_eq!(read_user(words.concat().into_iter()), want);
        // A record that is cut, or damaged.
        assert_eq!(read_user([FUNCTION_MARK, PYTHON_MARK | 8].into_iter()).len(), 1);
    }
}
