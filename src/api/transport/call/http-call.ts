// Runs a unary call that consists of one HTTP request.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../../auth/caller.ts';
import { identifySender } from '../../auth/caller-id.ts';
import { Call, type TransportContext } from './call.ts';
import type { UnaryMethod } from './method.ts';
import { type ByteLease, findConnection } from './request-memory.ts';
import type { RequestOptions } from './request-options.ts';

/**
 * Runs a call. `serve` answers the request, and `refuse` sends an error. The call ends when its
 * caller disconnects. The promise never rejects.
 */
export async function runHttpCall(
  transport: TransportContext,
  request: IncomingMessage,
  response: ServerResponse,
  caller: Caller,
  method: UnaryMethod,
  options: RequestOptions,
  serve: (call: Call, lease: ByteLease) => Promise<void>,
  refuse: (error: unknown) => void,
): Promise<void> {
  const connection = findConnection(request);
  const sender = identifySender(caller, connection);
  const lease = transport.memory.lease(connection, sender.caller);
  const { runner, callMillisMax } = transport;
  const call = new Call(runner, method, sender, callMillisMax, options);
  const onClose = (): void => call.cancel();
  response.once('close', onClose);
  try {
    await serve(call, lease);
    call.end();
  } catch (error) {
    call.end(error);
    lease.release();
    await transport.refusalWaits.before(error, sender.caller, response);
    refuse(error);
  } finally {
    response.off('close', onClose);
    lease.release();
  }
}
