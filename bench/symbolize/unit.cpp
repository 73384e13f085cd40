// One unit of a large program: much of the standard library, in functions of its own.
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

namespace {
template <int Kind>
struct Item {
  std::string name;
  std::map<std::string, std::vector<std::shared_ptr<Item>>> parts;
  double weight = Kind;
  double total() const {
    double sum = weight;
    for (const auto &[key, row] : parts)
      for (const auto &part : row) sum += part->total() * key.size();
    return sum;
  }
};

template <int Kind>
double weighed(const std::vector<std::string> &words) {
  std::unordered_map<std::string, Item<Kind>> items;
  std::set<std::pair<double, std::string>> order;
  std::function<bool(const std::string &)> known = [&](const std::string &word) {
    return items.count(word) > 0;
  };
  for (const auto &word : words) {
    auto part = std::make_shared<Item<Kind>>();
    part->name = known(word) ? word + "'" : word;
    items[word].parts[part->name].push_back(part);
  }
  for (const auto &[word, item] : items) order.emplace(item.total(), word);
  std::vector<std::string> sorted(words);
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto &a, const auto &b) {
    return a.size() < b.size() || (a.size() == b.size() && a < b);
  });
  std::ostringstream out;
  for (const auto &[weight, word] : order) out << weight << word << sorted.front();
  return out.str().size();
}
}  // namespace

double UNIT(const std::string &text) {
  static const std::regex word("[a-z]+|[0-9]+");
  std::vector<std::string> words;
  for (std::sregex_iterator at(text.begin(), text.end(), word), end; at != end; ++at) {
    words.push_back(at->str());
  }
  return weighed<1>(words) + weighed<2>(words) + weighed<3>(words) + weighed<4>(words);
}
