// Profiles sent to a server that is killed many times, and the answers that are correct.
import assert from 'node:assert/strict';

/**
 * A profile of a writer. `id` is the value of a label that no other profile has, so that the
 * profile's sum can be queried.
 */
export interface Sent {
  readonly id: string;
  readonly writer: number;
  readonly request: Uint8Array;
  readonly total: bigint;
  readonly rows: number;
}

/** Answer to a query for one label value: the sum of all rows, and their number. */
interface Sum {
  readonly value: bigint;
  readonly count: number;
}

export type Sums = ReadonlyMap<string, Sum>;

/** Profiles that were sent between a start and the next kill. */
export interface Round {
  readonly number: number;
  readonly acknowledged: Map<string, Sent>;
  readonly unsure: Map<string, Sent>;
}

/** The profiles of one writer in one round. */
interface DeletedSeries {
  readonly round: number;
  readonly writer: number;
}

/** Most bytes that a small block takes for each profile with its series, and for each row. */
const profileBytesMax = 300;
const rowBytesMax = 30;

/**
 * All rounds so far. If space runs out, the oldest days are retired first. Rounds that fit must
 * exist completely; older rounds may only shrink.
 */
export class SentRounds {
  readonly #rounds: Round[] = [];
  readonly #roundsPerDay: number;
  readonly #retainedBytes: number;
  /** Delete whose result is unknown. */
  #unsureDelete: DeletedSeries | undefined;
  /** Last queried sums of rounds that may be partly retired. */
  readonly #remains = new Map<number, Sum>();

  /** `retainedBytes` is the server's retention limit. */
  constructor(roundsPerDay: number, retainedBytes: number) {
    this.#roundsPerDay = roundsPerDay;
    this.#retainedBytes = retainedBytes;
  }

  /** Starts the next round. The results of all earlier rounds must be known. */
  begin(): Round {
    const number = this.#rounds.length;
    const round = { number, acknowledged: new Map(), unsure: new Map() };
    this.#rounds.push(round);
    return round;
  }

  get count(): number {
    return this.#rounds.length;
  }

  get last(): Round | undefined {
    return this.#rounds.at(-1);
  }

  get acknowledgedCount(): number {
    return this.#rounds.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0);
  }

  /** Returns the number of profiles of a round. */
  profilesOf(number: number): number {
    return this.#rounds[number].acknowledged.size;
  }

  /** Returns the delete whose result is unknown, which must be repeated. */
  get pendingDelete(): DeletedSeries | undefined {
    return this.#unsureDelete;
  }

  beginDelete(deleted: DeletedSeries): void {
    this.#unsureDelete = deleted;
  }

  endDelete(): void {
    const deleted = this.#unsureDelete;
    assert.ok(deleted, 'a delete has begun');
    const { acknowledged } = this.#rounds[deleted.round];
    for (const sent of Array.from(acknowledged.values())) {
      if (sent.writer === deleted.writer) acknowledged.delete(sent.id);
    }
    this.#remains.delete(deleted.round);
    this.#unsureDelete = undefined;
  }

  /** Returns the largest number of bytes that the profiles may take on disk. */
  get bytesMax(): number {
    return this.#bytesFrom(0);
  }

  /** Returns the number of the first round that cannot be partly retired. */
  keptFrom(): number {
    let number = this.#rounds.length;
    while (number > 0) {
      const ofDay = number - 1 - ((number - 1) % this.#roundsPerDay);
      // During a compaction, both the old blocks and the new block exist.
      if (2 * this.#bytesFrom(ofDay) > this.#retainedBytes) break;
      number = ofDay;
    }
    return number;
  }

  /** Checks one round: acknowledged profiles are stored once, others at most once. */
  checkRound(number: number, sums: Sums): void {
    const { acknowledged } = this.#rounds[number];
    const unsureDelete = this.#unsureDelete;
    const expected: string[] = [];
    if (number >= this.keptFrom()) {
      for (const { id, writer } of acknowledged.values()) {
        const isUnsure = unsureDelete?.round === number && unsureDelete.writer === writer;
        if (!isUnsure) expected.push(id);
      }
    }
    compareRound(sums, this.#rounds[number], expected);
  }

  /** Checks the sums of all rounds, by round number, when all results are known. */
  checkTotals(found: Sums): void {
    const keptFrom = this.keptFrom();
    for (const [number, round] of this.#rounds.entries()) {
      const sum = found.get(String(number)) ?? { value: 0n, count: 0 };
      if (number >= keptFrom) {
        assert.deepEqual(sum, sumAcknowledged(round), `round ${number}`);
        continue;
      }
      const most = this.#remains.get(number) ?? sumAcknowledged(round);
      const isLess = sum.value <= most.value && sum.count <= most.count;
      assert.ok(isLess, `round ${number} has ${sum.count} rows, and had ${most.count}`);
      this.#remains.set(number, sum);
    }
  }

  #bytesFrom(first: number): number {
    let bytes = 0;
    for (const { acknowledged, unsure } of this.#rounds.slice(first)) {
      for (const { rows } of [...acknowledged.values(), ...unsure.values()]) {
        bytes += profileBytesMax + rows * rowBytesMax;
      }
    }
    return bytes;
  }
}

/** Compares a round. Errors: an AssertionError for a missing or an additional profile. */
export function compareRound(sums: Sums, round: Round, expected: Iterable<string>): void {
  for (const id of expected) assert.ok(sums.has(id), `acknowledged ${id} is lost`);
  for (const [id, found] of sums) {
    const sent = round.acknowledged.get(id) ?? round.unsure.get(id);
    assert.ok(sent !== undefined, `${id} was never sent, or is deleted`);
    assert.deepEqual(found, { value: sent.total, count: sent.rows }, id);
  }
}

function sumAcknowledged({ acknowledged }: Round): Sum {
  let value = 0n;
  let count = 0;
  for (const sent of acknowledged.values()) {
    value += sent.total;
    count += sent.rows;
  }
  return { value, count };
}
