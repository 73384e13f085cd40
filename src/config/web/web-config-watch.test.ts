// Tests of the watch: changes are applied, a mistake is logged once, and no change can turn off
// logins or TLS.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../base/fake/clock.ts';
import { type Logger, silentLogger } from '../../base/logger.ts';
import { noMetrics } from '../../base/metrics.ts';
import { webConfigCheckMillis } from '../limits.ts';
import { WebConfigWatch } from './web-config-watch.ts';
import { openWebConfig, type ServerTls, type WebConfig } from './web-config.ts';

const first: WebConfig = { ...openWebConfig, users: new Map([['alice', 'one']]) };
const second: WebConfig = { ...openWebConfig, users: new Map([['alice', 'two']]) };

function rig() {
  const clock = createFakeClock();
  const applied: WebConfig[] = [];
  const errors: unknown[] = [];
  const logger: Logger = {
    ...silentLogger,
    error: (_text, fields) => errors.push(fields?.['error']),
  };
  const made = { clock, applied, errors, next: first as WebConfig | Error, refused: '' };
  const watch = new WebConfigWatch({
    load: async () => {
      if (made.next instanceof Error) throw made.next;
      return made.next;
    },
    apply: (config) => {
      if (made.refused !== '') throw new Error(made.refused);
      applied.push(config);
    },
    first,
    clock,
    logger,
    metrics: noMetrics,
  });
  return Object.assign(made, { watch });
}

test('a change is applied once, when its time comes', async () => {
  const made = rig();
  made.next = second;
  await made.clock.advance(webConfigCheckMillis);
  await made.watch.check();
  assert.deepEqual(made.applied, [second]);
  await made.watch.stop();
  made.next = first;
  await made.clock.advance(webConfigCheckMillis * 3);
  assert.deepEqual(made.applied, [second]);
});

test('a config that cannot be used is logged once, and the last one stays until the next good one', async () => {
  const made = rig();
  made.next = new Error('bad file');
  await assert.rejects(made.watch.check(), /bad file/);
  await assert.rejects(made.watch.check(), /bad file/);
  assert.deepEqual(made.errors, ['bad file']);
  made.next = second;
  made.refused = 'bad key';
  await assert.rejects(made.watch.check(), /bad key/);
  made.refused = '';
  await made.watch.check();
  assert.deepEqual(made.applied, [second]);
  assert.deepEqual(made.errors, ['bad file', 'bad key']);
  await made.watch.stop();
});

test('a running server is not opened, and does not change its protocol', async () => {
  const made = rig();
  made.next = openWebConfig;
  await assert.rejects(made.watch.check(), /cannot let everybody in without a restart/);
  const tls: ServerTls = {
    certificate: '',
    key: '',
    clientAuthorities: '',
    clientNames: [],
    ciphers: [],
    curves: [],
    maxVersion: undefined,
    prefersOwnCiphers: true,
    clientAuth: 'NoClientCert',
    minVersion: 'TLSv1.2',
  };
  made.next = { ...first, tls };
  await assert.rejects(made.watch.check(), /cannot turn TLS on or off without a restart/);
  assert.deepEqual(made.applied, []);
  await made.watch.stop();
});
