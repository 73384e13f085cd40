// Pairs of profiles of random programs. Between the two, the program has one known change or none.
import { type Random, randomBelow, seededRandom } from '../../base/random.ts';

/** Kinds of changes. */
export const plantKinds = ['own', 'new', 'call', 'package', 'memory', 'nothing'] as const;
export type PlantKind = (typeof plantKinds)[number];

/** A program before and after a change. */
export interface Planted {
  readonly kind: PlantKind;
  /** Function that changed; "" if none did. */
  readonly name: string;
  /** Function that is called more often, for a change of kind 'call'. */
  readonly callee: string;
  readonly package: string;
  /** Rows of TestStore; each sample represents `period`. */
  readonly base: string;
  readonly compared: string;
}

interface Program {
  /** Cost of a call without its callees, by function. */
  readonly own: Map<string, number>;
  /** Number of calls that a call makes, by caller and callee. */
  readonly calls: Map<string, Map<string, number>>;
  /** Cost of collecting the garbage of an allocation. */
  collection: number;
}

const root = 'main.main';
const allocator = 'runtime.mallocgc';
const handlers = 'Quote Search Checkout Login Stock'.split(' ');
const own = 'price tax round load merge rank score split join filter lock fetch'.split(' ');
const libraries = ['encoding/json', 'database/sql', 'compress/flate', 'regexp', 'net/url'];
const members = 'Read Write Parse Scan next step'.split(' ');
const leaves = ['runtime.mapaccess1', 'runtime.memmove', 'runtime.memclr', allocator];

/** Makes a change of this kind in the program of `seed`. */
export function plantChange(kind: PlantKind, seed: number, period: number): Planted {
  const random = seededRandom(seed);
  const between = (low: number, high: number): number => low + (high - low) * fraction(random);
  const program = makeProgram(random);
  const changed = copyProgram(program);
  const target = { name: '', callee: '', package: '' };
  const total = sumStacks(listStacks(program));
  const added = total * between(0.06, 0.3);
  const uses = countUses(program);
  // Changing a function that no handler calls would have no effect.
  const used = [...uses.keys()].filter((name) => name !== root && name !== allocator);
  const pick = (names: readonly string[]): string => names[randomBelow(random, names.length)];
  const isLeaf = (name: string): boolean => name.startsWith('runtime.');
  if (kind === 'own') {
    target.name = pick(used);
    addTo(changed.own, target.name, added / use(uses, target.name));
  } else if (kind === 'new') {
    const caller = pick(used.filter((name) => name.startsWith('shop/')));
    target.name = 'shop/pricing.loadTable';
    const library = pick(used.filter((name) => !name.startsWith('shop/') && !isLeaf(name)));
    const each = costOf(program, library);
    changed.own.set(target.name, each * between(0.1, 1));
    changed.calls.set(target.name, new Map([[library, 1]]));
    const one = costOf(changed, target.name);
    addTo(callsOf(changed, caller), target.name, added / one / use(uses, caller));
  } else if (kind === 'call') {
    const calleesOf = (name: string): string[] =>
      [...callsOf(program, name).keys()].filter((one) => one !== allocator);
    target.name = pick(used.filter((name) => calleesOf(name).length > 0));
    target.callee = pick(calleesOf(target.name));
    const more = added / use(uses, target.name) / costOf(program, target.callee);
    addTo(callsOf(changed, target.name), target.callee, more);
  } else if (kind === 'package') {
    const inPackage = (one: string): string[] => used.filter((name) => name.startsWith(`${one}.`));
    target.package = pick(libraries.filter((one) => inPackage(one).length >= 3));
    const names = inPackage(target.package);
    const cost = names.reduce(
      (sum, name) => sum + use(uses, name) * (program.own.get(name) ?? 0),
      0,
    );
    for (const name of names)
      addTo(changed.own, name, ((program.own.get(name) ?? 0) * added) / cost);
  } else if (kind === 'memory') {
    target.name = pick(used.filter((name) => !isLeaf(name)));
    const part = between(0.3, 0.7);
    const more = (added * part) / use(uses, target.name) / costOf(program, allocator);
    addTo(callsOf(changed, target.name), allocator, more);
    const allocations = use(countUses(changed), allocator);
    changed.collection =
      (program.collection * use(uses, allocator) + added * (1 - part)) / allocations;
  }
  const samples = between(6_000, 12_000) / total;
  const load = between(0.7, 1.5);
  const sides = [
    sample(listStacks(program), samples, random, period),
    sample(listStacks(changed), samples * load, random, period),
  ];
  // A change may also be an improvement.
  if (fraction(random) < 0.3) sides.reverse();
  return { kind, ...target, base: sides[0], compared: sides[1] };
}

