// Tests of static discovery, and of the start and stop of discoverers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLogger } from '../base/logger.ts';
import { noMetrics } from '../base/metrics.ts';
import type { StaticDiscoveryConfig } from '../config/config.ts';
import type { Discoverer, TargetGroup } from './interface.ts';
import { createDiscoveryManager, type DiscoveryManager } from './manager.ts';
import { createStaticDiscoverer } from './static.ts';

function statics(...addresses: string[]): StaticDiscoveryConfig {
  const labels = [{ name: 'env', value: 'test' }];
  return { kind: 'static', groups: [{ targets: addresses, labels }] };
}

/** Returns a manager, and the addresses of every update as strings that begin with the job. */
function rig(create: () => Discoverer): { manager: DiscoveryManager; updates: string[] } {
  const updates: string[] = [];
  const manager = createDiscoveryManager({
    create,
    onUpdate: (job, groups) => {
      const addresses = groups.flatMap(({ targets }) => targets.map(([label]) => label.value));
      updates.push(`${job}: ${addresses.join(' ')}`);
    },
    logger: silentLogger,
    metrics: noMetrics,
  });
  return { manager, updates };
}

test('static targets are there at once', async () => {
  const seen: (readonly TargetGroup[])[] = [];
  const { signal } = new AbortController();
  await createStaticDiscoverer(statics('a:80', 'b:80')).run(
    signal,
    (groups) => void seen.push(groups),
  );
  const targets = ['a:80', 'b:80'].map((value) => [{ name: '__address__', value }]);
  assert.deepEqual(seen, [[{ source: '0', targets, labels: [{ name: 'env', value: 'test' }] }]]);
});

test('unchanged jobs go on, changed ones start again', async () => {
  const updates: string[] = [];
  const manager = createDiscoveryManager({
    create: (config) =>
      config.kind === 'static'
        ? createStaticDiscoverer(config as StaticDiscoveryConfig)
        : assert.fail(config.kind),
    onUpdate: (job, groups) => void updates.push(`${job} ${groups.length}`),
    logger: silentLogger,
    metrics: noMetrics,
  });
  await manager.apply([
    { name: 'a', configs: [statics('x')] },
    { name: 'b', configs: [statics('y')] },
  ]);
  assert.deepEqual(updates.splice(0), ['a 1', 'b 1']);
  await manager.apply([
    { name: 'a', configs: [statics('x')] },
    { name: 'b', configs: [statics('z')] },
    { name: 'c', configs: [] },
  ]);
  assert.deepEqual(updates.splice(0), ['b 1', 'c 0']);
  await manager.stop();
  await manager.stop();
});

test('groups replace those of the same name; empty ones are removed', async () => {
  const steps: Record<string, readonly string[]>[] = [
    { one: ['a'], two: ['b', 'c'] },
    { two: ['d'] },
    { one: [] },
  ];
  const { manager, updates } = rig(() => ({
    run: async (_signal, onUpdate) => {
      for (const step of steps) {
        onUpdate(
          Object.entries(step).map(([source, addresses]) => ({
            source,
            targets: addresses.map((value) => [{ name: '__address__', value }]),
            labels: [],
          })),
        );
      }
    },
  }));
  await manager.apply([{ name: 'job', configs: [statics()] }]);
  assert.deepEqual(updates, ['job: a b c', 'job: a d', 'job: d']);
  await manager.stop();
});

test('a stop aborts discoverers, waits for them, and ignores later updates', async () => {
  let ended = 0;
  const { manager, updates } = rig(() => ({
    run: (signal, onUpdate) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          onUpdate([{ source: 'late', targets: [], labels: [] }]);
          ended += 1;
          resolve();
        });
      }),
  }));
  await manager.apply([{ name: 'job', configs: [statics('a'), statics('b')] }]);
  await manager.apply([]);
  assert.equal(ended, 2);
  assert.deepEqual(updates, []);
});

test('a discoverer that fails does not stop the others', async () => {
  let started = 0;
  const { manager, updates } = rig(() => ({
    run: async (_signal, onUpdate) => {
      started += 1;
      if (started === 1) throw new Error('no such host');
      onUpdate([{ source: '0', targets: [[{ name: '__address__', value: 'a' }]], labels: [] }]);
    },
  }));
  await manager.apply([{ name: 'job', configs: [statics('a'), statics('b')] }]);
  assert.deepEqual(updates, ['job: a']);
  await manager.stop();
});
