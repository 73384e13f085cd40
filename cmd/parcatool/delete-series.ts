// The command that deletes series: lists what will be deleted, and asks for confirmation.
import { createInterface } from 'node:readline/promises';
import { AppError } from '../../src/base/errors.ts';
import { counted } from '../../src/base/text/counted.ts';
import { printable } from '../../src/base/printable.ts';
import { invalidFlag } from '../flag-table.ts';
import { field, getJson, readString } from './shared/client.ts';
import type { Output } from './shared/command.ts';
import { type Options, rangeParameters } from './shared/options.ts';

const path = '/api/v1/admin/delete';

/** Deletes the profiles that a selector selects in a range, or only lists them. */
export async function deleteSeries(
  [selector]: readonly string[],
  options: Options,
): Promise<Output> {
  const { client, from, deletes } = options;
  if (from === '' && !deletes.all) {
    throw invalidFlag('delete needs --from, or --all to delete from the beginning of history');
  }
  const asked = { query: selector, ...rangeParameters(options) };
  const found = await getJson(client, path, { ...asked, dry_run: 'true' }, 'POST');
  const counts = readCounts(found);
  if (counts.series === 0) throw new AppError('not-found', `no profiles match ${selector}`);
  const what = formatDeleted(found);
  if (deletes.isDryRun) return printed(`would delete ${what}`, counts, options);
  if (!deletes.yes) await confirm(`delete ${what} for good?`);
  const answer = await getJson(client, path, asked, 'POST');
  const blocks = Number(field(answer, 'blocks'));
  const done = `deleted ${formatDeleted(answer)}, from ${counted(blocks, 'block')}`;
  return printed(done, { ...readCounts(answer), blocks }, options);
}

function readCounts(answer: unknown): { readonly series: number; readonly profiles: number } {
  return { series: Number(field(answer, 'series')), profiles: Number(field(answer, 'profiles')) };
}

/** Formats `2 series, 40 profiles of 2026-11-21T09:00:00Z to 2026-11-21T10:00:00Z`. */
function formatDeleted(answer: unknown): string {
  const { series, profiles } = readCounts(answer);
  const [first, last] = ['first', 'last'].map((name) => readString(field(answer, name)));
  const times = first === last ? first : `${first} to ${last}`;
  const count = `${counted(series, 'series', 'series')}, ${counted(profiles, 'profile')}`;
  return printable(times === '' ? count : `${count} of ${times}`);
}

function printed(text: string, counts: object, { format }: Options): string {
  return format === 'json' ? `${JSON.stringify(counts, undefined, 2)}\n` : `${text}\n`;
}

/**
 * Asks for confirmation in the terminal. Errors: AppError if the user declines, or if there is no
 * terminal.
 */
async function confirm(question: string): Promise<void> {
  if (!process.stdin.isTTY) {
    throw invalidFlag(`delete needs --yes where nobody can answer: ${question}`);
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${question} [y/N] `);
    if (/^y(es)?$/i.test(answer.trim())) return;
  } finally {
    terminal.close();
  }
  throw new AppError('failed-precondition', 'nothing was deleted');
}
