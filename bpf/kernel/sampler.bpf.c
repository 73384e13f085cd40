// Kernel programs of the sampler. One program takes and unwinds a sample at each tick of a CPU's
// clock; the other copies the mappings of a process to its child.
#include "kernel.h"
#include "unwind.h"

char program_license[] SEC("license") = "Dual MIT/GPL";

// The loader sets the sizes of this map, `mappings` and `ring`.
struct {
  UINT(type, BPF_MAP_TYPE_ARRAY);
  UINT(max_entries, 1);
  UINT(map_flags, BPF_F_MMAPABLE);
  TYPE(key, u32);
  TYPE(value, struct line);
} table_lines SEC(".maps");

struct {
  UINT(type, BPF_MAP_TYPE_ARRAY);
  UINT(max_entries, 1);
  UINT(map_flags, BPF_F_MMAPABLE);
  TYPE(key, u32);
  TYPE(value, struct mapping);
} mappings SEC(".maps");

struct {
  UINT(type, BPF_MAP_TYPE_ARRAY);
  UINT(max_entries, PID_VERSIONS);
  UINT(map_flags, BPF_F_MMAPABLE);
  TYPE(key, u32);
  TYPE(value, u64);
} pid_versions SEC(".maps");

struct {
  UINT(type, BPF_MAP_TYPE_HASH);
  UINT(max_entries, PROCESSES_MAX);
  TYPE(key, u32);
  TYPE(value, struct process);
} processes SEC(".maps");

struct {
  UINT(type, BPF_MAP_TYPE_HASH);
  UINT(max_entries, LISTED_PIDS_MAX);
  TYPE(key, u32);
  TYPE(value, u32);
} listed_pids SEC(".maps");

// Processes whose samples are skipped.
struct {
  UINT(type, BPF_MAP_TYPE_HASH);
  UINT(max_entries, PROCESSES_MAX);
  TYPE(key, u32);
  TYPE(value, u32);
} unwanted_pids SEC(".maps");

// Version 2 control groups whose samples are skipped, by id. A running kernel does not reuse ids.
struct {
  UINT(type, BPF_MAP_TYPE_HASH);
  UINT(max_entries, UNWANTED_CGROUPS_MAX);
  TYPE(key, u64);
  TYPE(value, u32);
} unwanted_cgroups SEC(".maps");

struct {
  UINT(type, BPF_MAP_TYPE_RINGBUF);
  UINT(max_entries, RING_BYTES_MIN);
} ring SEC(".maps");

struct {
  UINT(type, BPF_MAP_TYPE_PERCPU_ARRAY);
  UINT(max_entries, 1);
  TYPE(key, u32);
  TYPE(value, struct cpu_state);
} cpu_states SEC(".maps");

struct {
  UINT(type, BPF_MAP_TYPE_ARRAY);
  UINT(max_entries, PYTHON_THREADS);
  TYPE(key, u32);
  TYPE(value, struct python_thread);
} python_threads SEC(".maps");

// Set by the loader if control groups may be skipped. Reading a group's id follows four pointers.
// The verifier treats this variable as a constant, so if it is 0, that code is removed and costs
// nothing.
const volatile u32 reads_cgroups SEC(".rodata") = 0;

// Makes the compiler compare the same register that it uses later, because the verifier before
// Linux 6.2 needs a bound on that register.
#define FORGET_ORIGIN(value) asm volatile("" : "+r"(value))

// Returns the address of the saved user-space registers.
static ALWAYS_INLINE void *task_registers(void) {
  if (HAS_TASK_REGISTERS) return (void *)bpf_task_pt_regs(bpf_get_current_task_btf());
  struct task_struct *task = bpf_get_current_task();
  void *stack = 0;
  READ_KERNEL(stack, task->stack);
  return stack + KERNEL_STACK_BYTES - sizeof(struct registers);
}

