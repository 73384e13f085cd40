// Layout of what the kernel programs and the add-on share: maps and records. src/layout.rs has it
// in Rust.
#pragma once

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef signed char s8;
typedef short s16;
typedef int s32;
typedef long long s64;

// Of user space and of the kernel (its perf_event_max_stack), each.
#define FRAMES_MAX 127
#define NAME_WORDS 2

// How addresses of a mapping are unwound.
enum mapping_kind {
  MAPPING_TABLE = 0,
  // By frame pointers: code without a table, as that of just-in-time compilers and Go.
  MAPPING_FRAME_POINTER = 1,
  // The table is being built.
  MAPPING_PENDING = 2,
};

// One entry of `mappings`. The mappings of a process are consecutive and sorted by start, after an
// entry whose start is the generation of the run.
struct mapping {
  u64 start;
  u64 end;
  // Subtracted from an address of the process, gives the address of its row.
  u64 bias;
  // The table in `rows`: its blocks, then its rows.
  u32 first_block;
  u32 block_count;
  u32 kind;
  // 1 where frame pointers may lead to another stack, as in Go.
  u16 has_many_stacks;
  // In code of V8 and code that V8 has compiled: the place of the description of a function in the
  // function, which frames without a row name. 0 elsewhere.
  u16 shared_offset;
};

#define BLOCK_SHIFT 9

// The rows of a table that start in the same 512 bytes of code, 1 << BLOCK_SHIFT. The search for one
// reads a block and a few rows next to each other: at 19 samples a second, none is in a cache.
struct block {
  // In the rows of the table.
  u32 first;
  u32 count;
};

// A rule of `rows`, valid from its address up to that of the next row.
struct row {
  u32 address;
  // Offset of the canonical frame address in words, or as its kind says.
  u16 cfa;
  // Offset in words of the saved frame pointer.
  s8 rbp;
  // A row_kind in the low 4 bits, ROW_RBP_* above.
  u8 kind;
};

enum row_kind {
  // No rule: frame pointers are tried.
  ROW_NONE = 0,
  ROW_RSP = 1,
  ROW_RBP = 2,
  // An entry of a procedure linkage table: 8 bytes above rsp, 16 from offset `cfa` in the entry on.
  ROW_PLT = 3,
  // The word at rbp or rsp plus (signed) `cfa` words; 0 to 3 words are added to what is read.
  ROW_DEREF_RBP = 4,
  ROW_DEREF_RSP = 5,
  // The frame the kernel makes for a signal handler.
  ROW_SIGNAL = 6,
  // The first function of a thread.
  ROW_STOP = 7,
  ROW_UNSUPPORTED = 8,
  // Another register, known in the leaf only: its DWARF number is in the high 4 bits of `cfa`.
  ROW_REGISTER = 9,
};

#define ROW_KIND_MASK 0x0f
// The frame pointer is saved at the canonical frame address plus `rbp` words.
#define ROW_RBP_AT_CFA 0x10
// It is saved at rbp plus `rbp` words.
#define ROW_RBP_AT_RBP 0x20
// The two highest bits: words added after reading, of ROW_DEREF_*; the highest bits of the offset,
// of ROW_RSP and ROW_RBP, so that a frame may have 2 MiB.
#define ROW_HIGH_SHIFT 6

// Where the mappings of a process are; key: its id.
struct process {
  u32 first;
  u32 count;
  u32 generation;
  // Set by the first sample.
  u32 is_sampled;
};

// Values of stackStatus in sampler.ts.
enum stack_status {
  STACK_COMPLETE = 0,
  STACK_TRUNCATED = 1,
  STACK_KERNEL_ONLY = 2,
  STACK_COMPAT = 3,
  STACK_PENDING = 4,
  STACK_NO_MAPPING = 5,
  STACK_NO_RULE = 6,
  STACK_UNSUPPORTED = 7,
  STACK_UNREADABLE = 8,
};

// No address has these two bits: those of the kernel have both, others none.
#define FUNCTION_MARK (1ull << 62)
// A power of two over 3 * FRAMES_MAX, so that an index is easy to bound.
#define FRAMES_SPACE 384
#define USER_FRAMES_MASK 0xff

// A record of the ring buffer, cut after its last frame.
struct sample {
  // CLOCK_MONOTONIC.
  u64 time;
  // CLOCK_BOOTTIME of the start of the process.
  u64 process_start;
  u64 failed_address;
  u32 pid;
  u32 tid;
  u32 cpu;
  // Of kernel threads, and in the first sample of a process; 0 in others.
  u32 parent_pid;
  u16 user_count;
  u16 kernel_count;
  u8 status;
  u8 is_kernel_thread;
  u8 unused[2];
  // Text of 16 bytes, each.
  u64 thread_name[NAME_WORDS];
  u64 process_name[NAME_WORDS];
  // User frames from the leaf, then kernel frames from the leaf. The description of a JavaScript
  // function, marked by FUNCTION_MARK, is after its frame and counts as one.
  u64 frames[FRAMES_SPACE];
};


// What changes from frame to frame.
struct walk {
  u64 rip;
  u64 rsp;
  u64 rbp;
  u32 first;
  u32 count;
  // Index of the mapping of the last frame, and of the one that frames were in before.
  u32 mapping;
  u32 other_mapping;
  // Flag of the ring that wakes its reader or does not.
  u32 wake;
  // 1 where rip is a return address: the call before it is looked up.
  u8 is_return;
  // 1 while all registers are those of the leaf.
  u8 is_leaf;
  // 1 where the kernel was interrupted, not the process; and in a call of exec.
  u8 is_in_kernel;
  u8 is_in_exec;
};

// State of one CPU. All but the record is one line of cache: at 19 samples a second nothing is in a
// cache, and each line of data and of code that a sample needs costs up to 0.1 us.
struct cpu_state {
  struct walk walk;
  // Samples taken.
  u64 samples;
  // Samples lost because the ring was full.
  u64 lost;
  // The record that is being written.
  struct sample sample;
};
