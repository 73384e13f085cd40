// Tests of cached parts of reports: same answers as without the cache, counted bytes, released
// memory.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rounds } from '../../base/testing/rounds.ts';
import { encodeReport } from '../../api/query/encode-report.ts';
import { AppError } from '../../base/errors.ts';
import { Dictionary } from '../../model/dictionary.ts';
import { parseProfileType } from '../../model/profile-type.ts';
import { TreeScratch } from '../../report/tree/call-tree-builder.ts';
import { plainView } from '../../report/stacks/stack-view.ts';
import { QueryContext } from '../running/context.ts';
import type { Report, ReportQuestion } from '../interface.ts';
import type { BuildPlan } from '../plan/build-plan.ts';
import { planReport } from '../plan/plan.ts';
import { KeptReports, type PreparedReport } from './kept-reports.ts';
import { ReportAnswerer, ReportBuilder, type NumberedMerge } from './report-answer.ts';
import { cpuText } from '../testing/ask.ts';
import { randomReport } from '../testing/random-questions.ts';
import { randomFrom } from '../testing/random-rows.ts';
import { randomWorld } from '../testing/random-world.ts';
import { TestStore } from '../testing/test-store.ts';

const context = (): QueryContext => new QueryContext({ signal: new AbortController().signal });
const bytesMax = 10_000_000;

/** Records which entries were found, and which was put last. */
class NotingReports extends KeptReports {
  found = 0;
  last: PreparedReport | undefined;

  override put(name: string, merges: readonly number[], prepared: PreparedReport): void {
    this.last = prepared;
    super.put(name, merges, prepared);
  }

  override get(name: string): PreparedReport | undefined {
    const kept = super.get(name);
    if (kept !== undefined) this.found += 1;
    return kept;
  }
}

/** Gives equal merges equal numbers. */
class Numbering {
  readonly #known: object[] = [];

