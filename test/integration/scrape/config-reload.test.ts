// Tests config and target files that are cut off, emptied or deleted while the server runs: nothing
// is dropped silently.
import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parseMetrics } from '../../support/metrics-text.ts';
import { scratchDirectory, startServer } from '../../support/server.ts';

const scratch = await scratchDirectory();
after(() => scratch.remove());
const listPath = join(scratch.path, 'list.yaml');
const config = `global: {scrape_interval: 1h}
scrape_configs:
  - job_name: fixed
    static_configs: [{targets: ['127.0.0.1:1', '127.0.0.1:2', '127.0.0.1:3']}]
    profiling_config: {pprof_config: {cpu: {path: /x, delta: true}, memory: {path: /m}}}
  - job_name: listed
    file_sd_configs: [{files: [${listPath}]}]
`;
const list = "- targets: ['127.0.0.1:4', '127.0.0.1:5']\n";

test('a config or list that is cut off, emptied or deleted drops no target in silence', async () => {
  await writeFile(listPath, list);
  const server = await startServer({ storagePath: join(scratch.path, 'data'), config });
  after(() => server.stop());
  const configPath = join(scratch.path, `parca-${process.pid}.yaml`);
  const until = async (isDone: () => boolean | Promise<boolean>): Promise<void> => {
    for (const end = Date.now() + 20_000; !(await isDone());) {
      assert.ok(Date.now() < end, server.log());
      await new Promise((resolve) => void setTimeout(resolve, 10));
    }
  };
  const logs = (text: string, times = 1): Promise<void> =>
    until(() => server.log().split(text).length > times);
  const addresses = async (): Promise<number> => {
    const answer = await fetch(`${server.url}/api/v1/targets?state=active`);
    const { data } = (await answer.json()) as {
      data: { activeTargets: { discoveredLabels: { __address__: string } }[] };
    };
    return new Set(data.activeTargets.map((target) => target.discoveredLabels.__address__)).size;
  };
  const successful = async (): Promise<number | undefined> => {
    const metrics = parseMetrics(await (await fetch(`${server.url}/metrics`)).text());
    return metrics.find(({ name }) => name === 'parca_config_last_reload_successful')?.value;
  };
  await until(async () => (await addresses()) === 5);
  await logs(
    `level=warn msg=config at="${configPath}:5:44: scrape_configs[0].profiling_config.pprof_config.cpu: nothing is fetched`,
  );

  await writeFile(configPath, '');
  await logs(
    `level=error msg="cannot load config, the last one stays" error="cannot use config file`,
  );
  assert.match(
    server.log(),
    /it is empty; scrape_configs: \[\] would mean that nothing is scraped/,
  );
  assert.deepEqual([await addresses(), await successful()], [5, 0]);
  await writeFile(configPath, config);
  await logs('msg="config loaded"', 2);

  await writeFile(listPath, '');
  await logs('level=warn msg="discovery failed, the last targets stay"');
  assert.match(server.log(), /it is empty; \[\] would mean that there are no targets/);
  assert.equal(await addresses(), 5);
  await writeFile(listPath, list);
  await logs('msg="discovery works again"');

  await rm(configPath);
  await logs('level=warn msg="a config file cannot be read, the last config stays"');
  assert.equal(await addresses(), 5);
  await writeFile(configPath, config);
  await logs('msg="the config files can be read again"');

  await writeFile(listPath, '[]\n');
  await logs('level=warn msg="a job has lost all of its targets" job=listed');
  await rm(listPath);
  await writeFile(configPath, 'scrape_configs: []\n');
  await logs('targets are gone: the config no longer has their jobs" jobs="fixed listed"');
  assert.match(server.log(), /level=warn msg="\d+ targets are gone/);
  assert.deepEqual([await addresses(), await successful()], [0, 1]);
});
