// Makes, runs and frees functions until a given time. The name of a function says when it was made;
// its number identifies its script and its first line.
import { runInThisContext } from 'node:vm';

const [end, seed] = process.argv.slice(2).map(Number);
let count = 0;

function make(below) {
  count += 1;
  const [second, number] = [Math.floor(Date.now() / 1_000), seed * 1_000 + (count % 1_000)];
  const text = `(below) => function made_${second}_${number}(depth) {
    let total = 0;
    for (let i = 0; i < 20000; i += 1) total += (i * i) % 7;
    return depth === 0 ? total : below(depth - 1) + total;
  }`;
  const filename = `made-${second}-${number}.js`;
  return runInThisContext('\n'.repeat((number % 40) + 1) + text, { filename })(below);
}

function leaf() {
  return 1;
}

while (Date.now() / 1_000 < end) {
  let made = leaf;
  const length = 1 + (count % 8);
  for (let i = 0; i < length; i += 1) made = make(made);
  made(length - 1);
  if (count % 50 < 8) globalThis.gc();
}
