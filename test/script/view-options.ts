// Reads the options `stack=`, `frame=`, `sandwich=` and `invert=` of an `eval` as a StackView.
import type { FrameCriteria } from '../../src/report/stacks/frame-criteria.ts';
import type { StackView } from '../../src/report/stacks/stack-view.ts';
import type { EvalCommand } from './parse-script.ts';

const textFields: ReadonlyMap<string, 'functionName' | 'systemName' | 'binary' | 'fileName'> =
  new Map([
    ['function', 'functionName'],
    ['system', 'systemName'],
    ['binary', 'binary'],
    ['file', 'fileName'],
  ]);
const numberFields: ReadonlyMap<string, 'address' | 'lineNumber'> = new Map([
  ['address', 'address'],
  ['line', 'lineNumber'],
]);
const operators: ReadonlyMap<string, 'equal' | 'contains' | 'starts-with'> = new Map([
  ['=', 'equal'],
  ['~', 'contains'],
  ['^', 'starts-with'],
]);

export function readView({ options }: EvalCommand): StackView {
  return {
    stackFilters: (options.get('stack') ?? []).map(readCriteria),
    frameFilters: (options.get('frame') ?? []).map(readCriteria),
    sandwich: options.get('sandwich')?.[0] ?? '',
    isInverted: options.get('invert')?.[0] === 'yes',
  };
}

/** Reads the conditions of one filter, joined by "&". */
function readCriteria(text: string): FrameCriteria {
  return Object.assign({}, ...text.split('&').map(readCondition));
}

/**
 * Reads a condition such as `function~gc`, `binary!=libc.so` or `line=3`; several strings are
 * joined by "|".
 */
function readCondition(text: string): FrameCriteria {
  const match = /^([a-z]+)(!?)([=~^])(.*)$/.exec(text);
  if (match === null) throw new Error(`cannot read condition: ${text}`);
  const [, field, negation, sign, value] = match;
  const isNegated = negation === '!';
  const number = numberFields.get(field);
  if (number !== undefined) return { [number]: { isNegated, value: BigInt(value) } };
  const name = textFields.get(field);
  const operator = operators.get(sign);
  if (name === undefined || operator === undefined) throw new Error(`no such condition: ${text}`);
  return { [name]: { operator, isNegated, texts: value.split('|') } };
}
