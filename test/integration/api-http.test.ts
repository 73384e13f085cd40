// Tests plain HTTP on the one port: the JSON gateway, operator paths, the UI, limits, and gRPC-Web.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type IncomingHttpHeaders, connect as connectHttp2 } from 'node:http2';
import { connect as connectTcp } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { GrpcWebFetchTransport } from '@protobuf-ts/grpcweb-transport';
import { MessageType, ScalarType } from '@protobuf-ts/runtime';
import { RpcError, ServiceType } from '@protobuf-ts/runtime-rpc';
import { AppError, errorCode } from '../../src/base/errors.ts';
import { gatewayObjectsMax } from '../../src/api/limits.ts';
import { messageBytesMax } from '../../src/base/limits.ts';
import type { ProfileUpload } from '../../src/ingest/interface.ts';
import { noNameGaps } from '../../src/model/name-gaps.ts';
import { parseProfileType } from '../../src/model/profile-type.ts';
import type { LabelQuestion, RangeQuestion } from '../../src/query/interface.ts';
import { merge } from '../../src/query/testing/ask.ts';
import { TestStore } from '../../src/query/testing/test-store.ts';
import { relabelDefaults } from '../../src/model/relabel.ts';
import type { RelabelSteps, RelabelTest, TargetStatus } from '../../src/scrape/interface.ts';
import type { Steps } from '../../src/base/pacer.ts';
import { type TestApi, emptyServices, startApi } from '../support/api.ts';
import { encodeExport } from '../../src/api/routes/export.ts';

const target: TargetStatus = {
  job: 'go',
  discoveredLabels: [{ name: '__address__', value: 'localhost:1' }],
  labels: [{ name: 'job', value: 'go' }],
  profileName: 'process_cpu',
  url: 'http://localhost:1/debug/pprof/profile?seconds=10',
  intervalMillis: 10_000,
  deadlineMillis: 13_000,
  lastBodyBytes: 2_048,
  scrapeCount: 5,
  failureCount: 4,
  healthSinceNanos: 1_699_999_990_000_000_000n,
  recentScrapes: () => [
    { startMillis: 1_699_999_980_000, durationMillis: 20.5, isGood: true },
    { startMillis: 1_699_999_990_000, durationMillis: 1_500, isGood: false },
  ],
  health: 'bad',
  lastError: 'refused',
  errorCount: 3,
  firstErrorNanos: 1_700_000_000_000_000_000n,
  lastScrapeNanos: 1_700_000_000_123_456_789n,
  lastScrapeDurationNanos: 1_500_000_000n,
};

let uploads: ProfileUpload[] = [];
let ranges: RangeQuestion[] = [];
let labelQuestions: [string, LabelQuestion][] = [];
const relabelTests: RelabelTest[] = [];
let reloads = 0;
let openedPages = 0;
let server: TestApi;
let folder: string;

const services = {
  onPageOpened: () => void openedPages++,
  ingester: {
    write: async (batch: readonly ProfileUpload[]) => {
      uploads = batch.map(({ labels, profile }) => ({ labels, profile: new Uint8Array(profile) }));
    },
    writeRecord: async () => undefined,
  },
  engine: {
    ...emptyServices.engine,
    labelValues: async (name: string, question: LabelQuestion) => {
      labelQuestions.push([name, question]);
      return ['a/b', 'ü'];
    },
    queryRange: async (question: RangeQuestion) => {
      ranges.push(question);
      const series = [
        {
          labels: [{ name: 'job', value: 'go' }],
          sampleType: { type: 'cpu', unit: 'nanoseconds' },
          periodType: { type: 'cpu', unit: 'nanoseconds' },
          timeNanos: new BigInt64Array([1_700_000_000_123_456_789n, 0n]),
          value: new BigInt64Array([9_223_372_036_854_775_807n, 0n]),
          valuePerSecond: new Float64Array([0.5, 0]),
          durationNanos: new BigInt64Array([10n, -1n]),
          count: new Uint32Array([3, 0]),
          total: 9_223_372_036_854_775_807n,
          average: 0.25,
        },
      ];
      return {
        profileTypes: [],
        series,
        missing: ['cannot read a block'],
        nameGaps: noNameGaps,
        notes: [],
      };
    },
  },
  scrape: {
    activeTargets: () => [target],
    droppedTargets: () => [{ ...target, job: 'x' }],
    *testRelabeling(asked: RelabelTest): Steps<RelabelSteps> {
      relabelTests.push(asked);
      yield;
      const step = { rule: { ...relabelDefaults, targetLabel: 'a' }, isDropped: false };
      const [label] = target.labels;
      const labels = [{ name: 'a', value: 'b' }, label];
      return {
        job: 'go',
        rulesText: '- target_label: a\n',
        discoveredLabels: [label],
        steps: [{ ...step, labels }],
        mistake: '',
        target: { url: 'http://x', labels },
      };
    },
  },
  admin: {
    deleteSeries: async () => assert.fail(),
    makeSnapshot: async () => assert.fail(),
    reload: async () => {
      reloads += 1;
      if (reloads > 1) throw new AppError('invalid-argument', 'parca.yaml:3:1: unknown key');
    },
  },
};

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parca-ui-'));
  await mkdir(join(folder, 'assets'));
  const page = '<!doctype html><head><base href="/" /></head><body>page</body>';
  await writeFile(join(folder, 'index.html'), page);
  await writeFile(join(folder, 'assets/app-Ab12Cd34.js'), 'export {};'.repeat(500));
  server = await startApi({ services, options: { uiFolder: folder } });
});

