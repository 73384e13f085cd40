// The command `record`: runs a command several times, and writes a profile for each run.
import { mkdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { invalidFlag } from '../flag-table.ts';
import { recordOnce } from './record/record-once.ts';
import { chooseRecorder } from './record/choose-recorder.ts';
import type { Output } from './shared/command.ts';
import type { Options } from './shared/options.ts';

/** A folder in which the command runs, and the name of the files for it. */
interface Place {
  readonly name: string;
  readonly folder: string;
}

/**
 * Runs the command in each folder in turn, so that both sides of a check run under the same
 * conditions. Prints the paths of the profiles. Errors: as in recordOnce.
 */
export async function record(args: readonly string[], options: Options): Promise<Output> {
  const { runs, folders, recorder: name, frequencyHz } = options.record;
  const recorder = chooseRecorder(name, args);
  const places = folders.length === 0 ? [{ name: 'run', folder: '.' }] : folders.map(readPlace);
  const target = options.target || 'profiles';
  await mkdir(target, { recursive: true });
  const written: string[] = [];
  for (let run = 1; run <= runs; run += 1) {
    // The order changes from run to run, so that both sides are affected equally if the machine
    // becomes slower.
    const order = run % 2 === 1 ? places : places.toReversed();
    for (const { name: prefix, folder } of order) {
      const digits = String(run).padStart(String(runs).length, '0');
      const file = join(target, `${prefix}-${digits}.pb.gz`);
      await recordOnce({ args, folder, file, recorder, frequencyHz, variables: process.env });
      written.push(file);
      options.note?.(`wrote ${file}, run ${run} of ${runs}`);
    }
  }
  return written
    .sort()
    .map((file) => `${file}\n`)
    .join('');
}

/** Parses `base=../base`, or a folder, whose name is then used for the files. */
function readPlace(text: string): Place {
  const [, name, folder] = /^([\w.-]+)=(.+)$/.exec(text) ?? [];
  if (name !== undefined) return { name, folder };
  if (text === '') throw invalidFlag('--folder must not be empty');
  return { name: basename(resolve(text)), folder: text };
}
