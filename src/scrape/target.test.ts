// Tests of targets: their addresses, labels, parameters and relabeling.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { md5 } from '../base/node/md5.ts';
import type { ScrapeConfig } from '../config/config.ts';
import { parseConfig } from '../config/load/parse.ts';
import type { TargetGroup } from '../discovery/interface.ts';
import { labelValue } from '../model/labels.ts';
import { createRelabeling } from '../model/relabel.ts';
import { makeTargets, type Target, type TargetOutcome } from './target.ts';
import { discoveryKinds } from '../discovery/registry.ts';

const others = ['memory', 'block', 'mutex', 'goroutine'];
const cpuOnly = `{${others.map((name) => `${name}: {enabled: false}`).join(', ')}}`;

function parseJob(...lines: string[]): ScrapeConfig {
  const text = ['scrape_configs:', '  - job_name: api', ...lines.map((line) => `    ${line}`)];
  return parseConfig(text.join('\n'), 'x.yml', discoveryKinds).scrapeConfigs[0];
}

function outcomes(config: ScrapeConfig, ...groups: TargetGroup[]): TargetOutcome[] {
  return makeTargets(config, groups, createRelabeling(config.relabelRules, md5));
}

function group(address: string, labels: Readonly<Record<string, string>> = {}): TargetGroup {
  return {
    source: '0',
    targets: [[{ name: '__address__', value: address }]],
    labels: Object.entries(labels).map(([name, value]) => ({ name, value })),
  };
}

/** Returns the target for the CPU profile. */
function cpuTarget(address: string, ...lines: string[]): Target {
  const config = parseJob(`profiling_config: {pprof_config: ${cpuOnly}}`, ...lines);
  const [outcome, ...others] = outcomes(config, group(address));
  assert.equal(others.length, 0);
  if (outcome.kind === 'mistake') throw new Error(outcome.why);
  assert.equal(outcome.kind, 'target');
  return outcome.target;
}

test('one target for each address and enabled profile', () => {
  const found = outcomes(parseJob(), group('a:80', { env: 'x' }), group('b:80'));
  const names = found.map(
    (it) => it.kind === 'target' && `${it.target.url} ${it.target.profileName}`,
  );
  assert.equal(names.length, 10);
  assert.equal(names[0], 'http://a:80/debug/pprof/allocs memory');
  assert.equal(names[9], 'http://b:80/debug/pprof/profile?seconds=10 process_cpu');
});

test('defaults: job, instance, port, discovered labels', () => {
  const target = cpuTarget('a.example', 'scheme: https');
  assert.equal(target.url, 'https://a.example:443/debug/pprof/profile?seconds=10');
  assert.deepEqual(target.labels, [
    { name: 'instance', value: 'a.example:443' },
    { name: 'job', value: 'api' },
  ]);
  assert.deepEqual(target.discoveredLabels, [
    { name: '__address__', value: 'a.example' },
    { name: '__name__', value: 'process_cpu' },
    { name: '__param_seconds', value: '10' },
    { name: '__profile_path__', value: '/debug/pprof/profile' },
    { name: '__scheme__', value: 'https' },
    { name: 'job', value: 'api' },
  ]);
  assert.equal(cpuTarget('::1').url, 'http://[::1]:80/debug/pprof/profile?seconds=10');
  assert.equal(cpuTarget('[::1]:7').url, 'http://[::1]:7/debug/pprof/profile?seconds=10');
});

test('a target label wins over its group, both over the job', () => {
  const own: TargetGroup = {
    ...group('a:80', { job: 'from-group', env: 'group' }),
    targets: [
      [
        { name: '__address__', value: 'a:80' },
        { name: 'env', value: 'own' },
      ],
    ],
  };
  const [outcome] = outcomes(parseJob(), own);
  assert.equal(outcome.kind, 'target');
  assert.equal(labelValue(outcome.target.labels, 'env'), 'own');
  assert.equal(labelValue(outcome.target.labels, 'job'), 'from-group');
});

test('params belong to every profile, seconds to delta profiles only', () => {
  const config = parseJob('params: {tag: [one, two], debug: ["0"]}');
  const urls = outcomes(config, group('a:80'), group('b:80')).map((it) =>
    it.kind === 'target' ? it.target.url : '',
  );
  const params = 'tag=one&tag=two&debug=0';
  assert.equal(urls[0], `http://a:80/debug/pprof/allocs?${params}`);
  assert.equal(urls[4], `http://a:80/debug/pprof/profile?${params}&seconds=10`);
  assert.equal(urls[5], `http://b:80/debug/pprof/allocs?${params}`);
  assert.equal(urls[9], `http://b:80/debug/pprof/profile?${params}&seconds=10`);
});

test('relabeling changes path, name, scheme, parameters and instance', () => {
  const target = cpuTarget(
    'a:80',
    'relabel_configs:',
    '  - {target_label: __profile_path__, replacement: "/a b?c"}',
    '  - {target_label: __name__, replacement: own}',
    '  - {target_label: __scheme__, replacement: https}',
    '  - {target_label: __param_seconds, replacement: "3"}',
    '  - {target_label: instance, replacement: me}',
    '  - {target_label: __meta_gone, replacement: x}',
    '  - {target_label: __tmp, replacement: x}',
  );
  assert.equal(target.url, 'https://a:80/a%20b%3Fc?seconds=3');
  assert.equal(target.profileName, 'own');
  assert.deepEqual(
    target.labels.map(({ name }) => name),
    ['instance', 'job'],
  );
  assert.equal(labelValue(target.labels, 'instance'), 'me');
  assert.equal(target.backToBackMillis, undefined);
});

