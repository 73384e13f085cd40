// Exports merged profiles as files that other tools read.
import { AppError } from '../../base/errors.ts';
import { dividedBy } from '../../base/int64.ts';
import { gzip } from '../../base/threads/zlib.ts';
import { encodeCollapsed } from '../../formats/collapsed/encode.ts';
import { encodeFirefoxProfile } from '../../formats/firefox-profile/encode.ts';
import { encodeSpeedscope } from '../../formats/speedscope/encode.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import type { MergedStacks } from '../../model/merged-stacks.ts';
import { nameGapSentences } from '../../model/name-gaps.ts';
import { formatProfileType } from '../../model/profile-type.ts';
import { formatAveragesNote, readSumNote } from '../../model/sum-note.ts';
import type { QueryCaller, QueryEngine, Report } from '../../query/interface.ts';
import { encodeProfile, type ProfileReport } from '../query/report-encodings.ts';
import type { ExportFormat, ExportRequest } from './export-request.ts';

/** A file with its name and content type. */
export interface ExportFile {
  readonly contentType: string;
  readonly fileName: string;
  readonly bytes: Uint8Array;
  /** Sentences about data that could not be read. */
  readonly warnings: readonly string[];
}

interface FormatRow {
  readonly contentType: string;
  readonly fileName: string;
  encode(report: ProfileReport): Promise<Uint8Array>;
}

const formats: Readonly<Record<ExportFormat, FormatRow>> = {
  pprof: {
    contentType: 'application/octet-stream',
    fileName: 'profile.pb.gz',
    encode: encodeProfile,
  },
  pgo: {
    contentType: 'application/octet-stream',
    fileName: 'default.pgo',
    encode: encodePgo,
  },
  collapsed: {
    contentType: 'text/plain; charset=utf-8',
    fileName: 'profile.collapsed.txt',
    encode: async ({ dictionary, groups }) => encodeCollapsed(dictionary, groups[0].merged),
  },
  speedscope: {
    contentType: 'application/json',
    fileName: 'profile.speedscope.json',
    encode: async ({ dictionary, groups, profileType, valueType }) =>
      encodeSpeedscope(dictionary, groups[0].merged, {
        name: formatProfileType(profileType),
        unit: valueType.unit,
      }),
  },
  firefox: {
    contentType: 'application/gzip',
    fileName: 'profile.firefox.json.gz',
    encode: ({ dictionary, groups, ...head }) => {
      const meta = { ...head, name: formatProfileType(head.profileType) };
      return gzip(encodeFirefoxProfile(dictionary, groups[0].merged, meta), { level: 1 });
    },
  },
};

/**
 * Merges the selected profiles and encodes them in the requested format.
 *
 * Errors: those of the engine; AppError 'not-found' when no profile matches, and 'out-of-range',
 * 'resource-exhausted' or 'failed-precondition' when the format cannot hold the profile.
 */
export async function exportProfile(
  engine: QueryEngine,
  { query, range, format }: ExportRequest,
  caller: QueryCaller,
): Promise<ExportFile> {
  const { bytes, profileCount, missing, nameGaps, notes } = await engine.encodedReport(
    {
      select: { mode: 'merge', query, range },
      report: 'profile',
      nodeTrimFraction: 0,
      rootTrimFraction: 0,
      groupBy: [],
    },
    format,
    caller,
  );
  if (profileCount === 0) {
    const why = missing.map((sentence) => `; ${sentence}`).join('');
    throw new AppError('not-found', `no profiles match ${query} in this range${why}`);
  }
  const { contentType, fileName } = formats[format];
  const said = notes.flatMap((note) => formatAveragesNote(note) ?? []);
  const warnings = [...missing, ...nameGapSentences(nameGaps), ...said];
  return { contentType, fileName, bytes, warnings };
}

/**
 * Encodes a 'profile' report in an export format; a report without profiles is empty.
 *
 * Errors: as in exportProfile.
 */
export async function encodeExport(format: ExportFormat, report: Report): Promise<Uint8Array> {
  if (report.kind !== 'profile') throw new AppError('internal', `got a ${report.kind} report`);
  if (report.profileCount === 0) return new Uint8Array(0);
  if (report.base !== undefined && format !== 'pprof') {
    throw new AppError(
      'invalid-argument',
      `cannot write a diff as ${format}, which has no negative values: ask for pprof`,
    );
  }
  return formats[format].encode(averaged(report));
}

/**
 * Returns a report with averages instead of sums if it adds up states, because a file cannot tell
 * its reader that values of states were added up.
 */
function averaged(report: ProfileReport): ProfileReport {
  const { snapshots, notes } = report;
  const isSum = notes.some((note) => readSumNote(note) !== undefined);
  if (!isSum || !(snapshots > 0)) return report;
  const average = (merged: MergedStacks): MergedStacks => {
    return { ...merged, values: dividedBy(merged.values, snapshots) };
  };
  // The base has already been scaled to the number of snapshots of the other side.
  const groups = report.groups.map(({ merged, base, ...group }) => {
    return { ...group, merged: average(merged), ...(base && { base: average(base) }) };
  });
  return { ...report, groups };
}

/**
 * Encodes a profile for Go's compiler, which needs CPU time or samples, and start lines of
 * functions.
 */
async function encodePgo(report: ProfileReport): Promise<Uint8Array> {
  const { type, unit } = report.valueType;
  const isCpu =
    (type === 'cpu' && unit === 'nanoseconds') || (type === 'samples' && unit === 'count');
  if (!isCpu) {
    throw new AppError(
      'invalid-argument',
      `cannot make a profile for go build -pgo of ${type}/${unit}: it takes cpu/nanoseconds or ` +
        'samples/count',
    );
  }
  if (!hasStartLine(report.dictionary, report.groups[0].merged)) {
    throw new AppError(
      'failed-precondition',
      'cannot make a profile for go build -pgo: no function in it has a start line, which ' +
        'programs built with Go 1.20 or newer send',
    );
  }
  return encodeProfile(report);
}

function hasStartLine(
  { stacks, locations, functions }: Dictionary,
  { stacks: rows }: MergedStacks,
): boolean {
  for (const stack of rows) {
    for (let node = stacks.leaf[stack]; node !== 0; node = stacks.nodeParent[node]) {
      const location = stacks.nodeLocation[node];
      const end = locations.lineStart[location + 1];
      for (let line = locations.lineStart[location]; line < end; line += 1) {
        if (functions.startLine[locations.lineFunction[line]] > 0) return true;
      }
    }
  }
  return false;
}
