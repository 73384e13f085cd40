// Tests that the joined answers of several parts equal the answers of a single part with all
// profiles.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../base/errors.ts';
import { Dictionary } from '../../model/dictionary.ts';
import { createMatcher } from '../../model/matcher.ts';
import { formatProfileType } from '../../model/profile-type.ts';
import { readSelection, type ReadSeries } from '../fake/read-selection.ts';
import { query, type Matcher } from '../fake/short-profiles.ts';
import { internSampleLabels, internStack } from '../fake/intern.ts';
import { Head } from '../head/head.ts';
import type { SeriesStore } from '../selection.ts';
import type { Part } from '../part.ts';
import { PartList } from './part-list.ts';
import { PartsQuerier } from './parts-querier.ts';
import { HeadPart } from '../head/head-part.ts';
import { applyProfile } from '../testing/fill-head.ts';

/** A profile of one row, whose content is derived from its time. */
interface Written {
  readonly job: string;
  readonly time: bigint;
  readonly name?: string;
}

function makePart(id: string, seed: number, profiles: readonly Written[]): HeadPart {
  const head = new Head(new Dictionary([seed, seed, seed]), 4096);
  for (const { job, time, name } of profiles) {
    const stack = internStack(head.dictionary, [`at_${time}`, 'main']);
    const rows = [[stack, 0, time]] as const;
    applyProfile(head, { labels: { job }, time, rows, ...(name ? { name } : {}) });
  }
  return new HeadPart(id, head);
}

function createQuerier(parts: readonly Part[]): PartsQuerier {
  const list = new PartList<Part>();
  for (const part of parts) list.addHead(part);
  return new PartsQuerier({ parts: list, onMissing: () => undefined });
}

const profiles: readonly Written[] = [
  { job: 'a', time: 1n },
  { job: 'b', time: 2n },
  { job: 'a', time: 5n, name: 'memory' },
  { job: 'c', time: 7n },
  { job: 'a', time: 8n },
  { job: 'b', time: 3n },
  { job: 'a', time: 4n },
];

const everything = createQuerier([makePart('all', 1, profiles)]);
const split = createQuerier([
  makePart('one', 2, profiles.slice(0, 3)),
  makePart('two', 3, profiles.slice(3, 5)),
  makePart('three', 4, profiles.slice(5)),
]);

test('series of several parts are joined', async () => {
  const read = async (querier: SeriesStore, from: bigint, to: bigint): Promise<ReadSeries[]> =>
    readSelection(await querier.select(query({ from, to })));
  for (const [from, to] of [
    [0n, 9n],
    [1n, 3n],
    [4n, 4n],
    [9n, 9n],
  ] as const) {
    const want = await read(everything, from, to);
    const got = await read(split, from, to);
    assert.deepEqual(new Set(got), new Set(want));
  }
  using selection = await split.select(query({ from: 2n, to: 9n }));
  assert.deepEqual([selection.profileCount, selection.rowCount], [6, 6]);
  const slices = selection.series.map(({ labels, slices: own }) => [
    labels[0].value,
    ...own.map((slice) => slice.digest().firstNanos),
  ]);
  assert.deepEqual(slices, [
    ['b', 2n, 3n],
    ['a', 5n],
    ['c', 7n],
    ['a', 4n, 8n],
  ]);
});

/**
 * Returns a part with profiles of one stream. Each profile has one row, which may have a thread
 * label.
 */
function threadsPart(id: string, profiles: readonly { time: bigint; thread?: string }[]): HeadPart {
  const head = new Head(new Dictionary([1, 1, 1]), 4096);
  for (const { time, thread } of profiles) {
    const labels = thread === undefined ? [] : [['thread', thread] as const];
    const set = labels.length === 0 ? 0 : internSampleLabels(head.dictionary, labels);
    const stack = internStack(head.dictionary, ['main']);
    applyProfile(head, { labels: { job: 'a' }, time, rows: [[stack, set, time]] });
  }
  return new HeadPart(id, head);
}

test('a series has all of its profiles in the range when one row of it satisfies', async () => {
  const all = [
    { time: 1n, thread: 'x' },
    { time: 2n, thread: 'y' },
    { time: 3n },
    { time: 4n, thread: 'x' },
  ];
  const stores = [
    createQuerier([threadsPart('all', all)]),
    createQuerier(all.map((profile, i) => threadsPart(`${i}`, [profile]))),
    createQuerier([threadsPart('a', all.slice(0, 2)), threadsPart('b', all.slice(2))]),
  ];
  const check = async (
    matcher: Matcher,
    [from, to]: readonly [bigint, bigint],
    /** Times of the selected profiles, and values of the matching rows. */
    want: readonly [times: readonly bigint[], values: readonly bigint[]],
  ): Promise<void> => {
    for (const querier of stores) {
      const selection = await querier.select(query({ matchers: [matcher], from, to }));
      assert.equal(selection.profileCount, want[0].length);
      const profiles = (await readSelection(selection)).flatMap((series) => series.profiles);
      const values = profiles.flatMap(({ rows }) => rows.map(({ value }) => value));
      assert.deepEqual([profiles.map(({ timeNanos }) => timeNanos), values], want);
    }
  };
  await check(
    ['thread', '=', 'x'],
    [1n, 4n],
    [
      [1n, 2n, 3n, 4n],
      [1n, 4n],
    ],
  );
  await check(['thread', '=', 'y'], [1n, 4n], [[1n, 2n, 3n, 4n], [2n]]);
  await check(['thread', '=', 'x'], [2n, 3n], [[], []]);
  await check(['thread', '=', 'z'], [1n, 4n], [[], []]);
  await check(
    ['thread', '!=', 'x'],
    [1n, 4n],
    [
      [1n, 2n, 3n, 4n],
      [2n, 3n],
    ],
  );
  await check(['thread', '!=', 'x'], [4n, 4n], [[], []]);
});

