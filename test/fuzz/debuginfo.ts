// Reads damaged debug information, store entries, saved names, source archives, source maps and
// answers of the symbolizer with the parsers of the server and the agent. Prints counts as JSON, or
// how to repeat a failure.
//
// Use: node test/fuzz/debuginfo.ts <first seed> <CPU seconds for each target> [target]; a seed is
// 100 inputs.
import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { extractDebuginfo } from '../../agent/debuginfo/extract.ts';
import { crc32c } from '../../src/base/crc32c.ts';
import { AppError } from '../../src/base/errors.ts';
import { createFakeClock } from '../../src/base/fake/clock.ts';
import { MemoryFiles } from '../../src/base/fake/memory-files.ts';
import type { File, Files } from '../../src/base/files.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { noMetrics } from '../../src/base/metrics.ts';
import { readDemanglerModule } from '../../src/base/node/demangler-module.ts';
import { type Random, randomBelow, seededRandom } from '../../src/base/random.ts';
import { newEntry, parseEntry, printEntry } from '../../src/debuginfo/entry.ts';
import { inspectElf, noQuality } from '../../src/debuginfo/quality.ts';
import { packSources } from '../../src/sources/pack-sources.ts';
import { SourceArchives } from '../../src/sources/source-archives.ts';
import { makeTar } from '../../src/sources/testing/make-tar.ts';
import { WasmDemangler } from '../../src/symbolize/demangle/wasm-demangler.ts';
import { readAlternateName } from '../../src/symbolize/debug-link.ts';
import { resolveByDwarf } from '../../src/symbolize/dwarf/dwarf-resolver.ts';
import { readSplitEntries, readSplitUnits } from '../../src/symbolize/dwarf/split-units.ts';
import { readElf, readSection, bytesSource } from '../../src/symbolize/elf-file.ts';
import { GoLineTable } from '../../src/symbolize/go-line-table.ts';
import { readDisassembly } from '../../src/symbolize/disassembler.ts';
import { readGoBuild } from '../../src/symbolize/go-build-info.ts';
import { NameFiles } from '../../src/symbolize/name-files.ts';
import { finishAtOnce } from '../../src/base/pacer.ts';
import { decodeAnswer } from '../../src/symbolize/program-resolver.ts';
import { SourceMap } from '../../src/symbolize/source-map/source-map.ts';
import { resolveByTables } from '../../src/symbolize/table-resolver.ts';
import { makeElf, makeNote, makeSymbols } from '../../src/symbolize/testing/make-elf.ts';
import {
  makeGoBuild,
  makeGoModules,
  makeGoProgram,
  makeOldGoProgram,
} from '../../src/symbolize/testing/make-go-build.ts';
import { harmlessFile, hostileAddress } from '../support/hostile/hostile-elf.ts';
import { sharedFile, sharingFile, splitAddress, splitFile } from '../support/hostile/split-elf.ts';
import { withinCpuTime } from './cpu-time.ts';

/** Signal of a caller that never disconnects. */
const unending = new AbortController().signal;

const inputsPerSeed = 100;
const millisMax = 250;
/**
 * Maximum memory of this process, including everything that the parsers allocate; it starts with
 * 100 MB.
 */
const memoryBytesMax = 400 * 1024 ** 2;
/**
 * Maximum number of bytes of garbage after which the garbage is collected, so that it does not
 * count as memory of the next input.
 */
const garbageBytesMax = 200 * 1024 ** 2;
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const expectedCodes: ReadonlySet<string> = new Set([
  'invalid-argument',
  'data-loss',
  'resource-exhausted',
]);

interface Target {
  /** Makes an input. */
  make(random: Random): Uint8Array;
  /** Reads the input; throws AppError. Any other error is a bug. */
  read(bytes: Uint8Array, random: Random): unknown;
}

const buildId = '0102030405060708';
const mangledNames = [
  '_ZNSt6vectorIiSaIiEE9push_backERKi',
  '_ZZNSt8__detail9_CompilerINSt7__cxx1112regex_traitsIcEEE6_M_tryEvENKUlcE_clEc.isra.0',
  '_ZN4core3fmt5Write9write_str17h0123456789abcdefE',
  '_RINvNtC3std3mem8align_ofINtNtC5alloc3vec3VechEEC3foo',
];
/** Answer of the disassembler. */
const codeAnswer = [
  'F\t1000\t1010\tmain',
  'I\t1000\te800000000\tloop+0x4\t3\t/src/a.c\tcall    0x1006',
  'C\t10',
  'W\tno function is known at 0x2000',
  '',
].join('\n');
const demangler = new WasmDemangler(readDemanglerModule());
const address = 0x40_1000;

