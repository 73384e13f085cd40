// Keeps the drawing on the page, so that it can be exported to files.
import type { Scene } from './frame-painter.ts';

let shown: Scene | undefined;

export function noteScene(scene: Scene): void {
  shown = scene;
}

/** Returns the last drawing; undefined before the first. */
export function shownScene(): Scene | undefined {
  return shown;
}