function makeProgram(random: Random): Program {
  const program: Program = { own: new Map(), calls: new Map(), collection: 0 };
  const names = (prefix: string, all: readonly string[]): string[] =>
    all.map((name) => `${prefix}.${name}`);
  const layers = [
    [root],
    names('shop/api.(*Server)', handlers),
    names('shop/pricing', own),
    libraries.flatMap((one) => names(one, members.slice(0, 3))),
    libraries.flatMap((one) => names(one, members.slice(3))),
    leaves,
  ];
  layers.forEach((layer, depth) => {
    for (const name of layer) {
      program.own.set(name, -Math.log(1 - fraction(random)) * (depth === 0 ? 0.1 : 1));
      const calls = new Map<string, number>();
      program.calls.set(name, calls);
      const below = layers.slice(depth + 1).flat();
      if (below.length === 0) continue;
      if (depth === 0) for (const one of layers[1]) calls.set(one, 0.5 + fraction(random));
      else {
        const next = layers[depth + 1];
        for (let i = 0; i < 3; i += 1) {
          const from = fraction(random) < 0.7 ? next : below;
          calls.set(from[randomBelow(random, from.length)], 0.2 + fraction(random));
        }
        if (fraction(random) < 0.5) calls.set(allocator, 0.2 + fraction(random));
      }
    }
  });
  program.collection = 0.3 * (program.own.get(allocator) ?? 0);
  return program;
}

function copyProgram({ own: costs, calls, collection }: Program): Program {
  const copies = [...calls].map(([name, of]) => [name, new Map(of)] as const);
  return { own: new Map(costs), calls: new Map(copies), collection };
}

/** Returns costs by stack. */
function listStacks(program: Program): Map<string, number> {
  const stacks = new Map<string, number>();
  walk(program, root, 1, (path, times) => {
    const name = path[path.length - 1];
    addTo(stacks, path.join(';'), times * (program.own.get(name) ?? 0));
    if (name === allocator) addTo(stacks, 'runtime.gcBgMarkWorker', times * program.collection);
  });
  return stacks;
}

function walk(
  program: Program,
  from: string,
  times: number,
  visit: (path: readonly string[], times: number) => void,
  path: readonly string[] = [],
): void {
  const here = [...path, from];
  visit(here, times);
  for (const [callee, count] of callsOf(program, from)) {
    walk(program, callee, times * count, visit, here);
  }
}

/** Returns how often each function is called. */
function countUses(program: Program): Map<string, number> {
  const uses = new Map<string, number>();
  walk(program, root, 1, (path, times) => {
    addTo(uses, path[path.length - 1], times);
  });
  return uses;
}

/** Returns the cost of a call, including its callees. */
function costOf(program: Program, name: string): number {
  let sum = 0;
  walk(program, name, 1, (path, times) => {
    sum += times * (program.own.get(path[path.length - 1]) ?? 0);
  });
  return sum;
}

function callsOf({ calls }: Program, name: string): Map<string, number> {
  return calls.get(name) ?? new Map();
}

function use(uses: ReadonlyMap<string, number>, name: string): number {
  return uses.get(name) ?? 0;
}

function addTo(sums: Map<string, number>, key: string, value: number): void {
  sums.set(key, (sums.get(key) ?? 0) + value);
}

function sumStacks(stacks: ReadonlyMap<string, number>): number {
  return [...stacks.values()].reduce((sum, value) => sum + value, 0);
}

/** Returns rows with a random number of samples for each stack. */
function sample(
  stacks: ReadonlyMap<string, number>,
  samplesPerCost: number,
  random: Random,
  period: number,
): string {
  return [...stacks]
    .map(([stack, cost]) => [stack, poisson(random, cost * samplesPerCost)] as const)
    .filter(([, count]) => count > 0)
    .map(([stack, count]) => `${stack} ${count * period}`)
    .join('\n');
}

/**
 * Returns a Poisson-distributed number: the number of exponential waiting times that fit into
 * `mean`.
 */
function poisson(random: Random, mean: number): number {
  let [count, left] = [-1, mean];
  do {
    count += 1;
    left += Math.log(1 - fraction(random));
  } while (left > 0);
  return count;
}

function fraction(random: Random): number {
  return randomBelow(random, 2 ** 30) / 2 ** 30;
}