/** Makes a file with one section of each type that is read. */
function makeFile(random: Random, lineTable: Uint8Array): Uint8Array {
  const symbols = Array.from({ length: 20 }, (_, i) => ({
    name: '_'.repeat(i % 3) + `function${i}`,
    address: address + 16 * i,
    size: 16 * randomBelow(random, 2),
    binding: randomBelow(random, 3),
  }));
  const text = new TextEncoder().encode('some text of a section '.repeat(9));
  const isZstd = randomBelow(random, 2) === 1;
  const header = new Uint8Array(24);
  const view = new DataView(header.buffer);
  view.setUint32(0, isZstd ? 2 : 1, true);
  view.setBigUint64(8, BigInt(text.length), true);
  const packed = Buffer.concat([header, isZstd ? zstdCompressSync(text) : deflateSync(text)]);
  const module = new Uint8Array(8 * 60);
  const words = new DataView(module.buffer);
  words.setBigUint64(8, 0x50_0000n, true);
  for (const word of [21, 23]) words.setBigUint64(8 * word, BigInt(address), true);
  for (const word of [39, 41]) words.setBigUint64(8 * word, 0x50_0000n, true);
  return makeElf([
    {
      name: '.note.gnu.build-id',
      type: 7,
      content: makeNote('GNU', 3, Buffer.from(buildId, 'hex')),
    },
    { name: '.text', type: 1, flags: 6, address, content: new Uint8Array(512) },
    ...makeSymbols(randomBelow(random, 2) === 0 ? '.symtab' : '.dynsym', 3, symbols),
    { name: '.debug_info', type: 1, flags: 0x800, content: packed },
    { name: '.gopclntab', type: 1, address: 0x50_0000, content: lineTable },
    { name: '.noptrdata', type: 1, address: 0x60_0000, content: module },
  ]);
}

/** Makes a Go line table with the header of one of Go's versions, followed by small numbers. */
function makeLineTable(random: Random): Uint8Array {
  const bytes = new Uint8Array(256 + randomBelow(random, 512));
  const view = new DataView(bytes.buffer);
  for (let i = 72; i < bytes.length; i += 1) {
    bytes[i] = randomBelow(random, 3) === 0 ? randomBelow(random, 256) : randomBelow(random, 24);
  }
  const magics = [0xfffffffb, 0xfffffffa, 0xfffffff0, 0xfffffff1];
  view.setUint32(0, magics[randomBelow(random, 4)], true);
  bytes[6] = 1;
  bytes[7] = randomBelow(random, 8) === 0 ? 4 : 8;
  for (let word = 0; word < 8; word += 1) {
    const isCount = word < 2;
    const value = isCount ? 1 + randomBelow(random, 6) : 64 + randomBelow(random, bytes.length);
    view.setBigUint64(8 + 8 * word, BigInt(value), true);
  }
  return bytes;
}

/** Returns a copy of the bytes in which some are changed, cut off or repeated. */
function damaged(bytes: Uint8Array, random: Random): Uint8Array {
  const changed = bytes.slice();
  const interesting = [0, 1, 0x7f, 0x80, 0xff, 0xfe];
  for (let count = randomBelow(random, 6); count > 0; count -= 1) {
    // Headers have only a small part of the bytes, so every other change is made in a header.
    const isHeader = randomBelow(random, 2) === 0;
    const from = isHeader ? Math.max(0, changed.length - 64 * 10) : 0;
    const at = from + randomBelow(random, Math.max(1, changed.length - from));
    const width = 1 << randomBelow(random, 4);
    const value = interesting[randomBelow(random, interesting.length)];
    const isRandom = randomBelow(random, 3) === 0;
    for (let i = at; i < Math.min(at + width, changed.length); i += 1) {
      changed[i] = isRandom ? random.uint32() : value;
    }
  }
  if (randomBelow(random, 10) > 0) return changed;
  return changed.slice(0, randomBelow(random, changed.length + 1));
}

function readOnlyFiles(bytes: Uint8Array): Files {
  const { size, read } = { size: bytes.length, read: bytesSource(bytes).read };
  const file: Pick<File, 'size' | 'read' | 'close'> = {
    size: async () => size,
    read: async (into, offset) => {
      const found = await read(offset, into.length);
      into.set(found);
      return found.length;
    },
    close: async () => undefined,
  };
  return { open: async () => file } as unknown as Files;
}

