// Distributes targets over servers with the same config, so that each target is scraped by exactly
// one server.
import { md5 } from '../base/node/md5.ts';
import { labelSetKey } from '../model/labels.ts';
import type { Target } from './target.ts';

/** One of several servers that share the targets. */
export interface ScrapeShard {
  /** Index of this server, from 0 to count - 1. */
  readonly index: number;
  readonly count: number;
}

/**
 * Returns true if this server scrapes the target. The choice depends only on the target's labels,
 * so one server scrapes all profiles of a target.
 */
export function isOfShard({ job, labels }: Target, { index, count }: ScrapeShard): boolean {
  const hash = md5(`${job}\n${labelSetKey(labels)}`);
  return new DataView(hash.buffer, hash.byteOffset).getUint32(0) % count === index;
}
