// Inlined calls of the standard library, virtual ones, lambdas; exceptions in the other unit.
#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

long parsed(const std::string &text);

static inline long mix(long a) {
  for (int i = 0; i < 3; i++) a = a * 31 + i;
  return a;
}

struct Shape {
  virtual ~Shape() = default;
  virtual double area() const = 0;
};

struct Square : Shape {
  double side;
  explicit Square(double x) : side(x) {}
  double area() const override { return side * side + mix((long)side); }
};

int main(int argc, char **) {
  std::map<std::string, std::vector<int>> rows;
  double sum = 0;
  for (int i = 0; i < 100 * argc; i++) rows[std::to_string(i % 7)].push_back((int)mix(i));
  for (auto &[name, row] : rows) {
    std::sort(row.begin(), row.end(), [](int a, int b) { return mix(a) < mix(b); });
    sum += Square(row[0]).area() + name.size() + parsed(name);
  }
  std::printf("%f\n", sum);
}
