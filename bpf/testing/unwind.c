// Runs the unwinder of kernel/unwind.h in user space.
//
//   unwind < stacks        unwinds recorded stacks: the lines below, each stack ends with `unwind`
//   unwind PID < tables    unwinds the main thread of a stopped process, and prints what it read in
//                          the same form, so that it can be unwound again
//
//   registers RIP RSP RBP IS_RETURN
//   leaf NUMBER VALUE                    a register of the leaf by its DWARF number
//   mapping INDEX START BIAS PAGES FIRST_LINE BLOCK_COUNT BLOCK_SHIFT KIND FLAGS SHARED_OFFSET
//   interpreter INDEX                    the mappings from this index on are its entries
//   thread POINTER                       register fs of the thread
//   line INDEX WORD...                   one line of a table, as eight words
//   word ADDRESS VALUE                   eight bytes of memory
//   unwind                               prints `status NUMBER ADDRESS`, `frame ADDRESS`..., `end`
//
// All numbers are hexadecimal. The mappings come in the order of their index, from 1 on.
#define _GNU_SOURCE
#include "../kernel/unwind.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>

#define MAPPINGS_MAX 4096
#define PAIRS_MAX 16384
#define LINES_MAX (1 << 20)
#define REGISTERS 16

struct pair {
  u64 key;
  u64 value;
};

static struct mapping mappings[MAPPINGS_MAX];
static u32 mapping_count;
static struct {
  u32 index;
  struct line line;
} *table;
static u32 line_count;
static struct pair words[PAIRS_MAX];
static u32 word_count;
static u64 leaf_registers[REGISTERS];
static u64 thread_register;
// Index of the first entry of an interpreter. Its entries follow all mappings. 0 = no interpreter.
static u32 interpreter_entry;
static struct cpu_state state;
// Id of the process whose memory is read; 0 to use recorded words instead.
static pid_t live;

static void fail(const char *why) {
  fprintf(stderr, "cannot unwind: %s\n", why);
  exit(1);
}

static int read_word_of(u64 address, u64 *value) {
  if (live) {
    struct iovec to = {value, sizeof(*value)};
    struct iovec from = {(void *)address, sizeof(*value)};
    if (process_vm_readv(live, &to, 1, &from, 1, 0) != sizeof(*value)) return -1;
    printf("word %llx %llx\n", address, *value);
    return 0;
  }
  for (u32 i = 0; i < word_count; i++)
    if (words[i].key == address) {
      *value = words[i].value;
      return 0;
    }
  return -1;
}

// Reads memory in words, because the unwinder reads only complete words.
static int read_memory(void *to, u32 size, u64 address) {
  u64 *values = to;
  for (u32 i = 0; i < size / sizeof(u64); i++)
    if (read_word_of(address + i * sizeof(u64), &values[i])) return -1;
  return 0;
}

static struct mapping *find_entry(u32 index) {
  return index >= 1 && index <= mapping_count ? &mappings[index] : 0;
}

static void print_line(u32 index, struct line *line) {
  u64 values[sizeof(*line) / sizeof(u64)];
  memcpy(values, line, sizeof(values));
  printf("line %x", index);
  for (u32 i = 0; i < sizeof(values) / sizeof(u64); i++) printf(" %llx", values[i]);
  printf("\n");
}

static struct line *find_line(u32 index) {
  for (u32 i = 0; i < line_count; i++)
    if (table[i].index == index) {
      if (live) print_line(index, &table[i].line);
      return &table[i].line;
    }
  return 0;
}

u64 leaf_register(u32 number) {
  u64 value = number < REGISTERS ? leaf_registers[number] : 0;
  if (live) printf("leaf %x %llx\n", number, value);
  return value;
}

static struct cpu_state *find_state(void) {
  return &state;
}

u64 thread_pointer(void) {
  if (live) printf("thread %llx\n", thread_register);
  return thread_register;
}

static struct python_thread *find_known_thread(u32 tid) {
  (void)tid;
  return 0;
}

static void print_stack(struct walk *walk) {
  struct sample_record *sample = &state.sample;
  memset(sample, 0, sizeof(*sample));
  walk->first = 0;
  walk->count = interpreter_entry ? interpreter_entry - 1 : mapping_count;
  walk->interpreter = interpreter_entry;
  walk->mapping = 1;
  walk->other_mapping = 1;
  walk->is_leaf = 1;
  unwind(walk, sample);
  printf("status %x %llx\n", sample->head.status, sample->head.failed_address);
  for (u32 i = 0; i < sample->head.user_count; i++) printf("frame %llx\n", sample->frames[i]);
  printf("end\n");
}

