// Minimap: the complete graph in a strip, with the visible part marked.
import { type PointerEvent, useEffect, useRef } from 'react';
import '../styles/minimap.css';
import { depthCount } from '../tree/tree.ts';
import { planDraw } from './draw-plan.ts';
import { chooseFill, type Colouring } from './frame-painter.ts';
import { clampView, type View, wholeView } from './view.ts';

export interface MinimapProps {
  /** The complete graph; the strip is painted again when this object changes. */
  readonly drawn: MinimapDrawing;
  readonly view: View;
  readonly onView: (view: View) => void;
}

/** Everything that the strip shows except for the view. */
export interface MinimapDrawing extends Colouring {
  readonly isFlipped: boolean;
}

const none: ReadonlySet<number> = new Set();

/** The strip, for the pointer only, because keys move the graph itself. A press moves the view. */
export function Minimap({ drawn, view, onView }: MinimapProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    // The strip is painted in its own task, after the animation frame in which the graph is
    // painted.
    const draw = () => {
      clearTimeout(timer);
      timer = setTimeout(() => paintWhole(element, drawn));
    };
    const observer = new ResizeObserver(draw);
    observer.observe(element);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [drawn]);
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

/** Paints pixels in memory, because a canvas takes longer for thousands of single boxes. */
function paintWhole(element: HTMLCanvasElement, drawn: MinimapDrawing): void {
  const context = element.getContext('2d', { alpha: false });
  if (context === null) return;
  element.width = Math.max(1, Math.round(element.clientWidth * devicePixelRatio));
  element.height = Math.max(1, Math.round(element.clientHeight * devicePixelRatio));
  const { width, height } = element;
  const { tree, palette, isFlipped } = drawn;
  const rowHeight = height / Math.max(1, depthCount(tree));
  const plan = planDraw(tree, wholeView, {
    width,
    height,
    scrollTop: 0,
    rowHeight,
    isFlipped,
    labelWidthMin: Number.POSITIVE_INFINITY,
  });
  const image = context.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  const words = new Map<string, number>();
  pixels.fill(findWord(words, palette.background));
  for (let i = 0; i < plan.boxCount; i++) {
    const word = findWord(words, chooseFill(drawn, plan.boxRow[i], none));
    const top = Math.max(0, Math.round(plan.boxY[i]));
    const bottom = Math.min(height, Math.max(top + 1, Math.round(plan.boxY[i] + rowHeight)));
    const left = plan.boxX[i];
    const right = Math.min(width, left + plan.boxWidth[i]);
    for (let y = top; y < bottom; y++) pixels.fill(word, y * width + left, y * width + right);
  }
  context.putImageData(image, 0, 0);
}

/** Returns a colour such as "#F9C1BF" as a pixel in the byte order of this machine. */
function findWord(words: Map<string, number>, colour: string): number {
  const known = words.get(colour);
  if (known !== undefined) return known;
  const bytes = new DataView(new ArrayBuffer(4));
  bytes.setUint32(0, Number.parseInt(colour.slice(1), 16) * 256 + 255);
  const [word] = new Uint32Array(bytes.buffer);
  words.set(colour, word);
  return word;
}
