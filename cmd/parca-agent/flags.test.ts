// Tests of the agent's command line, its config file, and docs/agent.md.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseAgentConfig } from '../../agent/config/agent-config.ts';
import { AppError } from '../../src/base/errors.ts';
import { isSwitch } from '../foreign-flags.ts';
import { flagTable, parcaAgentFlags } from './flag-rows.ts';
import { configFlagNames, helpText, parseFlags } from './flags.ts';

const remote = '--remote-store-address=127.0.0.1:7070';

test('defaults are those of Parca Agent', () => {
  const flags = parseFlags([remote], {});
  assert.equal(flags.httpAddress, '127.0.0.1:7071');
  assert.equal(flags.frequencyHz, 19);
  assert.equal(flags.reportMillis, 5_000);
  assert.equal(flags.labelLifeMillis, 600_000);
  assert.equal(flags.remoteStoreInsecure, false);
  assert.deepEqual([flags.withCpu, flags.withThreadId, flags.withThreadName], [true, true, true]);
  assert.deepEqual(flags.debuginfoDirectories, ['/usr/lib/debug']);
  assert.deepEqual([flags.ringBytes, flags.tableBytesMax], [1_048_576, 67_108_864]);
});

test('values are read, and the token may come from the environment', () => {
  const flags = parseFlags(
    [
      remote,
      '--metadata-external-labels=region=eu;tier=db',
      '--include-env-var=A,B',
      '--remote-store-grpc-headers=X-Scope=1;x-b=2=3',
      '--bpf-map-scale-factor=2',
      '--profiling-pids',
      '12,13',
      '--metadata-disable-cpu-label',
    ],
    { PARCA_BEARER_TOKEN: 'secret' },
  );
  assert.deepEqual(flags.externalLabels, [
    { name: 'region', value: 'eu' },
    { name: 'tier', value: 'db' },
  ]);
  assert.deepEqual(flags.includeEnvVars, ['A', 'B']);
  assert.deepEqual(flags.remoteStoreHeaders, [
    ['x-scope', '1'],
    ['x-b', '2=3'],
  ]);
  assert.equal(flags.tableBytesMax, 268_435_456);
  assert.deepEqual(flags.pids, [12, 13]);
  assert.equal(flags.withCpu, false);
  assert.equal(flags.remoteStoreBearerToken, 'secret');
});

test('flags of Parca Agent are taken when they are off, else with a line or refused by name', () => {
  for (const { name, kind, initial } of parcaAgentFlags) {
    const notices = (value: string): readonly string[] =>
      parseFlags([remote, `--${name}=${value}`], {}).notices;
    assert.deepEqual(notices(initial), [], name);
    if (kind === 'needless') {
      assert.match(notices('7').join(), new RegExp(`^--${name} has no effect: \\w`));
      continue;
    }
    assert.throws(
      () => notices('7'),
      (error) =>
        error instanceof AppError &&
        error.code === 'unimplemented' &&
        error.message.startsWith(`--${name} is a flag of Parca that is not supported yet, only `),
    );
  }
  for (const flag of parcaAgentFlags.filter(isSwitch)) {
    const { name, kind, initial } = flag;
    if (kind === 'missing') continue;
    const { notices } = parseFlags([`--${name}`, remote], {});
    assert.equal(notices.length, initial === 'true' ? 0 : 1, name);
  }
  const same = ['--off-cpu-threshold=0.0', '--profiling-probabilistic-interval=60s'];
  assert.deepEqual(parseFlags([remote, ...same], {}).notices, []);
});

test('the path of the program may come first, as in manifests', () => {
  for (const path of ['/bin/parca-agent', '/parca-agent']) {
    assert.equal(parseFlags([path, remote, '--node=a'], {}).node, 'a');
  }
  for (const word of ['/bin/other', 'parca-agent', '/bin/not-parca-agent']) {
    assert.throws(() => parseFlags([word, remote], {}), /unexpected argument/);
  }
});

test('what is wrong is named', () => {
  const check = (args: readonly string[], message: RegExp): void =>
    assert.throws(() => parseFlags(args, {}), message);
  check([], /give --remote-store-address, or --local-store-directory/);
  check([remote, '--local-store-directory=x'], /give one/);
  check(['--remote-store-address=http://x:1'], /must be host:port, not "http:/);
  check([remote, '--remote-store-client-key=k'], /go together/);
  check([remote, '--profiling-cpu-sampling-frequency=0'], /a whole number from 1 to 10000, not 0/);
  check([remote, '--bpf-map-scale-factor=9'], /a whole number from 0 to 8, not 9/);
  check([remote, '--bpf-events-buffer-size=100'], /must be a power of two, not 100/);
  check([remote, '--profiling-duration=5'], /--profiling-duration: .*duration/);
  check([remote, '--profiling-pids=x'], /must be numbers of processes, not "x"/);
  check([remote, '--metadata-external-labels=__a=b'], /"__a" cannot be the name of a label/);
  check([remote, '--queue-size=50'], /--queue-size: .*unit/);
  check([remote, '--symbolize-locally=maybe'], /must be auto, true, false/);
  check([remote, '--profiling-duraton=5s'], /did you mean --profiling-duration\?/);
});

test('the config file holds flags, which the command line stands in front of', () => {
  const text = [
    'remote-store-address: db:7070',
    'remote-store-insecure: true',
    'include-env-var: [A, B]',
    'profiling-duration: 10s',
    'relabel_configs:',
    '- source_labels: [__meta_process_pid]',
    '  target_label: pid',
  ].join('\n');
  const config = parseAgentConfig(text, 'agent.yaml', configFlagNames);
  const flags = parseFlags(['--profiling-duration', '2s'], {}, config.flags);
  assert.equal(flags.remoteStoreAddress, 'db:7070');
  assert.equal(flags.remoteStoreInsecure, true);
  assert.deepEqual(flags.includeEnvVars, ['A', 'B']);
  assert.equal(flags.reportMillis, 2_000);
  assert.deepEqual(
    config.relabelRules?.map(({ sourceLabels, targetLabel }) => [sourceLabels, targetLabel]),
    [[['__meta_process_pid'], 'pid']],
  );
  assert.equal(parseAgentConfig('', 'agent.yaml', configFlagNames).relabelRules, undefined);
  const wrong = (content: string, message: RegExp): void =>
    assert.throws(() => parseAgentConfig(content, 'agent.yaml', configFlagNames), message);
  wrong('nod: x', /^ConfigError: agent.yaml:1:1: nod: unknown key, did you mean node\?/);
  wrong(
    'relabel_configs:\n- action: kep',
    /agent.yaml:2:11: relabel_configs\[0\].action: expected/,
  );
  wrong('a: [', /agent.yaml:1:/);
});

test('help and docs/agent.md name every flag with its default', () => {
  const docs = readFileSync(new URL('../../docs/agent.md', import.meta.url), 'utf8');
  for (const { name, initial } of flagTable) {
    assert.ok(helpText().includes(`--${name}`), name);
    const row = docs.split('\n').find((line) => line.startsWith(`| \`--${name}\` |`));
    assert.ok(row !== undefined, `docs/agent.md has no --${name}`);
    if (initial !== '' && initial !== 'false') assert.ok(row.includes(`\`${initial}\``), row);
  }
  const known = new Set(flagTable.map(({ name }) => name));
  for (const [, name] of docs.matchAll(/^\| `--([a-z0-9-]+)` \|/gm))
    assert.ok(known.has(name), name);
});