/** Looks up addresses in a file with split or shared DWARF. */
async function resolveAll(files: Readonly<Record<string, Uint8Array>>): Promise<void> {
  const addresses = Array.from({ length: 50 }, (_, i) => splitAddress + 7 * i);
  const alternatePath = 'other' in files ? 'other' : undefined;
  const open: Pick<Files, 'open'> = {
    open: (path, options) => readOnlyFiles(files[path]).open(path, options),
  };
  const request = { dwarfPath: 'file', alternatePath, addresses };
  const { frames } = await resolveByDwarf(open as Files, request, (name) => name);
  if (frames.every((calls) => calls.length === 0)) throw new AppError('data-loss', 'no names');
}

/** Makes an answer in the format of native/symbolizer/src/wire.rs. */
function makeAnswer(random: Random, count: number): Uint8Array {
  const numbers: number[] = [];
  const texts = ['main', 'a.c', ''];
  for (let i = 0; i < count; i += 1) {
    const frames = randomBelow(random, 3);
    numbers.push(1 | (frames << 16));
    for (let frame = 0; frame < frames; frame += 1) {
      numbers.push(...[0, 1, 2, 3, 4, 5].map(() => randomBelow(random, texts.length)));
    }
  }
  const words = Uint32Array.of(0x4d59_5350, 0, count, texts.length, ...numbers);
  const strings = texts.map((text) => {
    const bytes = new TextEncoder().encode(text);
    return Buffer.concat([new Uint8Array(Uint32Array.of(bytes.length).buffer), bytes]);
  });
  return new Uint8Array(Buffer.concat([new Uint8Array(words.buffer), ...strings]));
}

/** Makes saved names in the format of name-files.ts; half of them have correct checksums. */
function makeNames(random: Random): Uint8Array {
  const header = { tag: 't', buildId, generation: 1, savedAtMillis: 5 };
  const texts = ['main', '_Z4mainv', 'a.c'];
  const calls = Array.from({ length: 4 }, () =>
    Array.from({ length: 6 * randomBelow(random, 3) }, () => randomBelow(random, 3)),
  );
  const batch = { addresses: [1, 2, 3, 4], texts, calls, notes: ['n'], failed: [0], reason: '' };
  const isSealed = randomBelow(random, 2) === 0;
  const lines = [header, batch, batch].map((value, i) => {
    const whole = new TextEncoder().encode(JSON.stringify(value));
    // A damaged header usually makes the rest unreadable, so headers are damaged less often.
    const isDamaged = isSealed && (i > 0 || randomBelow(random, 8) === 0);
    const text = isDamaged ? damaged(whole, random) : whole;
    const checksum = crc32c(text).toString(16).padStart(8, '0');
    return Buffer.concat([Buffer.from(`${checksum} `), text, Buffer.from('\n')]);
  });
  const bytes = new Uint8Array(Buffer.concat(lines));
  return isSealed ? bytes : damaged(bytes, random);
}

/** Opens a folder with one file of names, and loads them. */
async function readNames(bytes: Uint8Array): Promise<void> {
  const files = new MemoryFiles(seededRandom(1));
  await files.makeDirectory('/names');
  const file = await files.open(`/names/${buildId}.names`, { create: true });
  await file.append(bytes);
  await file.close();
  const names = await NameFiles.open({
    path: '/names',
    files,
    clock: createFakeClock(1_000),
    logger: silentLogger,
    metrics: noMetrics,
    digest: (text: string) => text,
    tag: 't',
  });
  const { frames } = await names.load(buildId, 1);
  await names.stop();
  if (frames.size === 0) throw new AppError('data-loss', 'there are no names');
}

function makeSourceMap(random: Random): Uint8Array {
  const digits = 'AAACCDEGKgBoC;;,,,,';
  const mappings = Array.from(
    { length: randomBelow(random, 400) },
    () => digits[randomBelow(random, digits.length)],
  ).join('');
  const map = {
    version: 3,
    file: 'b.js',
    sources: ['a.ts', null, 'c.ts'],
    names: ['f', 'main'],
    sourcesContent: ['function main() { f(() => 1); }\n', null],
    mappings,
  };
  const sections = [{ offset: { line: randomBelow(random, 9), column: 0 }, map }];
  const isSplit = randomBelow(random, 3) === 0;
  const text = JSON.stringify(isSplit ? { version: 3, sections } : map);
  return damaged(new TextEncoder().encode(text), random);
}

