// Reads the build information of a Go program from its section .go.buildinfo, which stripped
// programs have, too.
//
// The section begins with a magic number and flags. Since Go 1.18, two strings begin at offset 32:
// the version of Go, and the modules. Each string follows its length, which is a varint. Before Go
// 1.18, the section has the addresses of two string headers (address and length). Source:
// debug/buildinfo in Go.
import type { GoBuild } from '../model/go-build.ts';
import {
  type ElfFile,
  Fields,
  findSection,
  hasBytes,
  isCompressed,
  readSection,
  segmentTypeLoad,
} from './elf-file.ts';
import { goBuildInfoBytesMax, goBuildTextLengthMax } from './limits.ts';

const magic = '\u00ff Go buildinf:';
const flagBigEndian = 1;
const flagInline = 2;
/** Offset of the strings since Go 1.18. */
const inlineStart = 32;
/** Number of marker bytes before and after the list of modules, which debuggers search for. */
const sentinelBytes = 16;

/**
 * Reads the build information; undefined if there is none, or if it cannot be read.
 *
 * Errors: those of the source; AppError 'invalid-argument' and 'resource-exhausted' for a section
 * that is cut off or too large.
 */
export async function readGoBuild(elf: ElfFile): Promise<GoBuild | undefined> {
  const section = findSection(elf, '.go.buildinfo');
  if (section === undefined) return undefined;
  const bytes = await readSection(elf, section, goBuildInfoBytesMax);
  if (bytes.length < inlineStart || latin1(bytes.subarray(0, magic.length)) !== magic) {
    return undefined;
  }
  const flags = bytes[15];
  const texts =
    (flags & flagInline) !== 0
      ? readInline(bytes)
      : await readPointed(elf, bytes, bytes[14], (flags & flagBigEndian) === 0);
  if (texts === undefined) return undefined;
  const [goVersion, modules] = texts;
  return parseModules(toText(goVersion), toText(withoutSentinels(modules)));
}

type Texts = readonly [version: Uint8Array, modules: Uint8Array];

function readInline(bytes: Uint8Array): Texts | undefined {
  const version = readCounted(bytes, inlineStart);
  const modules = version && readCounted(bytes, version.end);
  return modules && [version.content, modules.content];
}

/** Reads a varint and as many bytes as it says; undefined if they extend past the end. */
function readCounted(
  bytes: Uint8Array,
  start: number,
): { readonly content: Uint8Array; readonly end: number } | undefined {
  let length = 0;
  for (let at = start, shift = 0; at < bytes.length && shift < 35; at += 1, shift += 7) {
    length += (bytes[at] & 0x7f) * 2 ** shift;
    if (bytes[at] >= 0x80) continue;
    const end = at + 1 + length;
    return end > bytes.length ? undefined : { content: bytes.subarray(at + 1, end), end };
  }
  return undefined;
}

async function readPointed(
  elf: ElfFile,
  bytes: Uint8Array,
  pointerBytes: number,
  isLittleEndian: boolean,
): Promise<Texts | undefined> {
  if (pointerBytes !== 4 && pointerBytes !== 8) return undefined;
  const fields = new Fields(bytes, pointerBytes === 8, isLittleEndian);
  const found: Uint8Array[] = [];
  for (const i of [0, 1]) {
    const at = fields.word(sentinelBytes + i * pointerBytes);
    const header = at === 0 ? undefined : await readAddress(elf, at, 2 * pointerBytes);
    if (header === undefined) return undefined;
    const pair = new Fields(header, pointerBytes === 8, isLittleEndian);
    const [address, length] = [pair.word(0), pair.word(pointerBytes)];
    if (length > goBuildInfoBytesMax) return undefined;
    const text = length === 0 ? new Uint8Array(0) : await readAddress(elf, address, length);
    if (text === undefined) return undefined;
    found.push(text);
  }
  return [found[0], found[1]];
}

/**
 * Reads bytes at an address of the program. Sections are searched first, because the offsets in the
 * segments are wrong for files without code.
 */
async function readAddress(
  elf: ElfFile,
  address: number,
  length: number,
): Promise<Uint8Array | undefined> {
  const holds = (start: number, size: number): boolean =>
    address >= start && address + length <= start + size;
  const section = elf.sections.find(
    (one) => hasBytes(one) && one.address > 0 && !isCompressed(one) && holds(one.address, one.size),
  );
  const segment = elf.segments.find(
    ({ type, address: start, fileSize }) => type === segmentTypeLoad && holds(start, fileSize),
  );
  const place = section ?? (elf.sections.length === 0 ? segment : undefined);
  if (place === undefined) return undefined;
  const bytes = await elf.source.read(place.offset + address - place.address, length);
  return bytes.length === length ? bytes : undefined;
}

/**
 * Returns the list of modules without the marker bytes around it; empty if the markers are missing.
 */
function withoutSentinels(modules: Uint8Array): Uint8Array {
  const isText = modules.length > 2 * sentinelBytes && modules.at(-sentinelBytes - 1) === 0x0a;
  return isText ? modules.subarray(sentinelBytes, -sentinelBytes) : new Uint8Array(0);
}

/** Parses lines such as `mod\tPATH\tVERSION\tSUM` and `build\tvcs.revision=COMMIT`. */
function parseModules(goVersion: string, text: string): GoBuild {
  let [module, version] = ['', ''];
  const settings = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [kind, first = '', second = ''] = line.split('\t');
    if (kind === 'mod') [module, version] = [first, second];
    if (kind !== 'build') continue;
    const equals = first.indexOf('=');
    settings.set(first.slice(0, equals), first.slice(equals + 1));
  }
  return {
    goVersion: shortText(goVersion),
    module: shortText(module),
    version: version === '(devel)' ? '' : shortText(version),
    revision: shortText(settings.get('vcs.revision') ?? ''),
    isModified: settings.get('vcs.modified') === 'true',
  };
}

/** Returns the string; "" if it is too long to be useful. */
function shortText(text: string): string {
  return text.length > goBuildTextLengthMax ? '' : text;
}

function toText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
