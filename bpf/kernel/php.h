// Finds the PHP frames that belong to native frames of the interpreter. Included by interpreter.h.
// Nothing that is read is trusted: loops are bounded, and names are read by user space, which
// compares them with their hashes.
#pragma once

// One call of the loop has up to 1,024 frames.
#define PHP_PART_FRAMES 32
#define PHP_PARTS_MAX 32
// Number of calls of the loop that are added after the native walk.
#define PHP_CALLS_MAX 64

// Largest number of generators that delegate to a generator.
#define PHP_DELEGATIONS_MAX 8

// Offsets in a frame, the same since PHP 7.1, in words: operation, function, object or class, flags
// and caller.
#define PHP_FRAME_OPERATION 0
#define PHP_FRAME_FUNCTION 3
#define PHP_FRAME_OBJECT 4
#define PHP_FRAME_FLAGS 5
#define PHP_FRAME_CALLER 6
// Flag of the last frame of a call of the loop. Functions in C may have it, too.
#define PHP_FRAME_ENDS (1 << 17)

// Kinds of functions: in C, in PHP, and code of eval.
#define PHP_IN_C 1
#define PHP_IN_PHP 2
#define PHP_EVALUATED 4

// Offsets in a function, and in a string and a class.
#define PHP_FUNCTION_NAME 8
#define PHP_FUNCTION_CLASS 16
#define PHP_STRING_HASH 8
#define PHP_CLASS_NAME 8

#define PHP_OPERATION_BYTES 32
#define PHP_OPERATION_LINE 24
#define PHP_OPERATIONS_MAX (1 << 24)

// DWARF numbers of the registers in which the loop keeps its frame and its operation.
#define PHP_FRAME_REGISTER 14
#define PHP_OPERATION_REGISTER 15

static ALWAYS_INLINE struct php_offsets *find_php_offsets(u32 program) {
  return (struct php_offsets *)find_entry(program + 1);
}

static ALWAYS_INLINE u32 begin_php(struct cpu_state *state, u32 index) {
  struct php_walk *php = &state->php;
  php->frame = 0;
  php->delegations = 0;
  php->leaf = PHP_IN_REGISTER;
  php->function = 0;
  php->class = 0;
  for (u32 i = 0; i < PHP_CHECK_WORDS; i++) php->check_words[i] = 0;
  state->sample.head.language = LANGUAGE_PHP;
  struct php_program *program = (struct php_program *)find_entry(index);
  if (!program) return INTERPRETER_NO_THREAD;
  // Memory of the globals does not exist until PHP has started.
  if (read_word(&php->frame, program->newest_frame)) return INTERPRETER_NO_THREAD;
  return php->frame ? INTERPRETER_FOUND : INTERPRETER_NO_THREAD;
}

// Reads the hash of a string; 0 if there is no string.
static ALWAYS_INLINE int read_php_hash(u64 *hash, u64 string) {
  *hash = 0;
  return string ? read_word(hash, string + PHP_STRING_HASH) : 0;
}

// Returns the line of a function's operation; 0 if it is not one of the function's.
static ALWAYS_INLINE u64 php_line(u64 operation, u64 operations, u64 count) {
  u64 distance = operation - operations;
  u64 line;
  if (count > PHP_OPERATIONS_MAX || distance >= count * PHP_OPERATION_BYTES) return 0;
  if (distance % PHP_OPERATION_BYTES || read_word(&line, operation + PHP_OPERATION_LINE)) return 0;
  return line & 0xffffffff;
}

// Returns the word of the current function at an offset.
static ALWAYS_INLINE u64 php_function_word(struct php_walk *php, u32 offset) {
  return php->words[offset >> 3 & (PHP_FUNCTION_SPACE - 1)];
}

