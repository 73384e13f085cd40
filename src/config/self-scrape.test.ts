// Tests of the job by which a server scrapes itself.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseConfig } from './load/parse.ts';
import { withSelfScrape, type SelfScrapeTarget } from './self-scrape.ts';
import { discoveryKinds } from '../discovery/registry.ts';

const target: SelfScrapeTarget = {
  host: '::',
  port: 7171,
  scheme: 'http',
  token: 'own',
  pathPrefix: '',
  profileSecondsMax: 60,
};

test('the job follows the address of the server', () => {
  const check = (given: Partial<SelfScrapeTarget>, address: string, ...paths: string[]): void => {
    const config = withSelfScrape(parseConfig('', 'x.yml', discoveryKinds), {
      ...target,
      ...given,
    });
    const [{ jobName, discovery, profiles, intervalMillis, timeoutMillis }] = config.scrapeConfigs;
    assert.equal(jobName, 'parca');
    // The timeout is long, because the server answers late when its host is busy.
    assert.deepEqual([intervalMillis, timeoutMillis], [10_000, 30_000]);
    assert.deepEqual(discovery, [{ kind: 'static', groups: [{ targets: [address], labels: [] }] }]);
    assert.deepEqual(
      profiles.map(({ name, path, seconds = 0 }) => `${name} ${path} ${seconds}`),
      paths,
    );
  };
  const paths = ['memory /debug/pprof/heap 0', 'process_cpu /debug/pprof/profile 10'];
  check({}, '127.0.0.1:7171', ...paths);
  check({ host: '0.0.0.0' }, '127.0.0.1:7171', ...paths);
  check({ host: '10.0.0.7' }, '10.0.0.7:7171', ...paths);
  check({ host: '::1' }, '[::1]:7171', ...paths);
  check(
    { pathPrefix: '/a/b', profileSecondsMax: 3 },
    '127.0.0.1:7171',
    'memory /a/b/debug/pprof/heap 0',
    'process_cpu /a/b/debug/pprof/profile 3',
  );
});

test('a job of the same name replaces it; others stay before it', () => {
  const names = (text: string): string[] =>
    withSelfScrape(parseConfig(text, 'x.yml', discoveryKinds), target).scrapeConfigs.map(
      ({ jobName }) => jobName,
    );
  assert.deepEqual(names('scrape_configs: [{job_name: a}]'), ['a', 'parca']);
  assert.deepEqual(names('scrape_configs: [{job_name: parca}, {job_name: b}]'), ['parca', 'b']);
});
