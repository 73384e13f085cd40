// Finds the function that causes a change: the function whose change is least likely to be chance
// and is not better explained by a caller or callee.
//
// The sum of a caller is less certain, because it includes unchanged stacks. A callee lacks some of
// the changed stacks. Therefore the most certain set of stacks belongs to the cause (a scan
// statistic).
import type { CallEdges } from './call-edges.ts';
import type { FrameSums } from './frame-sums.ts';
import type { SamplingNoise } from './sampling-noise.ts';
import type { CallTree } from './tree/call-tree.ts';
import { BestCandidate, type Candidate, seeFunctions } from './cause-candidates.ts';
import {
  findMemoryFunctions,
  type MemorySums,
  type PairOfValues,
  sumMemory,
} from './memory-sums.ts';

/** Cause of a change; functions are frame numbers of FrameSums. */
export interface Cause {
  readonly slot: number;
  /** Caller of most of the change; -1 = none, or several. */
  readonly caller: number;
  /** True if the cause is the calls from `caller`, without calls from other functions. */
  readonly isCall: boolean;
  /** Package of the cause, if several of its functions changed. */
  readonly package: string | undefined;
  readonly compared: bigint;
  readonly base: bigint;
  /** Garbage collection that changed elsewhere because the function allocates more or less. */
  readonly collected: PairOfValues | undefined;
}

/** Data for the search. */
export interface CauseInput {
  readonly tree: CallTree;
  readonly sums: FrameSums;
  readonly edges: CallEdges;
  /** Noise relative to the load, if it is known. */
  readonly noise: SamplingNoise;
  readonly name: (slot: number) => string;
  /** Returns the package of a library; "" for the program itself. */
  readonly packageName: (slot: number) => string;
}

/**
 * At most one of this many comparisons without a change should name a function by mistake.
 */
const comparisonsPerMistake = 1_000;
/** Share of the total above which a function counts as the whole program. */
const wholeShare = 0.97;
/** Score at which a function of a package counts as changed. */
const memberScore = 2.5;
/** Share of a package's change above which a single function is the cause. */
const memberShareMax = 0.75;
/** Smallest ratio of a package's score to a function's score for the package to be the cause. */
const packageAdvantage = 1.05;
/** Smallest ratio of a callee's score to its caller's score for the callee to be the cause. */
const calleeScoreMin = 0.96;
/** Score below which the rest of a caller counts as unchanged. */
const restScoreMax = 2;
/** Smallest share of a change that must come through one caller. */
const callerShareMin = 0.7;
/** Smallest share that a function must have of the change of all allocations. */
const allocationShareMin = 0.5;
/** Smallest share of the compared total that a rise must have to be named next to a fall. */
const riseShareMin = 0.02;

/** Returns the cause; undefined if there is no significant change, or everything changed. */
export function findCause(input: CauseInput): Cause | undefined {
  const { tree, sums, edges, noise, name } = input;
  const memory = findMemoryFunctions(sums.length, name);
  const depth = findDepths(tree, sums);
  const everything = new BestCandidate(noise, depth);
  seeFunctions(everything, sums, edges, new Uint8Array(sums.length));
  const leastScore = certainScore(everything.count);
  const isCertain = (one: Candidate | undefined): one is Candidate =>
    one !== undefined && Math.abs(one.score) > leastScore;
  const { best } = everything;
  const inPackage = findPackage(input, leastScore);
  if (!isCertain(best)) return inPackage;
  if (inPackage !== undefined) {
    const score = Math.abs(noise.score(inPackage.compared, inPackage.base));
    if (score > Math.abs(best.score) * packageAdvantage) return inPackage;
  }
  const spent = sumMemory(tree, sums, memory);
  const isOfMemory = memory.isCollector[best.slot] === 1 || memory.isAllocator[best.slot] === 1;
  if (isOfMemory) {
    const allocating = new BestCandidate(noise, depth);
    const { compared, base } = spent.within;
    for (let slot = 0; slot < sums.length; slot += 1) {
      if (memory.isRuntime[slot] === 1) continue;
      allocating.see('function', slot, -1, compared[slot], base[slot]);
    }
    const found = allocating.best;
    if (isCertain(found) && explainsAllocations(found, spent, noise)) {
      return toCause(found, edges, withCollection(found, spent, noise));
    }
  }
  const cause = best.kind === 'function' ? narrow(best, sums, edges, noise) : best;
  if (isWhole(cause, tree)) return undefined;
  return toCause(cause, edges, isOfMemory ? undefined : withCollection(cause, spent, noise));
}

/**
 * Returns the function that grew most among those that are known to have grown; undefined if there
 * is none. A larger fall elsewhere would hide it. Functions are compared with their callees,
 * because inlining or moving a callee changes the own values of its callers without making them
 * slower. Functions of the runtime are left out, because they are not the cause.
 */
export function findRise({ tree, sums, edges, noise, name }: CauseInput): Cause | undefined {
  const { isRuntime } = findMemoryFunctions(sums.length, name);
  const rising = new BestCandidate(noise, findDepths(tree, sums), true);
  for (let slot = 0; slot < sums.length; slot += 1) {
    if (isRuntime[slot] === 1 || !sums.hasValue(slot)) continue;
    rising.see('function', slot, -1, sums.cumulative[slot], sums.base.cumulative[slot]);
  }
  const { best } = rising;
  if (best === undefined || best.score <= certainScore(rising.count)) return undefined;
  const rise = narrow(best, sums, edges, noise);
  const least = riseShareMin * Number(tree.cumulative[0]);
  if (noise.difference(rise.compared, rise.base) < least || isWhole(rise, tree)) return undefined;
  return toCause(rise, edges, undefined);
}

