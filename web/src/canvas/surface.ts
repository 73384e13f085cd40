// Manages the canvases of the graph, which are as large as the viewport; handles pointer, wheel and
// animation.
import { depthCount, findDepth } from '../tree/tree.ts';
import { type Hit, hitTest } from './hit-test.ts';
import { allParts, rowHeightCss, type Scene } from './frame-painter.ts';
import { type Overlay, Painter } from './painter.ts';
import { between, clampView, easeOut, equalViews, panBy, type View, zoomAround } from './view.ts';

const zoomMillis = 160;
const dragMin = 4;
const longPressMillis = 500;
const wheelZoomPerPixel = 0.0025;

const noOverlay: Overlay = { hover: undefined, cursor: undefined, name: undefined };

/** Elements of a surface. */
export interface SurfaceElements {
  /** Scrolls; its first child is as high as the complete tree. */
  readonly scroller: HTMLElement;
  readonly content: HTMLElement;
  /** Contains both canvases; sticks to the top of the scroller. */
  readonly holder: HTMLElement;
  readonly base: HTMLCanvasElement;
  readonly overlay: HTMLCanvasElement;
}

/** Events of a surface. */
export interface SurfaceEvents {
  /** Called when the pointer enters or leaves a frame; `x` and `y` are client coordinates. */
  onHover(hit: Hit | undefined, x: number, y: number): void;
  /** Called by a click. `isTouch` is true for a finger, which cannot hover first. */
  onClick(hit: Hit, isTouch: boolean): void;
  /** Called by a right click or a long press; `x` and `y` are client coordinates. */
  onMenu(hit: Hit, x: number, y: number): void;
  /**
   * Called when the wheel or a drag has changed the view. `isRange` is true if it is a selected
   * range.
   */
  onView(view: View, isRange?: boolean): void;
}

/** A press that may become a drag. */
interface Drag {
  readonly x: number;
  readonly view: View;
  /** True if the drag selects a range; false if it moves the view. */
  readonly selects: boolean;
  moved: boolean;
  /** The selected range. */
  range?: View;
}

/** Owns the canvases; only `show` changes their content. */
export class Surface {
  readonly #elements: SurfaceElements;
  readonly #events: SurfaceEvents;
  readonly #cleanup = new AbortController();
  readonly #resize: ResizeObserver;
  #painter: Painter | undefined;
  #scene: Scene | undefined;
  #overlay: Overlay = noOverlay;
  /** View on the canvas, which differs from the scene's view during an animation. */
  #shown: View | undefined;
  #start: { readonly view: View; readonly time: number } | undefined;
  /** Height of all levels in CSS pixels. */
  #contentHeight = 0;
  #frame = 0;
  #baseDirty = false;
  /** Parts that are drawn. The first frames draw one more each, because each takes long once. */
  #parts = 0;
  #drag: Drag | undefined;
  /** Timer for a long press, for browsers that do not open a context menu. */
  #longPress: ReturnType<typeof setTimeout> | undefined;

  constructor(elements: SurfaceElements, events: SurfaceEvents) {
    this.#elements = elements;
    this.#events = events;
    this.#resize = new ResizeObserver(() => this.#resized());
    this.#resize.observe(elements.scroller);
    this.#listen();
    this.#resized();
  }

  /** Draws a scene; if `animate` is set, moves smoothly to its view. */
  show(scene: Scene, animate: boolean): void {
    const before = this.#scene;
    this.#scene = scene;
    const moves = before !== undefined && !equalViews(before.view, scene.view);
    if (!animate || this.#shown === undefined) {
      this.#shown = scene.view;
      this.#start = undefined;
    } else if (moves) {
      this.#start = { view: this.#shown, time: performance.now() };
    }
    const height = Math.max(1, depthCount(scene.tree) - scene.hiddenDepths) * rowHeightCss;
    // The scroll position is read only for a flipped graph, because reading it makes the browser
    // lay out the page.
    const isScrolled = scene.isFlipped || before?.isFlipped === true;
    const fromRoot = isScrolled && before?.isFlipped === scene.isFlipped ? this.#scrollTop : 0;
    this.#contentHeight = height;
    this.#elements.content.style.height = `${height}px`;
    if (isScrolled) this.#scrollTo(fromRoot);
    this.#request(true);
  }

  /** Draws hover and cursor. This is fast, because frames are not painted again. */
  showOverlay(overlay: Overlay): void {
    this.#overlay = overlay;
    this.#request(false);
  }

