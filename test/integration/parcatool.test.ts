// Tests parcatool against a real server: its output, its files, and its exit code.
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startFilledServer } from '../support/filled-server.ts';
import { cpuProfile, encodeProfile, gzippedPprof } from '../support/profiles/pprof-builder.ts';
import { runParcatool as bare, type Run, runParcatoolWith } from '../support/parcatool.ts';
import { textsOfPprof } from '../whole-server/uploads.ts';
import { startServer } from '../support/server.ts';

const cpuType = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';
const range = ['--from=2026-01-01T00:00:00Z', '--to=2026-01-01T01:00:00Z'];
const query = 'process_cpu{job="api"}';

/** A heap profile with two bytes in use. */
const inUse = {
  sampleTypes: [['inuse_space', 'bytes']],
  periodType: ['space', 'bytes'],
  period: 524_288n,
  durationNanos: 0n,
  samples: [['main', 2n]],
} as const;

const server = await startFilledServer(['--path-prefix=/behind'], async (push) => {
  const timeNanos = BigInt(Date.parse('2026-01-01T00:30:00Z')) * 1_000_000n;
  const samples = [
    ['main;serve;decode', 75n],
    ['main;serve', 5n],
    ['main;gc', 20n],
  ] as const;
  const profile = gzippedPprof(cpuProfile({ timeNanos, samples }));
  for (const job of ['api', 'web']) await push({ __name__: 'process_cpu', job }, profile);
  await push({ __name__: 'memory', job: 'api' }, gzippedPprof({ ...inUse, timeNanos }));
});
after(() => server.stop());

/** Runs parcatool; `server` is added to its arguments. */
function tool(...args: string[]): Promise<Run> {
  return bare(...args, `--server=${server.address}/behind`);
}

test('query prints the table that was asked for, without colours into a pipe', async () => {
  const { code, out, err } = await tool('query', query, '--top', '3', ...range);
  assert.equal(err, '');
  assert.equal(code, 0);
  assert.equal(
    out,
    [
      'process_cpu{job="api"}',
      '2026-01-01T00:00:00Z to 2026-01-01T01:00:00Z (1h), total 1.00s',
      '1 profile covering 10.0s, 100ms a second',
      '',
      '  flat  flat%  cumulative   cum%  function',
      ' 750ms  75.0%       750ms  75.0%  decode',
      ' 200ms  20.0%       200ms  20.0%  gc',
      '50.0ms   5.0%       800ms  80.0%  serve',
      'and 1 more (--top 0 shows all)',
      '',
    ].join('\n'),
  );
  const sorted = await tool('top', query, '--sort=cumulative', '-o', 'json', ...range);
  const { functions, total } = JSON.parse(sorted.out);
  assert.equal(total, '1000000000');
  assert.deepEqual(
    functions.map(({ name }: { name: string }) => name),
    ['main', 'serve', 'decode', 'gc'],
  );
});

test('diff ranks what changed, and folds what may be chance', async () => {
  const web = 'process_cpu{job="web"}';
  const same = await tool('diff', query, web, ...range);
  assert.equal(same.err, '');
  assert.equal(
    same.out,
    [
      `base      process_cpu{job="api"}, 2026-01-01T00:00:00Z to 2026-01-01T01:00:00Z: 1.00s, 100 samples of 1 profile`,
      `compared  process_cpu{job="web"}, 2026-01-01T00:00:00Z to 2026-01-01T01:00:00Z: 1.00s, 100 samples of 1 profile`,
      'change    0, 1.00x',
      'Nothing changed beyond chance in 200 samples',
      '',
      'no function changed beyond chance',
      'and 4 that may be chance: 0 flat',
      '',
    ].join('\n'),
  );
  // Nothing was stored in the hour before.
  const { out } = await tool('diff', query, '--top=2', '--color=always', ...range);
  const lines = out.split('\n');
  const side = 'base      process_cpu{job="api"}, the time before: 0, 0 samples of 0 profiles';
  assert.equal(lines[0], `\u001b[1m${side}\u001b[0m`);
  assert.deepEqual(lines.slice(4), [
    '\u001b[1mbase  compared  change       ±  ratio  cumulative change  function\u001b[0m',
    // 75 samples against none: 1.96 sqrt(75 + 1 + 1) samples of 10 ms may be chance.
    '\u001b[31m   0     750ms  +750ms   172ms    new             +750ms  decode\u001b[0m',
    '\u001b[31m   0     200ms  +200ms  91.9ms    new             +200ms  gc\u001b[0m',
    // 5 samples of serve.
    'and 2 that may be chance: +50.0ms flat',
    '',
  ]);
});

