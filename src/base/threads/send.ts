// Messages between threads: the only place where memory changes its owner.
import { transferList, type Elements } from '../owned.ts';

/** A thread, or the port to its owner. */
export interface MessagePeer {
  postMessage(message: unknown, transfer: readonly ArrayBuffer[]): void;
}

/**
 * Sends a message. The memory of `moved`, arrays within the message, is transferred and can no
 * longer be used here; all other memory is copied.
 *
 * Errors: AssertionFailure as in `transferList`; DataCloneError if the message cannot be copied.
 */
export function send(
  peer: MessagePeer | null,
  message: unknown,
  moved: Iterable<Elements> = [],
): void {
  peer?.postMessage(message, transferList(moved));
}
