// Adds frames of interpreters' own languages where the native walk meets their loops. Included by
// unwind.h.
#pragma once

// State of the CPU, or of the only walk.
static struct cpu_state *find_state(void);
// Register fs of the thread.
u64 thread_pointer(void);

// Value of functions that add a part of the frames, in addition to those of interpreter_status.
#define INTERPRETER_MORE 0xff

// Returns the check of a code object: a hash of words that change when another one takes its
// memory.
static ALWAYS_INLINE u64 mix_words(const u64 *words, u32 count) {
  u64 mixed = 0;
  for (u32 i = 0; i < count; i++) {
    mixed = (mixed ^ words[i]) * 0x9e3779b97f4a7c15ull;
    mixed ^= mixed >> 29;
  }
  return mixed >> 32 & CHECK_MASK;
}

// Adds the first two words of a frame, with the check.
static ALWAYS_INLINE void add_checked(struct sample_record *sample, u64 code, u64 second,
                                      u64 check) {
  add_frame(sample, INTERPRETER_MARK | check >> CHECK_LOW_BITS << ADDRESS_BITS | code);
  add_frame(sample, (second & ADDRESS_MASK) | check << ADDRESS_BITS);
}

#include "python.h"
#include "ruby.h"

// Called after a step from a native frame of the interpreter's file, at `address` and with its
// stack from `low` on: adds the frames that it runs.
static ALWAYS_INLINE void place_frames(u32 flags, u64 low, u64 address) {
  if (flags & MAPPING_HAS_RUBY)
    place_ruby(address);
  else
    place_python(low, address);
}

// Adds the frames that are left after the native walk. If it was not cut, only Ruby may have some:
// those of compiled code, and one call too many where a call of the loop is about to begin.
static ALWAYS_INLINE void add_rest(struct walk *walk, int is_cut) {
  struct ruby_offsets *offsets = (struct ruby_offsets *)find_entry(walk->interpreter + 1);
  if (!offsets) return;
  if (offsets->language != LANGUAGE_PYTHON)
    add_rest_of_ruby(walk->interpreter);
  else if (is_cut)
    add_rest_of_python(walk->interpreter);
}
