// A second unit: templates, an unnamed namespace, exceptions, a hash table.
#include <functional>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unordered_map>

namespace {
template <typename Value, int Depth>
struct Node {
  Value value{};
  std::unique_ptr<Node<Value, Depth - 1>> inner = std::make_unique<Node<Value, Depth - 1>>();
  Value total() const { return value + inner->total(); }
};

template <typename Value>
struct Node<Value, 0> {
  Value value{};
  Value total() const { return value; }
};

long weighed(const std::string &text, const std::function<long(char)> &weight) {
  std::unordered_map<char, long> counts;
  for (char letter : text) counts[letter] += weight(letter);
  long sum = 0;
  for (const auto &[letter, count] : counts) sum += letter * count;
  return sum;
}
}  // namespace

long parsed(const std::string &text) {
  if (text.find_first_not_of("0123456789") != text.npos) {
    throw std::invalid_argument("not a number: " + text);
  }
  std::istringstream in(text);
  long number = 0;
  in >> number;
  Node<long, 6> node;
  node.value = number;
  return node.total() + weighed(text, [number](char letter) { return letter * number; });
}
