// Opens a connection to another server, with the flags of the two modes that need it.
import { createServer, type Server } from '../../src/base/node/grpc-client.ts';
import type { StoreFlags } from './flags.ts';

/** Opens the connection. `messageBytesMax` limits messages in both directions. */
export function openOtherServer(
  address: string,
  { caFile, isInsecure, skipsVerify, bearerToken, bearerTokenFile, headers }: StoreFlags,
  messageBytesMax: number,
): Server {
  return createServer({
    address,
    caFile,
    isInsecure,
    skipsVerify,
    bearerToken,
    bearerTokenFile,
    headers,
    clientCertFile: '',
    clientKeyFile: '',
    flagNames: { insecure: '--insecure', caFile: '--store-ca-file' },
    sendBytesMax: messageBytesMax,
    receiveBytesMax: messageBytesMax,
  });
}
