// Asks the engine and the naive evaluation the same questions, and compares what they say.
import assert from 'node:assert/strict';
import { AppError } from '../../base/errors.ts';
import type { Report } from '../interface.ts';
import { engineOf } from './ask.ts';
import { oracleCalls, oracleEdges, oracleHidden } from './oracle-calls.ts';
import { oracleRange } from './oracle-range.ts';
import { oracleGraph, oracleSides } from './oracle-report.ts';
import { isCountOfSamples, oracleSelect } from './oracle-select.ts';
import type { OracleProfile } from './oracle-select.ts';
import { oracleDiffTop, oracleTop, printTree, scaled } from './oracle.ts';
import { randomRange, randomReport } from './random-questions.ts';
import type { RandomKind, RandomRange, RandomReport } from './random-questions.ts';
import { randomFrom } from './random-rows.ts';
import { randomWorld } from './random-world.ts';
import { saidOfBody, saidOfRange } from './report-texts.ts';
import type { Said } from './report-texts.ts';

const caller = { signal: new AbortController().signal };

/**
 * Asks `questions` questions about the random store of a seed; returns how many found something.
 * Throws an AssertionError for the first disagreement.
 */
export async function compareWithOracle(seed: number, questions: number): Promise<number> {
  const random = randomFrom(seed * 7919);
  const { querier, profiles } = await randomWorld(random);
  const engine = engineOf(querier);
  let found = 0;
  for (let i = 0; i < questions; i += 1) {
    const isRange = random(4) === 0;
    const asked = isRange ? randomRange(random, profiles) : randomReport(random, profiles);
    const got = await saidOrCode(async () => {
      if (!('oracle' in asked)) return saidOfRange(await engine.queryRange(asked.question, caller));
      return saidOfReport(await engine.report(asked.question, caller), asked);
    });
    const want = 'oracle' in asked ? wantedReport(asked, profiles) : wantedRange(asked, profiles);
    assert.deepEqual(got, want, `question ${i}: ${questionText(asked.question)}`);
    if (!('error' in want || want['total'] === 0n)) found += 1;
  }
  return found;
}

function questionText(question: unknown): string {
  return JSON.stringify(question, (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value,
  );
}

async function saidOrCode(ask: () => Promise<Said>): Promise<Said> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof AppError) return { error: error.code };
    throw error;
  }
}

function wantedRange({ question, selector }: RandomRange, all: readonly OracleProfile[]): Said {
  const profiles = oracleSelect(all, selector);
  if (profiles.length === 0) return { error: 'not-found' };
  const names = [...new Set(question.sumBy)].sort();
  return { lines: oracleRange(profiles, question.stepNanos, names) };
}

function saidOfReport(report: Report, { oracle }: RandomReport): Said {
  const { total, filtered, valueType, profileCount, timeNanos, period } = report;
  const head = { total, filtered, unit: valueType.unit, profileCount, timeNanos, period };
  return { ...head, ...saidOfBody(report, oracle.frameFields) };
}

function wantedReport({ question, oracle }: RandomReport, all: readonly OracleProfile[]): Said {
  const sides = oracleSides(all, oracle);
  const { own, base } = sides;
  const { select } = question;
  const modes = select.mode === 'diff' ? [select.compared.mode, select.base?.mode] : [select.mode];
  const found = [own, base].map((side) => side === undefined || side.profiles.length > 0);
  if (modes.some((mode, i) => mode === 'single' && !found[i])) return { error: 'not-found' };
  const unitOf = (type: string): string =>
    type.split(':')[oracle.scales && isCountOfSamples(type) ? 4 : 2];
  const unit = unitOf(oracle.selector.type);
  if (oracle.base !== undefined && found.every(Boolean) && unitOf(oracle.base.type) !== unit) {
    return { error: 'invalid-argument' };
  }
  const [first = oracle.selector.from] = own.profiles
    .map(({ timeNanos }) => timeNanos)
    .sort((a, b) => (a < b ? -1 : 1));
  const [period = 0n, ...others] = new Set(own.profiles.map((profile) => profile.period));
  const head = {
    ...{ total: own.total - own.filtered, filtered: own.filtered, unit },
    ...{ profileCount: own.profiles.length, timeNanos: first },
    period: others.length === 0 ? period : 0n,
  };
  return { ...head, ...wantedBody(question, sides) };
}

function wantedBody(
  question: RandomReport['question'],
  sides: ReturnType<typeof oracleSides>,
): Said {
  const { own, base, ratio } = sides;
  const graph = (): Said => {
    const { root, trimmed, height } = oracleGraph(sides, question);
    return { trimmed, height, tree: printTree(root) };
  };
  const top = oracleTop(own.stacks);
  const differences = oracleDiffTop(own.stacks, base?.stacks ?? [], ratio);
  const rows = (): string[] => {
    if (base === undefined) return top.toSorted();
    return differences.map((row) => `${row.name} ${row.values} ${row.cumulativeDiff}`).sort();
  };
  const bodies: Readonly<Record<RandomKind, () => Said>> = {
    'flame-graph': graph,
    'nested-flame-graph': graph,
    'flame-graph-table': graph,
    top: () => ({ rows: rows() }),
    table: () => {
      const diffRows = differences.map(
        ({ name, values, cumulativeDiff, flatDiff }) =>
          `${name} ${values} ${cumulativeDiff} (flat ${flatDiff})`,
      );
      const calls = [...oracleCalls([...own.stacks, ...(base?.stacks ?? [])]).keys()].sort();
      const all = base === undefined ? rows() : diffRows.sort();
      return { rows: all, callers: calls, callees: calls };
    },
    'call-graph': () => {
      const hidden = oracleHidden(own.stacks, base?.stacks);
      const isShown = (row: string): boolean => !hidden.has(row.split(' ')[0]);
      const edges = oracleEdges(own.stacks, base?.stacks, ratio, hidden);
      return { rows: rows().filter(isShown), edges };
    },
    profile: () => {
      const scaledBase = [...(base?.exported ?? [])].map(
        ([stack, value]) => [stack, scaled(value, ratio)] as const,
      );
      return { own: own.exported, base: base && new Map(scaledBase) };
    },
  };
  return bodies[question.report]();
}
