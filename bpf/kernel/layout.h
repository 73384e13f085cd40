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

// Makes an enum take one byte.
#define PACKED __attribute__((packed))

// Largest number of kernel frames in a stack: the default of perf_event_max_stack.
#define KERNEL_FRAMES_MAX 127
// User frames are unwound in parts of this size, because the kernel's verifier checks the code of a
// part only once.
#define PART_FRAMES 32
#define PARTS_MAX 32
#define NAME_WORDS 2

// Unwinding method for the addresses in a mapping.
enum PACKED mapping_kind {
  MAPPING_TABLE = 0,
  // Frame pointers: for code without a table, such as Go and just-in-time compilers.
  MAPPING_FRAME_POINTER = 1,
  // The table is being built.
  MAPPING_PENDING = 2,
};

// Entry of `mappings`. The mappings of a process are consecutive and sorted by start; the entry
// before them has the generation of these mappings instead of a start.
struct mapping {
  u64 start;
  // Number to subtract from an address in the process to get the address in the table.
  u64 bias;
  // Length of the mapping in pages of 4,096 bytes.
  u32 pages;
  // First line of the table in `lines`.
  u32 first_line;
  u32 block_count;
  // Binary logarithm of the size of a block in bytes.
  u8 block_shift;
  u8 kind;
  // MAPPING_HAS_* below.
  u8 flags;
  // Offset of the description in a function object, for V8's code and code compiled by V8; frames
  // without a rule have a function there. 0 for other code.
  u8 shared_offset;
};

// Frame pointers may lead to another stack, as in Go.
#define MAPPING_HAS_MANY_STACKS 1
// The mapping contains the loop of the interpreter that is described by the entries after the
// mappings.
#define MAPPING_HAS_PYTHON 2
#define MAPPING_HAS_RUBY 4
#define MAPPING_HAS_PHP 8
#define MAPPING_HAS_INTERPRETER 14

// Language of the interpreter in a process.
enum PACKED language {
  LANGUAGE_PYTHON = 0,
  LANGUAGE_RUBY = 1,
  // Ruby whose loop is in a callee of the function at `loop_start`; both native frames belong to
  // it.
  LANGUAGE_RUBY_IN_CALLEE = 2,
  LANGUAGE_PHP = 3,
};

// How the frames of a Python thread are linked, and which of them run in a single call of the loop.
enum PACKED python_chain {
  // Up to 3.10: frames are objects, and each call of the loop runs one frame.
  PYTHON_OBJECTS = 0,
  // 3.11: a call of the loop has a record in its stack frame, and its first frame has a flag.
  PYTHON_ENTRIES = 1,
  // 3.12: like PYTHON_ENTRIES, but there is an empty frame before the first frame.
  PYTHON_RECORDS = 2,
  // From 3.13 on: the empty frame is in the stack frame of the call.
  PYTHON_SHIMS = 3,
};

// Frames with an owner of at least this number have no function.
#define PYTHON_OWNER_EMPTY 3

// Python in the memory of a process: the first of two entries after its mappings in `mappings`.
struct python_program {
  // Address of the pointer to the first interpreter.
  u64 interpreters;
  // The loop, and the part of it that the compiler has moved elsewhere. Only for PYTHON_OBJECTS.
  u64 loop_start;
  u64 cold_start;
  u32 loop_bytes;
  u32 cold_bytes;
};

// The second entry: offsets in Python's structures.
struct python_offsets {
  u32 interpreter_threads;
  u32 interpreter_next;
  u16 thread_next;
  u16 thread_id;
  // Offset of the newest frame, or of the record of the newest call of the loop.
  u16 thread_frame;
  u16 code_line;
  // Offset of a code object's file up to 3.11, which the name and, in 3.11, the qualified name
  // follow; 0 from 3.12 on, where the words after the first line contain the code's version.
  u16 code_file;
  u8 record_frame;
  u8 record_back;
  u8 frame_code;
  u8 frame_back;
  u8 frame_instruction;
  u8 frame_owner;
  // Number of bytes to read from a frame: a multiple of 8 up to 120.
  u8 frame_bytes;
  // A python_chain.
  u8 chain;
  u8 unused[3];
  // A language. It is the last byte of the second entry in all languages.
  u8 language;
};

// Where Ruby keeps a thread's execution context.
enum PACKED ruby_place {
  // Up to 2.7: in a global variable, which belongs to the thread that holds the lock.
  RUBY_GLOBAL = 0,
  // In the thread-local storage of the program, at an offset from register fs.
  RUBY_OF_PROGRAM = 1,
  // In the thread-local storage of a library, whose module number is at `address`.
  RUBY_OF_LIBRARY = 2,
};