// Reads a function, and the words of its check, which do not change while it exists: the names of
// the function and its class, and its file, each with its hash, and its first line. Returns an
// interpreter_status.
static ALWAYS_INLINE u32 read_php_function(struct php_walk *php, struct php_offsets *offsets,
                                           u64 function) {
  if (function == php->function) return INTERPRETER_FOUND;
  php->function = 0;
  // Functions in C are shorter, so the page may end.
  if (read_memory(php->words, PHP_FUNCTION_WORDS * 8, function) &&
      (read_memory(php->words, 3 * 8, function) || (php->words[0] & 0xff) != PHP_IN_C))
    return INTERPRETER_UNREADABLE;
  u64 *check = php->check_words;
  u32 kind = php->words[0] & 0xff;
  if (kind != PHP_IN_C && kind != PHP_IN_PHP && kind != PHP_EVALUATED) return INTERPRETER_ODD;
  check[0] = php_function_word(php, PHP_FUNCTION_NAME);
  if (read_php_hash(&check[1], check[0])) return INTERPRETER_UNREADABLE;
  u64 class = php_function_word(php, PHP_FUNCTION_CLASS);
  if (class != php->class) {
    php->class = 0;
    check[2] = 0;
    if (class && read_word(&check[2], class + PHP_CLASS_NAME)) return INTERPRETER_UNREADABLE;
    if (read_php_hash(&check[3], check[2])) return INTERPRETER_UNREADABLE;
    php->class = class;
  }
  u64 file = kind == PHP_IN_C ? 0 : php_function_word(php, offsets->function_file);
  if (file != check[4]) {
    check[4] = 0;
    if (read_php_hash(&check[5], file)) return INTERPRETER_UNREADABLE;
    check[4] = file;
  }
  check[6] = kind == PHP_IN_C ? 0 : (u32)php_function_word(php, offsets->function_file + 8);
  php->check = mix_words(check, PHP_CHECK_WORDS);
  php->function = function;
  return INTERPRETER_FOUND;
}

// Returns the line of a frame's operation; 0 if it is unknown.
static ALWAYS_INLINE u64 find_php_line(struct php_walk *php, struct php_offsets *offsets, u64 frame,
                                       u64 operation, u64 leaf) {
  if (leaf == PHP_UNKNOWN) return 0;
  u32 at = offsets->function_count;
  u64 count = php_function_word(php, at) >> (at & 4) * 8 & 0xffffffff;
  u64 operations = php_function_word(php, offsets->function_operations);
  u64 line = 0;
  if (leaf == PHP_IN_REGISTER && leaf_register(PHP_FRAME_REGISTER) == frame)
    line = php_line(leaf_register(PHP_OPERATION_REGISTER), operations, count);
  return line ? line : php_line(operation, operations, count);
}

// Adds the function that a frame runs, unless it has no name, as the start of a fiber. Returns
// INTERPRETER_MORE if more frames of the same call follow.
static ALWAYS_INLINE u32 add_php_function(struct cpu_state *state, struct php_offsets *offsets,
                                          u64 frame, u64 *words) {
  struct sample_record *sample = &state->sample;
  struct php_walk *php = &state->php;
  u64 function = words[PHP_FRAME_FUNCTION];
  u64 leaf = php->leaf;
  php->leaf = PHP_IN_FRAME;
  // Placeholders for generators and calls from C.
  if (!function) return INTERPRETER_MORE;
  if (function & 7 || function > ADDRESS_MASK) return INTERPRETER_ODD;
  u32 result = read_php_function(php, offsets, function);
  if (result != INTERPRETER_FOUND) return result;
  u64 *check = php->check_words;
  u64 head = php->words[0];
  u32 is_in_c = (head & 0xff) == PHP_IN_C;
  if (is_in_c && !check[0]) return INTERPRETER_MORE;
  u64 line = 0;
  if (!is_in_c) line = find_php_line(php, offsets, frame, words[PHP_FRAME_OPERATION], leaf);
  if (sample->head.user_count + PHP_CLOSURE_WORDS > USER_WORDS_MAX) return INTERPRETER_TRUNCATED;
  if (head >> 32 >> (offsets->closure_bit & 31) & 3) {
    if (check[0] & 7 || check[0] > ADDRESS_MASK) return INTERPRETER_ODD;
    add_checked(sample, check[0] | PHP_CLOSURE_MARK, line, php->check);
    add_frame(sample, (check[2] & ADDRESS_MASK) | check[6] << ADDRESS_BITS);
    add_frame(sample, (check[4] & ADDRESS_MASK) | check[6] >> 16 << ADDRESS_BITS);
  } else {
    add_checked(sample, function, line, php->check);
  }
  return !is_in_c && words[PHP_FRAME_FLAGS] & PHP_FRAME_ENDS ? INTERPRETER_FOUND
                                                             : INTERPRETER_MORE;
}

