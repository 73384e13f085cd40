// Costs of a write: the bytes that may wait for workers, and the estimated time to intern a decoded
// profile.
import { decodePendingBytesMax } from './limits.ts';
import { memoryShare } from '../base/memory-limit.ts';
import type { PprofColumns } from '../formats/pprof/columns.ts';

/**
 * Returns the estimated time in microseconds to intern a profile whose symbols are all new. The
 * time for each kind of row was measured with profiles that consist mostly of this kind, and
 * rounded up.
 */
export function estimateInternMicros(columns: PprofColumns): number {
  return (
    columns.frameCount * 0.15 +
    columns.sampleCount * 0.3 +
    columns.labelCount * 1.5 +
    columns.offsets.offsetCount * 0.3 +
    columns.mappingCount * 0.5 +
    columns.locationCount * 0.5 +
    columns.lineCount * 0.2 +
    columns.functionCount * 0.6 +
    columns.stringCount * 0.1
  );
}

/** Returns the limit on the bytes of uploads that are in workers or wait for them. */
export function decodePendingBytes(): number {
  return memoryShare('decoding', decodePendingBytesMax);
}
