// The order of streams, and of their strings, in a block.
import { formatShape, type StreamKey } from '../../series/stream-key.ts';

/**
 * Compares streams in the order that blocks use: by shape, then by the names and values of labels.
 */
export function compareStreamKeys(a: StreamKey, b: StreamKey): number {
  const byShape = compareTexts(formatShape(a), formatShape(b));
  if (byShape !== 0) return byShape;
  for (let i = 0; i < a.labels.length && i < b.labels.length; i += 1) {
    const byName = compareTexts(a.labels[i].name, b.labels[i].name);
    if (byName !== 0) return byName;
    const byValue = compareTexts(a.labels[i].value, b.labels[i].value);
    if (byValue !== 0) return byValue;
  }
  return a.labels.length - b.labels.length;
}

/** Compares strings by UTF-16 units. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
