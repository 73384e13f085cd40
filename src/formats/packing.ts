// Detects compression by the first bytes, and recognizes content that is not a profile.
import { isText } from './is-text.ts';

/** Compression that can be removed; `skippable` is a frame without content. */
export type Packing = 'gzip' | 'zstd' | 'lz4' | 'zlib' | 'skippable';

/** A compression, or the reason why the bytes cannot be read. */
export type PackingKind = { readonly packing: Packing } | { readonly why: string } | undefined;

/**
 * Maximum number of layers of compression that are removed: a compressed file may be compressed
 * again when it is served or sent.
 */
export const packingLayersMax = 3;

interface Magic {
  /** First bytes; -1 matches any byte. */
  readonly bytes: readonly number[];
  readonly kind: PackingKind;
}

const ascii = (text: string): number[] => Array.from(text, (letter) => letter.charCodeAt(0));
const remedy = 'decompress it first';

const magics: readonly Magic[] = [
  { bytes: [0x1f, 0x8b], kind: { packing: 'gzip' } },
  { bytes: [0x28, 0xb5, 0x2f, 0xfd], kind: { packing: 'zstd' } },
  { bytes: [0x04, 0x22, 0x4d, 0x18], kind: { packing: 'lz4' } },
  { bytes: [0x02, 0x21, 0x4c, 0x18], kind: { why: `it is an old LZ4 frame; ${remedy}` } },
  { bytes: [0x1f, 0x9d], kind: { why: `it is compressed by compress (.Z); ${remedy}` } },
  { bytes: [...ascii('BZh'), -1, 0x31, 0x41, 0x59, 0x26], kind: packedBy('bzip2') },
  { bytes: [0xfd, ...ascii('7zXZ'), 0], kind: packedBy('xz') },
  { bytes: [0x5d, 0, 0, -1, -1, 0xff, 0xff], kind: packedBy('LZMA') },
  { bytes: [0xff, 6, 0, 0, ...ascii('sNaPpY')], kind: packedBy('Snappy') },
  { bytes: [...ascii('PK'), 3, 4], kind: { why: `it is a ZIP archive; send the files in it` } },
  {
    bytes: [...ascii('7z'), 0xbc, 0xaf],
    kind: { why: `it is a 7z archive; send the files in it` },
  },
  { bytes: [0x7f, ...ascii('ELF')], kind: { why: 'it is a program (ELF), not a profile' } },
  {
    bytes: ascii('PERFILE2'),
    kind: { why: "it is perf's own file; send the output of `perf script`" },
  },
  {
    bytes: ascii('SIMPLEPERF'),
    kind: { why: "it is simpleperf's own file; send the output of its report_sample.py" },
  },
  {
    bytes: ascii('JAVA PROFILE 1.0'),
    kind: { why: 'it is a heap dump of a JVM (hprof), not a profile' },
  },
  {
    bytes: ascii('Nettrace'),
    kind: { why: 'it is a trace of .NET; use `dotnet-trace convert --format speedscope`' },
  },
  { bytes: ascii('SQLite format 3'), kind: { why: 'it is an SQLite database, not a profile' } },
  { bytes: ascii('PAR1'), kind: { why: 'it is a Parquet file, not a profile' } },
  { bytes: ascii('ARROW1'), kind: { why: 'it is an Arrow file, not a profile' } },
  { bytes: [0x89, ...ascii('PNG')], kind: { why: 'it is a PNG picture, not a profile' } },
  { bytes: ascii('%PDF'), kind: { why: 'it is a PDF document, not a profile' } },
];

/**
 * Returns the compression that the first bytes indicate, or the reason why such a file cannot be
 * read; undefined for unknown content.
 */
export function detectPacking(bytes: Uint8Array): PackingKind {
  const first = bytes[0];
  for (const magic of magics) {
    if (magic.bytes[0] === first && startsWith(bytes, magic.bytes)) return magic.kind;
  }
  if (isSkippableFrame(bytes)) return { packing: 'skippable' };
  return isZlib(bytes) ? { packing: 'zlib' } : undefined;
}

function packedBy(name: string): PackingKind {
  return { why: `it is compressed by ${name}; ${remedy}` };
}

function startsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, i) => byte === -1 || bytes[i] === byte);
}

/** Returns true for a zstd or LZ4 frame that readers must skip. */
export function isSkippableFrame(bytes: Uint8Array): boolean {
  return bytes[0] >> 4 === 5 && startsWith(bytes.subarray(1), [0x2a, 0x4d, 0x18]);
}

/** Checks for zlib's header of two bytes. Text that begins with x may look like one. */
function isZlib(bytes: Uint8Array): boolean {
  return bytes[0] === 0x78 && (bytes[0] * 256 + bytes[1]) % 31 === 0 && !isText(bytes);
}