// Indexes in `struct registers`, 4 bits for each DWARF number, starting at the lowest bits. 15
// stands for registers that have their own rule_kind.
#define REGISTER_INDEXES 0x01236789ffed5bca
#define NO_REGISTER 15

// Returns a register of the leaf by its DWARF number. The function is rarely called, so it is not
// inlined.
NOINLINE u64 leaf_register(u32 number) {
  u64 value = 0;
  u64 index = REGISTER_INDEXES >> ((number & 15) * 4) & 15;
  if (index != NO_REGISTER)
    bpf_probe_read_kernel(&value, sizeof(value), task_registers() + index * sizeof(u64));
  return value;
}

static ALWAYS_INLINE struct cpu_state *find_state(void) {
  u32 zero = 0;
  return bpf_map_lookup_elem(&cpu_states, &zero);
}

static ALWAYS_INLINE struct python_thread *find_known_thread(u32 tid) {
  u32 slot = tid % PYTHON_THREADS;
  return bpf_map_lookup_elem(&python_threads, &slot);
}

// Not inlined, because few samples need it.
NOINLINE u64 thread_pointer(void) {
  struct task_struct *task = bpf_get_current_task();
  u64 pointer = 0;
  READ_KERNEL(pointer, task->thread.fsbase);
  return pointer;
}

static ALWAYS_INLINE int read_memory(void *to, u32 size, u64 address) {
  return bpf_probe_read_user(to, size, (void *)address) != 0;
}

static ALWAYS_INLINE struct mapping *find_entry(u32 index) {
  return bpf_map_lookup_elem(&mappings, &index);
}

static ALWAYS_INLINE struct line *find_line(u32 index) {
  return bpf_map_lookup_elem(&table_lines, &index);
}

// Kernels that have this helper allow direct reads of its result, without a helper call for each
// read.
#define READ_TASK(to, from)                                                                        \
  if (HAS_TASK_REGISTERS)                                                                          \
    to = from;                                                                                     \
  else                                                                                             \
    READ_KERNEL(to, from)

static ALWAYS_INLINE void describe_task(struct sample_record *sample) {
  struct task_struct *task =
      HAS_TASK_REGISTERS ? bpf_get_current_task_btf() : bpf_get_current_task();
  struct task_struct *leader = 0;
  u32 flags = 0;
  READ_TASK(flags, task->flags);
  sample->head.is_kernel_thread = (flags & THREAD_FLAG_KERNEL) != 0;
  READ_TASK(sample->head.thread_name[0], *(u64 *)&task->comm);
  READ_TASK(sample->head.thread_name[1], *((u64 *)&task->comm + 1));
  READ_TASK(leader, task->group_leader);
  READ_TASK(sample->head.process_start, leader->start_boottime);
  READ_TASK(sample->head.process_name[0], *(u64 *)&leader->comm);
  READ_TASK(sample->head.process_name[1], *((u64 *)&leader->comm + 1));
}

// Reads the parent only once for each process, because it is not in a cache.
static ALWAYS_INLINE void describe_parent(struct sample_record *sample) {
  struct task_struct *task =
      HAS_TASK_REGISTERS ? bpf_get_current_task_btf() : bpf_get_current_task();
  struct task_struct *leader = 0;
  struct task_struct *parent = 0;
  READ_TASK(leader, task->group_leader);
  READ_TASK(parent, leader->real_parent);
  READ_TASK(sample->head.parent_pid, parent->tgid);
}

// Finds the mappings of the process; returns 1 if they can be used. Most samples belong to the same
// process as the last sample on this CPU, and need no search.
static ALWAYS_INLINE int find_process(struct walk *walk, struct sample_record *sample) {
  u32 pid = sample->head.pid;
  u32 slot = pid % PID_VERSIONS;
  u64 *at_version = bpf_map_lookup_elem(&pid_versions, &slot);
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
  // If an interpreter's entries follow the mappings, the entry before the mappings has their index.
  walk->interpreter = head->first_line ? first + head->first_line : 0;
  return 1;
}

