// Tests a server that only scrapes and forwards to a second server, which goes away and comes back.
import assert from 'node:assert/strict';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { startTargetServer } from '../../../src/scrape/fake/target-server.ts';
import { connect, unary, writeRawPath, writeRawRequest } from '../../support/grpc-client.ts';
import { getText } from '../../support/json-api.ts';
import { cpuProfile, encodeProfile, gzippedPprof } from '../../support/profiles/pprof-builder.ts';
import { scratchDirectory, startServer, type TestServer } from '../../support/server.ts';

const limit = { timeout: 120_000 };
/** The period by which numbers of samples are multiplied. */
const periodNanos = 10_000_000;
const type = 'p:samples:count:cpu:nanoseconds:delta';

/** Returns the labels of a job's profiles on a server, and the sum of their samples. */
async function stored(server: TestServer, job: string): Promise<{ labels: string[]; sum: number }> {
  const text = await getText(server.url, '/profiles/query_range', {
    query: `${type}{job="${job}"}`,
    start: new Date(Date.now() - 3_600_000).toISOString(),
    end: new Date(Date.now() + 3_600_000).toISOString(),
    step: '864000s',
    sumBy: ['instance', 'job', 'region', 'zone'],
  }).catch(() => '{"series":[]}');
  const { series } = JSON.parse(text) as {
    series: {
      labelset: { labels: { name: string; value: string }[] };
      samples: { value: string }[];
    }[];
  };
  return {
    labels: series.map(({ labelset }) =>
      labelset.labels
        .map(({ name, value }) => `${name}=${value}`)
        .sort()
        .join(' '),
    ),
    sum: series
      .flatMap(({ samples }) => samples)
      .reduce((sum, { value }) => sum + Number(value) / periodNanos, 0),
  };
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let left = 600; left > 0; left -= 1) {
    if (await holds()) return;
    await delay(100);
  }
  assert.fail('it does not come true');
}

test(
  'profiles of targets arrive, each once, whether the other server is there or not',
  limit,
  async (t) => {
    const scratch = await scratchDirectory();
    t.after(() => scratch.remove());
    let scrapes = 0;
    const target = await startTargetServer({
      '/p': (_request, response) => {
        scrapes += 1;
        const timeNanos = BigInt(Date.now()) * 1_000_000n;
        // A plain body is compressed before it is forwarded.
        response.end(encodeProfile(cpuProfile({ timeNanos, samples: [['main;a', 1n]] })));
      },
      '/bad': (_request, response) => response.end('no profile'),
    });
    t.after(() => target.close());
    const storagePath = join(scratch.path, 'store');
    let store = await startServer({ storagePath });
    t.after(() => store.kill());
    const { port } = new URL(store.url);
    const job = (name: string, path: string): string =>
      `{job_name: ${name}, scrape_interval: 200ms, profiling_config: {pprof_config: {` +
      ['memory', 'block', 'goroutine', 'mutex', 'process_cpu']
        .map((one) => `${one}: {enabled: false}, `)
        .join('') +
      `p: {enabled: true, path: ${path}, keep_sample_type: [{type: samples, unit: count}]}}}, ` +
      `static_configs: [{targets: ['${target.address}']}]}`;
    const external = 'global: {external_labels: {job: never, region: eu, zone: a}}';
    const config = `${external}\nscrape_configs: [${job('api', '/p')}, ${job('bad', '/bad')}]`;
    const scraperPath = join(scratch.path, 'scraper', 'data');
    await mkdir(join(scratch.path, 'scraper'));
    const flags = ['--mode=scraper-only', `--store-address=127.0.0.1:${port}`, '--insecure'];
    const start = () =>
      startServer({
        storagePath: scraperPath,
        config,
        flags: [...flags, '--external-label=zone=b'],
      });
    let scraper = await start();
    t.after(() => scraper.kill());
    await until(async () => (await stored(store, 'api')).sum >= 3);
    const { labels } = await stored(store, 'api');
    assert.deepEqual(labels, [`instance=${target.address} job=api region=eu zone=b`]);

    // The targets API reports scrape results; this server does not answer queries.
    const targets = await getText(scraper.url, '/targets', {});
    assert.match(targets, /failed to parse profile/);
    const refused = await fetch(`${scraper.url}/api/profiles/labels`);
    assert.equal(refused.status, 501);
    assert.match(await refused.text(), /this server only scrapes and passes writes on/);
    assert.equal((await fetch(`${scraper.url}/-/ready`)).status, 200);
    // Pushes from other clients are forwarded, too.
    const client = connect(scraper.address);
    const pushed = gzippedPprof(
      cpuProfile({ timeNanos: BigInt(Date.now()) * 1_000_000n, samples: [['b', 7n]] }),
    );
    await unary(client, writeRawPath, writeRawRequest({ __name__: 'p', job: 'pushed' }, pushed));
    client.close();
    assert.equal((await stored(store, 'pushed')).sum, 7);

    await store.stop();
    const queued = async (): Promise<number> =>
      (await readdir(join(scraperPath, 'queue'))).filter((name) => name.endsWith('.request'))
        .length;
    await until(async () => (await queued()) >= 2);
    // The queue survives a restart of the scraper.
    await scraper.stop();
    const before = scrapes;
    assert.ok((await queued()) >= 2);
    scraper = await start();
    store = await startServer({ storagePath, flags: [`--http-address=127.0.0.1:${port}`] });
    await until(async () => scrapes > before && (await queued()) === 0);
    await scraper.stop();
    // A scrape that was running when the scraper ended may be lost, but no scrape is stored twice.
    const { sum } = await stored(store, 'api');
    assert.ok(sum <= scrapes && sum >= scrapes - 2, `${sum} of ${scrapes}`);
  },
);
