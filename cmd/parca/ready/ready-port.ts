// Opens the port of --ready-address. A thread answers probes there, even if the main thread is
// busy.
//
// The main port cannot do that. The main thread accepts its connections, and the kernel cannot
// recognize a probe before the connection is accepted.
import { parseAddress } from '../../../src/api/transport/port.ts';
import type { Api } from '../../../src/api/interface.ts';
import { AppError, errorMessage } from '../../../src/base/errors.ts';
import type { Logger } from '../../../src/base/logger.ts';
import { send } from '../../../src/base/threads/send.ts';
import { Thread } from '../../../src/base/threads/thread.ts';
import { hostPort } from '../../../src/base/text/host-port.ts';
import type { ReadyState, ReadyThreadData, ReadyThreadMessage } from './ready-worker.ts';

const script = new URL('./ready-worker.ts', import.meta.url);

/**
 * Starts to listen at `address`; returns a function that stops it. Does nothing for "".
 *
 * Errors: AppError 'failed-precondition' if the address cannot be bound.
 */
export async function openReadyPort(
  address: string,
  api: Pick<Api, 'readiness'>,
  logger: Logger,
): Promise<() => Promise<void>> {
  if (address === '') return async () => undefined;
  const { host, port } = parseAddress(address);
  const state = (): ReadyState => ({ read: api.readiness('read'), write: api.readiness('write') });
  const data: ReadyThreadData = { host, port, starting: state() };
  const thread = new Thread(script, { name: 'ready', data });
  thread.unref();
  const bound = Promise.withResolvers<number>();
  const fail = (why: string): void => {
    bound.reject(new AppError('failed-precondition', `cannot listen on ${address}: ${why}`));
  };
  thread.on('message', (message: ReadyThreadMessage) => {
    if (message === 'ping') send(thread, state());
    else if ('port' in message) bound.resolve(message.port);
    else fail(message.problem);
  });
  thread.on('error', (error) => {
    fail(errorMessage(error));
    logger.error('the thread that answers /-/ready died', { error: errorMessage(error) });
  });
  const where = hostPort(host ?? '::', await bound.promise);
  logger.info('probes are answered', { readyAddress: where });
  return async () => void (await thread.terminate());
}
