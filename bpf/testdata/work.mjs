// Sorts, parses, matches and recurses for 20 seconds, in optimized and in built-in code.
function fibonacci(n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

const end = Date.now() + 20_000;
let sum = 0;
while (Date.now() < end) {
  sum += fibonacci(20);
  const texts = Array.from({ length: 500 }, (_, i) => String((i * 7919) % 500));
  texts.sort((left, right) => (left < right ? -1 : 1));
  sum += JSON.parse(JSON.stringify(texts)).length;
  sum += texts.join(',').replace(/(\d)(\d)/g, '$2$1').length;
}
process.stdout.write(`${sum}\n`);
