// Calls the Arrow methods of ProfileStoreService, like agents.
import type { Client } from '@grpc/grpc-js';
import { parca } from '../../proto/gen/profilestore.js';
import { unary } from './grpc-client.ts';

const messages = parca.profilestore.v1alpha1;
const service = '/parca.profilestore.v1alpha1.ProfileStoreService';
const pass = (bytes: Buffer): Buffer => bytes;

/** Sends one stream. */
export async function writeArrow(client: Client, ipcBuffer: Uint8Array): Promise<void> {
  const request = messages.WriteArrowRequest.encode({ ipcBuffer }).finish();
  await unary(client, `${service}/WriteArrow`, request);
}

/**
 * Sends samples, and then the message that `answer` returns for the server's record, if any.
 * Resolves when the server ends the call without an error.
 */
export function writeInTwoSteps(
  client: Client,
  samples: Uint8Array,
  answer: (record: Uint8Array) => Uint8Array | undefined | Promise<Uint8Array | undefined>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const call = client.makeBidiStreamRequest(`${service}/Write`, pass, pass);
    const write = (record: Uint8Array): void =>
      void call.write(Buffer.from(messages.WriteRequest.encode({ record }).finish()));
    call.on('data', (bytes: Buffer) => {
      void (async () => {
        const record = await answer(messages.WriteResponse.decode(bytes).record);
        if (record !== undefined) write(record);
        call.end();
      })().catch(reject);
    });
    call.on('error', reject);
    call.on('end', resolve);
    write(samples);
  });
}

/** Returns the ids of the agents that the server lists. */
export async function listAgents(client: Client): Promise<string[]> {
  const path = '/parca.profilestore.v1alpha1.AgentsService/Agents';
  const answer = messages.AgentsResponse.decode(await unary(client, path, new Uint8Array(0)));
  return answer.agents.map(({ id }) => id);
}
