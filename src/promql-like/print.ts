// Prints a query in its normal form, which parseQuery reads back.
import { profileNameLabel } from '../model/labels.ts';
import type { LabelMatcher } from '../model/matcher.ts';
import { printOffset } from './offset.ts';
import { printTimeSpan } from './time.ts';
import type { StageMeaning, WrittenRange } from './query.ts';
import { printStage } from './stages.ts';
import { printLabelName, quoteString } from './string.ts';

const profileWord = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;

/** The fields of a selector that matter for its meaning; every Selector has them. */
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

/** The fields of a query that matter for its meaning. */
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

/** Returns true if a profile type needs no quotes in a query. */
export function isProfileWord(text: string): boolean {
  return profileWord.test(text);
}

/** Prints only a selector; without conditions, it is `name{}`. */
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
