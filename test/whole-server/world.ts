// A real server on which random events happen, and the profiles that it must have after each event.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Client } from '@grpc/grpc-js';
import { parseProfileType } from '../../src/model/profile-type.ts';
import type { PlainProfile } from '../../src/query/testing/oracle/plain-data.ts';
import { pick, type RandomBelow } from '../../src/query/testing/random-rows.ts';
import { randomProfiles, randomTypes } from '../../src/query/testing/random-store.ts';
import {
  locationsFrom,
  oracleProfile,
  randomFrames,
} from '../../src/query/testing/oracle/random-world.ts';
import type { TestProfile } from '../../src/query/testing/test-store.ts';
import { connect, unary, writeRawPath, writeRawRequest } from '../support/grpc-client.ts';
import {
  scratchDirectory,
  startServer,
  type ScratchDirectory,
  type TestServer,
} from '../support/server.ts';
import { startReference, type Reference } from './reference.ts';
import { encodeUpload } from './uploads.ts';

const hourNanos = 3_600_000_000_000n;
const dayNanos = 24n * hourNanos;
const waitMillisMax = 30_000;
const quickMaintenance = new URL('./quick-maintenance.ts', import.meta.url).pathname;

/** Flag that makes the server retire old profiles, which are ten days old. */
const retention = '--storage-retention-time=5d';

/**
 * URL of a ClickHouse server that stores the profiles of all seeds; the embedded store if
 * undefined.
 */
const clickHouseUrl = process.env['LIVE_CLICKHOUSE'];
/** Number of databases, which is used in their names. */
let worlds = 0;

/**
 * The server and the profiles of one seed. Any of the `events` may happen at any time, one after
 * another.
 */
export class World {
  readonly counts: Record<string, number> = {};
  readonly random: RandomBelow;
  reference: Reference;
  server: TestServer;
  client: Client;
  referenceClient: Client;
  readonly #scratch: ScratchDirectory;
  readonly #describe: ReturnType<typeof locationsFrom>;
  readonly #nodeFlags: readonly string[];
  readonly #target: ScrapedTarget;
  #stored: TestProfile[] = [];
  /** True if the server retires profiles older than five days. */
  #retires = false;
  /** End of the range of the young profiles: the current time. */
  readonly #nowNanos = BigInt(Date.now()) * 1_000_000n;

  private constructor(parts: {
    random: RandomBelow;
    scratch: ScratchDirectory;
    describe: ReturnType<typeof locationsFrom>;
    nodeFlags: readonly string[];
    target: ScrapedTarget;
    reference: Reference;
    server: TestServer;
  }) {
    this.random = parts.random;
    this.#scratch = parts.scratch;
    this.#describe = parts.describe;
    this.#nodeFlags = parts.nodeFlags;
    this.#target = parts.target;
    this.reference = parts.reference;
    this.server = parts.server;
    this.client = connect(parts.server.address);
    this.referenceClient = connect(parts.reference.address);
  }

  /** Starts a server. `nodeFlags` are additional flags for its process, such as a planted fault. */
  static async open(random: RandomBelow, nodeFlags: readonly string[] = []): Promise<World> {
    const scratch = await scratchDirectory();
    const describe = locationsFrom(random);
    worlds += 1;
    const target = await ScrapedTarget.open();
    const reference = await startReference(describe);
    const server = await start(random, scratch, target, nodeFlags);
    return new World({ random, scratch, describe, nodeFlags, target, reference, server });
  }

  /** Returns the stored profiles in the form for the naive evaluation. */
  profiles(): readonly PlainProfile[] {
    return this.#stored.map((profile) => oracleProfile(profile, this.#describe));
  }

  /** Causes a random event; returns its name. */
  async happen(): Promise<string> {
    const { random } = this;
    const events = {
      push: () => this.#push(this.#young(randomProfiles(random, 1, randomFrames))),
      pushLarge: () => this.#push(this.#young([this.#largeProfile()])),
      repeat: () => this.#repeat(),
      scrape: () => this.#scrape(),
      cut: () => this.#cut(),
      restart: () => this.#restart(),
      kill: () => this.#kill(),
      delete: () => this.#delete(),
      retire: () => this.#retire(),
    };
    const names = [
      ...(['push', 'push', 'pushLarge', 'pushLarge', 'repeat'] as const),
      ...(['restart', 'restart', 'kill', 'delete'] as const),
      // ClickHouse does these by itself. With ClickHouse, scrapes wait in a queue.
      ...(clickHouseUrl === undefined ? (['cut', 'cut', 'scrape', 'retire'] as const) : []),
    ];
    const name = this.#stored.length === 0 ? 'pushLarge' : pick(random, names);
    await events[name]();
    this.counts[name] = (this.counts[name] ?? 0) + 1;
    this.reference.setProfiles(this.#stored);
    return name;
  }

  async close(): Promise<void> {
    this.client.close();
    this.referenceClient.close();
    // The server is killed, because a fault may make a graceful stop hang.
    await this.server.kill();
    await this.reference.close();
    await this.#target.close();
    await this.#scratch.remove();
  }

  async #push(profiles: readonly TestProfile[]): Promise<void> {
    for (const profile of profiles) {
      await this.#write(profile);
      this.#stored.push(profile);
    }
  }

