// Chooses the marks of a graph whose names have space next to them.

/** A mark: its position in the graph, 0 (left) .. 1 (right), and its name; "" = none. */
export interface NamedMark {
  readonly left: number;
  readonly name: string;
}

/**
 * Position from which a name is to the left of its glyph, because it would be cut off on the right.
 */
const nameToTheLeftFrom = 0.7;
/** Pixels of half a glyph, of a character, of the space around a name, and of the longest name. */
const [glyphHalf, characterWidth, nameSpace, nameMax] = [12, 6.7, 8, 160];

/** Returns true if the name of a mark is to the left of its glyph. */
export function isAtEnd(left: number): boolean {
  return left > nameToTheLeftFrom;
}

/**
 * Returns true for each mark whose name covers no other mark of its line, in a graph of `width`
 * pixels; of close marks, the later has priority.
 */
export function spacedNames(marks: readonly NamedMark[], width: number): readonly boolean[] {
  const glyphs = marks.map(({ left }): Interval => {
    return [left * width - glyphHalf, left * width + glyphHalf];
  });
  const taken: Interval[] = [];
  return marks
    .map(({ left, name }, i) => {
      const length = Math.min(nameMax, name.length * characterWidth) + nameSpace;
      const [from, to] = glyphs[i];
      const own: Interval = isAtEnd(left) ? [from - length, from] : [to, to + length];
      return { own, i, isNamed: name !== '' };
    })
    .toReversed()
    .map(({ own, i, isNamed }) => {
      const isFree = ![...taken, ...glyphs.filter((_, other) => other !== i)].some((one) =>
        overlap(own, one),
      );
      if (!isNamed || !isFree || own[0] < -nameMax) return false;
      taken.push(own);
      return true;
    })
    .toReversed();
}

type Interval = readonly [from: number, to: number];

function overlap([from, to]: Interval, [start, end]: Interval): boolean {
  return from < end && start < to;
}