// Ruby in the memory of a process: the first of two entries, as in Python.
struct ruby_program {
  // Function of the interpreter's loop. Each call from C enters it, and it returns after the last
  // frame of the call.
  u64 loop_start;
  u64 address;
  // Offset of the context pointer in the thread-local storage.
  s64 offset;
  u32 loop_bytes;
  // A ruby_place.
  u8 place;
  u8 unused[3];
};

// The second entry: offsets in Ruby's structures.
struct ruby_offsets {
  // Only for RUBY_GLOBAL.
  u16 context_thread;
  u16 thread_id;
  u8 context_stack;
  u8 context_frame;
  // Offsets in a frame of the instruction, the instruction sequence and the environment; then the
  // size of a frame.
  u8 frame_instruction;
  u8 frame_sequence;
  u8 frame_environment;
  u8 frame_bytes;
  u8 sequence_body;
  // Offset of a word with the number of instruction words in its higher half; the next word is
  // their address.
  u8 body_size;
  // Offset of four words: path, two labels, first line.
  u8 body_location;
  // Offset of three words in a method entry: definition, name, owner.
  u8 method_definition;
  u8 unused[17];
  u8 language;
};

// PHP in the memory of a process: the first of two entries, as in Python.
struct php_program {
  // Address of the pointer to the newest frame.
  u64 newest_frame;
  // Function of the interpreter's loop, and the part of it that the compiler has moved elsewhere.
  u64 loop_start;
  u64 cold_start;
  u32 loop_bytes;
  u32 cold_bytes;
};

// The second entry: offsets in PHP's structures.
struct php_offsets {
  // Offset in the loop of an instruction after its prologue. Compiled code runs in the same stack
  // frame.
  u32 loop_body;
  // Size of that stack frame from rsp to the caller's frame; 0 if rbp points to it.
  u16 loop_frame_bytes;
  // Offsets in a function of the number of its operations (4 bytes), their address, and two words:
  // the file, then the first and last line.
  u16 function_count;
  u16 function_operations;
  u16 function_file;
  // Number of the lower one of two bits in the flags of closures.
  u8 closure_bit;
  // Offsets in a generator of its frame, of the generator to which it has delegated by "yield
  // from", and of the frame that stands for it and for those between the two.
  u8 generator_frame;
  u8 generator_inner;
  u8 generator_placeholder;
  u8 unused[15];
  u8 language;
};

#define PAGE_SHIFT 12
// Range of `block_shift`.
#define BLOCK_SHIFT_MIN 9
#define BLOCK_SHIFT_MAX 11
#define LINE_RULES 10

// Rule for finding the caller of a function, valid for an address and the following addresses.
struct rule {
  // Offset of the canonical frame address in words; other meanings depend on `kind`.
  u16 cfa;
  // Offset of the saved frame pointer in words.
  s8 rbp;
  // rule_kind in the low 4 bits, RULE_RBP_* in the others.
  u8 kind;
};

// Offset of an unused rule in a block.
#define NO_START 0x7fff

// Rules for the addresses in a block of 512 to 2,048 bytes of code. A table starts with one line
// per block. If a block has more rules, its last rule has the kind RULE_MORE. A line is as large as
// a cache line, so that a search reads only one cache line. At 19 samples a second, no line is in a
// cache.
struct line {
  // 16-bit offset of each rule in the block; NO_START after the last rule.
  u64 starts[3];
  struct rule rules[LINE_RULES];
};

enum PACKED rule_kind {
  // No rule, so frame pointers are tried.
  RULE_NONE = 0,
  RULE_RSP = 1,
  RULE_RBP = 2,
  // Entry of a procedure linkage table. The frame takes 8 bytes above rsp before offset `cfa` of
  // the entry, and 16 bytes from that offset on.
  RULE_PLT = 3,
  // Reads the word at rbp or rsp plus `cfa` words (signed), and adds 0 to 3 words to its value.
  RULE_DEREF_RBP = 4,
  RULE_DEREF_RSP = 5,
  // Signal frame created by the kernel.
  RULE_SIGNAL = 6,
  // The first function of a thread.
  RULE_STOP = 7,
  RULE_UNSUPPORTED = 8,
  // The frame address is relative to another register, which is known only in the leaf. The high 4
  // bits of `cfa` are its DWARF number.
  RULE_REGISTER = 9,
  // The rule is in another line of the table. The low 16 bits of that line's number are in `cfa`,
  // the higher bits in `rbp`.
  RULE_MORE = 10,
};

