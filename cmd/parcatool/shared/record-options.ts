// Parsed flags of `record`.
import { type FlagValues, invalidFlag } from '../../flag-table.ts';

/** Names of recorders. `auto` is the default recorder for the command. */
export const recorderNames = ['auto', 'go', 'node', 'py-spy', 'perf', 'agent'] as const;

/** Largest number of runs of a command, and of samples per second. */
const [runsMax, frequencyMax] = [1_000, 10_000];

export interface RecordOptions {
  readonly runs: number;
  /** Folders in which the command runs in turns, as FOLDER or NAME=FOLDER. */
  readonly folders: readonly string[];
  readonly recorder: string;
  readonly frequencyHz: number;
}

/** Reads the flags. Errors: AppError 'invalid-argument' with the flag. */
export function readRecordOptions(flags: FlagValues): RecordOptions {
  const between = (name: string, max: number): number => {
    const value = flags.count(name);
    if (value >= 1 && value <= max) return value;
    throw invalidFlag(`--${name} must be from 1 to ${max}, not ${value}`);
  };
  return {
    runs: between('runs', runsMax),
    folders: flags.all('folder').filter((folder) => folder !== ''),
    recorder: flags.oneOf('with', recorderNames),
    frequencyHz: between('frequency', frequencyMax),
  };
}
