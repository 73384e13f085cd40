// Remembers the width of the graph next to the list.
import { useState } from 'react';
import { keepTaste, readTaste } from '../page/taste.ts';

const storageKey = 'graph-share';
/** Smallest and largest width in percent, and the width at first. */
export const shareMin = 30;
export const shareMax = 80;
export const initialShare = 62;

/** Returns the graph's width in percent, and a function that sets it. */
export function useGraphShare(): readonly [share: number, set: (share: number) => void] {
  const [share, setShare] = useState(() => clamp(Number(readTaste(storageKey))));
  return [
    share,
    (wished) => {
      const next = clamp(wished);
      keepTaste(storageKey, String(next));
      setShare(next);
    },
  ];
}

function clamp(share: number): number {
  if (!(share > 0)) return initialShare;
  return Math.min(shareMax, Math.max(shareMin, Math.round(share * 10) / 10));
}
