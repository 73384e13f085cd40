// Chooses words for the sides of a comparison that describe their difference, such as "before" and
// "now".
import { readSides, type SideText, withoutTimes } from './comparison.ts';
import { listMatchers, withoutLabels } from './matchers.ts';
import { sideLetters, type SideWords } from './side-letters.ts';

/** Maximum number of characters in a label value that is used as a word. */
const valueMax = 24;

/** Returns the words for a comparison; the letters for other queries. */
export function sideWords(query: string): SideWords {
  const sides = readSides(query);
  if (sides === undefined) return sideLetters;
  const { before, now } = sides;
  const differInTime = withoutTimes(before.text) === withoutTimes(now.text);
  if (differInTime) return timeWords(before, now) ?? sideLetters;
  // If a version is compared with the time before its deploy, the versions are better words than
  // the times.
  const [a, b] = [before, now].map((side) => ({ ...side, text: withoutTimes(side.text) }));
  return valueWords(before, now) ?? versionWords(a, b) ?? sideLetters;
}

const longNames: ReadonlyMap<string, string> = new Map([
  ['before', 'the time before'],
  ['after', 'the time after'],
  ['the rest', 'the rest of the range'],
  ['the range', 'the whole range'],
  ['this time', 'the selected time'],
]);

/** Returns the name of the base of a comparison: "the time before", "v1" or "A". */
export function baseName(query: string): string {
  return longSideNames(query).before;
}

/** Returns the names of both sides, for a sentence. */
export function longSideNames(query: string): SideWords {
  const { before, now } = sideWords(query);
  return { before: longNames.get(before) ?? before, now: longNames.get(now) ?? now };
}

function timeWords(before: SideText, now: SideText): SideWords | undefined {
  const parts = { before: rangePart(before), now: rangePart(now) };
  if (parts.before !== parts.now) return parts;
  if (before.offsetMillis === now.offsetMillis) return undefined;
  return { before: wordOfTime(before, now), now: wordOfTime(now, before) };
}

function rangePart({ within, except }: SideText): string {
  if (except !== undefined) return 'the rest';
  return within === undefined ? 'the range' : 'this time';
}

function wordOfTime({ offsetMillis }: SideText, other: SideText): string {
  if (offsetMillis > Math.max(0, other.offsetMillis)) return 'before';
  return offsetMillis < Math.min(0, other.offsetMillis) ? 'after' : 'now';
}

/** Labels for versions, which are used as words even if the sides also differ in time. */
const versionNames = /^(?:version|service_version|commit|git_ref|image|build_id)$/;

function versionWords(a: SideText, b: SideText): SideWords | undefined {
  const names = listMatchers(a.text).map(({ name }) => name);
  return names.some((name) => versionNames.test(name)) ? valueWords(a, b) : undefined;
}

/** Returns both values of the only label in which the sides differ. */
function valueWords({ text: a }: SideText, { text: b }: SideText): SideWords | undefined {
  const others = listMatchers(b);
  for (const { name, operator, value } of listMatchers(a)) {
    const other = others.find((one) => one.name === name && one.operator === operator);
    if (operator !== '=' || other === undefined || other.value === value) continue;
    if (withoutLabels(a, [name]) !== withoutLabels(b, [name])) continue;
    const lengths = [value, other.value].map((word) => word.length);
    const fits = Math.min(...lengths) > 0 && Math.max(...lengths) <= valueMax;
    return fits ? { before: value, now: other.value } : undefined;
  }
  return undefined;
}
