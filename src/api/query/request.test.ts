import assert from 'node:assert/strict';
import { test } from 'node:test';
import Long from 'long';
import { parca } from '../../../proto/gen/query.js';
import { AppError } from '../../base/errors.ts';
import { plainView } from '../../report/stacks/stack-view.ts';
import { toRangeQuestion, toReportQuestion } from './request.ts';

const { QueryRangeRequest, QueryRequest } = parca.query.v1alpha1;
type Properties = parca.query.v1alpha1.QueryRequest.$Properties;

const merge = { query: 'q', start: { nanos: 1 }, end: { nanos: 5 } };

function decode(properties: Properties): parca.query.v1alpha1.QueryRequest {
  return QueryRequest.decode(QueryRequest.encode(properties).finish());
}

test('a range question may be without a step', () => {
  const ask = (step?: { seconds: Long }) => {
    const message = { ...merge, ...(step && { step }) };
    return toRangeQuestion(QueryRangeRequest.decode(QueryRangeRequest.encode(message).finish()));
  };
  assert.equal(ask({ seconds: Long.fromNumber(7) }).stepNanos, 7_000_000_000n);
  assert.equal(ask({ seconds: Long.ZERO }).stepNanos, 0n);
  assert.equal(ask().stepNanos, 0n);
  assert.throws(() => ask({ seconds: Long.NEG_ONE }), /^AppError: step: must not be negative\.$/);
});

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
    view: plainView,
    zoomPath: [],
  });
  const single = decode({ mode: 0, single: { query: 'q', time: { nanos: 7 } }, reportType: 1 });
  assert.deepEqual(toReportQuestion(single).select, { mode: 'single', query: 'q', timeNanos: 7n });
});

test('a flame chart is a flame graph by time', () => {
  const groupBy = { fields: ['labels.pod'] };
  const question = toReportQuestion(decode({ mode: 2, merge, reportType: 9, groupBy }));
  assert.equal(question.report, 'flame-graph');
  assert.deepEqual(question.groupBy, ['labels.pod', 'timestamp']);
});

test('a search and a zoom path', () => {
  const asked = { mode: 2, merge, reportType: 5, zoomPath: ['main', 'f'] };
  const question = toReportQuestion(decode({ ...asked, search: { text: 'A.', mode: 1 } }));
  assert.deepEqual(question.zoomPath, ['main', 'f']);
  assert.deepEqual(question.search, { text: 'A.', mode: 'regex' });
  assert.equal(toReportQuestion(decode({ ...asked, search: { text: '' } })).search, undefined);
  const text = toReportQuestion(decode({ ...asked, search: { text: 'A.' } }));
  assert.deepEqual(text.search, { text: 'A.', mode: 'text' });
});

test('bad and unknown requests are refused with the reason', () => {
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
  check({ mode: 1, diff: {} }, 'invalid-argument', /a: cannot be blank; b: cannot be blank/);
  const side = { mode: 1, merge };
  check({ mode: 1, diff: { a: side, b: { merge } } }, 'invalid-argument', /mode of a diff/);
  const unknownSearch: number = 9;
  const search = { text: 'x', mode: unknownSearch };
  check({ mode: 2, merge, search }, 'invalid-argument', /unknown mode 9 of search/);
  check({ mode: 2, merge, reportType: 6 }, 'invalid-argument', /source_reference: /);
  const lines = decode({ mode: 2, merge, reportType: 6, sourceReference: { filename: 'f.go' } });
  assert.deepEqual(toReportQuestion(lines).source, { buildId: '', fileName: 'f.go' });
  check({ mode: 2, merge, reportType: unknownReport }, 'invalid-argument', /99 does not exist/);
  const filter = Array.from({ length: 65 }, () => ({}));
  check({ mode: 2, merge, filter }, 'invalid-argument', /filter: there are 65, the limit is 64/);
  check({ mode: 2, merge, nodeTrimThreshold: -1 }, 'invalid-argument', /node_trim_threshold/);
  check({ mode: 2, merge, rootTrimThreshold: NaN }, 'invalid-argument', /root_trim_threshold/);
  check({ mode: 2, merge, groupBy: { fields: ['labels.'] } }, 'invalid-argument', /labels\./);
});

test('filters, sandwich and inversion become a view of stacks; deprecated filters too', () => {
  const view = (properties: Properties) =>
    toReportQuestion(decode({ mode: 2, merge, reportType: 5, ...properties })).view;
  const criteria = {
    functionName: { equal: 'a' },
    systemName: { notEqual: '' },
    binary: { contains: 'b' },
    filename: { notStartsWith: 'c' },
    address: { equal: Long.fromBits(-1, 1, true) },
    lineNumber: { notEqual: Long.fromInt(7, true) },
  };
  const want = {
    functionName: { operator: 'equal', isNegated: false, texts: ['a'] },
    systemName: { operator: 'equal', isNegated: true, texts: [''] },
    binary: { operator: 'contains', isNegated: false, texts: ['b'] },
    fileName: { operator: 'starts-with', isNegated: true, texts: ['c'] },
    address: { isNegated: false, value: 0x1_ffff_ffffn },
    lineNumber: { isNegated: true, value: 7n },
  };
  assert.deepEqual(
    view({ filter: [{ stackFilter: { criteria } }, { frameFilter: { criteria } }, {}] }),
    { ...plainView, stackFilters: [want], frameFilters: [want] },
  );
  assert.deepEqual(
    view({
      filter: [
        { stackFilter: { functionNameStackFilter: { functionToFilter: 'f', exclude: true } } },
        { stackFilter: { functionNameStackFilter: {} } },
        { frameFilter: { binaryFrameFilter: { includeBinaries: ['x', 'y'] } } },
        { frameFilter: { binaryFrameFilter: {} } },
      ],
    }),
    {
      ...plainView,
      stackFilters: [{ functionName: { operator: 'contains', isNegated: true, texts: ['f'] } }],
      frameFilters: [{ binary: { operator: 'contains', isNegated: false, texts: ['x', 'y'] } }],
    },
  );
  assert.deepEqual(view({ sandwichByFunction: 'f', invertCallStack: true }), {
    ...plainView,
    sandwich: 'f',
    isInverted: true,
  });
});

test('diffs name their sides, each a merge or a single profile; relative unless told', () => {
  const single = { query: 's', time: { nanos: 3 } };
  const diff = { a: { mode: 1, merge }, b: { mode: 0, single } };
  const select = {
    mode: 'diff',
    base: { mode: 'merge', query: 'q', range: { from: 1n, to: 5n } },
    compared: { mode: 'single', query: 's', timeNanos: 3n },
    baseScale: 'total',
  };
  const read = (properties: Properties) =>
    toReportQuestion(decode({ mode: 1, reportType: 5, ...properties })).select;
  assert.deepEqual(read({ diff }), select);
  assert.deepEqual(read({ diff: { ...diff, absolute: true } }), { ...select, baseScale: 'none' });
});
