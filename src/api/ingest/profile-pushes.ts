// Stores pushed profiles of all protocols, and counts them by caller.
import type { Ingester, ProfileUpload } from '../../ingest/interface.ts';
import type { Label } from '../../model/labels.ts';
import type { CallerLimits } from '../transport/call/caller-limits.ts';
import type { Sender } from '../auth/caller-id.ts';
import type { AgentTable } from './agent-table.ts';

/** Sender of a push. `signal` is aborted when the sender has gone; absent = it never goes. */
export interface PushSender extends Sender {
  readonly signal?: AbortSignal;
}

/** Stores pushes of pprof profiles. */
export type PushStore = Pick<ProfilePushes, 'store'>;

/** Stores pushes. */
export class ProfilePushes {
  readonly #ingester: Ingester;
  readonly #agents: AgentTable;

  readonly #limits: Pick<CallerLimits, 'countPush' | 'activeSeries'>;

  constructor(
    ingester: Ingester,
    agents: AgentTable,
    limits: Pick<CallerLimits, 'countPush' | 'activeSeries'> = {
      countPush: () => undefined,
      activeSeries: () => 0,
    },
  ) {
    this.#ingester = ingester;
    this.#agents = agents;
    this.#limits = limits;
  }

  /** Stores a push. Errors: as in Ingester.write and CallerLimits.countPush. */
  async store(
    uploads: readonly ProfileUpload[],
    sender: PushSender,
    bare: readonly (readonly Label[])[] = [],
  ): Promise<void> {
    const { peer, caller } = sender;
    const bytes = uploads.reduce((sum, { profile }) => sum + profile.length, 0);
    this.#limits.countPush(caller, bytes);
    const ended = this.#agents.begin(uploads, peer);
    const seriesMax = this.#limits.activeSeries(caller);
    const signal = (): AbortSignal | undefined => sender.signal;
    await noted(ended, this.#ingester.write(uploads, { bare, caller, seriesMax, signal }));
  }

  /** Stores an Arrow write. Errors: as in Ingester.writeRecord. */
  async storeRecord(streams: readonly Uint8Array[], sender: PushSender): Promise<void> {
    const { peer, caller } = sender;
    const byteCount = streams.reduce((sum, { length }) => sum + length, 0);
    this.#limits.countPush(caller, byteCount);
    const series: { readonly labels: readonly Label[] }[] = [];
    const ended = this.#agents.begin(series, peer);
    const onLabels = (labels: readonly Label[]): void => void series.push({ labels });
    const seriesMax = this.#limits.activeSeries(caller);
    const signal = (): AbortSignal | undefined => sender.signal;
    await noted(
      ended,
      this.#ingester.writeRecord(streams, { caller, seriesMax, signal, onLabels }),
    );
  }
}

/** Settles like `stored`, and calls `ended` with the outcome. */
async function noted(ended: (error?: unknown) => void, stored: Promise<void>): Promise<void> {
  try {
    await stored;
    ended();
  } catch (error) {
    ended(error);
    throw error;
  }
}
