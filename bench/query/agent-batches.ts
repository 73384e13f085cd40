// Simulates the profiles that the agent sends from a busy host: batches with several programs, and
// the programs' binaries.
import {
  Function,
  Line,
  Location,
  Mapping,
  Profile,
  Sample,
  StringTable,
  ValueType,
} from 'pprof-format';
import { seededRandom } from '../../src/base/random.ts';
import { makeElf, makeNote, makeSymbols } from '../../src/symbolize/testing/make-elf.ts';
import { writeRawRequest } from '../../test/support/grpc-client.ts';

/** Number of batches in fifteen minutes. */
export const batchCount = 180;
export const profilesPerBatch = 10;
export const batchNanos = 5_000_000_000n;
const rowsPerProfile = 19;
const [programCount, binaryCount, functionsPerBinary, addressesPerFunction] = [150, 14, 2_000, 2];
/** Number of binaries at the end of the list that are not uploaded. */
export const unknownBinaryCount = 2;
const [depthMin, depthMax, kernelFunctions] = [20, 70, 400];
const random = seededRandom(11);

/** A program or shared library. */
export interface Binary {
  readonly path: string;
  readonly buildId: string;
}

export const binaries: readonly Binary[] = Array.from({ length: binaryCount }, (_, i): Binary => {
  return { path: `/usr/bin/binary-${i}`, buildId: (i + 16).toString(16).repeat(20) };
});

/** A frame: an address in a binary, or a kernel function. */
type Frame =
  | { readonly binary: number; readonly address: number }
  | { readonly kernelFunction: number };

/**
 * Last stack of each program, outermost frame first. The program's next stack starts with the same
 * frames.
 */
const stacks: Frame[][] = Array.from({ length: programCount }, () => []);

/** Returns a number below `count`; small numbers are more likely. */
function skewed(count: number): number {
  return Math.floor(count * (random.uint32() / 2 ** 32) ** 2);
}

function nextStack(program: number): readonly Frame[] {
  const stack = stacks[program];
  const depth = depthMin + (random.uint32() % (depthMax - depthMin));
  stack.length = Math.min(stack.length, random.uint32() % (depth - 3));
  const own = program % binaryCount;
  while (stack.length < depth) {
    // One of five frames is in a shared library, which is the first binary.
    const binary = random.uint32() % 5 === 0 ? 0 : own;
    const place = skewed(functionsPerBinary) * addressesPerFunction;
    const address = 0x1000 + 16 * (place + (random.uint32() % addressesPerFunction));
    stack.push({ binary, address });
  }
  if (random.uint32() % 4 !== 0) return stack;
  const inKernel = Array.from({ length: 8 }, () => ({ kernelFunction: skewed(kernelFunctions) }));
  return [...stack, ...inKernel];
}

/** Encodes the profile of a program in a batch. */
function encodeProfile(program: number, timeNanos: bigint): Uint8Array {
  const stringTable = new StringTable();
  const text = (of: string): number => stringTable.dedup(of);
  const profile = new Profile({
    stringTable,
    sampleType: [new ValueType({ type: text('samples'), unit: text('count') })],
    periodType: new ValueType({ type: text('cpu'), unit: text('nanoseconds') }),
    period: 52_631_578,
    timeNanos,
    durationNanos: Number(batchNanos),
  });
  profile.mapping = binaries.map(({ path, buildId }, i) => {
    const ids = { filename: text(path), buildId: text(buildId) };
    return new Mapping({ id: i + 1, memoryLimit: 0x4000_0000, ...ids });
  });
  const ids = new Map<string, number>();
  const assignId = (frame: Frame): number => {
    const key = JSON.stringify(frame);
    const known = ids.get(key);
    if (known !== undefined) return known;
    const id = ids.size + 1;
    ids.set(key, id);
    if ('kernelFunction' in frame) {
      const name = text(`kernel_function_${frame.kernelFunction}`);
      profile.function.push(new Function({ id, name, systemName: name }));
      profile.location.push(new Location({ id, line: [new Line({ functionId: id })] }));
    } else {
      const { binary, address } = frame;
      profile.location.push(new Location({ id, mappingId: binary + 1, address }));
    }
    return id;
  };
  for (let row = 0; row < rowsPerProfile; row += 1) {
    const locationId = nextStack(program).map(assignId).toReversed();
    profile.sample.push(new Sample({ locationId, value: [1 + (random.uint32() % 2)] }));
  }
  return profile.encode();
}

/** Creates the requests of a batch: some programs are always busy, others only sometimes. */
export function makeBatch(timeNanos: bigint): Uint8Array[] {
  const programs = new Set<number>();
  while (programs.size < profilesPerBatch) programs.add(skewed(programCount));
  return [...programs].map((program) => {
    const labels = { __name__: 'parca_agent', comm: `program-${program}`, node: 'host' };
    return writeRawRequest(labels, encodeProfile(program, timeNanos));
  });
}

/** Returns the ELF file of a binary. */
export function encodeElf({ buildId }: Binary): Uint8Array {
  const note = makeNote('GNU', 3, Uint8Array.from(Buffer.from(buildId, 'hex')));
  const size = 16 * addressesPerFunction;
  const symbols = Array.from({ length: functionsPerBinary }, (_, i) => {
    return { name: `function_${buildId.slice(0, 2)}_${i}`, address: 0x1000 + size * i, size };
  });
  return makeElf([
    { name: '.note.gnu.build-id', type: 7, content: note },
    ...makeSymbols('.symtab', 2, symbols),
  ]);
}
