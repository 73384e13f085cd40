// Query to text: the normal form, which parseQuery reads back.
import { assertUnreachable } from '../base/assert.ts';
import { profileNameLabel } from '../model/labels.ts';
import type { LabelMatcher } from '../model/matcher.ts';
import { printOffset } from './offset.ts';
import { printTimeSpan } from './time.ts';
import {
  frameGroups,
  type FrameCondition,
  type GroupName,
  type StageMeaning,
  type WrittenRange,
} from './query.ts';
import { quoteString } from './string.ts';

const profileWord = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const labelWord = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

/** The parts of a selector that have a meaning; every Selector is one. */
export interface PrintableSelector {
  readonly profile: { readonly text: string } | undefined;
  readonly matchers: readonly Pick<LabelMatcher, 'name' | 'operator' | 'value'>[];
  readonly within?: Omit<WrittenRange, 'span'> | undefined;
  readonly except?: Omit<WrittenRange, 'span'> | undefined;
  readonly offset?: { readonly nanos: bigint } | undefined;
}

export interface PrintablePipeline {
  readonly selector: PrintableSelector;
  readonly stages: readonly StageMeaning[];
}

/** The parts of a query that have a meaning. */
export interface PrintableQuery {
  readonly operand:
    | (PrintableSelector & { readonly kind: 'selector' })
    | {
        readonly kind: 'diff';
        readonly base: PrintablePipeline;
        readonly compared: PrintablePipeline;
      };
  readonly stages: readonly StageMeaning[];
}

/** Prints `name{a="1", b=~"2.*"} offset 1d | focus "f"`; names that are not words are quoted. */
export function printQuery({ operand, stages }: PrintableQuery): string {
  if (operand.kind === 'selector') return printPipeline({ selector: operand, stages });
  const sides = [operand.base, operand.compared].map(printPipeline).join(', ');
  return [`diff(${sides})`, ...stages.map(printStage)].join(' | ');
}

function printPipeline({ selector, stages }: PrintablePipeline): string {
  return [printSelector(selector), ...stages.map(printStage)].join(' | ');
}

/** Returns true if a profile type can stand in a query without quotes. */
export function isProfileWord(text: string): boolean {
  return profileWord.test(text);
}

/** Prints only a selector; one without conditions is `name{}`. */
export function printSelector({
  profile,
  matchers,
  within,
  except,
  offset,
}: PrintableSelector): string {
  const name = profile?.text;
  const isWord = name !== undefined && isProfileWord(name);
  const conditions = matchers.map(printMatcher);
  if (name !== undefined && !isWord) {
    conditions.unshift(`${profileNameLabel}=${quoteString(name)}`);
  }
  const modifiers = [
    within === undefined ? '' : ` ${printTimeSpan(within)}`,
    except === undefined ? '' : ` except ${printTimeSpan(except)}`,
    offset === undefined ? '' : ` offset ${printOffset(offset.nanos)}`,
  ];
  return `${isWord ? name : ''}{${conditions.join(', ')}}${modifiers.join('')}`;
}

function printMatcher({ name, operator, value }: PrintableSelector['matchers'][number]): string {
  return `${printLabelName(name)}${operator}${quoteString(value)}`;
}

/** Prints a label name for a query: bare if it is a word, else quoted. */
export function printLabelName(name: string): string {
  return labelWord.test(name) ? name : quoteString(name);
}

function printStage(stage: StageMeaning): string {
  switch (stage.kind) {
    case 'stack':
      return `${stage.isNegated ? 'not ' : ''}stack ${printCondition(stage.condition)}`;
    case 'frame':
      return `frame ${stage.action} ${printCondition(stage.condition)}`;
    case 'pattern':
      return `${stage.action} ${quoteString(stage.expression)}`;
    case 'sandwich':
    case 'root':
      return `${stage.kind} ${quoteString(stage.functionName)}`;
    case 'collapse': {
      const { condition } = stage;
      return `collapse ${condition === undefined ? 'recursion' : printCondition(condition)}`;
    }
    case 'invert':
    case 'increase':
      return stage.kind;
    case 'by':
      return `by (${stage.names.map(printGroup).join(', ')})`;
    case 'top':
      return `top ${stage.count}`;
    default:
      return assertUnreachable(stage);
  }
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
