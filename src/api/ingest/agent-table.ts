// Agents that pushed profiles in the last few minutes, for the agents page.
import type { Clock } from '../../base/clock.ts';
import { errorMessage } from '../../base/errors.ts';
import { agentsMax } from '../limits.ts';
import type { Label } from '../../model/labels.ts';

/** The last push of one agent. */
export interface AgentStatus {
  /** Value of the label `node`, if any, and the peer's address. */
  readonly id: string;
  /**
   * The two parts of `id`: the label ("" if absent), and the address, in which IPv4 is written in
   * plain form.
   */
  readonly node: string;
  readonly address: string;
  /** Error of the last push; "" after a success. */
  readonly lastError: string;
  readonly lastPushNanos: bigint;
  readonly lastPushDurationNanos: bigint;
}

/** A series of a push, with its labels. */
interface Labelled {
  readonly labels: readonly Label[];
}

/** Time after which a silent agent is forgotten, as in Parca. */
const silentNanosMax = 300_000_000_000n;

/** The last push of each agent, for at most agentsMax agents; the oldest pushes are dropped. */
export class AgentTable {
  readonly #clock: Pick<Clock, 'nowNanos'>;
  readonly #agents = new Map<string, AgentStatus>();
  /**
   * Id of the agent that pushed last. Its entry is the last one of the map, unless it was dropped.
   */
  #latestId = '';

  constructor(clock: Pick<Clock, 'nowNanos'>) {
    this.#clock = clock;
  }

  /**
   * Records the start of a push. The returned function records its end, and the error if it failed.
   */
  begin(series: readonly Labelled[], peer: string): (error?: unknown) => void {
    const start = this.#clock.nowNanos();
    return (error) => {
      if (peer === '' || series.length === 0) return;
      const node = findNode(series);
      const id = node + peer;
      const now = this.#clock.nowNanos();
      if (id !== this.#latestId) this.#agents.delete(id);
      this.#latestId = id;
      this.#agents.set(id, {
        id,
        node,
        address: peer.replace(/^::ffff:(?=[\d.]+$)/, ''),
        lastError: error === undefined ? '' : errorMessage(error),
        lastPushNanos: start,
        lastPushDurationNanos: now - start,
      });
      this.#forgetOld(now);
    };
  }

  /** Returns the agents in order of id. */
  list(): AgentStatus[] {
    this.#forgetOld(this.#clock.nowNanos());
    return [...this.#agents.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** Drops old agents. The map is sorted by the time of the last push, oldest first. */
  #forgetOld(now: bigint): void {
    for (const [id, { lastPushNanos }] of this.#agents) {
      if (now - lastPushNanos <= silentNanosMax && this.#agents.size <= agentsMax) return;
      this.#agents.delete(id);
    }
  }
}

function findNode(series: readonly Labelled[]): string {
  for (const { labels } of series) {
    for (const { name, value } of labels) if (name === 'node') return value;
  }
  return '';
}