static u64 number(char **from) {
  char *end;
  u64 value = strtoull(*from, &end, 16);
  if (end == *from) fail("a number is missing");
  *from = end;
  return value;
}

static void read_mapping(char *rest) {
  u32 index = number(&rest);
  if (index != mapping_count + 1 || index >= MAPPINGS_MAX) fail("a mapping is not the next one");
  mapping_count = index;
  struct mapping *mapping = &mappings[index];
  mapping->start = number(&rest);
  mapping->bias = number(&rest);
  mapping->pages = number(&rest);
  mapping->first_line = number(&rest);
  mapping->block_count = number(&rest);
  mapping->block_shift = number(&rest);
  mapping->kind = number(&rest);
  mapping->flags = number(&rest);
  mapping->shared_offset = number(&rest);
}

static void read_line(char *rest) {
  if (line_count == LINES_MAX) fail("there are too many lines");
  u64 values[sizeof(struct line) / sizeof(u64)];
  table[line_count].index = number(&rest);
  for (u32 i = 0; i < sizeof(values) / sizeof(u64); i++) values[i] = number(&rest);
  memcpy(&table[line_count++].line, values, sizeof(values));
}

// Reads the registers of a process, which remains stopped.
static void read_registers(struct walk *walk) {
#ifdef __x86_64__
  struct user_regs_struct registers;
  if (ptrace(PTRACE_SEIZE, live, 0, 0) || ptrace(PTRACE_INTERRUPT, live, 0, 0)) fail("no ptrace");
  if (waitpid(live, 0, __WALL) != live) fail("the process does not stop");
  if (ptrace(PTRACE_GETREGS, live, 0, &registers)) fail("no registers");
  walk->rip = registers.rip;
  walk->rsp = registers.rsp;
  walk->rbp = registers.rbp;
  // In a system call, rip is the address after the instruction. The kernel program does the same.
  walk->is_return = (s64)registers.orig_rax >= 0;
  u64 by_number[REGISTERS] = {registers.rax, registers.rdx, registers.rcx, registers.rbx,
                              registers.rsi, registers.rdi, registers.rbp, registers.rsp,
                              registers.r8,  registers.r9,  registers.r10, registers.r11,
                              registers.r12, registers.r13, registers.r14, registers.r15};
  memcpy(leaf_registers, by_number, sizeof(by_number));
  thread_register = registers.fs_base;
#else
  fail("stacks are recorded on x86-64");
#endif
  printf("registers %llx %llx %llx %x\n", walk->rip, walk->rsp, walk->rbp, walk->is_return);
}

int main(int count, char **arguments) {
  live = count > 1 ? atoi(arguments[1]) : 0;
  table = calloc(LINES_MAX, sizeof(*table));
  if (!table) fail("there is no memory");
  struct walk *walk = &state.walk;
  char text[512];
  while (fgets(text, sizeof(text), stdin)) {
    char *rest = strchr(text, ' ');
    if (!strncmp(text, "unwind", 6)) {
      if (live) read_registers(walk);
      print_stack(walk);
      mapping_count = line_count = word_count = interpreter_entry = 0;
      memset(walk, 0, sizeof(*walk));
    } else if (!rest) {
      fail("a line has no numbers");
    } else if (!strncmp(text, "registers", 9)) {
      walk->rip = number(&rest);
      walk->rsp = number(&rest);
      walk->rbp = number(&rest);
      walk->is_return = number(&rest);
    } else if (!strncmp(text, "leaf", 4)) {
      u32 at = number(&rest) & (REGISTERS - 1);
      leaf_registers[at] = number(&rest);
    } else if (!strncmp(text, "thread", 6)) {
      thread_register = number(&rest);
    } else if (!strncmp(text, "interpreter", 11)) {
      interpreter_entry = number(&rest);
    } else if (!strncmp(text, "mapping", 7)) {
      read_mapping(rest);
    } else if (!strncmp(text, "line", 4)) {
      read_line(rest);
    } else if (!strncmp(text, "word", 4)) {
      if (word_count == PAIRS_MAX) fail("there are too many words");
      words[word_count].key = number(&rest);
      words[word_count++].value = number(&rest);
    } else {
      fail("a line is of no kind");
    }
  }
  return 0;
}