after(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

function get(path: string, init?: RequestInit): Promise<Response> {
  return fetch(server.url + path, init);
}

test('GET query_range: nested names, repetition, both spellings, exact numbers', async () => {
  ranges = [];
  const query = new URLSearchParams([
    ['query', 'x{}'],
    ['start', '2023-11-14T22:13:20.000000001Z'],
    ['end', '2023-11-15T00:13:20+01:00'],
    ['step', '1.5s'],
    ['sum_by', 'a'],
    ['sumBy', 'b'],
    ['limit', '7'],
    ['averages', 'true'],
    ['unknown', '1'],
  ]);
  const response = await get(`/api/profiles/query_range?${query}`);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'application/json');
  assert.deepEqual(ranges, [
    {
      query: 'x{}',
      range: { from: 1_700_000_000_000_000_001n, to: 1_700_003_600_000_000_000n },
      stepNanos: 1_500_000_000n,
      sumBy: ['a', 'b'],
      limit: 7,
      averages: true,
    },
  ]);
  const type = { type: 'cpu', unit: 'nanoseconds' };
  assert.deepEqual(await response.json(), {
    series: [
      {
        labelset: { labels: [{ name: 'job', value: 'go' }] },
        samples: [
          {
            timestamp: '2023-11-14T22:13:20.123456789Z',
            value: '9223372036854775807',
            valuePerSecond: 0.5,
            duration: '10',
            count: 3,
            rate: 0,
            coveredNanos: '0',
          },
          {
            timestamp: '1970-01-01T00:00:00Z',
            value: '0',
            valuePerSecond: 0,
            duration: '-1',
            count: 0,
            rate: 0,
            coveredNanos: '0',
          },
        ],
        periodType: type,
        sampleType: type,
        total: '9223372036854775807',
        average: 0.25,
        coveredNanos: '0',
        snapshots: 0,
      },
    ],
    warnings: ['cannot read a block'],
    profileTypes: [],
  });
});

test('GET label values: the name is in the path', async () => {
  labelQuestions = [];
  const path = '/api/profiles/labels/not%2Fplain%20%C3%BC/values?profile_type=t&match=a&match=b';
  const response = await get(path);
  assert.deepEqual(await response.json(), { labelValues: ['a/b', 'ü'], warnings: [] });
  assert.deepEqual(labelQuestions, [
    ['not/plain ü', { match: ['a', 'b'], profileType: 't', range: undefined }],
  ]);
});

test('GET targets: maps, enums, times, and since when there is an error', async () => {
  const response = await get('/api/targets?state=STATE_ACTIVE');
  assert.deepEqual(await response.json(), {
    targets: {
      go: {
        targets: [
          {
            discoveredLabels: { labels: [{ name: '__address__', value: 'localhost:1' }] },
            labels: { labels: [{ name: 'job', value: 'go' }] },
            lastError: 'refused (3 times since 2023-11-14T22:13:20.000Z)',
            lastScrape: '2023-11-14T22:13:20.123456789Z',
            lastScrapeDuration: '1.500s',
            url: target.url,
            health: 'HEALTH_BAD',
          },
        ],
      },
    },
  });
  const dropped: unknown = await (await get('/api/targets?state=2')).json();
  assert.deepEqual(Object.keys(Object(Object(dropped).targets)), ['x']);
});

