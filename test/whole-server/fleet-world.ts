// Three real servers with one bucket, two query servers that read the bucket, and the profiles that
// all of them must have.
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@grpc/grpc-js';
import type { PlainProfile } from '../../src/query/testing/oracle/plain-data.ts';
import { pick, type RandomBelow } from '../../src/query/testing/random-rows.ts';
import { randomProfiles } from '../../src/query/testing/random-store.ts';
import {
  locationsFrom,
  oracleProfile,
  randomFrames,
} from '../../src/query/testing/oracle/random-world.ts';
import type { TestProfile } from '../../src/query/testing/test-store.ts';
import { connect, unary, writeRawPath, writeRawRequest } from '../support/grpc-client.ts';
import { freeAddresses } from '../support/minio.ts';
import {
  scratchDirectory,
  startServer,
  type ScratchDirectory,
  type TestServer,
} from '../support/server.ts';
import { startReference, type Reference } from './reference.ts';
import { encodeUpload } from './uploads.ts';

const importFlags = (name: string): string[] => [
  '--import',
  new URL(`./${name}`, import.meta.url).pathname,
];
const dayNanos = 86_400_000_000_000n;
const waitMillisMax = 60_000;

/** A process that can be killed and started again at the same address. */
interface Member {
  readonly start: () => Promise<TestServer>;
  server: TestServer;
  client: Client;
}

/** The servers and the profiles of one seed. */
export class FleetWorld {
  readonly counts: Record<string, number> = {};
  readonly random: RandomBelow;
  readonly reference: Reference;
  readonly referenceClient: Client;
  readonly #scratch: ScratchDirectory;
  readonly #describe: ReturnType<typeof locationsFrom>;
  readonly #servers: readonly Member[];
  readonly queries: readonly Member[];
  readonly #nowNanos = BigInt(Date.now()) * 1_000_000n;
  #stored: TestProfile[] = [];
  /** Server that received each profile, because a client repeats a write at the same server. */
  readonly #serverOf = new Map<TestProfile, Member>();

  private constructor(parts: {
    readonly random: RandomBelow;
    readonly scratch: ScratchDirectory;
    readonly describe: ReturnType<typeof locationsFrom>;
    readonly reference: Reference;
    readonly servers: readonly Member[];
    readonly queries: readonly Member[];
  }) {
    this.random = parts.random;
    this.#scratch = parts.scratch;
    this.#describe = parts.describe;
    this.reference = parts.reference;
    this.referenceClient = connect(parts.reference.address);
    this.#servers = parts.servers;
    this.queries = parts.queries;
  }

  /**
   * Starts the servers. `bucket` is a bucket config; `prefix` is the path of the servers' folders
   * in the bucket.
   */
  static async open(random: RandomBelow, bucket: object, prefix: string): Promise<FleetWorld> {
    const scratch = await scratchDirectory();
    const describe = locationsFrom(random);
    const addresses = [...(await freeAddresses()), ...(await freeAddresses())];
    const startMember = async (name: string, folder: string, flags: string[]): Promise<Member> => {
      const isQuery = flags.some((flag) => flag === '--mode=query');
      const start = (): Promise<TestServer> =>
        startServer({
          storagePath: join(scratch.path, name, 'data'),
          config: JSON.stringify({
            object_storage: { bucket: { ...bucket, prefix: `${prefix}${folder}` } },
          }),
          flags,
          nodeFlags: importFlags(isQuery ? 'quick-lists.ts' : 'quick-maintenance.ts'),
          variables: { TEST_REMOVE_DELAY_MILLIS: '5000' },
        });
      await mkdir(join(scratch.path, name));
      const server = await start();
      return { start, server, client: connect(server.address) };
    };
    const stores = addresses.slice(0, 3);
    const servers: Member[] = [];
    for (const [i, address] of stores.entries()) {
      const more = ['--enable-admin-api', '--storage-free-disk-min=0'];
      if (random(2) === 0) more.push('--storage-local-size=1B');
      const flags = [`--http-address=${address}`, ...more];
      servers.push(await startMember(`server-${i}`, `/s${i}`, flags));
    }
    const queries: Member[] = [];
    for (const name of ['query-0', 'query-1']) {
      const flags = ['--mode=query', '--insecure', `--store-address=${stores.join()}`];
      queries.push(await startMember(name, '', flags));
    }
    const reference = await startReference(describe);
    return new FleetWorld({ random, scratch, describe, reference, servers, queries });
  }

  profiles(): readonly PlainProfile[] {
    return this.#stored.map((profile) => oracleProfile(profile, this.#describe));
  }

