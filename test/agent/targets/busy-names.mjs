// Burns CPU time in JavaScript functions: three quarters in hotLoop, the rest in warmLoop. Stacks
// also contain the names of a method, a callback and the module.
let sink = 0;

function hotLoop(rounds) {
  let value = 1.5;
  for (let i = 0; i < rounds; i += 1) value = value * 1.0000001 + 0.5;
  return value;
}

const warmLoop = (rounds) => {
  let value = 2.5;
  for (let i = 0; i < rounds; i += 1) value = value * 1.0000003 + 0.25;
  return value;
};

class Machine {
  #salt = [1];

  turn() {
    // A built-in function calls the callback.
    this.#salt.forEach(function callback(salt) {
      sink += hotLoop(300_000) + warmLoop(100_000) + salt;
    });
  }
}

function cpuSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

const machine = new Machine();
// The program runs long enough to make Node's start a small share of the time.
const end = cpuSeconds() + 1.5 * Number(process.argv[2] ?? 1);
while (cpuSeconds() < end) machine.turn();
