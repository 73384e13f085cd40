// Sends the profiles of scrapes to another server instead of storing them. They are queued first.
import type { Clock, Timer } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { gzip } from '../base/threads/zlib.ts';
import { openContent } from '../formats/gzip.ts';
import { readPprofHead, withTimes } from '../formats/pprof/head.ts';
import { countSamples, keepSampleTypes } from '../formats/pprof/keep-types.ts';
import type { Ingester, ProfileUpload } from '../ingest/interface.ts';
import { createLabelSet, type Label, type LabelSet, profileNameLabel } from '../model/labels.ts';
import { gatherMillis, requestBytesMax } from './limits.ts';
import type { RequestQueue } from './request-queue.ts';
import type { Sender } from './sender.ts';
import { encodeWriteRaw, type SeriesProfile } from './write-raw.ts';

export interface ForwarderOptions {
  readonly queue: Pick<RequestQueue, 'push'>;
  readonly sender: Pick<Sender, 'notify'>;
  readonly clock: Clock;
  /** Labels that are added to series that do not have them. */
  readonly externalLabels: () => LabelSet;
}

/** Collects profiles for a moment, so that one request contains profiles of many targets. */
export class Forwarder implements Pick<Ingester, 'write'> {
  readonly #options: ForwarderOptions;
  #gathered: SeriesProfile[] = [];
  #gatheredBytes = 0;
  #timer: Timer | undefined;

  constructor(options: ForwarderOptions) {
    this.#options = options;
  }

  /**
   * Accepts profiles; a moment later, they are added to the queue. Malformed profiles are refused
   * here, because the scrape knows their target; the other server would refuse them, too.
   *
   * Errors: AppError 'invalid-argument' for bytes that are not pprof, 'resource-exhausted' for
   * limits.
   */
  async write(uploads: readonly ProfileUpload[]): Promise<void> {
    const external = this.#options.externalLabels();
    const taken = await Promise.all(uploads.map((upload) => readUpload(upload, external)));
    for (const one of taken) {
      this.#gathered.push(one);
      this.#gatheredBytes += one.profile.length;
    }
    if (this.#gatheredBytes >= requestBytesMax) this.flush();
    else this.#timer ??= this.#options.clock.setTimer(gatherMillis, () => this.flush());
  }

  /** Adds the collected profiles to the queue. */
  flush(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    const gathered = this.#gathered;
    this.#gathered = [];
    this.#gatheredBytes = 0;
    if (gathered.length === 0) return;
    for (const request of encodeWriteRaw(gathered, requestBytesMax)) {
      this.#options.queue.push(request);
    }
    this.#options.sender.notify();
  }
}

/** Adds those labels of `more` to `labels` whose names are not in `labels`. */
export function withLabels(labels: readonly Label[], more: LabelSet): LabelSet {
  const names = new Set(labels.map(({ name }) => name));
  return createLabelSet([...labels, ...more.filter(({ name }) => !names.has(name))]);
}

/**
 * Returns a profile in the form in which it is sent, with those external labels that it lacks.
 *
 * Errors: as in Forwarder.write.
 */
export async function readUpload(
  upload: ProfileUpload,
  external: LabelSet,
): Promise<SeriesProfile> {
  const { limits, keepSampleTypes: wanted = [], timeNanos, labels } = upload;
  const { areFileAddresses = false } = upload;
  const content = openContent(upload.profile).bytes;
  check('bytes decompressed', content.length, limits?.profileBytes ?? 0);
  const { sampleTypes } = readPprofHead(content);
  if (sampleTypes.length === 0) {
    throw new AppError('invalid-argument', 'failed to parse profile: it has no sample types');
  }
  if (limits !== undefined && limits.samples > 0) {
    check('samples', countSamples(content), limits.samples);
  }
  let changed = content;
  if (wanted.length > 0) changed = keepSampleTypes(changed, wanted);
  if (timeNanos !== undefined) changed = withTimes(changed, { timeNanos });
  // If the profile is gzipped and unchanged, the original bytes are sent.
  const isWhole = changed === content && content !== upload.profile;
  return {
    name: labels.find(({ name }) => name === profileNameLabel)?.value ?? '',
    labels: withLabels(labels, external).filter(({ name }) => name !== profileNameLabel),
    profile: isWhole ? upload.profile.slice() : await gzip(changed),
    areFileAddresses,
  };
}

function check(what: string, count: number, countMax: number): void {
  if (countMax === 0 || count <= countMax) return;
  const why = `it has ${count} ${what}, the limit is ${countMax}`;
  throw new AppError('resource-exhausted', `cannot send profile: ${why}`);
}
