// Tests of environment variables in config files, and of files with further jobs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorMessage } from '../../base/errors.ts';
import type { Config } from '../config.ts';
import { loadConfig } from './load.ts';
import { parseConfig } from './parse.ts';
import { discoveryKinds } from '../../discovery/registry.ts';

const job = (name: string, more = ''): string => `scrape_configs:\n  - job_name: ${name}\n${more}`;

/** Loads `/c/parca.yaml`, given the contents of files by path. */
function load(contents: Readonly<Record<string, string>>): Promise<Config> {
  return loadConfig(
    '/c/parca.yaml',
    {
      list: async (folder) =>
        Object.keys(contents)
          .filter((path) => path.startsWith(`${folder}/`))
          .map((path) => path.slice(folder.length + 1)),
      read: async (path) => {
        if (path in contents) return new TextEncoder().encode(contents[path]);
        throw new Error(`no ${path}`);
      },
    },
    discoveryKinds,
  );
}

test('jobs of other files follow, with the same defaults and paths of their own', async () => {
  const { scrapeConfigs, scrapeConfigFiles } = await load({
    '/c/parca.yaml': `global: {scrape_interval: 7s}\nscrape_config_files: ['jobs/*.yml']\n${job('a')}`,
    '/c/jobs/2.yml': job('c', "    file_sd_configs: [{files: ['t.json']}]\n"),
    '/c/jobs/1.yml': job('b', '    bearer_token_file: token\n'),
    '/c/jobs/note.txt': 'no config',
    '/c/jobs/token': 'secret',
  });
  assert.deepEqual(scrapeConfigFiles, ['/c/jobs/*.yml']);
  assert.deepEqual(
    scrapeConfigs.map(({ jobName, intervalMillis }) => [jobName, intervalMillis]),
    [
      ['a', 7_000],
      ['b', 7_000],
      ['c', 7_000],
    ],
  );
  assert.deepEqual(scrapeConfigs[2].discovery, [
    { kind: 'file', patterns: ['/c/jobs/t.json'], refreshMillis: 300_000 },
  ]);
});

test('mistakes in other files are told with their places, all at once', async () => {
  const main = `scrape_config_files: [jobs/1.yml, jobs/2.yml]\n${job('a')}`;
  const check = async (files: Record<string, string>, want: string): Promise<void> => {
    const message = await load({ '/c/parca.yaml': main, ...files }).then(String, errorMessage);
    assert.equal(message, want);
  };
  await check(
    { '/c/jobs/1.yml': job('a'), '/c/jobs/2.yml': 'global: {}\n' },
    '/c/jobs/1.yml:2:5: scrape_configs[0]: duplicate job_name found in scrape configs: a\n' +
      '/c/jobs/2.yml:1:1: global: unknown key, expected one of scrape_configs',
  );
  await check({ '/c/jobs/1.yml': '' }, 'cannot read config file /c/jobs/2.yml: no /c/jobs/2.yml');
});

test('variables of the environment', () => {
  const environment = { TARGET: 'a: b', SECONDS: '5', SECRET: '"#x', EMPTY: '' };
  const text = job(
    '${NAME:-main}',
    [
      '    scrape_interval: ${SECONDS}s',
      '    sample_limit: ${SECONDS}',
      "    basic_auth: {username: '${EMPTY}', password: '${SECRET}'}",
      '    params: {q: ["${TARGET}", "$${TARGET}", "${1} $1 $TARGET"]}',
      '    relabel_configs: [{target_label: x, replacement: $1}]',
    ].join('\n'),
  );
  const [config] = parseConfig(text, 'f', discoveryKinds, environment).scrapeConfigs;
  assert.equal(config.jobName, 'main');
  assert.equal(config.intervalMillis, 5_000);
  assert.equal(config.limits.samples, 5);
  assert.deepEqual(config.http.credentials, {
    kind: 'basic',
    username: { kind: 'inline', text: '' },
    password: { kind: 'inline', text: '"#x' },
  });
  assert.deepEqual(config.params.get('q'), ['a: b', '${TARGET}', '${1} $1 $TARGET']);
  assert.equal(config.relabelRules[0].replacement, '$1');
  assert.throws(
    () => parseConfig(job('${NONE}'), 'f', discoveryKinds, environment),
    /^ConfigError: f:2:15: the variable NONE is not set/,
  );
  // Without the flag, variables are not replaced.
  assert.equal(
    parseConfig(job('${NONE}'), 'f', discoveryKinds).scrapeConfigs[0].jobName,
    '${NONE}',
  );
});