// Numbers of system calls.
#define CALL_EXECVE 59
#define CALL_EXECVEAT 322

// Drops the user stack during exec, because the memory belongs to the new program, but the
// registers belong to the old program.
static ALWAYS_INLINE void drop_stack_in_exec(struct cpu_state *state) {
  struct sample_record *sample = &state->sample;
  if (!state->walk.is_in_exec) return;
  if (sample->head.status < STACK_PENDING) return;
  sample->head.status = STACK_KERNEL_ONLY;
  sample->head.user_count = 0;
  sample->head.failed_address = 0;
}

static ALWAYS_INLINE void sample_user(struct perf_event_context *context, struct cpu_state *state) {
  struct sample_record *sample = &state->sample;
  sample->head.status = STACK_KERNEL_ONLY;
  if (sample->head.is_kernel_thread) {
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
    // In a system call, rip is the address after the instruction.
    walk->is_return = (s64)saved.orig_rax >= 0;
    walk->is_in_exec = saved.orig_rax == CALL_EXECVE || saved.orig_rax == CALL_EXECVEAT;
  }
  // Kernel threads have no user-space registers.
  if (walk->rip == 0) return;
  sample->head.status = STACK_COMPAT;
  if ((segment & SEGMENT_MASK) == USER32_CS) return;
  walk->is_leaf = 1;
  FORGET_VALUES;
  if (!find_process(walk, sample)) {
    sample->frames[0] = walk->rip - walk->is_return;
    sample->head.user_count = 1;
    sample->head.failed_address = sample->frames[0];
    sample->head.status = STACK_PENDING;
  } else {
    FORGET_VALUES;
    unwind(walk, sample);
  }
  if (sample->head.status == STACK_NO_MAPPING || sample->head.status == STACK_PENDING)
    walk->wake = BPF_RB_FORCE_WAKEUP;
  drop_stack_in_exec(state);
}

// Number of samples of a CPU between two checks of how full the ring is. A check wakes the reader
// before the ring is full.
#define SAMPLES_OF_CHECK 4

// CPU time of a thread for which samples of interpreted functions wake the reader. Their names must
// be read before the process ends, which may be after 200 ms; and the code of a Python module is
// freed when its import ends.
#define START_NANOS 5000000000ull

// Minimum time between two such wake-ups of a CPU. The reader takes the CPU right after a sample, so
// its own time is not sampled, and counts as time of the program: at 997 Hz, a program had 10 to 20 %
// too many samples when each of them woke the reader. At the usual 19 Hz, each still does.
#define WAKE_NANOS 50000000ull

static ALWAYS_INLINE int has_names_to_read(struct cpu_state *state) {
  struct sample_head *head = &state->sample.head;
  if (head->interpreter != INTERPRETER_FOUND) return 0;
  if (head->time - state->woken_at < WAKE_NANOS) return 0;
  struct task_struct *task =
      HAS_TASK_REGISTERS ? bpf_get_current_task_btf() : bpf_get_current_task();
  u64 used = 0;
  READ_TASK(used, task->se.sum_exec_runtime);
  if (used >= START_NANOS) return 0;
  state->woken_at = head->time;
  return 1;
}

static ALWAYS_INLINE int skip_sample(void) {
  struct cpu_state *state = find_state();
  if (state) state->skipped++;
  return 0;
}