  /** Causes a random event; returns its name. */
  async happen(): Promise<string> {
    const events = {
      push: () => this.#push(),
      repeat: () => this.#repeat(),
      cut: () => this.#post(pick(this.random, this.#servers), '/api/v1/admin/snapshot'),
      delete: () => this.#delete(),
      kill: () => this.#kill(),
      restart: () => this.#restart(pick(this.random, this.#servers)),
      killQuery: () => this.#killQuery(),
    };
    const names = ['push', 'push', 'push', 'repeat', 'cut', 'cut', 'cut'] as const;
    const more = ['delete', 'kill', 'restart', 'killQuery'] as const;
    const name = this.#stored.length === 0 ? 'push' : pick(this.random, [...names, ...more]);
    await events[name]();
    this.counts[name] = (this.counts[name] ?? 0) + 1;
    this.reference.setProfiles(this.#stored);
    return name;
  }

  log(): string {
    return [...this.#servers, ...this.queries].map(({ server }) => server.log()).join('\n');
  }

  async close(): Promise<void> {
    this.referenceClient.close();
    for (const { client, server } of [...this.queries, ...this.#servers]) {
      client.close();
      await server.kill();
    }
    await this.reference.close();
    await this.#scratch.remove();
  }

  async #push(): Promise<void> {
    const taken = new Set(this.#stored.map(momentKey));
    for (const profile of randomProfiles(this.random, 1, randomFrames)) {
      const moved = { ...profile, timeNanos: profile.timeNanos + this.#nowNanos - 2n * dayNanos };
      if (!profile.type.delta) moved.durationNanos = 0n;
      if (taken.has(momentKey(moved))) continue;
      taken.add(momentKey(moved));
      const member = pick(this.random, this.#servers);
      await this.#write(member, moved);
      this.#stored.push(moved);
      this.#serverOf.set(moved, member);
    }
  }

  async #write({ client }: Member, profile: TestProfile): Promise<void> {
    const labels = { __name__: profile.type.name, ...profile.labels };
    await unary(
      client,
      writeRawPath,
      writeRawRequest(labels, encodeUpload(profile, this.#describe)),
    );
  }

  async #repeat(): Promise<void> {
    const profile = pick(this.random, this.#stored);
    const member = this.#serverOf.get(profile);
    assert.ok(member !== undefined);
    await this.#write(member, profile);
  }

  async #delete(): Promise<void> {
    const { job, instance } = pick(this.random, this.#stored).labels ?? {};
    const query = `{job="${job}",instance="${instance}"}`;
    for (const member of this.#servers) {
      await this.#post(member, `/api/v1/admin/delete?${new URLSearchParams({ query })}`);
    }
    this.#stored = this.#stored.filter(({ labels = {} }) => {
      return labels['job'] !== job || labels['instance'] !== instance;
    });
  }

  /** Kills a server: each answer must report it until it is back. */
  async #kill(): Promise<void> {
    const member = pick(this.random, this.#servers);
    await member.server.kill();
    for (const query of this.queries) {
      const said = await readWarnings(query);
      const name = member.server.address;
      assert.ok(said.includes(`what server ${name} has not put into the bucket`), said);
    }
    await this.#begin(member);
    await this.#allAnswer();
  }

  async #restart(member: Member): Promise<void> {
    assert.equal(await member.server.stop(), 0, member.server.log());
    await this.#begin(member);
    await this.#allAnswer();
  }

  async #killQuery(): Promise<void> {
    const member = pick(this.random, this.queries);
    await member.server.kill();
    await this.#begin(member);
  }

  async #begin(member: Member): Promise<void> {
    member.client.close();
    member.server = await member.start();
    member.client = connect(member.server.address);
  }

  /** Waits until the query servers query all servers again. */
  async #allAnswer(): Promise<void> {
    const end = Date.now() + waitMillisMax;
    for (const query of this.queries) {
      while ((await readWarnings(query)) !== '') {
        assert.ok(Date.now() < end, this.log());
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }

  async #post({ server }: Member, path: string): Promise<void> {
    const response = await fetch(server.url + path, { method: 'POST' });
    assert.equal(response.status, 200, await response.text());
  }
}

async function readWarnings({ server }: Member): Promise<string> {
  const response = await fetch(`${server.url}/api/profiles/labels`);
  const { warnings = [] } = (await response.json()) as { warnings?: string[] };
  return warnings.join('\n');
}

function momentKey({ type, labels = {}, timeNanos }: TestProfile): string {
  return JSON.stringify([type, labels['job'], labels['instance'], `${timeNanos}`]);
}
