// Words for the sides of a comparison, which say how they differ, such as "before" and "now".
import { readSides, type SideText, withoutTimes } from './comparison.ts';
import { listMatchers, withoutLabels } from './matchers.ts';
import { sideLetters, type SideWords } from './side-letters.ts';

/**
 * Most characters of a label value that is used as a word: a longer one hides what is next to it.
 */
const valueMax = 24;

/** Returns the words of a comparison; of another query, the letters. */
export function sideWords(query: string): SideWords {
  const sides = readSides(query);
  if (sides === undefined) return sideLetters;
  const { before, now } = sides;
  const differInTime = withoutTimes(before.text) === withoutTimes(now.text);
  return (differInTime ? timeWords(before, now) : valueWords(before, now)) ?? sideLetters;
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
  const { before } = sideWords(query);
  return longNames.get(before) ?? before;
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

/** Returns both values of the only label by which the sides differ. */
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
