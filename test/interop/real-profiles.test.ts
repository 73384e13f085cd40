// Tests profiles of real programs: our tables, merges, diffs and filters match those of `go tool
// pprof`.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { encodeProfile } from '../../src/api/query/report-encodings.ts';
import { MemoryFiles } from '../../src/base/fake/memory-files.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { noMetrics } from '../../src/base/metrics.ts';
import { createClock } from '../../src/base/node/clock.ts';
import { seededRandom } from '../../src/base/random.ts';
import { createIngester } from '../../src/ingest/ingester.ts';
import type { StringIndex } from '../../src/model/rows.ts';
import { formatProfileType, type ProfileType } from '../../src/model/profile-type.ts';
import type { ProfileSelector, Report } from '../../src/query/interface.ts';
import type { ReportKind } from '../../src/query/report-kinds.ts';
import { wholeHistory } from '../../src/query/plan/select.ts';
import { createEngine } from '../../src/query/testing/ask.ts';
import type { FrameCriteria } from '../../src/report/stacks/frame-criteria.ts';
import { plainView, type StackView } from '../../src/report/stacks/stack-view.ts';
import type { Top } from '../../src/report/top.ts';
import { openStore } from '../../src/storage/store/open-store.ts';
import type { Storage } from '../../src/storage/interface.ts';
import { startExample, type Language } from '../support/example-targets.ts';
import { testTool } from '../support/tools.ts';

const shared = { clock: createClock(), metrics: noMetrics, logger: silentLogger };
const caller = { signal: new AbortController().signal };
/** The two sides of a comparison: the base, and the profiles compared with it. */
const takes = ['base', 'own'] as const;
/**
 * Profiles that are compared: the program, its endpoint, a sample type, and the unit as `go tool
 * pprof` abbreviates it.
 */
const subjects = [
  { name: 'go', endpoint: 'profile', sampleType: 'cpu', unit: 'ns' },
  { name: 'go', endpoint: 'heap', sampleType: 'alloc_space', unit: 'B' },
  { name: 'rust', endpoint: 'profile', sampleType: 'cpu', unit: 'ns' },
  { name: 'node', endpoint: 'profile', sampleType: 'wall', unit: 'ns' },
  { name: 'node', endpoint: 'heap', sampleType: 'inuse_space', unit: 'B' },
] as const;
type Subject = (typeof subjects)[number];

let folder: string;
let storage: Storage;

before(
  async () => {
    folder = await mkdtemp(join(tmpdir(), 'real-profiles-'));
    const random = seededRandom(1);
    const files = new MemoryFiles(random);
    storage = await openStore({ path: '/data', files, random, ...shared });
    for (const language of ['go', 'rust', 'node'] as const) await takeProfiles(language);
  },
  { timeout: 480_000 },
);

after(async () => {
  await storage.close();
  await rm(folder, { recursive: true });
});

function profilePath({ name, endpoint }: Pick<Subject, 'name' | 'endpoint'>, take: string): string {
  return join(folder, `${name}-${endpoint}-${take}.pb.gz`);
}

/** Takes profiles of a program, stores them, and writes them to files unchanged. */
async function takeProfiles(language: Language): Promise<void> {
  const target = await startExample(language);
  try {
    const endpoints = subjects.filter(({ name }) => name === language);
    for (const take of takes) {
      for (const subject of endpoints) {
        const { endpoint } = subject;
        // With `seconds`, Go returns the difference of two heap profiles.
        const seconds = endpoint === 'profile' ? '?seconds=1' : '';
        const url = `http://${target.address}/debug/pprof/${endpoint}${seconds}`;
        const profile = new Uint8Array(await (await fetch(url)).arrayBuffer());
        await writeFile(profilePath(subject, take), profile);
        const labels = Object.entries({ __name__: profileName(subject), take });
        const series = labels.map(([name, value]) => ({ name, value }));
        await createIngester({ storage, ...shared }).write([{ labels: series, profile }]);
      }
    }
  } finally {
    await target.stop();
  }
}

function profileName({ name, endpoint }: Pick<Subject, 'name' | 'endpoint'>): string {
  return `${name}_${endpoint}`;
}

async function findType(subject: Subject): Promise<ProfileType> {
  const types = await storage.querier.profileTypes(wholeHistory);
  const found = types.find(
    (one) => one.name === profileName(subject) && one.sample.type === subject.sampleType,
  );
  assert.ok(found, types.map(formatProfileType).join(' '));
  return found;
}

/** Queries both sides of a subject, one side, or the difference. */
async function ask(
  subject: Subject,
  report: ReportKind,
  of: 'both' | 'diff' | (typeof takes)[number],
  view: Partial<StackView> = {},
  stages = '',
): Promise<Report> {
  const type = formatProfileType(await findType(subject));
  const merge = (take: string): ProfileSelector => ({
    mode: 'merge',
    query: `${type}{take=~"${take}"}${stages}`,
    range: wholeHistory,
  });
  const select =
    of === 'diff'
      ? ({ mode: 'diff', base: merge('base'), compared: merge('own'), baseScale: 'none' } as const)
      : merge(of === 'both' ? '.*' : of);
  const untrimmed = { nodeTrimFraction: 0, rootTrimFraction: 0, groupBy: [] };
  const question = { select, report, ...untrimmed, view: { ...plainView, ...view } };
  return createEngine(storage.querier).report(question, caller);
}

interface Row {
  readonly flat: string;
  readonly cumulative: string;
}

