// Checks if a port speaks TLS. A TLS server just closes a connection that does not use TLS.
import { connect } from 'node:tls';
import { isIP } from 'node:net';

const millisMax = 1_000;

/** Returns true if a server answers a TLS handshake; any certificate will do. Never rejects. */
export function speaksTls(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const name = isIP(host) === 0 ? { servername: host } : {};
    const socket = connect({ host, port, rejectUnauthorized: false, timeout: millisMax, ...name });
    const end = (isTls: boolean): void => {
      socket.destroy();
      resolve(isTls);
    };
    socket.once('secureConnect', () => end(true));
    socket.once('timeout', () => end(false));
    socket.once('error', () => end(false));
    socket.once('close', () => end(false));
  });
}

/** Splits `host:port`, `[::1]:port` and `host`. */
export function splitAddress(address: string, portDefault = 443): { host: string; port: number } {
  const [, bracketed, plain = '', port] = /^(?:\[(.*)\]|([^:]*))(?::(\d+))?$/.exec(address) ?? [];
  return { host: bracketed ?? plain, port: port === undefined ? portDefault : Number(port) };
}
