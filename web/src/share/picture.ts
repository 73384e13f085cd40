// Exports the visible graph with all levels as a picture: as PNG, or as SVG with a canvas that
// records calls.
import { rowHeightCss, type Scene } from '../canvas/frame-painter.ts';
import { Painter } from '../canvas/painter.ts';
import { depthCount } from '../tree/tree.ts';

const widthCss = 1_440;
/** Device pixels of a PNG per CSS pixel. */
const pngRatio = 2;
/** Largest height, because browsers cut off taller canvases. */
const heightMaxCss = 8_000;

function pictureSize(scene: Scene, ratio: number) {
  const height = Math.min(depthCount(scene.tree) * rowHeightCss, heightMaxCss);
  return { width: widthCss * ratio, height: height * ratio };
}

function newCanvas(size: { readonly width: number; readonly height: number }): HTMLCanvasElement {
  return Object.assign(document.createElement('canvas'), size);
}

/** Draws with two device pixels per CSS pixel. Errors: Error if the picture is too large. */
export async function drawPng(scene: Scene): Promise<Blob> {
  const size = pictureSize(scene, pngRatio);
  const canvas = newCanvas(size);
  new Painter(canvas, newCanvas({ width: 1, height: 1 }), pngRatio).paint(scene, 0);
  const { promise, resolve } = Promise.withResolvers<Blob | null>();
  canvas.toBlob(resolve, 'image/png');
  const blob = await promise;
  if (blob === null) throw new Error('the picture is too large for a PNG');
  return blob;
}

/** Draws an SVG with searchable text. */
export function drawSvg(scene: Scene): Blob {
  const size = pictureSize(scene, 1);
  const recorder = new Recorder(size);
  new Painter(recorder.canvas, newCanvas({ width: 1, height: 1 }), 1).paint(scene, 0);
  return new Blob([recorder.finish()], { type: 'image/svg+xml' });
}

/** Records the painter's calls as SVG elements; a real canvas measures text. */
class Recorder {
  readonly canvas: HTMLCanvasElement;
  readonly #elements: string[] = [];
  readonly #size: { readonly width: number; readonly height: number };

  constructor(size: { readonly width: number; readonly height: number }) {
    this.#size = size;
    this.canvas = newCanvas(size);
    const real = this.canvas.getContext('2d');
    if (real === null) throw new Error('this browser has no 2D canvas');
    const add = (element: string): void => void this.#elements.push(element);
    const place = (x: number, y: number, width: number, height: number): string =>
      `x="${x}" y="${y}" width="${width}" height="${height}"`;
    // Own properties override the properties of the prototype, so the painter can use this as a
    // canvas context.
    Object.assign(real, {
      fillRect(x: number, y: number, width: number, height: number) {
        const fill = typeof real.fillStyle === 'string' ? real.fillStyle : stripes;
        add(`<rect ${place(x, y, width, height)} fill="${fill}"/>`);
      },
      strokeRect(x: number, y: number, width: number, height: number) {
        const dash = real.getLineDash().join(' ');
        const stroke = `stroke="${String(real.strokeStyle)}" stroke-dasharray="${dash}"`;
        add(`<rect ${place(x, y, width, height)} fill="none" ${stroke}/>`);
      },
      fillText(text: string, x: number, y: number) {
        const weight = real.font.startsWith('bold') ? ' font-weight="bold"' : '';
        add(
          `<text x="${x}" y="${y}" fill="${String(real.fillStyle)}"${weight}>${escaped(text)}</text>`,
        );
      },
    });
  }

  finish(): string {
    const { width, height } = this.#size;
    return [
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`,
      ' font-family="ui-monospace, Consolas, DejaVu Sans Mono, monospace" font-size="12" dominant-baseline="middle" xml:space="preserve">',
      '<defs><pattern id="new" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">',
      '<rect width="3" height="6" fill="#000" fill-opacity="0.25"/></pattern></defs>',
      ...this.#elements,
      '</svg>\n',
    ].join('\n');
  }
}

/** Fill style of new frames in a diff. */
const stripes = 'url(#new)';

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
}
