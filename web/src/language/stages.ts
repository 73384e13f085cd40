// Parses and edits the stages of a query; edits change only the query string.
import * as terms from '../../../src/promql-like/gen/query.terms.ts';
import { frameGroups } from '../../../src/promql-like/query.ts';
import { printLabelName, quoteString, unquote } from '../../../src/promql-like/string.ts';
import { parseQuery } from './parse-query.ts';
import { addStage, invertedQuery } from './query-text.ts';

export interface StageText {
  /** Stage as a string: `focus "x"`. */
  readonly text: string;
  readonly from: number;
  readonly to: number;
  /** Side of a diff; undefined for stages after the diff. */
  readonly side: 'before' | 'now' | undefined;
  /** Query without this stage. */
  readonly rest: string;
}

/** Returns all stages in order; in a diff, the stages of its sides come first. */
export function listStages(query: string): StageText[] {
  const found: StageText[] = [];
  let sides = 0;
  parseQuery(query).iterate({
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

/** Adds a stage at the end, unless the last stage is equal. */
export function appendStage(query: string, text: string): string {
  return lastStage(query)?.text === text ? query : addStage(query, text);
}

/** Moves the stage at `index` to the position of the stage at `target`, within a side. */
export function moveStage(query: string, index: number, target: number): string {
  const stages = listStages(query);
  const [moved, place] = [stages[index], stages[target]];
  if (moved === undefined || place === undefined || moved.side !== place.side) return query;
  const texts = stages.map(({ text }) => text);
  texts.splice(target, 0, ...texts.splice(index, 1));
  // Edits from the end, so that earlier positions stay valid.
  return stages.reduceRight(
    (edited, { from, to }, i) => edited.slice(0, from) + texts[i] + edited.slice(to),
    query,
  );
}

/** Removes all stages after the stage at `index`. */
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
 * Returns the time range of the samples in a query, in milliseconds with both ends included;
 * undefined if there is none.
 */
export function samplesSpan(query: string): { from: number; to: number } | undefined {
  const found = listStages(query).find(({ text }) => text.startsWith('samples'));
  const [, from, to] = /@\s*([\d.]+)\s+to\s+([\d.]+)/.exec(found?.text ?? '') ?? [];
  if (from === undefined || to === undefined) return undefined;
  return { from: Math.round(Number(from) * 1_000), to: Math.round(Number(to) * 1_000) };
}

/** Selects the samples in a time range, in milliseconds with both ends included, or all samples. */
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

/** Keeps the callees or the callers of a function, even if stacks are inverted. */
export function sandwich(query: string, name: string, shows: 'callees' | 'callers'): string {
  const { isInverted } = invertedQuery(query);
  const turned = isInverted === (shows === 'callers') ? query : toggleInvert(query);
  return appendStage(turned, sandwichText(name));
}

function sandwichText(name: string): string {
  return `sandwich ${quoteString(name)}`;
}

/**
 * Edits the query for the callers that a `sandwich` at the end removes. The sandwich is kept,
 * unless the edit itself cuts the stacks.
 */
export function editCallers(query: string, edit: (query: string) => string): string {
  const last = lastStage(query);
  if (findSandwich(query) === undefined || last === undefined) return edit(query);
  const edited = edit(last.rest);
  const cuts = /^(?:sandwich|root|invert)\b/.test(lastStage(edited)?.text ?? '');
  return cuts || edited === last.rest ? edited : addStage(edited, last.text);
}

/** Returns the function of a `sandwich` at the end that shows callees; undefined without one. */
export function findSandwich(query: string): string | undefined {
  const last = lastStage(query);
  const quoted = /^sandwich\s*(.*)$/s.exec(last?.text ?? '')?.[1];
  if (quoted === undefined || invertedQuery(query).isInverted) return undefined;
  try {
    return unquote(quoted);
  } catch {
    // The string is incomplete.
    return undefined;
  }
}

/** Returns the query without a `sandwich` at the end. */
export function withoutSandwich(query: string): string {
  return findSandwich(query) === undefined ? query : (lastStage(query)?.rest ?? query);
}

/** Returns the query for the callers that a `sandwich` at the end removes. */
export function callersQuery(query: string): string | undefined {
  const name = findSandwich(query);
  const last = lastStage(query);
  if (name === undefined || last === undefined) return undefined;
  return sandwich(last.rest, name, 'callers');
}

/**
 * Adds the missing stages of a preset, or removes all of them if the query contains them. `own` are
 * prefixes of own code, which matchers for kinds need.
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

/** Returns true if a query contains all of the given stages. */
export function hasStages(query: string, stages: readonly string[]): boolean {
  const texts = new Set(
    listStages(query)
      .filter(isOfWhole)
      .map(({ text }) => text),
  );
  return stages.every((text) => texts.has(text));
}

/** Adds a stage at the end. If it refers to kinds, adds an `own` stage before it. */
export function appendOnKind(query: string, text: string, own: readonly string[]): string {
  const isOnKind = /^[a-z ]*\bkind\b/.test(text);
  const isSaid = listStages(query).some((stage) => isOwn(stage.text) && isOfWhole(stage));
  const said = !isOnKind || isSaid || own.length === 0 ? query : addStage(query, ownText(own));
  return appendStage(said, text);
}

/** Sets the `own` stage: before all other stages, or at its current position. */
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

/** Adds a word to `by (...)`, or removes it; words such as `file` group frames. */
export function toggleGroup(query: string, word: string): string {
  const found = listStages(query).find(({ side, text }) => side === undefined && isBy(text));
  if (found === undefined) return addStage(query, `by (${word})`);
  const words = wordsOfBy(found.text);
  const left = words.includes(word) ? words.filter((other) => other !== word) : [...words, word];
  if (left.length === 0) return found.rest;
  return `${query.slice(0, found.from)}by (${left.join(', ')})${query.slice(found.to)}`;
}

/** Returns the words of all `by` stages as written. */
export function listGroups(query: string): string[] {
  return listStages(query).flatMap(({ text }) => (isBy(text) ? wordsOfBy(text) : []));
}

/** Returns a label as a word for `by`; it is quoted if it could also refer to frames. */
export function groupWord(label: string): string {
  const isFrameWord = frameGroups.some((word) => word === label);
  return isFrameWord ? quoteString(label) : printLabelName(label);
}

function isBy(text: string): boolean {
  return /^by\b/.test(text);
}

function wordsOfBy(text: string): string[] {
  const words: string[] = [];
  parseQuery(`x | ${text}`).iterate({
    enter: ({ type, from, to }) => {
      if (type.id === terms.LabelName) words.push(`x | ${text}`.slice(from, to));
    },
  });
  return words;
}

/** Returns the last stage after a diff or of a simple query. */
function lastStage(query: string): StageText | undefined {
  return listStages(query).findLast(({ side }) => side === undefined);
}
