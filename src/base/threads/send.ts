// Messages between threads: the one place where memory changes hands.
import { transferList, type Elements } from '../owned.ts';

/** A thread, or the way back to its owner. */
export interface MessagePeer {
  postMessage(message: unknown, transfer: readonly ArrayBuffer[]): void;
}

/**
 * Sends a message. The memory of `moved`, arrays within it, goes along and is gone here; all other
 * memory is copied.
 *
 * Errors: AssertionFailure as `transferList`; DataCloneError when the message cannot be copied.
 */
export function send(
  peer: MessagePeer | null,
  message: unknown,
  moved: Iterable<Elements> = [],
): void {
  peer?.postMessage(message, transferList(moved));
}
