// Finds the Ruby frames that belong to native frames of the interpreter. Included by interpreter.h.
// The memory that is read is not trusted: loops are bounded, the types of objects are checked, and
// names are read only in user space.
#pragma once

// One call of the loop has up to 1,024 frames.
#define RUBY_PART_FRAMES 32
#define RUBY_PARTS_MAX 32
// Number of calls of the loop that are added if the native walk ended early.
#define RUBY_CALLS_MAX 64
// Number of nested blocks that are searched outwards for their method.
#define RUBY_SCOPES_MAX 16
// Number of libraries with thread-local storage, and number of words of a Ruby stack (1 GiB).
#define RUBY_LIBRARIES_MAX 4096
#define RUBY_STACK_WORDS_MAX (1 << 27)

// Mask and values of an object's flags. The low bits are its type; internal objects have more bits
// for their kind.
#define RUBY_TYPE_MASK 0xf01f
#define RUBY_SPECIAL_VARIABLES 0x201a
#define RUBY_METHOD_ENTRY 0x601a
#define RUBY_SEQUENCE 0x701a

// Types in a frame's flags, which its environment points to. Frames of Ruby code have the types 1
// to 7, repeated in each digit; there are two more types.
#define RUBY_FRAME_TYPE(flags) ((u32)(flags) >> 16 & 0x7fff)
#define RUBY_FRAME_TYPE_UNIT 0x1111
#define RUBY_FRAME_C_FUNCTION 0x5555
#define RUBY_FRAME_RESCUE 0x7888
#define RUBY_FRAME_DUMMY 0x7999
// Set in the last frame of a call of the loop.
#define RUBY_FRAME_ENDS 0x20
#define RUBY_FRAME_OF_C 0x80
// Set if the environment belongs to a method instead of a block in a method.
#define RUBY_FRAME_IS_LOCAL 2

static ALWAYS_INLINE struct ruby_offsets *find_ruby_offsets(u32 program) {
  return (struct ruby_offsets *)find_entry(program + 1);
}

// Returns the address of a library's storage for this thread; 0 if it has none. The C library keeps
// these addresses in a vector of pairs of words for each thread.
static ALWAYS_INLINE u64 find_storage(u64 pointer, u64 number_at) {
  u64 number;
  u64 vector;
  u64 storage;
  if (read_word(&number, number_at) || number - 1 >= RUBY_LIBRARIES_MAX) return 0;
  if (read_word(&vector, pointer + 8)) return 0;
  return read_word(&storage, vector + number * 16) ? 0 : storage;
}

// Returns the context of the running thread; 0 if there is none.
NOINLINE u64 find_context(u32 program_index) {
  struct ruby_program *program = (struct ruby_program *)find_entry(program_index);
  struct ruby_offsets *offsets = find_ruby_offsets(program_index);
  if (!program || !offsets) return 0;
  u64 pointer = thread_pointer();
  u64 at = program->address;
  if (program->place == RUBY_OF_PROGRAM) at = pointer + program->offset;
  if (program->place == RUBY_OF_LIBRARY) {
    u64 storage = find_storage(pointer, program->address);
    if (!storage) return 0;
    at = storage + program->offset;
  }
  u64 context;
  if (read_word(&context, at)) return 0;
  if (program->place != RUBY_GLOBAL) return context;
  // The global variable belongs to the thread that holds the lock, which may be another thread.
  u64 thread;
  u64 id;
  if (read_word(&thread, context + offsets->context_thread)) return 0;
  if (read_word(&id, thread + offsets->thread_id)) return 0;
  return id == pointer ? context : 0;
}

// Returns 1 if the leaf is in code without a table, such as compiled code.
static ALWAYS_INLINE u32 is_leaf_compiled(struct cpu_state *state) {
  struct walk *walk = &state->walk;
  u32 index = find_mapping(walk->first + 1, walk->count, state->sample.frames[0]);
  struct mapping *mapping = index ? find_entry(index - 1) : 0;
  return mapping && mapping->kind == MAPPING_FRAME_POINTER;
}

