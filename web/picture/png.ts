// Encodes pixels as a PNG.
//
// Format: https://www.w3.org/TR/png-3
import { crc32, deflateSync } from '../../src/base/threads/zlib.ts';

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const bytesPerPixel = 3;
/** Colour type of red, green and blue. */
const trueColour = 2;
/** Filters of rows: none, minus the pixel on the left, minus the pixel above. */
const filters = [0, 1, 2];
/** Pixels per metre of a screen with 96 pixels per inch. */
const screenPixelsPerMetre = 3_780;

/** Encodes red, green and blue of each pixel; `ratio` is the number of pixels per CSS pixel. */
export function encodePng(
  pixels: Uint8Array,
  { width, height }: { readonly width: number; readonly height: number },
  ratio: number,
): Uint8Array<ArrayBuffer> {
  const header = new DataView(new ArrayBuffer(13));
  header.setUint32(0, width);
  header.setUint32(4, height);
  header.setUint8(8, 8);
  header.setUint8(9, trueColour);
  const density = new DataView(new ArrayBuffer(9));
  density.setUint32(0, screenPixelsPerMetre * ratio);
  density.setUint32(4, screenPixelsPerMetre * ratio);
  density.setUint8(8, 1);
  const data = deflateSync(filterRows(pixels, width * bytesPerPixel, height), { level: 9 });
  const chunks = [
    chunk('IHDR', new Uint8Array(header.buffer)),
    chunk('pHYs', new Uint8Array(density.buffer)),
    chunk('IDAT', data),
    chunk('IEND', new Uint8Array()),
  ];
  const png = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, signature.length));
  png.set(signature);
  let at = signature.length;
  for (const one of chunks) {
    png.set(one, at);
    at += one.length;
  }
  return png;
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(data.length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  bytes.set(Buffer.from(type, 'latin1'), 4);
  bytes.set(data, 8);
  view.setUint32(data.length + 8, crc32(bytes.subarray(4, data.length + 8)));
  return bytes;
}

/** Filters each row so that its bytes are as close to 0 as possible, because they compress best. */
function filterRows(pixels: Uint8Array, rowBytes: number, height: number): Uint8Array {
  const filtered = new Uint8Array((rowBytes + 1) * height);
  const tried = filters.map(() => new Uint8Array(rowBytes));
  for (let row = 0; row < height; row++) {
    const start = row * rowBytes;
    const sizes = filters.map(() => 0);
    for (let i = 0; i < rowBytes; i++) {
      const value = pixels[start + i];
      const left = i < bytesPerPixel ? 0 : pixels[start + i - bytesPerPixel];
      const above = row === 0 ? 0 : pixels[start + i - rowBytes];
      tried[0][i] = value;
      tried[1][i] = value - left;
      tried[2][i] = value - above;
      for (const filter of filters) {
        const byte = tried[filter][i];
        sizes[filter] += byte < 128 ? byte : 256 - byte;
      }
    }
    const best = sizes.indexOf(Math.min(...sizes));
    filtered[row * (rowBytes + 1)] = filters[best];
    filtered.set(tried[best], row * (rowBytes + 1) + 1);
  }
  return filtered;
}
