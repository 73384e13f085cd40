// The command that sends profile files to a server, as agents do.
import { readFile } from 'node:fs/promises';
import { formatNanos } from '../../src/api/json/time.ts';
import { type Label, profileNameLabel } from '../../src/model/labels.ts';
import type { ProfileType } from '../../src/model/profile-type.ts';
import { printSelector } from '../../src/promql-like/print.ts';
import { invalidFlag } from '../flag-table.ts';
import { post } from './client.ts';
import type { Output } from './command.ts';
import type { Options } from './options.ts';
import { printable } from './terminal.ts';

/** Profile names that scrapes use, by a type of the profile. */
const nameOfType: ReadonlyMap<string, string> = new Map([
  ['cpu', 'process_cpu'],
  ['inuse_space', 'memory'],
  ['alloc_space', 'memory'],
  ['goroutine', 'goroutine'],
]);

/** Pushes each file as a profile of one series. */
export async function push(paths: readonly string[], options: Options): Promise<Output> {
  if (options.job === '') throw invalidFlag('push needs --job, the name of the program');
  const labels = [{ name: 'job', value: options.job }, ...options.labels.map(readLabel)];
  // Imported here, because other commands need no decoder and store.
  const { loadFiles } = await import('./local/load-files.ts');
  const lines: string[] = [];
  for (const path of paths) {
    const { profileTypes, range } = await loadFiles([{ path }]);
    const name = options.name || nameOf(path, profileTypes);
    const profile = await readFile(path);
    const named = [{ name: profileNameLabel, value: name }, ...labels];
    const sample = { rawProfile: profile.toString('base64') };
    await post(options.client, '/api/profiles/writeraw', {
      series: [{ labels: { labels: named }, samples: [sample] }],
    });
    const matchers = labels.map((label) => ({ ...label, operator: '=' as const }));
    const series = printSelector({ profile: { text: name }, matchers });
    lines.push(printable(`pushed ${path} as ${series}, taken ${formatNanos(range.from)}`));
  }
  return `${lines.join('\n')}\n`;
}

function readLabel(text: string): Label {
  const end = text.indexOf('=');
  if (end > 0) return { name: text.slice(0, end), value: text.slice(end + 1) };
  throw invalidFlag(`--label must be name=value, not ${JSON.stringify(text)}`);
}

function nameOf(path: string, types: readonly ProfileType[]): string {
  const words = types
    .flatMap(({ sample, period }) => [sample.type, period.type])
    .map((word) => word.toLowerCase());
  for (const [word, name] of nameOfType) if (words.includes(word)) return name;
  const known = types.map(({ sample }) => `${sample.type}:${sample.unit}`).join(', ');
  throw invalidFlag(`cannot name the profile ${path} (${known}): set --name, such as mutex`);
}
