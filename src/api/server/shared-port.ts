// The port that HTTP and native gRPC share.
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  constants,
  Http2ServerRequest,
  Http2ServerResponse,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import type { TransportContext } from '../transport/call/call.ts';
import { methodPath } from '../transport/call/method.ts';
import { ignoreError } from '../transport/call/request-body.ts';
import { isNativeGrpc, serveGrpc } from '../transport/grpc/native.ts';
import type { HttpApp } from './app.ts';
import { createGrpcServer, openPort, type Port } from '../transport/port.ts';
import type { TlsDoor } from '../transport/tls.ts';
import type { ApiHost, ApiOptions, ApiLimits } from '../interface.ts';

/** Opens the port. HTTP/2 streams that are not native gRPC are handled like HTTP/1.1 requests. */
export async function openSharedPort(
  host: ApiHost,
  app: HttpApp,
  transport: TransportContext,
  tls: TlsDoor,
  options: ApiOptions,
  limits: ApiLimits,
): Promise<Port> {
  const http2 = createGrpcServer();
  const begin = (stream: ServerHttp2Stream, go: () => void): void =>
    transport.requestTurns.add({
      connection: stream.session,
      isOpen: () => !stream.closed && !stream.destroyed,
      begin: go,
    });
  http2.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, _flags, raw) => {
    stream.on('error', ignoreError);
    if (isNativeGrpc(headers)) {
      begin(stream, () => void serveGrpc(transport, stream, headers));
      return;
    }
    if (headers[':path'] === undefined) {
      // The request has the method CONNECT, which asks for a tunnel to another server.
      stream.close(constants.NGHTTP2_PROTOCOL_ERROR);
      return;
    }
    begin(stream, () => {
      // Node's compatibility classes have the methods of HTTP/1.1 requests and responses, but not
      // their types.
      const request: unknown = new Http2ServerRequest(stream, headers, {}, raw);
      const response: unknown = new Http2ServerResponse(stream);
      app.handle(request as IncomingMessage, response as ServerResponse);
    });
  });
  return openPort(host.clock, app.server, http2, {
    address: options.address,
    moreAddresses: options.moreAddresses ?? [],
    connectionsMax: limits.connectionsMax,
    connectionsPerAddressMax: limits.connectionsPerAddressMax,
    beginInTurn: (socket, go) => {
      const isOpen = (): boolean => !socket.destroyed;
      transport.requestTurns.add({ connection: socket, isOpen, begin: go });
    },
    unread: {
      bytesMax: limits.unreadBytesMax,
      silenceMillisMax: options.writeTimeoutMillis,
      cutOff: host.metrics.counter(
        'parca_api_answers_cut_off_total',
        'Answers cut off because their callers did not read them: too much memory, or time.',
        ['limit'],
      ),
    },
    refused: host.metrics.counter(
      'parca_api_connections_refused_total',
      'Connections closed as too many were open, of all or from one address, or for too many requests.',
      ['limit'],
    ),
    tls,
    firstByteMillisMax: options.readTimeoutMillis,
    isEndless: (headers) => isNativeGrpc(headers) && isStreamMethod(transport, headers),
  });
}

function isStreamMethod(transport: TransportContext, headers: IncomingHttpHeaders): boolean {
  return transport.methodKind(methodPath(headers[':path'] ?? '')) === 'stream';
}
