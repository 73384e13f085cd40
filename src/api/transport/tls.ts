// TLS for the port. Each connection uses the configuration that is current when it opens.
import { X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import { createServer, type SecureContextOptions, type Server, type TLSSocket } from 'node:tls';
import type { Clock } from '../../base/clock.ts';
import { AppError, errorMessage } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { Counter, Gauge, Metrics } from '../../base/metrics.ts';
import type { ServerTls, WebConfig } from '../../config/web/web-config.ts';
import { isAllowedClient } from '../auth/client-certificate.ts';

/** Interfaces through which TLS uses the machine. */
interface TlsHost {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Encrypts the connections of a port. */
export class TlsDoor {
  readonly #handshakeMillisMax: number;
  readonly #host: TlsHost;
  readonly #failures: Counter;
  readonly #expiry: Gauge;
  #take: (socket: TLSSocket) => void = (socket) => socket.destroy();
  /** TLS server that does not listen; `encrypt` passes connections to it. */
  #server: Server | undefined;

  constructor(host: TlsHost, handshakeMillisMax: number) {
    const { metrics } = host;
    this.#host = host;
    this.#handshakeMillisMax = handshakeMillisMax;
    this.#failures = metrics.counter(
      'parca_tls_handshake_failures_total',
      'Connections that ended before they were encrypted, or whose client was not verified.',
    );
    this.#expiry = metrics.gauge(
      'parca_tls_certificate_expiry_timestamp_seconds',
      'Time from which clients refuse the certificate of this server; 0 without TLS.',
    );
  }

  /** True if connections are encrypted. */
  get isOn(): boolean {
    return this.#server !== undefined;
  }

  /** Passes encrypted connections to `take` from now on. */
  forwardTo(take: (socket: TLSSocket) => void): void {
    this.#take = take;
  }

  /**
   * Encrypts new connections as `config` requires. TLS sessions of an earlier config cannot be
   * resumed, so that each client is verified again.
   *
   * Errors: AppError 'invalid-argument' for values that OpenSSL refuses; the previous config then
   * stays in use.
   */
  apply({ tls, http2 }: WebConfig): void {
    this.#server = tls === undefined ? undefined : this.#createServer(tls, http2);
    this.#noteExpiry(tls);
  }

  #noteExpiry(tls: ServerTls | undefined): void {
    const { clock, logger } = this.#host;
    if (tls === undefined) {
      this.#expiry.set(0);
      return;
    }
    const { validTo } = new X509Certificate(tls.certificate);
    const expiryMillis = Date.parse(validTo);
    this.#expiry.set(expiryMillis / 1_000);
    if (expiryMillis > clock.nowMillis()) return;
    logger.error('the certificate has expired: clients refuse it', { validTo });
  }

  /** Encrypts a connection. If the handshake fails, the connection is closed. */
  encrypt(socket: Socket): void {
    this.#server?.emit('connection', socket);
  }

  #createServer(tls: ServerTls, http2: boolean): Server {
    let server: Server;
    try {
      server = createServer({
        ...secureContext(tls),
        ALPNProtocols: http2 ? ['h2', 'http/1.1'] : ['http/1.1'],
        handshakeTimeout: this.#handshakeMillisMax,
        requestCert: tls.clientAuth !== 'NoClientCert',
        rejectUnauthorized: tls.clientAuth === 'RequireAndVerifyClientCert',
      });
    } catch (error) {
      const message = `cannot use tls_server_config: ${errorMessage(error)}`;
      throw new AppError('invalid-argument', message, { cause: error });
    }
    server.on('tlsClientError', (_error, socket) => {
      this.#failures.add(1);
      socket.destroy();
    });
    server.on('secureConnection', (socket) => {
      // Without a listener, an error after the handshake would end the process.
      socket.on('error', () => undefined);
      const certificate = socket.getPeerX509Certificate();
      if (isAllowedClient(tls, certificate, socket.authorized)) {
        this.#take(socket);
        return;
      }
      this.#failures.add(1);
      socket.destroy();
    });
    return server;
  }
}

function secureContext(tls: ServerTls): SecureContextOptions {
  return {
    cert: tls.certificate,
    key: tls.key,
    minVersion: tls.minVersion,
    honorCipherOrder: tls.prefersOwnCiphers,
    ...(tls.maxVersion !== undefined && { maxVersion: tls.maxVersion }),
    ...(tls.clientAuthorities !== '' && { ca: tls.clientAuthorities }),
    ...(tls.ciphers.length > 0 && { ciphers: tls.ciphers.join(':') }),
    ...(tls.curves.length > 0 && { ecdhCurve: tls.curves.join(':') }),
  };
}
