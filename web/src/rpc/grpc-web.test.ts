// Tests of gRPC-Web framing against a real HTTP server on loopback.
import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import { test } from 'node:test';
import { targetsMethod } from './api.ts';
import { RpcError, call, frame, readFrames } from './grpc-web.ts';
import { encode } from './protobuf.ts';

async function withServer(
  listener: RequestListener,
  run: (base: string) => Promise<void>,
): Promise<void> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  try {
    await run(`http://127.0.0.1:${address.port}/prefix/`);
  } finally {
    server.close();
  }
}

function trailer(text: string): Uint8Array {
  return frame(0x80, new TextEncoder().encode(text));
}

test('a call sends one frame below the base and reads message and trailers', async () => {
  const answer = { targets: new Map([['api', { targets: [] }]]) };
  const listener: RequestListener = (request, response) => {
    assert.equal(request.url, '/prefix/api/parca.scrape.v1alpha1.ScrapeService/Targets');
    assert.equal(request.headers['content-type'], 'application/grpc-web+proto');
    assert.equal(request.headers['parca-query-tag'], 'page.1');
    response.write(frame(0, encode(targetsMethod.response, answer)));
    response.end(trailer('grpc-status: 0\r\n'));
  };
  await withServer(listener, async (base) => {
    const asking = { signal: AbortSignal.timeout(5_000), tag: 'page.1' };
    const got = await call(base, targetsMethod, { state: 1 }, asking);
    assert.deepEqual([...got.targets.keys()], ['api']);
  });
});

test('an error status becomes an RpcError with its decoded text', async () => {
  const listener: RequestListener = (_request, response) => {
    response.end(trailer('grpc-status: 3\r\ngrpc-message: bad%20query %C3%BC\r\n'));
  };
  await withServer(listener, async (base) => {
    const got = call(base, targetsMethod, { state: 1 }, { signal: AbortSignal.timeout(5_000) });
    await assert.rejects(got, (error: unknown) => {
      assert.ok(error instanceof RpcError);
      assert.deepEqual([error.code, error.message], [3, 'bad query ü']);
      return true;
    });
  });
});

test('a page that is no gRPC answer and a server that is away are "unavailable"', async () => {
  let away = '';
  await withServer(
    (_request, response) => {
      response.statusCode = 502;
      response.end('<html>');
    },
    async (base) => {
      away = base;
      const got = call(base, targetsMethod, { state: 1 }, { signal: AbortSignal.timeout(5_000) });
      await assert.rejects(got, { name: 'RpcError', code: 14 });
    },
  );
  const got = call(away, targetsMethod, { state: 1 }, { signal: AbortSignal.timeout(5_000) });
  await assert.rejects(got, { name: 'RpcError', code: 14 });
});

test('an aborted call ends with the reason of the signal', async () => {
  await withServer(
    () => undefined,
    async (base) => {
      const controller = new AbortController();
      const got = call(base, targetsMethod, { state: 1 }, controller);
      controller.abort();
      await assert.rejects(got, { name: 'AbortError' });
    },
  );
});

test('a cut frame gives no message', () => {
  assert.equal(readFrames(frame(0, new Uint8Array(9)).subarray(0, 7)).message, undefined);
});
