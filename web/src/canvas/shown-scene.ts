// The drawing on the page, for exporting it to files.
import type { Scene } from './frame-painter.ts';

let shown: Scene | undefined;

export function noteScene(scene: Scene): void {
  shown = scene;
}

/** Returns the last drawing; undefined before the first. */
export function shownScene(): Scene | undefined {
  return shown;
}