  of(merges: readonly NumberedMerge[]): NumberedMerge[] {
    return merges.map((merge) => {
      const { groups } = merge.stacks;
      const at = this.#known.indexOf(groups);
      return { ...merge, number: at === -1 ? this.#known.push(groups) - 1 : at };
    });
  }
}

/** Returns the bytes of an answer, or the code of its error. */
async function answerOf(make: () => Report | Promise<Report>): Promise<string> {
  try {
    return Buffer.from(await encodeReport(await make())).toString('base64');
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

test('answers from the cache equal those made without it, byte for byte', async () => {
  let found = 0;
  for (let seed = 1; seed <= rounds(3, 10); seed += 1) {
    const random = randomFrom(seed * 104_729);
    const { querier, profiles } = await randomWorld(random);
    const answerer = new ReportAnswerer(querier, bytesMax);
    // Every third cache is so small that trees are made in the memory of others.
    const kept = new NotingReports(seed % 3 === 0 ? bytesMax / 200 : bytesMax);
    const [keeping, fresh] = [new ReportBuilder(kept), new ReportBuilder()];
    const numbers = new Numbering();
    for (let i = 0; i < 12; i += 1) {
      const { question } = randomReport(random, profiles);
      for (let variant = 0; variant < 6; variant += 1) {
        const other = randomReport(random, profiles).question;
        const { nodeTrimFraction, rootTrimFraction, zoomPath = [], search } = other;
        const report = variant % 2 === 0 ? question.report : other.report;
        const trims = { nodeTrimFraction, rootTrimFraction, zoomPath, ...(search && { search }) };
        const asked: ReportQuestion = { ...question, ...trims, report };
        const merge = async (): Promise<[BuildPlan, NumberedMerge[]]> => {
          const plan = planReport(asked);
          return [plan.build, numbers.of(await answerer.merge(plan, context()))];
        };
        const merged = merge();
        const got = await answerOf(async () => keeping.build(...(await merged)));
        const want = await answerOf(async () => fresh.build(...(await merged)));
        assert.equal(got, want, `seed ${seed}, question ${i}, variant ${variant}`);
      }
    }
    assert.ok(kept.usedBytes <= bytesMax);
    found += kept.found;
  }
  // Otherwise the test would prove nothing.
  assert.ok(found > rounds(30, 100), String(found));
});

const plain = { nodeTrimFraction: 0, rootTrimFraction: 0, groupBy: [] };
const select = { mode: 'merge', query: cpuText, range: { from: 0n, to: 1_000n } } as const;

/** Returns the plan of a flame graph of everything, or of another report. */
function planOf(other: Partial<ReportQuestion> = {}): BuildPlan {
  return planReport({ ...plain, select, report: 'flame-graph', ...other }).build;
}

/** Returns a store of one profile with stacks of its own, `main;f<i>;<letter>`. */
function storeOf(letter: string, stackCount: number): TestStore {
  const store = new TestStore();
  const rows = Array.from({ length: stackCount }, (_, i) => `main;f${i};${letter} ${i + 1}`);
  store.add({
    type: parseProfileType(cpuText),
    timeNanos: 5n,
    durationNanos: 10n,
    rows: rows.join('\n'),
  });
  return store;
}

async function mergeOf(store: TestStore, number: number): Promise<NumberedMerge[]> {
  const answerer = new ReportAnswerer(store, 0);
  const question = { ...plain, select, report: 'flame-graph' } as const;
  const merges = await answerer.merge(planReport(question), context());
  return merges.map((merge) => ({ ...merge, number }));
}

/** Returns the bytes of the distinct arrays that can be reached, except through dictionaries. */
function reachedBytes(root: object): number {
  const buffers = new Set<ArrayBufferLike>();
  const seen = new Set<unknown>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    if (value instanceof Dictionary) return;
    if (ArrayBuffer.isView(value)) buffers.add(value.buffer);
    else for (const one of Object.values(value)) visit(one);
  };
  visit(root);
  return [...buffers].reduce((sum, { byteLength }) => sum + byteLength, 0);
}

test('a cached entry counts all of its arrays', async () => {
  const merges = await mergeOf(storeOf('a', 3_000), 1);
  const [{ dictionary }] = merges.map(({ stacks }) => stacks);
  assert.ok(dictionary !== undefined);
  const kept = new NotingReports(bytesMax);
  const builder = new ReportBuilder(kept);
  const scratch = new TreeScratch();
  const view = { ...plainView, isInverted: true };
  const noF7 = { functionName: { operator: 'equal', isNegated: true, texts: ['f7'] } } as const;
  // Other memory than arrays: at most 6,000 keys of frames that are grouped by more, and the rest
  // of a trie of calls.
  for (const [asked, sharesTries, besideMax] of [
    [{}, true, 0],
    [{ groupBy: ['function_file_name'] }, false, 6_100 * 200],
    [{ view }, false, 0],
    [{ view: { ...plainView, frameFilters: [noF7] } }, false, 6_100 * 30],
  ] as const) {
    const before = kept.usedBytes;
    // The second report of a tree collects the facts of all rows.
    for (let i = 0; i < 2; i += 1) builder.build(planOf(asked), merges);
    const { last } = kept;
    assert.ok(last !== undefined);
    // Columns of the dictionary's own tries.
    const { callNodes, callNodeOfNode, stacks } = dictionary;
    const shared = [callNodes.parent, callNodes.key, callNodeOfNode, stacks.nodeLocation];
    const others = sharesTries ? shared.reduce((sum, { byteLength }) => sum + byteLength, 0) : 0;
    // A tree is private to its report, and the same on each request.
    const { tree, ...parts } = last.parts;
    const rows = [tree.calls(scratch), tree.knownRows(scratch)];
    const arrays = reachedBytes([{ ...last, parts }, rows]) - others;
    const own = last.parts.dictionary === dictionary ? 0 : last.parts.dictionary.usedBytes;
    const counted = kept.usedBytes - before;
    const most = arrays + own + besideMax + 10_000;
    assert.ok(counted >= arrays && counted <= most, `${arrays} <= ${counted} <= ${most}`);
    assert.ok(arrays > 100_000);
  }
});

test('the most recently used entries stay, within the limit; a limit of 0 caches nothing', async () => {
  const plan = planOf();
  const merges = await Promise.all([1, 2, 3].map((n) => mergeOf(storeOf('a', 3_000), n)));
  const measured = new KeptReports(bytesMax);
  const measuring = new ReportBuilder(measured);
  // An entry has its full size from the second report on.
  for (let i = 0; i < 2; i += 1) measuring.build(plan, merges[0]);
  const kept = new NotingReports(measured.usedBytes * 2 + 100);
  const builder = new ReportBuilder(kept);
  const isFound = (i: number): boolean => {
    const before = kept.found;
    builder.build(plan, merges[i]);
    const isFirstFound = kept.found > before;
    builder.build(plan, merges[i]);
    return isFirstFound;
  };
  assert.deepEqual([0, 1, 0, 2, 0, 2, 1].map(isFound), [
    ...[false, false, true, false],
    ...[true, true, false],
  ]);
  assert.equal(kept.usedBytes, measured.usedBytes * 2);
  const none = new KeptReports(0);
  new ReportBuilder(none).build(plan, merges[0]);
  assert.equal(none.usedBytes, 0);
});

test('entries made of a merge or of a dictionary are dropped with it', async () => {
  const [first, second] = await Promise.all([1, 2].map((n) => mergeOf(storeOf('a', 100), n)));
  const kept = new KeptReports(bytesMax);
  const builder = new ReportBuilder(kept);
  builder.build(planOf(), first);
  const one = kept.usedBytes;
  builder.build(planOf(), second);
  builder.build(planOf({ view: { ...plainView, sandwich: 'f1' } }), second);
  kept.forget(1);
  assert.ok(kept.usedBytes > one);
  const { dictionary } = second[0].stacks;
  assert.ok(dictionary !== undefined);
  kept.forget(dictionary);
  assert.equal(kept.usedBytes, 0);
});

test('only reports with a tree, and of numbered merges, are cached', async () => {
  const kept = new KeptReports(bytesMax);
  const builder = new ReportBuilder(kept);
  const [merge] = await mergeOf(storeOf('a', 100), 1);
  builder.build(planOf({ report: 'profile' }), [merge]);
  const { number: _, ...unnumbered } = merge;
  builder.build(planOf(), [unnumbered]);
  assert.equal(kept.usedBytes, 0);
});
