// Tar archives for tests, including archives that only an attacker would make.
import { Header, type ReadEntry } from 'tar';

/** One member of an archive. */
export interface TarMember {
  readonly path: string;
  readonly content?: Uint8Array | string;
  readonly type?: ReadEntry['type'];
  /** Target of a link. */
  readonly linkpath?: string;
  /** Declared size, if it differs from the size of the content. */
  readonly size?: number;
}

/** Returns an uncompressed archive. Long paths need a special header, see tar(5). */
export function makeTar(members: readonly TarMember[]): Uint8Array<ArrayBuffer> {
  const blocks: Uint8Array[] = [];
  for (const { path, content = '', type = 'File', linkpath = '', size } of members) {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    const block = Buffer.alloc(512);
    new Header({ path, type, size: size ?? bytes.length, linkpath, mode: 0o644 }).encode(block);
    blocks.push(block, bytes, new Uint8Array(-bytes.length & 511));
  }
  return new Uint8Array(Buffer.concat([...blocks, new Uint8Array(1024)]));
}
