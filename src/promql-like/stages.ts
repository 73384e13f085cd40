// The stages of a pipeline: a table with a row for each kind of stage, whose functions read the
// stage from the strict tree and print it.
import type { SyntaxNode } from '@lezer/common';
import { assert } from '../base/assert.ts';
import { errorMessage } from '../base/errors.ts';
import { compilePattern } from '../model/pattern.ts';
import * as terms from './gen/query.terms.ts';
import {
  QueryError,
  comparisons,
  frameGroups,
  numberFields,
  patternActions,
  textFields,
  type FrameCondition,
  type GroupName,
  type Stage,
  type StageMeaning,
} from './query.ts';
import { listChildren, isWord, readName, readString, readTimes, toSpan } from './read-node.ts';
import { printLabelName, quoteString } from './string.ts';
import { printTimeSpan } from './time.ts';

type Meaning<K extends StageMeaning['kind']> = Extract<StageMeaning, { readonly kind: K }>;

/** Functions for one kind of stage: they read its meaning from a node, and print it. */
interface StageForm<K extends StageMeaning['kind']> {
  readonly node: number;
  /** Reads the meaning from the node and its children. Errors: QueryError. */
  readonly read: (
    text: string,
    node: SyntaxNode,
    children: readonly SyntaxNode[],
  ) => Omit<Meaning<K>, 'kind'>;
  readonly print: (meaning: Meaning<K>) => string;
}

const forms: { readonly [K in StageMeaning['kind']]: StageForm<K> } = {
  stack: {
    node: terms.StackStage,
    read: (text, node, [first]) => ({
      isNegated: first.type.id === terms.not,
      isOfLeaf: node.getChild(terms.leaf) !== null,
      condition: readCondition(text, node),
    }),
    print: ({ isNegated, isOfLeaf, condition }) =>
      `${isNegated ? 'not ' : ''}${isOfLeaf ? 'leaf' : 'stack'} ${printCondition(condition)}`,
  },
  frame: {
    node: terms.FrameStage,
    read: (text, node, [, second]) => ({
      action: second.type.id === terms.keep ? 'keep' : 'drop',
      condition: readCondition(text, node),
    }),
    print: ({ action, condition }) => `frame ${action} ${printCondition(condition)}`,
  },
  pattern: {
    node: terms.PatternStage,
    read: (text, _node, [first, second]) => ({
      action: findWord(text, first, patternActions) ?? 'focus',
      expression: readExpression(text, second),
    }),
    print: ({ action, expression }) => `${action} ${quoteString(expression)}`,
  },
  sandwich: {
    node: terms.SandwichStage,
    read: (text, _node, [, second]) => ({ functionName: readFunctionName(text, second) }),
    print: ({ functionName }) => `sandwich ${quoteString(functionName)}`,
  },
  root: {
    node: terms.RootStage,
    read: (text, _node, [, second]) => ({ functionName: readFunctionName(text, second) }),
    print: ({ functionName }) => `root ${quoteString(functionName)}`,
  },
  collapse: {
    node: terms.CollapseStage,
    read: (text, node, [, second]) => ({
      condition: second.type.id === terms.recursion ? undefined : readCondition(text, node),
    }),
    print: ({ condition }) =>
      `collapse ${condition === undefined ? 'recursion' : printCondition(condition)}`,
  },
  invert: { node: terms.InvertStage, read: () => ({}), print: () => 'invert' },
  increase: { node: terms.IncreaseStage, read: () => ({}), print: () => 'increase' },
  samples: {
    node: terms.SamplesStage,
    read: (text, node) => readTimes(text, node.getChild(terms.TimeSpan) ?? node),
    print: (range) => `samples ${printTimeSpan(range)}`,
  },
  own: {
    node: terms.OwnStage,
    read: (text, node) => ({ prefixes: readPrefixes(text, node) }),
    print: ({ prefixes }) => `own (${prefixes.map((prefix) => quoteString(prefix)).join(', ')})`,
  },
  by: {
    node: terms.ByStage,
    read: (text, node) => ({ names: readGroups(text, node) }),
    print: ({ names }) => `by (${names.map(printGroup).join(', ')})`,
  },
  top: {
    node: terms.TopStage,
    read: (text, _node, [, second]) => ({ count: readCount(text, second) }),
    print: ({ count }) => `top ${count}`,
  },
};

const kinds = Object.keys(forms) as StageMeaning['kind'][];

/** Reads a Stage node. Errors: QueryError. */
export function readStage(text: string, node: SyntaxNode): Stage {
  const [stage] = listChildren(node);
  const kind = kinds.find((name) => forms[name].node === stage.type.id);
  assert(kind !== undefined, 'a stage of the grammar');
  // The form of a kind returns only meanings of that kind.
  const meaning = { kind, ...forms[kind].read(text, stage, listChildren(stage)) } as StageMeaning;
  return { ...meaning, span: toSpan(node) };
}

