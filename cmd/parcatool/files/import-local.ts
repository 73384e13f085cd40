// Profile files of any format, read on this machine: if a format lacks build ids, they are taken
// from the local files that the addresses are in.
import { filesOfGperftoolsCpu } from '../../../src/formats/gperftools/decode-cpu.ts';
import { filesOfGperftoolsHeap } from '../../../src/formats/gperftools/decode-heap.ts';
import {
  type ImportedContent,
  importProfile,
  recognise,
} from '../../../src/formats/import/import-profile.ts';
import { plainCounts } from '../../../src/formats/reading/imported-profile.ts';
import { unpack } from '../../../src/formats/unpack.ts';
import { readBuildId } from './debuginfo.ts';

/** Formats whose files lack build ids, and the readers of their memory maps. */
const mapReaders: ReadonlyMap<string, (content: Uint8Array) => string[]> = new Map([
  ['gperftools-cpu', filesOfGperftoolsCpu],
  ['gperftools-heap', filesOfGperftoolsHeap],
]);

/** Profiles of a file; true if this machine added to them. */
export interface LocalImport extends ImportedContent {
  readonly hasLocalFacts: boolean;
}

/** Returns true for a file whose format lacks build ids. Errors: those of unpack and recognise. */
export function lacksBuildIds(bytes: Uint8Array): boolean {
  const content = unpack(bytes, { what: 'cannot read profile' });
  return mapReaders.has(recognise(content).format);
}

/** Reads the bytes of a file. Errors: those of unpack, recognise and importProfile. */
export async function importLocal(bytes: Uint8Array): Promise<LocalImport> {
  const content = unpack(bytes, { what: 'cannot read profile' });
  const file = recognise(content);
  const files = mapReaders.get(file.format)?.(content) ?? [];
  const buildIds = new Map<string, string>();
  for (const path of new Set(files)) {
    const buildId = path.startsWith('/') ? await readBuildId(path) : undefined;
    if (buildId !== undefined) buildIds.set(path, buildId);
  }
  const context = { timeNanos: 0n, durationNanos: 0n, counts: plainCounts, buildIds };
  return { ...importProfile(content, context, file), hasLocalFacts: buildIds.size > 0 };
}