test("GET /api/v1/targets: Prometheus' list, with more facts, filtered", async () => {
  const list = async (parameters: string): Promise<Record<string, unknown>> =>
    Object((await (await get(`/api/v1/targets${parameters}`)).json()).data);
  const pools = [
    { scrapePool: 'go', up: 0, down: 1, unknown: 0, dropped: 0, matching: 1 },
    { scrapePool: 'x', up: 0, down: 0, unknown: 0, dropped: 1, matching: 1 },
  ];
  assert.deepEqual(await list(''), {
    activeTargets: [
      {
        scrapePool: 'go',
        scrapeUrl: 'http://localhost:1/debug/pprof/profile?seconds=10',
        lastError: 'refused',
        health: 'down',
        profile: 'process_cpu',
        labels: { job: 'go' },
        discoveredLabels: { __address__: 'localhost:1' },
        scrapeInterval: '10s',
        scrapeTimeout: '13s',
        lastScrape: '2023-11-14T22:13:20.123Z',
        lastScrapeDuration: 1.5,
        lastScrapeBytes: 2_048,
        healthSince: '2023-11-14T22:13:10.000Z',
        scrapes: 5,
        failures: 4,
        errorCount: 3,
        firstError: '2023-11-14T22:13:20.000Z',
        recentScrapes: [
          { start: '2023-11-14T22:13:00.000Z', seconds: 0.0205, isGood: true },
          { start: '2023-11-14T22:13:10.000Z', seconds: 1.5, isGood: false },
        ],
      },
    ],
    droppedTargets: [
      {
        scrapePool: 'x',
        discoveredLabels: { __address__: 'localhost:1' },
        reason: 'refused',
      },
    ],
    droppedTargetCounts: { go: 0, x: 1 },
    pools,
  });
  const matching = async (parameters: string): Promise<unknown[]> => {
    const { pools: found } = (await list(parameters)) as { pools: typeof pools };
    return found.map((pool) => pool.matching);
  };
  assert.deepEqual(await matching('?state=active'), [1, 0]);
  assert.deepEqual(await matching('?state=dropped&search=LOCALHOST'), [0, 1]);
  assert.deepEqual(await matching('?health=up'), [0, 1]);
  assert.deepEqual(await matching('?scrapePool=go&search=job=go'), [1]);
  assert.deepEqual(await matching('?search=nothing'), [0, 0]);
  assert.equal((await get('/api/v1/targets?health=good')).status, 400);
});

