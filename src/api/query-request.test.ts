import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parca } from '../../proto/gen/query.js';
import { AppError } from '../base/errors.ts';
import { toReportQuestion } from './query-request.ts';

const { QueryRequest } = parca.query.v1alpha1;
type Properties = parca.query.v1alpha1.QueryRequest.$Properties;

const merge = { query: 'q', start: { nanos: 1 }, end: { nanos: 5 } };

function decode(properties: Properties): parca.query.v1alpha1.QueryRequest {
  return QueryRequest.decode(QueryRequest.encode(properties).finish());
}

test('a merge and a single request become questions', () => {
  const question = toReportQuestion(
    decode({
      mode: 2,
      merge,
      reportType: 5,
      nodeTrimThreshold: 50,
      rootTrimThreshold: 25,
      groupBy: { fields: ['labels.x', 'function_name'] },
    }),
  );
  assert.deepEqual(question, {
    select: { mode: 'merge', query: 'q', range: { from: 1n, to: 5n } },
    report: 'flame-graph',
    nodeTrimFraction: 0.5,
    rootTrimFraction: 0.25,
    groupBy: ['labels.x', 'function_name'],
  });
  const single = decode({ mode: 0, single: { query: 'q', time: { nanos: 7 } }, reportType: 1 });
  assert.deepEqual(toReportQuestion(single).select, { mode: 'single', query: 'q', timeNanos: 7n });
});

test('bad and unknown requests are told why', () => {
  const unknownMode: number = 9;
  const unknownReport: number = 99;
  const check = (properties: Properties, code: string, message: RegExp) =>
    assert.throws(
      () => toReportQuestion(decode({ reportType: 2, ...properties })),
      (error) => error instanceof AppError && error.code === code && message.test(error.message),
    );
  check({ mode: 2 }, 'invalid-argument', /options: cannot be blank/);
  check({ mode: 0, merge }, 'invalid-argument', /invalid option for mode/);
  check({ mode: unknownMode, merge }, 'invalid-argument', /unknown mode 9/);
  const backwards = { ...merge, start: { nanos: 6 } };
  check({ mode: 2, merge: backwards }, 'invalid-argument', /start timestamp must be before end/);
  check({ mode: 2, merge: {} }, 'invalid-argument', /end: .*; query: .*; start: /);
  check({ mode: 0, single: {} }, 'invalid-argument', /query: .*; time: /);
  check({ mode: 1, diff: {} }, 'unimplemented', /diff queries/);
  check({ mode: 2, merge, reportType: 3 }, 'unimplemented', /REPORT_TYPE_CALLGRAPH/);
  check({ mode: 2, merge, reportType: unknownReport }, 'invalid-argument', /99 does not exist/);
  check({ mode: 2, merge, filter: [{}] }, 'unimplemented', /filter/);
  check({ mode: 2, merge, invertCallStack: true }, 'unimplemented', /invert_call_stack/);
  check({ mode: 2, merge, nodeTrimThreshold: -1 }, 'invalid-argument', /node_trim_threshold/);
  check({ mode: 2, merge, rootTrimThreshold: NaN }, 'invalid-argument', /root_trim_threshold/);
  check({ mode: 2, merge, groupBy: { fields: ['labels.'] } }, 'invalid-argument', /labels\./);
});
