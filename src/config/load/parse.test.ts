// Tests of parca.yaml: valid files, and invalid files with their error messages.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type Config, plainHttpClient, type ScrapeConfig } from '../config.ts';
import { ConfigError } from '../schema/document.ts';
import { commitLabelsDefault } from '../source-links.ts';
import { parseConfig } from './parse.ts';
import { discoveryKinds } from '../../discovery/registry.ts';

const testdata = new URL('testdata/', import.meta.url);

function readTestdata(name: string): string {
  return readFileSync(new URL(name, testdata), 'utf8');
}

/** Returns the only job of a config, given the lines of the job. */
function job(...lines: string[]): ScrapeConfig {
  const text = ['scrape_configs:', '  - job_name: x', ...lines.map((line) => `    ${line}`)];
  return parseConfig(text.join('\n'), 'x.yml', discoveryKinds).scrapeConfigs[0];
}

function good(name: string): Config {
  return parseConfig(readTestdata(name), `/etc/parca/${name}`, discoveryKinds);
}

test('every bad file is refused with its text', () => {
  const names = readdirSync(testdata).filter((name) => name.endsWith('.bad.yml'));
  assert.ok(names.length >= 10);
  for (const name of names) {
    assert.throws(
      () => parseConfig(readTestdata(name), name, discoveryKinds),
      (error) => {
        assert.ok(error instanceof ConfigError, String(error));
        assert.equal(error.code, 'invalid-argument');
        assert.equal(`${error.message}\n`, readTestdata(name.replace('.yml', '.txt')));
        return true;
      },
    );
  }
});

test("the config that Parca ships: Parca's defaults", () => {
  const { objectStorage, scrapeConfigs } = good('parca.good.yml');
  assert.deepEqual(objectStorage, {
    prefix: '',
    bucket: { type: 'FILESYSTEM', directory: './data' },
  });
  assert.equal(scrapeConfigs.length, 1);
  const [config] = scrapeConfigs;
  assert.equal(config.jobName, 'default');
  assert.equal(config.intervalMillis, 3_000);
  assert.equal(config.timeoutMillis, 6_000);
  assert.equal(config.scheme, 'http');
  assert.deepEqual(config.discovery, [
    { kind: 'static', groups: [{ targets: ['127.0.0.1:7070'], labels: [] }] },
  ]);
  const profiles = config.profiles.map(({ name, path, delta }) => [name, path, delta]);
  assert.deepEqual(profiles, [
    ['memory', '/debug/pprof/allocs', false],
    ['block', '/debug/pprof/block', false],
    ['goroutine', '/debug/pprof/goroutine', false],
    ['mutex', '/debug/pprof/mutex', false],
    ['process_cpu', '/debug/pprof/profile', true],
  ]);
});

test('a config with everything', () => {
  const { objectStorage, debuginfodServers, scrapeConfigs } = good('parca-full.good.yml');
  assert.deepEqual(debuginfodServers, [
    'https://debuginfod.example.org',
    'http://10.0.0.7:8002/path',
  ]);
  assert.equal(objectStorage?.prefix, 'parca');
  assert.equal(objectStorage.bucket.type, 'S3');
  const [api, idle] = scrapeConfigs;
  assert.equal(api.timeoutMillis, 90_000);
  assert.deepEqual(
    [...api.params],
    [
      ['tag', ['one', 'two']],
      ['debug', ['0']],
    ],
  );
  assert.deepEqual(
    api.profiles.map(({ name, path, delta, seconds }) => [name, path, delta, seconds]),
    [
      ['goroutine', '/internal/debug/pprof/goroutine', false, undefined],
      ['mutex', '/internal/locks', false, undefined],
      ['process_cpu', '/internal/debug/pprof/profile', true, 30],
      ['fgprof', '/internal/debug/fgprof', true, undefined],
    ],
  );
  assert.deepEqual(api.profiles[2].keepSampleTypes, [{ type: 'cpu', unit: 'nanoseconds' }]);
  assert.deepEqual(
    api.relabelRules.map(({ action, modulus }) => [action, modulus]),
    [
      ['replace', 0n],
      ['hashmod', 4n],
      ['keep', 0n],
    ],
  );
  assert.deepEqual(api.http.credentials, {
    kind: 'basic',
    username: { kind: 'inline', text: 'me' },
    password: { kind: 'file', path: '/etc/parca/secrets/password' },
  });
  assert.equal(api.http.tls?.minVersion, 'TLSv1.2');
  assert.deepEqual(idle.discovery, []);
  assert.equal(idle.http.credentials?.kind, 'token');
});

test('jobs take missing keys from `global`', () => {
  const { scrapeConfigs, externalLabels } = parseConfig(
    `
global:
  external_labels: {zone: b, region: eu, none: ''}
  scrape_interval: 20s
  scrape_timeout: 15s
  sample_limit: 7
  body_size_limit: 1KB
  label_limit: 9
scrape_configs:
  - job_name: inherits
  - {job_name: short, scrape_interval: 5s, label_name_length_limit: 3}
  - job_name: says
    scrape_timeout: 30s
    sample_limit: 0
    label_limit: 4
    honor_labels: false
    honor_timestamps: false
`,
    'x.yml',
    discoveryKinds,
  );
  assert.deepEqual(externalLabels, [
    { name: 'region', value: 'eu' },
    { name: 'zone', value: 'b' },
  ]);
  assert.deepEqual(
    scrapeConfigs.map(({ intervalMillis, timeoutMillis, honorTimestamps, limits }) => ({
      intervalMillis,
      timeoutMillis,
      honorTimestamps,
      limits: Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== 0)),
    })),
    [
      {
        intervalMillis: 20_000,
        timeoutMillis: 15_000,
        honorTimestamps: true,
        limits: { samples: 7, profileBytes: 1_024, labels: 9 },
      },
      {
        intervalMillis: 5_000,
        timeoutMillis: 5_000,
        honorTimestamps: true,
        limits: { samples: 7, profileBytes: 1_024, labels: 9, labelNameBytes: 3 },
      },
      {
        intervalMillis: 20_000,
        timeoutMillis: 30_000,
        honorTimestamps: false,
        limits: { profileBytes: 1_024, labels: 4 },
      },
    ],
  );
});

