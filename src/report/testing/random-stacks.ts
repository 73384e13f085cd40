// A dictionary of random stacks, for tests.
import { randomBelow, seededRandom } from '../../base/random.ts';
import { Dictionary } from '../../model/dictionary.ts';
import type { LocationIndex, MappingIndex, StringIndex } from '../../model/rows.ts';

/**
 * Creates 500 stacks with one to eight locations each. There are 40 distinct locations, and every
 * fourth of them has an inlined call.
 */
export function randomStacks(): Dictionary {
  const random = seededRandom(7);
  const dictionary = new Dictionary([1, 2, 3]);
  const { strings, functions, locations, stacks } = dictionary;
  const none = 0 as StringIndex;
  const rows = Array.from({ length: 40 }, (_, i) => {
    locations.find(0 as MappingIndex, i, 0, 1);
    const row = locations.add(0 as MappingIndex, i, 0, 1);
    for (const name of i % 4 === 0 ? [`inlined${i}`, `f${i}`] : [`f${i}`]) {
      const text = strings.internText(name);
      locations.addLine(functions.intern(text, text, none, 1), i, 0);
    }
    return row;
  });
  for (let stack = 1; stack <= 500; stack += 1) {
    const depth = 1 + randomBelow(random, 8);
    const path: LocationIndex[] = Array.from(
      { length: depth },
      () => rows[randomBelow(random, rows.length)],
    );
    stacks.add(stack, ~stack, path);
  }
  return dictionary;
}
