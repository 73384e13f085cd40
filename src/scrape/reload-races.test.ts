// Tests of reloads while the config file is being written. The file is valid, invalid,
// half-written, or replaced through a symbolic link.
import assert from 'node:assert/strict';
import { Resolver } from 'node:dns/promises';
import { mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { silentLogger } from '../base/logger.ts';
import { noMetrics } from '../base/metrics.ts';
import { createClock } from '../base/node/clock.ts';
import { createFiles } from '../base/node/files.ts';
import { runCommand } from '../base/node/run-command.ts';
import { rounds } from '../base/testing/rounds.ts';
import { loadConfig } from '../config/load/load.ts';
import { createReloader } from '../config/reload.ts';
import { createScrapeManager } from './manager.ts';
import { discoveryKinds } from '../discovery/registry.ts';

const reloads = rounds(200, 2_000);

/**
 * Returns a config in which all jobs contain the version, so that a mixture of two versions would
 * be noticed.
 */
function configText(version: number): string {
  const jobs = Array.from({ length: 3 }, (_, i) =>
    [
      `  - job_name: ${i === 0 ? 'stays' : `v${version}-${i}`}`,
      '    scrape_interval: 1h',
      `    params: {version: ['${i === 0 ? 'any' : version}']}`,
      '    profiling_config: {pprof_config: {' +
        ['memory', 'block', 'goroutine', 'mutex']
          .map((one) => `${one}: {enabled: false}`)
          .join(', ') +
        '}}',
      "    static_configs: [{targets: ['127.0.0.1:1']}]",
    ].join('\n'),
  );
  return ['scrape_configs:', ...jobs, ''].join('\n');
}

test(
  'each reload leaves a whole config, the new one or the last',
  { timeout: 120_000 },
  async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'reload-'));
    t.after(() => rm(folder, { recursive: true }));
    const path = join(folder, 'parca.yaml');
    const files = createFiles();
    const machine = { clock: createClock(), files, logger: silentLogger, metrics: noMetrics };
    const manager = createScrapeManager({
      ...machine,
      ingester: { write: async () => undefined },
      storesResults: false,
      userAgent: 'test/1',
      watchFolder: () => undefined,
      createResolver: () => new Resolver(),
      runCommand,
      environment: {},
    });
    t.after(() => manager.stop());
    let good = 0;
    const reloader = createReloader({
      ...machine,
      load: () => loadConfig(path, files, discoveryKinds),
      apply: [
        async (config) => {
          await manager.apply(config);
          good = Number(config.scrapeConfigs[1].jobName.slice(1).split('-', 1)[0]);
        },
      ],
    });
    await writeFile(path, configText(0));
    await reloader.reload();
    const ways = [
      async (version: number) => writeFile(path, configText(version)),
      async () => writeFile(path, 'scrape_configs: [{job_nam: x}]\n'),
      async (version: number) => {
        const text = configText(version);
        await writeFile(path, text.slice(0, text.length / 2));
        // The second half is written while the first half is being read.
        void reloader.reload().catch(() => undefined);
        await writeFile(path, text);
      },
      async (version: number) => {
        const target = join(folder, `data-${version}.yaml`);
        await writeFile(target, configText(version));
        await symlink(target, `${path}.new`);
        await rename(`${path}.new`, path);
      },
      async () => rm(path, { force: true }),
    ];
    for (let version = 1; version <= reloads; version += 1) {
      await ways[version % ways.length](version);
      const racing = [reloader.reload(), reloader.reload()];
      await Promise.all(racing.map((one) => one.catch(() => undefined)));
      const jobs = [...manager.activeTargets()].map(
        ({ job, url }) => `${job} ${new URL(url).searchParams.get('version')}`,
      );
      const want = ['stays any', `v${good}-1 ${good}`, `v${good}-2 ${good}`];
      assert.deepEqual([...new Set(jobs)], want, `reload ${version}`);
    }
    assert.ok(good > reloads - ways.length);
  },
);
