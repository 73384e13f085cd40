// Finds the Python frames that belong to native frames of its interpreter. Included by
// interpreter.h.
// Nothing that is read is trusted: loops are bounded, and names are read by user space, which
// checks the types of all objects.
#pragma once

// Returns the entry for a thread from an earlier sample, or 0.
static struct python_thread *find_known_thread(u32 tid);

// Loops are split into parts, as for native frames, because the verifier checks a part only once.
//
// Up to 1,024 threads and interpreters of a process are searched.
#define THREADS_PART 32
#define THREADS_PARTS_MAX 32
// Up to 1,024 frames in one call of the loop.
#define PYTHON_PART_FRAMES 32
#define PYTHON_PARTS_MAX 32
// Largest number of interpreter calls that are added if unwinding ended too early.
#define PYTHON_CALLS_MAX 64
// Largest distance to the stack frame of a call that the native walk has skipped: code of Python's
// just-in-time compiler has no frame pointer of its own, so its caller is passed over.
#define SKIPPED_BYTES_MAX 16384

static ALWAYS_INLINE u64 frame_word(struct python_walk *python, u32 offset) {
  return python->words[offset >> 3 & (PYTHON_FRAME_WORDS - 1)];
}

static ALWAYS_INLINE u32 frame_byte(struct python_walk *python, u32 offset) {
  return frame_word(python, offset) >> (offset & 7) * 8 & 0xff;
}

static ALWAYS_INLINE int read_frame(struct python_walk *python, struct python_offsets *offsets,
                                    u64 frame) {
  return read_memory(python->words, offsets->frame_bytes & 0x78, frame);
}

static ALWAYS_INLINE struct python_offsets *find_offsets(u32 program) {
  return (struct python_offsets *)find_entry(program + 1);
}

static ALWAYS_INLINE int is_thread(struct python_offsets *offsets, u64 thread, u64 pointer) {
  u64 id;
  return !read_word(&id, thread + offsets->thread_id) && id == pointer;
}

// Searches a part of the threads: those after `thread`, then those of the next interpreters.
// Returns an interpreter_status, or INTERPRETER_MORE if more threads follow.
NOINLINE u32 find_thread_part(u32 program, u64 pointer) {
  struct cpu_state *state = find_state();
  struct python_offsets *offsets = find_offsets(program);
  if (!state || !offsets) return INTERPRETER_NO_THREAD;
  struct python_walk *python = &state->python;
  for (u32 i = 0; i < THREADS_PART; i++) {
    u64 thread = python->thread;
    u64 interpreter = python->interpreter;
    if (thread) {
      if (is_thread(offsets, thread, pointer)) return INTERPRETER_FOUND;
      if (read_word(&python->thread, thread + offsets->thread_next)) return INTERPRETER_NO_THREAD;
    } else {
      if (!interpreter) return INTERPRETER_NO_THREAD;
      u64 list = interpreter + offsets->interpreter_threads;
      if (read_word(&python->thread, list)) return INTERPRETER_NO_THREAD;
      u64 next = interpreter + offsets->interpreter_next;
      if (read_word(&python->interpreter, next)) return INTERPRETER_NO_THREAD;
    }
  }
  return INTERPRETER_MORE;
}

// Returns the state of the running thread; 0 if there is none.
NOINLINE u64 find_thread(u32 program_index, u32 tid) {
  struct cpu_state *state = find_state();
  struct python_program *program = (struct python_program *)find_entry(program_index);
  struct python_offsets *offsets = find_offsets(program_index);
  if (!state || !program || !offsets) return 0;
  u64 pointer = thread_pointer();
  struct python_thread *known = find_known_thread(tid);
  if (known && known->tid == tid && is_thread(offsets, known->state, pointer)) return known->state;
  struct python_walk *python = &state->python;
  python->thread = 0;
  if (read_word(&python->interpreter, program->interpreters)) return 0;
  u32 result = INTERPRETER_MORE;
  for (u32 i = 0; i < THREADS_PARTS_MAX && result == INTERPRETER_MORE; i++)
    result = find_thread_part(program_index, pointer);
  if (result != INTERPRETER_FOUND) return 0;
  if (known) {
    known->state = python->thread;
    known->tid = tid;
  }
  return python->thread;
}

// Searches for an empty frame in a part of the frames from the anchor on, and makes it the anchor.
// Returns INTERPRETER_MORE if this part has none.
NOINLINE u32 find_anchor_part(u32 program) {
  struct cpu_state *state = find_state();
  struct python_offsets *offsets = find_offsets(program);
  if (!state || !offsets) return INTERPRETER_ODD;
  struct python_walk *python = &state->python;
  for (u32 i = 0; i < PYTHON_PART_FRAMES; i++) {
    if (!python->anchor) return INTERPRETER_FOUND;
    if (read_frame(python, offsets, python->anchor)) return INTERPRETER_UNREADABLE;
    if (frame_byte(python, offsets->frame_owner) >= PYTHON_OWNER_EMPTY) return INTERPRETER_FOUND;
    python->anchor = frame_word(python, offsets->frame_back);
  }
  return INTERPRETER_MORE;
}