/** Prints a stage in its normal form, which `readStage` can read. */
export function printStage<K extends StageMeaning['kind']>(meaning: Meaning<K>): string {
  return forms[meaning.kind as K].print(meaning);
}

function readCondition(text: string, stage: SyntaxNode): FrameCondition {
  const field = stage.getChild(terms.Field);
  const comparison = stage.getChild(terms.Comparison);
  const value = stage.getChild(terms.Text) ?? stage.getChild(terms.Number) ?? stage;
  const isText = value.type.id === terms.Text;
  const numberField = field === null ? undefined : findWord(text, field, numberFields);
  if (numberField !== undefined) {
    if (comparison !== null && readComparison(text, comparison) !== 'equals') {
      const reason = `expected equals or a number after ${numberField}`;
      throw new QueryError(reason, text, toSpan(comparison));
    }
    if (isText) throw new QueryError('expected a number, got a text', text, toSpan(value));
    return { field: numberField, number: readNumber(text, value) };
  }
  if (!isText) throw new QueryError('expected a quoted text, got a number', text, toSpan(value));
  const compared = comparison === null ? 'contains' : readComparison(text, comparison);
  return {
    field: (field === null ? undefined : findWord(text, field, textFields)) ?? 'function',
    comparison: compared,
    text: compared === 'matches' ? readExpression(text, value) : readString(text, value),
  };
}

function readComparison(text: string, node: SyntaxNode): (typeof comparisons)[number] {
  return (
    comparisons.find((comparison) => text.startsWith(comparison.split(' ', 1)[0], node.from)) ??
    'contains'
  );
}

/** Returns the word of a node if it is one of `words`; undefined for other words. */
function findWord<const T extends string>(
  text: string,
  node: SyntaxNode,
  words: readonly T[],
): T | undefined {
  const written = text.slice(node.from, node.to);
  return words.find((word) => word === written);
}

/** Reads a regular expression, which must compile. */
function readExpression(text: string, node: SyntaxNode): string {
  const expression = readString(text, node);
  try {
    compilePattern(expression);
  } catch (error) {
    throw new QueryError(errorMessage(error), text, toSpan(node), { cause: error });
  }
  return expression;
}

function readFunctionName(text: string, node: SyntaxNode): string {
  const name = readString(text, node);
  if (name === '') throw new QueryError('a function name must not be empty', text, toSpan(node));
  return name;
}

function readPrefixes(text: string, stage: SyntaxNode): string[] {
  return stage.getChildren(terms.Text).map((node) => {
    const prefix = readString(text, node);
    if (prefix === '') throw new QueryError('a prefix must not be empty', text, toSpan(node));
    return prefix;
  });
}

function readGroups(text: string, stage: SyntaxNode): GroupName[] {
  return stage.getChildren(terms.LabelName).map((node) => {
    const name = readName(text, node);
    const frame = isWord(node) ? frameGroups.find((word) => word === name) : undefined;
    return frame === undefined ? { kind: 'label', name } : { kind: 'frame', name: frame };
  });
}

const uint64Max = 2n ** 64n - 1n;
const uint32Max = 0xffff_ffffn;

/** Reads an unsigned 64-bit number, decimal or hexadecimal. */
function readNumber(text: string, node: SyntaxNode): bigint {
  const written = text.slice(node.from, node.to);
  const isNumber = /^(?:\d+|0[xX][0-9a-fA-F]+)$/.test(written);
  const number = isNumber ? BigInt(written) : undefined;
  if (number === undefined || number > uint64Max) {
    const reason = `expected a number below 2^64 such as 12 or 0x4a2f, got ${written}`;
    throw new QueryError(reason, text, toSpan(node));
  }
  return number;
}

function readCount(text: string, node: SyntaxNode): number {
  const count = readNumber(text, node);
  if (count === 0n || count > uint32Max) {
    throw new QueryError('expected a number from 1 to 4294967295', text, toSpan(node));
  }
  return Number(count);
}

function printCondition(condition: FrameCondition): string {
  if ('number' in condition) return `${condition.field} ${condition.number}`;
  const { field, comparison, text } = condition;
  return `${field} ${comparison} ${quoteString(text)}`;
}

/** Prints a name in `by`. A label with the name of a property of frames is quoted. */
function printGroup({ kind, name }: GroupName): string {
  const isFrameWord = frameGroups.some((word) => word === name);
  return kind === 'label' && isFrameWord ? quoteString(name) : printLabelName(name);
}