static ALWAYS_INLINE u32 begin_ruby(struct cpu_state *state, u32 program) {
  struct ruby_walk *ruby = &state->ruby;
  ruby->frame = 0;
  ruby->is_old = is_leaf_compiled(state);
  struct ruby_offsets *offsets = find_ruby_offsets(program);
  if (!offsets) return INTERPRETER_NO_THREAD;
  state->sample.head.language = offsets->language;
  u64 context = find_context(program);
  if (!context) return INTERPRETER_NO_THREAD;
  u64 stack[2];
  u64 frame;
  if (read_memory(stack, sizeof(stack), context + offsets->context_stack))
    return INTERPRETER_UNREADABLE;
  if (read_word(&frame, context + offsets->context_frame)) return INTERPRETER_UNREADABLE;
  if (stack[1] > RUBY_STACK_WORDS_MAX) return INTERPRETER_ODD;
  u64 bytes = stack[1] * 8;
  if (frame - stack[0] >= bytes || frame & 7) return INTERPRETER_ODD;
  ruby->frame = frame;
  ruby->end = stack[0] + bytes;
  return INTERPRETER_FOUND;
}

// Returns the method entry of an environment, or of an environment around it; 0 if there is none.
NOINLINE u64 find_method(u64 environment) {
  for (u32 i = 0; i < RUBY_SCOPES_MAX; i++) {
    // The words are the method entry or another object, the enclosing environment, and flags.
    u64 words[3];
    if (read_memory(words, sizeof(words), environment - 16)) return 0;
    u64 method = words[0];
    u32 is_local = words[2] & RUBY_FRAME_IS_LOCAL;
    u64 object[2] = {0, 0};
    if (method && read_memory(object, sizeof(object), method)) return 0;
    if (is_local && (object[0] & RUBY_TYPE_MASK) == RUBY_SPECIAL_VARIABLES) {
      method = object[1];
      if (read_word(&object[0], method)) return 0;
    }
    if ((object[0] & RUBY_TYPE_MASK) == RUBY_METHOD_ENTRY) return method;
    if (is_local) return 0;
    environment = words[1] & ~3ull;
  }
  return 0;
}

// Adds the frame of a C function, or of an instruction sequence.
static ALWAYS_INLINE u32 add_ruby_code(struct cpu_state *state, struct ruby_offsets *offsets,
                                       u64 environment, u64 sequence, u64 instruction) {
  u64 *words = state->ruby.words;
  for (u32 i = 0; i < 9; i++) words[i] = 0;
  u64 method = find_method(environment);
  u64 code = method;
  u64 number = 0;
  if (method && read_memory(&words[6], 3 * sizeof(u64), method + offsets->method_definition))
    return INTERPRETER_UNREADABLE;
  if (sequence) {
    u64 flags;
    u64 body;
    code = sequence;
    if (read_word(&flags, sequence)) return INTERPRETER_UNREADABLE;
    if ((flags & RUBY_TYPE_MASK) != RUBY_SEQUENCE) return INTERPRETER_ODD;
    if (read_word(&body, sequence + offsets->sequence_body)) return INTERPRETER_UNREADABLE;
    if (read_memory(words, 2 * sizeof(u64), body + offsets->body_size))
      return INTERPRETER_UNREADABLE;
    if (read_memory(&words[2], 4 * sizeof(u64), body + offsets->body_location))
      return INTERPRETER_UNREADABLE;
    // Compiled code updates the instruction only before calls.
    number = (instruction - words[1]) >> 3;
    if (state->ruby.is_old || number > words[0] >> 32) number = ADDRESS_MASK;
  }
  state->ruby.is_old = 0;
  if (!code || code > ADDRESS_MASK) return INTERPRETER_ODD;
  if (state->sample.head.user_count + RUBY_WORDS > USER_WORDS_MAX) return INTERPRETER_TRUNCATED;
  add_checked(&state->sample, code, method, mix_words(words, 9));
  add_frame(&state->sample, number);
  return INTERPRETER_FOUND;
}

