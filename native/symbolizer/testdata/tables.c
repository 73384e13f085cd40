/* Functions that are local to the file, inlined ones, function pointers, a computed jump. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row {
  char name[16];
  long count;
  struct row *next;
};

#define BUCKETS 64
static struct row *buckets[BUCKETS];

static inline unsigned hashed(const char *name) {
  unsigned hash = 5381;
  for (; *name; name++) hash = hash * 33 + (unsigned char)*name;
  return hash % BUCKETS;
}

static struct row *found(const char *name) {
  struct row **at = &buckets[hashed(name)];
  for (; *at; at = &(*at)->next)
    if (strcmp((*at)->name, name) == 0) return *at;
  *at = calloc(1, sizeof **at);
  if (*at == NULL) abort();
  strncpy((*at)->name, name, sizeof(*at)->name - 1);
  return *at;
}

static int by_count(const void *a, const void *b) {
  const struct row *const *x = a, *const *y = b;
  return ((*x)->count > (*y)->count) - ((*x)->count < (*y)->count);
}

static long add(long a, long b) { return a + b; }
static long subtract(long a, long b) { return a - b; }
static long multiply(long a, long b) { return a * b; }
static long divide(long a, long b) { return b == 0 ? 0 : a / b; }
static long (*const operators[])(long, long) = {add, subtract, multiply, divide};

static long evaluated(const char *text) {
  long value = 0, number = 0;
  int operator= 0;
  for (;; text++) {
    switch (*text) {
    case '+': operator= 0; break;
    case '-': operator= 1; break;
    case '*': operator= 2; break;
    case '/': operator= 3; break;
    case ' ': continue;
    default:
      if (isdigit((unsigned char)*text)) {
        number = number * 10 + (*text - '0');
        continue;
      }
    }
    value = operators[operator](value, number);
    number = 0;
    if (*text == 0) return value;
  }
}

#define STEP(n) \
  static long step##n(long a) { return a % (n + 2) ? a * (n + 3) - 1 : a / (n + 2); } \
  long walk##n(long a, int times) { \
    while (times-- > 0) a = step##n(a) ^ evaluated("1+2*3"); \
    return a; \
  }
STEP(1) STEP(2) STEP(3) STEP(4) STEP(5) STEP(6) STEP(7) STEP(8)

int main(int argc, char **argv) {
  static long (*const walks[])(long, int) = {walk1, walk2, walk3, walk4, walk5, walk6, walk7, walk8};
  struct row *rows[256];
  int count = 0;
  for (int i = 1; i < argc; i++) found(argv[i])->count += walks[i % 8](i, 9) + evaluated(argv[i]);
  for (int i = 0; i < BUCKETS; i++)
    for (struct row *row = buckets[i]; row && count < 256; row = row->next) rows[count++] = row;
  qsort(rows, count, sizeof *rows, by_count);
  for (int i = 0; i < count; i++) printf("%s %ld\n", rows[i]->name, rows[i]->count);
}
