// Fits names into a given width: cuts them by structure, keeps them distinct, and splits them for
// drawing.
import { nameSegments, shortForms, withoutArguments } from './name-parts.ts';

/** The parts of a drawn name: the package grey, the type plain, the function bold. */
export interface NamePieces {
  readonly scope: string;
  readonly owner: string;
  readonly own: string;
}

const ellipsis = '…';
/** Number of rounds that make names distinct which still look the same. */
const roundsMax = 4;
/** Names whose forms are remembered. */
const namesMax = 50_000;

/** Finds where the type and the function begin in a name or one of its forms. */
export function namePieces(form: string): NamePieces {
  const { starts, isScopeFirst } = nameSegments(form);
  const own = starts[starts.length - 1];
  const second = starts.length < 2 ? own : starts[starts.length - 2];
  // The first of two segments is a package, or in Go a type; a receiver is never a package.
  const isPackage = form[second] !== '(' && (starts.length === 2 || (isScopeFirst && second === 0));
  const owner = isPackage ? own : second;
  return { scope: form.slice(0, owner), owner: form.slice(owner, own), own: form.slice(own) };
}

/**
 * Returns the longest form with at most `room` characters; else the shortest one without its
 * middle.
 */
export function fitName(name: string, room: number): string {
  const forms = listForms(name);
  return forms.find((form) => form.length <= room) ?? cutMiddle(forms[forms.length - 1], room);
}

/** Keeps most of the end, where names differ more often than at the beginning. */
export function cutMiddle(text: string, room: number): string {
  if (text.length <= room) return text;
  const kept = Math.max(2, room - 1);
  const head = Math.floor(kept / 3);
  return text.slice(0, head) + ellipsis + text.slice(text.length - (kept - head));
}

/** Returns a string for each name; two strings are equal only if the names are. */
export function fitNames(names: readonly string[], room: number): ReadonlyMap<string, string> {
  return fitDistinct(names, room, fitName);
}

/** Returns a string for each path, for example of a package. The ends of paths matter most. */
export function fitPaths(paths: readonly string[], room: number): ReadonlyMap<string, string> {
  return fitDistinct(paths, room, (path) => {
    let form = path;
    while (form.length > room && form.includes('/')) form = form.slice(form.indexOf('/') + 1);
    // A version without its package says nothing.
    return /^v\d+$/.test(form) ? cutMiddle(path, room) : cutMiddle(form, room);
  });
}

/** Returns a string for each of `texts`, which are not names; equal results mean equal strings. */
export function fitTexts(texts: readonly string[], room: number): ReadonlyMap<string, string> {
  return fitDistinct(texts, room, cutMiddle);
}

function fitDistinct(
  names: readonly string[],
  room: number,
  fit: (name: string, room: number) => string,
): ReadonlyMap<string, string> {
  const texts = new Map(names.map((name) => [name, fit(name, room)]));
  const told = new Map(names.map((name) => [name, new Set([name])]));
  for (let round = 0; round < roundsMax; round++) {
    const clashes = groupByText(texts);
    if (clashes.length === 0) return texts;
    for (const alike of clashes) {
      // Names that were distinct before must stay distinct.
      const all = new Set(alike.flatMap((name) => [...(told.get(name) ?? [])]));
      for (const name of all) told.set(name, all);
      tellApart([...all], room, texts);
    }
  }
  // If no short form distinguishes names, they get numbers, in the order of the names.
  for (const [i, name] of groupByText(texts).flat().toSorted().entries()) {
    const mark = `${ellipsis}${i + 1}`;
    texts.set(name, cutMiddle(texts.get(name) ?? name, Math.max(2, room - mark.length)) + mark);
  }
  return texts;
}

function groupByText(texts: ReadonlyMap<string, string>): string[][] {
  const byText = new Map<string, string[]>();
  for (const [name, text] of texts) {
    const alike = byText.get(text);
    if (alike === undefined) byText.set(text, [name]);
    else alike.push(name);
  }
  return [...byText.values()].filter((alike) => alike.length > 1);
}

