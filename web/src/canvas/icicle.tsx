// Flame graph component: canvases, and an accessible tree for screen readers, with a common cursor.
import {
  type KeyboardEvent,
  type Ref,
  useEffect,
  useId,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import type { TreeTexts } from '../tree/tree-texts.ts';
import { type Move, walk } from '../tree/walk.ts';
import type { Hit } from './hit-test.ts';
import type { Scene } from './frame-painter.ts';
import { Surface } from './surface.ts';
import { Twin } from './twin.tsx';
import type { View } from './view.ts';

interface IcicleProps {
  readonly scene: Scene;
  readonly texts: TreeTexts;
  readonly label: string;
  readonly cursor: number;
  readonly hover: number | undefined;
  /** Name whose frames are outlined. */
  readonly highlighted: number | undefined;
  readonly formatRate: (value: bigint) => string | undefined;
  /** Word for a frame's value without the frames below it. */
  readonly selfWord: string;
  readonly handle: Ref<IcicleHandle>;
  readonly onCursor: (row: number) => void;
  readonly onHover: (hit: Hit | undefined, x: number, y: number) => void;
  readonly onClick: (hit: Hit, isTouch: boolean) => void;
  /** Called on a right click or a long press. */
  readonly onMenu: (hit: Hit, x: number, y: number) => void;
  readonly onView: (view: View, isRange?: boolean) => void;
  /** Handles keys other than movement; returns true if the key was handled. */
  readonly onKey: (event: KeyboardEvent) => boolean;
}

/** Methods that the panel calls. */
export interface IcicleHandle {
  focus(): void;
  reveal(row: number): void;
  rowBox(row: number): DOMRect | undefined;
}

const moves: ReadonlyMap<string, Move> = new Map([
  ['ArrowUp', 'up'],
  ['ArrowDown', 'down'],
  ['ArrowLeft', 'left'],
  ['ArrowRight', 'right'],
  ['Home', 'root'],
  ['End', 'leaf'],
]);

const flipped: ReadonlyMap<Move, Move> = new Map([
  ['up', 'down'],
  ['down', 'up'],
]);

/** The graph, which fills its container and scrolls inside it. */
export function Icicle(props: IcicleProps) {
  const { scene, texts, label, cursor, hover, highlighted, formatRate: rateOf } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const holderElement = useRef<HTMLDivElement>(null);
  const base = useRef<HTMLCanvasElement>(null);
  const overlay = useRef<HTMLCanvasElement>(null);
  const surface = useRef<Surface | undefined>(undefined);
  const shownTree = useRef<Scene['tree'] | undefined>(undefined);
  const latest = useRef(props);
  latest.current = props;
  const [focused, setFocused] = useState(false);
  const id = useId();

  useEffect(() => {
    const elements = [scroller, content, holderElement, base, overlay].map(
      ({ current }) => current,
    );
    const [a, b, c, d, e] = elements;
    if (a === null || b === null || c === null) return undefined;
    if (!(d instanceof HTMLCanvasElement) || !(e instanceof HTMLCanvasElement)) return undefined;
    const created = new Surface(
      { scroller: a, content: b, holder: c, base: d, overlay: e },
      {
        onHover: (hit, x, y) => latest.current.onHover(hit, x, y),
        onClick: (hit, isTouch) => latest.current.onClick(hit, isTouch),
        onMenu: (hit, x, y) => latest.current.onMenu(hit, x, y),
        onView: (view, isRange) => latest.current.onView(view, isRange),
      },
    );
    surface.current = created;
    shownTree.current = undefined;
    return () => {
      created.close();
      surface.current = undefined;
    };
  }, []);

  useEffect(() => {
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const sameTree = shownTree.current === scene.tree;
    shownTree.current = scene.tree;
    surface.current?.show(scene, sameTree && !still);
  }, [scene]);

  useEffect(() => {
    surface.current?.showOverlay({
      hover,
      cursor: focused ? cursor : undefined,
      name: highlighted,
    });
  }, [hover, cursor, focused, highlighted]);

  useImperativeHandle(props.handle, () => ({
    focus: () => scroller.current?.focus(),
    reveal: (row) => surface.current?.reveal(row),
    rowBox: (row) => surface.current?.rowBox(row),
  }));

  const pressed = (event: KeyboardEvent) => {
    const move = moves.get(event.key);
    if (move === undefined || event.ctrlKey || event.metaKey || event.altKey) {
      if (props.onKey(event)) event.preventDefault();
      return;
    }
    event.preventDefault();
    const row = walk(scene.tree, cursor, scene.isFlipped ? (flipped.get(move) ?? move) : move);
    props.onCursor(row);
    surface.current?.reveal(row);
  };

  return (
    <div
      ref={scroller}
      className="icicle"
      role="tree"
      tabIndex={0}
      aria-label={label}
      aria-activedescendant={id + cursor}
      onKeyDown={pressed}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      <div ref={content} className="icicle-content">
        <div ref={holderElement} className="icicle-canvases">
          <canvas ref={base} aria-hidden="true" />
          <canvas ref={overlay} aria-hidden="true" />
        </div>
      </div>
      <Twin
        tree={scene.tree}
        texts={texts}
        id={id}
        cursor={cursor}
        zoomRow={scene.zoomRow}
        steps={scene.steps}
        formatRate={rateOf}
        selfWord={props.selfWord}
      />
    </div>
  );
}