test('POST /api/v1/targets/relabel_steps: what each rule makes of labels', async () => {
  const post = async (body: unknown): Promise<Response> =>
    fetch(`${server.url}/api/v1/targets/relabel_steps`, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const given = { scrapePool: 'go', labels: { job: 'go' }, relabelConfigs: '- target_label: a' };
  assert.deepEqual(await (await post(given)).json(), {
    status: 'success',
    data: {
      scrapePool: 'go',
      relabelConfigs: '- target_label: a\n',
      discoveredLabels: { job: 'go' },
      steps: [
        {
          rule: {
            action: 'replace',
            source_labels: [],
            separator: ';',
            regex: '(.*)',
            modulus: 0,
            target_label: 'a',
            replacement: '$1',
          },
          output: { a: 'b', job: 'go' },
          keep: true,
        },
      ],
      labels: { a: 'b', job: 'go' },
      scrapeUrl: 'http://x',
    },
  });
  const labels = [{ name: 'job', value: 'go' }];
  const rule = { ...relabelDefaults, targetLabel: 'a' };
  assert.deepEqual(relabelTests, [
    { job: 'go', labels, rules: { rules: [rule], text: '- target_label: a\n' } },
  ]);
  for (const [body, why] of [
    ['{', /the body is not JSON/],
    ['null', /the body is not an object/],
    [{ labels: [] }, /labels must be an object of texts/],
    [{ labels: { 'a-b': '' } }, /"a-b\\" is not a label name/],
    [{ labels: { a: 1 } }, /label a must be a text/],
    [{ relabelConfigs: [] }, /relabelConfigs must be a text/],
    [{ labels: { a: 'x'.repeat(70_000) } }, /has 70019 bytes, the limit is 65536/],
  ] as const) {
    assert.match(await (await post(body)).text(), why);
  }
});

test('POST writeraw: base64 profiles, then the agent is listed', async () => {
  const body = JSON.stringify({
    series: [
      {
        labels: { labels: [{ name: 'node', value: 'n1' }] },
        samples: [{ rawProfile: Buffer.from([1, 2, 255]).toString('base64') }],
      },
    ],
    normalized: true,
    ignored: { a: 1 },
  });
  const response = await get('/api/profiles/writeraw', { method: 'POST', body });
  assert.equal(response.status, 200);
  assert.deepEqual(await response.json(), {});
  assert.deepEqual(uploads, [
    { labels: [{ name: 'node', value: 'n1' }], profile: new Uint8Array([1, 2, 255]) },
  ]);
  const agents: unknown = await (await get('/api/agents')).json();
  assert.equal(Object(agents).agents[0].id, 'n1127.0.0.1');
  const zipped = gzipSync(body);
  const headers = { 'content-encoding': 'gzip' };
  const gzipped = await get('/api/profiles/writeraw', { method: 'POST', body: zipped, headers });
  assert.equal(gzipped.status, 200);
});

test('errors of the JSON API are JSON with code and message', async () => {
  const check = async (path: string, status: number, code: number, message: RegExp) => {
    const response = await get(path);
    assert.equal(response.status, status, path);
    const body: unknown = await response.json();
    assert.equal(Object(body).code, code, path);
    assert.match(Object(body).message, message);
    assert.deepEqual(Object(body).details, []);
  };
  await check('/api/nothing', 404, 5, /Not Found/);
  await check('/api/', 404, 5, /Not Found/);
  await check('/api', 404, 5, /Not Found/);
  await check('/api/profiles/query_range?limit=-1', 400, 3, /limit: -1 is out of range/);
  await check('/api/profiles/query_range?limit=x', 400, 3, /limit: expected an integer/);
  await check('/api/profiles/query_range?start=now', 400, 3, /invalid timestamp "now"/);
  await check(
    '/api/profiles/query_range?query=a&query=b',
    400,
    3,
    /too many values for field query/,
  );
  await check(
    '/api/profiles/query_range',
    400,
    3,
    /^end: cannot be blank; query: cannot be blank; start: cannot be blank\.$/,
  );
  await check('/api/profiles/query?mode=MODE_MERGE', 400, 3, /options: cannot be blank/);
  await check('/api/profiles/query?mode=BAD', 400, 3, /mode: unknown value "BAD"/);
  const merge =
    'merge.query=x&merge.start=2024-01-01T00:00:00Z&merge.end=2024-01-02T00:00:00Z&mode=2';
  await check(`/api/profiles/query?${merge}&reportType=77`, 400, 3, /does not exist/);
  await check(
    `/api/profiles/query?${merge}&reportType=2&groupBy.fields=nope`,
    400,
    3,
    /invalid group by field: nope/,
  );
});

test('bodies that are too large are 413, broken ones 400', async () => {
  const post = (body: string | Buffer<ArrayBuffer>, headers: Record<string, string> = {}) =>
    get('/api/profiles/writeraw', { method: 'POST', body, headers });
  assert.equal((await post('{"series":')).status, 400);
  assert.equal((await post('[]')).status, 400);
  assert.equal((await post('{"series":{}}')).status, 400);
  assert.equal((await post('x', { 'content-encoding': 'gzip' })).status, 400);
  const bomb = gzipSync(Buffer.alloc(messageBytesMax + 1));
  assert.equal((await post(bomb, { 'content-encoding': 'gzip' })).status, 413);
  const large = Buffer.alloc(messageBytesMax + 1, ' ');
  assert.equal((await post(large)).status, 413);
});

test('operator paths', async () => {
  assert.equal((await get('/-/healthy')).status, 200);
  assert.equal((await get('/-/ready')).status, 200);
  reloads = 0;
  const wrong = await get('/-/reload');
  assert.equal(wrong.status, 405);
  assert.equal(wrong.headers.get('allow'), 'POST');
  assert.equal((await get('/-/reload', { method: 'POST' })).status, 200);
  const failed = await get('/-/reload', { method: 'POST' });
  assert.equal(failed.status, 500);
  assert.match(await failed.text(), /parca\.yaml:3:1: unknown key/);
});

test('the profile of a client that goes is cancelled, which is no failure of the server', async (t) => {
  const reasons: unknown[] = [];
  const asked = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const server = await startApi({
    hooks: {
      cpuProfile: (_seconds, signal) => {
        asked.resolve();
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            reasons.push(signal.reason);
            reject(signal.reason);
            ended.resolve();
          });
        });
      },
    },
  });
  t.after(() => server.close());
  const leaving = new AbortController();
  const left = fetch(`${server.url}/debug/pprof/profile?seconds=9`, { signal: leaving.signal });
  await asked.promise;
  leaving.abort();
  await assert.rejects(left, { name: 'AbortError' });
  await ended.promise;
  assert.deepEqual(reasons.map(errorCode), ['cancelled']);
});