static ALWAYS_INLINE int sample_task(struct perf_event_context *context, int is_listed_only) {
  u64 ids = bpf_get_current_pid_tgid();
  u32 pid = ids >> 32;
  // The idle task.
  if (pid == 0) return 0;
  if (is_listed_only && !bpf_map_lookup_elem(&listed_pids, &pid)) return 0;
  u64 cgroup = 0;
  if (reads_cgroups && HAS_CGROUPS) {
    cgroup = bpf_get_current_cgroup_id();
    if (bpf_map_lookup_elem(&unwanted_cgroups, &cgroup)) return skip_sample();
  }
  if (bpf_map_lookup_elem(&unwanted_pids, &pid)) return skip_sample();
  struct cpu_state *state = find_state();
  if (!state) return 0;
  u64 number = ++state->samples;
  struct sample_record *sample = &state->sample;
  sample->head.time = bpf_ktime_get_ns();
  sample->head.failed_address = 0;
  sample->head.cgroup = cgroup;
  sample->head.parent_pid = 0;
  sample->head.pid = pid;
  sample->head.tid = (u32)ids;
  sample->head.cpu = bpf_get_smp_processor_id();
  sample->head.user_count = 0;
  sample->head.kernel_count = 0;
  sample->head.interpreter = INTERPRETER_UNSEEN;
  sample->head.language = LANGUAGE_PYTHON;
  describe_task(sample);

  state->walk.wake = BPF_RB_NO_WAKEUP;
  state->walk.is_in_kernel = (context->registers.cs & PRIVILEGE_MASK) != USER_PRIVILEGE;
  FORGET_VALUES;
  sample_user(context, state);
  FORGET_VALUES;

  u32 frame_count = sample->head.user_count & USER_WORDS_MAX;
  if (state->walk.is_in_kernel) {
    long bytes = bpf_get_stack(context, &sample->frames[frame_count], KERNEL_FRAMES_MAX * 8, 0);
    if (bytes > 0 && bytes <= KERNEL_FRAMES_MAX * 8) {
      sample->head.kernel_count = (u64)bytes >> 3;
      frame_count += (u64)bytes >> 3;
    }
  }
  u64 size = __builtin_offsetof(struct sample_record, frames) + frame_count * 8;
  FORGET_ORIGIN(size);
  if (size > sizeof(*sample)) return 0;
  if (has_names_to_read(state)) state->walk.wake = BPF_RB_FORCE_WAKEUP;
  if (number % SAMPLES_OF_CHECK == 0 &&
      bpf_ringbuf_query(&ring, BPF_RB_AVAIL_DATA) > bpf_ringbuf_query(&ring, BPF_RB_RING_SIZE) / 4)
    state->walk.wake = BPF_RB_FORCE_WAKEUP;
  if (bpf_ringbuf_output(&ring, sample, size, state->walk.wake)) state->lost++;
  return 0;
}

SEC("perf_event")
int sample_all(struct perf_event_context *context) {
  return sample_task(context, 0);
}

SEC("perf_event")
int sample_listed(struct perf_event_context *context) {
  return sample_task(context, 1);
}

// Copies the mappings of a parent to its child before the add-on knows the child. The child starts
// with the same memory.
SEC("raw_tp/sched_process_fork")
int inherit_mappings(struct raw_tracepoint_context *context) {
  struct task_struct *parent = (struct task_struct *)context->arguments[0];
  struct task_struct *child = (struct task_struct *)context->arguments[1];
  u32 parent_pid = 0;
  u32 child_pid = 0;
  READ_KERNEL(parent_pid, parent->tgid);
  READ_KERNEL(child_pid, child->tgid);
  if (parent_pid == child_pid) return 0;
  // A child runs the same program until it calls exec.
  u32 *unwanted = bpf_map_lookup_elem(&unwanted_pids, &parent_pid);
  if (unwanted) bpf_map_update_elem(&unwanted_pids, &child_pid, unwanted, BPF_ANY);
  struct process *known = bpf_map_lookup_elem(&processes, &parent_pid);
  if (!known) return 0;
  struct process inherited = *known;
  inherited.is_sampled = 0;
  bpf_map_update_elem(&processes, &child_pid, &inherited, BPF_ANY);
  u32 slot = child_pid % PID_VERSIONS;
  u64 *version = bpf_map_lookup_elem(&pid_versions, &slot);
  if (version) __sync_fetch_and_add(version, 1);
  return 0;
}
