// The part of lz4js that is used; the package has no types.
declare module 'lz4js' {
  const lz4: {
    /** Fills `dst` (of the exact size) from a frame, returns the bytes written. */
    decompressFrame(src: Uint8Array, dst: Uint8Array): number;
    decompress(src: Uint8Array): Uint8Array;
    compress(src: Uint8Array): Uint8Array;
  };
  export default lz4;
}
