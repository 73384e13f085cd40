// Distributes targets among servers with the same config, so that each is scraped by one of them.
import { md5 } from '../base/node/md5.ts';
import { labelSetKey } from '../model/labels.ts';
import type { Target } from './target.ts';

/** One of several servers. */
export interface ScrapeShard {
  /** From 0 to count - 1. */
  readonly index: number;
  readonly count: number;
}

/**
 * Returns true if this server scrapes a target. All profiles of a target go to one server, chosen
 * by its labels and the number of servers.
 */
export function isOfShard({ job, labels }: Target, { index, count }: ScrapeShard): boolean {
  const hash = md5(`${job}\n${labelSetKey(labels)}`);
  return new DataView(hash.buffer, hash.byteOffset).getUint32(0) % count === index;
}
