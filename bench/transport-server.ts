// Server for transport.bench.ts: WriteRaw without storage, served by our framing or by grpc-js.
import { finishAtOnce } from '../src/base/pacer.ts';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { decodeWriteRaw } from '../src/api/ingest/parca/decode-write-raw.ts';
import { startApi } from '../test/support/api.ts';
import { writeRawPath } from '../test/support/grpc-client.ts';

const pass = (bytes: Buffer): Buffer => bytes;

async function listenOurs(): Promise<string> {
  return (await startApi()).address;
}

async function listenGrpcJs(): Promise<string> {
  const server = new Server({ 'grpc.max_receive_message_length': -1 });
  server.addService(
    {
      writeRaw: {
        path: writeRawPath,
        requestStream: false,
        responseStream: false,
        requestSerialize: pass,
        requestDeserialize: pass,
        responseSerialize: pass,
        responseDeserialize: pass,
      },
    },
    {
      writeRaw: (
        call: { readonly request: Buffer },
        done: (error: null, response: Buffer) => void,
      ) => {
        finishAtOnce(decodeWriteRaw(call.request));
        done(null, Buffer.alloc(0));
      },
    },
  );
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  return `127.0.0.1:${port}`;
}

const address = await (process.argv[2] === 'grpc-js' ? listenGrpcJs() : listenOurs());
process.send?.({ address });
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMicros: user + system });
});
process.on('disconnect', () => process.exit(0));
