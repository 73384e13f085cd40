// Reads one stage of a pipeline from the strict tree.
import type { SyntaxNode } from '@lezer/common';
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
import { childrenOf, isWord, readName, readString, spanOf } from './read-node.ts';

/** Reads a Stage node. Errors: QueryError. */
export function readStage(text: string, node: SyntaxNode): Stage {
  const [stage] = childrenOf(node);
  return { ...readMeaning(text, stage), span: spanOf(node) };
}

function readMeaning(text: string, stage: SyntaxNode): StageMeaning {
  const [first, second] = childrenOf(stage);
  switch (stage.type.id) {
    case terms.StackStage: {
      const isNegated = first.type.id === terms.not;
      return { kind: 'stack', isNegated, condition: readCondition(text, stage) };
    }
    case terms.FrameStage: {
      const action = second.type.id === terms.keep ? 'keep' : 'drop';
      return { kind: 'frame', action, condition: readCondition(text, stage) };
    }
    case terms.PatternStage:
      return {
        kind: 'pattern',
        action: wordOf(text, first, patternActions) ?? 'focus',
        expression: readExpression(text, second),
      };
    case terms.SandwichStage:
      return { kind: 'sandwich', functionName: readFunctionName(text, second) };
    case terms.RootStage:
      return { kind: 'root', functionName: readFunctionName(text, second) };
    case terms.CollapseStage: {
      const isOfRecursion = second.type.id === terms.recursion;
      return {
        kind: 'collapse',
        condition: isOfRecursion ? undefined : readCondition(text, stage),
      };
    }
    case terms.InvertStage:
      return { kind: 'invert' };
    case terms.IncreaseStage:
      return { kind: 'increase' };
    case terms.ByStage:
      return { kind: 'by', names: readGroups(text, stage) };
    default:
      return { kind: 'top', count: readCount(text, second) };
  }
}

function readCondition(text: string, stage: SyntaxNode): FrameCondition {
  const field = stage.getChild(terms.Field);
  const comparison = stage.getChild(terms.Comparison);
  const value = stage.getChild(terms.Text) ?? stage.getChild(terms.Number) ?? stage;
  const isText = value.type.id === terms.Text;
  const numberField = field === null ? undefined : wordOf(text, field, numberFields);
  if (numberField !== undefined) {
    if (comparison !== null && readComparison(text, comparison) !== 'equals') {
      const reason = `expected equals or a number after ${numberField}`;
      throw new QueryError(reason, text, spanOf(comparison));
    }
    if (isText) throw new QueryError('expected a number, got a text', text, spanOf(value));
    return { field: numberField, number: readNumber(text, value) };
  }
  if (!isText) throw new QueryError('expected a quoted text, got a number', text, spanOf(value));
  const compared = comparison === null ? 'contains' : readComparison(text, comparison);
  return {
    field: (field === null ? undefined : wordOf(text, field, textFields)) ?? 'function',
    comparison: compared,
    text: compared === 'matches' ? readExpression(text, value) : readString(text, value),
  };
}

function readComparison(text: string, node: SyntaxNode): (typeof comparisons)[number] {
  return comparisons.find((one) => text.startsWith(one.split(' ', 1)[0], node.from)) ?? 'contains';
}

/** Returns the one of `words` that a node is. */
function wordOf<const T extends string>(
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
    throw new QueryError(errorMessage(error), text, spanOf(node), { cause: error });
  }
  return expression;
}

function readFunctionName(text: string, node: SyntaxNode): string {
  const name = readString(text, node);
  if (name === '') throw new QueryError('a function name must not be empty', text, spanOf(node));
  return name;
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
    throw new QueryError(reason, text, spanOf(node));
  }
  return number;
}

function readCount(text: string, node: SyntaxNode): number {
  const count = readNumber(text, node);
  if (count === 0n || count > uint32Max) {
    throw new QueryError('expected a number from 1 to 4294967295', text, spanOf(node));
  }
  return Number(count);
}
