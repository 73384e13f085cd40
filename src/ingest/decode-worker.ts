// The thread of decode-thread.ts: decodes what comes, and sends what it has become.
import { parentPort, workerData } from 'node:worker_threads';
import type { Seeds } from './symbol-sender.ts';
import { buffersOf, UploadDecoder, type DecodeRequest } from './upload-decoder.ts';

const decoder = new UploadDecoder(workerData as Seeds);

parentPort?.on('message', (request: DecodeRequest) => {
  const reply = decoder.decode(request);
  parentPort?.postMessage(reply, buffersOf(reply));
});
