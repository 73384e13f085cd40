// File discovery: finds targets in files that list them. The files are read again when they change.
import { dirname } from 'node:path';
import { AppError, errorCode, errorMessage } from '../base/errors.ts';
import { inputLimits, overInputLimit } from '../base/input-limits.ts';
import { filePattern, matchingFiles } from '../config/schema/file-pattern.ts';
import {
  list,
  optional,
  positiveDuration,
  record,
  refine,
  refuse,
  required,
} from '../config/schema/read.ts';
import { defineDiscovery, type SettingsOf } from './kind/define.ts';
import type { DiscoveryContext, TargetGroup } from './interface.ts';
import { ListedGroups } from './kind/listed-groups.ts';
import { Refresher } from './kind/refresh.ts';
import { parseTargetList } from './target-list.ts';

/**
 * Delay in milliseconds after a change, because writing a file in place changes it several times.
 */
const settleMillis = 100;

const schema = refine(
  record({
    files: required(list(filePattern(['json', 'yml', 'yaml']))),
    /**
     * Time between two checks of the files. They are needed because some file systems do not report
     * changes.
     */
    refresh_interval: optional(positiveDuration, 300_000),
  }),
  ({ files, refresh_interval: refreshMillis }, place) =>
    files.length > 0
      ? { patterns: files, refreshMillis }
      : refuse(place.at('files'), 'at least one path'),
);

type Config = SettingsOf<typeof schema>;

/** Finds targets in the files that match patterns. */
export const file = defineDiscovery({
  kind: 'file',
  schema,
  discover(config, context) {
    return { run: (signal, onUpdate) => new FileDiscoverer(config, context, onUpdate).run(signal) };
  },
});

interface KnownFile {
  readonly groups: ListedGroups;
  text: string | undefined;
}

class FileDiscoverer {
  readonly #config: Config;
  readonly #context: DiscoveryContext;
  readonly #onUpdate: (groups: readonly TargetGroup[]) => void;
  readonly #known = new Map<string, KnownFile>();
  #isFirst = true;
  readonly #watches = new Map<string, { close(): void }>();

  constructor(
    config: Config,
    context: DiscoveryContext,
    onUpdate: (groups: readonly TargetGroup[]) => void,
  ) {
    this.#config = config;
    this.#context = context;
    this.#onUpdate = onUpdate;
  }

  async run(signal: AbortSignal): Promise<void> {
    const refresher = new Refresher({
      context: this.#context,
      mechanism: 'file',
      about: { files: this.#config.patterns.join(' ') },
      intervalMillis: this.#config.refreshMillis,
      refresh: () => {
        // A folder that did not exist at the last refresh may exist now.
        this.#watch(() => refresher.wake(settleMillis));
        return this.#refresh();
      },
    });
    await refresher.run(signal);
    for (const watch of this.#watches.values()) watch.close();
  }

  #watch(onChange: () => void): void {
    for (const folder of new Set(this.#config.patterns.map(dirname))) {
      if (this.#watches.has(folder)) continue;
      const watch = this.#context.watchFolder(folder, onChange);
      if (watch !== undefined) this.#watches.set(folder, watch);
    }
  }

  async #refresh(): Promise<void> {
    const updates: TargetGroup[] = [];
    const mistakes: string[] = [];
    let limit: string | undefined;
    const paths = await this.#paths();
    for (const path of paths) {
      try {
        updates.push(...(await this.#read(path)));
      } catch (error) {
        if (error instanceof AppError) limit ??= error.limit;
        if (errorCode(error) === 'not-found') paths.delete(path);
        else mistakes.push(`${path}: ${errorMessage(error)}`);
      }
    }
    for (const [path, { groups }] of this.#known) {
      if (paths.has(path)) continue;
      const targets = groups.targetCount;
      if (targets > 0) this.#context.logger.warn('a list of targets is gone', { path, targets });
      updates.push(...groups.replace([]));
      this.#known.delete(path);
    }
    // The first update is made even if it is empty, because it replaces the targets of an earlier
    // config.
    if (updates.length > 0 || this.#isFirst) this.#onUpdate(updates);
    this.#isFirst = false;
    if (mistakes.length > 0) throw new AppError('invalid-argument', mistakes.join('; '), { limit });
  }

  /** Returns the files that match the patterns now, and all files that are named without a star. */
  async #paths(): Promise<Set<string>> {
    const paths = new Set<string>();
    for (const pattern of this.#config.patterns) {
      for (const path of await matchingFiles(pattern, this.#context.files)) paths.add(path);
    }
    return paths;
  }

  /** Returns the groups of a file; an empty list if the file has not changed. */
  async #read(path: string): Promise<TargetGroup[]> {
    const bytes = await this.#context.files.read(path);
    if (bytes.length > inputLimits.discoveryBytes) {
      const why = `it has ${bytes.length} bytes, at most ${inputLimits.discoveryBytes} are read`;
      throw overInputLimit('discoveryBytes', `cannot read list of targets: ${why}`);
    }
    const text = new TextDecoder().decode(bytes);
    const known = this.#known.get(path) ?? { groups: new ListedGroups(path), text: undefined };
    if (known.text === text) return [];
    if (text.trim() === '' && known.groups.targetCount > 0) {
      const why = 'it is empty; [] would mean that there are no targets';
      throw new AppError('invalid-argument', `cannot read list of targets: ${why}`);
    }
    const syntax = path.toLowerCase().endsWith('.json') ? 'json' : 'yaml';
    const groups = parseTargetList(text, syntax, { name: '__meta_filepath', value: path });
    known.text = text;
    this.#known.set(path, known);
    return known.groups.replace(groups);
  }
}
