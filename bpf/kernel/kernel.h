// Kernel helpers by number, and the fields of kernel structures that the programs read. The loader
// adjusts the field offsets to the running kernel (CO-RE).
#pragma once
#include "layout.h"

#define SEC(name) __attribute__((section(name), used))

// Macros for map definitions.
#define UINT(name, value) int(*name)[value]
#define TYPE(name, value) typeof(value) *name

#define BPF_MAP_TYPE_HASH 1
#define BPF_MAP_TYPE_ARRAY 2
#define BPF_MAP_TYPE_PERCPU_ARRAY 6
#define BPF_MAP_TYPE_RINGBUF 27
#define BPF_F_MMAPABLE 1024
#define BPF_ANY 0
#define BPF_RB_NO_WAKEUP 1
#define BPF_RB_FORCE_WAKEUP 2
#define BPF_RB_AVAIL_DATA 0
#define BPF_RB_RING_SIZE 1

static void *(*const bpf_map_lookup_elem)(void *map, const void *key) = (void *)1;
static long (*const bpf_map_update_elem)(void *map, const void *key, const void *value,
                                         u64 flags) = (void *)2;
static u64 (*const bpf_ktime_get_ns)(void) = (void *)5;
static u32 (*const bpf_get_smp_processor_id)(void) = (void *)8;
static u64 (*const bpf_get_current_pid_tgid)(void) = (void *)14;
static void *(*const bpf_get_current_task)(void) = (void *)35;
static long (*const bpf_get_stack)(void *context, void *buffer, u32 size, u64 flags) = (void *)67;
static u64 (*const bpf_get_current_cgroup_id)(void) = (void *)80;
static long (*const bpf_probe_read_user)(void *to, u32 size, const void *from) = (void *)112;
static long (*const bpf_probe_read_kernel)(void *to, u32 size, const void *from) = (void *)113;
static long (*const bpf_ringbuf_output)(void *ring, void *data, u64 size, u64 flags) = (void *)130;
static u64 (*const bpf_ringbuf_query)(void *ring, u64 flags) = (void *)134;
static void *(*const bpf_get_current_task_btf)(void) = (void *)158;
static long (*const bpf_task_pt_regs)(void *task) = (void *)175;

// Registers of x86-64 as saved by the kernel; their layout never changes.
struct registers {
  u64 r15, r14, r13, r12, rbp, rbx, r11, r10, r9, r8, rax, rcx, rdx, rsi, rdi;
  u64 orig_rax, rip, cs, eflags, rsp, ss;
};

// Context of a program for a perf event.
struct perf_event_context {
  struct registers registers;
  u64 sample_period;
  u64 address;
};

struct raw_tracepoint_context {
  u64 arguments[2];
};

// Values and masks of register cs: the code segment of 32-bit programs, and the privilege level of
// user space.
#define USER32_CS 0x23
#define SEGMENT_MASK 0xffff
#define PRIVILEGE_MASK 3
#define USER_PRIVILEGE 3
// Bytes of a kernel stack (THREAD_SIZE of x86-64 without KASAN); the user-space registers are at
// its end.
#define KERNEL_STACK_BYTES 16384
#define THREAD_FLAG_KERNEL 0x00200000

struct thread_struct {
  u64 fsbase;
} __attribute__((preserve_access_index));

struct sched_entity {
  u64 sum_exec_runtime;
} __attribute__((preserve_access_index));

struct task_struct {
  u32 flags;
  s32 pid;
  s32 tgid;
  u64 start_boottime;
  struct task_struct *group_leader;
  struct task_struct *real_parent;
  void *stack;
  char comm[NAME_WORDS * 8];
  struct css_set *cgroups;
  struct sched_entity se;
  struct thread_struct thread;
} __attribute__((preserve_access_index));

// Exists in kernels from 5.15 on; returns the user-space registers.
enum bpf_func_id { BPF_FUNC_task_pt_regs = 175 };
// The loader replaces this with a constant, so that the verifier does not see calls to helpers that
// the kernel lacks.
#define HAS_TASK_REGISTERS                                                                         \
  __builtin_preserve_enum_value(*(typeof(enum bpf_func_id) *)BPF_FUNC_task_pt_regs, 0)

// Kernels without control groups (CONFIG_CGROUPS) have neither the helper for their ids nor this
// field.
#define FIELD_EXISTS 2
#define HAS_CGROUPS __builtin_preserve_field_info(((struct task_struct *)0)->cgroups, FIELD_EXISTS)

#define READ_KERNEL(to, from) bpf_probe_read_kernel(&(to), sizeof(to), &(from))