/** Returns the values by function name that `go tool pprof -top` prints for files. */
async function pprofTop(
  { sampleType, unit }: Subject,
  paths: readonly string[],
  more: readonly string[] = [],
): Promise<Map<string, Row>> {
  const limits = ['-nodecount=1000000', '-nodefraction=0', '-edgefraction=0', `-unit=${unit}`];
  const options = ['-top', `-sample_index=${sampleType}`, ...limits, ...more];
  const { stdout } = await promisify(execFile)(
    testTool('TEST_GO'),
    ['tool', 'pprof', ...options, '-symbolize=none', ...paths],
    { env: { ...process.env, PPROF_TMPDIR: folder }, maxBuffer: 1 << 26 },
  );
  const rows = new Map<string, Row>();
  for (const line of stdout.slice(stdout.indexOf('flat%')).split('\n').slice(1)) {
    const cells = /^ *(\S+) +\S+% +\S+% +(\S+) +\S+% +(.*?)(?: \((?:partial-)?inline\))?$/.exec(
      line,
    );
    if (cells === null) continue;
    const [flat, cumulative] = cells.slice(1, 3).map((cell) => cell.replace(unit, ''));
    rows.set(cells[3], { flat, cumulative });
  }
  return rows;
}

/** Returns the rows of our table in the same form. */
function topRows({ rowCount, dictionary, name, flat, cumulative }: Top): Map<string, Row> {
  return new Map(
    Array.from({ length: rowCount }, (_, row) => {
      const text = dictionary.strings.text(name[row] as StringIndex);
      return [text, { flat: `${flat[row]}`, cumulative: `${cumulative[row]}` }];
    }),
  );
}

/** Leaves out functions whose values are equal on both sides, which only our tables list. */
function withoutZeros(rows: ReadonlyMap<string, Row>): Map<string, Row> {
  return new Map(
    [...rows].filter(([, { flat, cumulative }]) => flat !== '0' || cumulative !== '0'),
  );
}

async function ourTop(
  subject: Subject,
  view: Partial<StackView> = {},
  stages = '',
): Promise<Map<string, Row>> {
  const report = await ask(subject, 'top', 'both', view, stages);
  assert.ok(report.kind === 'top');
  return topRows(report.top);
}

/** Exports a report as a pprof file, and reads it with `go tool pprof`. */
async function exportedTop(
  subject: Subject,
  of: 'both' | 'diff',
  view: Partial<StackView> = {},
): Promise<Map<string, Row>> {
  const report = await ask(subject, 'profile', of, view);
  assert.ok(report.kind === 'profile');
  const path = profilePath(subject, `exported-${of}`);
  await writeFile(path, await encodeProfile(report));
  return pprofTop(subject, [path]);
}

for (const subject of subjects) {
  const title = `${subject.name}, ${subject.endpoint}, ${subject.sampleType}`;

  test(`${title}: two profiles merged`, async () => {
    const want = await pprofTop(
      subject,
      takes.map((take) => profilePath(subject, take)),
    );
    assert.ok(want.size >= 3, [...want.keys()].join('\n'));
    assert.deepEqual(await ourTop(subject), want);
    assert.deepEqual(await exportedTop(subject, 'both'), want);
  });

  test(`${title}: one compared with the other`, async () => {
    const [base, own] = takes.map((take) => profilePath(subject, take));
    const want = await pprofTop(subject, [own], [`-diff_base=${base}`]);
    assert.deepEqual(await pprofTop(subject, [own], [`-base=${base}`]), want);
    assert.deepEqual(await exportedTop(subject, 'diff'), want);
    const report = await ask(subject, 'top', 'diff');
    assert.ok(report.kind === 'top');
    const { flatDiff, cumulativeDiff } = report.top;
    assert.ok(flatDiff && cumulativeDiff);
    const got = topRows({ ...report.top, flat: flatDiff, cumulative: cumulativeDiff });
    assert.deepEqual(withoutZeros(got), withoutZeros(want));
  });

  test(`${title}: focus, ignore, hide and show`, async () => {
    const paths = takes.map((take) => profilePath(subject, take));
    // Takes functions at all positions: roots, middle frames, leaves.
    const all = [...(await ourTop(subject)).keys()];
    // Our filters ignore case, as in crc32.Update and crc32.update; pprof's patterns do not.
    const spellings = Map.groupBy(all, (name) => name.toLowerCase());
    const isAlone = (name: string): boolean => spellings.get(name.toLowerCase())?.length === 1;
    const names = all.filter((name) => name !== '' && isAlone(name));
    const chosen = names.filter((_, i) => i % Math.ceil(names.length / 3) === 0);
    for (const name of chosen) {
      const pattern = `^${name.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)}$`;
      const equal = { operator: 'equal', isNegated: false, texts: [name] } as const;
      const is: FrameCriteria = { functionName: equal };
      const isNot: FrameCriteria = { functionName: { ...equal, isNegated: true } };
      const views: readonly (readonly [string, Partial<StackView>])[] = [
        ['focus', { stackFilters: [is] }],
        ['ignore', { stackFilters: [isNot] }],
        ['hide', { frameFilters: [isNot] }],
        ['show', { frameFilters: [is] }],
      ];
      for (const [option, view] of views) {
        const want = await pprofTop(subject, paths, [`-${option}=${pattern}`]);
        assert.deepEqual(await ourTop(subject, view), want, `${option} ${name}`);
        const stage = `| ${option} ${JSON.stringify(pattern)}`;
        assert.deepEqual(await ourTop(subject, {}, stage), want, stage);
        assert.deepEqual(await exportedTop(subject, 'both', view), want, `${option} ${name}`);
      }
    }
  });
}