/** Returns the score from which the best of `count` candidates is certain. */
function certainScore(count: number): number {
  return Math.sqrt(2 * Math.log(comparisonsPerMistake * Math.max(1, count)));
}

/** Returns the smallest depth of each function. */
function findDepths(
  { length, parent }: CallTree,
  { target, length: count }: FrameSums,
): Int32Array {
  const depthOfRow = new Int32Array(length);
  const depth = new Int32Array(count).fill(2 ** 31 - 1);
  for (let row = 1; row < length; row += 1) {
    depthOfRow[row] = depthOfRow[parent[row]] + 1;
    const slot = target[row] - 1;
    if (slot !== -1 && depthOfRow[row] < depth[slot]) depth[slot] = depthOfRow[row];
  }
  return depth;
}

/** Returns true if a set contains nearly all stacks of both sides, so that it explains nothing. */
function isWhole({ compared, base }: Candidate, tree: CallTree): boolean {
  const other = tree.base === undefined ? 0n : tree.base.cumulative[0];
  const isMost = (part: bigint, all: bigint): boolean => Number(part) >= wholeShare * Number(all);
  return isMost(compared, tree.cumulative[0]) && isMost(base, other);
}

/**
 * Follows a change from a function to its callees, while the rest of the function did not change.
 */
function narrow(
  from: Candidate,
  sums: FrameSums,
  edges: CallEdges,
  noise: SamplingNoise,
): Candidate {
  let best = from;
  for (;;) {
    // The callees of a function that is new or gone do not explain it; its caller does.
    if (noise.comparedSamples(best.compared) < 1 || noise.baseSamples(best.base) < 1) return best;
    let next: Candidate | undefined;
    for (let edge = 0; edge < edges.length; edge += 1) {
      if (edges.caller[edge] !== best.slot || edges.callee[edge] === best.slot) continue;
      const slot = edges.callee[edge];
      const [compared, base] = [sums.cumulative[slot], sums.base.cumulative[slot]];
      const score = noise.score(compared, base);
      const rest = noise.score(best.compared - compared, best.base - base);
      const isPart = compared <= best.compared && base <= best.base;
      if (!isPart || score / best.score < calleeScoreMin) continue;
      if (Math.abs(rest) >= restScoreMax) continue;
      if (next !== undefined && Math.abs(next.score) >= Math.abs(score)) continue;
      next = { kind: 'function', slot, caller: -1, compared, base, score };
    }
    if (next === undefined) return best;
    best = next;
  }
}

/** Finds a package with several functions that changed in the same direction. */
function findPackage({ sums, noise, packageName }: CauseInput, least: number): Cause | undefined {
  const packages = new Map<string, { slots: number[]; compared: bigint; base: bigint }>();
  for (let slot = 0; slot < sums.length; slot += 1) {
    const text = sums.hasValue(slot) ? packageName(slot) : '';
    if (text === '') continue;
    const one = packages.get(text) ?? { slots: [], compared: 0n, base: 0n };
    one.slots.push(slot);
    one.compared += sums.flat[slot];
    one.base += sums.base.flat[slot];
    packages.set(text, one);
  }
  let found: Cause | undefined;
  let most = least;
  for (const [text, { slots, compared, base }] of packages) {
    const score = noise.score(compared, base);
    if (Math.abs(score) <= most) continue;
    const changes = slots.map((slot) => {
      const [own, other] = [sums.flat[slot], sums.base.flat[slot]];
      const difference = noise.difference(own, other) * Math.sign(score);
      return { slot, difference, score: noise.score(own, other) * Math.sign(score) };
    });
    const members = changes.filter((one) => one.score > memberScore);
    const largest = changes.reduce((a, b) => (b.difference > a.difference ? b : a));
    const all = Math.abs(noise.difference(compared, base));
    if (members.length < 2 || largest.difference > memberShareMax * all) continue;
    most = Math.abs(score);
    found = {
      slot: largest.slot,
      caller: -1,
      isCall: false,
      package: text,
      compared,
      base,
      collected: undefined,
    };
  }
  return found;
}

function explainsAllocations(
  { compared, base }: Candidate,
  { allocated }: MemorySums,
  noise: SamplingNoise,
): boolean {
  const all = noise.difference(allocated.compared, allocated.base);
  return all !== 0 && noise.difference(compared, base) / all >= allocationShareMin;
}

/** Adds garbage collection that changed together with the function's allocations. */
function withCollection(
  { slot, score }: Candidate,
  { collected, within }: MemorySums,
  noise: SamplingNoise,
): PairOfValues | undefined {
  const own = noise.score(within.compared[slot], within.base[slot]);
  const elsewhere = noise.score(collected.compared, collected.base);
  const isAlike = own * score > 0 && elsewhere * score > 0;
  return isAlike && Math.min(Math.abs(own), Math.abs(elsewhere)) > memberScore
    ? collected
    : undefined;
}

function toCause(
  { kind, slot, caller, compared, base }: Candidate,
  edges: CallEdges,
  collected: PairOfValues | undefined,
): Cause {
  return {
    slot,
    caller: kind === 'call' ? caller : findCaller(slot, edges),
    isCall: kind === 'call',
    package: undefined,
    compared,
    base,
    collected,
  };
}

/** Returns the caller of most of a function's change; -1 if there is none. */
function findCaller(slot: number, edges: CallEdges): number {
  let [all, most, caller] = [0, 0, -1];
  for (let edge = 0; edge < edges.length; edge += 1) {
    if (edges.callee[edge] !== slot || edges.caller[edge] === slot) continue;
    const change = Math.abs(Number(edges.cumulative[edge] - edges.baseCumulative[edge]));
    all += change;
    if (change <= most) continue;
    [most, caller] = [change, edges.caller[edge]];
  }
  return most >= callerShareMin * all ? caller : -1;
}