// Adds the next frame. Returns INTERPRETER_MORE unless it is the last frame of its call of the
// loop.
NOINLINE u32 add_ruby_frame(u32 program) {
  struct cpu_state *state = find_state();
  struct ruby_offsets *offsets = find_ruby_offsets(program);
  if (!state || !offsets) return INTERPRETER_ODD;
  struct ruby_walk *ruby = &state->ruby;
  u64 frame = ruby->frame;
  u64 instruction;
  u64 sequence;
  u64 environment;
  u64 flags;
  if (frame >= ruby->end) {
    ruby->frame = 0;
    return INTERPRETER_FOUND;
  }
  ruby->frame = frame + offsets->frame_bytes;
  if (read_word(&instruction, frame + offsets->frame_instruction) ||
      read_word(&sequence, frame + offsets->frame_sequence) ||
      read_word(&environment, frame + offsets->frame_environment) || read_word(&flags, environment))
    return INTERPRETER_UNREADABLE;
  u32 type = RUBY_FRAME_TYPE(flags);
  int is_known = type && (type % RUBY_FRAME_TYPE_UNIT == 0 || type == RUBY_FRAME_RESCUE ||
                          type == RUBY_FRAME_DUMMY);
  if (!is_known || !(flags & 1)) return INTERPRETER_ODD;
  u32 result = INTERPRETER_FOUND;
  // Other C frames are blocks in C, which are shown as their native functions. The first frame of a
  // stack is a dummy, which does not run anything.
  if (type == RUBY_FRAME_C_FUNCTION)
    result = add_ruby_code(state, offsets, environment, 0, 0);
  else if (!(flags & RUBY_FRAME_OF_C) && sequence && type != RUBY_FRAME_DUMMY)
    result = add_ruby_code(state, offsets, environment, sequence, instruction);
  if (result != INTERPRETER_FOUND) return result;
  return flags & RUBY_FRAME_ENDS ? INTERPRETER_FOUND : INTERPRETER_MORE;
}

NOINLINE u32 add_ruby_part(u32 program) {
  u32 result = INTERPRETER_MORE;
  for (u32 i = 0; i < RUBY_PART_FRAMES && result == INTERPRETER_MORE; i++)
    result = add_ruby_frame(program);
  return result;
}

// Adds the frames of one call of the loop.
NOINLINE u32 add_ruby_call(u32 program) {
  u32 result = INTERPRETER_MORE;
  for (u32 i = 0; i < RUBY_PARTS_MAX && result == INTERPRETER_MORE; i++)
    result = add_ruby_part(program);
  return result == INTERPRETER_MORE ? INTERPRETER_TRUNCATED : result;
}

// Adds the Ruby frames that a native frame at `address` runs, if it is a call of the loop.
NOINLINE u32 place_ruby(u64 address) {
  struct cpu_state *state = find_state();
  if (!state) return 0;
  u32 index = state->walk.interpreter;
  struct sample_head *head = &state->sample.head;
  struct ruby_program *program = index ? (struct ruby_program *)find_entry(index) : 0;
  if (!program || address - program->loop_start >= program->loop_bytes) return 0;
  if (head->interpreter == INTERPRETER_UNSEEN) head->interpreter = begin_ruby(state, index);
  if (head->interpreter == INTERPRETER_FOUND && state->ruby.frame)
    head->interpreter = add_ruby_call(index);
  return 0;
}

// Adds the remaining frames if the native walk ended before it reached their calls of the loop. In
// compiled code, the frame pointer has an arbitrary value, so the walk may have ended early
// although it seems complete.
NOINLINE u32 add_rest_of_ruby(u32 program) {
  struct cpu_state *state = find_state();
  if (!state) return 0;
  struct sample_head *head = &state->sample.head;
  if (head->interpreter == INTERPRETER_UNSEEN) {
    head->interpreter = begin_ruby(state, program);
    state->ruby.is_old = 1;
  }
  if (head->interpreter != INTERPRETER_FOUND || !state->ruby.frame) return 0;
  if (head->user_count + 1 > USER_WORDS_MAX) return 0;
  add_frame(&state->sample, INTERPRETER_MARK);
  for (u32 i = 0; i < RUBY_CALLS_MAX; i++) {
    if (head->interpreter != INTERPRETER_FOUND || !state->ruby.frame) return 0;
    head->interpreter = add_ruby_call(program);
  }
  return 0;
}
