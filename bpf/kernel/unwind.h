// Unwinds a user stack: finds the addresses of its frames from the thread's registers.
//
// The kernel programs include this file, and so does a user-space program that unwinds recorded
// stacks (testing/unwind.c). Before that, both define where memory, mappings and tables come from:
//
//   static int read_memory(void *to, u32 size, u64 address);  0 if all of it was read
//   static struct mapping *find_entry(u32 index);              of the array of mappings, or 0
//   static struct line *find_line(u32 index);                  of the array of lines, or 0
//   u64 leaf_register(u32 number);                             by its DWARF number
//
// and what interpreter.h needs.
#pragma once
#include "layout.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))
#define NOINLINE __attribute__((noinline))

static int read_memory(void *to, u32 size, u64 address);
static struct mapping *find_entry(u32 index);
static struct line *find_line(u32 index);
u64 leaf_register(u32 number);

// Makes the compiler read from memory again, so that the verifier considers all values possible.
// Otherwise it would check each combination of known values.
#define FORGET_VALUES asm volatile("" ::: "memory")

static ALWAYS_INLINE int has_address(struct mapping *mapping, u64 address) {
  return address - mapping->start < (u64)mapping->pages << PAGE_SHIFT;
}

// Returns 1 + the index of the mapping that contains `address`; 0 = none. The function is global,
// so the verifier checks it only once.
NOINLINE u32 find_mapping(u32 first, u32 count, u64 address) {
  u32 low = first;
  u32 high = first + count;
  for (int i = 0; i < 16; i++) {
    if (low >= high) break;
    u32 middle = low + ((high - low) >> 1);
    struct mapping *at = find_entry(middle);
    if (!at) return 0;
    if (has_address(at, address)) return middle + 1;
    if (at->start <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return 0;
}

// Largest number of lines of a block; each address in the block may have its own rule.
#define LINES_OF_BLOCK_MAX ((1 << BLOCK_SHIFT_MAX) / (LINE_RULES - 1) + 1)
// The lowest bit of each of the four numbers in a word.
#define FOUR 0x0001000100010001ull

// Compares four 15-bit numbers with their counterparts in `offsets`. Returns 1 for each number that
// is not greater.
static ALWAYS_INLINE u64 at_most(u64 numbers, u64 offsets) {
  return ((offsets | FOUR << 15) - numbers) >> 15 & FOUR;
}

// Returns the rule for `address` as the four bytes of a struct rule; 0 = none.
NOINLINE u32 find_rule(u32 first_line, u32 block_count, u32 block_shift, u32 address) {
  u32 block = address >> block_shift;
  if (block >= block_count) return 0;
  u32 at = first_line + block;
  u64 offsets = (address & ((1 << block_shift) - 1)) * FOUR;
  for (int i = 0; i < LINES_OF_BLOCK_MAX; i++) {
    struct line *line = find_line(at);
    if (!line) return 0;
    u64 counts = at_most(line->starts[0], offsets) + at_most(line->starts[1], offsets) +
                 at_most(line->starts[2], offsets);
    // The multiplication adds up all counts in the highest 16 bits.
    u64 found = (counts * FOUR >> 48) - 1;
    if (found >= LINE_RULES) return 0;
    struct rule *rule = &line->rules[found];
    if (rule->kind != RULE_MORE) return *(u32 *)rule;
    at = first_line + (*(u32 *)rule & 0xffffff);
  }
  return 0;
}

static ALWAYS_INLINE int read_word(u64 *to, u64 address) {
  return read_memory(to, sizeof(*to), address);
}

// The functions below return a stack_status that ends unwinding, or this value.
#define WALK_ON 0xff
#define FRAME_BYTES_MAX (1024 * 1024)

static ALWAYS_INLINE u8 step_by_frame_pointer(struct walk *walk, u32 has_many_stacks) {
  u64 rbp = walk->rbp;
  if (rbp == 0) return STACK_COMPLETE;
  if (!has_many_stacks && (rbp < walk->rsp || rbp - walk->rsp > FRAME_BYTES_MAX))
    return STACK_NO_RULE;
  u64 pair[2];
  if (read_memory(pair, sizeof(pair), rbp)) return STACK_UNREADABLE;
  if (pair[1] == 0) return STACK_COMPLETE;
  walk->rsp = rbp + sizeof(pair);
  walk->rbp = pair[0];
  walk->rip = pair[1];
  walk->is_return = 1;
  walk->is_leaf = 0;
  return WALK_ON;
}

// Offsets from rsp in struct ucontext: uc_mcontext starts at 40, with r8 to r15, rdi, rsi, rbp,
// rbx, rdx, rax, rcx, rsp and rip.
#define SIGNAL_RBP (40 + 10 * 8)
#define SIGNAL_RSP (40 + 15 * 8)

static ALWAYS_INLINE u8 step_by_signal(struct walk *walk) {
  u64 context = walk->rsp;
  u64 rbp;
  u64 pair[2];
  if (read_word(&rbp, context + SIGNAL_RBP)) return STACK_UNREADABLE;
  if (read_memory(pair, sizeof(pair), context + SIGNAL_RSP)) return STACK_UNREADABLE;
  walk->rbp = rbp;
  walk->rsp = pair[0];
  walk->rip = pair[1];
  walk->is_return = 0;
  walk->is_leaf = 0;
  return WALK_ON;
}

static ALWAYS_INLINE void add_frame(struct sample_record *sample, u64 value) {
  u32 at = sample->head.user_count & USER_WORDS_MAX;
  sample->frames[at] = value;
  sample->head.user_count = at + 1;
}

#include "interpreter.h"

// If rbp points to a JavaScript frame, adds the description of its function. Such a frame has the
// function and its context below rbp, where other V8 frames have a small integer.
static ALWAYS_INLINE void add_function(struct walk *walk, struct sample_record *sample, u64 offset) {
  u64 pair[2];
  if (read_memory(pair, sizeof(pair), walk->rbp - sizeof(pair))) return;
  // Pointers to objects are odd.
  if ((pair[0] & 3) != 1 || (pair[1] & 3) != 1) return;
  u64 shared;
  if (read_word(&shared, pair[0] - 1 + offset)) return;
  if ((shared & 3) != 1 || shared >= FUNCTION_MARK) return;
  add_frame(sample, shared | FUNCTION_MARK);
}

// First bytes of the code that returns from a signal handler: mov $15,%rax; syscall.
#define SIGNAL_RETURN_CODE 0x0f0000000fc0c748

// Bytes of the instructions add $N,%rsp; ret with N below 128, and a mask that leaves out N.
#define FREE_AND_RETURN_CODE 0xc300c48348
#define FREE_AND_RETURN_MASK 0xff80ffffff

// First bytes of the code after the first function of a coroutine (Boost.Context, PHP's fibers):
// xor %rdi,%rdi; call _exit. If the compiler protects indirect jumps, these instructions follow
// endbr64.
#define COROUTINE_END_CODE 0xe8ff3148
#define PROTECTED_COROUTINE_END_CODE 0xe8ff3148fa1e0ff3

static ALWAYS_INLINE int is_coroutine_end(u64 code) {
  return (u32)code == COROUTINE_END_CODE || code == PROTECTED_COROUTINE_END_CODE;
}

// Unwinds a trampoline, such as the trampoline of Python's -X perf. After its call, a trampoline
// only frees its frame and returns. It does not change the frame pointer.
static ALWAYS_INLINE u8 step_over_trampoline(struct walk *walk, u64 code) {
  u64 at = walk->rsp + (code >> 24 & 0x7f);
  u64 next;
  if (read_word(&next, at)) return STACK_UNREADABLE;
  if (next == 0) return STACK_COMPLETE;
  walk->rsp = at + sizeof(next);
  walk->rip = next;
  return WALK_ON;
}

// Unwinds code without a rule. The return from a signal handler, the end of a coroutine and
// trampolines are recognized by their bytes; other code is assumed to keep a frame pointer.
static ALWAYS_INLINE u8 step_without_rule(struct walk *walk, u32 has_many_stacks) {
  u64 code = 0;
  if (!read_word(&code, walk->rip)) {
    if (code == SIGNAL_RETURN_CODE) return step_by_signal(walk);
    if (walk->is_return && is_coroutine_end(code)) return STACK_COMPLETE;
    if (walk->is_return && (code & FREE_AND_RETURN_MASK) == FREE_AND_RETURN_CODE)
      return step_over_trampoline(walk, code);
  }
  return step_by_frame_pointer(walk, has_many_stacks);
}

static ALWAYS_INLINE u8 step_by_rule(struct walk *walk) {
  struct rule *rule = &walk->rule;
  u32 kind = rule->kind & RULE_KIND_MASK;
  u64 high = rule->kind >> RULE_HIGH_SHIFT;
  u64 cfa;
  if (kind == RULE_RSP) {
    cfa = walk->rsp + ((high << 16 | rule->cfa) << 3);
  } else if (kind == RULE_RBP) {
    cfa = walk->rbp + ((high << 16 | rule->cfa) << 3);
  } else if (kind == RULE_STOP) {
    return STACK_COMPLETE;
  } else if (kind == RULE_SIGNAL) {
    return step_by_signal(walk);
  } else if (kind == RULE_PLT) {
    cfa = walk->rsp + 8 + ((walk->rip & 15) >= rule->cfa ? 8 : 0);
  } else if (kind == RULE_DEREF_RBP || kind == RULE_DEREF_RSP) {
    u64 base = kind == RULE_DEREF_RBP ? walk->rbp : walk->rsp;
    if (read_word(&cfa, base + ((s64)(s16)rule->cfa << 3))) return STACK_UNREADABLE;
    cfa += high << 3;
  } else if (kind == RULE_REGISTER && walk->is_leaf) {
    cfa = leaf_register(rule->cfa >> 12) + ((u64)(rule->cfa & 0xfff) << 3);
  } else {
    return STACK_UNSUPPORTED_RULE;
  }
  if (cfa <= walk->rsp) return STACK_NO_RULE;
  u32 saved = rule->kind & (RULE_RBP_AT_CFA | RULE_RBP_AT_RBP);
  // The frame pointer is usually saved next to the return address, so both are read together.
  u64 pair[2];
  if (saved == RULE_RBP_AT_CFA && rule->rbp == -2) {
    if (read_memory(pair, sizeof(pair), cfa - 16)) return STACK_UNREADABLE;
    walk->rbp = pair[0];
  } else {
    if (read_word(&pair[1], cfa - 8)) return STACK_UNREADABLE;
    u64 at = (saved == RULE_RBP_AT_CFA ? cfa : walk->rbp) + ((s64)rule->rbp << 3);
    if (saved && read_word(&walk->rbp, at)) return STACK_UNREADABLE;
  }
  if (pair[1] == 0) return STACK_COMPLETE;
  walk->rsp = cfa;
  walk->rip = pair[1];
  walk->is_return = 1;
  walk->is_leaf = 0;
  return WALK_ON;
}

static ALWAYS_INLINE struct mapping *entry_with(u32 index, u64 address) {
  struct mapping *mapping = find_entry(index);
  return mapping && has_address(mapping, address) ? mapping : 0;
}

// Finds a mapping, trying the last two mappings first, because calls alternate between a program
// and its libraries.
static ALWAYS_INLINE struct mapping *find_mapping_near(struct walk *walk, u64 address) {
  u32 last = walk->mapping;
  struct mapping *mapping = entry_with(last, address);
  if (mapping) return mapping;
  u32 index = walk->other_mapping;
  mapping = entry_with(index, address);
  if (!mapping) {
    index = find_mapping(walk->first + 1, walk->count, address);
    if (index == 0) return 0;
    index--;
    mapping = find_entry(index);
  }
  walk->other_mapping = last;
  walk->mapping = index;
  return mapping;
}

static ALWAYS_INLINE u8 step(struct walk *walk, struct sample_record *sample, u64 address,
                             u32 *flags) {
  struct mapping *mapping = find_mapping_near(walk, address);
  if (!mapping) return STACK_NO_MAPPING;
  *flags = mapping->flags;
  if (mapping->kind == MAPPING_PENDING) return STACK_PENDING;
  u32 found = 0;
  if (mapping->kind == MAPPING_TABLE)
    found = find_rule(mapping->first_line, mapping->block_count, mapping->block_shift,
                      address - mapping->bias);
  if (found == 0) {
    if (mapping->shared_offset) add_function(walk, sample, mapping->shared_offset);
    if (walk->interpreter && step_into_php_loop(walk->interpreter)) return WALK_ON;
    return step_without_rule(walk, mapping->flags & MAPPING_HAS_MANY_STACKS);
  }
  *(u32 *)&walk->rule = found;
  FORGET_VALUES;
  return step_by_rule(walk);
}

// Unwinds up to PART_FRAMES frames. Returns a stack_status that ends unwinding, or WALK_ON. The
// function is global, so the verifier checks it only once.
NOINLINE u32 unwind_part(u32 part) {
  struct cpu_state *state = find_state();
  if (!state || part >= PARTS_MAX) return STACK_TRUNCATED;
  struct walk *walk = &state->walk;
  struct sample_record *sample = &state->sample;
  for (u32 i = 0; i < PART_FRAMES; i++) {
    // A frame takes one word, and its function another word.
    if (sample->head.user_count + 2 > USER_WORDS_MAX) return STACK_TRUNCATED;
    u64 address = walk->rip - walk->is_return;
    sample->head.failed_address = address;
    add_frame(sample, address);
    u64 low = walk->rsp;
    u32 flags = 0;
    u8 result = step(walk, sample, address, &flags);
    if (result != WALK_ON) return result;
    if (flags & MAPPING_HAS_INTERPRETER) place_frames(flags, low, address);
  }
  return WALK_ON;
}

static ALWAYS_INLINE void unwind(struct walk *walk, struct sample_record *sample) {
  u32 status = WALK_ON;
  for (u32 part = 0; part < PARTS_MAX && status == WALK_ON; part++) status = unwind_part(part);
  if (status == WALK_ON) status = STACK_TRUNCATED;
  sample->head.status = status;
  if (status < STACK_PENDING) sample->head.failed_address = 0;
  // During exec, the memory belongs to another program.
  if (walk->interpreter && !walk->is_in_exec) add_rest(walk, status >= STACK_PENDING);
}
