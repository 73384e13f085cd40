// Tests of scraping from config to upload, with HTTP targets on loopback.
import assert from 'node:assert/strict';
import { Resolver } from 'node:dns/promises';
import { finishAtOnce } from '../base/pacer.ts';
import { test, type TestContext } from 'node:test';
import { silentLogger } from '../base/logger.ts';
import { noMetrics, type Metrics } from '../base/metrics.ts';
import { createClock } from '../base/node/clock.ts';
import { runCommand } from '../base/node/run-command.ts';
import type { Config } from '../config/config.ts';
import { parseConfig } from '../config/load/parse.ts';
import { type Label, labelValue } from '../model/labels.ts';
import type { Ingester } from '../ingest/interface.ts';
import {
  answer,
  hang,
  startTargetServer,
  type Handler,
  type TargetServer,
} from './fake/target-server.ts';
import type { TargetStatus } from './interface.ts';
import { createScrapeManager, type ScrapeManager } from './manager.ts';
import { readTestedRules } from './relabel-steps.ts';
import type { ScrapeShard } from './shard.ts';
import { discoveryKinds } from '../discovery/registry.ts';

interface Upload {
  readonly labels: Readonly<Record<string, string>>;
  readonly body: string;
  readonly keep: readonly string[];
}

interface Rig {
  readonly manager: ScrapeManager;
  readonly server: TargetServer;
  readonly uploads: Upload[];
  /** Scrape failures by reason. */
  readonly failures: Map<string, number>;
  /** Returns the number of skipped ticks of the job "slow". */
  readonly skipped: () => number;
  /** Called instead of a write to the ingester. Tests can replace it. */
  write: () => Promise<void>;
}

const listActive = (manager: ScrapeManager): TargetStatus[] => [...manager.activeTargets()];
const listDropped = (manager: ScrapeManager): TargetStatus[] => [...manager.droppedTargets()];

async function rig(
  t: TestContext,
  handlers: Readonly<Record<string, Handler>>,
  shard?: ScrapeShard,
): Promise<Rig> {
  const server = await startTargetServer(handlers);
  const uploads: Upload[] = [];
  const failures = new Map<string, number>();
  let skipped = 0;
  const metrics: Metrics = {
    ...noMetrics,
    counter: (name) => ({
      add: (by = 1, { reason, scrape_job: job } = {}) => {
        if (name === 'parca_target_scrapes_skipped_total' && job === 'slow') skipped += by;
        if (name !== 'parca_target_scrape_failures_total') return;
        failures.set(reason, (failures.get(reason) ?? 0) + by);
      },
    }),
  };
  const ingester: Pick<Ingester, 'write'> = {
    async write([{ labels, profile, keepSampleTypes = [] }]): Promise<void> {
      await made.write();
      uploads.push({
        labels: Object.fromEntries(labels.map(({ name, value }) => [name, value])),
        body: new TextDecoder().decode(profile),
        keep: keepSampleTypes.map(({ type }) => type),
      });
    },
  };
  const manager = createScrapeManager({
    ingester,
    clock: createClock(),
    files: {
      list: async () => [],
      read: async (path) => new TextEncoder().encode(`content of ${path}\n`),
    },
    watchFolder: () => undefined,
    createResolver: () => new Resolver(),
    environment: {},
    runCommand,
    logger: silentLogger,
    metrics,
    storesResults: false,
    shard,
    userAgent: 'test/1',
  });
  const made: Rig = {
    manager,
    server,
    uploads,
    failures,
    skipped: () => skipped,
    write: async () => undefined,
  };
  t.after(async () => {
    await manager.stop();
    await server.close();
  });
  return made;
}

/** Returns the YAML of a job that scrapes the profile `p` at `/p` of the server every 30 ms. */
function job(server: TargetServer, name: string, ...lines: string[]): string {
  const own = lines.some((line) => line.startsWith('profiling_config'));
  return [
    `  - job_name: ${name}`,
    '    scrape_interval: 30ms',
    '    scrape_timeout: 500ms',
    `    static_configs: [{targets: ["${server.address}"]}]`,
    ...(own
      ? []
      : [`    profiling_config: {pprof_config: {${noDefaults}, p: {enabled: true, path: /p}}}`]),
    ...lines.map((line) => `    ${line}`),
  ].join('\n');
}

