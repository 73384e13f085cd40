// Programs of the generated fleet: binaries with functions, locations and stacks.
import { type Random, randomBelow } from '../../src/base/random.ts';

/** A line of a location: function and line number. */
export interface FleetLine {
  readonly functionIndex: number;
  readonly line: number;
}

export interface FleetLocation {
  readonly address: number;
  /** Innermost first. */
  readonly lines: readonly FleetLine[];
}

export interface FleetFunction {
  readonly name: string;
  readonly file: string;
  readonly startLine: number;
}

/** A program, or the runtime that all programs share. */
export interface FleetBinary {
  readonly path: string;
  readonly buildId: string;
  readonly functions: readonly FleetFunction[];
  readonly locations: readonly FleetLocation[];
}

/**
 * Number of a frame: location * 2, plus 1 if the location is in the program instead of the shared
 * runtime.
 */
export type FleetFrame = number;

/** A program with its stacks, leaf first. */
export interface FleetProgram {
  readonly binary: FleetBinary;
  readonly stacks: readonly (readonly FleetFrame[])[];
}

export interface Universe {
  readonly runtime: FleetBinary;
  readonly programs: readonly FleetProgram[];
}

const functionsPerBinary = 1_000;
const filesPerBinary = 250;
const locationsPerBinary = 2_500;
const stacksPerBinary = 2_500;
const inlinedShare = 0.12;
const runtimeShare = 0.25;
const meanDepth = 31.8;
/** Mean number of frames that a stack does not share with the stack it branches off from. */
const meanNewNodes = 8.7;

/** Builds the symbols of a fleet; depends only on the generator's state. */
export function createUniverse(random: Random, programCount = 20): Universe {
  const runtime = createBinary(random, 'runtime', '/usr/lib/libruntime.so.3');
  const programs = Array.from({ length: programCount }, (_, i) => ({
    binary: createBinary(random, `service${i}`, `/usr/local/bin/service-${i}`),
    stacks: createStacks(random),
  }));
  return { runtime, programs };
}

const words = (
  'accept batch buffer cache client codec collect commit compact config context cursor decode ' +
  'dispatch encode engine entry event export fetch filter flush frame gather handler header index ' +
  'ingest iterator journal ledger limit listener lookup manager marshal merge message metric node ' +
  'object packet parser payload planner pool process query queue reader record registry render ' +
  'replica request resolver response router scanner schema segment server session shard signal ' +
  'snapshot socket sorter storage stream symbol table ticket token topic tracker transport tree'
).split(' ');

function word(random: Random): string {
  return words[randomBelow(random, words.length)];
}

function title(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function createBinary(random: Random, name: string, path: string): FleetBinary {
  const files = Array.from({ length: filesPerBinary }, () => {
    const folder = `github.com/example/${name}/${word(random)}/${word(random)}`;
    return { folder, file: `${folder}/${word(random)}.go`, type: title(word(random)) };
  });
  const functions = Array.from({ length: functionsPerBinary }, (_, i) => {
    const { folder, file, type } = files[randomBelow(random, filesPerBinary)];
    return {
      name: `${folder}.(*${type}).${title(word(random))}${title(word(random))}${i}`,
      file,
      startLine: 10 + randomBelow(random, 2_000),
    };
  });
  let address = 0x401000;
  const line = (): FleetLine => {
    const functionIndex = randomBelow(random, functionsPerBinary);
    return { functionIndex, line: functions[functionIndex].startLine + randomBelow(random, 80) };
  };
  const locations = Array.from({ length: locationsPerBinary }, () => {
    address += 16 + randomBelow(random, 4_000);
    const inlined = random.uint32() / 2 ** 32 < inlinedShare;
    return { address, lines: inlined ? [line(), line()] : [line()] };
  });
  const buildId = Array.from({ length: 5 }, () =>
    random.uint32().toString(16).padStart(8, '0'),
  ).join('');
  return { path, buildId, functions, locations };
}

/** Creates stacks; each branches off an earlier stack, a few frames above the leaf. */
function createStacks(random: Random): FleetFrame[][] {
  const stacks: FleetFrame[][] = [];
  for (let i = 0; i < stacksPerBinary; i += 1) {
    const own = 1 + randomBelow(random, Math.round(meanNewNodes * 2) - 1);
    const depth = Math.max(own, Math.round(meanDepth / 2 + randomBelow(random, meanDepth + 1)));
    // Some trunks, such as a server's accept loop, have many more stacks than others.
    const trunk = i === 0 ? [] : stacks[Math.floor(i * (random.uint32() / 2 ** 32) ** 4)];
    const shared = trunk.slice(Math.max(0, trunk.length - (depth - own)));
    const fresh = Array.from({ length: depth - shared.length }, () => frame(random));
    stacks.push([...fresh, ...shared]);
  }
  return stacks;
}

function frame(random: Random): FleetFrame {
  const inProgram = random.uint32() / 2 ** 32 >= runtimeShare;
  // Some callees have many callers, especially in the runtime.
  const skewed = (random.uint32() / 2 ** 32) ** (inProgram ? 1.6 : 4);
  return Math.floor(locationsPerBinary * skewed) * 2 + (inProgram ? 1 : 0);
}
