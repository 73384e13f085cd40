// Decodes, answers and encodes random report requests on a small store. Prints counts as JSON, or
// how to repeat a failure.
//
// Use: node test/fuzz/filters.ts <first seed> <seeds> [failures to show]; a seed is 1,000 requests.
import assert from 'node:assert/strict';
import { parca } from '../../proto/gen/query.js';
import { decodeRequest } from '../../src/api/transport/call/message.ts';
import { encodeReport } from '../../src/api/query/encode-report.ts';
import { toReportQuestion } from '../../src/api/query/request.ts';
import { AppError } from '../../src/base/errors.ts';
import type { QueryEngine } from '../../src/query/interface.ts';
import { createEngine } from '../../src/query/testing/ask.ts';
import { randomFrom } from '../../src/query/testing/random-rows.ts';
import { randomWorld } from '../../src/query/testing/oracle/random-world.ts';
import { withinCpuTime } from './cpu-time.ts';
import { randomRequest } from './random-request.ts';

const requestsPerSeed = 1_000;
/**
 * Longest CPU time of a request in milliseconds, five times what requests normally take. A filter
 * whose time grows too fast with its input exceeds it.
 */
const millisMax = 250;
const expectedCodes: ReadonlySet<string> = new Set([
  'invalid-argument',
  'not-found',
  'unimplemented',
]);
const caller = { signal: new AbortController().signal };

const [first, seeds, shownMax = 1] = process.argv.slice(2).map(Number);
let failures = 0;
const counts = { requests: 0, answered: 0 };

for (let seed = first; seed < first + seeds && failures < shownMax; seed += 1) {
  const random = randomFrom(seed * 15_485_863);
  const { querier } = await randomWorld(random);
  const engine = createEngine(querier);
  for (let i = 0; i < requestsPerSeed && failures < shownMax; i += 1) {
    const request = randomRequest(random);
    try {
      await withinCpuTime(millisMax, () => check(request, engine));
    } catch (error) {
      failures += 1;
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
      process.stderr.write(`request ${i}: ${Buffer.from(request).toString('base64')}\n`);
      process.stderr.write(`repeat it: node test/fuzz/filters.ts ${seed} 1\n`);
    }
    counts.requests += 1;
  }
}
process.stdout.write(`${JSON.stringify(counts)}\n`);
process.exitCode = failures === 0 ? 0 : 1;

/**
 * Fails unless the result is a response, or one of our errors with a code that says whose fault it
 * is.
 */
async function check(bytes: Uint8Array, engine: QueryEngine): Promise<void> {
  try {
    const question = toReportQuestion(decodeRequest(parca.query.v1alpha1.QueryRequest, bytes));
    const response = await encodeReport(await engine.report(question, caller));
    parca.query.v1alpha1.QueryResponse.decode(response);
    counts.answered += 1;
  } catch (error) {
    assert.ok(error instanceof AppError, error instanceof Error ? error.stack : String(error));
    assert.ok(expectedCodes.has(error.code), `${error.code}: ${error.message}`);
  }
}
