// Does the same work forever, in bursts of half a millisecond: hot takes three times as long as
// cool.
function hot(steps) {
  let sum = 0;
  for (let i = 0; i < 3 * steps; i += 1) sum = (Math.imul(sum, 31) + i) | 0;
  return sum;
}

function cool(steps) {
  let sum = 0;
  for (let i = 0; i < steps; i += 1) sum = (Math.imul(sum, 7) + i) | 0;
  return sum;
}

let state = 0;
let due = performance.now();
function burst() {
  state ^= hot(100_000) ^ cool(100_000);
  due += 10;
  setTimeout(burst, Math.max(0, due - performance.now()));
}
burst();
