// gRPC server reflection, v1 and v1alpha. The encoded messages of both versions are the same.
import { grpc } from '../../../proto/gen/reflection.js';
import { decodeRequest } from '../transport/call/message.ts';
import type { StreamMethod } from '../transport/call/method.ts';
import { wireStatus } from '../transport/call/status.ts';

const { ServerReflectionRequest, ServerReflectionResponse } = grpc.reflection.v1;
type Request = grpc.reflection.v1.ServerReflectionRequest;
type Response = grpc.reflection.v1.ServerReflectionResponse.$Properties;

interface DescribedFile {
  readonly imports: readonly string[];
  readonly symbols: readonly string[];
  readonly descriptor: string;
}

type DescribedFiles = Readonly<Record<string, DescribedFile>>;

const versions = ['v1', 'v1alpha'];

/**
 * Returns the methods of both versions. `services` has the full names of all services of the
 * server.
 */
export function reflectionMethods(services: ReadonlySet<string>): StreamMethod[] {
  return versions.map((version) => ({
    path: `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`,
    kind: 'stream',
    keepsRequests: false,
    handle: (requests) => answerAll(services, requests),
  }));
}

async function* answerAll(
  services: ReadonlySet<string>,
  requests: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  // The descriptors are loaded at the first call, because only developer tools call this method.
  const { files } = await import('../../../proto/gen/descriptors.ts');
  for await (const bytes of requests) {
    const request = decodeRequest(ServerReflectionRequest, bytes);
    const response = { originalRequest: request, ...answer(services, files, request) };
    yield ServerReflectionResponse.encode(response).finish();
  }
}

function answer(services: ReadonlySet<string>, files: DescribedFiles, request: Request): Response {
  if (request.messageRequest === 'listServices') {
    const service = [...services].sort().map((name) => ({ name }));
    return { listServicesResponse: { service } };
  }
  if (request.messageRequest === 'fileByFilename') {
    return fileAnswer(files, request.fileByFilename ?? '');
  }
  if (request.messageRequest === 'fileContainingSymbol') {
    const symbol = request.fileContainingSymbol ?? '';
    const found = Object.entries(files).find(([, file]) => file.symbols.includes(symbol));
    return found ? fileAnswer(files, found[0]) : notFound(`symbol not found: ${symbol}`);
  }
  if (request.messageRequest === 'allExtensionNumbersOfType') {
    const baseTypeName = request.allExtensionNumbersOfType ?? '';
    return { allExtensionNumbersResponse: { baseTypeName, extensionNumber: [] } };
  }
  return notFound('extension not found: there are none');
}

/** Answers with the file and everything that it imports. */
function fileAnswer(files: DescribedFiles, name: string): Response {
  const names = new Set([name]);
  for (const each of names) {
    const file = Object.hasOwn(files, each) ? files[each] : undefined;
    if (!file) return notFound(`file not found: ${each}`);
    for (const imported of file.imports) names.add(imported);
  }
  const fileDescriptorProto = [...names].map((each) =>
    Buffer.from(files[each].descriptor, 'base64'),
  );
  return { fileDescriptorResponse: { fileDescriptorProto } };
}

function notFound(errorMessage: string): Response {
  return { errorResponse: { errorCode: wireStatus('not-found').grpc, errorMessage } };
}