// Finds the anchor of the next frames: their empty frame, or the record of their call. Returns an
// interpreter_status.
NOINLINE u32 find_anchor(u32 program, u64 record) {
  struct cpu_state *state = find_state();
  struct python_offsets *offsets = find_offsets(program);
  if (!state || !offsets) return INTERPRETER_ODD;
  struct python_walk *python = &state->python;
  python->anchor = record;
  if (offsets->chain == PYTHON_OBJECTS) return INTERPRETER_FOUND;
  if (offsets->chain != PYTHON_SHIMS) {
    python->frame = 0;
    if (!record) return INTERPRETER_FOUND;
    return read_word(&python->frame, record + offsets->record_frame) ? INTERPRETER_UNREADABLE
                                                                     : INTERPRETER_FOUND;
  }
  python->anchor = python->frame;
  u32 result = INTERPRETER_MORE;
  for (u32 i = 0; i < PYTHON_PARTS_MAX && result == INTERPRETER_MORE; i++)
    result = find_anchor_part(program);
  return result == INTERPRETER_MORE ? INTERPRETER_TRUNCATED : result;
}

static ALWAYS_INLINE u32 begin_python(struct cpu_state *state, u32 program) {
  struct python_walk *python = &state->python;
  python->frame = 0;
  python->anchor = 0;
  python->code = 0;
  struct python_offsets *offsets = find_offsets(program);
  u64 thread = find_thread(program, state->sample.head.tid);
  if (!thread || !offsets) return INTERPRETER_NO_THREAD;
  u64 newest;
  if (read_word(&newest, thread + offsets->thread_frame)) return INTERPRETER_UNREADABLE;
  int is_record = offsets->chain == PYTHON_ENTRIES || offsets->chain == PYTHON_RECORDS;
  if (!is_record) python->frame = newest;
  return find_anchor(program, is_record ? newest : 0);
}

// Strings up to 3.11: their length, hash and state are next to each other, and the state says where
// the characters are.
#define TEXT_LENGTH 16
#define TEXT_WIDTH(state) ((state) >> 2 & 7)
#define TEXT_IS_COMPACT 0x20
#define TEXT_IS_ASCII 0x40
#define TEXT_ASCII_DATA 48
#define TEXT_OTHER_DATA 72

// Adds a string to the check: its address, its length and its last bytes.
NOINLINE u32 check_text(u64 string) {
  struct cpu_state *state = find_state();
  if (!state) return INTERPRETER_UNREADABLE;
  struct python_walk *python = &state->python;
  u64 head[3];
  if (read_memory(head, sizeof(head), string + TEXT_LENGTH)) return INTERPRETER_UNREADABLE;
  u64 mixed = mix_word(mix_word(python->check, string), head[0]);
  u64 data = string + (head[2] & TEXT_IS_ASCII ? TEXT_ASCII_DATA : TEXT_OTHER_DATA);
  u64 bytes = head[2] & TEXT_IS_COMPACT ? head[0] * TEXT_WIDTH(head[2]) : 0;
  if (bytes > PYTHON_TEXT_BYTES) {
    data += bytes - PYTHON_TEXT_BYTES;
    bytes = PYTHON_TEXT_BYTES;
  }
  // Objects have whole words, so the last one can be read to its end.
  if (read_memory(python->text, (bytes + 7) & 0x78, data)) return INTERPRETER_UNREADABLE;
  for (u32 i = 0; i < PYTHON_TEXT_BYTES / 8; i++) {
    if (i * 8 >= bytes) break;
    u64 left = bytes - i * 8;
    u64 word = python->text[i];
    mixed = mix_word(mixed, left < 8 ? word & ((1ull << left * 8) - 1) : word);
  }
  python->check = mixed;
  return INTERPRETER_FOUND;
}

// Reads the check of a code object from 3.12 on: its first line and its version.
static ALWAYS_INLINE u32 read_version_check(struct python_offsets *offsets,
                                            struct python_walk *python, u64 code) {
  u64 words[4];
  if (read_memory(words, sizeof(words), code + offsets->code_line)) return INTERPRETER_UNREADABLE;
  words[3] &= 0xffffffff;
  python->check = mix_words(words, 4);
  return INTERPRETER_FOUND;
}

// Reads the check of a code object up to 3.11: its first line, its file, and its qualified name or,
// before 3.11, its name.
static ALWAYS_INLINE u32 read_text_check(struct python_offsets *offsets, struct python_walk *python,
                                         u64 code) {
  u64 line;
  u64 texts[3];
  if (read_word(&line, code + offsets->code_line)) return INTERPRETER_UNREADABLE;
  if (read_memory(texts, sizeof(texts), code + offsets->code_file)) return INTERPRETER_UNREADABLE;
  python->check = mix_word(0, line & 0xffffffff);
  u32 result = check_text(texts[0]);
  if (result != INTERPRETER_FOUND) return result;
  result = check_text(offsets->chain == PYTHON_ENTRIES ? texts[2] : texts[1]);
  python->check = check_of(python->check);
  return result;
}