const noDefaults = ['memory', 'block', 'mutex', 'goroutine', 'process_cpu']
  .map((name) => `${name}: {enabled: false}`)
  .join(', ');

/** Returns YAML that enables only these profiles. */
function only(profiles: string): string {
  return `profiling_config: {pprof_config: {${noDefaults}, ${profiles}}}`;
}

function makeConfig(...jobs: string[]): Config {
  return parseConfig(['scrape_configs:', ...jobs].join('\n'), '/etc/parca.yaml', discoveryKinds);
}

/** Waits until a condition holds; the test's own timeout is the limit. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => void setTimeout(resolve, 3));
}

const limit = { timeout: 60_000 };

test('targets are shared out: each to one server, with all of its profiles', limit, async (t) => {
  const targets = Array.from({ length: 60 }, (_, i) => `'127.0.0.1:1${i}'`);
  const two = only('p: {enabled: true, path: /p}, q: {enabled: true, path: /q}');
  const lines = [`static_configs: [{targets: [${targets.join()}]}]`, 'scrape_interval: 1h', two];
  const text = ['- job_name: a', ...lines.map((line) => `  ${line}`)];
  const config = makeConfig(...text.map((line) => `  ${line}`));
  const own = makeConfig(
    ...text.map((line) => `  ${line.replace('job_name: a', 'job_name: own')}`),
  );
  const jobs = own.scrapeConfigs.map((one) => ({ ...one, isShared: false }));
  const scraped: string[] = [];
  for (const index of [0, 1, 2]) {
    const { manager } = await rig(t, {}, { index, count: 3 });
    await manager.apply({ ...config, scrapeConfigs: [...config.scrapeConfigs, ...jobs] });
    const active = listActive(manager);
    const shared = active.filter(({ job: name }) => name === 'a');
    assert.equal(active.length - shared.length, 120);
    assert.ok(shared.length > 20 && shared.length < 60, `${shared.length} of 120`);
    scraped.push(...shared.map(({ url }) => url));
    const instances = new Set(shared.map(({ labels }) => labelValue(labels, 'instance')));
    assert.equal(instances.size * 2, shared.length);
    const [dropped] = listDropped(manager);
    assert.equal(dropped.lastError, `another server scrapes it: --scrape-shard is ${index + 1}/3`);
  }
  assert.deepEqual([scraped.length, new Set(scraped).size], [120, 120]);
});

test('profiles arrive with labels, again and again', limit, async (t) => {
  const { manager, server, uploads } = await rig(t, { '/p': answer('profile') });
  const relabel = 'relabel_configs: [{target_label: env, replacement: test}]';
  await manager.apply(makeConfig(job(server, 'api', relabel)));
  await until(() => uploads.length >= 3);
  const [{ labels, body, keep }] = uploads;
  assert.deepEqual(labels, {
    __name__: 'p',
    env: 'test',
    instance: server.address,
    job: 'api',
  });
  assert.equal(body, 'profile');
  assert.deepEqual(keep, []);
  const [status] = listActive(manager);
  assert.equal(status.health, 'good');
  assert.equal(status.lastError, '');
  assert.equal(status.url, `http://${server.address}/p`);
  assert.ok(status.lastScrapeNanos > 0n && status.lastScrapeDurationNanos > 0n);
});

test('a target goes bad, and good again with its error cleared', limit, async (t) => {
  let isDown = true;
  const made = await rig(t, {
    '/p': (request, response) =>
      isDown ? answer('busy', {}, 503)(request, response) : response.end('profile'),
  });
  await made.manager.apply(makeConfig(job(made.server, 'api')));
  const status = (): TargetStatus => listActive(made.manager)[0];
  assert.equal(status().health, 'unknown');
  await until(() => status().health === 'bad');
  assert.match(status().lastError, /it answers 503, expected 200: "busy"/);
  const first = status().firstErrorNanos;
  await until(() => status().errorCount > 2);
  assert.equal(status().firstErrorNanos, first);
  assert.ok(first > 0n && first < status().lastScrapeNanos);
  isDown = false;
  await until(() => status().health === 'good');
  assert.deepEqual([status().lastError, status().errorCount], ['', 0]);
  made.write = async () => Promise.reject(new Error('invalid profile: no samples'));
  await until(() => status().health === 'bad');
  assert.equal(status().lastError, 'invalid profile: no samples');
  await until(() => made.failures.has('write'));
  assert.ok((made.failures.get('status') ?? 0) > 0);
});

test('a hanging target meets its deadline, and others are not held up', limit, async (t) => {
  const made = await rig(t, { '/hang': hang, '/p': answer('profile') });
  const hanging = only(`p: {enabled: true, path: /hang}`);
  await made.manager.apply(makeConfig(job(made.server, 'slow', hanging), job(made.server, 'fast')));
  await until(() => (made.failures.get('deadline') ?? 0) >= 2);
  const [slow, fast] = listActive(made.manager);
  assert.match(slow.lastError, /no complete answer within 0.5s/);
  assert.equal(fast.health, 'good');
  assert.ok(made.uploads.length > 2);
});

test('a target whose profile is not stored yet is not asked again', limit, async (t) => {
  let asked = 0;
  let others = 0;
  const stored = Promise.withResolvers<void>();
  t.after(() => stored.resolve());
  const made = await rig(t, {
    '/p': (_request, response) => {
      asked += 1;
      response.end('profile');
    },
    '/q': (_request, response) => {
      others += 1;
      response.end('profile');
    },
  });
  let isWriting = false;
  made.write = () => {
    isWriting = true;
    return stored.promise;
  };
  await made.manager.apply(makeConfig(job(made.server, 'slow')));
  await until(() => isWriting);
  const other = job(made.server, 'other', only('q: {enabled: true, path: /q}'));
  made.write = async () => undefined;
  await made.manager.apply(makeConfig(job(made.server, 'slow'), other));
  await until(() => others >= 5);
  assert.equal(asked, 1);
  stored.resolve();
  await until(() => asked > 1);
  assert.ok(made.skipped() >= 3);
});

test('params do not leak, keep_sample_type and credentials go along', limit, async (t) => {
  const seen = new Set<string>();
  const note: Handler = ({ headers, url }, response) => {
    seen.add(`${url} ${headers.authorization} ${headers['user-agent']}`);
    response.end('profile');
  };
  const made = await rig(t, { '/p': note, '/cpu': note });
  const cpu = '{enabled: true, path: /cpu, delta: true, keep_sample_type: [{type: cpu, unit: ns}]}';
  await made.manager.apply(
    makeConfig(
      job(
        made.server,
        'api',
        only(`p: {enabled: true, path: /p}, cpu: ${cpu}`),
        'params: {tag: [x]}',
        'basic_auth: {username: me, password_file: secret}',
      ),
    ),
  );
  await until(() => seen.size >= 2 && made.uploads.length > 2);
  const auth = `Basic ${Buffer.from('me:content of /etc/secret').toString('base64')}`;
  const want = [`/p?tag=x ${auth} test/1`, `/cpu?tag=x&seconds=1 ${auth} test/1`];
  assert.deepEqual([...seen].sort(), want.sort());
  const keeps = made.uploads.map(({ labels, keep }) => `${labels['__name__']} ${keep.join()}`);
  assert.deepEqual([...new Set(keeps)].sort(), ['cpu cpu', 'p ']);
});

test('a span is fetched while the last one is written, one at a time', limit, async (t) => {
  let started = 0;
  let running = 0;
  const made = await rig(t, {
    '/cpu': (_request, response) => {
      started += 1;
      running += 1;
      assert.equal(running, 1);
      setTimeout(() => {
        running -= 1;
        response.end('profile');
      }, 550);
    },
  });
  const cpu = only(`c: {enabled: true, path: /cpu, delta: true}`);
  await made.manager.apply(makeConfig(job(made.server, 'api', cpu)));
  // The first write ends only after the second fetch has begun. A loop that waited for the write
  // would hang here.
  made.write = () => until(() => started >= made.uploads.length + 2);
  await until(() => made.uploads.length === 2);
  assert.ok(started >= 3);
});

test('reload: unchanged targets go on, others come and go', limit, async (t) => {
  const made = await rig(t, { '/p': answer('profile') });
  const { manager, server } = made;
  await manager.apply(makeConfig(job(server, 'stays'), job(server, 'goes')));
  await until(() => listActive(manager).every(({ health }) => health === 'good'));
  const [before] = listActive(manager);
  const extra = `static_configs: [{targets: ["${server.address}", "127.0.0.1:1"]}]`;
  const changed = job(server, 'stays').replace(/static_configs.*/, extra);
  await manager.apply(makeConfig(job(server, 'comes'), changed));
  const jobs = listActive(manager).map(({ job: name, url }) => `${name} ${url}`);
  assert.deepEqual(jobs, [
    `comes http://${server.address}/p`,
    `stays http://${server.address}/p`,
    'stays http://127.0.0.1:1/p',
  ]);
  const [, after] = listActive(manager);
  assert.equal(after.health, 'good');
  assert.ok(after.lastScrapeNanos >= before.lastScrapeNanos);
  await until(() => listActive(manager)[0].health === 'good');
});

