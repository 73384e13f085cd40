// Layout of the maps and records that the kernel programs and the add-on share. build.rs translates
// it to Rust.
#pragma once

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef signed char s8;
typedef short s16;
typedef int s32;
typedef long long s64;

// Makes an enum a byte.
#define PACKED __attribute__((packed))

// Kernel frames of a stack: the default of perf_event_max_stack.
#define KERNEL_FRAMES_MAX 127
// Native frames of user space are walked in parts, because the verifier of the kernel checks the
// walk of one part once.
#define PART_FRAMES 32
#define PARTS_MAX 32
#define NAME_WORDS 2

// How addresses of a mapping are unwound.
enum PACKED mapping_kind {
  MAPPING_TABLE = 0,
  // By frame pointers: code without a table, such as that of Go and of just-in-time compilers.
  MAPPING_FRAME_POINTER = 1,
  // The table is being built.
  MAPPING_PENDING = 2,
};

// One entry of `mappings`. The mappings of a process are consecutive and sorted by start, after an
// entry whose start is the generation of the run.
struct mapping {
  u64 start;
  // Number to subtract from a process address to get the address of its rule.
  u64 bias;
  // Length of the mapping in pages of 4,096 bytes.
  u32 pages;
  // The table in `lines`.
  u32 first_line;
  u32 block_count;
  // Binary logarithm of the bytes of a block.
  u8 block_shift;
  u8 kind;
  // MAPPING_HAS_* below.
  u8 flags;
  // Offset in a function object of its description, for code of V8 and code that V8 has compiled.
  // There, frames without a rule have a function. 0 elsewhere.
  u8 shared_offset;
};

// Frame pointers may lead to another stack, as in Go.
#define MAPPING_HAS_MANY_STACKS 1
// It contains the loop of an interpreter: that of the entries after the mappings.
#define MAPPING_HAS_PYTHON 2
#define MAPPING_HAS_RUBY 4
#define MAPPING_HAS_INTERPRETER 6

// Language of the interpreter in a process.
enum PACKED language {
  LANGUAGE_PYTHON = 0,
  LANGUAGE_RUBY = 1,
  // Ruby, where the function that the loop's function calls is part of the loop.
  LANGUAGE_RUBY_IN_CALLEE = 2,
};

// How the frames of a Python thread are linked, and which of them run in one call of the loop.
enum PACKED python_chain {
  // To 3.10: objects. Each call of the loop runs one.
  PYTHON_OBJECTS = 0,
  // 3.11: a call of the loop has a record in its stack frame, and its first frame says so.
  PYTHON_ENTRIES = 1,
  // 3.12: the same, but the first frame comes after an empty one.
  PYTHON_RECORDS = 2,
  // From 3.13 on: the empty frame is in the stack frame of the call.
  PYTHON_SHIMS = 3,
};

// Owners of frames from this on are no function: such frames are empty.
#define PYTHON_OWNER_EMPTY 3

// Python in the memory of a process: the first of two entries after its mappings, in `mappings`.
struct python_program {
  // Address of the pointer to the first interpreter.
  u64 interpreters;
  // The loop, and the part of it that the compiler has put elsewhere. Only for PYTHON_OBJECTS.
  u64 loop_start;
  u64 cold_start;
  u32 loop_bytes;
  u32 cold_bytes;
};

// The second entry: offsets in the structures of Python.
struct python_offsets {
  u32 interpreter_threads;
  u32 interpreter_next;
  u16 thread_next;
  u16 thread_id;
  // Of the newest frame, or of the record of the newest call of the loop.
  u16 thread_frame;
  u16 code_line;
  // 0 where the words after the first line have the version of the code, from 3.12 on.
  u16 code_name;
  u8 name_hash;
  u8 record_frame;
  u8 record_back;
  u8 frame_code;
  u8 frame_back;
  u8 frame_instruction;
  u8 frame_owner;
  // Bytes of a frame that are read: a multiple of 8 up to 120.
  u8 frame_bytes;
  // A python_chain.
  u8 chain;
  u8 unused[2];
  // A language. It is the last byte of the entry for all of them.
  u8 language;
};

// Where Ruby keeps the context of a thread: the state of what it executes.
enum PACKED ruby_place {
  // In a global variable, for the thread that may run. To 2.7.
  RUBY_GLOBAL = 0,
  // In the thread-local storage of a program, at an offset from register fs.
  RUBY_OF_PROGRAM = 1,
  // In that of a library, whose number is at `address`.
  RUBY_OF_LIBRARY = 2,
};

// Ruby in the memory of a process: the first of two entries, as for Python.
struct ruby_program {
  // The function that is entered for each call from C, and returns after the last frame of it.
  u64 loop_start;
  u64 address;
  // Offset of the pointer in the thread-local storage.
  s64 offset;
  u32 loop_bytes;
  // A ruby_place.
  u8 place;
  u8 unused[3];
};

