// Prefixes of each service's own code, in one JSON file that persists across restarts.
import { AppError } from '../base/errors.ts';
import { openKeptJson } from '../base/kept-json.ts';
import type { OwnCode, OwnCodeEntry, PageFilesOptions } from './interface.ts';
import { ownCodeServicesMax, pageFileLengthMax } from './limits.ts';

/** Opens the prefixes. A damaged file is kept under another name, and logged. */
export async function openOwnCode(options: Omit<PageFilesOptions, 'random'>): Promise<OwnCode> {
  const { files, folder, logger } = options;
  const kept = await openKeptJson<readonly OwnCodeEntry[]>({
    files,
    folder,
    name: 'own-code.json',
    first: [],
    parse: parseEntries,
    logDamage: (fields) => logger.warn('cannot read the prefixes of own code', fields),
  });
  return {
    list: () => kept.value,
    set: ({ service, prefixes }) =>
      kept.change((entries) => {
        const others = entries.filter((entry) => entry.service !== service);
        if (prefixes.length === 0) return others;
        return checkSize([...others, { service, prefixes }]);
      }),
  };
}

/**
 * Returns the entries. Errors: AppError 'resource-exhausted' if there are too many, or they are too
 * long.
 */
function checkSize(entries: readonly OwnCodeEntry[]): readonly OwnCodeEntry[] {
  const { length } = JSON.stringify(entries);
  if (entries.length <= ownCodeServicesMax && length <= pageFileLengthMax) return entries;
  const size = `${entries.length} services with ${length} characters`;
  const limit = `the limit is ${ownCodeServicesMax} with ${pageFileLengthMax}`;
  const why = `there would be ${size}, ${limit}; empty one first`;
  throw new AppError('resource-exhausted', `cannot set own code: ${why}`);
}

function parseEntries(all: unknown): OwnCodeEntry[] {
  if (Array.isArray(all) && all.every(isEntry)) return all;
  throw new AppError('data-loss', 'it is no list of services with prefixes');
}

function isEntry(value: unknown): value is OwnCodeEntry {
  if (typeof value !== 'object' || value === null) return false;
  const { service, prefixes }: Record<string, unknown> = Object(value);
  return (
    typeof service === 'string' &&
    Array.isArray(prefixes) &&
    prefixes.every((prefix) => typeof prefix === 'string')
  );
}