test('a config whose TLS files are missing changes nothing', limit, async (t) => {
  const { server, uploads } = await rig(t, { '/p': answer('profile') });
  const manager = createScrapeManager({
    ingester: { write: async () => void uploads.push({ labels: {}, body: '', keep: [] }) },
    clock: createClock(),
    files: {
      list: async () => [],
      read: async (path) => Promise.reject(new Error(`no ${path}`)),
    },
    watchFolder: () => undefined,
    createResolver: () => new Resolver(),
    environment: {},
    runCommand,
    logger: silentLogger,
    metrics: noMetrics,
    storesResults: false,
    userAgent: 'test/1',
  });
  t.after(() => manager.stop());
  await manager.apply(makeConfig(job(server, 'api')));
  const tls = 'tls_config: {ca_file: ca.pem}';
  await assert.rejects(
    manager.apply(makeConfig(job(server, 'other', tls))),
    /cannot set up TLS: no \/etc\/ca.pem/,
  );
  assert.equal(listActive(manager)[0].job, 'api');
  await until(() => uploads.length > 0);
});

test('dropped targets are kept for the targets page', limit, async (t) => {
  const { manager, server } = await rig(t, {});
  const drop = `relabel_configs: [{source_labels: [job], regex: api, action: drop}]`;
  await manager.apply(makeConfig(job(server, 'api', drop)));
  assert.deepEqual(listActive(manager), []);
  const [dropped] = listDropped(manager);
  assert.equal(dropped.job, 'api');
  assert.ok(dropped.discoveredLabels.some(({ value }) => value === server.address));
  await manager.apply(makeConfig());
  assert.deepEqual(listDropped(manager), []);
});

