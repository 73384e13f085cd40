import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseFitting } from './fitting-marks.ts';

const createMark = (text: string, labels: Readonly<Record<string, string>>) => ({
  id: text,
  at: 0,
  text,
  link: '',
  labels,
});

const marks = [
  createMark('all', {}),
  createMark('api', { job: 'api' }),
  createMark('web', { job: 'web' }),
  createMark('web in b', { job: 'web', zone: 'b' }),
];

const listTexts = (query: string) => chooseFitting(marks, query).map(({ text }) => text);

test('a query shows the marks that its conditions do not exclude', () => {
  assert.deepEqual(listTexts('process_cpu'), ['all', 'api', 'web', 'web in b']);
  assert.deepEqual(listTexts('process_cpu{job="api"}'), ['all', 'api']);
  assert.deepEqual(listTexts('process_cpu{job!="api"}'), ['all', 'web', 'web in b']);
  assert.deepEqual(listTexts('process_cpu{job=~"a.*", zone="a"}'), ['all', 'api']);
  assert.deepEqual(listTexts('process_cpu{job="web", zone!~"b|c"}'), ['all', 'web']);
});

test('a comparison shows the marks of both sides', () => {
  const query = 'diff(process_cpu{job="api"}, process_cpu{job="web", zone="a"})';
  assert.deepEqual(listTexts(query), ['all', 'api', 'web']);
});

test('a pattern that the browser cannot read hides nothing', () => {
  assert.deepEqual(listTexts('process_cpu{job=~"(?P<x"}'), ['all', 'api', 'web', 'web in b']);
});
