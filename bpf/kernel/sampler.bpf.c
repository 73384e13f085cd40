// Kernel programs of the sampler. One takes and unwinds a sample at each tick of a CPU's clock, the
// other gives the mappings of a process to its child.
#include "kernel.h"

char program_license[] SEC("license") = "Dual MIT/GPL";

struct {
  UINT(type, BPF_MAP_TYPE_ARRAY);
  UINT(max_entries, 1);
  UINT(map_flags, BPF_F_MMAPABLE);
  TYPE(key, u32);
  TYPE(value, struct line);
} lines SEC(".maps");

struct {
  UINT(type, BPF_MAP_TYPE_ARRAY);
  UINT(max_entries, 1);
  UINT(map_flags, BPF_F_MMAPABLE);
  TYPE(key, u32);
  TYPE(value, struct mapping);
} mappings SEC(".maps");

struct {
  UINT(type, BPF_MAP_TYPE_ARRAY);
  UINT(max_entries, VERSIONS);
  UINT(map_flags, BPF_F_MMAPABLE);
  TYPE(key, u32);
  TYPE(value, u64);
} versions SEC(".maps");

struct {
  UINT(type, BPF_MAP_TYPE_HASH);
  UINT(max_entries, PROCESSES_MAX);
  TYPE(key, u32);
  TYPE(value, struct process);
} processes SEC(".maps");

struct {
  UINT(type, BPF_MAP_TYPE_HASH);
  UINT(max_entries, 4096);
  TYPE(key, u32);
  TYPE(value, u32);
} chosen SEC(".maps");

struct {
  UINT(type, BPF_MAP_TYPE_RINGBUF);
  UINT(max_entries, 65536);
} ring SEC(".maps");

struct {
  UINT(type, BPF_MAP_TYPE_PERCPU_ARRAY);
  UINT(max_entries, 1);
  TYPE(key, u32);
  TYPE(value, struct cpu_state);
} cpu_states SEC(".maps");

// Makes the compiler read from memory again, so that the verifier takes any value to be possible:
// it would walk the frames once for each combination of values that it knows.
#define FORGET_VALUES asm volatile("" ::: "memory")
// Makes the compiler compare the register that is used: there, verifiers before kernel 6.2 look for
// a bound.
#define FORGET_ORIGIN(value) asm volatile("" : "+r"(value))

static ALWAYS_INLINE int has_address(struct mapping *mapping, u64 address) {
  return address - mapping->start < (u64)mapping->pages << PAGE_SHIFT;
}

