// Tests of `parcatool rules test` with a file that passes and a file that fails.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { errorMessage } from '../../../src/base/errors.ts';
import { createFiles } from '../../../src/base/node/files.ts';
import { runTestFile } from './run-tests.ts';
import { readSeriesValues } from './series-values.ts';

const rules = `
groups:
  - name: cpu
    rules:
      - alert: Hot
        expr: cores(process_cpu | by (job) [1m]) > 0.5
        for: 2m
        labels: {severity: page}
        annotations: {summary: '{{ $labels.job }} is hot in {{ $externalLabels.zone }}'}
      - record: job:cpu:cores
        expr: cores(process_cpu | by (job) [1m])
`;

const profiles = `
    interval: 10s
    input_profiles:
      - series: process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta{job="api"}
        stacks: {main;serve: 1e9x17 8e9x60, main;log: 1e9x77}
      - series: memory:inuse_space:bytes:space:bytes{job="api"}
        stacks: {main: 100+10x77}
`;

const passing = `
rule_files: [rules.yml]
tests:
  - name: gets hot
${profiles}
    external_labels: {zone: eu}
    marks: [{time: 3m}, {time: 2m, labels: {job: api}}, {time: 2m, labels: {job: web}}]
    alert_rule_test:
      - {eval_time: 4m, alertname: Hot}
      - eval_time: 6m
        alertname: Hot
        exp_alerts:
          - exp_labels: {job: api, severity: page}
            exp_annotations: {summary: api is hot in eu}
    expr_test:
      - {expr: 'cores(process_cpu [1m])', eval_time: 6m, exp_samples: [{value: 0.9}]}
      - {expr: 'average(memory | by (job) [1m])', eval_time: 2m, exp_samples: [{labels: '{job="api"}', value: 185}]}
      - expr: average(recorded{record="job:cpu:cores"} | by (job) [2m])
        eval_time: 6m
        exp_samples: [{labels: '{job="api"}', value: 0.9}]
      - {expr: 'total(process_cpu{job="api"} [1m] before mark)', eval_time: 2m30s, exp_samples: [{value: 12}]}
      - {expr: 'total(process_cpu [10m] before mark)', eval_time: 2m30s}
      - {expr: 'cores(process_cpu{job="none"} [1m])', eval_time: 6m}
`;

const failing = `
rule_files: [rules.yml]
tests:
  - ${profiles.trim()}
    alert_rule_test:
      - {eval_time: 6m, alertname: Hot}
    expr_test:
      - {expr: 'cores(process_cpu [1m]) > 1', eval_time: 6m, exp_samples: [{value: 2}]}
  - alert_rule_test: []
`;

test('alerts and values of a test are compared', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parca-rules-'));
  const run = async (name: string, content: string): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, content);
    try {
      const { lines } = await runTestFile(path, createFiles());
      return lines.join('\n').replaceAll(folder, '');
    } catch (error) {
      return errorMessage(error).replaceAll(folder, '');
    }
  };
  try {
    await writeFile(join(folder, 'rules.yml'), rules);
    assert.equal(await run('a.yml', passing), '/a.yml: gets hot: passed');
    assert.deepEqual((await run('b.yml', failing)).split('\n'), [
      '/b.yml: test 1: FAILED',
      '    alert Hot at 360 s: expected none, got {job="api", severity="page"}',
      '    cores(process_cpu [1m]) > 1 at 360 s: expected {} 2, got none',
      '/b.yml: test 2: passed',
    ]);
    assert.equal(
      await run('c.yml', failing.replace('alertname: Hot', 'alertname: Hto')),
      'no rule has the name Hto',
    );
    assert.match(
      await run('d.yml', passing.replace('1e9x77', '1e9xx')),
      /^\/d\.yml:\d+:\d+: tests\[0\]\.input_profiles\[0\]\.stacks\.main;log: expected whole numbers/,
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('values of a series are written as for promtool', () => {
  const check = (text: string, want: string): void =>
    assert.equal(readSeriesValues(text).map(String).join(' '), want);
  check('1 2 _ 4', '1 2 undefined 4');
  check('0+10x3', '0 10 20 30');
  check('30-10x2 _x2', '30 20 10 undefined undefined');
  check('7x2', '7 7 7');
  check('2e3', '2000');
});
