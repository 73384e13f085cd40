// Sends the same queries to the engine and to the naive evaluation, and compares their answers.
import assert from 'node:assert/strict';
import { AppError } from '../../../base/errors.ts';
import type { AnswerFacts, QueryEngine, RangeAnswer, Report } from '../../interface.ts';
import type { Querier } from '../../../storage/interface.ts';
import { createEngine } from '../ask.ts';
import { oracleRange } from './range.ts';
import { oracleReport, oracleScales } from './report.ts';
import { isSelected, oracleSelect, oracleStored, readForSteps } from './select.ts';
import { valueType, type PlainProfile, type PlainSelection } from './plain-data.ts';
import {
  randomRange,
  randomReport,
  type RandomRange,
  type RandomReport,
} from './random-questions.ts';
import { randomFrom } from '../random-rows.ts';
import { randomWorld, type World } from './random-world.ts';
import { linesOfRange, readReportTexts } from './report-texts.ts';

const caller = { signal: new AbortController().signal };

/** Number of queries whose answer was not empty, by kind of query. */
export type FoundCounts = Record<string, number>;

/** Names and substrings; queries that contain a substring are also counted by its name. */
const countedTexts = [
  ['increase', '| increase'],
  ['within', '} @ '],
  ['except', ' except @ '],
  ['leaf', 'leaf '],
  ['derived', ' kind '],
] as const;

/** Function that returns the stores of a world, which are queried one after another. */
type ChooseStores = (world: World) => Promise<readonly Querier[]>;

/**
 * Sends `questions` queries to the random store of a seed, and counts the nonempty answers in
 * `found`. Throws an AssertionError at the first difference.
 */
export async function compareWithOracle(
  seed: number,
  questions: number,
  found: FoundCounts,
  choose: ChooseStores = async ({ querier, fake }) => [querier, querier, fake],
): Promise<void> {
  const random = randomFrom(seed * 7919);
  const world = await randomWorld(random);
  const { profiles } = world;
  const engines = (await choose(world)).map(createEngine);
  for (let i = 0; i < questions; i += 1) {
    const asked = random(4) === 0 ? randomRange(random, profiles) : randomReport(random, profiles);
    const engine = engines[i % engines.length];
    try {
      const kind =
        'report' in asked.oracle
          ? await compareReport(engine, asked as RandomReport, profiles)
          : await compareRange(engine, asked as RandomRange, profiles);
      found[kind] = (found[kind] ?? 0) + 1;
      for (const [name, text] of countedTexts) {
        if (kind === 'nothing' || !printQuestion(asked.question).includes(text)) continue;
        found[name] = (found[name] ?? 0) + 1;
      }
    } catch (error) {
      if (error instanceof Error)
        error.message += `\nquestion ${i}: ${printQuestion(asked.question)}`;
      throw error;
    }
  }
}

function printQuestion(question: unknown): string {
  return JSON.stringify(question, (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value,
  );
}

async function answerOrCode<T>(ask: Promise<T>): Promise<T | string> {
  try {
    return await ask;
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

/**
 * Sends one query, and returns the kinds of nonempty answers. Throws an AssertionError if the
 * engine and the naive evaluation differ.
 */
export async function compareRange(
  engine: QueryEngine,
  { question, oracle }: RandomRange,
  profiles: readonly PlainProfile[],
): Promise<string> {
  const answer = await answerOrCode<RangeAnswer>(engine.queryRange(question, caller));
  const want = oracleRange(profiles, oracle);
  if (want.length === 0 || typeof answer === 'string') {
    assert.deepEqual([answer, want.length], ['not-found', 0]);
    return 'nothing';
  }
  const lines = linesOfRange(answer);
  const { limit } = oracle;
  if (limit === 0 || want.length <= limit) {
    assert.deepEqual(lines.toSorted(), want.map(({ text }) => text).sort());
    return 'range';
  }
  // If several lines are equally large, either may be shown.
  const largest = new Map(want.map((line) => [line.text, line.largest]));
  const shown = lines.map((line) => largest.get(line) ?? assert.fail(`not a line: ${line}`));
  const ranked = [...largest.values()].toSorted((a, b) => Number(b - a)).slice(0, limit);
  assert.deepEqual(
    shown.toSorted((a, b) => Number(b - a)),
    ranked,
  );
  return 'limited range';
}

/** Compares a report, as `compareRange` compares a graph. */
export async function compareReport(
  engine: QueryEngine,
  { question, oracle }: RandomReport,
  profiles: readonly PlainProfile[],
): Promise<string> {
  const answer = await answerOrCode<Report>(engine.report(question, caller));
  const code = expectedCode({ question, oracle }, profiles);
  if (code !== undefined || typeof answer === 'string') {
    assert.deepEqual([answer], [code]);
    return 'nothing';
  }
  const want = oracleReport(profiles, oracle, [coveredBy(answer), coveredBy(answer.base)]);
  assert.deepEqual(readReportTexts(answer, oracle.frameFields), want);
  const mode = question.select.mode === 'diff' || oracle.base !== undefined ? ' diff' : '';
  return answer.total === 0n ? 'nothing' : `${oracle.report}${mode}`;
}

/**
 * Returns the expected error code of a query; undefined if it must succeed. A query fails for a
 * time without profiles, and for units that do not match.
 */
function expectedCode(
  { question: { select }, oracle }: RandomReport,
  profiles: readonly PlainProfile[],
): string | undefined {
  const sides = oracle.base === undefined ? [oracle.own] : [oracle.own, oracle.base];
  const modes = select.mode === 'diff' ? [select.compared.mode, select.base?.mode] : [select.mode];
  const isStored = sides.map((side) => isInRange(profiles, side));
  if (isStored.some((found, i) => !found && modes[i] === 'single')) return 'not-found';
  const isFound = sides.map((side) => oracleSelect(profiles, side).length > 0);
  const scales = oracleScales(profiles, oracle);
  const units = sides.map(({ type, isIncrease }) => {
    const isState = !isIncrease && !type.endsWith(':delta');
    return `${valueType(type, scales)} ${isState}`;
  });
  return isFound.every(Boolean) && new Set(units).size > 1 ? 'invalid-argument' : undefined;
}

/**
 * Returns true if the selected series have profiles in the range; for an increase, also if they
 * have earlier profiles.
 */
function isInRange(profiles: readonly PlainProfile[], side: PlainSelection): boolean {
  if (!side.isIncrease) return oracleStored(profiles, side).length > 0;
  const read = readForSteps(profiles, side);
  return read.some(({ timeNanos }) => isSelected(timeNanos, side));
}

/**
 * Returns the covered time in nanoseconds, or in millionths of a snapshot, which is the scale of a
 * comparison by time.
 */
function coveredBy(facts: AnswerFacts | undefined): bigint {
  if (facts === undefined) return 0n;
  const { durationNanos, snapshots } = facts;
  return durationNanos > 0n ? durationNanos : BigInt(Math.ceil(snapshots * 1e6));
}
