// A plain grpc-js client for tests, which sends and receives raw bytes.
import { type Client, credentials, Client as GrpcClient, type ServiceError } from '@grpc/grpc-js';
import protobuf from 'protobufjs/minimal.js';

const pass = (bytes: Buffer): Buffer => bytes;

/** Connects to host:port without TLS. */
export function connect(address: string): Client {
  return new GrpcClient(address, credentials.createInsecure(), {
    'grpc.max_receive_message_length': -1,
    'grpc.use_local_subchannel_pool': 1,
  });
}

/** Makes one unary call; rejects with grpc-js's ServiceError. */
export function unary(
  client: Client,
  path: string,
  request: Uint8Array,
  millisMax = 30_000,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(
      path,
      pass,
      pass,
      Buffer.from(request),
      { deadline: Date.now() + millisMax },
      (error: ServiceError | null, response?: Buffer) => {
        if (error !== null) reject(error);
        else resolve(response ?? Buffer.alloc(0));
      },
    );
  });
}

export const writeRawPath = '/parca.profilestore.v1alpha1.ProfileStoreService/WriteRaw';

/** Makes a WriteRawRequest with one profile for one label set (`__name__` included). */
export function writeRawRequest(
  labels: Readonly<Record<string, string>>,
  profile: Uint8Array,
): Uint8Array {
  const writer = new protobuf.Writer();
  writer.uint32(0x12).fork();
  writer.uint32(0x0a).fork();
  for (const [name, value] of Object.entries(labels)) {
    writer.uint32(0x0a).fork().uint32(0x0a).string(name).uint32(0x12).string(value).ldelim();
  }
  writer.ldelim();
  writer.uint32(0x12).fork().uint32(0x0a).bytes(profile).ldelim();
  return writer.ldelim().finish();
}
