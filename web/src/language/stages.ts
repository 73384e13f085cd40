// Reads and edits the stages of a query: each edit changes only the query string.
import * as terms from '../../../src/promql-like/gen/query.terms.ts';
import { queryParser } from '../../../src/promql-like/language.ts';
import { frameGroups } from '../../../src/promql-like/query.ts';
import { printLabelName, quoteString, unquote } from '../../../src/promql-like/string.ts';
import { addStage, invertedQuery } from './query-text.ts';

export interface StageText {
  /** The stage as a string: `focus "x"`. */
  readonly text: string;
  readonly from: number;
  readonly to: number;
  /** Side of a diff that it belongs to; undefined for stages of the whole query. */
  readonly side: 'before' | 'now' | undefined;
  /** The query without it. */
  readonly rest: string;
}

/** Returns stages in order; in a diff, the stages of its sides are first. */
export function listStages(query: string): StageText[] {
  const found: StageText[] = [];
  let sides = 0;
  queryParser.parse(query).iterate({
    enter: ({ type, from, to, node }) => {
      if (type.id === terms.Side) sides += 1;
      if (type.id !== terms.Stage) return;
      const isOfSide = node.parent?.type.id === terms.Side;
      const side = isOfSide ? (sides === 1 ? 'before' : 'now') : undefined;
      const before = query.slice(0, from).replace(/\s*\|\s*$/, '');
      const rest = before + query.slice(to);
      found.push({ text: query.slice(from, to), from, to, side, rest });
    },
  });
  return found;
}

/** Adds a stage at the end, unless the last stage is the same already. */
export function appendStage(query: string, text: string): string {
  return lastStage(query)?.text === text ? query : addStage(query, text);
}

/** Moves the stage at `index` to the position of the stage at `target`, within one side. */
export function moveStage(query: string, index: number, target: number): string {
  const stages = listStages(query);
  const [moved, place] = [stages[index], stages[target]];
  if (moved === undefined || place === undefined || moved.side !== place.side) return query;
  const texts = stages.map(({ text }) => text);
  texts.splice(target, 0, ...texts.splice(index, 1));
  // It works from the end, so that earlier positions stay valid.
  return stages.reduceRight(
    (edited, { from, to }, i) => edited.slice(0, from) + texts[i] + edited.slice(to),
    query,
  );
}

/** Removes all stages after the one at `index`. */
export function keepStagesTo(query: string, index: number): string {
  const kept = listStages(query)[index];
  const later = listStages(query).slice(index + 1);
  return later
    .filter(({ side }) => side === kept?.side)
    .reduceRight((edited, { from, to }) => {
      return edited.slice(0, from).replace(/\s*\|\s*$/, '') + edited.slice(to);
    }, query);
}

/**
 * Returns the time span of the samples that a query requests, in milliseconds with both ends
 * included; undefined if there is none.
 */
export function samplesSpan(query: string): { from: number; to: number } | undefined {
  const found = listStages(query).find(({ text }) => text.startsWith('samples'));
  const [, from, to] = /@\s*([\d.]+)\s+to\s+([\d.]+)/.exec(found?.text ?? '') ?? [];
  if (from === undefined || to === undefined) return undefined;
  return { from: Math.round(Number(from) * 1_000), to: Math.round(Number(to) * 1_000) };
}

/** Requests the samples of a span, in milliseconds with both ends included, or all samples. */
export function withSamples(
  query: string,
  span: { readonly from: number; readonly to: number } | undefined,
): string {
  const found = listStages(query).find(({ text }) => text.startsWith('samples'));
  const rest = found?.rest ?? query;
  if (span === undefined) return rest;
  const seconds = (millis: number) => (millis / 1_000).toFixed(3);
  return addStage(rest, `samples @ ${seconds(span.from)} to ${seconds(span.to)}`);
}

/** Adds `invert`, or removes it if it is the last stage. */
export function toggleInvert(query: string): string {
  const last = lastStage(query);
  return last?.text === 'invert' ? last.rest : addStage(query, 'invert');
}

/** Keeps the callees of a function, or its callers, whether the stacks are inverted or not. */
export function sandwich(query: string, name: string, shows: 'callees' | 'callers'): string {
  const { isInverted } = invertedQuery(query);
  const turned = isInverted === (shows === 'callers') ? query : toggleInvert(query);
  return appendStage(turned, sandwichText(name));
}

function sandwichText(name: string): string {
  return `sandwich ${quoteString(name)}`;
}

/**
 * Edits the stacks from which a final `sandwich` cuts the callers. The sandwich stays, unless the
 * edit itself cuts the stacks.
 */
export function editCallers(query: string, edit: (query: string) => string): string {
  const last = lastStage(query);
  if (findSandwich(query) === undefined || last === undefined) return edit(query);
  const edited = edit(last.rest);
  const cuts = /^(?:sandwich|root|invert)\b/.test(lastStage(edited)?.text ?? '');
  return cuts || edited === last.rest ? edited : addStage(edited, last.text);
}