test('a reload is guarded like a delete: not for pages of others, not without the admin API', async () => {
  reloads = 0;
  const foreign = { method: 'POST', headers: { origin: 'https://example.org' } };
  const refused = await get('/-/reload', foreign);
  assert.equal(refused.status, 403);
  assert.match(await refused.text(), /on behalf of a page of https:..example.org/);
  const own = { method: 'POST', headers: { origin: server.url } };
  assert.equal((await get('/-/reload', own)).status, 200);
  assert.equal(reloads, 1);
  const without = await startApi();
  const off = await fetch(`${without.url}/-/reload`, { method: 'POST' });
  assert.equal(off.status, 403);
  assert.match(await off.text(), /the admin API is off; start the server with --enable-admin-api/);
  await without.close();
});

test('a path that is nothing is 404, not the page', async () => {
  for (const path of [
    '/-/foo',
    '/-/',
    '/metrics/',
    '/debug/pprof/goroutine',
    '/debug',
    '/foo',
    '/targets/x',
    '/Targets',
    '//targets',
    '/-/ready/',
    '/-/ready/read',
    '/index',
    '/assets',
    '/favicon.ico',
  ]) {
    const answer = await get(path);
    assert.equal(answer.status, 404, path);
    assert.match(answer.headers.get('content-type') ?? '', /^text\/plain/, path);
  }
});