// Adds a frame, which has been read.
NOINLINE u32 add_php_frame(u32 program, u64 frame) {
  struct cpu_state *state = find_state();
  struct php_offsets *offsets = find_php_offsets(program);
  if (!state || !offsets) return INTERPRETER_ODD;
  return add_php_function(state, offsets, frame, state->php.frame_words);
}

// Returns the generator that is `depth` delegations away from the outermost one; 0 if there are
// fewer.
NOINLINE u64 find_php_generator(u32 program, u64 outermost, u32 depth) {
  struct php_offsets *offsets = find_php_offsets(program);
  u64 generator = outermost;
  for (u32 i = 0; i < PHP_DELEGATIONS_MAX && i < depth && generator; i++)
    if (!offsets || read_word(&generator, generator + offsets->generator_inner)) return 0;
  return generator;
}

// Returns the number of delegations from a generator to the one that runs.
NOINLINE u32 count_php_delegations(u32 program, u64 outermost) {
  struct php_offsets *offsets = find_php_offsets(program);
  u64 generator = outermost;
  u32 count = 0;
  for (u32 i = 0; i < PHP_DELEGATIONS_MAX; i++) {
    if (!offsets || read_word(&generator, generator + offsets->generator_inner)) return 0;
    if (!generator) return count;
    count++;
  }
  return count;
}

// Adds the next frame. Returns INTERPRETER_MORE unless it is the last frame of its call of the
// loop.
NOINLINE u32 add_next_php_frame(u32 program) {
  struct cpu_state *state = find_state();
  struct php_offsets *offsets = find_php_offsets(program);
  if (!state || !offsets) return INTERPRETER_ODD;
  struct php_walk *php = &state->php;
  u64 *words = php->frame_words;
  u64 frame = php->frame;
  u32 is_delegating = php->delegations != 0;
  if (is_delegating) {
    u64 generator = find_php_generator(program, php->generator, --php->delegations);
    if (!generator || read_word(&frame, generator + offsets->generator_frame))
      return INTERPRETER_UNREADABLE;
  }
  if (!frame) return INTERPRETER_FOUND;
  if (frame & 7) return INTERPRETER_ODD;
  if (read_memory(words, sizeof(php->frame_words), frame)) return INTERPRETER_UNREADABLE;
  if (is_delegating) {
    u32 result = add_php_frame(program, frame);
    return result == INTERPRETER_FOUND ? INTERPRETER_MORE : result;
  }
  php->frame = words[PHP_FRAME_CALLER];
  u64 object = words[PHP_FRAME_OBJECT];
  if (!words[PHP_FRAME_FUNCTION] && frame - object == offsets->generator_placeholder) {
    php->generator = object;
    php->delegations = count_php_delegations(program, object);
    return INTERPRETER_MORE;
  }
  return add_php_frame(program, frame);
}

NOINLINE u32 add_php_part(u32 program) {
  u32 result = INTERPRETER_MORE;
  for (u32 i = 0; i < PHP_PART_FRAMES && result == INTERPRETER_MORE; i++)
    result = add_next_php_frame(program);
  return result;
}

// Adds the frames of one call of the loop.
NOINLINE u32 add_php_call(u32 program) {
  u32 result = INTERPRETER_MORE;
  for (u32 i = 0; i < PHP_PARTS_MAX && result == INTERPRETER_MORE; i++)
    result = add_php_part(program);
  return result == INTERPRETER_MORE ? INTERPRETER_TRUNCATED : result;
}