/** Returns the function of a final `sandwich` that shows callees; undefined without one. */
export function findSandwich(query: string): string | undefined {
  const last = lastStage(query);
  const quoted = /^sandwich\s*(.*)$/s.exec(last?.text ?? '')?.[1];
  if (quoted === undefined || invertedQuery(query).isInverted) return undefined;
  try {
    return unquote(quoted);
  } catch {
    // An unfinished string names no function.
    return undefined;
  }
}

/** Returns the query without a final `sandwich`. */
export function withoutSandwich(query: string): string {
  return findSandwich(query) === undefined ? query : (lastStage(query)?.rest ?? query);
}

/** Returns the query of the callers that a final `sandwich` cuts off. */
export function callersQuery(query: string): string | undefined {
  const name = findSandwich(query);
  const last = lastStage(query);
  if (name === undefined || last === undefined) return undefined;
  return sandwich(last.rest, name, 'callers');
}

/**
 * Adds the stages of a preset that are missing, or removes them if there are all of them. `own`:
 * prefixes of own code, which conditions on kinds need.
 */
export function togglePreset(
  query: string,
  stages: readonly string[],
  own: readonly string[],
): string {
  if (!hasStages(query, stages)) {
    return stages.reduce((edited, text) => appendOnKind(edited, text, own), query);
  }
  return stages.reduce((edited, text) => {
    const found = listStages(edited).findLast((stage) => stage.text === text && isOfWhole(stage));
    return found?.rest ?? edited;
  }, query);
}

/** Returns true if a query has all of some stages. */
export function hasStages(query: string, stages: readonly string[]): boolean {
  const texts = new Set(
    listStages(query)
      .filter(isOfWhole)
      .map(({ text }) => text),
  );
  return stages.every((text) => texts.has(text));
}

/** Adds a stage at the end and, if it is about kinds, what own code is before it. */
export function appendOnKind(query: string, text: string, own: readonly string[]): string {
  const isOnKind = /^[a-z ]*\bkind\b/.test(text);
  const isSaid = listStages(query).some((stage) => isOwn(stage.text) && isOfWhole(stage));
  const said = !isOnKind || isSaid || own.length === 0 ? query : addStage(query, ownText(own));
  return appendStage(said, text);
}

/** Says what own code is: before all other stages, or where it was said before. */
export function setOwn(query: string, own: readonly string[]): string {
  const stages = listStages(query).filter(isOfWhole);
  const found = stages.find(({ text }) => isOwn(text));
  if (found !== undefined) {
    if (own.length === 0) return found.rest;
    return query.slice(0, found.from) + ownText(own) + query.slice(found.to);
  }
  if (own.length === 0) return query;
  const [first] = stages;
  if (first === undefined) return addStage(query, ownText(own));
  return `${query.slice(0, first.from)}${ownText(own)} | ${query.slice(first.from)}`;
}

function ownText(own: readonly string[]): string {
  return `own (${own.map((prefix) => quoteString(prefix)).join(', ')})`;
}

function isOwn(text: string): boolean {
  return /^own\b/.test(text);
}

function isOfWhole({ side }: StageText): boolean {
  return side === undefined;
}

/** Adds a word to `by (...)`, or removes it; `file` and other frame words refer to frames. */
export function toggleGroup(query: string, word: string): string {
  const found = listStages(query).find(({ side, text }) => side === undefined && isBy(text));
  if (found === undefined) return addStage(query, `by (${word})`);
  const words = wordsOfBy(found.text);
  const left = words.includes(word) ? words.filter((other) => other !== word) : [...words, word];
  if (left.length === 0) return found.rest;
  return `${query.slice(0, found.from)}by (${left.join(', ')})${query.slice(found.to)}`;
}

/** Returns the words of all `by` stages, as they are written. */
export function listGroups(query: string): string[] {
  return listStages(query).flatMap(({ text }) => (isBy(text) ? wordsOfBy(text) : []));
}

/** Returns a label as a word of `by`: quoted if it is also a word for frames. */
export function groupWord(label: string): string {
  const isFrameWord = frameGroups.some((word) => word === label);
  return isFrameWord ? quoteString(label) : printLabelName(label);
}

function isBy(text: string): boolean {
  return /^by\b/.test(text);
}

function wordsOfBy(text: string): string[] {
  const words: string[] = [];
  queryParser.parse(`x | ${text}`).iterate({
    enter: ({ type, from, to }) => {
      if (type.id === terms.LabelName) words.push(`x | ${text}`.slice(from, to));
    },
  });
  return words;
}

/** Returns the last stage of the whole query, not of a side. */
function lastStage(query: string): StageText | undefined {
  return listStages(query).findLast(({ side }) => side === undefined);
}