// Returns 1 + the index of the mapping with `address`, 0 for none. The function is global, so the
// verifier checks it once, not once a frame.
NOINLINE u32 find_mapping(u32 first, u32 count, u64 address) {
  u32 low = first;
  u32 high = first + count;
  for (int i = 0; i < 16; i++) {
    if (low >= high) break;
    u32 middle = low + ((high - low) >> 1);
    struct mapping *at = bpf_map_lookup_elem(&mappings, &middle);
    if (!at) return 0;
    if (has_address(at, address)) return middle + 1;
    if (at->start <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return 0;
}

// Each of the addresses of a block may have a rule of its own.
#define LINES_OF_BLOCK_MAX ((1 << BLOCK_SHIFT_MAX) / (LINE_RULES - 1) + 1)
// The lowest bit of each of the four numbers in a word.
#define FOUR 0x0001000100010001ull

// Returns 1 for each of four numbers that is at most that of `offsets`. All have 15 bits.
static ALWAYS_INLINE u64 at_most(u64 numbers, u64 offsets) {
  return ((offsets | FOUR << 15) - numbers) >> 15 & FOUR;
}

// Returns the rule for `address` as the four bytes of a struct rule, 0 for none.
NOINLINE u32 find_rule(u32 first_line, u32 block_count, u32 block_shift, u32 address) {
  u32 block = address >> block_shift;
  if (block >= block_count) return 0;
  u32 at = first_line + block;
  u64 offsets = (address & ((1 << block_shift) - 1)) * FOUR;
  for (int i = 0; i < LINES_OF_BLOCK_MAX; i++) {
    struct line *line = bpf_map_lookup_elem(&lines, &at);
    if (!line) return 0;
    u64 counts = at_most(line->starts[0], offsets) + at_most(line->starts[1], offsets) +
                 at_most(line->starts[2], offsets);
    // Their sum is in the highest of four numbers.
    u64 found = (counts * FOUR >> 48) - 1;
    if (found >= LINE_RULES) return 0;
    struct rule *rule = &line->rules[found];
    if (rule->kind != RULE_MORE) return *(u32 *)rule;
    at = first_line + (*(u32 *)rule & 0xffffff);
  }
  return 0;
}

static ALWAYS_INLINE int read_word(u64 *to, u64 address) {
  return bpf_probe_read_user(to, sizeof(*to), (void *)address) != 0;
}

// Returns the address of the registers of user space, as they were when the kernel was entered.
static ALWAYS_INLINE void *task_registers(void) {
  if (HAS_TASK_REGISTERS) return (void *)bpf_task_pt_regs(bpf_get_current_task_btf());
  struct task_struct *task = bpf_get_current_task();
  void *stack = 0;
  READ_KERNEL(stack, task->stack);
  return stack + 16384 - sizeof(struct registers);
}

// Places in `struct registers` by DWARF number, 4 bits each, the lowest first; 15 for those that
// have a rule_kind of their own.
#define REGISTER_PLACES 0x01236789ffed5bca

// Returns a register of the leaf by its DWARF number. The function is global, because it is rarely
// called.
NOINLINE u64 leaf_register(u32 number) {
  u64 value = 0;
  u64 place = REGISTER_PLACES >> ((number & 15) * 4) & 15;
  if (place < 15) bpf_probe_read_kernel(&value, sizeof(value), task_registers() + place * 8);
  return value;
}

// The steps below return a stack_status that ends the walk, or this.
#define GO_ON 0xff
#define FRAME_BYTES_MAX (1024 * 1024)

static ALWAYS_INLINE u8 step_by_frame_pointer(struct walk *walk, u32 has_many_stacks) {
  u64 rbp = walk->rbp;
  if (rbp == 0) return STACK_COMPLETE;
  if (!has_many_stacks && (rbp < walk->rsp || rbp - walk->rsp > FRAME_BYTES_MAX))
    return STACK_NO_RULE;
  u64 pair[2];
  if (bpf_probe_read_user(pair, sizeof(pair), (void *)rbp)) return STACK_UNREADABLE;
  if (pair[1] == 0) return STACK_COMPLETE;
  walk->rsp = rbp + sizeof(pair);
  walk->rbp = pair[0];
  walk->rip = pair[1];
  walk->is_return = 1;
  walk->is_leaf = 0;
  return GO_ON;
}

// Offsets in the ucontext at rsp.
#define SIGNAL_RBP 120
#define SIGNAL_RSP 160
#define SIGNAL_RIP 168

static ALWAYS_INLINE u8 step_by_signal(struct walk *walk) {
  u64 context = walk->rsp;
  u64 rbp;
  u64 pair[2];
  if (read_word(&rbp, context + SIGNAL_RBP)) return STACK_UNREADABLE;
  if (bpf_probe_read_user(pair, sizeof(pair), (void *)(context + SIGNAL_RSP)))
    return STACK_UNREADABLE;
  walk->rbp = rbp;
  walk->rsp = pair[0];
  walk->rip = pair[1];
  walk->is_return = 0;
  walk->is_leaf = 0;
  return GO_ON;
}

static ALWAYS_INLINE void add_frame(struct sample *sample, u64 value) {
  u32 at = sample->user_count & USER_FRAMES_MASK;
  sample->frames[at] = value;
  sample->user_count = at + 1;
}

// Adds the description of the function whose frame rbp points to, if it is a frame of JavaScript:
// below rbp, such a frame has the function and its context, and other frames of V8 a small integer.
static ALWAYS_INLINE void add_function(struct walk *walk, struct sample *sample, u64 offset) {
  u64 pair[2];
  if (bpf_probe_read_user(pair, sizeof(pair), (void *)(walk->rbp - sizeof(pair)))) return;
  // Pointers to objects are odd.
  if ((pair[0] & 3) != 1 || (pair[1] & 3) != 1) return;
  u64 shared;
  if (read_word(&shared, pair[0] - 1 + offset)) return;
  if ((shared & 3) != 1 || shared >= FUNCTION_MARK) return;
  add_frame(sample, shared | FUNCTION_MARK);
}

// Steps over code without a rule. The instructions that return from a signal handler are known by
// their bytes (mov $15,%rax; syscall); the rest is assumed to keep a frame pointer.
static ALWAYS_INLINE u8 step_without_rule(struct walk *walk, u32 has_many_stacks) {
  u64 code = 0;
  if (!read_word(&code, walk->rip) && code == 0x0f0000000fc0c748) return step_by_signal(walk);
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
    return STACK_UNSUPPORTED;
  }
  if (cfa <= walk->rsp) return STACK_NO_RULE;
  u32 saved = rule->kind & (RULE_RBP_AT_CFA | RULE_RBP_AT_RBP);
  // Next to the return address in most frames: both are read at once.
  u64 pair[2];
  if (saved == RULE_RBP_AT_CFA && rule->rbp == -2) {
    if (bpf_probe_read_user(pair, sizeof(pair), (void *)(cfa - 16))) return STACK_UNREADABLE;
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
  return GO_ON;
}

static ALWAYS_INLINE struct mapping *mapping_at(u32 index, u64 address) {
  struct mapping *mapping = bpf_map_lookup_elem(&mappings, &index);
  return mapping && has_address(mapping, address) ? mapping : 0;
}

// Calls go back and forth between a program and its libraries: the last two mappings are tried first.
static ALWAYS_INLINE struct mapping *mapping_of(struct walk *walk, u64 address) {
  u32 last = walk->mapping;
  struct mapping *mapping = mapping_at(last, address);
  if (mapping) return mapping;
  u32 index = walk->other_mapping;
  mapping = mapping_at(index, address);
  if (!mapping) {
    index = find_mapping(walk->first + 1, walk->count, address);
    if (index == 0) return 0;
    index--;
    mapping = bpf_map_lookup_elem(&mappings, &index);
  }
  walk->other_mapping = last;
  walk->mapping = index;
  return mapping;
}

static ALWAYS_INLINE u8 step(struct walk *walk, struct sample *sample, u64 address) {
  struct mapping *mapping = mapping_of(walk, address);
  if (!mapping) return STACK_NO_MAPPING;
  if (mapping->kind == MAPPING_PENDING) return STACK_PENDING;
  u32 found = 0;
  if (mapping->kind == MAPPING_TABLE)
    found = find_rule(mapping->first_line, mapping->block_count, mapping->block_shift,
                      address - mapping->bias);
  if (found == 0) {
    if (mapping->shared_offset) add_function(walk, sample, mapping->shared_offset);
    return step_without_rule(walk, mapping->has_many_stacks);
  }
  *(u32 *)&walk->rule = found;
  FORGET_VALUES;
  return step_by_rule(walk);
}

static ALWAYS_INLINE void unwind(struct walk *walk, struct sample *sample) {
  u8 status = STACK_TRUNCATED;
  u64 address = 0;
  for (u32 i = 0; i < FRAMES_MAX; i++) {
    address = walk->rip - walk->is_return;
    add_frame(sample, address);
    u8 result = step(walk, sample, address);
    if (result != GO_ON) {
      status = result;
      break;
    }
  }
  sample->status = status;
  sample->failed_address = status >= STACK_PENDING ? address : 0;
}

// Kernels that have the helper allow its result to be read like any memory, without a call each
// time.
#define READ_TASK(to, from)                                                                        \
  if (HAS_TASK_REGISTERS)                                                                          \
    to = from;                                                                                     \
  else                                                                                             \
    READ_KERNEL(to, from)

static ALWAYS_INLINE void describe_task(struct sample *sample) {
  struct task_struct *task =
      HAS_TASK_REGISTERS ? bpf_get_current_task_btf() : bpf_get_current_task();
  struct task_struct *leader = 0;
  u32 flags = 0;
  READ_TASK(flags, task->flags);
  sample->is_kernel_thread = (flags & THREAD_FLAG_KERNEL) != 0;
  READ_TASK(sample->thread_name[0], *(u64 *)&task->comm);
  READ_TASK(sample->thread_name[1], *((u64 *)&task->comm + 1));
  READ_TASK(leader, task->group_leader);
  READ_TASK(sample->process_start, leader->start_boottime);
  READ_TASK(sample->process_name[0], *(u64 *)&leader->comm);
  READ_TASK(sample->process_name[1], *((u64 *)&leader->comm + 1));
}

// The place of the parent is in no cache, so it is read only once.
static ALWAYS_INLINE void describe_parent(struct sample *sample) {
  struct task_struct *task =
      HAS_TASK_REGISTERS ? bpf_get_current_task_btf() : bpf_get_current_task();
  struct task_struct *leader = 0;
  struct task_struct *parent = 0;
  READ_TASK(leader, task->group_leader);
  READ_TASK(parent, leader->real_parent);
  READ_TASK(sample->parent_pid, parent->tgid);
}

// Finds the mappings of the process; returns 1 if they can be used. Most samples are of the same
// process as the last one on the CPU, and need no search.
static ALWAYS_INLINE int find_process(struct walk *walk, struct sample *sample) {
  u32 pid = sample->pid;
  u32 slot = pid % VERSIONS;
  u64 *at_version = bpf_map_lookup_elem(&versions, &slot);
  if (!at_version) return 0;
  u32 version = *at_version;
  if (walk->known_pid != pid || walk->known_version != version) {
    struct process *process = bpf_map_lookup_elem(&processes, &pid);
    if (!process || !process->is_sampled) {
      walk->wake = BPF_RB_FORCE_WAKEUP;
      describe_parent(sample);
    }
    if (!process) return 0;
    process->is_sampled = 1;
    walk->first = process->first;
    walk->count = process->count;
    walk->generation = process->generation;
    walk->known_pid = pid;
    walk->known_version = version;
  }
  u32 first = walk->first;
  struct mapping *head = bpf_map_lookup_elem(&mappings, &first);
  if (!head || head->start != walk->generation) return 0;
  walk->mapping = first + 1;
  walk->other_mapping = first + 1;
  return 1;
}

#define CALL_EXECVE 59
#define CALL_EXECVEAT 322

// Drops the user stack in the middle of exec: the memory is that of the new program, and the
// registers are still those of the old one.
static ALWAYS_INLINE void drop_stack_in_exec(struct cpu_state *state) {
  struct sample *sample = &state->sample;
  if (!state->walk.is_in_exec) return;
  if (sample->status < STACK_PENDING) return;
  sample->status = STACK_KERNEL_ONLY;
  sample->user_count = 0;
  sample->failed_address = 0;
}

static ALWAYS_INLINE void sample_user(struct perf_event_context *context, struct cpu_state *state) {
  struct sample *sample = &state->sample;
  sample->status = STACK_KERNEL_ONLY;
  if (sample->is_kernel_thread) {
    describe_parent(sample);
    return;
  }
  struct walk *walk = &state->walk;
  walk->is_return = 0;
  walk->is_in_exec = 0;
  u64 segment;
  if (!walk->is_in_kernel) {
    walk->rip = context->registers.rip;
    walk->rsp = context->registers.rsp;
    walk->rbp = context->registers.rbp;
    segment = context->registers.cs;
  } else {
    struct registers saved;
    if (bpf_probe_read_kernel(&saved, sizeof(saved), task_registers())) return;
    walk->rip = saved.rip;
    walk->rsp = saved.rsp;
    walk->rbp = saved.rbp;
    segment = saved.cs;
    // In a system call, rip is the address after it.
    walk->is_return = (s64)saved.orig_rax >= 0;
    walk->is_in_exec = saved.orig_rax == CALL_EXECVE || saved.orig_rax == CALL_EXECVEAT;
  }
  // Kernel threads have no registers of user space.
  if (walk->rip == 0) return;
  sample->status = STACK_COMPAT;
  if ((segment & 0xffff) == USER32_CS) return;
  walk->is_leaf = 1;
  FORGET_VALUES;
  if (!find_process(walk, sample)) {
    sample->frames[0] = walk->rip - walk->is_return;
    sample->user_count = 1;
    sample->failed_address = sample->frames[0];
    sample->status = STACK_PENDING;
  } else {
    FORGET_VALUES;
    unwind(walk, sample);
  }
  if (sample->status == STACK_NO_MAPPING || sample->status == STACK_PENDING)
    walk->wake = BPF_RB_FORCE_WAKEUP;
  drop_stack_in_exec(state);
}

// Number of samples of a CPU between two looks at the ring, to wake the reader before it is full.
#define SAMPLES_OF_CHECK 4

static ALWAYS_INLINE int take(struct perf_event_context *context, int is_chosen_only) {
  u64 ids = bpf_get_current_pid_tgid();
  u32 pid = ids >> 32;
  // The idle task.
  if (pid == 0) return 0;
  if (is_chosen_only && !bpf_map_lookup_elem(&chosen, &pid)) return 0;
  u32 zero = 0;
  struct cpu_state *state = bpf_map_lookup_elem(&cpu_states, &zero);
  if (!state) return 0;
  u64 number = ++state->samples;
  struct sample *sample = &state->sample;
  sample->time = bpf_ktime_get_ns();
  sample->failed_address = 0;
  sample->parent_pid = 0;
  sample->pid = pid;
  sample->tid = (u32)ids;
  sample->cpu = bpf_get_smp_processor_id();
  sample->user_count = 0;
  sample->kernel_count = 0;
  describe_task(sample);

  state->walk.wake = BPF_RB_NO_WAKEUP;
  state->walk.is_in_kernel = (context->registers.cs & 3) != 3;
  FORGET_VALUES;
  sample_user(context, state);
  FORGET_VALUES;

  u32 frame_count = sample->user_count & USER_FRAMES_MASK;
  if (state->walk.is_in_kernel) {
    long bytes = bpf_get_stack(context, &sample->frames[frame_count], FRAMES_MAX * 8, 0);
    if (bytes > 0 && bytes <= FRAMES_MAX * 8) {
      sample->kernel_count = (u64)bytes >> 3;
      frame_count += (u64)bytes >> 3;
    }
  }
  u64 size = __builtin_offsetof(struct sample, frames) + frame_count * 8;
  FORGET_ORIGIN(size);
  if (size > sizeof(*sample)) return 0;
  if (number % SAMPLES_OF_CHECK == 0 &&
      bpf_ringbuf_query(&ring, BPF_RB_AVAIL_DATA) > bpf_ringbuf_query(&ring, BPF_RB_RING_SIZE) / 4)
    state->walk.wake = BPF_RB_FORCE_WAKEUP;
  if (bpf_ringbuf_output(&ring, sample, size, state->walk.wake)) state->lost++;
  return 0;
}

SEC("perf_event")
int take_sample(struct perf_event_context *context) {
  return take(context, 0);
}

// Samples only the processes of `chosen`.
SEC("perf_event")
int take_chosen_sample(struct perf_event_context *context) {
  return take(context, 1);
}

// Gives a child the tables of its parent, whose memory it starts with, before the add-on knows of
// it.
SEC("raw_tp/sched_process_fork")
int inherit_mappings(struct raw_tracepoint_context *context) {
  struct task_struct *parent = (struct task_struct *)context->arguments[0];
  struct task_struct *child = (struct task_struct *)context->arguments[1];
  u32 parent_pid = 0;
  u32 child_pid = 0;
  READ_KERNEL(parent_pid, parent->tgid);
  READ_KERNEL(child_pid, child->tgid);
  if (parent_pid == child_pid) return 0;
  struct process *known = bpf_map_lookup_elem(&processes, &parent_pid);
  if (!known) return 0;
  struct process inherited = *known;
  inherited.is_sampled = 0;
  bpf_map_update_elem(&processes, &child_pid, &inherited, BPF_ANY);
  u32 slot = child_pid % VERSIONS;
  u64 *version = bpf_map_lookup_elem(&versions, &slot);
  if (version) __sync_fetch_and_add(version, 1);
  return 0;
}