static ALWAYS_INLINE int is_in_php_loop(struct php_program *program, u64 address) {
  return address - program->loop_start < program->loop_bytes ||
         address - program->cold_start < program->cold_bytes;
}

// Adds the PHP frames that a native frame at `address` runs, if it is a call of the loop.
NOINLINE u32 place_php(u64 address) {
  struct cpu_state *state = find_state();
  if (!state) return 0;
  u32 index = state->walk.interpreter;
  struct sample_head *head = &state->sample.head;
  struct php_program *program = index ? (struct php_program *)find_entry(index) : 0;
  if (!program || !is_in_php_loop(program, address)) return 0;
  if (head->interpreter == INTERPRETER_UNSEEN) head->interpreter = begin_php(state, index);
  if (head->interpreter == INTERPRETER_FOUND && state->php.frame)
    head->interpreter = add_php_call(index);
  return 0;
}

// Numbers of bytes below the stack frame of the loop that helpers of compiled code may use: up to
// two words, or all registers where PHP leaves compiled code.
#define PHP_PUSHED_CASES 4
#define PHP_ALL_REGISTERS_BYTES 256

// Called for a frame without a rule. If it is compiled code, which runs in the stack frame of the
// loop, unwinding continues in the loop. Returns 1 in this case.
NOINLINE u32 step_into_php_loop(u32 index) {
  struct cpu_state *state = find_state();
  struct php_program *program = (struct php_program *)find_entry(index);
  struct php_offsets *offsets = find_php_offsets(index);
  if (!state || !program || !offsets || offsets->language != LANGUAGE_PHP) return 0;
  struct walk *walk = &state->walk;
  struct sample_head *head = &state->sample.head;
  for (u32 i = 0; i < PHP_PUSHED_CASES; i++) {
    u64 rsp = walk->rsp + (i < PHP_PUSHED_CASES - 1 ? i * 8 : PHP_ALL_REGISTERS_BYTES);
    u64 end = offsets->loop_frame_bytes ? rsp + offsets->loop_frame_bytes : walk->rbp + 16;
    u64 caller;
    if (read_word(&caller, end - 8)) return 0;
    u32 found = find_mapping(walk->first + 1, walk->count, caller);
    struct mapping *mapping = found ? find_entry(found - 1) : 0;
    if (!mapping || !(mapping->flags & MAPPING_HAS_PHP)) continue;
    if (head->interpreter == INTERPRETER_UNSEEN) {
      head->interpreter = begin_php(state, index);
      state->php.leaf = walk->is_leaf ? PHP_UNKNOWN : PHP_IN_FRAME;
    }
    walk->rsp = rsp;
    walk->rip = program->loop_start + offsets->loop_body;
    walk->is_return = 0;
    walk->is_leaf = 0;
    return 1;
  }
  return 0;
}

// Adds the remaining frames: if the native walk ended before their calls, and the callers of a
// fiber, whose native frames are on another stack.
NOINLINE u32 add_rest_of_php(u32 program) {
  struct cpu_state *state = find_state();
  if (!state) return 0;
  struct sample_head *head = &state->sample.head;
  if (head->interpreter == INTERPRETER_UNSEEN) {
    // Only the first thread of a process runs PHP.
    if (head->pid != head->tid) return 0;
    head->interpreter = begin_php(state, program);
  }
  if (head->interpreter != INTERPRETER_FOUND || !state->php.frame) return 0;
  if (head->user_count + 1 > USER_WORDS_MAX) return 0;
  add_frame(&state->sample, INTERPRETER_MARK);
  for (u32 i = 0; i < PHP_CALLS_MAX; i++) {
    if (head->interpreter != INTERPRETER_FOUND || !state->php.frame) return 0;
    head->interpreter = add_php_call(program);
  }
  return 0;
}
