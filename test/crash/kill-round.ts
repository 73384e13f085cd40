// One round of kill-server.ts: clients push, query and delete until the server is killed.
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@grpc/grpc-js';
import { randomBelow, type Random } from '../../src/base/random.ts';
import { connect, unary, writeRawPath, writeRawRequest } from '../support/grpc-client.ts';
import { postText, sumBy } from '../support/json-api.ts';
import { cpuProfile, gzippedPprof } from '../support/profiles/pprof-builder.ts';
import type { TestServer } from '../support/server.ts';
import { compareRound, type Round, type Sent, type SentRounds, type Sums } from './sent-rounds.ts';

/** Number of rounds in a day of profile times; rounds are eight hours apart. */
export const roundsPerDay = 3;
export const selector = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';
const startMillis = Date.UTC(2026, 0, 1);
/** Range that contains all rounds. */
export const range = {
  from: new Date(startMillis),
  to: new Date(startMillis + 100 * 86_400_000),
};

const writerCount = 4;
/** A fixed number, whatever the machine's speed, because retention is counted in rounds. */
const profilesPerWriter = 15;
const writePauseMillisMax = 8;
const queryPauseMillis = 20;
const refusedMillis = 20;
/** Longest time that a round waits for its event before it kills the server. */
const roundMillisMax = 1_000;
const answersMax = 40;
const afterMillisMax = 20;

/** Log messages about the server's work; the key is the count that each message increases. */
const messages = {
  cuts: 'cut the head into blocks',
  compactions: 'compacted blocks',
  retired: 'retired block',
} as const;

/** Events that end a round: a time, a number of answers, work of the server, or a delete. */
const moments = ['millis', 'answers', 'cuts', 'compactions', 'retired', 'deleting'] as const;
type Moment = (typeof moments)[number];

/** Counts of what servers have done. */
interface RoundCounts {
  queries: number;
  deletes: number;
  cuts: number;
  compactions: number;
  retired: number;
}

/** A server and the clients that use it until it is killed. */
export class KillRound {
  readonly #server: TestServer;
  readonly #rounds: SentRounds;
  readonly #round: Round;
  readonly #random: Random;
  readonly #counts: RoundCounts;
  readonly #moment: Moment;
  /** Number of times that the server had logged each of `messages` before the round. */
  readonly #saidBefore: ReadonlyMap<string, number>;
  /** Number of answers or milliseconds to wait for; for other events, milliseconds after them. */
  readonly #wait: number;
  readonly #died = new AbortController();
  #killed: Promise<void> | undefined;

  constructor(server: TestServer, rounds: SentRounds, random: Random, counts: RoundCounts) {
    this.#server = server;
    this.#rounds = rounds;
    this.#round = rounds.begin();
    this.#random = random;
    this.#counts = counts;
    this.#saidBefore = new Map(Object.values(messages).map((text) => [text, this.#said(text)]));
    const moment = moments[randomBelow(random, moments.length)];
    // Nothing is retired while everything fits into the limit.
    this.#moment = moment === 'retired' && rounds.keptFrom() === 0 ? 'cuts' : moment;
    const most = { millis: 300, answers: answersMax };
    this.#wait = 1 + randomBelow(random, most[this.#moment as keyof typeof most] ?? afterMillisMax);
  }

  /** Resolves when the server is dead. */
  async run(): Promise<void> {
    const clients = Array.from({ length: writerCount }, () => connect(this.#server.address));
    const writers = clients.map((client, writer) => this.#write(client, writer));
    await Promise.all([...writers, this.#ask(), this.#deleteOne(), this.#killInTime()]);
    await this.#killed;
    for (const client of clients) client.close();
    for (const [name, text] of Object.entries(messages)) {
      this.#counts[name as keyof typeof messages] += this.#said(text);
    }
  }

  #kill(): void {
    this.#killed ??= this.#server.kill();
    this.#died.abort();
  }

  get #isDead(): boolean {
    return this.#killed !== undefined;
  }

  #said(message: string): number {
    return this.#server.log().split(message).length - 1;
  }

  async #killInTime(): Promise<void> {
    const moment = this.#moment;
    if (moment === 'millis') {
      await this.#pause(this.#wait);
    } else {
      const deadline = performance.now() + roundMillisMax;
      while (!this.#isDead && performance.now() < deadline && !this.#hasCome(moment)) {
        await this.#pause(5);
      }
      if (moment !== 'answers') await this.#pause(this.#wait);
    }
    this.#kill();
  }

  #hasCome(moment: Exclude<Moment, 'millis'>): boolean {
    if (moment === 'answers') return false;
    if (moment === 'deleting') return this.#rounds.pendingDelete !== undefined;
    const message = messages[moment];
    return this.#said(message) > (this.#saidBefore.get(message) ?? 0);
  }

