// Tests of the table of functions against a naive evaluation.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseProfileType } from '../../model/profile-type.ts';
import type { StringIndex } from '../../model/rows.ts';
import type { Table } from '../../report/table.ts';
import { cpuText, merge } from '../testing/ask.ts';
import { oracleCalls, oracleTop } from '../testing/oracle-calls.ts';
import { parseRows } from '../testing/print-report.ts';
import { sumTexts } from '../testing/text-sums.ts';
import { randomFrom, randomRows } from '../testing/random-rows.ts';
import { TestStore } from '../testing/test-store.ts';

const cpu = parseProfileType(cpuText);

async function tableOf(store: TestStore): Promise<Table> {
  const report = await merge(store, { query: `${cpuText}{job="a"}`, report: 'table' });
  assert.ok(report.kind === 'table');
  return report.table;
}

function nameOf(table: Table, row: number): string {
  return table.strings.text(table.functionName[row] as StringIndex);
}

/** Prints `caller > callee` of one kind of lists, sorted. */
function callsOf(table: Table, kind: 'callers' | 'callees'): string[] {
  const { starts, rows } = table[kind];
  const calls: string[] = [];
  for (let row = 0; row < table.rowCount; row += 1) {
    for (let i = starts[row]; i < starts[row + 1]; i += 1) {
      const pair = kind === 'callers' ? [rows[i], row] : [row, rows[i]];
      calls.push(pair.map((one) => nameOf(table, one)).join(' > '));
    }
  }
  return calls.sort();
}

test('table: random profiles agree with the naive evaluation', async () => {
  for (let seed = 1; seed <= 100; seed += 1) {
    const random = randomFrom(seed * 104_729);
    const store = new TestStore();
    if (seed % 3 !== 0) {
      store.add({ type: cpu, timeNanos: 1n, labels: { job: 'b' }, rows: randomRows(random, 300) });
    }
    const rows = randomRows(random, random(40));
    store.add({ type: cpu, timeNanos: 2n, labels: { job: 'a' }, rows });
    const stacks = parseRows(rows);
    const table = await tableOf(store);
    const lines = Array.from(
      { length: table.rowCount },
      (_, row) => `${nameOf(table, row)} ${table.flat[row]}/${table.cumulative[row]}`,
    );
    assert.deepEqual(lines.sort(), sumTexts(oracleTop(stacks)).sort(), `seed ${seed}`);
    const calls = [...oracleCalls(stacks).keys()].sort();
    assert.deepEqual(callsOf(table, 'callers'), calls, `seed ${seed}`);
    assert.deepEqual(callsOf(table, 'callees'), calls, `seed ${seed}`);
  }
});

test('table: rows are sorted by name, in any order of writing', async () => {
  for (const others of [0, 400]) {
    const store = new TestStore();
    const seen = 'main;y 1\nmain;x 1';
    store.add({ type: cpu, timeNanos: 1n, labels: { job: 'first' }, rows: seen });
    for (let i = 0; i < others; i += 1) {
      store.add({ type: cpu, timeNanos: 2n, labels: { job: 'b' }, rows: `other${i};z 1` });
    }
    store.add({ type: cpu, timeNanos: 3n, labels: { job: 'a' }, rows: 'main;y 1\nmain;x 1\nq 1' });
    const table = await tableOf(store);
    const names = Array.from({ length: table.rowCount }, (_, row) => nameOf(table, row));
    assert.deepEqual(names, ['main', 'q', 'x', 'y']);
  }
});
