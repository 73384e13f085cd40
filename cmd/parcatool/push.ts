// The command `push`: sends profile files to a server in the same way as agents.
import { labelsToObject, profileNameLabel } from '../../src/model/labels.ts';
import { printSelector } from '../../src/promql-like/print.ts';
import { printable } from '../../src/base/printable.ts';
import { invalidFlag } from '../flag-table.ts';
import { field, readList, post, readString } from './shared/client.ts';
import type { Output } from './shared/command.ts';
import { readLabelFlag } from './shared/label-flag.ts';
import type { Options } from './shared/options.ts';
import { importLocal, lacksBuildIds } from './files/import-local.ts';
import { readProfile } from './files/read-profile.ts';

/** Pushes files of any format that the server supports, as profiles of one program. */
export async function push(paths: readonly string[], options: Options): Promise<Output> {
  if (options.job === '') throw invalidFlag('push needs --job, the name of the program');
  const labels = [{ name: 'job', value: options.job }, ...options.labels.map(readLabelFlag)];
  const named = options.name === '' ? [] : [{ name: profileNameLabel, value: options.name }];
  const parameters = labelsToObject([...labels, ...named]);
  const matchers = labels.map((label) => ({ ...label, operator: '=' as const }));
  const lines: string[] = [];
  for (const path of paths) {
    const bytes = await readProfile(path);
    const answer = await post(
      options.client,
      '/api/v1/push',
      parameters,
      (await withLocalFacts(bytes)) ?? bytes,
    );
    const note = readString(field(answer, 'note'));
    if (note !== '') lines.push(printable(`${path}: ${note}`));
    for (const profile of readList(field(answer, 'profiles'))) {
      const series = printSelector({
        profile: { text: readString(field(profile, 'name')) },
        matchers,
      });
      const time = readString(field(profile, 'time'));
      const taken = time === '' ? '' : `, taken ${time}`;
      lines.push(printable(`pushed ${path} as ${series}${taken}`));
    }
  }
  return `${lines.join('\n')}\n`;
}

/** Returns a profile with build ids from this machine; undefined for other formats. */
async function withLocalFacts(
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    if (!lacksBuildIds(bytes)) return undefined;
    const { profiles, hasLocalFacts } = await importLocal(bytes);
    return hasLocalFacts ? new Uint8Array(profiles[0].pprof) : undefined;
  } catch {
    // The server reports why the file cannot be read.
    return undefined;
  }
}
