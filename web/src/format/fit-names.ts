// Names in a given room: cut by structure, told apart from each other, and split for drawing.
import { nameSegments, shortForms, withoutArguments } from './name-parts.ts';

/** A name as it is drawn: the package grey, the type plain, the function bold. */
export interface NamePieces {
  readonly scope: string;
  readonly owner: string;
  readonly own: string;
}

const ellipsis = '…';
/** How often names that still look equal are told apart together. */
const roundsMax = 4;
/** Names whose forms are remembered. */
const namesMax = 50_000;

/** Where the type and the function begin in a name or one of its forms. */
export function namePieces(form: string): NamePieces {
  const { starts, isScopeFirst } = nameSegments(form);
  const own = starts[starts.length - 1];
  const second = starts.length < 2 ? own : starts[starts.length - 2];
  // Of two segments the first is a package, or in Go a type; a receiver is never a package.
  const isPackage = form[second] !== '(' && (starts.length === 2 || (isScopeFirst && second === 0));
  const owner = isPackage ? own : second;
  return { scope: form.slice(0, owner), owner: form.slice(owner, own), own: form.slice(own) };
}

/** The longest form with at most `room` characters; of the shortest one the middle is cut. */
export function fitName(name: string, room: number): string {
  const forms = formsOf(name);
  return forms.find((form) => form.length <= room) ?? cutMiddle(forms[forms.length - 1], room);
}

/** Keeps most of the end, which tells names apart more often than the beginning. */
export function cutMiddle(text: string, room: number): string {
  if (text.length <= room) return text;
  const kept = Math.max(2, room - 1);
  const head = Math.floor(kept / 3);
  return text.slice(0, head) + ellipsis + text.slice(text.length - (kept - head));
}

/** A text for each name; two of them are equal only when the names are. */
export function fitNames(names: readonly string[], room: number): ReadonlyMap<string, string> {
  const texts = new Map(names.map((name) => [name, fitName(name, room)]));
  const told = new Map(names.map((name) => [name, new Set([name])]));
  for (let round = 0; round < roundsMax; round++) {
    const clashes = groupByText(texts);
    if (clashes.length === 0) return texts;
    for (const alike of clashes) {
      // What was told from some must be told from the others, too.
      const all = new Set(alike.flatMap((name) => [...(told.get(name) ?? [])]));
      for (const name of all) told.set(name, all);
      tellApart([...all], room, texts);
    }
  }
  // Where nothing short tells names apart, numbers do, in the order of the names.
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

/** Shows the end of each name, and of what is before it the segments in which they differ. */
function tellApart(alike: readonly string[], room: number, texts: Map<string, string>): void {
  const bare = alike.map(withoutArguments);
  const isTold = new Set(bare).size === alike.length;
  const all = (isTold ? bare : alike).map((text) => segmentsOf(text).reverse());
  const depth = Math.max(...all.map((segments) => segments.length));
  const differing = Array.from({ length: depth }, (_, i) => i).filter(
    (i) => i === 0 || new Set(all.map((segments) => segments[i])).size > 1,
  );
  const heads = differing.map((i) => commonHead(all.map((segments) => segments[i] ?? '')));
  for (const [row, name] of alike.entries()) {
    const chosen = differing.flatMap((i, place) => {
      const text = all[row][i];
      return text === undefined ? [] : [{ i, text, head: heads[place] }];
    });
    texts.set(name, joinSegments(chosen.reverse(), room));
  }
}

/** A segment with its separator: its place from the end, and how much of it all names share. */
interface ChosenSegment {
  readonly i: number;
  readonly text: string;
  readonly head: number;
}

/** Segments in their order, cut to what fits; an ellipsis where some are left out between them. */
function joinSegments(chosen: readonly ChosenSegment[], room: number): string {
  const rooms = shareRoom(
    chosen.map(({ text }) => text.length),
    room,
  );
  return chosen
    .map(({ i, text, head }, place) => {
      const next = chosen[place + 1];
      const isGap = next !== undefined && next.i !== i - 1;
      const whole = isGap ? text.replace(/[/.:]+$/, ellipsis) : text;
      return cutAfterHead(whole, head, rooms[place]);
    })
    .join('')
    .replaceAll(ellipsis + ellipsis, ellipsis);
}

/** Gives each segment what it needs, and where that is too much, the long ones less. */
function shareRoom(lengths: readonly number[], room: number): number[] {
  let most = Math.max(...lengths);
  const taken = (limit: number) => lengths.reduce((sum, size) => sum + Math.min(size, limit), 0);
  while (most > 3 && taken(most) > room) most--;
  const rooms = lengths.map((size) => Math.min(size, most));
  // The end gets what is left over.
  const last = rooms.length - 1;
  const left = room - rooms.reduce((sum, size) => sum + size, 0);
  rooms[last] = Math.min(lengths[last], rooms[last] + Math.max(0, left));
  return rooms;
}

/** Cuts a segment so that what comes after its first `head` characters is seen. */
function cutAfterHead(text: string, head: number, room: number): string {
  if (text.length <= room) return text;
  if (head < room / 3) return cutMiddle(text, room);
  const rest = ellipsis + text.slice(head);
  return rest.length <= room ? ellipsis + text.slice(text.length - room + 1) : rest.slice(0, room);
}

/** How many characters all texts begin with, back to where a word begins. */
function commonHead(texts: readonly string[]): number {
  const [first] = texts;
  let head = 0;
  while (head < first.length && texts.every((text) => text[head] === first[head])) head++;
  while (head > 0 && !/[A-Z_]/.test(first[head] ?? 'A')) head--;
  return head;
}

/** The segments of a name, each with the separator after it; the path of a package in its parts. */
function segmentsOf(name: string): string[] {
  const { starts, isScopeFirst } = nameSegments(name);
  const [first, ...rest] = starts.map((start, i) => name.slice(start, starts[i + 1]));
  return [...(isScopeFirst ? (first.match(/[^/]*\/|[^/]+$/g) ?? [first]) : [first]), ...rest];
}

const remembered = new Map<string, readonly string[]>();

function formsOf(name: string): readonly string[] {
  const known = remembered.get(name);
  if (known !== undefined) return known;
  if (remembered.size >= namesMax) remembered.clear();
  const forms = shortForms(name);
  remembered.set(name, forms);
  return forms;
}