// The second entry: offsets in the structures of Ruby.
struct ruby_offsets {
  // Only for RUBY_GLOBAL.
  u16 context_thread;
  u16 thread_id;
  u8 context_stack;
  u8 context_frame;
  // In a frame: the instruction, the instruction sequence and the environment. Then its size.
  u8 frame_instruction;
  u8 frame_sequence;
  u8 frame_environment;
  u8 frame_bytes;
  u8 sequence_body;
  // Number of instruction words in the higher half of the word, then their address.
  u8 body_size;
  // Four words: path, two labels, first line.
  u8 body_location;
  // Three words of a method entry: definition, name, owner.
  u8 method_definition;
  u8 unused[17];
  u8 language;
};

#define PAGE_SHIFT 12
// Shifts that blocks of a table may have.
#define BLOCK_SHIFT_MIN 9
#define BLOCK_SHIFT_MAX 11
#define LINE_RULES 10

// Rule to find the caller of a function, at an address and the following ones.
struct rule {
  // Offset of the canonical frame address in words, or what the kind says.
  u16 cfa;
  // Offset in words of the saved frame pointer.
  s8 rbp;
  // A rule_kind in the low 4 bits, RULE_RBP_* above.
  u8 kind;
};

// Start in a block of a rule that is not there.
#define NO_START 0x7fff

// Rules for addresses in the same block of code, of 512 to 2,048 bytes. A table starts with a line
// for each block. If a block has more rules, the last one is of kind RULE_MORE. A line has the size
// of a cache line, because a search reads one: at 19 samples a second, none is in a cache.
struct line {
  // Where in the block each rule starts, in 16 bits each; NO_START after the last one.
  u64 starts[3];
  struct rule rules[LINE_RULES];
};

enum PACKED rule_kind {
  // No rule: frame pointers are tried.
  RULE_NONE = 0,
  RULE_RSP = 1,
  RULE_RBP = 2,
  // An entry of a procedure linkage table: 8 bytes above rsp, and 16 after offset `cfa` in the
  // entry.
  RULE_PLT = 3,
  // The word at rbp or rsp plus (signed) `cfa` words; 0 to 3 words are added to what is read.
  RULE_DEREF_RBP = 4,
  RULE_DEREF_RSP = 5,
  // The frame that the kernel makes for a signal handler.
  RULE_SIGNAL = 6,
  // The first function of a thread.
  RULE_STOP = 7,
  RULE_UNSUPPORTED = 8,
  // Another register, known only in the leaf: its DWARF number is in the high 4 bits of `cfa`.
  RULE_REGISTER = 9,
  // The rule is in another line of the table: its number is in `cfa`, and in `rbp` from bit 16 on.
  RULE_MORE = 10,
};

#define RULE_KIND_MASK 0x0f
// The frame pointer is saved at the canonical frame address plus `rbp` words.
#define RULE_RBP_AT_CFA 0x10
// The register is saved at rbp plus `rbp` words.
#define RULE_RBP_AT_RBP 0x20
// The two highest bits: words added after reading, of RULE_DEREF_*; the highest bits of the offset,
// of RULE_RSP and RULE_RBP, so that a frame may have 2 MiB.
#define RULE_HIGH_SHIFT 6

// Entries of `processes`.
#define PROCESSES_MAX 32768

// Position of the mappings of a process; key: its id.
struct process {
  u32 first;
  u32 count;
  u32 generation;
  // 1 after the first sample.
  u32 is_sampled;
};

// Control groups whose samples are not wanted.
#define UNWANTED_CGROUPS_MAX 16384

// Processes that the option `pids` may list.
#define LISTED_PIDS_MAX 4096
#define RING_BYTES_MIN 65536

// Number of `pid_versions`. That of a process is at its id modulo this, and grows with each change of
// its entry in `processes`. They have 8 bytes each, like all elements of an array, and fill a page.
#define PID_VERSIONS 512

// Values of stackStatus in sampler.ts.
enum PACKED stack_status {
  STACK_COMPLETE = 0,
  STACK_TRUNCATED = 1,
  STACK_KERNEL_ONLY = 2,
  STACK_COMPAT = 3,
  STACK_PENDING = 4,
  STACK_NO_MAPPING = 5,
  STACK_NO_RULE = 6,
  STACK_UNSUPPORTED_RULE = 7,
  STACK_UNREADABLE = 8,
  STACK_STATUS_COUNT,
};

// What is known of the interpreter's frames in a sample.
enum PACKED interpreter_status {
  // No frame of the interpreter was met.
  INTERPRETER_UNSEEN = 0,
  // Frames of the interpreter are followed, or were.
  INTERPRETER_FOUND = 1,
  // The thread is none of the interpreter's, or not yet.
  INTERPRETER_NO_THREAD = 2,
  // A frame could not be read.
  INTERPRETER_UNREADABLE = 3,
  // Frames and the stack do not fit together.
  INTERPRETER_ODD = 4,
  // There are more frames than are kept.
  INTERPRETER_TRUNCATED = 5,
  INTERPRETER_STATUS_COUNT,
};

