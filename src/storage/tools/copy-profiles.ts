// Copies profiles that share a dictionary to another store, and checks that they have arrived.
import type { Dictionary } from '../../model/dictionary.ts';
import type { IncomingProfile, Storage, TimeRange } from '../interface.ts';
import { BatchWriter } from './batch-writer.ts';
import { ExpectedTotals } from './expected-totals.ts';

/** Profiles to copy: the profiles of a block, or of one hour of another store. */
export interface CopySource {
  /** Name for messages. */
  readonly name: string;
  /** Range that contains the times of all profiles. */
  readonly range: TimeRange;
  readonly dictionary: Dictionary;
  /** Profiles, whose stacks and labels are rows of the dictionary. */
  readonly profiles: AsyncIterable<IncomingProfile>;
}

/** Outcome of a copy. */
export interface CopiedProfiles {
  readonly profileCount: number;
  readonly rowCount: number;
  /** Sentences about profiles that did not arrive. */
  readonly missing: readonly string[];
}

/**
 * Copies all profiles. A copy that was interrupted can be repeated, because the target recognizes a
 * profile by its series, time and content. After copying, checks that each profile is in the target
 * and has the same total for each sample type.
 *
 * Errors: those of the target, and of reading the profiles.
 */
export async function copyProfiles(
  { name, range, dictionary, profiles }: CopySource,
  target: Pick<Storage, 'appender' | 'querier'>,
): Promise<CopiedProfiles> {
  const expected = new ExpectedTotals();
  const writer = new BatchWriter(target, dictionary);
  let profileCount = 0;
  for await (const profile of profiles) {
    profileCount += 1;
    expected.add(profile);
    await writer.add(profile);
  }
  await writer.flush();
  const missing = await expected.compare(target, range, name);
  return { profileCount, rowCount: writer.rowCount, missing };
}
