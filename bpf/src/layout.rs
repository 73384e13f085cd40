//! Rust's side of kernel/layout.h, which says what the fields mean.

// Two mappings, or one line of rules, are a line of cache.
const _: () = assert!(size_of::<Mapping>() == 32 && size_of::<Line>() == 64);

/// Frames of one kind in a sample.
pub const FRAMES_MAX: usize = 127;
const FRAMES_SPACE: usize = 384;
const MARK_SHIFT: u32 = 62;
const FUNCTION_MARK: u64 = 1 << MARK_SHIFT;

#[repr(C)]
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Mapping {
    pub start: u64,
    pub bias: u64,
    pub pages: u32,
    pub first_line: u32,
    pub block_count: u32,
    pub block_shift: u8,
    pub kind: u8,
    pub has_many_stacks: u8,
    pub shared_offset: u8,
}

pub const PAGE_SHIFT: u32 = 12;
pub const MAPPING_TABLE: u8 = 0;
pub const MAPPING_FRAME_POINTER: u8 = 1;
pub const MAPPING_PENDING: u8 = 2;

#[repr(C)]
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Rule {
    pub cfa: u16,
    pub rbp: i8,
    pub kind: u8,
}

/// Shifts that blocks of a table may have.
pub const BLOCK_SHIFTS: std::ops::RangeInclusive<u8> = 9..=11;
pub const LINE_RULES: usize = 10;

/// Rules for addresses in the same block of code.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    pub starts: [u16; LINE_RULES + 2],
    pub rules: [Rule; LINE_RULES],
}

pub const NO_START: u16 = 0x7fff;

pub const RULE_NONE: u8 = 0;
pub const RULE_RSP: u8 = 1;
pub const RULE_RBP: u8 = 2;
pub const RULE_PLT: u8 = 3;
pub const RULE_DEREF_RBP: u8 = 4;
pub const RULE_DEREF_RSP: u8 = 5;
pub const RULE_SIGNAL: u8 = 6;
pub const RULE_STOP: u8 = 7;
pub const RULE_UNSUPPORTED: u8 = 8;
pub const RULE_REGISTER: u8 = 9;
pub const RULE_MORE: u8 = 10;
pub const RULE_KIND_MASK: u8 = 0x0f;
pub const RULE_RBP_AT_CFA: u8 = 0x10;
pub const RULE_RBP_AT_RBP: u8 = 0x20;
pub const RULE_HIGH_SHIFT: u8 = 6;

#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct Process {
    pub first: u32,
    pub count: u32,
    pub generation: u32,
    pub is_sampled: u32,
}

// SAFETY: four integers without padding.
unsafe impl aya::Pod for Process {}

/// Entries of `processes`.
pub const PROCESSES_MAX: usize = 32_768;

pub const VERSIONS: u32 = 512;

pub const STACK_PENDING: u8 = 4;
pub const STACK_NO_MAPPING: u8 = 5;
pub const STACK_STATUS_COUNT: usize = 9;

/// A record of the ring buffer without its frames.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SampleHead {
    pub time: u64,
    pub process_start: u64,
    pub failed_address: u64,
    pub pid: u32,
    pub tid: u32,
    pub cpu: u32,
    pub parent_pid: u32,
    pub user_count: u16,
    pub kernel_count: u16,
    pub status: u8,
    pub is_kernel_thread: u8,
    pub unused: [u8; 2],
    pub thread_name: [u8; 16],
    pub process_name: [u8; 16],
}

/// State of one CPU.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CpuState {
    walk: [u64; 8],
    pub samples: u64,
    pub lost: u64,
    head: SampleHead,
    frames: [u64; FRAMES_SPACE],
}

// SAFETY: integers and bytes without padding.
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
        let head_bytes = size_of::<SampleHead>();
        let (head, frames) = record.split_at_checked(head_bytes)?;
        // SAFETY: the slice has the size of the structure, which any bytes are valid for.
        let head = unsafe { head.as_ptr().cast::<SampleHead>().read_unaligned() };
        let count = usize::from(head.user_count) + usize::from(head.kernel_count);
        let mut words = frames
            .get(..count * 8)?
            .chunks_exact(8)
            .map(|word| u64::from_le_bytes(word.try_into().expect("8 bytes")));
        let mut user: Vec<UserFrame> = Vec::with_capacity(usize::from(head.user_count));
        for word in words.by_ref().take(usize::from(head.user_count)) {
            if word >> MARK_SHIFT != FUNCTION_MARK >> MARK_SHIFT {
                user.push(UserFrame { address: word, shared: 0 });
            } else if let Some(frame) = user.last_mut() {
                frame.shared = word ^ FUNCTION_MARK;
            }
        }
        Some(Sample { head, user, kernel: words.collect() })
    }
}