  /** Scrolls the level of a row into view. */
  reveal(row: number): void {
    if (this.#scene === undefined) return;
    const { clientHeight } = this.#elements.scroller;
    const top = findDepth(this.#scene.tree, row) * rowHeightCss;
    const margin = 2 * rowHeightCss;
    if (top < this.#scrollTop + margin) this.#scrollTo(top - margin);
    else if (top + margin > this.#scrollTop + clientHeight) {
      this.#scrollTo(top + margin - clientHeight);
    }
  }

  /** Distance of the root from its edge of the scroller, in CSS pixels. */
  get #scrollTop(): number {
    const { scrollTop } = this.#elements.scroller;
    const isFlipped = this.#scene?.isFlipped === true;
    return this.#hidden + (isFlipped ? Math.max(0, this.#scrollMax - scrollTop) : scrollTop);
  }

  #scrollTo(fromRoot: number): void {
    const { scroller } = this.#elements;
    const top = fromRoot - this.#hidden;
    scroller.scrollTop = this.#scene?.isFlipped === true ? this.#scrollMax - top : top;
  }

  /** Height of the hidden levels in CSS pixels. */
  get #hidden(): number {
    return (this.#scene?.hiddenDepths ?? 0) * rowHeightCss;
  }

  get #scrollMax(): number {
    return Math.max(0, this.#contentHeight - this.#elements.scroller.clientHeight);
  }

  /** Returns the top of a level within the surface, given its distance from the root. */
  #topEdge(fromRoot: number): number {
    const top = fromRoot - this.#scrollTop;
    if (this.#scene?.isFlipped !== true) return top;
    return this.#elements.scroller.clientHeight - rowHeightCss - top;
  }

  /** Returns the client rectangle of a row, clipped to the surface. */
  rowBox(row: number): DOMRect | undefined {
    const scene = this.#scene;
    if (scene === undefined) return undefined;
    const { left, top, width } = this.#elements.base.getBoundingClientRect();
    const scale = width / (scene.view.to - scene.view.from);
    const from = Math.max(0, (scene.tree.x[row] - scene.view.from) * scale);
    const to = Math.min(width, from + scene.tree.width[row] * scale);
    const y = this.#topEdge(findDepth(scene.tree, row) * rowHeightCss);
    return new DOMRect(left + from, top + y, Math.max(1, to - from), rowHeightCss);
  }

  close(): void {
    this.#cleanup.abort();
    clearTimeout(this.#longPress);
    this.#resize.disconnect();
    cancelAnimationFrame(this.#frame);
  }

  /** Paints at once if the size has changed. */
  #resized(): void {
    if (!this.#fitCanvases()) return;
    cancelAnimationFrame(this.#frame);
    this.#paint(performance.now());
  }

  /**
   * Fits the canvases to the scroller; returns true if its size has changed. Canvases that are
   * high enough are cut off, because new ones take longer than the painting.
   */
  #fitCanvases(): boolean {
    const { scroller, holder, base, overlay } = this.#elements;
    const { clientWidth, clientHeight } = scroller;
    if (clientWidth === 0 || clientHeight === 0) return false;
    const ratio = devicePixelRatio;
    const width = Math.round(clientWidth * ratio);
    const height = Math.round(clientHeight * ratio);
    const isSameRatio = this.#painter?.ratio === ratio;
    if (isSameRatio && base.width === width && this.#painter?.height === height) return false;
    holder.style.height = `${clientHeight}px`;
    const isHighEnough = base.height >= height && base.height <= height * 2;
    if (!isSameRatio || base.width !== width || !isHighEnough) {
      for (const canvas of [base, overlay]) {
        canvas.width = width;
        canvas.height = height;
        canvas.style.width = `${clientWidth}px`;
        canvas.style.height = `${clientHeight}px`;
      }
    }
    if (!isSameRatio || this.#painter === undefined) {
      this.#painter = new Painter(base, overlay, ratio);
    }
    this.#painter.height = height;
    this.#baseDirty = true;
    return true;
  }

  #listen(): void {
    const { scroller, holder } = this.#elements;
    const { signal } = this.#cleanup;
    scroller.addEventListener('scroll', () => this.#request(true), { signal, passive: true });
    holder.addEventListener('pointermove', (event) => this.#pointerMoved(event), { signal });
    holder.addEventListener('pointerleave', () => this.#left(), { signal });
    holder.addEventListener('pointerdown', (event) => this.#pressed(event), { signal });
    holder.addEventListener('pointerup', (event) => this.#released(event), { signal });
    holder.addEventListener('pointercancel', () => this.#left(), { signal });
    holder.addEventListener('contextmenu', (event) => this.#menu(event), { signal });
    holder.addEventListener('wheel', (event) => this.#wheeled(event), { signal, passive: false });
    matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener(
      'change',
      () => this.#resized(),
      { signal },
    );
  }

  #hitAt(event: MouseEvent): Hit | undefined {
    const scene = this.#scene;
    if (scene === undefined) return undefined;
    const { left, top, bottom, width } = this.#elements.holder.getBoundingClientRect();
    const pixel = (scene.view.to - scene.view.from) / width;
    const at = scene.view.from + (event.clientX - left) * pixel;
    const fromEdge = scene.isFlipped ? bottom - event.clientY : event.clientY - top;
    const y = fromEdge + this.#scrollTop;
    return hitTest(scene.tree, Math.floor(y / rowHeightCss), at, pixel);
  }

  #pointerMoved(event: PointerEvent): void {
    const drag = this.#drag;
    if (drag !== undefined && this.#scene !== undefined) {
      const by = event.clientX - drag.x;
      if (Math.abs(by) >= dragMin) clearTimeout(this.#longPress);
      drag.moved ||= Math.abs(by) >= dragMin && (drag.selects || isZoomed(drag.view));
      if (drag.moved) {
        const { left, width } = this.#elements.base.getBoundingClientRect();
        if (drag.selects) this.#select(drag, (drag.x - left) / width, by / width);
        else this.#events.onView(panBy(drag.view, -by / width));
        return;
      }
    }
    this.#events.onHover(this.#hitAt(event), event.clientX, event.clientY);
  }

  /** Updates the selected range; its start and length are fractions of the view. */
  #select(drag: Drag, start: number, length: number): void {
    const { from, to } = drag.view;
    const ends = [start, start + length].map((at) => Math.min(1, Math.max(0, at)));
    const [first, last] = ends.sort((a, b) => a - b);
    drag.range = { from: from + first * (to - from), to: from + last * (to - from) };
    this.#events.onHover(undefined, 0, 0);
    this.#request(false);
  }

  #pressed(event: PointerEvent): void {
    if (event.button !== 0 || this.#scene === undefined) return;
    const { view } = this.#scene;
    const isMouse = event.pointerType === 'mouse';
    // The complete view cannot be moved, so a drag always selects a range.
    const selects = isMouse && (event.shiftKey || !isZoomed(view));
    this.#drag = { x: event.clientX, view, selects, moved: false };
    if (isMouse) this.#elements.holder.setPointerCapture(event.pointerId);
    else this.#longPress = setTimeout(() => this.#menu(event), longPressMillis);
  }

  /** Opens the menu; the press that opened it does not count as a click. */
  #menu(event: MouseEvent): void {
    event.preventDefault();
    clearTimeout(this.#longPress);
    if (this.#drag !== undefined) this.#drag.moved = true;
    const hit = this.#hitAt(event);
    if (hit !== undefined) this.#events.onMenu(hit, event.clientX, event.clientY);
  }

  #released(event: PointerEvent): void {
    clearTimeout(this.#longPress);
    const drag = this.#drag;
    this.#drag = undefined;
    if (drag?.range !== undefined) {
      this.#request(false);
      this.#events.onView(clampView(drag.range.from, drag.range.to - drag.range.from), true);
    }
    if (drag === undefined || drag.moved) return;
    const hit = this.#hitAt(event);
    if (hit !== undefined) this.#events.onClick(hit, event.pointerType === 'touch');
  }

  #left(): void {
    clearTimeout(this.#longPress);
    this.#drag = undefined;
    this.#events.onHover(undefined, 0, 0);
  }

  #wheeled(event: WheelEvent): void {
    const scene = this.#scene;
    if (scene === undefined) return;
    const { left, width } = this.#elements.base.getBoundingClientRect();
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      const factor = Math.exp(event.deltaY * wheelZoomPerPixel);
      this.#events.onView(zoomAround(scene.view, (event.clientX - left) / width, factor));
      return;
    }
    const sideways = event.shiftKey ? event.deltaX || event.deltaY : event.deltaX;
    if (Math.abs(sideways) > Math.abs(event.shiftKey ? 0 : event.deltaY) && isZoomed(scene.view)) {
      event.preventDefault();
      this.#events.onView(panBy(scene.view, sideways / width));
    }
  }

  #request(base: boolean): void {
    this.#baseDirty ||= base;
    if (this.#frame === 0) this.#frame = requestAnimationFrame((time) => this.#paint(time));
  }

  /** Fits the canvases first, so that a frame with a new size is painted once. */
  #paint(time: number): void {
    this.#frame = 0;
    this.#fitCanvases();
    const [scene, painter] = [this.#scene, this.#painter];
    if (scene === undefined || painter === undefined) return;
    const scrollTop = this.#scrollTop;
    this.#shown = this.#advance(scene.view, time);
    const shown = { ...scene, view: this.#shown };
    if (this.#baseDirty || this.#start !== undefined) painter.paint(shown, scrollTop, this.#parts);
    // The upper canvas is empty during an animation: each canvas that changes makes the browser
    // wait for its process that draws.
    const overlay =
      this.#start === undefined ? { ...this.#overlay, range: this.#drag?.range } : noOverlay;
    painter.paintOverlay(shown, overlay, scrollTop);
    this.#baseDirty = this.#parts < allParts;
    this.#parts = Math.min(allParts, this.#parts + 1);
    if (this.#baseDirty || this.#start !== undefined) this.#request(true);
  }

  #advance(target: View, time: number): View {
    if (this.#start === undefined) return target;
    const t = Math.max(0, (time - this.#start.time) / zoomMillis);
    if (t < 1) return between(this.#start.view, target, easeOut(t));
    this.#start = undefined;
    return target;
  }
}

function isZoomed(view: View): boolean {
  return view.to - view.from < 1;
}
