// Worker of the page that reads files and answers queries about them; it sends nothing to a server.
import type { Clock } from '../../src/base/clock.ts';
import { addNodeGlobals } from './browser/globals.ts';
import { FileEngine } from './file-engine.ts';
import type { ConnectRequest, FileRequest } from './messages.ts';
import { FileServer } from './serve-files.ts';

const clock: Clock = {
  nowNanos: () => BigInt(Date.now()) * 1_000_000n,
  nowMillis: () => Date.now(),
  monotonicMillis: () => performance.now(),
  setTimer(delayMillis, fire) {
    const timer = setTimeout(fire, delayMillis);
    return { cancel: () => clearTimeout(timer) };
  },
};
addNodeGlobals();
const engine = new FileEngine(clock);
const page = new FileServer(engine, {
  postMessage: (message, transfer) => self.postMessage(message, { transfer: [...transfer] }),
});

self.addEventListener('message', ({ data }: MessageEvent<FileRequest | ConnectRequest>) => {
  if (data.kind !== 'connect') {
    void page.take(data);
    return;
  }
  const { port } = data;
  const server = new FileServer(engine, {
    postMessage: (message, transfer) => port.postMessage(message, [...transfer]),
  });
  port.addEventListener(
    'message',
    (event: MessageEvent<FileRequest>) => void server.take(event.data),
  );
  port.start();
});
