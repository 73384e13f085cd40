// Benchmarks of chunks: bytes per row, and merging relative to a plain loop over arrays.
//
// `node bench/storage/chunk.bench.ts [chunks]`, with 72,000 rows per chunk; 140 chunks have 10
// million rows.
import { zstdCompressSync, constants } from 'node:zlib';
import { blockPageBytes } from '../../src/storage/limits.ts';
import { ChunkReader, type ChunkSum } from '../../src/storage/chunk/chunk-reader.ts';
import { encodeChunk, type EncodedChunk } from '../../src/storage/chunk/encode-chunk.ts';
import { generateChunks } from '../fleet/chunks.ts';
import { measureInTurns, reportRatio } from '../measure.ts';

/**
 * Number of chunks. It is small, because long turns are more likely to be disturbed by other work.
 */
const chunkCount = Number(process.argv[2] ?? 8);
const { chunks: inputs, rowCount, stackCount } = generateChunks(chunkCount);
const turns = 100;
const encoded = inputs.map((input) => encodeChunk(input));
const chunks = encoded.map((chunk) => ({ ...chunk, ...shared(chunk) }));
const profileCount = chunks.reduce((sum, chunk) => sum + chunk.profileCount, 0);
const reader = new ChunkReader();
/**
 * Totals by stack. All turns use the same array; otherwise the allocator would add new pages in
 * some turns and not in others.
 */
const totals = new BigInt64Array(stackCount);
const totalWords = new Int32Array(totals.buffer);
let kept = 0n;

function shared({ profiles, stacks, rows }: EncodedChunk) {
  const copy = (bytes: Uint8Array): Uint8Array<SharedArrayBuffer> => {
    const view = new Uint8Array(new SharedArrayBuffer(bytes.length));
    view.set(bytes);
    return view;
  };
  return { profiles: copy(profiles), stacks: copy(stacks), rows: copy(rows) };
}

/** Returns the size in bytes of sections of one kind, compressed in pages as in a block. */
function compressed(sections: readonly Uint8Array[]): number {
  const params = { [constants.ZSTD_c_compressionLevel]: 1 };
  let total = 0;
  let page: Uint8Array[] = [];
  let bytes = 0;
  for (const [i, section] of sections.entries()) {
    page.push(section);
    bytes += section.length;
    if (bytes <= blockPageBytes && i + 1 < sections.length) continue;
    total += zstdCompressSync(Buffer.concat(page), { params }).length;
    page = [];
    bytes = 0;
  }
  return total;
}

function plainBytes(sections: readonly Uint8Array[]): number {
  return sections.reduce((sum, { length }) => sum + length, 0);
}

/** Adds each row of the inputs to the total of its stack. */
function scatter(): void {
  totals.fill(0n);
  for (const { stacks, values } of inputs) {
    const valueColumn = values[0];
    for (let i = 0; i < stacks.length; i += 1) totals[stacks[i]] += valueColumn[i];
  }
  kept += totals[1];
}

/** Adds up chunks by stack. Leaves out `cut` profiles at each end, so that rows must be read. */
function merge(cut: number): void {
  totals.fill(0n);
  for (const chunk of chunks) {
    addEntries(reader.sumChunk(chunk, 0, cut, chunk.profileCount - cut));
  }
  kept += totals[1];
}

/**
 * Adds the entries as 32-bit words. For a short loop over a BigInt64Array, V8 may stay with its
 * mid-tier compiler for thousands of calls. The code of that compiler creates a BigInt for each
 * sum, which takes 16 ns per entry instead of 1 to 2 ns. This happens at random, in all turns of a
 * run or in none.
 */
function addEntries({ entryCount, entryStack, sums }: ChunkSum): void {
  const words = new Int32Array(sums.buffer, sums.byteOffset, entryCount * 2);
  for (let i = 0; i < entryCount; i += 1) {
    const at = entryStack[i] * 2;
    const low = (totalWords[at] + words[i * 2]) | 0;
    const carry = low >>> 0 < words[i * 2] >>> 0 ? 1 : 0;
    totalWords[at] = low;
    totalWords[at + 1] += words[i * 2 + 1] + carry;
  }
}

function reportBytes(
  name: string,
  measure: (sections: readonly Uint8Array[]) => number,
  goal: number,
): void {
  const sections = ['profiles', 'stacks', 'rows'] as const;
  const sizes = sections.map(
    (section) => measure(encoded.map((chunk) => chunk[section])) / rowCount,
  );
  const parts = sections.map((section, i) => `${section} ${sizes[i].toFixed(3)}`).join(', ');
  console.log(`bytes a row, ${name}: ${parts}`);
  reportRatio(
    `bytes a row, ${name}`,
    sizes.reduce((a, b) => a + b),
    goal,
    false,
  );
}

console.log(`${rowCount} rows, ${profileCount} profiles, ${inputs.length} chunks`);
reportBytes('plain', plainBytes, 2.3);
reportBytes('zstd-1', compressed, 1);
const merged = measureInTurns(
  [
    { name: 'plain loop', run: scatter },
    { name: 'merge of rows', run: () => merge(1) },
    { name: 'merge of whole chunks', run: () => merge(0) },
  ],
  turns,
  turns / 2,
);
for (const { name, millis, ratio } of merged) {
  console.log(`${name}: ${((millis * 1e6) / rowCount).toFixed(2)} ns a row, ${ratio.toFixed(2)}`);
}
reportRatio('merge of rows to plain loop', merged[1].ratio, 2, false);
const [{ millis: encodeMillis }] = measureInTurns([
  { name: 'encode', run: () => inputs.forEach((input) => encodeChunk(input)) },
]);
console.log(`encoding: ${((encodeMillis * 1e6) / rowCount).toFixed(0)} ns a row`);

if (kept === 0n) console.log('nothing was summed');