  async #write(profile: TestProfile): Promise<void> {
    const labels = { __name__: profile.type.name, ...profile.labels };
    const request = writeRawRequest(labels, encodeUpload(profile, this.#describe));
    await unary(this.client, writeRawPath, request);
  }

  /** Repeats a write, like a client that received no answer. */
  async #repeat(): Promise<void> {
    await this.#write(pick(this.random, this.#stored));
  }

  /**
   * Makes a profile with enough stacks for a report thread, and sometimes with more names than fit
   * into a Buffer's pool.
   */
  #largeProfile(): TestProfile {
    const { random } = this;
    const names = pick(random, [5, 5, 40, 3_000]);
    const long = names > 1_000 ? 'a.package.of.some.length.' : 'f';
    const frame = (): string => `${long}${random(names)}~${random(3)}`;
    const rows = new Map<string, number>();
    for (let i = 0; i < 2_600; i += 1) {
      const stack = Array.from({ length: 4 + random(4) }, frame).join(';');
      rows.set(stack, 1 + random(1_000));
    }
    return {
      type: parseProfileType(randomTypes[pick(random, ['cpu', 'heap'] as const)]),
      // Long values are included, because short ones fit into the first buffers.
      labels: { job: `job${random(2)}`, instance: 'large'.padEnd(400 * random(3), '-') },
      timeNanos: BigInt(1 + random(7_000)) * 1_000_000_000n,
      durationNanos: 10_000_000_000n,
      period: 10_000_000n,
      rows: Array.from(rows, ([stack, value]) => `${stack} ${value}`).join('\n'),
    };
  }

  /**
   * Moves the profiles' times, which start in 1970, into the last two days; no series has two
   * profiles at the same time.
   */
  #young(profiles: readonly TestProfile[], ageNanos = 2n * dayNanos): TestProfile[] {
    const start = this.#nowNanos - ageNanos;
    const taken = new Set(this.#stored.map(momentKey));
    return profiles.flatMap((profile) => {
      const isState = !profile.type.delta;
      const moved = {
        ...profile,
        timeNanos: profile.timeNanos + start,
        ...(isState && { durationNanos: 0n }),
      };
      if (taken.has(momentKey(moved))) return [];
      taken.add(momentKey(moved));
      return moved;
    });
  }

  async #scrape(): Promise<void> {
    const [profile] = this.#young([this.#largeProfile()]);
    const isCpu = profile.type.name === 'process_cpu';
    const labels = { job: 'scraped', instance: this.#target.instance };
    const scraped = { ...profile, labels };
    if (!isCpu || this.#stored.some((other) => momentKey(other) === momentKey(scraped))) return;
    await this.#target.serve(encodeUpload(scraped, this.#describe));
    this.#stored.push(scraped);
    // The target would return the profile again after a delete.
    this.#target.rest();
  }

  /** Cuts the head by a snapshot. */
  async #cut(): Promise<void> {
    await this.#post('/api/v1/admin/snapshot');
  }

  async #delete(): Promise<void> {
    const { job, instance } = pick(this.random, this.#stored).labels ?? {};
    const isWhole = this.random(3) === 0;
    const query = `{job="${job}"${isWhole ? '' : `,instance="${instance}"`}}`;
    await this.#post(`/api/v1/admin/delete?${new URLSearchParams({ query })}`);
    this.#stored = this.#stored.filter(({ labels = {} }) => {
      return labels['job'] !== job || (!isWhole && labels['instance'] !== instance);
    });
  }

  /** Writes some profiles from ten days ago, which are retired by their age. */
  async #retire(): Promise<void> {
    await this.#cut();
    const old = this.#young(randomProfiles(this.random, 1, randomFrames), 10n * dayNanos);
    const few = old.filter(({ timeNanos }) => timeNanos < this.#nowNanos - 9n * dayNanos);
    for (const profile of few) await this.#write(profile);
    this.#retires = true;
    await this.#restart();
  }

  async #restart(): Promise<void> {
    assert.equal(await this.server.stop(), 0, this.server.log());
    await this.#begin();
  }

  async #kill(): Promise<void> {
    await this.server.kill();
    await this.#begin();
  }

  async #begin(): Promise<void> {
    this.client.close();
    const { random } = this;
    const scratch = this.#scratch;
    const target = this.#target;
    const nodeFlags = this.#nodeFlags;
    const flags = this.#retires ? [retention] : [];
    this.server = await start(random, scratch, target, nodeFlags, flags);
    this.client = connect(this.server.address);
    // The profiles that a server retired last come back from the bucket if the server had no time
    // to remove them there.
    if (this.#retires) await this.#until(() => this.#isOldEraGone());
  }

  async #isOldEraGone(): Promise<boolean> {
    const range = { start: instant(0n), end: instant(this.#nowNanos - 5n * dayNanos) };
    const parameters = new URLSearchParams({ query: '{job=~".+"}', ...range });
    const response = await fetch(`${this.server.url}/api/v1/labels?${parameters}`);
    const { total } = (await response.json()) as { total: { profiles: number } };
    return total.profiles === 0;
  }

  async #post(path: string): Promise<void> {
    const response = await fetch(this.server.url + path, { method: 'POST' });
    assert.equal(response.status, 200, await response.text());
  }

  async #until(isTrue: () => Promise<boolean>): Promise<void> {
    const end = Date.now() + waitMillisMax;
    while (!(await isTrue())) {
      assert.ok(
        Date.now() < end,
        `it never came true; the log of the server:\n${this.server.log()}`,
      );
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

function momentKey({ type, labels = {}, timeNanos }: TestProfile): string {
  return JSON.stringify([type, labels['job'], labels['instance'], `${timeNanos}`]);
}

function instant(nanos: bigint): string {
  return new Date(Number(nanos / 1_000_000n)).toISOString();
}

function storeFlags(): string[] {
  if (clickHouseUrl === undefined) return [];
  const place = [`--clickhouse-address=${clickHouseUrl}`, `--clickhouse-database=world_${worlds}`];
  return ['--storage-backend=clickhouse', ...place];
}

/** Starts a server with a bucket, and with flags that may differ between starts. */
function start(
  random: RandomBelow,
  scratch: ScratchDirectory,
  target: ScrapedTarget,
  nodeFlags: readonly string[],
  flags: readonly string[] = [],
): Promise<TestServer> {
  const bucket = { type: 'FILESYSTEM', config: { directory: join(scratch.path, 'bucket') } };
  const config = { object_storage: { bucket }, scrape_configs: [target.config] };
  return startServer({
    storagePath: join(scratch.path, 'data'),
    config: JSON.stringify(config),
    // Only the embedded store has maintenance, and loads the files that this flag changes.
    nodeFlags: [
      ...(clickHouseUrl === undefined ? ['--import', quickMaintenance] : []),
      ...nodeFlags,
    ],
    flags: [
      '--enable-admin-api',
      '--storage-free-disk-min=0',
      ...storeFlags(),
      // Blocks either are removed from disk as soon as they are in the bucket, or stay there.
      ...(random(2) === 0 ? ['--storage-local-size=1B'] : []),
      ...(random(4) === 0 ? ['--query-cache-size=0'] : []),
      `--ingest-workers=${random(2)}`,
      ...flags,
    ],
  });
}

/** A program that is scraped ten times a second, and serves one profile until it gets the next. */
class ScrapedTarget {
  #profile: Buffer | undefined;
  #served = 0;
  readonly #server;

  private constructor() {
    this.#server = createServer((_request, response) => {
      this.#served += 1;
      if (this.#profile === undefined) response.writeHead(503);
      response.end(this.#profile);
    });
  }

  static async open(): Promise<ScrapedTarget> {
    const target = new ScrapedTarget();
    await new Promise<void>((resolve) => {
      target.#server.listen(0, '127.0.0.1', resolve);
    });
    return target;
  }

  get instance(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get config(): object {
    const path = '/profile';
    const others = ['memory', 'block', 'goroutine', 'mutex'];
    return {
      job_name: 'scraped',
      scrape_interval: '100ms',
      static_configs: [{ targets: [this.instance] }],
      profiling_config: {
        pprof_config: {
          process_cpu: { enabled: true, path },
          ...Object.fromEntries(others.map((name) => [name, { enabled: false, path }])),
        },
      },
    };
  }

  /** Resolves when the profile is stored, which is certain once a later scrape has started. */
  async serve(profile: Buffer): Promise<void> {
    this.#profile = profile;
    const wanted = this.#served + 3;
    while (this.#served < wanted) await new Promise((resolve) => setTimeout(resolve, 10));
  }

  /** Serves nothing until the next profile. */
  rest(): void {
    this.#profile = undefined;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }
}
