// Saved views in one JSON file, which persists across restarts.
import { AppError } from '../base/errors.ts';
import { openKeptJson } from '../base/kept-json.ts';
import { randomHex } from '../base/random.ts';
import type { PageFilesOptions, SavedView, SavedViews } from './interface.ts';
import { pageFileLengthMax, savedViewsMax } from './limits.ts';

/** Opens the saved views. A damaged file is kept under another name, and logged. */
export async function openSavedViews(options: PageFilesOptions): Promise<SavedViews> {
  const { files, folder, logger, random } = options;
  const kept = await openKeptJson<readonly SavedView[]>({
    files,
    folder,
    name: 'views.json',
    first: [],
    parse: parseViews,
    logDamage: (fields) => logger.warn('cannot read the saved views', fields),
  });
  return {
    list: () => kept.value,
    add: async ({ name, address, isFavourite }) => {
      const added = { id: randomHex(random, 2), name, address, isFavourite };
      await kept.change((views) => checkSize([...views, added]));
      return added;
    },
    change: async (id, { name, address, isFavourite }) => {
      const changed = { id, name, address, isFavourite };
      await kept.change((views) => {
        find(views, id, 'change');
        return checkSize(views.map((view) => (view.id === id ? changed : view)));
      });
      return changed;
    },
    remove: (id) =>
      kept.change((views) => {
        const removed = find(views, id, 'remove');
        return views.filter((view) => view !== removed);
      }),
  };
}

function find(views: readonly SavedView[], id: string, verb: string): SavedView {
  const found = views.find((view) => view.id === id);
  if (found !== undefined) return found;
  const what = `cannot ${verb} saved view ${JSON.stringify(id)}`;
  throw new AppError('not-found', `${what}: there is none`);
}

/**
 * Returns the views. Errors: AppError 'resource-exhausted' if there are too many, or they are too
 * long.
 */
function checkSize(views: readonly SavedView[]): readonly SavedView[] {
  const { length } = JSON.stringify(views);
  if (views.length <= savedViewsMax && length <= pageFileLengthMax) return views;
  const size = `${views.length} views with ${length} characters`;
  const limit = `the limit is ${savedViewsMax} with ${pageFileLengthMax}`;
  const why = `there would be ${size}, ${limit}; remove one first`;
  throw new AppError('resource-exhausted', `cannot save a view: ${why}`);
}

function parseViews(all: unknown): SavedView[] {
  if (Array.isArray(all) && all.every(isView)) return all;
  throw new AppError('data-loss', 'it is no list of views');
}

function isView(value: unknown): value is SavedView {
  if (typeof value !== 'object' || value === null) return false;
  const { id, name, address, isFavourite }: Record<string, unknown> = Object(value);
  const texts = [id, name, address];
  return texts.every((text) => typeof text === 'string') && typeof isFavourite === 'boolean';
}