/** Shows the end of each name, and the earlier segments that differ. */
function tellApart(alike: readonly string[], room: number, texts: Map<string, string>): void {
  const bare = alike.map(withoutArguments);
  const isTold = new Set(bare).size === alike.length;
  const all = (isTold ? bare : alike).map((text) => splitSegments(text).reverse());
  const depth = Math.max(...all.map((segments) => segments.length));
  const differing = Array.from({ length: depth }, (_, i) => i).filter(
    (i) => i === 0 || new Set(all.map((segments) => segments[i])).size > 1,
  );
  const heads = differing.map((i) => commonHead(all.map((segments) => segments[i] ?? '')));
  for (const [row, name] of alike.entries()) {
    const segments = all[row];
    const chosen = differing.flatMap((i, place) => {
      const text = segments[i];
      if (text === undefined) return [];
      const isAfterGap = i + 1 < segments.length && differing[place + 1] !== i + 1;
      const gap = isAfterGap ? ellipsis + findSeparator(segments[i + 1]) : '';
      return [{ text, head: heads[place], gap }];
    });
    texts.set(name, joinSegments(chosen.reverse(), room));
  }
}

/** A segment with its separator. */
interface ChosenSegment {
  readonly text: string;
  /** Number of characters at its beginning that all names share. */
  readonly head: number;
  /** Sign for the segments omitted before this segment; "" if there are none. */
  readonly gap: string;
}

function findSeparator(segment: string): string {
  return /[/.:]*$/.exec(segment)?.[0] ?? '';
}

/** Joins segments in order, cut to the width, with an ellipsis for omitted ones. */
function joinSegments(chosen: readonly ChosenSegment[], room: number): string {
  const texts = chosen.map(({ text }, i) => {
    const isBeforeGap = i + 1 < chosen.length && chosen[i + 1].gap !== '';
    return isBeforeGap ? text.slice(0, text.length - findSeparator(text).length) : text;
  });
  // Segments left out before the first have no ellipsis.
  const gaps = chosen.map(({ gap }, i) => (i === 0 ? '' : gap));
  const rest = room - gaps.reduce((sum, gap) => sum + gap.length, 0);
  const rooms = shareRoom(
    texts.map((text) => text.length),
    rest,
  );
  return texts
    .map((text, i) => gaps[i] + cutAfterHead(text, chosen[i].head, rooms[i]))
    .join('')
    .replaceAll(ellipsis + ellipsis, ellipsis);
}

/** Share of the width that the end may take before the other segments get theirs. */
const endShare = 0.6;
const segmentMin = 3;

/** Divides the width among segments: the end first, then short segments. */
function shareRoom(lengths: readonly number[], room: number): number[] {
  const last = lengths.length - 1;
  const before = lengths.slice(0, last);
  const taken = (limit: number) => before.reduce((sum, size) => sum + Math.min(size, limit), 0);
  const end = Math.min(
    lengths[last],
    Math.max(Math.floor(room * endShare), room - taken(Infinity)),
  );
  let most = Math.max(segmentMin, ...before);
  while (most > segmentMin && taken(most) > room - end) most--;
  const left = room - taken(most);
  return [
    ...before.map((size) => Math.min(size, most)),
    Math.max(segmentMin, Math.min(lengths[last], left)),
  ];
}

/** Cuts a segment, but keeps the part after its first `head` characters. */
function cutAfterHead(text: string, head: number, room: number): string {
  if (text.length <= room) return text;
  const separator = findSeparator(text);
  if (separator !== '' && room > segmentMin) {
    const bare = text.slice(0, text.length - separator.length);
    return cutAfterHead(bare, head, room - separator.length) + separator;
  }
  if (head < room / 3) return cutMiddle(text, room);
  const rest = ellipsis + text.slice(head);
  return rest.length <= room ? ellipsis + text.slice(text.length - room + 1) : rest.slice(0, room);
}

/** Returns the length of the common prefix of all strings, back to the start of a word. */
function commonHead(texts: readonly string[]): number {
  const [first] = texts;
  let head = 0;
  while (head < first.length && texts.every((text) => text[head] === first[head])) head++;
  while (head > 0 && !/[A-Z_]/.test(first[head] ?? 'A')) head--;
  return head;
}

/**
 * Returns the segments of a name, each with the separator after it; the path of a package is split.
 */
function splitSegments(name: string): string[] {
  const { starts, isScopeFirst } = nameSegments(name);
  const [first, ...rest] = starts.map((start, i) => name.slice(start, starts[i + 1]));
  return [...(isScopeFirst ? (first.match(/[^/]*\/|[^/]+$/g) ?? [first]) : [first]), ...rest];
}

const remembered = new Map<string, readonly string[]>();

function listForms(name: string): readonly string[] {
  const known = remembered.get(name);
  if (known !== undefined) return known;
  if (remembered.size >= namesMax) remembered.clear();
  const forms = shortForms(name);
  remembered.set(name, forms);
  return forms;
}