/** Makes a source archive, plain or compressed; in half of the cases, its content is damaged. */
function makeArchive(random: Random): Uint8Array {
  const members = Array.from({ length: 1 + randomBelow(random, 4) }, (_, i) => ({
    path: `${['src', './src', '/usr/src', '..'][randomBelow(random, 4)]}/file${i}.c`,
    content: 'int main;\n'.repeat(randomBelow(random, 60)),
    ...(randomBelow(random, 8) === 0 && { type: 'SymbolicLink' as const, linkpath: 'main.c' }),
  }));
  const isInside = randomBelow(random, 2) === 0;
  const plain = isInside ? damaged(makeTar(members), random) : makeTar(members);
  const kind = randomBelow(random, 3);
  const packed = kind === 0 ? plain : kind === 1 ? gzipSync(plain) : zstdCompressSync(plain);
  return isInside ? packed : damaged(packed, random);
}

/** Packs an archive as the server packs an uploaded one, and reads one of its files. */
async function readArchive(bytes: Uint8Array): Promise<void> {
  const files = new MemoryFiles(seededRandom(1));
  const file = await files.open('/archive', { create: true });
  await file.append(bytes);
  await file.close();
  const limits = { bytesMax: 1_000_000, membersMax: 100, fileBytesMax: 10_000 };
  await packSources(files, '/archive', '/packed', unending, limits);
  const archives = new SourceArchives({ files, clock: createFakeClock() }, () => '/packed');
  await archives.readSource(buildId, 'src/file0.c', unending);
}

const targets: Readonly<Record<string, Target>> = {
  elf: {
    make: (random) => damaged(makeFile(random, makeLineTable(random)), random),
    async read(bytes) {
      const elf = await readElf(bytesSource(bytes));
      const failures: unknown[] = [];
      for (const section of elf.sections) {
        await readSection(elf, section, 1 << 20).catch((error: unknown) => failures.push(error));
      }
      for (const failure of failures) if (!(failure instanceof AppError)) throw failure;
    },
  },
  extract: {
    make: (random) => damaged(makeFile(random, makeLineTable(random)), random),
    async read(bytes) {
      const file = await extractDebuginfo(await readElf(bytesSource(bytes)));
      let length = 0;
      for await (const piece of file?.pieces() ?? []) length += piece.length;
      assert.equal(length, file?.size ?? 0);
    },
  },
  archive: { make: makeArchive, read: readArchive },
  quality: {
    make: (random) => damaged(makeFile(random, makeLineTable(random)), random),
    read: (bytes) => inspectElf(bytesSource(bytes), buildId, 'gnu'),
  },
  tables: {
    make: (random) => damaged(makeFile(random, makeLineTable(random)), random),
    read: (bytes, random) => {
      const asked = Array.from({ length: 50 }, () => address + randomBelow(random, 400));
      return resolveByTables(readOnlyFiles(bytes), 'file', asked, (name) => name);
    },
  },
  dwarf: {
    make: (random) => damaged(harmlessFile(), random),
    read: (bytes, random) => {
      const asked = Array.from({ length: 50 }, () => hostileAddress + randomBelow(random, 1 << 12));
      const request = { dwarfPath: 'file', alternatePath: undefined, addresses: asked };
      return resolveByDwarf(readOnlyFiles(bytes), request, (name) => name);
    },
  },
  splitDwarf: {
    make: (random) => damaged(splitFile(), random),
    read: (bytes) => resolveAll({ file: bytes }),
  },
  sharingDwarf: {
    make: (random) => damaged(sharingFile(), random),
    read: (bytes) => resolveAll({ file: bytes, other: sharedFile() }),
  },
  sharedDwarf: {
    make: (random) => damaged(sharedFile(), random),
    read: (bytes) => resolveAll({ file: sharingFile(), other: bytes }),
  },
  linkToShared: {
    make: (random) => damaged(sharingFile(), random),
    read: async (bytes) => readAlternateName(await readElf(bytesSource(bytes))),
  },
  goBuild: {
    make(random) {
      const modules = makeGoModules('mod\tgithub.com/a/b\tv1\nbuild\tvcs.revision=0123\n');
      const isOld = randomBelow(random, 2) === 0;
      const made = isOld
        ? makeOldGoProgram('go1.17', modules)
        : makeGoProgram(makeGoBuild('go1.22', modules));
      return damaged(made, random);
    },
    read: async (bytes) => readGoBuild(await readElf(bytesSource(bytes))),
  },
  disassembly: {
    make: (random) => damaged(new TextEncoder().encode(codeAnswer), random),
    read: (bytes) => readDisassembly(new TextDecoder().decode(bytes)),
  },
  splitUnits: {
    make: (random) => damaged(splitFile(), random),
    async read(bytes) {
      const elf = await readElf(bytesSource(bytes));
      try {
        const [unit] = await readSplitUnits(elf, bytes.length);
        if (unit !== undefined) await readSplitEntries(elf, unit, bytes.length);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        throw new AppError('data-loss', error.message);
      }
    },
  },
  demangle: {
    make(random) {
      const name = mangledNames[randomBelow(random, mangledNames.length)];
      return damaged(new TextEncoder().encode(name), random);
    },
    read(bytes) {
      const name = new TextDecoder().decode(bytes);
      for (const mode of ['simple', 'full'] as const) demangler.demangle(name, mode);
    },
  },
  goLineTable: {
    make: (random) => damaged(makeLineTable(random), random),
    read(bytes, random) {
      const tables = [
        { index: 2, tree: 3 },
        { index: 2, tree: 4 },
      ][randomBelow(random, 2)];
      const rest = { start: 64 * randomBelow(random, 2), tables };
      const data =
        randomBelow(random, 2) === 0 ? undefined : { bytes: makeLineTable(random), ...rest };
      const table = new GoLineTable(bytes, true, 0, data);
      for (let i = 0; i < 50; i += 1) table.framesAt(randomBelow(random, 1 << 10));
    },
  },
  entry: {
    make(random) {
      const file = { name: 'ab.debuginfo.1', bytes: 5, hash: 'h', quality: noQuality };
      const entry = { ...newEntry(buildId, 'debuginfo'), generation: 1, refusedHashes: ['a'] };
      const whole = { ...entry, file: { ...file, uploadedAtMillis: 7 } };
      return damaged(printEntry(randomBelow(random, 2) === 0 ? entry : whole), random);
    },
    read: (bytes) => parseEntry(bytes, 'entry'),
  },
  names: { make: makeNames, read: readNames },
  sourceMap: {
    make: makeSourceMap,
    read(bytes, random) {
      const map = new SourceMap(bytes);
      for (let i = 0; i < 50; i += 1) {
        const place = { line: randomBelow(random, 20), column: randomBelow(random, 60) };
        const found = map.findOriginal(place);
        if (found !== undefined) map.sourceText(found.fileName);
      }
    },
  },
  answer: {
    make: (random) => damaged(makeAnswer(random, 10), random),
    read: (bytes) => finishAtOnce(decodeAnswer(bytes, 10)),
  },
};