  async #write(client: Client, writer: number): Promise<void> {
    const round = this.#round;
    for (let i = 0; i < profilesPerWriter && !this.#isDead; i += 1) {
      const sent = makeProfile(this.#random, round.number, writer, i);
      round.unsure.set(sent.id, sent);
      if (!(await pushUntilTaken(client, sent.request, () => this.#isDead))) return;
      round.unsure.delete(sent.id);
      round.acknowledged.set(sent.id, sent);
      // The server is killed right after an answer, whatever else is running.
      if (this.#moment === 'answers' && round.acknowledged.size >= this.#wait) this.#kill();
      await this.#pause(randomBelow(this.#random, writePauseMillisMax));
    }
  }

  /** Runs a query. Profiles acknowledged before a query must be in its answer. */
  async #ask(): Promise<void> {
    const round = this.#round;
    while (!this.#isDead) {
      const before = [...round.acknowledged.keys()];
      const sums = await this.#unlessDead(roundSums(this.#server, round.number));
      if (sums === undefined) return;
      this.#counts.queries += 1;
      compareRound(sums, round, before);
      await this.#pause(queryPauseMillis);
    }
  }

  /** Deletes the profiles of one writer in an earlier round. */
  async #deleteOne(): Promise<void> {
    const rounds = this.#rounds;
    const round = this.#round;
    const random = this.#random;
    const first = Math.min(rounds.keptFrom(), round.number);
    const ofRound = first + randomBelow(random, round.number - first + 1);
    const writer = randomBelow(random, writerCount);
    // A delete also cuts the head.
    const isAwaited = this.#moment === 'deleting' || this.#moment === 'cuts';
    const isAsked = isAwaited || randomBelow(random, 2) === 0;
    await this.#pause(randomBelow(random, 200));
    if (ofRound === round.number || !isAsked || this.#isDead) return;
    rounds.beginDelete({ round: ofRound, writer });
    const isDone = await this.#unlessDead(deletePending(this.#server, rounds));
    if (isDone !== undefined) this.#counts.deletes += 1;
  }

  /** Returns the answer; undefined if the server was killed before it answered. */
  async #unlessDead<T>(answer: Promise<T>): Promise<T | undefined> {
    try {
      return await answer;
    } catch (error) {
      if (!this.#isDead) throw error;
      return undefined;
    }
  }

  /** Waits for `millis`, or until the server is killed. */
  async #pause(millis: number): Promise<void> {
    await delay(millis, undefined, { signal: this.#died.signal }).catch(() => undefined);
  }
}

/** Repeats the delete whose result is unknown, and records that it is done. */
export async function deletePending(server: TestServer, rounds: SentRounds): Promise<true> {
  const { pendingDelete: deleted } = rounds;
  if (deleted !== undefined) {
    const query = `{job="kill",round="${deleted.round}",writer="${deleted.writer}"}`;
    await postText(server.url, '/v1/admin/delete', { query });
    rounds.endDelete();
    rounds.checkRound(deleted.round, await roundSums(server, deleted.round));
  }
  return true;
}

/**
 * Repeats a push while the server's memory is full, as clients do. Returns false if `isOver`
 * returns true first.
 */
export async function pushUntilTaken(
  client: Client,
  request: Uint8Array,
  isOver: () => boolean,
): Promise<boolean> {
  for (;;) {
    try {
      await unary(client, writeRawPath, request);
      return true;
    } catch (error) {
      if (isOver()) return false;
      if (!String(error).includes('RESOURCE_EXHAUSTED')) throw error;
      await delay(refusedMillis);
    }
  }
}

/** Returns the sums of one round, by profile. */
export function roundSums(server: TestServer, number: number): Promise<Sums> {
  return sums(server, `${selector}{job="kill",round="${number}"}`, 'id');
}

/** Returns the sums in the answer to a query. */
export function sums(server: TestServer, query: string, by: string): Promise<Sums> {
  return sumBy(server.url, { query, ...range, by }).catch((error: unknown) => {
    if (!String(error).includes('No data found')) throw error;
    return new Map();
  });
}

function makeProfile(random: Random, round: number, writer: number, i: number): Sent {
  const id = `r${round}-w${writer}-${i}`;
  const samples = Array.from({ length: 1 + randomBelow(random, 20) }, (_, n) => {
    const stack = `main;f${randomBelow(random, 30)};leaf${n}`;
    return [stack, BigInt(1 + randomBelow(random, 1_000))] as const;
  });
  const millis = startMillis + (round * 86_400_000) / roundsPerDay + i * 10 + writer;
  const profile = cpuProfile({ timeNanos: BigInt(millis) * 1_000_000n, samples });
  const labels = { job: 'kill', id, round: String(round), writer: String(writer) };
  return {
    id,
    writer,
    request: writeRawRequest({ __name__: 'process_cpu', ...labels }, gzippedPprof(profile)),
    total: samples.reduce((sum, [, count]) => sum + count * 10_000_000n, 0n),
    rows: samples.length,
  };
}
