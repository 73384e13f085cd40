// Queue of scraped profiles, in memory and on disk, for a store that may be unavailable.
import { finishAtOnce } from '../../src/base/pacer.ts';
import { join, resolve } from 'node:path';
import { decodeWriteRaw } from '../../src/api/ingest/parca/decode-write-raw.ts';
import { AppError, errorMessage } from '../../src/base/errors.ts';
import type { Logger } from '../../src/base/logger.ts';
import type { Server } from '../../src/base/node/grpc-client.ts';
import { Forwarder } from '../../src/forward/forwarder.ts';
import { callMillisMax, flushMillisMax, queueMemoryBytesMax } from '../../src/forward/limits.ts';
import { RequestQueue } from '../../src/forward/request-queue.ts';
import { isFinal, Sender } from '../../src/forward/sender.ts';
import type { Ingester } from '../../src/ingest/interface.ts';
import type { LabelSet } from '../../src/model/labels.ts';
import type { Machine } from '../machine.ts';
import type { Flags } from './flags.ts';

/** Accepts scraped profiles, and sends them. */
export interface ScrapeQueue {
  readonly ingester: Pick<Ingester, 'write'>;
  start(): void;
  /** Keeps sending for a short time. What could not be sent stays on disk until the next start. */
  stop(): Promise<void>;
}

/** Opens the queue in the storage path. Errors: as in RequestQueue.open. */
export async function openScrapeQueue(
  machine: Machine,
  flags: Flags,
  server: Pick<Server, 'call'>,
  externalLabels: () => LabelSet,
): Promise<ScrapeQueue> {
  const { metrics, clock } = machine;
  const queue = await RequestQueue.open({
    ...machine,
    directory: join(resolve(flags.storagePath), 'queue'),
    memoryBytesMax: queueMemoryBytesMax,
    diskBytesMax: flags.store.queueBytesMax,
  });
  const gauge = (name: string, help: string, read: () => number): void =>
    metrics.observedGauge(`parca_forward_queue_${name}`, help, read);
  gauge('requests', 'Requests that wait to be sent.', () => queue.state().requests);
  gauge('memory_bytes', 'Bytes of them in memory.', () => queue.state().memoryBytes);
  gauge('disk_bytes', 'Bytes of them on the disk.', () => queue.state().diskBytes);
  gauge(
    'dropped_requests',
    'Requests that were dropped since the start because the queue was full.',
    () => queue.state().droppedRequests,
  );
  const sender = new Sender({
    ...machine,
    server,
    queue,
    callMillisMax,
    metricPrefix: 'parca_forward',
  });
  const forwarder = new Forwarder({ queue, sender, clock, externalLabels });
  return {
    ingester: forwarder,
    start: () => sender.start(),
    async stop() {
      forwarder.flush();
      await sender.stop(flushMillisMax);
      await queue.close();
    },
  };
}

/**
 * Stores queued requests through this server's write path. Only profiles that the store refuses
 * permanently are dropped. If the store becomes unavailable in the middle of a request, the request
 * is repeated, but its profiles are stored only once.
 */
export function storeQueued(ingester: Ingester, logger: Logger): Pick<Server, 'call'> {
  return {
    async call(_method, request) {
      const { uploads } = finishAtOnce(decodeWriteRaw(request));
      const ends = await Promise.allSettled(uploads.map((upload) => ingester.write([upload])));
      for (const [i, end] of ends.entries()) {
        if (end.status === 'fulfilled') continue;
        const error: unknown = end.reason;
        if (!(error instanceof AppError) || !isFinal(error.code)) throw error;
        const labels = uploads[i].labels.map(({ name, value }) => `${name}=${value}`).join(' ');
        logger.error('dropped a scraped profile', { labels, error: errorMessage(error) });
      }
      return new Uint8Array(0);
    },
  };
}
