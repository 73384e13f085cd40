// Copies locations, with some or all of their lines, into the dictionary of a view.
import type { Dictionary } from '../../model/dictionary.ts';
import { mixHash } from '../../model/hash-index.ts';
import type { MappingIndex } from '../../model/rows.ts';

/** Adds or finds a location with some of the lines of `location`, given as line rows. */
export function copyLocation(
  from: Dictionary,
  local: Dictionary,
  location: number,
  lines: readonly number[],
): number {
  const { locations } = from;
  const to = local.locations;
  const mapping = locations.mapping[location] as MappingIndex;
  const low = locations.addressLow[location];
  const high = locations.addressHigh[location];
  const linesHash = hashLines(from, local, location, lines);
  const known = to.find(mapping, low, high, linesHash);
  if (known !== 0) return known;
  const row = to.add(mapping, low, high, linesHash);
  for (const line of lines) {
    to.addLine(
      locations.lineFunction[line],
      locations.lineNumber[line],
      locations.lineColumn[line],
    );
    to.markInlined(locations.isInlined(location, line));
  }
  return row;
}

/**
 * Returns a hash that identifies the lines of a copy: the location's hash if all lines are kept in
 * order, or a unique hash if the address does not identify the location.
 */
function hashLines(
  from: Dictionary,
  local: Dictionary,
  location: number,
  lines: readonly number[],
): number {
  if (!from.isKnownByAddress(location)) return local.locations.length;
  const { lineStart, linesHash } = from.locations;
  const first = lineStart[location];
  const isWhole =
    lines.length === lineStart[location + 1] - first &&
    lines.every((line, i) => line === first + i);
  if (isWhole) return linesHash[location];
  return lines.reduce((hash, line) => mixHash(hash, line - first), ~linesHash[location]);
}