test("the page's paths are those that its own router knows", async () => {
  const app = await readFile(new URL('../../web/src/app.tsx', import.meta.url), 'utf8');
  const routes = Array.from(app.matchAll(/^ {2}\['(\w*)', \(\) => </gm), ([, route]) => route);
  assert.ok(routes.includes('targets'), app);
  for (const route of routes) {
    for (const path of [`/${route}`, `/${route}/?query=x`]) {
      if (path.startsWith('//')) continue;
      assert.equal((await get(path)).status, 200, path);
    }
  }
});

test('the UI: files, pages of its router, caching, headers', async () => {
  openedPages = 0;
  for (const path of ['/', '/targets', '/index.html?x=1']) {
    const page = await get(path);
    assert.equal(page.status, 200, path);
    assert.match(await page.text(), /<base href="\/" \/>.*page/);
    assert.match(page.headers.get('content-security-policy') ?? '', /script-src 'self';/);
    assert.equal(page.headers.get('cache-control'), 'no-cache');
  }
  const script = await get('/assets/app-Ab12Cd34.js');
  assert.match(script.headers.get('cache-control') ?? '', /immutable/);
  assert.equal(script.headers.get('content-encoding'), 'gzip');
  assert.equal((await script.text()).length, 5_000);
  const headers = { 'if-none-match': script.headers.get('etag') ?? '' };
  assert.equal((await get('/assets/app-Ab12Cd34.js', { headers })).status, 304);
  assert.equal((await get('/assets/missing.js')).status, 404);
  assert.equal(openedPages, 2, 'pages of the router');
  assert.equal((await get('/..%2f..%2fetc/passwd.txt')).status, 404);
  assert.equal((await get('/%')).status, 400);
});

test('everything is below the path prefix, and CORS answers only who is allowed', async () => {
  const options = {
    pathPrefix: '/a/b',
    uiFolder: folder,
    corsAllowedOrigins: ['https://good.test'],
  };
  const prefixed = await startApi({ services, options });
  const at = (path: string, origin = '') =>
    fetch(prefixed.url + path, { headers: { origin }, redirect: 'manual' });
  assert.equal((await at('/')).headers.get('location'), '/a/b/');
  assert.match(await (await at('/a/b/targets')).text(), /<base href="\/a\/b\/" \/>/);
  assert.equal((await at('/a/b/-/ready')).status, 200);
  assert.equal((await at('/-/ready')).status, 404);
  // Without the slash, the page's links would leave out the prefix.
  const bare = await at('/a/b?query=x');
  assert.deepEqual([bare.status, bare.headers.get('location')], [302, '/a/b/?query=x']);
  assert.equal((await at('/a/b/metrics/')).status, 404);
  assert.equal((await at('/a/bc')).status, 404);
  const allowed = await at('/a/b/api/profiles/types', 'https://good.test');
  assert.equal(allowed.headers.get('access-control-allow-origin'), 'https://good.test');
  const refused = await at('/a/b/api/profiles/types', 'https://bad.test');
  assert.equal(refused.headers.get('access-control-allow-origin'), null);
  await prefixed.close();
});

test('a server with a full disk is ready for reads, and not for writes', async () => {
  let isFull = true;
  const own = await startApi({
    services: { whyNoWrites: () => (isFull ? 'its disk is nearly full' : undefined) },
  });
  const check = async (path: string, status: number, text: string): Promise<void> => {
    const answer = await fetch(own.url + path);
    assert.deepEqual([answer.status, await answer.text()], [status, `${text}\n`], path);
  };
  const metrics = async (): Promise<string[]> =>
    (await (await fetch(`${own.url}/metrics`)).text())
      .split('\n')
      .filter((line) => line.startsWith('parca_ready_'));
  try {
    const why = 'takes no writes: its disk is nearly full.';
    await check('/-/ready', 200, `The server is ready for reads. It ${why}`);
    await check('/-/ready/write', 503, `The server ${why}`);
    await check('/-/healthy', 200, 'The server is healthy.');
    assert.deepEqual(await metrics(), ['parca_ready_for_reads 1', 'parca_ready_for_writes 0']);
    isFull = false;
    await check('/-/ready', 200, 'The server is ready.');
    await check('/-/ready/write', 200, 'The server is ready.');
    assert.deepEqual(await metrics(), ['parca_ready_for_reads 1', 'parca_ready_for_writes 1']);
  } finally {
    await own.close();
  }
});

test('a server whose reports hang is not ready, and says why', async () => {
  const problem = (): string => 'the thread of reports has been silent for 31 s';
  const own = await startApi({ services: { problem } });
  const ready = await fetch(`${own.url}/-/ready`);
  await own.close();
  assert.equal(ready.status, 503);
  assert.equal((await ready.text()).trim(), `The server is not ready: ${problem()}.`);
});

test('before the server is ready: 503, with the reason', async () => {
  const starting = await startApi({ isStarting: true });
  const at = (path: string, init?: RequestInit) => fetch(starting.url + path, init);
  assert.equal((await at('/-/healthy')).status, 200);
  assert.equal((await at('/-/ready')).status, 503);
  assert.equal((await at('/-/ready/write')).status, 503);
  assert.equal((await at('/api/profiles/types')).status, 503);
  assert.equal((await at('/-/reload', { method: 'POST' })).status, 503);
  const page = await at('/');
  assert.equal(page.status, 503);
  assert.match(await page.text(), /web UI is not built/);
  await starting.close();
});

test('plain HTTP/2 clients get the same pages', async () => {
  const session = connectHttp2(server.url);
  const stream = session.request({ ':path': '/-/healthy' });
  const headers = await new Promise<IncomingHttpHeaders>((resolve) => {
    stream.once('response', resolve);
  });
  assert.equal(headers[':status'], 200);
  stream.resume();
  session.close();
});

test('a limit of a month is not one of a millisecond', async () => {
  const engine = {
    ...emptyServices.engine,
    // If Node rounded the limit down to a whole millisecond, the time would be over by now.
    labelValues: () => new Promise<string[]>((resolve) => setTimeout(() => resolve(['a']), 5)),
  };
  const month = { writeTimeoutMillis: 31 * 86_400_000 };
  const patient = await startApi({ services: { engine }, options: month });
  const answer = await fetch(`${patient.url}/api/profiles/labels/job/values`);
  await patient.close();
  assert.equal(answer.status, 200);
});

test('half a request is cut after the read timeout, silence too', async () => {
  const slow = await startApi({ options: { readTimeoutMillis: 300 } });
  const send = (text: string) =>
    new Promise<string>((resolve) => {
      let answer = '';
      const socket = connectTcp(slow.api.port, '127.0.0.1', () => socket.write(text));
      socket.on('data', (chunk: Buffer) => {
        answer += chunk.toString('latin1');
      });
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(answer));
    });
  const [half, silent, body] = await Promise.all([
    send('GET / HTTP/1.1\r\nHost: x\r\n'),
    send(''),
    send('POST /api/profiles/writeraw HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{"s'),
  ]);
  assert.match(half, /^HTTP\/1\.1 408 /);
  assert.equal(silent, '');
  assert.match(body, /^HTTP\/1\.1 504 .*no data in time/s);
  await slow.close();
});

