// What an answer was made of, so that it is known when another would be the same.
import { formatProfileType } from '../model/profile-type.ts';
import type { ProfileType } from '../model/profile-type.ts';
import type { Querier, SeriesQuery, TimeRange } from '../storage/interface.ts';
import type { Selection } from '../storage/selection.ts';

interface Read {
  readonly range: TimeRange;
  /** Of the range, before it was read; see Querier.state. */
  readonly state: string | undefined;
  /** Where only types were read: these. They change seldom, the state of all of time always. */
  readonly types: string | undefined;
}

/** Passes questions on to the store, and notes which they were. */
export class RecordingQuerier implements Querier {
  private readonly querier: Querier;
  private readonly reads: Read[] = [];

  constructor(querier: Querier) {
    this.querier = querier;
  }

  /** Notes what was read for a part of the answer. */
  include({ reads }: RecordingQuerier): void {
    this.reads.push(...reads);
  }

  /** Whether the same questions would be answered the same now; false when nobody can tell. */
  async isCurrent(): Promise<boolean> {
    for (const { range, state, types } of this.reads) {
      if (types === undefined) {
        if (state === undefined || this.querier.state?.(range) !== state) return false;
      } else if (textOf(await this.querier.profileTypes(range)) !== types) return false;
    }
    return true;
  }

  select(query: SeriesQuery): Promise<Selection> {
    this.note(query.range);
    return this.querier.select(query);
  }

  labelNames(query: SeriesQuery): Promise<string[]> {
    this.note(query.range);
    return this.querier.labelNames(query);
  }

  labelValues(name: string, query: SeriesQuery): Promise<string[]> {
    this.note(query.range);
    return this.querier.labelValues(name, query);
  }

  async profileTypes(range: TimeRange): Promise<ProfileType[]> {
    const types = await this.querier.profileTypes(range);
    this.reads.push({ range, state: undefined, types: textOf(types) });
    return types;
  }

  hasData(): Promise<boolean> {
    return this.querier.hasData();
  }

  private note(range: TimeRange): void {
    this.reads.push({ range, state: this.querier.state?.(range), types: undefined });
  }
}

function textOf(types: readonly ProfileType[]): string {
  return types.map(formatProfileType).join(' ');
}
