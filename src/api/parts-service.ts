// PartsService: the blocks, heads and debug information of this server, for query servers.
import Long from 'long';
import { parts } from '../../proto/gen/parts.js';
import { AppError } from '../base/errors.ts';
import type { FilesForOthers } from '../debuginfo/interface.ts';
import type { PartsAnswer, PartSource } from '../storage/part-source.ts';
import { decodeRequest } from './call/message.ts';
import type { Method } from './call/method.ts';

const { LookRequest, LookResponse, ReadBlockRequest, ReadBlockResponse } = parts.v1;
const { ReadDebuginfoRequest, ReadDebuginfoResponse } = parts.v1;

/**
 * Methods of the service; `source` is undefined where the store has no parts of its own, `files`
 * where no files are kept.
 */
export function partsMethods(
  source: PartSource | undefined,
  files: FilesForOthers | undefined,
): Method[] {
  const own = (): PartSource => {
    if (source !== undefined) return source;
    const why = 'this server has no blocks of its own: ask the one that stores them';
    throw new AppError('failed-precondition', `cannot read parts: ${why}`);
  };
  return [
    {
      path: '/parts.v1.PartsService/Look',
      kind: 'unary',
      async handle(bytes) {
        const { instance, version, places } = decodeRequest(LookRequest, bytes);
        return encodeLook(
          await own().look({
            ...{ instance, version },
            places: places.map(({ epoch, sequence, offset }) => {
              return { epoch, sequence: sequence.toNumber(), offset: offset.toNumber() };
            }),
          }),
        );
      },
    },
    {
      path: '/parts.v1.PartsService/ReadBlock',
      kind: 'unary',
      async handle(bytes) {
        const { id, offset, length } = decodeRequest(ReadBlockRequest, bytes);
        const content = await own().readBlock(id, offset.toNumber(), length);
        return ReadBlockResponse.encode({ content }).finish();
      },
    },
    {
      path: '/parts.v1.PartsService/ReadDebuginfo',
      kind: 'unary',
      async handle(bytes) {
        const { buildId, offset } = decodeRequest(ReadDebuginfoRequest, bytes);
        const piece = await files?.readPiece(buildId, offset.toNumber());
        if (piece === undefined) return ReadDebuginfoResponse.encode({}).finish();
        const { file, fileBytes, content } = piece;
        const size = Long.fromNumber(fileBytes, true);
        return ReadDebuginfoResponse.encode({ file, fileBytes: size, content }).finish();
      },
    },
  ];
}

function encodeLook(answer: PartsAnswer): Uint8Array {
  const { instance, version, blocks, heads, stretches, isWhole, losses, gone } = answer;
  return LookResponse.encode({
    ...{ instance, version, isWhole, heads: [...heads], gone: [...gone] },
    hasBlocks: blocks !== undefined,
    blocks: (blocks ?? []).map(({ id, fileBytes, deletions }) => {
      return { id, fileBytes: Long.fromNumber(fileBytes, true), deletions };
    }),
    stretches: stretches.map(({ epoch, sequence, salt, offset, bytes, end }) => ({
      ...{ epoch, salt: salt >>> 0, content: bytes },
      sequence: Long.fromNumber(sequence, true),
      offset: Long.fromNumber(offset, true),
      end: Long.fromNumber(end, true),
    })),
    losses: losses.map(({ lastNanos, sentence }) => {
      return { lastNanos: Long.fromString(String(lastNanos)), sentence };
    }),
  }).finish();
}
