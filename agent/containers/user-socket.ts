// Socket of a user's own container engine, opened so that its owner can be checked.
import { closeSync, constants, fstatSync, openSync, readlinkSync } from 'node:fs';

/** Linux flag O_PATH for a descriptor that only identifies a file; Node does not define it. */
const pathOnly = 0x20_00_00;

/** An open socket, to be closed by the caller. */
export interface UserSocket {
  /** Path to connect to, which always refers to the checked socket. */
  readonly path: string;
  close(): void;
}

/**
 * Opens a socket in a folder that a user can write to. Returns undefined unless the socket exists,
 * no component of its path is a link, and its owner is the user or root. Therefore no user can
 * direct the agent to another user's socket.
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