#define RULE_KIND_MASK 0x0f
// The frame pointer is saved at the canonical frame address plus `rbp` words.
#define RULE_RBP_AT_CFA 0x10
// The register is saved at rbp plus `rbp` words.
#define RULE_RBP_AT_RBP 0x20
// Shift of the two highest bits. For RULE_DEREF_*, they are the words to add after reading. For
// RULE_RSP and RULE_RBP, they are the highest bits of the offset, so that a frame can be up to 2
// MiB.
#define RULE_HIGH_SHIFT 6

// Size of the map `processes`.
#define PROCESSES_MAX 32768

// Position of a process's mappings, by process id.
struct process {
  u32 first;
  u32 count;
  u32 generation;
  // 1 after the first sample.
  u32 is_sampled;
};

// Number of control groups that can be skipped.
#define UNWANTED_CGROUPS_MAX 16384

// Largest number of processes in the option `pids`.
#define LISTED_PIDS_MAX 4096
#define RING_BYTES_MIN 65536

// Size of `pid_versions`. The version of a process is at its id modulo this size, and grows with
// each change of its entry in `processes`. Each version takes 8 bytes, as in all arrays; together
// they fill a page.
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

// State of the interpreter's frames in a sample.
enum PACKED interpreter_status {
  // The sample has no interpreter frame.
  INTERPRETER_UNSEEN = 0,
  // Interpreted frames were matched with native frames, or are being matched.
  INTERPRETER_FOUND = 1,
  // The thread does not belong to the interpreter, or does not belong to it yet.
  INTERPRETER_NO_THREAD = 2,
  // An interpreted frame could not be read.
  INTERPRETER_UNREADABLE = 3,
  // Interpreted frames do not match the native stack.
  INTERPRETER_ODD = 4,
  // There are more interpreted frames than the limit.
  INTERPRETER_TRUNCATED = 5,
  INTERPRETER_STATUS_COUNT,
};

// No address has exactly one of the two highest bits: kernel addresses have both, user addresses
// have none.
#define MARK_SHIFT 62
#define FUNCTION_MARK (1ull << MARK_SHIFT)
#define INTERPRETER_MARK (2ull << MARK_SHIFT)
// A Python frame takes two words: its code object, and its instruction (up to 3.10 an instruction
// number). Above these 48 bits, the words hold 14 and 16 bits of the check, which shows the reader
// of names when the memory contains another code object. A Ruby frame takes three words: its
// instruction sequence, or the method entry of a C function; its method entry, or 0; and its
// instruction number. The first two words hold the check. A PHP frame takes two words: its
// function, and the line that it runs, or 0. A closure is often freed early, so its frame has
// strings that stay: the name, with PHP_CLOSURE_MARK, and the line; the name of the class, or 0;
// the file. The last two words have 16 bits of the first line above the address, the lower ones
// first.
#define PYTHON_WORDS 2
#define RUBY_WORDS 3
#define PHP_WORDS 2
#define PHP_CLOSURE_WORDS 4
#define PHP_CLOSURE_MARK 1
#define ADDRESS_BITS 48
#define ADDRESS_MASK ((1ull << ADDRESS_BITS) - 1)
#define CHECK_LOW_BITS 16
#define CHECK_MASK 0x3fffffff
// Largest number of words for user frames: one less than a power of two, so that an index is easy
// to bound.
#define USER_WORDS_MAX 0x7ff
#define FRAMES_SPACE (USER_WORDS_MAX + 1 + 128)

// Record of the ring buffer, without frames.
struct sample_head {
  // Time in nanoseconds of CLOCK_MONOTONIC.
  u64 time;
  // Start of the process in nanoseconds of CLOCK_BOOTTIME.
  u64 process_start;
  u64 failed_address;
  // Id of the thread's version 2 control group; 0 if ids are not read.
  u64 cgroup;
  u32 pid;
  u32 tid;
  u32 cpu;
  // Parent of a kernel thread, or of a process in its first sample; otherwise 0.
  u32 parent_pid;
  u16 user_count;
  u16 kernel_count;
  u8 status;
  u8 is_kernel_thread;
  // An interpreter_status.
  u8 interpreter;
  // A language.
  u8 language;
  // Name of the thread, 16 bytes.
  u64 thread_name[NAME_WORDS];
  u64 process_name[NAME_WORDS];
};

// Record in the ring buffer, which is truncated after its last frame.
struct sample_record {
  struct sample_head head;
  // User frames from the leaf, then kernel frames from the leaf. The description of a JavaScript
  // function, marked by FUNCTION_MARK, follows its frame and counts as a frame. So do the
  // interpreted frames of a native frame, marked by INTERPRETER_MARK, from the leaf. A mark without
  // an address is followed by frames without a native frame, because the walk ended before it.
  u64 frames[FRAMES_SPACE];
};

