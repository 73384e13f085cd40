// Deletes series by selector and time range. Readers no longer see the profiles, and the next
// compaction removes them from the disk.
import { AppError } from '../../base/errors.ts';
import type { Files } from '../../base/files.ts';
import { labelValue, profileNameLabel } from '../../model/labels.ts';
import { formatProfileType, type ProfileType } from '../../model/profile-type.ts';
import { encodeDeletions, writeDeletions, type Deletion } from '../files/deletions.ts';
import type { DeletedSeries, SeriesQuery, TimeRange } from '../interface.ts';
import type { StoredSeries } from '../selection.ts';
import type { MaintainedBlock } from './block-host.ts';
import { blockName } from '../files/block-names.ts';

interface Affected {
  readonly block: MaintainedBlock;
  readonly deletions: readonly Deletion[];
}

/**
 * Adds a deletion of the matching streams in the range to every block that has such profiles. After
 * a disk error, only some blocks may have the deletion; calling this again adds it to the others.
 *
 * Errors: AppError 'invalid-argument', before any block is changed, if the selector matches only a
 * part of a stream; I/O errors.
 */
export async function deleteSeries(
  files: Files,
  blocksPath: string,
  blocks: readonly MaintainedBlock[],
  query: SeriesQuery,
): Promise<DeletedSeries> {
  const type = query.profileType && formatProfileType(query.profileType);
  const deletion: Deletion = { matchers: query.matchers, profileType: type, range: query.range };
  const affected: Affected[] = [];
  const seen = new Set<string>();
  for (const block of blocks) {
    if (block.range === undefined || !overlap(block.range, query.range)) continue;
    const series = await selectWhole(block, query);
    if (series.length === 0) continue;
    for (const one of series) seen.add(seriesText(one));
    affected.push({ block, deletions: withDeletion(block.deletions, deletion) });
  }
  for (const { block, deletions } of affected) {
    await writeDeletions(files, `${blocksPath}/${blockName(block.id)}`, deletions);
    block.setDeletions(deletions);
  }
  return { blockCount: affected.length, seriesCount: seen.size };
}

/** Adds a deletion unless it is already in the list. */
function withDeletion(deletions: readonly Deletion[], added: Deletion): readonly Deletion[] {
  const bytes = String(encodeDeletions([added]));
  return [...deletions.filter((one) => String(encodeDeletions([one])) !== bytes), added];
}

/** Returns the series to delete. Errors: see deleteSeries. */
async function selectWhole(block: MaintainedBlock, query: SeriesQuery): Promise<StoredSeries[]> {
  const series = await readWhole(block, { ...query, profileType: undefined });
  const { profileType } = query;
  if (profileType === undefined) return series;
  const asked = formatProfileType(profileType);
  const meant = series.filter((one) => formatProfileType(one.profileType) === asked);
  for (const one of meant) {
    const types = series
      .filter((other) => isSameStream(one, other))
      .map((other) => formatProfileType(other.profileType));
    if (new Set(types).size > 1) throw partOfStream(asked, types);
  }
  return meant;
}

/**
 * Reads all matching series. Errors: AppError 'invalid-argument' for a matcher of sample labels.
 */
async function readWhole(block: MaintainedBlock, query: SeriesQuery): Promise<StoredSeries[]> {
  const missing: string[] = [];
  const series = await block.select(query, 0, (sentence) => missing.push(sentence));
  if (missing.length > 0) {
    throw new AppError('data-loss', `cannot delete series: ${missing.join('; ')}`);
  }
  for (const { labels, profileType, slices } of series) {
    for (const matcher of query.matchers) {
      const isName = matcher.name === profileNameLabel;
      const value = isName ? profileType.name : labelValue(labels, matcher.name);
      const isFiltered = slices.some((slice) => slice.rowFilter !== undefined);
      if (matcher.matches(value) && !(isFiltered && value === '')) continue;
      throw new AppError(
        'invalid-argument',
        `cannot delete by ${matcher.name}: it is a label of samples, and only whole series ` +
          'can be deleted',
      );
    }
  }
  return series;
}

/**
 * Returns the error for a selector that matches only one type of a stream with several types. These
 * types can only be deleted together.
 */
function partOfStream(asked: string, types: readonly string[]): AppError {
  const others = [...new Set(types)].filter((type) => type !== asked).sort(compareTexts);
  return new AppError(
    'invalid-argument',
    `cannot delete ${asked}: it is stored together with ${others.join(', ')}; ` +
      'leave the profile type out to delete all of them',
  );
}

function isSameStream(a: StoredSeries, b: StoredSeries): boolean {
  return streamText(a) === streamText(b);
}

function streamText({ labels, profileType }: StoredSeries): string {
  const { name, period, delta }: ProfileType = profileType;
  return JSON.stringify([labels, name, period, delta]);
}

function seriesText(series: StoredSeries): string {
  return `${streamText(series)} ${formatProfileType(series.profileType)}`;
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function overlap(a: TimeRange, b: TimeRange): boolean {
  return a.from <= b.to && b.from <= a.to;
}
