// Converts the filters, sandwich and inversion in a QueryRequest to a view of stacks.
import type Long from 'long';
import type { parca } from '../../../proto/gen/query.js';
import { AppError } from '../../base/errors.ts';
import { filtersMax } from '../limits.ts';
import type {
  FrameCriteria,
  NumberCondition,
  TextCondition,
} from '../../report/stacks/frame-criteria.ts';
import type { StackView } from '../../report/stacks/stack-view.ts';

type QueryRequest = parca.query.v1alpha1.QueryRequest;
type Filter = parca.query.v1alpha1.Filter.$Properties;
type WireCriteria = parca.query.v1alpha1.FilterCriteria.$Properties;
type StringCondition = parca.query.v1alpha1.StringCondition.$Properties;
type WireNumber = parca.query.v1alpha1.NumberCondition.$Properties;

/** Converts a request. Errors: AppError 'invalid-argument' for more than `filtersMax` filters. */
export function toStackView(request: QueryRequest): StackView {
  const { filter } = request;
  if (filter.length > filtersMax) {
    const message = `filter: there are ${filter.length}, the limit is ${filtersMax}.`;
    throw new AppError('invalid-argument', message);
  }
  return {
    stackFilters: filter.map(stackCriteria).filter((criteria) => criteria !== undefined),
    frameFilters: filter.map(frameCriteria).filter((criteria) => criteria !== undefined),
    sandwich: request.sandwichByFunction ?? '',
    isInverted: request.invertCallStack ?? false,
  };
}

function stackCriteria({ stackFilter }: Filter): FrameCriteria | undefined {
  if (stackFilter?.criteria) return toCriteria(stackFilter.criteria);
  const deprecated = stackFilter?.functionNameStackFilter;
  if (!deprecated?.functionToFilter) return undefined;
  const isNegated = deprecated.exclude ?? false;
  return {
    functionName: { operator: 'contains', isNegated, texts: [deprecated.functionToFilter] },
  };
}

function frameCriteria({ frameFilter }: Filter): FrameCriteria | undefined {
  if (frameFilter?.criteria) return toCriteria(frameFilter.criteria);
  const texts = frameFilter?.binaryFrameFilter?.includeBinaries ?? [];
  if (texts.length === 0) return undefined;
  return { binary: { operator: 'contains', isNegated: false, texts } };
}

function toCriteria(criteria: WireCriteria): FrameCriteria {
  const { functionName, systemName, binary, filename, address, lineNumber } = criteria;
  return {
    ...optional('functionName', toText(functionName)),
    ...optional('systemName', toText(systemName)),
    ...optional('binary', toText(binary)),
    ...optional('fileName', toText(filename)),
    ...optional('address', toNumber(address)),
    ...optional('lineNumber', toNumber(lineNumber)),
  };
}

function optional<K extends string, V>(key: K, value: V | undefined): Partial<Record<K, V>> {
  return value === undefined ? {} : ({ [key]: value } as Partial<Record<K, V>>);
}

const operators: readonly {
  readonly field: Exclude<keyof StringCondition, 'condition' | '$unknowns'>;
  readonly operator: TextCondition['operator'];
  readonly isNegated: boolean;
}[] = [
  { field: 'equal', operator: 'equal', isNegated: false },
  { field: 'notEqual', operator: 'equal', isNegated: true },
  { field: 'contains', operator: 'contains', isNegated: false },
  { field: 'notContains', operator: 'contains', isNegated: true },
  { field: 'startsWith', operator: 'starts-with', isNegated: false },
  { field: 'notStartsWith', operator: 'starts-with', isNegated: true },
];

/** Converts a condition; undefined if the message has none. */
function toText(condition: StringCondition | null | undefined): TextCondition | undefined {
  for (const { field, operator, isNegated } of operators) {
    const text = condition?.[field];
    if (typeof text === 'string') return { operator, isNegated, texts: [text] };
  }
  return undefined;
}

function toNumber(condition: WireNumber | null | undefined): NumberCondition | undefined {
  const { equal, notEqual } = condition ?? {};
  if (equal) return { isNegated: false, value: toBigInt(equal) };
  return notEqual ? { isNegated: true, value: toBigInt(notEqual) } : undefined;
}

function toBigInt({ low, high }: Long): bigint {
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
}
