// Property of the printer: its output parses to the same query.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseQuery } from './parse.ts';
import {
  printQuery,
  type PrintablePipeline,
  type PrintableQuery,
  type PrintableSelector,
} from './print.ts';
import {
  comparisons,
  frameGroups,
  numberFields,
  patternActions,
  textFields,
  type FrameCondition,
  type GroupName,
  type StageMeaning,
} from './query.ts';

const text = fc.string({ unit: 'binary', maxLength: 12 });
const name = fc
  .oneof(fc.constantFrom('job', 'not-ok', 'stack', 'by', 'function'), text)
  .filter((it) => it !== '' && it !== '__name__');
const expression = fc.constantFrom('a.*', '', '\\d+|"x"', '[`]');
const int64 = fc.bigInt({ min: -(2n ** 63n) + 1n, max: 2n ** 63n - 1n });

const matcher = fc.oneof(
  fc.record({ name, operator: fc.constantFrom('=' as const, '!=' as const), value: text }),
  fc.record({ name, operator: fc.constantFrom('=~' as const, '!~' as const), value: expression }),
);
const range = fc
  .tuple(fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }), fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }))
  .map(([a, b]) => (a < b ? { from: a, to: b } : { from: b, to: a }));
const selector: fc.Arbitrary<PrintableSelector> = fc.record({
  profile: fc.option(
    fc.oneof(fc.constantFrom('cpu', 'diff', 'a:b:c:d:e:delta'), text).map((it) => ({ text: it })),
    { nil: undefined },
  ),
  matchers: fc.array(matcher, { maxLength: 4 }),
  within: fc.option(range, { nil: undefined }),
  except: fc.option(range, { nil: undefined }),
  offset: fc.option(
    int64.map((nanos) => ({ nanos })),
    { nil: undefined },
  ),
});

const condition: fc.Arbitrary<FrameCondition> = fc.oneof(
  fc.record({
    field: fc.constantFrom(...textFields),
    comparison: fc.constantFrom(...comparisons.filter((one) => one !== 'matches')),
    text,
  }),
  fc.record({
    field: fc.constantFrom(...textFields),
    comparison: fc.constant('matches' as const),
    text: expression,
  }),
  fc.record({
    field: fc.constantFrom(...numberFields),
    number: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  }),
);
const stackStage: fc.Arbitrary<StageMeaning> = fc.oneof(
  fc.record({
    kind: fc.constant('stack' as const),
    isNegated: fc.boolean(),
    isOfLeaf: fc.boolean(),
    condition,
  }),
  fc.record({
    kind: fc.constant('own' as const),
    prefixes: fc.array(
      text.filter((it) => it !== ''),
      { minLength: 1, maxLength: 3 },
    ),
  }),
  fc.record({
    kind: fc.constant('frame' as const),
    action: fc.constantFrom('keep' as const, 'drop' as const),
    condition,
  }),
  fc.record({
    kind: fc.constant('pattern' as const),
    action: fc.constantFrom(...patternActions),
    expression,
  }),
  fc.record({
    kind: fc.constantFrom('sandwich' as const, 'root' as const),
    functionName: text.filter((it) => it !== ''),
  }),
  fc.record({
    kind: fc.constant('collapse' as const),
    condition: fc.option(condition, { nil: undefined }),
  }),
  fc.record({ kind: fc.constant('invert' as const) }),
);
const group: fc.Arbitrary<GroupName> = fc.oneof(
  fc.record({ kind: fc.constant('label' as const), name }),
  fc.record({ kind: fc.constant('frame' as const), name: fc.constantFrom(...frameGroups) }),
);
const by = fc.record({
  kind: fc.constant('by' as const),
  names: fc.array(group, { minLength: 1, maxLength: 3 }),
});
const top = fc.record({
  kind: fc.constant('top' as const),
  count: fc.integer({ min: 1, max: 0xffff_ffff }),
});
const increase = fc.constant({ kind: 'increase' as const });
const samples = fc
  .tuple(fc.bigInt({ min: 0n, max: 2n ** 62n }), fc.bigInt({ min: 0n, max: 2n ** 40n }))
  .map(([from, length]) => ({ kind: 'samples' as const, from, to: from + length }));
const stages: fc.Arbitrary<StageMeaning[]> = fc
  .tuple(
    fc.array(stackStage, { maxLength: 4 }),
    fc.array<StageMeaning>(increase, { maxLength: 1 }),
    fc.array<StageMeaning>(samples, { maxLength: 1 }),
    fc.array<StageMeaning>(by, { maxLength: 1 }),
    fc.array<StageMeaning>(top, { maxLength: 1 }),
    fc.array(stackStage, { maxLength: 2 }),
  )
  .map((lists) => lists.flat());

const pipeline: fc.Arbitrary<PrintablePipeline> = fc.record({
  selector,
  stages: fc.array(stackStage, { maxLength: 3 }),
});
const query: fc.Arbitrary<PrintableQuery> = fc.record({
  operand: fc.oneof(
    selector.map((it) => ({ kind: 'selector' as const, ...it })),
    fc.record({ kind: fc.constant('diff' as const), base: pipeline, compared: pipeline }),
  ),
  stages,
});

/** The meaning of a query: without strings, positions and fields that are derived from matchers. */
function meaningOnly(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(meaningOnly);
  if (typeof value !== 'object' || value === null) return value;
  const own = Object.entries(value).filter(
    ([key, field]) => key !== 'span' && typeof field !== 'function' && field !== undefined,
  );
  return Object.fromEntries(own.map(([key, field]) => [key, meaningOnly(field)]));
}

/** A parsed query without the fields that the printer does not need. */
function parsedMeaning(printed: string): unknown {
  const { operand, stages: parsed } = parseQuery(printed);
  const bare = ({
    profile,
    matchers,
    within,
    except,
    offset,
  }: PrintableSelector): PrintableSelector => ({
    profile: profile && { text: profile.text },
    matchers,
    within,
    except,
    offset,
  });
  const side = (one: PrintablePipeline): PrintablePipeline => ({
    selector: bare(one.selector),
    stages: one.stages,
  });
  const plain =
    operand.kind === 'diff'
      ? { kind: operand.kind, base: side(operand.base), compared: side(operand.compared) }
      : { kind: operand.kind, ...bare(operand) };
  return meaningOnly({ operand: plain, stages: parsed });
}

test('a printed query reads back', () => {
  fc.assert(
    fc.property(query, (wanted) => {
      const printed = printQuery(wanted);
      assert.deepEqual(parsedMeaning(printed), meaningOnly(wanted));
      assert.equal(printQuery(parseQuery(printed)), printed);
    }),
    { numRuns: 1_000 },
  );
});
