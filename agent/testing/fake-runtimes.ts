// Fake container runtimes on sockets, with documented responses, for tests.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import {
  type Metadata,
  Server as GrpcServer,
  ServerCredentials,
  type ServerWritableStream,
} from '@grpc/grpc-js';
import { ProtobufWriter } from '../../src/formats/protobuf-writer.ts';

/** A listening runtime. */
export interface FakeRuntime {
  /** Notifies watchers of a change. */
  notify(): void;
  /** Returns the number of list requests so far. */
  lists(): number;
  close(): Promise<void>;
}

/** Starts Docker's or Podman's engine; `containers` returns the response to a list request. */
export async function startEngine(
  socket: string,
  containers: () => readonly object[],
): Promise<FakeRuntime> {
  const watching = new Set<ServerResponse>();
  let lists = 0;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://docker');
    if (pathname === '/containers/json' && searchParams.get('all') === 'true') {
      lists += 1;
      response.end(JSON.stringify(containers()));
    } else if (pathname === '/events') {
      watching.add(response.writeHead(200));
      response.flushHeaders();
    } else {
      response.writeHead(404).end();
    }
  });
  server.listen(socket);
  await once(server, 'listening');
  return {
    notify: () => {
      for (const one of watching) one.write('{"Type":"container","Action":"start"}\n');
    },
    lists: () => lists,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A protobuf message: field numbers with strings, numbers, messages, or maps of strings. */
export type FakeMessage = readonly (readonly [field: number, value: FakeValue])[];
type FakeValue = string | bigint | FakeMessage | Readonly<Record<string, string>>;

/** Responses by method path; `namespace` is the value of the call's header, for containerd. */
export type FakeAnswers = Readonly<Record<string, (namespace: string) => FakeMessage>>;

const eventsMethod = '/containerd.services.events.v1.Events/Subscribe';

/** Starts a gRPC runtime: CRI, containerd, or both. */
export async function startGrpcRuntime(socket: string, answers: FakeAnswers): Promise<FakeRuntime> {
  const server = new GrpcServer();
  const watching = new Set<ServerWritableStream<Buffer, Buffer>>();
  let lists = 0;
  const forms = {
    requestSerialize: pass,
    requestDeserialize: pass,
    responseSerialize: pass,
    responseDeserialize: pass,
  };
  for (const [path, answer] of Object.entries(answers)) {
    server.addService(
      { call: { path, requestStream: false, responseStream: path === eventsMethod, ...forms } },
      {
        call:
          path === eventsMethod
            ? (call: ServerWritableStream<Buffer, Buffer>) => void watching.add(call)
            : (
                { metadata }: { readonly metadata: Metadata },
                reply: (error: null, value: Buffer) => void,
              ) => {
                lists += 1;
                const namespace = String(metadata.get('containerd-namespace')[0] ?? '');
                reply(null, Buffer.from(encodeFake(answer(namespace))));
              },
      },
    );
  }
  await new Promise<void>((resolve, reject) => {
    server.bindAsync(`unix:${socket}`, ServerCredentials.createInsecure(), (error) => {
      if (error === null) resolve();
      else reject(error);
    });
  });
  return {
    notify: () => {
      for (const call of watching) call.write(Buffer.from(encodeFake([[3, '/containers/create']])));
    },
    lists: () => lists,
    close: () => {
      server.forceShutdown();
      return Promise.resolve();
    },
  };
}

const pass = (bytes: Buffer): Buffer => bytes;

/** Encodes a message. */
export function encodeFake(message: FakeMessage): Uint8Array {
  const out = new ProtobufWriter();
  for (const [field, value] of message) {
    if (typeof value === 'string') {
      out.bytesField(field, new TextEncoder().encode(value));
    } else if (typeof value === 'bigint') {
      out.int64(field, value);
    } else if (isMessage(value)) {
      out.bytesField(field, encodeFake(value));
    } else {
      for (const [name, text] of Object.entries(value)) {
        const entry: FakeMessage = [
          [1, name],
          [2, text],
        ];
        out.bytesField(field, encodeFake(entry));
      }
    }
  }
  return out.finish().slice();
}

function isMessage(value: FakeMessage | Readonly<Record<string, string>>): value is FakeMessage {
  return Array.isArray(value);
}
