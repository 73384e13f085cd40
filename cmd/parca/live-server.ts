// A live server as query servers ask it: PartsService over gRPC.
import Long from 'long';
import { parts } from '../../proto/gen/parts.js';
import { AppError, errorMessage } from '../../src/base/errors.ts';
import { liveCallMillisMax, partsAnswerBytesMax } from '../../src/base/limits.ts';
import type { PartsAnswer } from '../../src/storage/part-source.ts';
import type { LiveServer } from '../../src/storage/query-server/live-parts.ts';
import type { StoreFlags } from './flags.ts';
import { openOtherServer } from './other-server.ts';

const { LookRequest, LookResponse, ReadBlockRequest, ReadBlockResponse } = parts.v1;

/** Errors of its methods: AppError with the code of the other server. */
export function openLiveServer(address: string, store: StoreFlags): LiveServer {
  const server = openOtherServer(address, store, partsAnswerBytesMax);
  const call = (method: string, request: Uint8Array): Promise<Uint8Array> =>
    server.call(`/parts.v1.PartsService/${method}`, request, liveCallMillisMax);
  return {
    name: address,
    async look({ instance, version, places }) {
      const request = LookRequest.encode({
        ...{ instance, version },
        places: places.map(({ epoch, sequence, offset }) => ({
          epoch,
          sequence: Long.fromNumber(sequence, true),
          offset: Long.fromNumber(offset, true),
        })),
      });
      return decodeLook(await call('Look', request.finish()));
    },
    async readBlock(id, offset, length) {
      const request = ReadBlockRequest.encode({
        id,
        offset: Long.fromNumber(offset, true),
        length,
      });
      const { content } = decoded(ReadBlockResponse, await call('ReadBlock', request.finish()));
      if (content.length === length) return Uint8Array.from(content);
      throw new AppError('data-loss', `cannot read block ${id}: ${content.length} bytes came`);
    },
    close: () => server.close(),
  };
}

function decodeLook(bytes: Uint8Array): PartsAnswer {
  const answer = decoded(LookResponse, bytes);
  const { instance, version, heads, isWhole, gone } = answer;
  const blocks = answer.blocks.map(({ id, fileBytes, deletions }) => {
    return { id, fileBytes: fileBytes.toNumber(), deletions: Uint8Array.from(deletions) };
  });
  return {
    ...{ instance, version, heads, isWhole, gone },
    blocks: answer.hasBlocks ? blocks : undefined,
    stretches: answer.stretches.map(({ epoch, sequence, salt, offset, content, end }) => ({
      ...{ epoch, salt, sequence: sequence.toNumber(), offset: offset.toNumber() },
      ...{ bytes: Uint8Array.from(content), end: end.toNumber() },
    })),
    losses: answer.losses.map(({ lastNanos, sentence }) => {
      return { lastNanos: BigInt(lastNanos.toString()), sentence };
    }),
  };
}

function decoded<T>(type: { decode(bytes: Uint8Array): T }, bytes: Uint8Array): T {
  try {
    return type.decode(bytes);
  } catch (error) {
    throw new AppError('unavailable', `cannot understand an answer: ${errorMessage(error)}`);
  }
}
