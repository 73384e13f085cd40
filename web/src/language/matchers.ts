// Parses and edits the profile types and label matchers in a query with the grammar.
import type { SyntaxNode } from '@lezer/common';
import * as terms from '../../../src/promql-like/gen/query.terms.ts';
import { printLabelName, quoteString, unquote } from '../../../src/promql-like/string.ts';
import { parseQuery } from './parse-query.ts';
import { asksIncrease, isCounter, withIncrease } from './query-text.ts';

/** A matcher and its position in the query. */
export interface MatcherText {
  readonly name: string;
  readonly operator: string;
  readonly value: string;
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the complete matchers; in a diff, those of both queries. Incomplete matchers are ignored.
 */
export function listMatchers(query: string): MatcherText[] {
  return findSelectors(query).flatMap((selector) => listConditions(query, selector));
}

function findSelectors(query: string): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  parseQuery(query).iterate({
    enter: ({ type, node }) => {
      if (type.id === terms.Selector) found.push(node);
    },
  });
  return found;
}

function listConditions(query: string, selector: SyntaxNode): MatcherText[] {
  const matchers = selector.getChild(terms.Matchers)?.getChildren(terms.Matcher) ?? [];
  return matchers.flatMap((node) => readMatcher(query, node) ?? []);
}

function readMatcher(query: string, node: SyntaxNode): MatcherText | undefined {
  const [name, operator, value] = [
    node.getChild(terms.LabelName),
    node.getChild(terms.Operator),
    node.getChild(terms.LabelValue),
  ].map((part) => (part === null ? '' : query.slice(part.from, part.to)));
  if (name === '' || operator === '' || value === '') return undefined;
  try {
    const bare = /^["'`]/.test(name) ? unquote(name) : name;
    return { name: bare, operator, value: unquote(value), from: node.from, to: node.to };
  } catch {
    // Before the string is complete, there is no matcher.
    return undefined;
  }
}

/** Removes a matcher. */
export function removeMatcher(query: string, { from, to }: MatcherText): string {
  const before = query.slice(0, from);
  const after = query.slice(to);
  const comma = /^\s*,\s*/.exec(after);
  if (comma !== null) return before + after.slice(comma[0].length);
  return before.replace(/\s*,\s*$/, '') + after;
}

/**
 * Adds a matcher; in a diff, adds it to both queries. Replaces a matcher with the same label and
 * operator, unless that matcher excludes another value.
 */
export function addMatcher(query: string, name: string, operator: string, value: string): string {
  const text = `${printLabelName(name)}${operator}${quoteString(value)}`;
  const selectors = findSelectors(query);
  if (selectors.length === 0) return `${query.trimEnd()}{${text}}`;
  // Edits from the end, so that earlier positions stay valid.
  return selectors.reduceRight((edited, selector) => {
    const same = listConditions(query, selector).find(
      (matcher) =>
        matcher.name === name &&
        matcher.operator === operator &&
        (operator !== '!=' || matcher.value === value),
    );
    if (same !== undefined) return edited.slice(0, same.from) + text + edited.slice(same.to);
    return withCondition(edited, selector, text);
  }, query);
}

function withCondition(query: string, selector: SyntaxNode, text: string): string {
  const matchers = selector.getChild(terms.Matchers);
  if (matchers === null) {
    const end = selector.getChild(terms.ProfileName)?.to ?? selector.to;
    return `${query.slice(0, end)}{${text}}${query.slice(end)}`;
  }
  const isClosed = /[}>]$/.test(query.slice(matchers.from, matchers.to));
  const close = isClosed ? matchers.to - 1 : matchers.to;
  const inside = query.slice(matchers.from + 1, close).trim();
  const separator = inside === '' ? '' : inside.endsWith(',') ? ' ' : ', ';
  return query.slice(0, close).trimEnd() + separator + text + query.slice(close);
}

/** Changes the profile type in a query, and adds or removes `increase` if the type requires it. */
export function chooseProfileType(query: string, type: string): string {
  const isKept = isCounter(type) && asksIncrease(query);
  return isKept
    ? replaceProfileType(query, type)
    : withIncrease(replaceProfileType(removeIncrease(query), type), type);
}

/** Removes `increase`; in a diff, removes it from both sides. */
function removeIncrease(query: string): string {
  const found: { from: number; to: number }[] = [];
  parseQuery(query).iterate({
    enter: ({ type, from, to }) => {
      if (type.id === terms.IncreaseStage) found.push({ from, to });
    },
  });
  return found.reduceRight((edited, { from, to }) => {
    return edited.slice(0, from).replace(/\s*\|\s*$/, '') + edited.slice(to);
  }, query);
}

/** Replaces the profile type and nothing else; in a diff, replaces it in both queries. */
export function replaceProfileType(query: string, type: string): string {
  const selectors = findSelectors(query);
  if (selectors.length === 0) return type;
  return selectors.reduceRight((edited, selector) => {
    const name = selector.getChild(terms.ProfileName);
    const { from, to } = name ?? { from: selector.from, to: selector.from };
    return edited.slice(0, from) + type + edited.slice(to);
  }, query);
}

/** Returns the query without its matchers for these labels. */
export function withoutLabels(query: string, names: readonly string[]): string {
  const conditions = listMatchers(query).filter(({ name }) => names.includes(name));
  return conditions.reduceRight(removeMatcher, query);
}
