// The socket of a user's own container engine, opened so that its owner is known.
import { closeSync, constants, fstatSync, openSync, readlinkSync } from 'node:fs';

/** Linux flag for a descriptor that only identifies a file and cannot be read; Node lacks it. */
const pathOnly = 0x20_00_00;

/** A socket that its opener closes. */
export interface UserSocket {
  /** Path to connect to, which always leads to the checked socket. */
  readonly path: string;
  close(): void;
}

/**
 * Opens a socket in a folder that a user may write to. Returns undefined unless it exists, no
 * component of its path is a link, and it belongs to the user or to root: so no user can direct the
 * agent to someone else's socket.
 */
export function openUserSocket(path: string, userId: number): UserSocket | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, pathOnly | constants.O_NOFOLLOW);
  } catch {
    return undefined;
  }
  const link = `/proc/self/fd/${descriptor}`;
  const facts = fstatSync(descriptor);
  const isOwn = facts.uid === userId || facts.uid === 0;
  if (facts.isSocket() && isOwn && readlinkSync(link) === path) {
    return { path: link, close: () => closeSync(descriptor) };
  }
  closeSync(descriptor);
  return undefined;
}