static ALWAYS_INLINE u32 add_code(struct cpu_state *state, struct python_offsets *offsets) {
  struct python_walk *python = &state->python;
  u64 instruction = frame_word(python, offsets->frame_instruction);
  if (offsets->chain == PYTHON_OBJECTS) instruction &= 0xffffffff;
  // From 3.14 on, the low bits of a reference are flags.
  u64 code = frame_word(python, offsets->frame_code) & ADDRESS_MASK & ~7ull;
  if (code != python->code) {
    python->code = 0;
    u32 result = offsets->code_file ? read_text_check(offsets, python, code)
                                    : read_version_check(offsets, python, code);
    if (result != INTERPRETER_FOUND) return result;
    python->code = code;
  }
  if (state->sample.head.user_count + PYTHON_WORDS > USER_WORDS_MAX) return INTERPRETER_TRUNCATED;
  add_checked(&state->sample, code, instruction, python->check);
  return INTERPRETER_FOUND;
}

// Adds frames up to the last one of a call of the loop. Returns INTERPRETER_MORE if there are more.
NOINLINE u32 add_python_part(u32 program) {
  struct cpu_state *state = find_state();
  struct python_offsets *offsets = find_offsets(program);
  if (!state || !offsets) return INTERPRETER_ODD;
  struct python_walk *python = &state->python;
  u32 chain = offsets->chain;
  for (u32 i = 0; i < PYTHON_PART_FRAMES; i++) {
    if (!python->frame) return INTERPRETER_FOUND;
    if (read_frame(python, offsets, python->frame)) return INTERPRETER_UNREADABLE;
    python->frame = frame_word(python, offsets->frame_back);
    u32 owner = frame_byte(python, offsets->frame_owner);
    if (chain >= PYTHON_RECORDS && owner >= PYTHON_OWNER_EMPTY) return INTERPRETER_FOUND;
    int is_last = chain == PYTHON_OBJECTS || (chain == PYTHON_ENTRIES && owner);
    u32 result = add_code(state, offsets);
    if (result != INTERPRETER_FOUND || is_last) return result;
  }
  return INTERPRETER_MORE;
}

// Adds the frames of one interpreter call, and finds the anchor of the next call.
NOINLINE u32 add_python_call(u32 program) {
  struct cpu_state *state = find_state();
  struct python_offsets *offsets = find_offsets(program);
  if (!state || !offsets) return INTERPRETER_ODD;
  u32 result = INTERPRETER_MORE;
  for (u32 i = 0; i < PYTHON_PARTS_MAX && result == INTERPRETER_MORE; i++)
    result = add_python_part(program);
  if (result == INTERPRETER_MORE) return INTERPRETER_TRUNCATED;
  if (result != INTERPRETER_FOUND) return result;
  u64 record = 0;
  u32 chain = offsets->chain;
  if (chain == PYTHON_ENTRIES || chain == PYTHON_RECORDS) {
    u64 next = state->python.frame;
    if (read_word(&record, state->python.anchor + offsets->record_back))
      return INTERPRETER_UNREADABLE;
    result = find_anchor(program, record);
    return result == INTERPRETER_FOUND && state->python.frame != next ? INTERPRETER_ODD : result;
  }
  return find_anchor(program, 0);
}

static ALWAYS_INLINE int is_in_loop(u32 program_index, u64 address) {
  struct python_program *program = (struct python_program *)find_entry(program_index);
  return program && (address - program->loop_start < program->loop_bytes ||
                     address - program->cold_start < program->cold_bytes);
}

// Called after unwinding a native frame in the interpreter's file, with its `address` and the start
// `low` of its stack. If the frame is a call of the loop, adds its Python frames.
NOINLINE u32 place_python(u64 low, u64 address) {
  struct cpu_state *state = find_state();
  if (!state) return 0;
  u32 program = state->walk.interpreter;
  struct sample_head *head = &state->sample.head;
  if (!program) return 0;
  if (head->interpreter == INTERPRETER_UNSEEN) head->interpreter = begin_python(state, program);
  if (head->interpreter != INTERPRETER_FOUND || !state->python.frame) return 0;
  u64 anchor = state->python.anchor;
  int is_here = anchor ? anchor - low < state->walk.rsp - low || low - anchor < SKIPPED_BYTES_MAX
                       : is_in_loop(program, address);
  if (is_here) head->interpreter = add_python_call(program);
  return 0;
}

// Adds the remaining Python frames if unwinding ended before their interpreter calls.
NOINLINE u32 add_rest_of_python(u32 program) {
  struct cpu_state *state = find_state();
  if (!state) return 0;
  struct sample_head *head = &state->sample.head;
  if (head->interpreter == INTERPRETER_UNSEEN) head->interpreter = begin_python(state, program);
  if (head->interpreter != INTERPRETER_FOUND || !state->python.frame) return 0;
  add_frame(&state->sample, INTERPRETER_MARK);
  for (u32 i = 0; i < PYTHON_CALLS_MAX; i++) {
    if (head->interpreter != INTERPRETER_FOUND || !state->python.frame) return 0;
    head->interpreter = add_python_call(program);
  }
  return 0;
}
