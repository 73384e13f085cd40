// Throws through several frames, sorts and hashes with the C++ library.
#include <algorithm>
#include <ctime>
#include <functional>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

static volatile unsigned sink;

__attribute__((noinline)) static void fail(int depth) {
  if (depth == 0) throw std::runtime_error("thrown");
  fail(depth - 1);
  sink = sink + 1;
}

__attribute__((noinline)) static void throw_and_catch() {
  try {
    fail(10);
  } catch (const std::exception &error) {
    sink = sink + error.what()[0];
  }
}

__attribute__((noinline)) static void sort_texts() {
  std::vector<std::string> texts;
  for (int i = 0; i < 500; i++) texts.push_back(std::to_string(i * 7919 % 500));
  std::function<bool(const std::string &, const std::string &)> less =
      [](const std::string &left, const std::string &right) { return left < right; };
  std::sort(texts.begin(), texts.end(), less);
  std::unordered_map<std::string, int> counts;
  for (const auto &text : texts) counts[text]++;
  sink = sink + counts.size();
}

int main() {
  std::clock_t end = std::clock() + 20 * CLOCKS_PER_SEC;
  while (std::clock() < end) {
    for (int i = 0; i < 100; i++) throw_and_catch();
    sort_texts();
  }
  return 0;
}
