// Tests of findings over several searches: new ones, undone ones, those that become normal, and the
// removal of the oldest.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Finding } from './interface.ts';
import { findingsMax, usualMillis } from './limits.ts';
import type { FoundChange } from './statistics/find-changes.ts';
import { type SearchResult, updateFindings } from './update-findings.ts';

const type = { resource: 'cpu', selector: 'cpu', stages: '' } as const;
const service = { label: 'job', name: 'checkout' };
const event = { key: 'version 2', startMillis: 5_000, doneMillis: 6_000 };

function change(name: string, cost: number): FoundChange {
  const one = { before: 0.1, after: 0.1 + cost, halfWidth: 0.01, evidence: 1e6 };
  return {
    kind: 'deploy',
    event,
    timeMillis: event.startMillis,
    doneMillis: event.doneMillis,
    functions: [{ name, measure: 'flat', cost, ...one }],
  };
}

function search(changes: readonly FoundChange[], nowMillis: number): SearchResult {
  const names = { label: 'version', version: '2', before: '1' };
  const events = [{ ...event, source: 'deploy', names } as const];
  return { type, service, amount: 4, changes, events, nowMillis };
}

let last = 0;
const newId = (): string => `id${(last += 1)}`;

test('a change becomes a finding with its version and its cost in cores', () => {
  last = 0;
  const [found, ...others] = updateFindings([], search([change('parse', 0.2)], 9_000), newId);
  assert.deepEqual(others, []);
  assert.deepEqual(found, {
    id: 'id1',
    kind: 'deploy',
    resource: 'cpu',
    service,
    query: 'cpu{job="checkout"}',
    timeMillis: 5_000,
    doneMillis: 6_000,
    foundMillis: 9_000,
    version: '2',
    versionBefore: '1',
    versionLabel: 'version',
    functions: [
      {
        name: 'parse',
        measure: 'flat',
        before: 0.1,
        after: 0.1 + 0.2,
        cost: 0.2,
        halfWidth: 0.01,
        amount: 0.8,
      },
    ],
    state: 'open',
    stateMillis: 9_000,
    resolution: '',
  } satisfies Finding);
});

test('the same function back again ends the finding, and is no finding of its own', () => {
  const before = updateFindings([], search([change('parse', 0.2)], 9_000), newId);
  const states = (changes: readonly FoundChange[], nowMillis = 20_000): string[] =>
    updateFindings(before, search(changes, nowMillis), newId).map(
      ({ state, resolution, functions }) => `${functions[0].name} ${state} ${resolution}`.trim(),
    );
  assert.deepEqual(states([change('parse', -0.19)]), ['parse resolved undone']);
  assert.deepEqual(states([change('parse', -0.05)]), ['parse open', 'parse open']);
  assert.deepEqual(states([change('render', -0.2)]), ['render open', 'parse open']);
  assert.deepEqual(states([], 9_000 + usualMillis + 1), ['parse resolved usual']);
  assert.equal(updateFindings(before, search([], 20_000), newId), before);
});

test('a change without a deploy that goes on is a drift', () => {
  const slow = (name: string): FoundChange => ({
    ...change(name, 0.1),
    kind: 'unexplained',
    event: undefined,
  });
  const before = updateFindings([], search([slow('parse')], 9_000), newId);
  const costs = (name: string): string[] =>
    updateFindings(before, search([slow(name)], 20_000), newId).map(
      ({ kind, functions }) => `${kind} ${functions[0].name} ${functions[0].cost}`,
    );
  assert.deepEqual(costs('parse'), ['drift parse 0.2']);
  assert.deepEqual(costs('render'), ['unexplained render 0.1', 'unexplained parse 0.1']);
});

test('of too many, the oldest resolved ones are forgotten', () => {
  let findings: readonly Finding[] = [];
  for (let i = 0; i < findingsMax; i += 1) {
    findings = updateFindings(findings, search([change(`f${i}`, 0.2)], 10_000 + i), newId);
  }
  findings = findings.map((one, i) => (i === 3 ? { ...one, state: 'resolved' } : one));
  const resolved = findings[3];
  const next = updateFindings(findings, search([change('more', 0.2)], 99_999), newId);
  assert.equal(next.length, findingsMax);
  assert.ok(!next.includes(resolved));
});
