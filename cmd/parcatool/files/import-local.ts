// Reads profile files of any format. If a format has no build ids, they are read from the local
// files to which the profile's addresses belong.
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

/** Formats without build ids, and parsers for their memory maps. */
const mapReaders: ReadonlyMap<string, (content: Uint8Array) => string[]> = new Map([
  ['gperftools-cpu', filesOfGperftoolsCpu],
  ['gperftools-heap', filesOfGperftoolsHeap],
]);

/** Profiles of a file. `hasLocalFacts` is true if build ids of local files were added. */
export interface LocalImport extends ImportedContent {
  readonly hasLocalFacts: boolean;
}

/** Returns true if the file's format has no build ids. Errors: as in unpack and recognise. */
export function lacksBuildIds(bytes: Uint8Array): boolean {
  const content = unpack(bytes, { what: 'cannot read profile' });
  return mapReaders.has(recognise(content).format);
}

/** Imports a file. Errors: as in unpack, recognise and importProfile. */
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