// State that changes with each frame.
struct walk {
  u64 rip;
  u64 rsp;
  u64 rbp;
  // Index of the entry before the mappings of the process, and number of the mappings.
  u32 first;
  u32 count;
  // Index of the mapping of the last frame, and of the previous mapping.
  u32 mapping;
  u32 other_mapping;
  // Flag for the ring buffer that decides whether to wake its reader.
  u32 wake;
  // Rule of the last frame. It is read from memory, so that the verifier considers all rules
  // possible; otherwise it would check each combination of kinds.
  struct rule rule;
  // 1 if rip is a return address. The call before it must then be looked up.
  u8 is_return;
  // 1 while all registers belong to the leaf.
  u8 is_leaf;
  // 1 if the kernel was interrupted, not the process; the next flag is 1 during exec.
  u8 is_in_kernel;
  u8 is_in_exec;
  // Process to which `first` and `count` belong. They are valid while the process has this version
  // and its mappings have this generation.
  u32 known_pid;
  u32 known_version;
  u32 generation;
  // Index of the interpreter's first entry; 0 = no interpreter.
  u32 interpreter;
};

#define PYTHON_FRAME_WORDS 16
// Number of the last bytes of a string that the check of a code object covers.
#define PYTHON_TEXT_BYTES 64

// Python frames that have not been added yet.
struct python_walk {
  // Address of the newest frame; 0 = none.
  u64 frame;
  // Address in the stack frame of the interpreter call; 0 for PYTHON_OBJECTS.
  u64 anchor;
  // Current thread in the search for the thread's state.
  u64 thread;
  u64 interpreter;
  // Words of the current frame.
  u64 words[PYTHON_FRAME_WORDS];
  // Last code object of the sample, and its check. A recursion has many frames of one.
  u64 code;
  u64 check;
  // Part of a string. As far as the verifier knows, a read may be up to 120 bytes long.
  u64 text[16];
};

#define RUBY_FRAME_WORDS 16

// Ruby frames that have not been added yet.
struct ruby_walk {
  // Addresses of the newest frame (0 = none), and of the end of all frames.
  u64 frame;
  u64 end;
  // 1 if the newest frame's instruction may be outdated, as in compiled code, which seldom writes
  // it.
  u64 is_old;
  // Words that are being read.
  u64 words[RUBY_FRAME_WORDS];
};

#define PHP_CHECK_WORDS 7
// Number of words of a frame.
#define PHP_FRAME_WORDS 7
// Number of words of a function that are read, and of those that have space.
#define PHP_FUNCTION_WORDS 23
#define PHP_FUNCTION_SPACE 32

// PHP frames that have not been added yet.
struct php_walk {
  // Address of the newest frame; 0 = none.
  u64 frame;
  // The outermost generator of those that delegate to one another, and how many of them are to be
  // added.
  u64 generator;
  u64 delegations;
  // A php_leaf.
  u64 leaf;
  // The last function and its class; 0 = none. Frames often have the same ones.
  u64 function;
  u64 class;
  // Words of the check of the last function, and the check.
  u64 check_words[PHP_CHECK_WORDS];
  u64 check;
  // Content of the frame that is being added.
  u64 frame_words[PHP_FRAME_WORDS];
  // Content of the last function.
  u64 words[PHP_FUNCTION_SPACE];
};

// Where the newest frame's current operation is.
enum php_leaf {
  // In the frame, because it has called another function.
  PHP_IN_FRAME = 0,
  // In a register, if the leaf still has the loop's registers; else in the frame.
  PHP_IN_REGISTER = 1,
  // Unknown, because compiled code seldom writes it.
  PHP_UNKNOWN = 2,
};

// State of a Python thread by thread id, from an earlier sample; checked before use.
struct python_thread {
  u64 tid;
  u64 state;
};

#define PYTHON_THREADS 4096

// State of a CPU. At 19 samples a second, nothing is in a cache when a sample is taken. Each cache
// line of data or code that a sample needs takes up to 0.1 us, or 0.3 us if it is in another page.
// Therefore `walk` fits into one line, and the next fields are in the same line as the record's
// head.
struct cpu_state {
  struct walk walk;
  // Samples taken.
  u64 samples;
  // Samples lost because the ring was full.
  u64 lost;
  // Samples that were skipped because of their process or control group.
  u64 skipped;
  // Time of the last sample that woke the reader to read names.
  u64 woken_at;
  // Record under construction.
  struct sample_record sample;
  struct python_walk python;
  struct ruby_walk ruby;
  struct php_walk php;
};
