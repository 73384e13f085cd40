// The Arrow methods of ProfileStoreService: WriteArrow in one step, Write in two.
import { parca } from '../../../../proto/gen/profilestore.js';
import type { Clock } from '../../../base/clock.ts';
import { AppError } from '../../../base/errors.ts';
import { inputLimits, inputLimitTable } from '../../../base/input-limits.ts';
import { decodeRequest } from '../../transport/call/message.ts';
import type { CallContext } from '../../transport/call/method.ts';
import type { ProfilePushes } from '../profile-pushes.ts';
import { readStackIds } from './stack-ids.ts';

const { WriteArrowRequest, WriteRequest, WriteResponse } = parca.profilestore.v1alpha1;
const nothing = new Uint8Array(0);

/** Stores a stream that contains its stacks. */
export async function writeArrow(
  pushes: ProfilePushes,
  request: Uint8Array,
  context: CallContext,
): Promise<Uint8Array> {
  const { ipcBuffer } = decodeRequest(WriteArrowRequest, request, Infinity);
  await pushes.storeRecord([ipcBuffer], context);
  return nothing;
}

/**
 * Reads a stream of samples, requests the stacks that they refer to, and reads these stacks. All
 * stacks are requested, as in Parca: a server that remembered stacks would also have to forget
 * deleted ones.
 */
export async function* writeInTwoSteps(
  pushes: ProfilePushes,
  clock: Clock,
  requests: AsyncIterable<Uint8Array>,
  context: CallContext,
): AsyncGenerator<Uint8Array> {
  const late = Promise.withResolvers<never>();
  late.promise.catch(() => undefined);
  const timer = clock.setTimer(inputLimits.writeHandshake, () => {
    late.reject(
      new AppError('deadline-exceeded', 'deadline exceeded', {
        limit: inputLimitTable.writeHandshake.flag,
      }),
    );
  });
  // Stops the search for ids if the call ends for a reason other than its caller's signal.
  const ending = new AbortController();
  const signal = AbortSignal.any([context.signal, ending.signal]);
  const messages = requests[Symbol.asyncIterator]();
  const next = async (what: string): Promise<Uint8Array> => {
    const message = await Promise.race([messages.next(), late.promise]);
    if (message.done !== true) return decodeRequest(WriteRequest, message.value, Infinity).record;
    throw new AppError('invalid-argument', `cannot write profiles: the caller sent no ${what}`);
  };
  try {
    const samples = await next('samples');
    const record = await Promise.race([readStackIds(samples, signal), late.promise]);
    yield WriteResponse.encode({ record }).finish();
    const locations = await next('locations');
    await Promise.race([pushes.storeRecord([samples, locations], context), late.promise]);
  } finally {
    ending.abort();
    timer.cancel();
  }
}
