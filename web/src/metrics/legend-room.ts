// Measures the legend and its strings.
import { type RefObject, useLayoutEffect, useMemo, useState } from 'react';

/** Space of a legend, and functions that measure strings in its two fonts. */
export interface MeasuredLegend {
  readonly width: number;
  readonly measureWords: (text: string) => number;
  readonly measureFigures: (text: string) => number;
}

const fontSize = '12px';

/** Returns the current measurements of `element`; undefined before it is drawn. */
export function useMeasuredLegend(
  element: RefObject<HTMLElement | null>,
): MeasuredLegend | undefined {
  const [width, setWidth] = useState<number>();
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    const update = () => setWidth(current.clientWidth);
    const observer = new ResizeObserver(update);
    observer.observe(current);
    update();
    return () => observer.disconnect();
  }, [element]);
  const rulers = useMemo(() => {
    const { fontFamily } = getComputedStyle(document.body);
    const mono = getComputedStyle(document.documentElement).getPropertyValue('--mono');
    return { measureWords: createRuler(fontFamily), measureFigures: createRuler(mono) };
  }, []);
  return width === undefined ? undefined : { width, ...rulers };
}

function createRuler(family: string): (text: string) => number {
  const context = document.createElement('canvas').getContext('2d');
  if (context !== null) context.font = `${fontSize} ${family}`;
  return (text) => Math.ceil(context?.measureText(text).width ?? 0);
}