const [firstSeed, secondsEach] = process.argv.slice(2, 4).map(Number);
const only = process.argv[4];
const names = Object.keys(targets).filter((name) => only === undefined || name === only);
const counts = Object.fromEntries(
  names.flatMap((name) => [
    [name, 0],
    [`${name} read`, 0],
  ]),
);
process.exitCode = (await runAll()) ? 0 : 1;
process.stdout.write(`${JSON.stringify(counts)}\n`);

/** Runs each target for its time, with at least one seed; returns false at the first failure. */
async function runAll(): Promise<boolean> {
  for (const name of names) {
    const endMicros = process.cpuUsage().user + 1e6 * secondsEach;
    let seed = firstSeed;
    do {
      if (!(await runSeed(name, seed))) return false;
      seed += 1;
    } while (process.cpuUsage().user < endMicros);
  }
  return true;
}

async function runSeed(name: string, seed: number): Promise<boolean> {
  if (process.memoryUsage.rss() > garbageBytesMax) collectGarbage();
  const random = seededRandom(seed * 15_485_863);
  for (let i = 0; i < inputsPerSeed; i += 1) {
    const bytes = targets[name].make(random);
    try {
      await withinCpuTime(millisMax, () => check(name, bytes, random));
      const { maxRSS } = process.resourceUsage();
      assert.ok(maxRSS * 1024 <= memoryBytesMax, `${maxRSS} KiB of memory`);
    } catch (error) {
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
      process.stderr.write(`${name} ${i}: ${Buffer.from(bytes).toString('base64')}\n`);
      process.stderr.write(`repeat it: node test/fuzz/debuginfo.ts ${seed} 0 ${name}\n`);
      return false;
    }
    counts[name] += 1;
  }
  return true;
}

async function check(name: string, bytes: Uint8Array, random: Random): Promise<void> {
  try {
    await targets[name].read(bytes, random);
    counts[`${name} read`] += 1;
  } catch (error) {
    assert.ok(error instanceof AppError, error instanceof Error ? error.stack : String(error));
    assert.ok(expectedCodes.has(error.code), `${error.code}: ${error.message}`);
  }
}
