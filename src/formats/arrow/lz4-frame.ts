// LZ4 frames by the native binding, where there is one for the platform.

/** Compresses bytes into one frame, off the event loop. */
export type FrameCompressor = (bytes: Uint8Array) => Promise<Uint8Array>;

/**
 * Loads the compressor (10 ms, so on first use), or gives undefined where the platform has no
 * binding: Arrow allows buffers that are marked as not compressed.
 */
export async function loadLz4Frames(): Promise<FrameCompressor | undefined> {
  try {
    const { compressFrame } = await import('lz4-napi');
    return (bytes) => compressFrame(bytes);
  } catch {
    return undefined;
  }
}