test('stopping ends fetches and waits for writes', limit, async (t) => {
  const made = await rig(t, { '/p': answer('profile') });
  let release: () => void = () => undefined;
  let writes = 0;
  made.write = () => {
    writes += 1;
    return new Promise((resolve) => {
      release = resolve;
    });
  };
  await made.manager.apply(makeConfig(job(made.server, 'api')));
  await until(() => writes === 1);
  let isStopped = false;
  const stopped = made.manager.stop().then(() => {
    isStopped = true;
  });
  await new Promise((resolve) => void setTimeout(resolve, 20));
  assert.equal(isStopped, false);
  release();
  await stopped;
  assert.equal(made.uploads.length, 1);
  await made.manager.apply(makeConfig(job(made.server, 'api')));
  assert.deepEqual(listActive(made.manager), []);
});

test('defaults that the index of a target does not list are not asked for', limit, async (t) => {
  const index = answer('<a href="allocs?debug=1">a</a> <a href=\'goroutine\'>g</a>', {
    'content-type': 'text/html; charset=utf-8',
  });
  const paths = ['allocs', 'goroutine'].map((name) => `/debug/pprof/${name}`);
  const { manager, server } = await rig(t, {
    '/debug/pprof/': index,
    ...Object.fromEntries(paths.map((path) => [path, answer('p')])),
  });
  await manager.apply(makeConfig(job(server, 'api', 'profiling_config: {}')));
  await until(() => listDropped(manager).length === 3);
  await until(() => listActive(manager).every(({ health }) => health === 'good'));
  const at = `http://${server.address}/debug/pprof`;
  assert.deepEqual(
    listActive(manager).map(({ url }) => url),
    [`${at}/allocs`, `${at}/goroutine`],
  );
  assert.deepEqual(
    listDropped(manager).map(({ discoveredLabels, url, lastError }) => [
      labelValue(discoveredLabels, '__name__'),
      url,
      lastError,
    ]),
    ['block', 'mutex', 'process_cpu'].map((name) => [name, '', `not listed by ${at}/`]),
  );
  assert.deepEqual([...new Set(server.requests)].sort(), ['/debug/pprof/', ...paths]);
});