test('stacks as text and as files that other tools open', async () => {
  const { out } = await tool('query', query, '-o', 'collapsed', ...range);
  assert.deepEqual(out.trim().split('\n').sort(), [
    'main;gc 200000000',
    'main;serve 50000000',
    'main;serve;decode 750000000',
  ]);
  const file = join(server.scratchPath, 'api.pb.gz');
  assert.deepEqual(await tool('query', query, '-o=pprof', '--output', file, ...range), {
    code: 0,
    out: '',
    err: '',
  });
  const samples = textsOfPprof(await readFile(file)).slice(-3);
  const values = samples.map((text) => text.replace(/^.*?: (\w+) .* (\d+) \{\}$/, '$1 $2'));
  assert.deepEqual(values.sort(), ['decode 750000000', 'gc 200000000', 'serve 50000000']);
  const speedscope = join(server.scratchPath, 'api.json');
  await tool('export', query, '--format=speedscope', '--output', speedscope, ...range);
  assert.equal(JSON.parse(await readFile(speedscope, 'utf8')).profiles[0].endValue, 1e9);
});

test('labels and types', async () => {
  assert.equal((await tool('labels')).out, 'job\n');
  assert.equal((await tool('labels', 'job')).out, 'api\nweb\n');
  const match = ['--match={job!="web"}', `--type=${cpuType}`];
  const { out } = await tool('labels', 'job', '-o', 'json', ...match);
  assert.deepEqual(JSON.parse(out), ['api']);
  const samples = 'process_cpu:samples:count:cpu:nanoseconds:delta';
  const memory = 'memory:inuse_space:bytes:space:bytes';
  assert.equal((await tool('types')).out, `${memory}\n${cpuType}\n${samples}\n`);
});

test('a time is marked, listed and unmarked', async () => {
  const time = '--time=2026-01-01T00:30:00Z';
  const marked = await tool(
    'mark',
    '2.15.0\u001b is out',
    time,
    '--label=job=api',
    '--link=http://ci/7',
  );
  const [, id] = /^marked 2026-01-01T00:30:00.000Z as ([0-9a-f]{16})\n$/.exec(marked.out) ?? [];
  assert.ok(id, `${marked.out}${marked.err}`);
  const line = `${id}  2026-01-01T00:30:00.000Z  2.15.0\ufffd is out {job="api"} http://ci/7\n`;
  assert.equal((await tool('marks', ...range)).out, line);
  assert.equal((await tool('marks', '--from=now-1h')).out, '');
  const refused = await tool('mark', 'x', '--link=ci/7');
  assert.match(refused.err, /cannot add a mark: link must begin with https/);
  const url = `http://${server.address}/behind/api/v1/marks/${id}`;
  const headers = { origin: 'http://other.example.com' };
  assert.equal((await fetch(url, { method: 'DELETE', headers })).status, 403);
  assert.equal((await tool('unmark', id)).out, `removed ${id}\n`);
  assert.equal((await tool('marks', '-o', 'json')).out, '[]\n');
  const again = await tool('unmark', id);
  assert.deepEqual([again.code, again.out], [3, '']);
  assert.match(again.err, /cannot remove mark ".*": there is none/);
});