test('dropped targets keep what was discovered', () => {
  const config = parseJob(
    'relabel_configs: [{source_labels: [__address__], regex: "b.*", action: drop}]',
  );
  const [outcome] = outcomes(config, group('b:80'));
  assert.equal(outcome.kind, 'dropped');
  assert.equal(labelValue(outcome.discoveredLabels, '__address__'), 'b:80');
});

test('targets that cannot be used', () => {
  const check = (address: string, message: RegExp, ...lines: string[]): void => {
    const [outcome] = outcomes(parseJob(...lines), group(address));
    assert.equal(outcome.kind, 'mistake');
    assert.match(outcome.why, message);
  };
  check('http://a', /"http:\/\/a" is not a valid hostname, expected host:port/);
  check('a b', /is not a valid hostname/);
  check('a:99999', /target "a:99999" has port 99999, expected 1 to 65535/);
  check('a\\b:80', /is not a valid hostname/);
  check('me:secret@a', /^target "a" has a user name: put it into basic_auth of the job$/);
  const relabel = (rule: string): string => `relabel_configs: [${rule}]`;
  check('a', /target has no address/, relabel('{action: labeldrop, regex: __address__}'));
  check('a', /target has no profile name/, relabel('{action: labeldrop, regex: __name__}'));
  check('a', /unknown scheme "ftp"/, relabel('{target_label: __scheme__, replacement: ftp}'));
});

test('labels beyond the limits of a job refuse a target, by the name of the limit', () => {
  const check = (limit: string, message: string | undefined): void => {
    const [outcome] = outcomes(parseJob(limit), group('a:80', { zone: 'éé' }));
    assert.equal(outcome.kind === 'mistake' ? outcome.why : undefined, message);
  };
  // The labels are instance, job, zone, and the profile's name.
  check('label_limit: 4', undefined);
  check('label_limit: 3', 'target has too many labels: 4, label_limit is 3');
  check('label_name_length_limit: 8', undefined);
  check(
    'label_name_length_limit: 7',
    'target has a long label name instance: 8, label_name_length_limit is 7',
  );
  check('label_value_length_limit: 4', undefined);
  check(
    'label_value_length_limit: 3',
    'target has a long value of instance: 4, label_value_length_limit is 3',
  );
});

test('defaults are asked for at an index, profiles that are named or moved are not', () => {
  const check = (want: readonly (readonly [string, string])[], ...lines: string[]): void => {
    const found = outcomes(parseJob(...lines), group('a:80'));
    const indexes = found.map((it) =>
      it.kind === 'target' ? [it.target.profileName, it.target.indexUrl] : [],
    );
    assert.deepEqual(indexes, want);
  };
  const index = 'http://a/x/debug/pprof/?tag=1';
  check(
    [
      ['memory', index],
      ['block', ''],
      ['goroutine', index],
      ['mutex', index],
      ['process_cpu', index],
    ],
    'params: {tag: ["1"]}',
    'profiling_config: {path_prefix: x, pprof_config: {block: {enabled: true}}}',
  );
  const other = '[{target_label: __profile_path__, replacement: /other}]';
  const names = ['memory', 'block', 'goroutine', 'mutex', 'process_cpu'];
  check(
    names.map((name) => [name, '']),
    `relabel_configs: ${other}`,
  );
});

test('fgprof and godeltaprof are profiles with names of their own', () => {
  const profiles = [
    'fgprof: {enabled: true, path: /debug/fgprof, delta: true, seconds: 5}',
    'delta_heap: {enabled: true, path: /debug/pprof/delta_heap}',
  ];
  const [, fgprof, heap] = outcomes(
    parseJob(`profiling_config: {pprof_config: ${cpuOnly.slice(0, -1)}, ${profiles.join(', ')}}}`),
    group('a:80'),
  );
  assert.equal(fgprof.kind === 'target' && fgprof.target.url, 'http://a:80/debug/fgprof?seconds=5');
  assert.equal(heap.kind === 'target' && heap.target.url, 'http://a:80/debug/pprof/delta_heap');
});

test('deadlines cover the span of delta profiles; spans that fill the interval have no gap', () => {
  const check = (deadline: number, backToBack: number | undefined, ...lines: string[]): void => {
    const target = cpuTarget('a:80', ...lines);
    assert.equal(target.deadlineMillis, deadline);
    assert.equal(target.backToBackMillis, backToBack);
  };
  check(13_000, 10_000);
  check(30_000, 10_000, 'scrape_timeout: 30s');
  check(15_000, 10_000, 'scrape_timeout: 5s');
  check(20_000, 10_000, 'scrape_timeout: 10s');
  check(63_000, 60_000, 'scrape_interval: 60s');
  check(5_500, 2_000, 'scrape_interval: 2500ms');
  check(3_500, 1_000, 'scrape_interval: 500ms');
  const config = parseJob(
    'scrape_interval: 60s',
    `profiling_config: {pprof_config: {process_cpu: {seconds: 5}}}`,
  );
  const target = outcomes(config, group('a:80')).at(-1);
  assert.equal(target?.kind, 'target');
  assert.equal(target.target.backToBackMillis, undefined);
  assert.equal(target.target.deadlineMillis, 63_000);
});

test('keys tell targets apart that are scraped differently', () => {
  const keys = new Set([
    cpuTarget('a:80').key,
    cpuTarget('a:81').key,
    cpuTarget('a:80', 'scrape_interval: 11s').key,
    cpuTarget('a:80', 'scrape_timeout: 14s').key,
    cpuTarget('a:80', 'params: {a: [b]}').key,
    cpuTarget('a:80', 'relabel_configs: [{target_label: a, replacement: b}]').key,
  ]);
  assert.equal(keys.size, 6);
  assert.equal(cpuTarget('a:80').key, cpuTarget('a:80').key);
});
