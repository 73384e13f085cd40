// Tests that `go tool pprof` opens our pprof files, and shows the same as for the original files.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { ProfileSamples } from '../../agent/profile/profile-samples.ts';
import { openContent } from '../../src/formats/gzip.ts';
import { encodePprof, type PprofMeta } from '../../src/formats/pprof/encode.ts';
import { ProfileBuilder } from '../../src/ingest/profile-builder.ts';
import { Dictionary } from '../../src/model/dictionary.ts';
import type { MergedStacks } from '../../src/model/merged-stacks.ts';
import { testTool } from '../support/tools.ts';

const testdata = new URL('../../src/formats/pprof/testdata/', import.meta.url);
let folder: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'go-tool-pprof-'));
});

after(() => rm(folder, { recursive: true }));

/** Returns the lines of `-top` after its header, for one sample type. */
async function top(path: string, sampleType: string, more: string[] = []): Promise<string[]> {
  const limits = ['-nodecount=100000', '-nodefraction=0'];
  const options = [`-sample_index=${sampleType}`, ...limits, ...more];
  const { stdout } = await promisify(execFile)(
    testTool('TEST_GO'),
    ['tool', 'pprof', '-top', ...options, '-symbolize=none', path],
    { env: { ...process.env, PPROF_TMPDIR: folder } },
  );
  const lines = stdout.split('\n');
  const header = lines.findIndex((line) => line.includes('flat%'));
  assert.ok(header > 0, stdout);
  // Lines with equal flat and cumulative values have no fixed order.
  return lines
    .slice(header + 1)
    .map((line) => line.replace(/ +[\d.]+% +/, ' '))
    .sort();
}

/** Reads the value type at `index` of a real profile through our dictionary. */
async function readProfile(
  name: string,
  index: number,
): Promise<{ dictionary: Dictionary; merged: MergedStacks; meta: PprofMeta }> {
  const upload = await readFile(new URL(`${name}.pb.gz`, testdata));
  const dictionary = new Dictionary([1, 2, 3]);
  const profile = new ProfileBuilder(dictionary).build(openContent(upload), {
    series: { name: 'any', labels: [] },
    keepSampleTypes: [],
    receivedNanos: 0n,
    timeNanos: undefined,
    areFileAddresses: false,
    samplesMax: 0,
  });
  assert.ok(profile !== undefined);
  const merged: MergedStacks = {
    stacks: profile.stacks.slice(0, profile.rowCount),
    values: profile.values[index].slice(0, profile.rowCount),
  };
  const meta = {
    sampleType: profile.sampleTypes[index],
    periodType: profile.periodType,
    period: profile.period,
    timeNanos: profile.timeNanos,
    durationNanos: profile.durationNanos,
  };
  return { dictionary, merged, meta };
}

const cases = [
  ['go-cpu', 'samples', 0],
  ['go-cpu', 'cpu', 1],
  ['go-heap', 'alloc_space', 1],
  ['go-heap', 'inuse_objects', 2],
] as const;

for (const [name, sampleType, index] of cases) {
  test(`${name}, ${sampleType}: top of ours is top of the original`, async () => {
    const path = join(folder, `${name}-${sampleType}.pb.gz`);
    const { dictionary, merged, meta } = await readProfile(name, index);
    await writeFile(path, gzipSync(encodePprof(dictionary, [{ labels: [], merged }], meta)));
    const original = fileURLToPath(new URL(`${name}.pb.gz`, testdata));
    const lines = await top(path, sampleType);
    assert.ok(lines.length > 50);
    assert.deepEqual(lines, await top(original, sampleType));
  });
}

test('a file of the agent with times of samples opens as one without them', async () => {
  const paths = [false, true].map((withTimes) => {
    const samples = new ProfileSamples();
    const frame = { buildId: '', address: 0n, fileName: 'a.c', startLine: 1, line: 2 };
    for (const functionName of ['work', 'idle', 'work']) {
      const stack = samples.addStack([{ ...frame, mapping: 'app', functionName }]);
      samples.add(stack, [{ name: 'cpu', value: '0' }], withTimes ? 1_500_000_000n : undefined);
    }
    const type = { type: 'cpu', unit: 'nanoseconds' };
    const head = { sampleType: { type: 'samples', unit: 'count' }, periodType: type, period: 1n };
    const bytes = samples.encode({ ...head, timeNanos: 1_000_000_000n, durationNanos: 1n });
    return { path: join(folder, `agent-${withTimes}.pb.gz`), bytes };
  });
  for (const { path, bytes } of paths) await writeFile(path, gzipSync(bytes));
  assert.ok(paths[1].bytes.length > paths[0].bytes.length);
  const lines = await top(paths[1].path, 'samples');
  assert.equal(lines.filter((line) => /work|idle/.test(line)).length, 2);
  assert.deepEqual(lines, await top(paths[0].path, 'samples'));
});

for (const [name, sampleType, index] of cases) {
  test(`${name}, ${sampleType}: a diff of ours is what -diff_base makes of both sides`, async () => {
    const { dictionary, merged, meta } = await readProfile(name, index);
    // In the base of the comparison, some stacks have larger values, some have smaller values, and
    // some are missing.
    const { stacks } = merged;
    const values = merged.values.map((value, i) => [value, 0n, value * 3n, value / 2n][i % 4]);
    const base = { stacks, values };
    const sidePath = (side: string): string => join(folder, `${name}-${sampleType}-${side}.pb.gz`);
    await writeFile(
      sidePath('own'),
      gzipSync(encodePprof(dictionary, [{ labels: [], merged }], meta)),
    );
    await writeFile(
      sidePath('base'),
      gzipSync(encodePprof(dictionary, [{ labels: [], merged: base }], meta)),
    );
    await writeFile(
      sidePath('diff'),
      gzipSync(encodePprof(dictionary, [{ labels: [], merged, base }], meta)),
    );
    const lines = await top(sidePath('diff'), sampleType);
    assert.ok(lines.some((line) => line.includes('-')));
    const diffBase = [`-diff_base=${sidePath('base')}`];
    assert.deepEqual(lines, await top(sidePath('own'), sampleType, diffBase));
  });
}
