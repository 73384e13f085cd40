// Recognizes retries of profiles that are already in an older head or a block.
import { AppError } from '../../base/errors.ts';
import type { Head } from '../head/head.ts';
import type { Part } from '../part.ts';
import type { Commit } from '../wal/epoch.ts';
import type { PendingProfile } from '../wal/profiles-record.ts';
import type { PartList } from './part-list.ts';

/** The parts that are older than a given head. */
interface OlderParts {
  /** Version of the part list from which the parts come. */
  readonly version: number;
  /** Id of the head. */
  readonly head: string;
  readonly parts: readonly Part[];
  /** Latest time of a profile in these parts; undefined without profiles. */
  readonly latestNanos: bigint | undefined;
}

/**
 * Looks up profiles in older parts. Most profiles are later than all profiles in older parts, and
 * do not have to be looked up. Compaction decides how long blocks keep the hashes by which retries
 * are recognized.
 */
export class RetryFilter {
  readonly #parts: PartList<Part>;
  #known: OlderParts | undefined;

  constructor(parts: PartList<Part>) {
    this.#parts = parts;
  }

  /**
   * Returns the profiles of a commit without those that an older part has. Looks up profiles again
   * only if the list of parts has changed.
   *
   * Errors: I/O errors. The filter assumes that a lost part does not have the profile.
   */
  async withoutRetries(commit: Commit): Promise<readonly PendingProfile[]> {
    const { version } = this.#parts;
    if (commit.checkedVersion === version) return commit.profiles;
    commit.checkedVersion = version;
    const older = this.#olderThan(commit.epoch.part.id);
    const { latestNanos } = older;
    if (latestNanos === undefined) return commit.profiles;
    if (commit.profiles.every(({ timeNanos }) => timeNanos > latestNanos)) return commit.profiles;
    return withoutStored(commit, older.parts);
  }

  /** Releases the parts, which may have been replaced. */
  forget(): void {
    this.#known = undefined;
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

async function withoutStored(
  { profiles, epoch }: Commit,
  parts: readonly Part[],
): Promise<readonly PendingProfile[]> {
  const asked = parts.filter((part) => profiles.some(({ timeNanos }) => covers(part, timeNanos)));
  // The parts are pinned, because a block may be replaced or removed while it is read.
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

/**
 * Returns true if one of the parts has the profile. Reads the parts one by one, so that no read is
 * still running after an error.
 */
async function isStored(
  head: Head,
  { ref, timeNanos, contentHash }: PendingProfile,
  parts: readonly Part[],
): Promise<boolean> {
  for (const part of parts) {
    if (!covers(part, timeNanos)) continue;
    if (await part.has(head.readKey(ref), timeNanos, contentHash).catch(answerOfLost)) return true;
  }
  return false;
}

function covers({ range }: Part, timeNanos: bigint): boolean {
  return range !== undefined && range.from <= timeNanos && timeNanos <= range.to;
}

/**
 * Returns false for a damaged part, because queries do not show its profiles either. Throws if the
 * disk fails: the commit then fails, and its retry is recognized later.
 */
function answerOfLost(error: unknown): boolean {
  if (error instanceof AppError && error.code === 'data-loss') return false;
  throw error;
}
