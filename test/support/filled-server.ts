// Starts a real server with profiles, in its own directory, for the tests in a file.
import { join } from 'node:path';
import { connect, unary, writeRawPath, writeRawRequest } from './grpc-client.ts';
import { scratchDirectory, startServer, type TestServer } from './server.ts';

export interface FilledServer extends TestServer {
  /** A directory that tests may write to; it is removed with the server. */
  readonly scratchPath: string;
}

/** Writes one profile, as gzipped pprof, to the series with these labels (`__name__` included). */
export type PushProfile = (
  labels: Readonly<Record<string, string>>,
  profile: Uint8Array,
) => Promise<void>;

/**
 * Starts the server; resolves when everything that `fill` pushed is acknowledged. `stop` also
 * removes the directory.
 */
export async function startFilledServer(
  flags: readonly string[],
  fill: (push: PushProfile) => Promise<void>,
): Promise<FilledServer> {
  const scratch = await scratchDirectory();
  const server = await startServer({ storagePath: join(scratch.path, 'data'), flags });
  const stop = async (): Promise<number | null> => {
    const code = await server.stop();
    await scratch.remove();
    return code;
  };
  const client = connect(server.address);
  try {
    await fill(async (labels, profile) => {
      await unary(client, writeRawPath, writeRawRequest(labels, profile));
    });
  } catch (error) {
    await stop();
    throw error;
  } finally {
    client.close();
  }
  return { ...server, stop, scratchPath: scratch.path };
}
