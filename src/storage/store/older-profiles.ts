// Recognizes retries of what an earlier head or a block has.
import { AppError } from '../../base/errors.ts';
import type { Commit } from '../wal/epoch.ts';
import type { Head } from '../head/head.ts';
import type { Part } from '../part.ts';
import type { PartList } from './part-list.ts';
import type { PendingProfile } from '../wal/profiles-record.ts';

/** The parts in which a retry for one head may be found. */
interface OlderParts {
  readonly version: number;
  readonly head: string;
  readonly parts: readonly Part[];
  /** The latest time that any of them has. */
  readonly latestNanos: bigint | undefined;
}

/**
 * Asks older parts, but only for profiles that are not later than everything in them: a fleet's
 * profiles are, as a rule. Compaction decides how long blocks recognize retries.
 */
export class OlderProfiles {
  readonly #parts: PartList<Part>;
  #known: OlderParts | undefined;

  constructor(parts: PartList<Part>) {
    this.#parts = parts;
  }

  /**
   * The commit's profiles without those that an older part has. It is asked again only when the
   * list of parts has changed since the last time.
   */
  notStored(commit: Commit): readonly PendingProfile[] | Promise<readonly PendingProfile[]> {
    const { version } = this.#parts;
    if (commit.checkedVersion === version) return commit.profiles;
    commit.checkedVersion = version;
    const older = this.#olderThan(commit.epoch.part.id);
    const { latestNanos } = older;
    if (latestNanos === undefined) return commit.profiles;
    if (commit.profiles.every(({ timeNanos }) => timeNanos > latestNanos)) return commit.profiles;
    return this.#withoutStored(commit, older.parts);
  }

  /** Lets go of parts that may be gone. */
  forget(): void {
    this.#known = undefined;
  }

  async #withoutStored(
    { profiles, epoch }: Commit,
    parts: readonly Part[],
  ): Promise<readonly PendingProfile[]> {
    const asked = parts.filter((part) => profiles.some(({ timeNanos }) => covers(part, timeNanos)));
    // A block may be replaced or removed while it is read.
    const releases = asked.map((part) => part.pin());
    try {
      const fresh: PendingProfile[] = [];
      for (const profile of profiles) {
        if (!(await isStored(epoch.head, profile, asked))) fresh.push(profile);
      }
      return fresh;
    } finally {
      for (const release of releases) release();
    }
  }

  #olderThan(head: string): OlderParts {
    const { version, heads, blocks } = this.#parts;
    if (this.#known?.version === version && this.#known.head === head) return this.#known;
    const parts: Part[] = [...blocks];
    for (const part of heads) {
      if (part.id === head) break;
      parts.push(part);
    }
    let latestNanos: bigint | undefined;
    for (const { range } of parts) {
      if (range && (latestNanos === undefined || range.to > latestNanos)) latestNanos = range.to;
    }
    this.#known = { version, head, parts, latestNanos };
    return this.#known;
  }
}

/** Asks one part after the other: none is read any more when an error is told. */
async function isStored(
  head: Head,
  { ref, timeNanos, contentHash }: PendingProfile,
  parts: readonly Part[],
): Promise<boolean> {
  for (const part of parts) {
    if (!covers(part, timeNanos)) continue;
    if (await part.has(head.keyOf(ref), timeNanos, contentHash).catch(answerOfLost)) return true;
  }
  return false;
}

function covers({ range }: Part, timeNanos: bigint): boolean {
  return range !== undefined && range.from <= timeNanos && timeNanos <= range.to;
}

/**
 * Of a part that is lost: what is in it is not shown either. While the disk does not answer, the
 * commit fails, and is recognized when it is tried again.
 */
function answerOfLost(error: unknown): boolean {
  if (error instanceof AppError && error.code === 'data-loss') return false;
  throw error;
}
