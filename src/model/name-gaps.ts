// Names that are missing from an answer. The values of the answer are complete nevertheless.
import { baseName } from './file-path.ts';

/** Addresses of one binary that have no names for the same reason. */
export interface AddressGap {
  /** Path of the binary; "" if unknown. */
  readonly binary: string;
  readonly buildId: string;
  /** Reason why names are missing; "" while they are being looked up. */
  readonly why: string;
  readonly count: number;
}

/** Reason why lines of a binary are missing although it has DWARF. */
export type LineGap = Omit<AddressGap, 'count'>;

export interface NameGaps {
  readonly addresses: readonly AddressGap[];
  readonly lines: readonly LineGap[];
  /** Number of bundle lines and mangled names that are being looked up. */
  readonly pendingLines: number;
}

export const noNameGaps: NameGaps = { addresses: [], lines: [], pendingLines: 0 };

/** Returns true if some names are still being looked up. */
export function areNamesPending({ addresses, pendingLines }: NameGaps): boolean {
  return pendingLines > 0 || addresses.some(({ why }) => why === '');
}

/**
 * Combines the gaps of several answers. The sides of a report mostly have the same addresses, so
 * for each binary and reason, the larger number is used.
 */
export function joinNameGaps(all: readonly NameGaps[]): NameGaps {
  if (all.length === 1) return all[0];
  const addresses = new Map<string, AddressGap>();
  const lines = new Map<string, LineGap>();
  let pendingLines = 0;
  for (const gaps of all) {
    for (const gap of gaps.addresses) {
      const known = addresses.get(gapKey(gap));
      if (known === undefined || known.count < gap.count) addresses.set(gapKey(gap), gap);
    }
    for (const gap of gaps.lines) lines.set(gapKey(gap), gap);
    pendingLines = Math.max(pendingLines, gaps.pendingLines);
  }
  return { addresses: [...addresses.values()], lines: [...lines.values()], pendingLines };
}

/**
 * Returns true for a sentence of `nameGapSentences`; other sentences are about missing profiles.
 */
export function isAboutNames(sentence: string): boolean {
  return /^(the name|names|lines) of /.test(sentence);
}

/** Returns at most one sentence about names and one sentence about lines. */
export function nameGapSentences({ addresses, lines, pendingLines }: NameGaps): string[] {
  const sentences = addresses.length > 0 ? [addressSentence(addresses)] : [];
  if (pendingLines > 0 && addresses.every(({ why }) => why !== '')) {
    sentences.push(`${formatNames(pendingLines, 'line')} being looked up`);
  }
  return lines.length > 0 ? [...sentences, lineSentence(lines)] : sentences;
}

function addressSentence(gaps: readonly AddressGap[]): string {
  const all = largestFirst(gaps);
  const pendingCount = countAddresses(all.filter(({ why }) => why === ''));
  const lasting = all.filter(({ why }) => why !== '');
  const subject = formatNames(countAddresses(all), 'address', formatBinaries(all));
  if (lasting.length === 0) return `${subject} being looked up`;
  const still = `; ${grouped(pendingCount)} of them ${pluralVerb(pendingCount)} being looked up`;
  return `${subject} missing${whyMissing(all, lasting)}${pendingCount > 0 ? still : ''}`;
}

/**
 * Returns the reason that applies to most of the addresses. If there are several binaries, also
 * names the binary with this reason.
 */
function whyMissing(all: readonly AddressGap[], lasting: readonly AddressGap[]): string {
  const [most] = lasting;
  const isOnly = lasting.length === 1;
  if (binaryCount(all) === 1) return isOnly ? ` (${most.why})` : ` (most: ${most.why})`;
  return isOnly
    ? ` (in ${formatBinary(most)}: ${most.why})`
    : `; the most in ${formatBinary(most)} (${most.why})`;
}

function lineSentence(gaps: readonly LineGap[]): string {
  const [first] = gaps.toSorted(
    (a, b) => compare(formatBinary(a), formatBinary(b)) || compare(a.why, b.why),
  );
  const why = gaps.length === 1 ? first.why : `${formatBinary(first)}: ${first.why}`;
  return `lines of ${formatBinaries(gaps)} are missing (${why})`;
}

/** Returns the gaps in an order that does not depend on the order of profiles. */
function largestFirst(gaps: readonly AddressGap[]): AddressGap[] {
  return gaps.toSorted(
    (a, b) =>
      b.count - a.count || compare(formatBinary(a), formatBinary(b)) || compare(a.why, b.why),
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function countAddresses(gaps: readonly AddressGap[]): number {
  return gaps.reduce((sum, { count }) => sum + count, 0);
}

function binaryCount(gaps: readonly LineGap[]): number {
  return new Set(gaps.map(({ buildId }) => buildId)).size;
}

/** Returns the name of the only binary, or the number of binaries. */
function formatBinaries(gaps: readonly LineGap[]): string {
  const count = binaryCount(gaps);
  return count === 1 ? formatBinary(gaps[0]) : `${grouped(count)} binaries`;
}

const buildIdLengthShown = 16;

function formatBinary({ binary, buildId }: LineGap): string {
  const name = baseName(binary);
  if (name !== '') return name;
  const isLong = buildId.length > buildIdLengthShown;
  return `build id ${isLong ? `${buildId.slice(0, buildIdLengthShown)}...` : buildId}`;
}

function formatNames(count: number, what: 'address' | 'line', where = ''): string {
  const place = where === '' ? '' : ` in ${where}`;
  const things = what === 'address' ? 'addresses' : 'lines';
  const subject = count === 1 ? `the name of 1 ${what}` : `names of ${grouped(count)} ${things}`;
  return `${subject}${place} ${pluralVerb(count)}`;
}

function pluralVerb(count: number): string {
  return count === 1 ? 'is' : 'are';
}

function grouped(count: number): string {
  return count.toLocaleString('en-US');
}

function gapKey({ buildId, why }: LineGap): string {
  return `${buildId} ${why}`;
}