test('targets of a configuration, with the rule that drops one', async () => {
  const file = join(server.scratchPath, 'targets.yaml');
  const listed = join(server.scratchPath, 'listed.json');
  await writeFile(listed, '[{"targets": ["b:2"], "labels": {"zone": "x"}}]');
  const text = `
scrape_configs:
  - job_name: api
    static_configs: [{targets: ['a:1', 'c:70000']}]
    file_sd_configs: [{files: [listed.json, missing.json]}]
    relabel_configs:
      - {source_labels: [__name__], regex: process_cpu, action: keep}
      - {source_labels: [__address__], regex: 'a:.*', action: drop}
  - job_name: pods
    kubernetes_sd_configs: [{role: pod}]
`;
  await writeFile(file, text);
  const api = await bare('config', 'targets', file, '--job=api');
  assert.deepEqual([api.code, api.err], [0, '']);
  const lines = api.out.split('\n');
  assert.equal(lines[0], 'job api: 1 to scrape, 14 not');
  const path = 'debug/pprof/profile?seconds=10';
  assert.equal(lines[1], `  http://b:2/${path} {instance="b:2", job="api", zone="x"}`);
  const count = (what: RegExp): number => lines.filter((line) => what.test(line)).length;
  assert.equal(count(/^ {2}dropped by relabel_configs\[0\] \(keep\): \{__address__=/), 12);
  assert.equal(count(/^ {2}dropped by relabel_configs\[1\] \(drop\): \{__address__="a:1"/), 1);
  assert.equal(count(/^ {2}target "c:70000" has port 70000/), 1);

  const both = await bare('config', 'targets', file, '-o', 'json', '--timeout=200ms');
  assert.equal(both.code, 1);
  const targets = JSON.parse(both.out) as { job: string; url: string; why: string }[];
  assert.equal(targets.filter(({ why }) => why === '').length, 1);
  const last = targets.at(-1);
  assert.equal(last?.job, 'pods');
  assert.match(last.why, /^kubernetes discovery failed: .*api_server/);
  const pods = await bare('config', 'targets', file, '--job=pods', '--timeout=200ms');
  assert.match(
    pods.out,
    /^job pods: 0 to scrape, 0 not\njob pods: kubernetes discovery failed: .*api_server/,
  );
  const none = await bare('config', 'targets', file, '--job=web');
  assert.equal(none.err, `parcatool: ${file} has no job web, it has api, pods\n`);
});

test('each rule is shown with what it makes of the labels of a target', async () => {
  const file = join(server.scratchPath, 'relabel.yaml');
  const rules = [
    '{source_labels: [__meta_zone], target_label: zone}',
    '{source_labels: [zone], regex: none, target_label: x}',
    '{source_labels: [zone], regex: b, action: drop}',
  ];
  await writeFile(
    file,
    `scrape_configs: [{job_name: api, relabel_configs: [${rules.join(', ')}]}, {job_name: web}]`,
  );
  const run = async (zone: string): Promise<string[]> => {
    const given = [`__meta_zone=${zone}`, '__address__=h:80', '__name__=memory'];
    const { code, out } = await bare('config', 'relabel', file, ...given, '--job=api');
    assert.equal(code, 0);
    return out.split('\n').slice(1);
  };
  assert.deepEqual(await run('a'), [
    '  relabel_configs[0] replace: zone "" to "a"',
    '  relabel_configs[1] replace: changes nothing',
    '  relabel_configs[2] drop: changes nothing',
    '  http://h:80/debug/pprof/allocs {instance="h:80", job="api", zone="a"}',
    '',
  ]);
  assert.deepEqual((await run('b')).at(-2), '  relabel_configs[2] drop: drops the target');
  const bad = await bare('config', 'relabel', file, 'zone');
  assert.equal(bad.err, 'parcatool: expected NAME=VALUE, got "zone"\n');
});

test('a configuration is checked as the server does', async () => {
  const good = join(server.scratchPath, 'good.yaml');
  const bad = join(server.scratchPath, 'bad.yaml');
  await writeFile(
    good,
    'scrape_configs:\n  - {job_name: a, static_configs: [{targets: ["a:1"]}]}\n',
  );
  await writeFile(bad, 'scrape_configs:\n  - job_nam: a\n');
  assert.deepEqual(await bare('config', 'check', good), {
    code: 0,
    out: `${good}: good, 1 job\n`,
    err: '',
  });
  const { code, err } = await bare('config', 'check', bad);
  assert.equal(code, 1);
  assert.match(err, /^\S*bad\.yaml:2:5: .*job_nam/);
  assert.equal((await bare('config', 'check', join(server.scratchPath, 'none.yaml'))).code, 3);
});

test('a configuration that cannot work is refused with all that is wrong, and by the server, too', async () => {
  const path = join(server.scratchPath, 'cannot.yaml');
  const at = (name: string): string => join(server.scratchPath, name);
  const pem = (name: string): URL =>
    new URL(`../../src/config/load/testdata/test-only-${name}.pem`, import.meta.url);
  const cert = await readFile(pem('cert'), 'utf8');
  const key = await readFile(pem('key'), 'utf8');
  const other = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  await writeFile(at('cert.pem'), cert);
  await writeFile(at('key.pem'), key);
  await writeFile(at('other.pem'), other.privateKey);
  await writeFile(at('empty'), '\n');
  const jobs = (...lines: string[]): string =>
    ['scrape_configs:', ...lines.map((line, i) => `  - {job_name: j${i}, ${line}}`), ''].join('\n');
  await writeFile(
    path,
    jobs(
      'tls_config: {ca_file: none.pem, min_version: TLS13, max_version: TLS12}',
      'bearer_token_file: none, static_configs: [{targets: ["a:70000"], labels: {a-b: c}}]',
      'basic_auth: {username: me, password_file: empty}',
      'tls_config: {ca_file: key.pem, cert_file: cert.pem, key_file: other.pem}',
      'tls_config: {cert_file: key.pem, key_file: cert.pem}, static_configs: [{targets: ["u:p@a"]}]',
      'tls_config: {ca_file: cert.pem, cert_file: cert.pem, key_file: key.pem}',
    ),
  );
  const { code, err } = await bare('config', 'check', path);
  assert.equal(code, 1);
  const wanted = [
    `:2:42: scrape_configs[0].tls_config.ca_file: cannot read ${at('none.pem')}: ENOENT`,
    ':2:65: scrape_configs[0].tls_config.min_version: min_version is above max_version',
    `:3:39: scrape_configs[1].bearer_token_file: cannot read ${at('none')}: ENOENT`,
    ':3:73: scrape_configs[1].static_configs[0].targets[0]: target "a:70000" has port 70000',
    ':3:94: scrape_configs[1].static_configs[0].labels.a-b: invalid label name "a-b"',
    `:4:62: scrape_configs[2].basic_auth.password_file: ${at('empty')} is empty`,
    ':5:32: scrape_configs[3].tls_config: the key is not that of the client certificate',
    `:5:42: scrape_configs[3].tls_config.ca_file: ${at('key.pem')} has no certificate in PEM form`,
    `:6:44: scrape_configs[4].tls_config.cert_file: ${at('key.pem')} has no certificate in PEM`,
    `:6:63: scrape_configs[4].tls_config.key_file: ${at('cert.pem')} has no private key in PEM`,
    ':6:102: scrape_configs[4].static_configs[0].targets[0]: target "a" has a user name',
  ];
  const lines = err.trimEnd().split('\n');
  assert.deepEqual(
    lines.map((line, i) => line.slice(0, path.length + (wanted[i]?.length ?? 0))),
    wanted.map((line) => path + line),
    err,
  );
  const refused = await startServer({
    storagePath: at('refused'),
    config: await readFile(path, 'utf8'),
  }).then(
    () => assert.fail('it started'),
    (error: unknown) => String(error),
  );
  for (const line of wanted) assert.ok(refused.includes(line), `${line}\n${refused}`);
});

test('what is valid and probably not meant is a warning with its place', async () => {
  const path = join(server.scratchPath, 'doubtful.yaml');
  await writeFile(
    path,
    [
      'scrape_configs:',
      '  - job_name: empty',
      '  - job_name: misspelt',
      '    static_configs: [{targets: ["a:1"]}]',
      '    profiling_config: {pprof_config: {proces_cpu: {path: /x, delta: true}, off: {enabled: false}}}',
      '',
    ].join('\n'),
  );
  const { code, out } = await bare('config', 'check', path);
  assert.equal(code, 0);
  const known = 'memory, block, goroutine, mutex, process_cpu';
  assert.equal(
    out,
    `${path}:2:15: scrape_configs[0].job_name: the job has no targets: static_configs and *_sd_configs are missing or empty (warning)\n` +
      `${path}:5:51: scrape_configs[1].profiling_config.pprof_config.proces_cpu: nothing is fetched: a profile other than ${known} needs enabled: true, or did you mean process_cpu? (warning)\n` +
      `${path}: good, 2 jobs, 2 warnings\n`,
  );
});

/** Returns host:port of a port that no process listens on. */
async function closedAddress(): Promise<string> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  listener.close();
  await once(listener, 'close');
  return typeof address === 'object' ? `127.0.0.1:${address?.port}` : '';
}

test('exit codes, with one line that says why', async () => {
  const check = async (run: Promise<Run>, want: number, message: RegExp): Promise<void> => {
    const { code, out, err } = await run;
    assert.equal(code, want, err);
    assert.equal(out, '');
    assert.match(err, /^parcatool: [^\n]*\n$/);
    assert.match(err, message);
  };
  const nobody = 'process_cpu{job="nobody"}';
  await check(tool('query', nobody, ...range), 3, /no profiles match process_cpu/);
  await check(tool('export', nobody, '-o', 'collapsed', ...range), 3, /no profiles match/);
  await check(tool('query', query, '--output', '/none/file', ...range), 1, /cannot write/);
  await check(
    bare('types', `--server=${await closedAddress()}`),
    1,
    /cannot reach .*: no server listens there/,
  );
  await check(bare('types', '--server=127.0.0.1:1'), 1, /cannot reach .*: bad port/);
  const unprefixed = `--server=${server.address}`;
  await check(bare('types', unprefixed), 1, /does the address need its path prefix\?/);
  await check(tool('diff', 'a', 'b', 'c'), 3, /cannot read a: there is no such file/);
  await check(tool('top', query, '--query=cpu'), 2, /--query is for files/);
  await check(bare('token', 'bad', '--scopes=all'), 2, /--scopes must be some of read, write/);
  await check(bare('push', 'x'), 2, /push needs --job/);
  await check(bare('data', 'backup', '.'), 2, /--target FOLDER is required/);
  await check(bare('diff', 'package.json'), 2, /diff needs two files/);
  await check(bare('types', '--client-key-file=x'), 2, /belong together/);
  await check(bare('query'), 2, /query needs PROFILES\.\.\.: see query --help/);
  await check(bare('qery', 'x'), 2, /unknown command "qery": did you mean query\?/);
  await check(bare('query', 'x', '--form=now'), 2, /did you mean --from\?/);
  await check(bare('config', 'chek'), 2, /did you mean config check\?/);
});

test('the program prints and exits as it does in this process', async () => {
  const at = `--server=${server.address}/behind`;
  for (const args of [
    ['export', query, '-o=pprof', ...range, at],
    ['types', `--server=${server.address}`],
    ['qery', 'x'],
    ['labels', 'jop', at],
  ]) {
    assert.deepEqual(await runParcatoolWith({}, ...args), await bare(...args));
  }
});

test('pipelines and diffs', async () => {
  const collapsed = async (text: string): Promise<string[]> => {
    const { out, err } = await tool('export', text, '-o', 'collapsed', ...range);
    assert.equal(err, '');
    return out.trim().split('\n').sort();
  };
  assert.deepEqual(await collapsed(`${query} | focus "serve" | hide "main"`), [
    'serve 50000000',
    'serve;decode 750000000',
  ]);
  const { out } = await tool('top', `${query} | stack "gc" | top 1`, '-o', 'json', ...range);
  const { functions, total } = JSON.parse(out);
  assert.deepEqual(
    functions.map(({ name, flat }: { name: string; flat: string }) => [name, flat]),
    [['gc', '200000000']],
  );
  assert.equal(total, '200000000');
  const diff = `diff(${query}, ${query} | ignore "gc")`;
  const changes = JSON.parse((await tool('query', diff, '-o', 'json', ...range)).out);
  assert.deepEqual(
    [changes.base.total, changes.compared.total, changes.difference],
    ['1000000000', '800000000', '-200000000'],
  );
  const refused = await tool('export', diff, '-o', 'collapsed', ...range);
  assert.match(refused.err, /cannot write a diff as collapsed, which has no negative values/);
  const file = join(server.scratchPath, 'diff.pb.gz');
  const pprof = await tool('export', diff, '-o', 'pprof', '--output', file, ...range);
  assert.deepEqual(pprof, { code: 0, out: '', err: '' });
});

test('top and query of a diff print the difference, under what is compared', async () => {
  const web = 'process_cpu{job="web"}';
  const times = '2026-01-01T00:00:00Z to 2026-01-01T01:00:00Z';
  for (const command of ['top', 'query', 'diff']) {
    const text = `diff(${query}, ${web} | ignore "gc") | focus "main" | top 1`;
    const { out, err } = await tool(command, text, ...range);
    assert.equal(err, '');
    assert.deepEqual(out.split('\n'), [
      `base      ${query} | focus "main", ${times}: 1.00s, 100 samples of 1 profile`,
      `compared  ${web} | ignore "gc" | focus "main", ${times}: 800ms, 80 samples of 1 profile`,
      'change    -200ms, 0.80x',
      'compared uses as much as base within chance (−20 % ± 24), but 20 ± 9 mcores less in gc (test.go), called from main',
      '',
      ' base  compared  change       ±  ratio  cumulative change  function',
      '200ms         0  -200ms  91.9ms  0.00x             -200ms  gc',
      'and 3 that may be chance: 0 flat',
      '',
    ]);
  }
  const named = async (stage: string): Promise<number> => {
    const text = `diff(${query}, ${web} | stack "gc")${stage}`;
    const [start, end] = times.split(' to ');
    const asked = new URLSearchParams({ query: text, start, end, sort: 'cumulative', limit: '3' });
    const answer = await fetch(`http://${server.address}/behind/api/v1/changes?${asked}`);
    return (await answer.json()).functions.length;
  };
  assert.deepEqual(await Promise.all(['', ' | top 2', ' | top 9'].map(named)), [3, 2, 3]);
  const types = await tool('diff', query, 'memory:inuse_space', ...range);
  assert.match(types.err, /cannot compare inuse_space:bytes with cpu:nanoseconds: both sides/);
  assert.equal(types.code, 1);
});

test('what does not exist is named, with the nearest that does', async () => {
  const check = async (args: string[], message: string): Promise<void> => {
    const { code, out, err } = await tool(...args);
    assert.deepEqual([code, out, err], [3, '', `parcatool: ${message}\n`]);
  };
  await check(['labels', 'jop'], 'there is no label "jop", the nearest are "job"');
  const none = (text: string): string => `no profiles match ${text}: `;
  const label = 'process_cpu{jop="api"}';
  await check(
    ['top', label, ...range],
    `${none(label)}there is no label "jop", the nearest are "job"`,
  );
  const value = 'process_cpu{job="app"}';
  await check(
    ['export', value, ...range],
    `${none(value)}no profile has job="app", the nearest are "api", "web"`,
  );
  await check(
    ['top', query, '--from=2026-01-01T00:40:00Z', '--to=2026-01-01T00:50:00Z'],
    `${none(query)}the nearest are of 2026-01-01T00:30:00Z`,
  );
  // The message names the times of the profiles; with the offset, the times to query are a day
  // later.
  const yesterday = `${query} offset 1d`;
  await check(
    ['top', yesterday, ...range],
    `${none(yesterday)}the nearest are of 2026-01-01T00:30:00Z`,
  );
  const sandwich = `${query} | sandwich "decod"`;
  for (const command of ['top', 'diff', 'export']) {
    await check(
      [command, sandwich, ...range],
      `${none(sandwich)}there is no function "decod", the nearest are "decode"`,
    );
  }
  const nothing = `${query} | focus "nowhere"`;
  const difference = `diff(${nothing}, ${nothing})`;
  await check(['top', difference, ...range], `${none(difference)}its stages leave no stacks`);
  await check(['top', nothing, ...range], `${none(nothing)}its stages leave no stacks`);
});

test('files are pushed under the names that scrapes have, and asked for by age', async () => {
  const timeNanos = BigInt(Date.now() - 60_000) * 1_000_000n;
  const profile = gzippedPprof(cpuProfile({ timeNanos, samples: [['main', 7n]] }));
  const [gzipped, plain] = ['cpu.pb.gz', 'cpu.pb'].map((name) => join(server.scratchPath, name));
  await writeFile(gzipped, profile);
  const later = cpuProfile({ timeNanos: timeNanos + 1n, samples: [['main', 5n]] });
  await writeFile(plain, encodeProfile(later));
  const unnamed = await tool('push', gzipped);
  assert.equal(unnamed.err, 'parcatool: push needs --job, the name of the program\n');
  const { out, err } = await tool('push', gzipped, plain, '--job=pushed', '--label=env=a=b');
  assert.equal(err, '');
  const series = 'process_cpu{job="pushed", env="a=b"}';
  assert.equal(out.split('\n').length, 3);
  assert.ok(out.startsWith(`pushed ${gzipped} as ${series}, taken 20`), out);
  // The environment names the server; paths are relative to the folder in which npm was started.
  const variables = {
    PARCA_ADDRESS: `${server.address}/behind`,
    npm_lifecycle_event: 'parcatool',
    INIT_CWD: server.scratchPath,
  };
  const file = 'pushed.txt';
  const asked = ['query', series, '--from=15m', '-o=collapsed', `--output=${file}`];
  assert.deepEqual(await runParcatoolWith(variables, ...asked), { code: 0, out: '', err: '' });
  assert.equal(await readFile(join(server.scratchPath, file), 'utf8'), 'main 120000000\n');
  const local = await runParcatoolWith(variables, 'top', 'cpu.pb', '-o=json');
  assert.equal(JSON.parse(local.out).total, '50000000');
  const wrong = await runParcatoolWith({ PARCA_ADDRESS: 'ftp://x' }, 'types');
  assert.match(wrong.err, /--server or PARCA_ADDRESS must be an address/);
  const again = await tool('push', gzipped, '--job=a', '--label=b');
  assert.equal(again.err, 'parcatool: --label must be name=value, not "b"\n');
  assert.equal((await tool('push', file, '--job=a')).code, 3);
});

test('a mistake in a query is pointed at', async () => {
  const { code, err } = await tool('top', 'process_cpu | focsu "f"');
  assert.equal(code, 1);
  const lines = err.split('\n');
  assert.match(lines[0], /^parcatool: 1:15: expected .*, got "focsu": did you mean focus\?$/);
  assert.deepEqual(lines.slice(1), ['  process_cpu | focsu "f"', `  ${' '.repeat(14)}^`, '']);
});

test('help and version', async () => {
  const { code, out } = await bare();
  assert.equal(code, 0);
  assert.match(out, /^Usage: parcatool COMMAND/);
  assert.match(
    (await bare('export', '--help')).out,
    /^Usage: parcatool export PROFILES\.\.\. \[flags\]/,
  );
  assert.match(
    (await bare('--version')).out,
    /^parcatool, version \d+\.\d+\.\d+ \(commit: \w+\)\n$/,
  );
});
