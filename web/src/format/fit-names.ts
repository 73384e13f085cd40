// Fits names into a width: shortens them by structure, keeps them distinct, and splits them for
// drawing.
import { nameSegments, shortForms, withoutArguments } from './name-parts.ts';

/** Parts of a drawn name: the package grey, the type plain, the function bold. */
export interface NamePieces {
  readonly scope: string;
  readonly owner: string;
  readonly own: string;
}

const ellipsis = '…';
/** Maximum number of attempts to make equal short names distinct. */
const roundsMax = 4;
/** Maximum number of names with cached forms. */
const namesMax = 50_000;

/** Finds the start of the type and of the function in a name or a form of it. */
export function namePieces(form: string): NamePieces {
  const { starts, isScopeFirst } = nameSegments(form);
  const own = starts[starts.length - 1];
  const second = starts.length < 2 ? own : starts[starts.length - 2];
  // The first of two segments is a package, or in Go possibly a type; a receiver is never a
  // package.
  const isPackage = form[second] !== '(' && (starts.length === 2 || (isScopeFirst && second === 0));
  const owner = isPackage ? own : second;
  return { scope: form.slice(0, owner), owner: form.slice(owner, own), own: form.slice(own) };
}

/**
 * Returns the longest form with at most `room` characters, or else the shortest form without its
 * middle.
 */
export function fitName(name: string, room: number): string {
  const forms = listForms(name);
  return forms.find((form) => form.length <= room) ?? cutMiddle(forms[forms.length - 1], room);
}

/** Removes the middle, and keeps more of the end, because names differ more often there. */
export function cutMiddle(text: string, room: number): string {
  if (text.length <= room) return text;
  const kept = Math.max(2, room - 1);
  const head = Math.floor(kept / 3);
  return text.slice(0, head) + ellipsis + text.slice(text.length - (kept - head));
}

/** Returns a short string per name; different names get different strings. */
export function fitNames(names: readonly string[], room: number): ReadonlyMap<string, string> {
  return fitDistinct(names, room, fitName);
}

/** Returns a short string per path, such as a package. The end of a path is most important. */
export function fitPaths(paths: readonly string[], room: number): ReadonlyMap<string, string> {
  return fitDistinct(paths, room, (path) => {
    let form = path;
    while (form.length > room && form.includes('/')) form = form.slice(form.indexOf('/') + 1);
    // A version is meaningless without its package.
    return /^v\d+$/.test(form) ? cutMiddle(path, room) : cutMiddle(form, room);
  });
}

/**
 * Returns a short string for each of `texts`, which are not names; different texts get different
 * strings.
 */
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
      // Names that were distinct before must remain distinct.
      const all = new Set(alike.flatMap((name) => [...(told.get(name) ?? [])]));
      for (const name of all) told.set(name, all);
      tellApart([...all], room, texts);
    }
  }
  // If no short form distinguishes the names, numbers are added in the order of the names.
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

/** Sets strings that contain the end of each name, and those earlier segments that differ. */
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
  /** Number of characters at its start that all names have in common. */
  readonly head: number;
  /** Marker for omitted segments before this segment; "" if there are none. */
  readonly gap: string;
}

function findSeparator(segment: string): string {
  return /[/.:]*$/.exec(segment)?.[0] ?? '';
}

/** Joins segments in order and fits them into the width, with an ellipsis for omitted segments. */
function joinSegments(chosen: readonly ChosenSegment[], room: number): string {
  const texts = chosen.map(({ text }, i) => {
    const isBeforeGap = i + 1 < chosen.length && chosen[i + 1].gap !== '';
    return isBeforeGap ? text.slice(0, text.length - findSeparator(text).length) : text;
  });
  // Segments omitted before the first segment have no ellipsis.
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

/** Share of the width for the end, if other segments need space, too. */
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

/** Shortens a segment, but keeps the part after its first `head` characters. */
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

/** Returns the length of the common prefix of all strings, up to the start of a word. */
function commonHead(texts: readonly string[]): number {
  const [first] = texts;
  let head = 0;
  while (head < first.length && texts.every((text) => text[head] === first[head])) head++;
  while (head > 0 && !/[A-Z_]/.test(first[head] ?? 'A')) head--;
  return head;
}

/** Returns the segments of a name, each with its separator; splits the path of a package. */
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
