// Caller ids, which are used to serve callers in turn and to count requests by caller.
import type { Socket } from 'node:net';
import type { Http2Session } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { anybody, type Caller } from './caller.ts';
import { alternativeNames } from './client-certificate.ts';

/** A connection: an HTTP/2 session, or the socket of HTTP/1.1. */
export type Connection = Http2Session | Socket;

/** Sender of a request. */
export interface Sender {
  /** Address of the caller, without the port; "" when unknown. */
  readonly peer: string;
  /** Id of the caller, which is used to serve callers in turn. */
  readonly caller: string;
}

/** Ids of connections without credentials, cached because reading a certificate is slow. */
const idsOfConnections = new WeakMap<object, string>();

/**
 * Returns the id of a caller: its token or user, or else the name in its verified certificate, or
 * else its address. An IPv6 network of 64 bits is one caller, because a host can use all of its
 * addresses.
 */
function callerId(caller: Caller | undefined, connection: Connection): string {
  if (caller !== undefined && caller !== anybody) return caller.name;
  const known = idsOfConnections.get(connection);
  if (known !== undefined) return known;
  const id = idOfConnection(socketBelow(connection));
  idsOfConnections.set(connection, id);
  return id;
}

/** Returns address and id of a caller; both are "" if its connection is closed. */
export function identifySender(
  caller: Caller | undefined,
  connection: Connection | undefined,
): Sender {
  if (connection === undefined || connection.destroyed) return { peer: '', caller: '' };
  const peer = socketBelow(connection).remoteAddress ?? '';
  return { peer, caller: callerId(caller, connection) };
}

function socketBelow(connection: Connection): Socket {
  return isSession(connection) ? connection.socket : connection;
}

function isSession(connection: Connection): connection is Http2Session {
  return 'alpnProtocol' in connection && 'socket' in connection;
}

function idOfConnection(socket: Socket): string {
  const name = nameOfCertificate(socket as MaybeEncrypted);
  return name === undefined
    ? idOfAddress(socket.remoteAddress ?? '')
    : `certificate ${JSON.stringify(name)}`;
}

/** A socket that may have a client certificate. */
type MaybeEncrypted = Partial<Pick<TLSSocket, 'authorized' | 'getPeerX509Certificate'>>;

function nameOfCertificate(socket: MaybeEncrypted): string | undefined {
  // Anybody can make a certificate with any name if no authority has to sign it.
  if (socket.authorized !== true) return undefined;
  const certificate = socket.getPeerX509Certificate?.();
  if (certificate === undefined) return undefined;
  const [name] = alternativeNames(certificate.subjectAltName ?? '');
  return name ?? /^CN=(.+)$/m.exec(certificate.subject)?.[1];
}

/**
 * Returns the part of an address that identifies a client: the complete address for IPv4, the /64
 * network for IPv6.
 */
export function idOfAddress(address: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address);
  if (mapped !== null) return mapped[1];
  if (!address.includes(':') || address.startsWith('::')) return address;
  const [start] = address.split('%');
  const [left, right = ''] = start.split('::');
  const before = left.split(':');
  const after = right === '' ? [] : right.split(':');
  const zeros = start.includes('::') ? 8 - before.length - after.length : 0;
  const groups = [...before, ...Array.from({ length: zeros }, () => '0'), ...after];
  return `${groups.slice(0, 4).join(':')}::/64`;
}