test('a second server on the same port is told so', async () => {
  await assert.rejects(
    startApi({ options: { address: server.address } }),
    (error) =>
      error instanceof AppError &&
      error.message === `cannot listen on ${server.address}: the address is already in use`,
  );
});

interface LabelsMessage {
  labelName: string;
  labelValues: string[];
}

const values = new MessageType<LabelsMessage>('Values', [
  { no: 1, name: 'label_name', kind: 'scalar', T: ScalarType.STRING },
]);
const valuesAnswer = new MessageType<LabelsMessage>('ValuesAnswer', [
  { no: 1, name: 'label_values', kind: 'scalar', repeat: 2, T: ScalarType.STRING },
]);
const service = new ServiceType('parca.query.v1alpha1.QueryService', [
  { name: 'Values', I: values, O: valuesAnswer, options: {} },
  { name: 'ShareProfile', I: values, O: valuesAnswer, options: {} },
]);

for (const format of ['binary', 'text'] as const) {
  test(`gRPC-Web, ${format}: an answer, an error, on a path below /api`, async () => {
    const transport = new GrpcWebFetchTransport({ baseUrl: `${server.url}/api`, format });
    const call = (name: 'Values' | 'ShareProfile') => {
      const method = service.methods.find((one) => one.name === name) ?? service.methods[0];
      const options = transport.mergeOptions({});
      return transport.unary(method, { labelName: 'job', labelValues: [] }, options);
    };
    const { response } = await call('Values');
    assert.deepEqual(response.labelValues, ['a/b', 'ü']);
    await assert.rejects(
      call('ShareProfile').response,
      (error) =>
        error instanceof RpcError &&
        error.code === 'INVALID_ARGUMENT' &&
        error.message.startsWith('cannot decode ShareProfileRequest: index out of range'),
    );
  });
}

test('a download says what could not be read', async () => {
  const store = new TestStore();
  const type = parseProfileType('process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta');
  store.add({ type, timeNanos: 1n, rows: 'main 5' });
  const report = await merge(store, { report: 'profile' });
  const engine = {
    ...services.engine,
    encodedReport: async () => ({
      bytes: await encodeExport('collapsed', report),
      profileCount: report.profileCount,
      missing: ['cannot read block ü'],
      nameGaps: { ...noNameGaps, pendingLines: 1 },
      notes: [],
    }),
  };
  const own = await startApi({ services: { ...services, engine } });
  try {
    const query = new URLSearchParams({ query: 'process_cpu:cpu', format: 'collapsed' });
    const response = await fetch(`${own.url}/api/v1/export?${query}`);
    assert.equal(await response.text(), 'main 5\n');
    assert.equal(
      response.headers.get('parca-warnings'),
      '["cannot read block \\u00fc","the name of 1 line is being looked up"]',
    );
  } finally {
    await own.close();
  }
});

test('JSON of more objects than the main thread makes at once is refused unread', async () => {
  const body = `{"series":[${'{},'.repeat(gatewayObjectsMax)}{}]}`;
  for (const path of [
    '/api/profiles/writeraw',
    '/parca.profilestore.v1alpha1.ProfileStoreService/WriteRaw',
  ]) {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(server.url + path, { method: 'POST', headers, body });
    const { message } = JSON.parse(await response.text());
    assert.equal(response.status, 429);
    assert.equal(message, 'cannot parse request: more than 200000 objects and lists');
  }
});