test('ways to find targets, with paths relative to the file', () => {
  const [{ discovery }] = good('discovery.good.yml').scrapeConfigs;
  const token = { kind: 'inline', text: 'secret' };
  assert.deepEqual(discovery, [
    { kind: 'static', groups: [{ targets: ['a'], labels: [] }] },
    {
      kind: 'file',
      patterns: ['/etc/parca/targets/*.yml', '/etc/parca/one.json'],
      refreshMillis: 300_000,
    },
    {
      kind: 'http',
      url: 'https://sd.example.com/list',
      refreshMillis: 60_000,
      http: { ...plainHttpClient, credentials: { kind: 'token', type: 'Bearer', token } },
    },
    {
      kind: 'dns',
      names: ['_pprof._tcp.example.com'],
      type: 'SRV',
      port: 0,
      refreshMillis: 30_000,
    },
    { kind: 'dns', names: ['a'], type: 'A', port: 6060, refreshMillis: 30_000 },
  ]);
});

test('an empty file is a server that only takes pushes', () => {
  assert.deepEqual(good('empty.good.yml').scrapeConfigs, []);
});

test('timeouts below and above the interval are both fine', () => {
  const timeout = (...lines: string[]): number => job(...lines).timeoutMillis;
  assert.equal(timeout('scrape_interval: 10s', 'scrape_timeout: 5s'), 5_000);
  assert.equal(timeout('scrape_interval: 10s', 'scrape_timeout: 11s'), 11_000);
  assert.equal(timeout('scrape_interval: 10s', 'scrape_timeout: 0s'), 13_000);
  assert.equal(timeout(), 13_000);
});

test('a default profile keeps its delta unless it is set', () => {
  const cpu = (keys: string): boolean | undefined =>
    job('profiling_config:', `  pprof_config: {process_cpu: ${keys}}`).profiles.find(
      ({ name }) => name === 'process_cpu',
    )?.delta;
  assert.equal(cpu('{path: /x}'), true);
  assert.equal(cpu('{delta: false}'), false);
  assert.equal(cpu('{enabled: false}'), undefined);
});

test('anchors and aliases', () => {
  const text = [
    'scrape_configs:',
    '  - {job_name: a, relabel_configs: &rules [{target_label: x, replacement: y}]}',
    '  - {job_name: b, relabel_configs: *rules}',
  ];
  const [a, b] = parseConfig(text.join('\n'), 'x.yml', discoveryKinds).scrapeConfigs;
  assert.deepEqual(b.relabelRules, a.relabelRules);
});

test('merge keys: own keys win, then the first map; places are where a key is written', () => {
  const text = [
    'scrape_configs:',
    '  - &a {job_name: a, scrape_interval: 20s, scheme: https, params: &p {x: [one]}}',
    '  - {<<: *a, job_name: b, params: {<<: *p, y: [two]}}',
    '  - job_name: c',
    '    <<: [{scrape_interval: 5s}, *a]',
    '  - &d {<<: *a, job_name: d, scrape_interval: 7s}',
    '  - {<<: *d, job_name: e}',
  ].join('\n');
  assert.deepEqual(
    parseConfig(text, 'x.yml', discoveryKinds).scrapeConfigs.map(
      ({ jobName, intervalMillis, scheme, params }) => [
        jobName,
        intervalMillis,
        scheme,
        [...params].flat(2).join(' '),
      ],
    ),
    [
      ['a', 20_000, 'https', 'x one'],
      ['b', 20_000, 'https', 'y two x one'],
      ['c', 5_000, 'https', 'x one'],
      ['d', 7_000, 'https', 'x one'],
      ['e', 7_000, 'https', 'x one'],
    ],
  );
});

test('links from lines of source', () => {
  const { sourceLinks } = parseConfig(
    `
scrape_configs: []
source_links:
  - prefix: /build/shop/
    labels: {job: shop}
    repository: https://git.example.com/acme/shop.git
    kind: gitlab
    folder: server
    commit: main
  - template: vscode://file/home/me/{path}:{line}
    title: my editor
    commit_labels: [image]
`,
    'x.yml',
    discoveryKinds,
  );
  const gitlab = 'https://git.example.com/acme/shop/-/blob/{commit}/server/{path}#L{line}';
  const editor = 'vscode://file/home/me/{path}:{line}';
  assert.deepEqual(sourceLinks, [
    {
      title: 'git.example.com',
      prefix: '/build/shop/',
      labels: new Map([['job', 'shop']]),
      template: { commit: gitlab, tag: gitlab, branch: gitlab },
      commitLabels: commitLabelsDefault,
      commit: 'main',
    },
    {
      title: 'my editor',
      prefix: '',
      labels: new Map(),
      template: { commit: editor, tag: editor, branch: editor },
      commitLabels: ['image'],
      commit: '',
    },
  ]);
});
