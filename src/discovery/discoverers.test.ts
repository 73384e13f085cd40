// Tests of discovery by files, HTTP and DNS, with real files and with servers on the loopback
// interface.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { hang, startTargetServer } from '../scrape/fake/target-server.ts';
import { startDnsServer } from './fake/dns-server.ts';
import { discover } from './fake/rig.ts';

const limit = { timeout: 20_000 };

async function scratch(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'discovery-'));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

test('files: stars, JSON and YAML, changes at once, and gone files', limit, async (t) => {
  const folder = await scratch(t);
  const at = (name: string): string => join(folder, name);
  await writeFile(at('a.json'), '[{"targets": ["a:1", "a:2"], "labels": {"zone": "x"}}]');
  await writeFile(at('b.yml'), '- targets: [b:1]\n  labels: {version: 1.10}\n- targets: [b:2]\n');
  await writeFile(at('other.json'), '[{"targets": ["o:1"]}]');
  const rig = await discover(t, folder, [
    "file_sd_configs: [{files: ['a*.json', b.yml, later/c.yaml], refresh_interval: 200ms}]",
  ]);
  const a = `zone=x __meta_filepath=${at('a.json')}`;
  const b = `__meta_filepath=${at('b.yml')}`;
  const twoOfA = [`__address__=a:1 ${a}`, `__address__=a:2 ${a}`];
  const oneOfB = `__address__=b:1 version=1.10 ${b}`;
  await rig.becomes(...twoOfA, oneOfB, `__address__=b:2 ${b}`);
  assert.equal(rig.discovered(), 4);

  // Editors and generators replace a file by renaming a new one, which has fewer groups here.
  await writeFile(at('new'), '- targets: [b:1]\n  labels: {version: 1.10}\n');
  await rename(at('new'), at('b.yml'));
  await rig.becomes(...twoOfA, oneOfB);

  await mkdir(at('later'));
  await writeFile(at('later/c.yaml'), '- targets: [c:1]\n');
  const c = `__address__=c:1 __meta_filepath=${at('later/c.yaml')}`;
  await rig.becomes(...twoOfA, oneOfB, c);

  await rm(at('b.yml'));
  await rig.becomes(...twoOfA, c);
  assert.equal(rig.failures(), 0);
});

test('files: the swap of a ConfigMap is seen without a refresh', limit, async (t) => {
  const folder = await scratch(t);
  for (const [i, version] of ['one', 'two'].entries()) {
    await mkdir(join(folder, `..${version}`));
    await writeFile(join(folder, `..${version}`, 't.json'), `[{"targets": ["a:${i}"]}]`);
  }
  await symlink('..one', join(folder, '..data'));
  await symlink('..data/t.json', join(folder, 't.json'));
  const rig = await discover(t, folder, ['file_sd_configs: [{files: [t.json]}]']);
  const meta = `__meta_filepath=${join(folder, 't.json')}`;
  await rig.becomes(`__address__=a:0 ${meta}`);
  await symlink('..two', join(folder, '..data_tmp'));
  await rename(join(folder, '..data_tmp'), join(folder, '..data'));
  await rig.becomes(`__address__=a:1 ${meta}`);
});

test('files: a bad file keeps its last targets and says what is wrong', limit, async (t) => {
  const folder = await scratch(t);
  const [bad, good] = [join(folder, 'bad.json'), join(folder, 'good.json')];
  await writeFile(bad, '[{"targets": ["a:1"]}]');
  await writeFile(good, '[{"targets": ["g:1"]}]');
  const rig = await discover(t, folder, ['file_sd_configs: [{files: [bad.json, good.json]}]']);
  await rig.becomes(
    `__address__=a:1 __meta_filepath=${bad}`,
    `__address__=g:1 __meta_filepath=${good}`,
  );
  for (const [content, message] of [
    ['[{"targets": ["a:2"], "lables": {}}]', /bad\.json: .*\[0\]\.lables: unknown key/],
    ['[{"targets": "a:2"}]', /\[0\]\.targets: expected a list/],
    ['[{"targets": [1]}]', /\[0\]\.targets\[0\]: expected a text/],
    ['[{"labels": {"a-b": "c"}}]', /\[0\]\.labels: a-b is not a label name/],
    ['[{"labels": {"a": 1}}]', /\[0\]\.labels\.a: expected a text/],
    ['[null]', /\[0\]: expected a map with targets and labels/],
    ['{}', /expected a list of groups/],
    ['[', /Unexpected end of JSON/],
  ] as const) {
    await writeFile(bad, content);
    await rig.warns(message);
  }
  await writeFile(good, '[{"targets": ["g:2"]}]');
  await rig.becomes(
    `__address__=a:1 __meta_filepath=${bad}`,
    `__address__=g:2 __meta_filepath=${good}`,
  );
  await writeFile(bad, '');
  await rig.warns(/bad\.json/);
  await writeFile(bad, '[]');
  await rig.becomes(`__address__=g:2 __meta_filepath=${good}`);
});