test('without an index, defaults are scraped, and their failures shown', limit, async (t) => {
  const page = answer('<a href="/login">log in</a>', { 'content-type': 'text/html' });
  for (const handlers of [{}, { '/debug/pprof/': page }]) {
    const { manager, server } = await rig(t, handlers);
    await manager.apply(makeConfig(job(server, 'api', 'profiling_config: {}')));
    await until(() => listActive(manager).every(({ health }) => health === 'bad'));
    assert.deepEqual(
      [...new Set(listActive(manager).map(({ lastError }) => lastError))],
      ['cannot scrape target: it answers 404, expected 200: "404 page not found"'],
    );
    assert.equal(listActive(manager).length, 5);
  }
});

test('limits of a job: targets, dropped targets and bytes', limit, async (t) => {
  const { manager, server } = await rig(t, { '/p': answer('profile') });
  const scrapeErrors = async (...lines: string[]): Promise<string[]> => {
    await manager.apply(makeConfig(job(server, 'api', ...lines)));
    await until(() => listActive(manager).every(({ health }) => health !== 'unknown'));
    return listActive(manager).map(({ lastError }) => lastError);
  };
  assert.deepEqual(await scrapeErrors('body_size_limit: 7B'), ['']);
  assert.deepEqual(await scrapeErrors('body_size_limit: 6B'), [
    'cannot scrape target: it answers more than the limit of 6 bytes',
  ]);
  const defaults = 'profiling_config: {}';
  const many = 'cannot scrape target: the job has 5 targets, target_limit is 4';
  assert.deepEqual(await scrapeErrors(defaults, 'target_limit: 4'), [many, many, many, many, many]);
  const drop = 'relabel_configs: [{action: drop}]';
  await scrapeErrors(defaults, drop, 'keep_dropped_targets: 2');
  assert.equal(listDropped(manager).length, 2);
});

test('a target that cannot be scraped is shown with the reason', limit, async (t) => {
  const { manager, server } = await rig(t, { '/p': answer('p') });
  const rule = '{source_labels: [zone], target_label: __address__, regex: "(.+)", replacement: $1}';
  await manager.apply(
    makeConfig(
      job(server, 'a', `relabel_configs: [${rule}]`),
      [
        '  - job_name: b',
        `    relabel_configs: [${rule}]`,
        `    profiling_config: {pprof_config: {${noDefaults}, p: {enabled: true, path: /p}}}`,
        '    static_configs: [{targets: ["x:80"], labels: {zone: "a b:70000"}}]',
      ].join('\n'),
    ),
  );
  const refused = listActive(manager).filter(({ job: name }) => name === 'b');
  assert.deepEqual(
    refused.map(({ url, health, lastError, labels, lastScrapeNanos }) => ({
      url,
      health,
      lastError,
      lastScrapeNanos,
      labels: Object.fromEntries(labels.map(({ name, value }) => [name, value])),
    })),
    [
      {
        url: 'http://a b:70000/p',
        health: 'bad',
        lastError: 'target "a b:70000" is not a valid hostname, expected host:port',
        lastScrapeNanos: 0n,
        labels: { job: 'b', zone: 'a b:70000' },
      },
    ],
  );
  await manager.apply(makeConfig(job(server, 'a')));
  assert.equal(listActive(manager).length, 1);
});

