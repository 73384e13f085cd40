// Minimap: the complete graph in a strip, with the visible part marked.
import { type PointerEvent, useEffect, useRef } from 'react';
import '../styles/minimap.css';
import { depthCount } from '../tree/tree.ts';
import { planDraw } from './draw-plan.ts';
import { chooseFill, type Scene } from './frame-painter.ts';
import { clampView, type View, wholeView } from './view.ts';

export interface MinimapProps {
  readonly scene: Scene;
  readonly onView: (view: View) => void;
}

const none: ReadonlySet<number> = new Set();

/** Only for the pointer, because keys zoom and pan the graph itself. A press moves the view. */
export function Minimap({ scene, onView }: MinimapProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { view } = scene;
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return undefined;
    const draw = () => paintWhole(element, scene);
    const observer = new ResizeObserver(draw);
    observer.observe(element);
    return () => observer.disconnect();
  }, [scene]);
  const moveTo = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const length = view.to - view.from;
    onView(clampView((event.clientX - left) / width - length / 2, length));
  };
  return (
    <div
      className="minimap"
      aria-hidden="true"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        moveTo(event);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) moveTo(event);
      }}
    >
      <canvas ref={canvas} />
      <span
        className="minimap-view"
        style={{ left: `${view.from * 100}%`, width: `${(view.to - view.from) * 100}%` }}
      />
    </div>
  );
}

function paintWhole(element: HTMLCanvasElement, scene: Scene): void {
  const context = element.getContext('2d', { alpha: false });
  if (context === null) return;
  element.width = Math.max(1, Math.round(element.clientWidth * devicePixelRatio));
  element.height = Math.max(1, Math.round(element.clientHeight * devicePixelRatio));
  const { width, height } = element;
  const { tree, palette, isFlipped } = scene;
  const rowHeight = height / Math.max(1, depthCount(tree));
  const plan = planDraw(tree, wholeView, {
    width,
    height,
    scrollTop: 0,
    rowHeight,
    isFlipped,
    labelWidthMin: Number.POSITIVE_INFINITY,
  });
  context.fillStyle = palette.background;
  context.fillRect(0, 0, width, height);
  for (let i = 0; i < plan.boxCount; i++) {
    context.fillStyle = chooseFill(scene, plan.boxRow[i], none);
    context.fillRect(plan.boxX[i], plan.boxY[i], plan.boxWidth[i], Math.max(1, rowHeight));
  }
}
