// Several test stores as the parts of one, each with a dictionary of its own.
import { labelSetKey } from '../../model/labels.ts';
import type { LabelMatcher } from '../../model/matcher.ts';
import { formatProfileType, type ProfileType } from '../../model/profile-type.ts';
import type { Querier, SeriesQuery, TimeRange } from '../../storage/interface.ts';
import type {
  SelectedPart,
  SelectedSeries,
  Selection,
  SeriesPiece,
} from '../../storage/selection.ts';

/** Answers as the store does that holds all of `stores`. */
export class PartedStore implements Querier {
  readonly #stores: readonly Querier[];

  constructor(stores: readonly Querier[]) {
    this.#stores = stores;
  }

  async select(query: SeriesQuery): Promise<Selection> {
    const parts: SelectedPart[] = [];
    const series = new Map<string, SelectedSeries & { pieces: SeriesPiece[] }>();
    const missing: string[] = [];
    let profileCount = 0;
    let rowCount = 0;
    for (const store of this.#stores) {
      const selection = await store.select(query);
      const part = parts.length;
      parts.push(...selection.parts);
      for (const { labels, profileType, pieces } of selection.series) {
        const key = `${formatProfileType(profileType)} ${labelSetKey(labels)}`;
        const known = series.get(key) ?? { labels, profileType, pieces: [] };
        series.set(key, known);
        known.pieces.push(...pieces.map((piece) => ({ ...piece, part: part + piece.part })));
      }
      profileCount += selection.profileCount;
      rowCount += selection.rowCount;
      missing.push(...selection.missing);
    }
    const all = [...series.values()];
    for (const { pieces } of all) {
      const firsts = new Map(pieces.map((piece) => [piece, piece.digest().firstNanos]));
      pieces.sort((a, b) => Number((firsts.get(a) ?? 0n) - (firsts.get(b) ?? 0n)));
    }
    const dispose = (): void => undefined;
    return { parts, series: all, profileCount, rowCount, missing, [Symbol.dispose]: dispose };
  }

  async labelNames(query: SeriesQuery): Promise<string[]> {
    return this.#union((store) => store.labelNames(query));
  }

  async labelValues(name: string, query: SeriesQuery): Promise<string[]> {
    return this.#union((store) => store.labelValues(name, query));
  }

  async profileTypes(range: TimeRange, matchers?: readonly LabelMatcher[]): Promise<ProfileType[]> {
    const asked = this.#stores.map((store) => store.profileTypes(range, matchers));
    const types = await Promise.all(asked);
    const byText = new Map(types.flat().map((type) => [formatProfileType(type), type]));
    return [...byText].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, type]) => type);
  }

  async hasData(): Promise<boolean> {
    const answers = await Promise.all(this.#stores.map((store) => store.hasData()));
    return answers.includes(true);
  }

  async #union(ask: (store: Querier) => Promise<string[]>): Promise<string[]> {
    const answers = await Promise.all(this.#stores.map(ask));
    return [...new Set(answers.flat())].sort();
  }
}
