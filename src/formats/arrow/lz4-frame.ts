// LZ4 frames: compressed by the native binding, or stored uncompressed on platforms without a
// binding.

/** Compresses bytes to one LZ4 frame, in a new buffer. */
export type FrameCompressor = (bytes: Uint8Array) => Uint8Array;

/**
 * Loads the native compressor on first use, because loading takes 10 ms. If there is no binding
 * for the platform, the frames have uncompressed blocks instead, which are larger.
 */
export function loadLz4Frames(): Promise<FrameCompressor> {
  return (loaded ??= load());
}

/** Cached promise, because an import costs 60 us even if the module is already loaded. */
let loaded: Promise<FrameCompressor> | undefined;

async function load(): Promise<FrameCompressor> {
  try {
    const { compressFrameSync } = await import('lz4-napi');
    return (bytes) => compressFrameSync(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  } catch {
    return storeFrame;
  }
}

// Magic number, flags (version 1, independent blocks), block size 64 KiB, checksum of the flags.
const frameHeader = [0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82];
const blockBytesMax = 65_536;
/** Marks a block that is not compressed. */
const storedBit = 0x8000_0000;

/**
 * Makes a frame of uncompressed blocks; adds 15 bytes to small inputs.
 *
 * Source: https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md
 */
export function storeFrame(bytes: Uint8Array): Uint8Array {
  const blocks = Math.ceil(bytes.length / blockBytesMax);
  const frame = new Uint8Array(frameHeader.length + bytes.length + (blocks + 1) * 4);
  const view = new DataView(frame.buffer);
  frame.set(frameHeader);
  let at = frameHeader.length;
  for (let from = 0; from < bytes.length; from += blockBytesMax) {
    const block = bytes.subarray(from, from + blockBytesMax);
    view.setUint32(at, storedBit + block.length, true);
    frame.set(block, at + 4);
    at += 4 + block.length;
  }
  // The last four bytes stay 0 and end the frame.
  return frame;
}
