// Finds the visible rows of a long list; the document contains only these rows.
import { type RefObject, useEffect, useState } from 'react';

const overscan = 8;

/**
 * Returns the visible rows from `first` up to, but not including, `last`, updated while the element
 * scrolls.
 */
export function useRowRange(
  scroller: RefObject<HTMLElement | null>,
  rowHeight: number,
): { readonly first: number; readonly last: number } {
  const [range, setRange] = useState({ first: 0, last: 40 });
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const update = () => {
      const first = Math.max(0, Math.floor(element.scrollTop / rowHeight) - overscan);
      const last = Math.ceil((element.scrollTop + element.clientHeight) / rowHeight) + overscan;
      setRange({ first, last });
    };
    const observer = new ResizeObserver(update);
    observer.observe(element);
    element.addEventListener('scroll', update, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', update);
    };
  }, [scroller, rowHeight]);
  return range;
}

/** Scrolls a row into view. */
export function revealRow(element: HTMLElement | null, row: number, rowHeight: number): void {
  if (element === null) return;
  const top = row * rowHeight;
  if (top < element.scrollTop) element.scrollTop = top;
  const bottom = top + rowHeight;
  if (bottom > element.scrollTop + element.clientHeight) {
    element.scrollTop = bottom - element.clientHeight;
  }
}

/**
 * Returns the number of rows that a key moves in a list of `count` rows; undefined for other keys.
 */
export function rowStep(key: string, count: number): number | undefined {
  return new Map([
    ['ArrowDown', 1],
    ['ArrowUp', -1],
    ['PageDown', 15],
    ['PageUp', -15],
    ['Home', -count],
    ['End', count],
  ]).get(key);
}