test('names, values and types are those of all parts', async () => {
  for (const range of [
    { from: 0n, to: 9n },
    { from: 2n, to: 3n },
    { from: 9n, to: 9n },
  ]) {
    const inRange = query(range);
    assert.deepEqual(await split.labelNames(inRange), await everything.labelNames(inRange));
    const values = await everything.labelValues('job', inRange);
    assert.deepEqual(await split.labelValues('job', inRange), values);
    const types = (await everything.profileTypes(range)).map(formatProfileType);
    assert.deepEqual((await split.profileTypes(range)).map(formatProfileType), types);
    for (const [name, operator, value] of [
      ['job', '=', 'a'],
      ['thread', '!=', 'x'],
      ['job', '=~', 'b|c'],
    ] as const) {
      const matchers = [createMatcher(name, operator, value)];
      using selection = await everything.select({ matchers, profileType: undefined, range });
      const texts = selection.series.map(({ profileType }) => formatProfileType(profileType));
      const found = await split.profileTypes(range, matchers);
      assert.deepEqual(found.map(formatProfileType), [...new Set(texts)].sort());
    }
  }
  assert.equal(await split.hasData(), true);
  assert.equal(await createQuerier([makePart('none', 1, [])]).hasData(), false);
});

/** A part that cannot be read, as if the disk were broken. */
class LostPart extends HeadPart {
  override async select(): Promise<never> {
    throw new AppError('data-loss', 'cannot read block: its footer is damaged');
  }
  override async labelNames(): Promise<never> {
    throw new AppError('unavailable', 'cannot read block: EIO');
  }
}

test('a part that cannot be read is missing, the others answer', async () => {
  const lost: string[] = [];
  const list = new PartList<Part>();
  const head = new Head(new Dictionary([1, 1, 1]), 4096);
  applyProfile(head, { time: 1n, rows: [] });
  list.addHead(new LostPart('bad', head));
  list.addHead(makePart('good', 2, profiles));
  const querier = new PartsQuerier({ parts: list, onMissing: (part) => void lost.push(part) });
  using selection = await querier.select(query({}));
  assert.equal(selection.profileCount, profiles.length);
  assert.deepEqual(selection.missing, [
    'cannot read bad: cannot read block: its footer is damaged',
  ]);
  assert.deepEqual(await querier.labelNames(query({})), ['job']);
  assert.deepEqual(lost, ['bad', 'bad']);
});

test('parts are pinned while a selection is held', async () => {
  let pins = 0;
  class CountedPart extends HeadPart {
    override pin(): () => void {
      pins += 1;
      return () => {
        pins -= 1;
      };
    }
  }
  const head = new Head(new Dictionary([1, 1, 1]), 4096);
  applyProfile(head, { time: 1n, rows: [] });
  const querier = createQuerier([new CountedPart('one', head)]);
  const selection = await querier.select(query({}));
  assert.equal(pins, 1);
  selection[Symbol.dispose]();
  selection[Symbol.dispose]();
  await querier.labelNames(query({}));
  await querier.select(query({ from: 2n }));
  assert.equal(pins, 0);
});

test('a head is replaced by blocks at once, blocks stay in order of time', () => {
  const list = new PartList<Part>();
  const old = makePart('head-1', 1, profiles);
  list.addHead(old);
  list.addHead(makePart('head-2', 2, []));
  const late = makePart('b', 3, [{ job: 'a', time: 9n }]);
  const early = makePart('c', 3, [{ job: 'a', time: 2n }]);
  const { version } = list;
  list.replaceHead(old, [late, early]);
  assert.ok(list.version > version);
  assert.deepEqual(
    list.blocks.map(({ id }) => id),
    ['c', 'b'],
  );
  assert.deepEqual(
    list.heads.map(({ id }) => id),
    ['head-2'],
  );
  list.replaceBlocks([late], [makePart('a', 1, [{ job: 'a', time: 2n }])]);
  assert.deepEqual(
    list.blocks.map(({ id }) => id),
    ['a', 'c'],
  );
});
