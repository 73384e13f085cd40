// Adds frames of interpreted languages where the native walk reaches an interpreter's loop.
// Included by unwind.h.
#pragma once

// Returns the state of the CPU, or of the only walk in user space.
static struct cpu_state *find_state(void);
// Returns the thread's register fs.
u64 thread_pointer(void);

// Result of a function that adds some of the frames, if more frames follow. Otherwise the function
// returns an interpreter_status.
#define INTERPRETER_MORE 0xff

static ALWAYS_INLINE u64 mix_word(u64 mixed, u64 word) {
  mixed = (mixed ^ word) * 0x9e3779b97f4a7c15ull;
  return mixed ^ mixed >> 29;
}

static ALWAYS_INLINE u64 check_of(u64 mixed) {
  return mixed >> 32 & CHECK_MASK;
}

// Returns the check of a code object: a hash of words that change when another object reuses its
// memory.
static ALWAYS_INLINE u64 mix_words(const u64 *words, u32 count) {
  u64 mixed = 0;
  for (u32 i = 0; i < count; i++) mixed = mix_word(mixed, words[i]);
  return check_of(mixed);
}

// Adds the first two words of an interpreted frame. Their upper bits hold the check.
static ALWAYS_INLINE void add_checked(struct sample_record *sample, u64 code, u64 second,
                                      u64 check) {
  add_frame(sample, INTERPRETER_MARK | check >> CHECK_LOW_BITS << ADDRESS_BITS | code);
  add_frame(sample, (second & ADDRESS_MASK) | check << ADDRESS_BITS);
}

#include "php.h"
#include "python.h"
#include "ruby.h"

// Called after unwinding a native frame in the interpreter's file, with its `address` and the start
// `low` of its stack. Adds the interpreted frames that the native frame runs.
static ALWAYS_INLINE void place_frames(u32 flags, u64 low, u64 address) {
  if (flags & MAPPING_HAS_RUBY)
    place_ruby(address);
  else if (flags & MAPPING_HAS_PHP)
    place_php(address);
  else
    place_python(low, address);
}

// Adds the frames that remain after the native walk. If the walk was complete, Ruby may have some:
// frames of compiled code, and one too many while a call of the loop is starting. So may PHP, whose
// fibers have a native stack of their own.
static ALWAYS_INLINE void add_rest(struct walk *walk, int is_cut) {
  struct ruby_offsets *offsets = (struct ruby_offsets *)find_entry(walk->interpreter + 1);
  if (!offsets) return;
  if (offsets->language == LANGUAGE_PHP)
    add_rest_of_php(walk->interpreter);
  else if (offsets->language != LANGUAGE_PYTHON)
    add_rest_of_ruby(walk->interpreter);
  else if (is_cut)
    add_rest_of_python(walk->interpreter);
}
