// Burns CPU time in functions of many kinds; the comment above each has its name.
let sink = 0;

/** Takes some 20 us, in the function that runs it. */
const rounds = 20_000;

// is declared
function declared(value) {
  for (let i = 0; i < rounds; i += 1) value = value * 1.01 + i;
  return value;
}

// is arrow
const arrow = (value) => {
  for (let i = 0; i < rounds; i += 1) value = value * 1.01 + i;
  return value;
};

// is ownName
const expression = function ownName(value) {
  for (let i = 0; i < rounds; i += 1) value = value * 1.01 + i;
  return value + ownName.length;
};

const makeCounter = () => {
  const step = 1.5;
  let count = 0;
  // is counter
  return function counter(value) {
    for (let i = 0; i < rounds; i += 1) count = count * 1.01 + step;
    return () => count + value;
  };
};

class Machine {
  #salt = 1;
  // is Machine
  constructor(value) {
    for (let i = 0; i < rounds; i += 1) value = value * 1.01 + i;
    this.value = value;
  }
  // is method
  method(value) {
    for (let i = 0; i < rounds; i += 1) value = value * 1.01 + i;
    return value + this.#salt;
  }
  // is get property
  get property() {
    let value = 1;
    for (let i = 0; i < rounds; i += 1) value = value * 1.01 + i;
    return value;
  }
  // is #hidden
  static #hidden(value) {
    for (let i = 0; i < rounds; i += 1) value = value * 1.01 + i;
    return value;
  }
  // is callHidden
  static callHidden(value) {
    return Machine.#hidden(value);
  }
}

// is generator
function* generator(value) {
  for (let i = 0; i < rounds; i += 1) value = value * 1.01 + i;
  yield value;
}

// is asynchronous
async function asynchronous(value) {
  await Promise.resolve();
  for (let i = 0; i < rounds; i += 1) value = value * 1.01 + i;
  return value;
}

const object = {
  // is inferred
  inferred: function (value) {
    for (let i = 0; i < rounds; i += 1) value = value * 1.01 + i;
    return value;
  },
};

// is größe
const größe = (値) => {
  for (let i = 0; i < rounds; i += 1) 値 = 値 * 1.01 + i;
  return 値;
};

const counter = makeCounter();
const end = Date.now() + 60_000;
while (Date.now() < end) {
  sink += declared(1) + arrow(2) + expression(3) + Machine.callHidden(4) + object.inferred(5);
  sink += new Machine(6).method(7) + new Machine(8).property + größe(9) + [...generator(10)][0];
  counter(11);
  sink += await asynchronous(12);
}
