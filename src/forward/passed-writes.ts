// Passes profiles on to another server, and the other server's answer back to the sender.
import type { Server } from '../base/node/grpc-client.ts';
import type { ProfileUpload } from '../ingest/interface.ts';
import { readUpload } from './forwarder.ts';
import { callMillisMax, requestBytesMax } from './limits.ts';
import { encodeWriteRaw, writeRawMethod } from './write-raw.ts';

/**
 * Sends profiles by WriteRaw; resolves when the other server has stored them.
 *
 * Errors: as in Forwarder.write and Server.call.
 */
export async function passWrites(
  server: Pick<Server, 'call'>,
  uploads: readonly ProfileUpload[],
): Promise<void> {
  const profiles = await Promise.all(uploads.map((upload) => readUpload(upload, [])));
  for (const request of encodeWriteRaw(profiles, requestBytesMax)) {
    await server.call(writeRawMethod, request, callMillisMax);
  }
}
