// Thin strip above the graph that marks search matches, including very narrow ones.
import { useEffect, useRef } from 'react';
import type { View } from '../canvas/view.ts';
import { hitColumns, type SearchResult } from '../tree/search.ts';
import type { Tree } from '../tree/tree.ts';

interface HitRulerProps {
  readonly tree: Tree;
  readonly result: SearchResult | undefined;
  readonly view: View;
  readonly colour: string;
}

/** The strip. It keeps its height without a search, so that the graph does not move. */
export function HitRuler({ tree, result, view, colour }: HitRulerProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const isEmpty = useRef(true);
  useEffect(() => {
    if (result === undefined && isEmpty.current) return;
    isEmpty.current = result === undefined;
    const element = canvas.current;
    const context = element?.getContext('2d');
    if (element === null || context === null || context === undefined) return;
    element.width = Math.max(1, Math.round(element.clientWidth * devicePixelRatio));
    element.height = Math.max(1, Math.round(element.clientHeight * devicePixelRatio));
    if (result === undefined) return;
    const highlighted = hitColumns(tree, result.rows, view, element.width);
    context.fillStyle = colour;
    for (let x = 0; x < highlighted.length; x++) {
      if (highlighted[x] === 1) context.fillRect(x, 0, 1, element.height);
    }
  }, [tree, result, view, colour]);
  return <canvas ref={canvas} className="hit-ruler" aria-hidden="true" />;
}
