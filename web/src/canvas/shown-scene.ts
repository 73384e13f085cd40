// The picture that is on the page, for making files of it.
import type { Scene } from './painter.ts';

let shown: Scene | undefined;

export function noteScene(scene: Scene): void {
  shown = scene;
}

/** Returns the last picture that was drawn; undefined before the first. */
export function shownScene(): Scene | undefined {
  return shown;
}