test('HTTP: the list, its headers, and failures that change nothing', limit, async (t) => {
  let body = '[{"targets": ["a:1"], "labels": {"x": "y"}}, {"targets": ["b:1"]}]';
  let [status, type] = [200, 'application/json; charset=utf-8'];
  const seen: (string | undefined)[] = [];
  const server = await startTargetServer({
    '/targets': (request, response) => {
      const { authorization, accept, 'user-agent': agent } = request.headers;
      const interval = request.headers['x-prometheus-refresh-interval-seconds'];
      seen.push([request.url, authorization, accept, agent, interval].join(' '));
      response.writeHead(status, { 'content-type': type }).end(body);
    },
  });
  t.after(() => server.close());
  const url = `http://${server.address}/targets?zone=b`;
  const rig = await discover(t, '/etc', [
    'http_sd_configs:',
    `  - {url: '${url}', refresh_interval: 100ms, basic_auth: {username: u, password: p}}`,
  ]);
  const meta = `__meta_url=${url}`;
  const both = [`__address__=a:1 x=y ${meta}`, `__address__=b:1 ${meta}`];
  await rig.becomes(...both);
  assert.equal(seen[0], '/targets?zone=b Basic dTpw application/json test/1 0.1');

  status = 503;
  await rig.warns(/the answer has status 503/);
  [status, type] = [200, 'text/html'];
  await rig.warns(/content type \\"text\/html\\", not application\/json/);
  type = 'application/json';
  body = '[{"targets": [], "label": {}}]';
  await rig.warns(/\[0\]\.label: unknown key/);
  body = `[${' '.repeat(17 << 20)}]`;
  await rig.warns(/more than 16777216 bytes/);
  await rig.becomes(...both);
  body = '[{"targets": ["c:1"]}]';
  await rig.becomes(`__address__=c:1 ${meta}`);
});

test('DNS: every type of record, short names, and failures', limit, async (t) => {
  const server = await startDnsServer({
    'web.example.org': { A: ['10.0.0.1', '10.0.0.2'], AAAA: ['fd00:0:0:0:0:0:0:1'] },
    'srv.example.org': { SRV: ['1 1 6060 one.example.org', '1 1 7070 two.example.org'] },
    'example.org': { MX: ['10 mail.example.org'], NS: ['ns.example.org'] },
  });
  t.after(() => server.close());
  const resolvConf = 'nameserver 192.0.2.1\nsearch example.net example.org\noptions ndots:2\n';
  const rig = await discover(
    t,
    '/etc',
    [
      'dns_sd_configs:',
      '  - {names: [web], type: A, port: 80, refresh_interval: 100ms}',
      '  - {names: [web.example.org], type: AAAA, port: 81, refresh_interval: 100ms}',
      '  - {names: [srv.example.org.], refresh_interval: 100ms}',
      '  - {names: [example.org], type: MX, port: 25, refresh_interval: 100ms}',
      '  - {names: [example.org, gone.example.org], type: NS, port: 53, refresh_interval: 100ms}',
    ],
    { dnsServer: server, wholeFiles: { '/etc/resolv.conf': resolvConf } },
  );
  const found = [
    '__address__=10.0.0.2:80 __meta_dns_name=web',
    '__address__=[fd00::1]:81 __meta_dns_name=web.example.org',
    '__address__=one.example.org:6060 __meta_dns_srv_record_target=one.example.org ' +
      '__meta_dns_srv_record_port=6060 __meta_dns_name=srv.example.org.',
    '__address__=two.example.org:7070 __meta_dns_srv_record_target=two.example.org ' +
      '__meta_dns_srv_record_port=7070 __meta_dns_name=srv.example.org.',
    '__address__=mail.example.org:25 __meta_dns_mx_record_target=mail.example.org ' +
      '__meta_dns_name=example.org',
    '__address__=ns.example.org:53 __meta_dns_ns_record_target=ns.example.org ' +
      '__meta_dns_name=example.org',
  ];
  await rig.becomes('__address__=10.0.0.1:80 __meta_dns_name=web', ...found);
  const short = server.asked.filter((asked) => asked.startsWith('A ')).slice(0, 2);
  assert.deepEqual(short, ['A web.example.net', 'A web.example.org']);

  server.isRefusing = true;
  await rig.warns(/cannot look up A of web: .*EREFUSED/);
  await rig.becomes('__address__=10.0.0.1:80 __meta_dns_name=web', ...found);
  server.isRefusing = false;
  server.zone = { ...server.zone, 'web.example.org': {} };
  // Names without records, and names that do not exist, have no targets.
  await rig.becomes(...found.slice(2));
});

test('an end of discovery does not wait for an answer', limit, async (t) => {
  const server = await startTargetServer({ '/': hang });
  t.after(() => server.close());
  await discover(t, dirname(tmpdir()), [`http_sd_configs: [{url: 'http://${server.address}/'}]`]);
  while (server.requests.length === 0) await delay(5);
  // The end of this test stops the manager and waits for it.
});
