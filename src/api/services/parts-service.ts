// PartsService: gives query servers access to this server's blocks, heads and debug information.
import Long from 'long';
import { parts } from '../../../proto/gen/parts.js';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { FairQueue } from '../../base/fair-queue.ts';
import { partsReadMillisUsual, partsReadsMax, partsReadsWaitingMax } from '../limits.ts';
import type { FilesForOthers } from '../../debuginfo/interface.ts';
import type { PartsAnswer, PartSource } from '../../storage/part-source.ts';
import { decodeRequest } from '../transport/call/message.ts';
import type { Method } from '../transport/call/method.ts';

const { LookRequest, LookResponse, ReadBlockRequest, ReadBlockResponse } = parts.v1;
const { ReadDebuginfoRequest, ReadDebuginfoResponse } = parts.v1;

/**
 * Returns the service's methods. `source` is undefined if the store has no parts of its own, and
 * `files` if no files are stored. Only a few calls read at the same time, because each of them
 * holds megabytes. Callers take turns.
 */
export function partsMethods(
  source: PartSource | undefined,
  files: FilesForOthers | undefined,
  clock: Clock,
): Method[] {
  const own = (): PartSource => {
    if (source !== undefined) return source;
    const why = 'this server has no blocks of its own: ask the one that stores them';
    throw new AppError('failed-precondition', `cannot read parts: ${why}`);
  };
  const turns = createTurns(clock);
  const method = (
    name: string,
    read: (bytes: Uint8Array, signal: AbortSignal) => Promise<Uint8Array>,
  ): Method => ({
    path: `/parts.v1.PartsService/${name}`,
    kind: 'unary',
    async handle(bytes, { caller, signal }) {
      const turn = await turns.take(caller, 1, signal);
      const started = clock.monotonicMillis();
      try {
        return await read(bytes, signal);
      } finally {
        turn.end(clock.monotonicMillis() - started);
      }
    },
  });
  return [
    method('Look', async (bytes, signal) => {
      const { instance, version, places } = decodeRequest(LookRequest, bytes);
      const known = places.map(({ epoch, sequence, offset }) => {
        return { epoch, sequence: sequence.toNumber(), offset: offset.toNumber() };
      });
      return encodeLook(await own().look({ instance, version, places: known }, signal));
    }),
    method('ReadBlock', async (bytes, signal) => {
      const { id, offset, length } = decodeRequest(ReadBlockRequest, bytes);
      const content = await own().readBlock(id, offset.toNumber(), length, signal);
      return ReadBlockResponse.encode({ content }).finish();
    }),
    method('ReadDebuginfo', async (bytes, signal) => {
      const { buildId, offset } = decodeRequest(ReadDebuginfoRequest, bytes);
      const piece = await files?.readPiece(buildId, offset.toNumber(), signal);
      if (piece === undefined) return ReadDebuginfoResponse.encode({}).finish();
      const { file, fileBytes, content } = piece;
      const size = Long.fromNumber(fileBytes, true);
      return ReadDebuginfoResponse.encode({ file, fileBytes: size, content }).finish();
    }),
  ];
}

function createTurns(clock: Clock): FairQueue {
  return new FairQueue({
    clock,
    limits: {
      runningMax: partsReadsMax,
      reserved: 1,
      waitingMax: partsReadsWaitingMax,
      waitingSizeMax: Infinity,
    },
    millisPerSize: partsReadMillisUsual,
    refuse: ({ waitingCount, retryAfterMillis }) =>
      new AppError(
        'resource-exhausted',
        `cannot read parts: ${waitingCount} calls wait, the limit is ${partsReadsWaitingMax}`,
        { retryAfterMillis },
      ),
  });
}

function encodeLook(answer: PartsAnswer): Uint8Array {
  const { instance, version, blocks, heads, stretches, isWhole, losses, gone } = answer;
  return LookResponse.encode({
    instance,
    version,
    isWhole,
    heads: [...heads],
    gone: [...gone],
    hasBlocks: blocks !== undefined,
    blocks: (blocks ?? []).map(({ id, fileBytes, deletions }) => {
      return { id, fileBytes: Long.fromNumber(fileBytes, true), deletions };
    }),
    stretches: stretches.map(({ epoch, sequence, salt, offset, bytes, end }) => ({
      epoch,
      salt: salt >>> 0,
      content: bytes,
      sequence: Long.fromNumber(sequence, true),
      offset: Long.fromNumber(offset, true),
      end: Long.fromNumber(end, true),
    })),
    losses: losses.map(({ lastNanos, sentence }) => {
      return { lastNanos: Long.fromString(String(lastNanos)), sentence };
    }),
  }).finish();
}
