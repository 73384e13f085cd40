// What reports are made of, kept: another trim, zoom or report of it needs no tree.
import { LeastRecent } from '../../base/least-recent.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import type { ReportParts } from './build-report.ts';
import type { ReportHead } from '../interface.ts';

/** Stacks as they are shown, their sums, and their tree where a report has asked for it. */
export interface PreparedReport {
  /** Without what is searched for. */
  readonly head: ReportHead;
  readonly parts: ReportParts;
  /** Dictionaries that others hold, too; that of the parts may be one of its own. */
  readonly shared: readonly Dictionary[];
}

/** What reports are made of: the number of a merge, or a dictionary. */
type Origin = number | Dictionary;

interface Kept {
  readonly prepared: PreparedReport;
  readonly madeOf: readonly Origin[];
  readonly bytes: number;
}

/** What it takes besides columns: objects, and a name for it; about. */
const preparedBytes = 4_000;

/**
 * Prepared reports by name, up to a number of bytes; what was not used for longest goes first, and
 * all that is made of something goes with it.
 */
export class KeptReports {
  readonly #kept: LeastRecent<Kept>;

  constructor(bytesMax: number) {
    this.#kept = new LeastRecent(bytesMax, ({ bytes }) => bytes);
  }

  get usedBytes(): number {
    return this.#kept.weight;
  }

  get(name: string): PreparedReport | undefined {
    return this.#kept.get(name)?.prepared;
  }

  /** Keeps it as it is now, if it has a tree: what else it has is quickly made again. */
  put(name: string, merges: readonly number[], prepared: PreparedReport): void {
    const treeBytes = prepared.parts.tree.usedBytes;
    if (treeBytes === 0) return;
    const bytes = treeBytes + bytesBesideTree(prepared) + name.length;
    this.#kept.put(name, { prepared, madeOf: [...merges, ...prepared.shared], bytes });
  }

  /** Lets go of all that is made of it. */
  forget(origin: Origin): void {
    // Each is looked at once, so that their order stays.
    for (const name of this.#kept.names()) {
      if (this.#kept.get(name)?.madeOf.includes(origin) === true) this.#kept.remove(name);
    }
  }
}

function bytesBesideTree({ parts: { dictionary, groups }, shared }: PreparedReport): number {
  const buffers = new Set<ArrayBufferLike>();
  for (const { merged, base } of groups) {
    for (const { stacks, values } of base === undefined ? [merged] : [merged, base]) {
      buffers.add(stacks.buffer).add(values.buffer);
    }
  }
  let bytes = preparedBytes + ownBytesOf(dictionary, shared);
  for (const { byteLength } of buffers) bytes += byteLength;
  return bytes;
}

/** Bytes of tables that are in none of the shared dictionaries. */
function ownBytesOf(dictionary: Dictionary, shared: readonly Dictionary[]): number {
  if (shared.includes(dictionary)) return 0;
  const { usedBytes, strings, functions, mappings } = dictionary;
  const isOverlay = shared.some((one) => one.strings === strings);
  return isOverlay
    ? usedBytes - strings.usedBytes - functions.usedBytes - mappings.usedBytes
    : usedBytes;
}
