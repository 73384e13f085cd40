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
pub struct UserFrame {
    pub address: u64,
    /// Description of the JavaScript function, 0 for none.
    pub shared: u64,
}

/// A sample as it came from the kernel. Frames are from the leaf to the root.
pub struct Sample {
    pub head: SampleHead,
    pub user: Vec<UserFrame>,
    pub kernel: Vec<u64>,
}

impl Sample {
    /// Reads a record; none where it is too short for what it says it has.
    pub fn read(record: &[u8]) -> Option<Sample> {
        let (head, frames) = record.split_at_checked(offset_of!(SampleRecord, frames))?;
        // SAFETY: the slice has the size of the structure, which any bytes are valid for.
        let head = unsafe { head.as_ptr().cast::<SampleHead>().read_unaligned() };
        let count = usize::from(head.user_count) + usize::from(head.kernel_count);
        let mut words = frames
            .get(..count * 8)?
            .chunks_exact(8)
            .map(|word| u64::from_le_bytes(word.try_into().expect("8 bytes")));
        let mut user: Vec<UserFrame> = Vec::with_capacity(usize::from(head.user_count));
        for word in words.by_ref().take(usize::from(head.user_count)) {
            if word >> FUNCTION_MARK_SHIFT != 1 {
                user.push(UserFrame { address: word, shared: 0 });
            } else if let Some(frame) = user.last_mut() {
                frame.shared = word ^ FUNCTION_MARK;
            }
        }
        Some(Sample { head, user, kernel: words.collect() })
    }
}
