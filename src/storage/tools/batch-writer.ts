// Writes profiles that share a dictionary to another store, in commits of limited size.
import { DictionaryTranslator } from '../../model/dictionaries/dictionary-translator.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import type { SampleLabelsIndex, StackIndex } from '../../model/rows.ts';
import type { IncomingProfile, Storage } from '../interface.ts';

/** Maximum number of rows in one commit. */
const commitRowsMax = 100_000;

export class BatchWriter {
  rowCount = 0;
  readonly #target: Pick<Storage, 'appender'>;
  readonly #source: Dictionary;
  readonly #translators = new WeakMap<Dictionary, DictionaryTranslator>();
  #appender: ReturnType<Storage['appender']> | undefined;
  #rows = 0;

  constructor(target: Pick<Storage, 'appender'>, source: Dictionary) {
    this.#target = target;
    this.#source = source;
  }

  /**
   * Adds a profile. Its stacks and labels are rows of the source's dictionary. Errors: as in
   * `commit`.
   */
  async add(profile: IncomingProfile): Promise<void> {
    this.#appender ??= this.#target.appender();
    const { dictionary } = this.#appender;
    const to =
      this.#translators.get(dictionary) ?? new DictionaryTranslator(this.#source, dictionary);
    this.#translators.set(dictionary, to);
    this.#appender.append({
      ...profile,
      stacks: profile.stacks.map((row) => to.stack(row as StackIndex)),
      sampleLabels: profile.sampleLabels?.map((row) => to.sampleLabels(row as SampleLabelsIndex)),
    });
    this.rowCount += profile.rowCount;
    this.#rows += profile.rowCount + 1;
    if (this.#rows >= commitRowsMax) await this.flush();
  }

  /** Commits the added profiles. */
  async flush(): Promise<void> {
    const appender = this.#appender;
    this.#appender = undefined;
    this.#rows = 0;
    await appender?.commit();
  }
}