test('rules are tested on labels: those of a job, and others', limit, async (t) => {
  const { manager, server } = await rig(t, { '/p': answer('profile') });
  const rule = '{source_labels: [zone], regex: "(a|b)", target_label: area}';
  const drop = '{source_labels: [area], regex: b, action: drop}';
  await manager.apply(makeConfig(job(server, 'api', `relabel_configs: [${rule}, ${drop}]`)));
  const zone = (value: string): Label[] => [
    { name: '__address__', value: 'x:80' },
    { name: 'zone', value },
  ];
  const kept = finishAtOnce(
    manager.testRelabeling({ job: 'api', labels: zone('a'), rules: undefined }),
  );
  assert.deepEqual(
    kept.steps.map(({ labels, isDropped }) => [labelValue(labels, 'area'), isDropped]),
    [
      ['a', false],
      ['a', false],
    ],
  );
  assert.equal(kept.target?.url, 'http://x:80/p');
  assert.equal(
    kept.rulesText,
    '- source_labels:\n    - zone\n  regex: (a|b)\n  target_label: area\n' +
      '- source_labels:\n    - area\n  regex: b\n  action: drop\n',
  );
  const again = { job: 'api', labels: zone('b'), rules: readTestedRules(kept.rulesText) };
  const dropped = finishAtOnce(manager.testRelabeling(again));
  assert.deepEqual(
    dropped.steps.map(({ isDropped }) => isDropped),
    [false, true],
  );
  assert.deepEqual([dropped.target, dropped.mistake], [undefined, '']);
  const tryRules = (yaml: string, labels: Label[]) =>
    finishAtOnce(manager.testRelabeling({ job: '', labels, rules: readTestedRules(yaml) }));
  const other = '- {target_label: __address__, replacement: "x:y"}';
  const broken = tryRules(other, zone('a'));
  assert.match(broken.mistake, /target "x:y" is not a valid address/);
  const check = (yaml: string, labels: Label[], why: RegExp): void =>
    void assert.throws(() => tryRules(yaml, labels), why);
  check(
    '- {action: keeep}',
    [],
    /^ConfigError: relabel_configs:1:12: \[0\].action: expected one of/,
  );
  check('- {regex: "((a{99}){99}){99}"}', [], /expected an expression of at most 1500 steps/);
  check('[{}, {a: &x [*x]}]', [], /relabel_configs:1:14: .* without aliases/);
  const wideRule = `[{target_label: b, source_labels: [${'a,'.repeat(1_001)}]}]`;
  check(wideRule, [], /source labels of rules are 1001, the limit is 1000/);
  check(' '.repeat(16_385), [], /characters of rules are 16385, the limit is 16384/);
  check(`[${'{target_label: a},'.repeat(201)}]`, [], /rules are 201, the limit is 200/);
  const rules = `[${'{target_label: a, regex: "a{50}b{50}"},'.repeat(50)}]`;
  check(
    rules,
    zone('a'.repeat(10_000)),
    /steps of expressions times characters are \d+, the limit/,
  );
  const grow = '{source_labels: [zone, zone, zone, zone], target_label: zone},';
  check(`[${grow.repeat(120)}]`, zone('a'.repeat(100)), /source_labels would have \d+ characters/);
  const wide = `{source_labels: [zone], target_label: zone, replacement: "${'$1'.repeat(400)}"},`;
  check(`[${wide.repeat(9)}]`, zone('a'.repeat(100)), /a label would have \d+ characters, the lim/);
  const copy = (_: unknown, i: number): string =>
    `{source_labels: [zone], target_label: zone${i}, action: lowercase},`;
  const copies = Array.from({ length: 160 }, copy).join('');
  check(`[${copies}]`, zone('a'.repeat(60_000)), /(characters|steps) .* are \d+, the limit/);
  assert.throws(
    () => finishAtOnce(manager.testRelabeling({ job: 'none', labels: [], rules: undefined })),
    /there is no job none/,
  );
});
