// Sentences about totals that are not real amounts: sums of states, and sums of values that count
// since the start of a program.
import { counted } from '../base/text/counted.ts';
import { describeTime, type TimeMeaning } from './profile-meaning.ts';
import type { ProfileType } from './profile-type.ts';

/** Profiles that a total adds up. */
export interface AddedProfiles {
  readonly profileCount: number;
  readonly seriesCount: number;
  /** Divisor that turns the total into the average. */
  readonly snapshots: number;
}

/**
 * Returns the sentence about a total; undefined if the total is a real amount: for deltas, or for
 * at most one profile of each series.
 */
export function formatSumNote(
  type: ProfileType,
  { profileCount, seriesCount, snapshots }: AddedProfiles,
): string | undefined {
  const meaning = describeTime(type);
  if (meaning === 'deltas' || profileCount <= seriesCount) return undefined;
  const series = counted(seriesCount, 'series', 'series');
  const added = `${counted(profileCount, 'profile')} of ${series}`;
  const name = `${type.name}:${type.sample.type}`;
  return meaning === 'counts'
    ? `${name} counts since each program started, ${adds} ${added}: for an amount, add | increase`
    : `${name} is what there was at a moment, ${adds} ${added}: ` +
        `divided by ${Number(snapshots.toFixed(3))} snapshots, it is an average`;
}

/**
 * Returns the sentence about the totals of the lines of a graph, whose samples are states;
 * undefined if the totals are real amounts.
 */
export function formatLineNote(
  type: ProfileType,
  added: Omit<AddedProfiles, 'snapshots'>,
): string | undefined {
  const sentence = formatSumNote(type, { ...added, snapshots: 1 });
  const samples = 'samples are what there was at their time';
  return sentence?.replace(/: divided by .*$/, `: ${samples}`);
}

const adds = 'and the total adds up';
const averages = 'and values are averages of';
const noteForm = new RegExp(
  `^\\S+ (?:(counts since)|is what there was).*, (?:${adds}|${averages}) \\d`,
);

/**
 * Turns the sentence about a total into a sentence about averages; undefined if averages are
 * meaningful.
 */
export function formatAveragesNote(sentence: string): string | undefined {
  const meaning = readSumNote(sentence);
  if (meaning === 'states') return undefined;
  return meaning === 'counts' ? sentence.replace(adds, averages) : sentence;
}

/** Describes the values whose sum a sentence is about; undefined for other sentences. */
export function readSumNote(sentence: string): Exclude<TimeMeaning, 'deltas'> | undefined {
  const found = noteForm.exec(sentence);
  if (found === null) return undefined;
  return found[1] === undefined ? 'states' : 'counts';
}