// No address has exactly one of the two highest bits: those of the kernel have both, others none.
#define MARK_SHIFT 62
#define FUNCTION_MARK (1ull << MARK_SHIFT)
#define INTERPRETER_MARK (2ull << MARK_SHIFT)
// A Python frame is two words: its code object, and its instruction (to 3.10 a number). Above
// these 48 bits they have 14 and 16 bits of a check, by which the reader of names notices that
// another code object is there. A Ruby frame is three: its instruction sequence, or the method
// entry of a C function; the method entry, 0 for none; the number of the instruction. The first two
// have the check.
#define PYTHON_WORDS 2
#define RUBY_WORDS 3
#define ADDRESS_BITS 48
#define ADDRESS_MASK ((1ull << ADDRESS_BITS) - 1)
#define CHECK_LOW_BITS 16
#define CHECK_MASK 0x3fffffff
// Words of user frames: one less than a power of two, so that an index is easy to bound.
#define USER_WORDS_MAX 0x7ff
#define FRAMES_SPACE (USER_WORDS_MAX + 1 + 128)

// A record of the ring buffer without its frames.
struct sample_head {
  // CLOCK_MONOTONIC.
  u64 time;
  // CLOCK_BOOTTIME of the start of the process.
  u64 process_start;
  u64 failed_address;
  // Id of the thread's version 2 control group; 0 if it is not read.
  u64 cgroup;
  u32 pid;
  u32 tid;
  u32 cpu;
  // Set for kernel threads, and in the first sample of a process; otherwise 0.
  u32 parent_pid;
  u16 user_count;
  u16 kernel_count;
  u8 status;
  u8 is_kernel_thread;
  // An interpreter_status.
  u8 interpreter;
  // A language.
  u8 language;
  // Strings of 16 bytes.
  u64 thread_name[NAME_WORDS];
  u64 process_name[NAME_WORDS];
};

// A record of the ring buffer, cut after its last frame.
struct sample_record {
  struct sample_head head;
  // User frames from the leaf, then kernel frames from the leaf. The description of a JavaScript
  // function, marked by FUNCTION_MARK, is after its frame and counts as one. So do the frames that
  // a call of an interpreter runs, marked by INTERPRETER_MARK, from its leaf. After a mark
  // alone come those that belong to no native frame, because the walk ended before.
  u64 frames[FRAMES_SPACE];
};

// State that changes from frame to frame.
struct walk {
  u64 rip;
  u64 rsp;
  u64 rbp;
  // The mappings of the process: the entry before them, and their number.
  u32 first;
  u32 count;
  // Index of the mapping of the last frame, and of the mapping before that.
  u32 mapping;
  u32 other_mapping;
  // Flag for the ring, which decides if its reader is woken.
  u32 wake;
  // Rule of the last frame. As it is read from here, the verifier considers any rule possible;
  // otherwise it would walk the frames once for each combination of kinds.
  struct rule rule;
  // 1 where rip is a return address: the call before it is looked up.
  u8 is_return;
  // 1 while all registers are those of the leaf.
  u8 is_leaf;
  // 1 where the kernel was interrupted, not the process; and in a call of exec.
  u8 is_in_kernel;
  u8 is_in_exec;
  // Process of `first` and `count`, valid while it has this version and the run this generation.
  u32 known_pid;
  u32 known_version;
  u32 generation;
  // Entry of the interpreter of the process, 0 for none.
  u32 interpreter;
};

#define PYTHON_FRAME_WORDS 16

// The Python frames that are not added yet.
struct python_walk {
  // The newest, 0 for none.
  u64 frame;
  // Address in the stack frame of the call that runs it; 0 for PYTHON_OBJECTS.
  u64 anchor;
  // Where the search for the state of the thread is.
  u64 thread;
  u64 interpreter;
  // The frame that is being read.
  u64 words[PYTHON_FRAME_WORDS];
};

#define RUBY_FRAME_WORDS 16

// The Ruby frames that are not added yet.
struct ruby_walk {
  // The newest, 0 for none, and the end of all of them.
  u64 frame;
  u64 end;
  // What is being read.
  u64 words[RUBY_FRAME_WORDS];
};

// State of a Python thread by the id of the thread, from an earlier sample; checked before use.
struct python_thread {
  u64 tid;
  u64 state;
};

#define PYTHON_THREADS 4096

// State of one CPU. At 19 samples a second nothing is in a cache, and each line of data or code
// that a sample needs costs up to 0.1 us, or 0.3 us in another page. So `walk` is one line, and the
// next fields share the line of the record's head.
struct cpu_state {
  struct walk walk;
  // Samples taken.
  u64 samples;
  // Samples lost because the ring was full.
  u64 lost;
  // Samples not taken, because their process or control group is not wanted.
  u64 skipped;
  // The record that is being written.
  struct sample_record sample;
  struct python_walk python;
  struct ruby_walk ruby;
};
