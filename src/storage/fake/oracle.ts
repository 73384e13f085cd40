// What a store must and may hold, remembered outside of it.

/** A profile, by what recipes.ts says of it: a text for each sample type, no two alike. */
export interface KnownProfile {
  readonly texts: readonly string[];
}

/**
 * Knows every profile that was sent, by the texts of recipes.ts. With `isTolerant` (the disk lied)
 * stored ones may be gone or there twice, what was deleted may come back, and stacks and labels may
 * be unknown ones: but no value is wrong.
 */
export class Oracle<P extends KnownProfile> {
  readonly #isTolerant: boolean;

  /** Acknowledged, or seen after a restart: there from then on. */
  readonly #stored = new Map<string, P>();
  /** Sent without an answer so far: there or not, but whole. */
  readonly #unsure = new Map<string, P>();
  /** What a deletion that is under way means. */
  #deleting: ((profile: P) => boolean) | undefined;
  /** Sent while a deletion of theirs was under way, or sent again after one: there or not. */
  readonly #contested = new Set<string>();
  readonly #deleted = new Set<string>();
  /** Sent, also again, and not answered yet. */
  readonly #inFlight = new Map<string, P>();
  #planes = 0;

  constructor(isTolerant: boolean) {
    this.#isTolerant = isTolerant;
  }

  /** A writer is about to commit. */
  sent(recipe: P): void {
    const [key] = recipe.texts;
    this.#inFlight.set(key, recipe);
    if (this.#deleting?.(recipe) === true || this.#deleted.has(key)) {
      this.#contested.add(key);
      this.loosen((other) => other === recipe);
    }
    if (!this.#stored.has(key)) this.#unsure.set(key, recipe);
  }

  /** A writer gave it up before it was sent. */
  withdrawn(recipe: P): void {
    this.#unsure.delete(recipe.texts[0]);
  }

  acknowledged(recipe: P): void {
    const [key] = recipe.texts;
    this.#inFlight.delete(key);
    if (this.#contested.has(key)) return;
    this.#unsure.delete(key);
    if (this.#stored.has(key)) return;
    this.#stored.set(key, recipe);
    this.#planes += recipe.texts.length;
  }

  get storedCount(): number {
    return this.#stored.size;
  }

  /** Everything that is stored for sure. */
  storedRecipes(): P[] {
    return [...this.#stored.values()];
  }

  /** Everything that got no answer. */
  unsureRecipes(): P[] {
    return [...this.#unsure.values()];
  }

  /** Something may take these profiles away at any time: they are there or not. */
  loosen(mayGo: (profile: P) => boolean): void {
    for (const recipe of this.storedRecipes()) {
      if (!mayGo(recipe)) continue;
      this.#removed(recipe);
      this.#unsure.set(recipe.texts[0], recipe);
    }
  }

  /** A deletion of these profiles begins. */
  beginDelete(matches: (profile: P) => boolean): void {
    for (const [key, recipe] of [...this.#unsure, ...this.#inFlight]) {
      if (matches(recipe)) this.#contested.add(key);
    }
    this.loosen(matches);
    this.#deleting = matches;
  }

  /** It has ended: what it meant is gone for good, unless it was not done. */
  endDelete(isDone: boolean): void {
    const deleting = this.#deleting;
    this.#deleting = undefined;
    if (deleting === undefined || !isDone || this.#isTolerant) return;
    for (const [key, recipe] of this.#unsure) {
      if (!deleting(recipe) || this.#contested.has(key)) continue;
      this.#unsure.delete(key);
      this.#deleted.add(key);
    }
  }

  #removed(recipe: P): void {
    const [key] = recipe.texts;
    if (this.#stored.delete(key)) this.#planes -= recipe.texts.length;
  }

  /**
   * After a restart: all that is stored is there, once and equal; what is unsure is there whole or
   * not at all, and from now on it is stored, or it never comes unless it is sent again.
   *
   * Errors: an Error that says what is wrong.
   */
  checkRestart(found: readonly string[]): void {
    const seen = this.#uniqueTexts(found);
    this.#contested.clear();
    this.#inFlight.clear();
    this.#deleting = undefined;
    for (const recipe of this.#unsure.values()) if (isIn(seen, recipe)) this.acknowledged(recipe);
    for (const recipe of this.storedRecipes()) {
      if (this.#isTolerant && !isIn(seen, recipe)) this.#removed(recipe);
      else this.#expectWhole(recipe, seen);
    }
    if (seen.size !== this.#planes) this.#explainSurplus(seen, []);
    this.#unsure.clear();
  }

  /** Everything that an answer may hold now. */
  possibleRecipes(): P[] {
    return [...this.#stored.values(), ...this.#unsure.values()];
  }

  /**
   * Of an answer while others write: `expected` was stored when the query began. Everything else in
   * it was sent meanwhile, or was possible then: an answer is of the moment when it was asked for,
   * and a deletion may have ended since.
   */
  checkDuring(found: readonly string[], expected: readonly P[], possible: readonly P[]): void {
    const seen = this.#uniqueTexts(found);
    for (const recipe of expected) {
      if (!this.#isTolerant || isIn(seen, recipe)) this.#expectWhole(recipe, seen);
    }
    for (const recipe of this.#unsure.values()) {
      if (isIn(seen, recipe)) this.#expectWhole(recipe, seen);
    }
    this.#explainSurplus(seen, [...possible, ...this.#unsure.values()]);
  }

  #uniqueTexts(found: readonly string[]): Set<string> {
    const seen = new Set<string>();
    for (const text of this.#isTolerant ? this.#mend(found) : found) {
      if (seen.has(text) && !this.#isTolerant) throw new Error(`there twice: ${text}`);
      seen.add(text);
    }
    return seen;
  }

  #mend(found: readonly string[]): readonly string[] {
    const known = [...this.#stored.values(), ...this.#unsure.values()].flatMap(
      ({ texts }) => texts,
    );
    return mendTexts(found, new Set(known));
  }

  #expectWhole(recipe: P, seen: ReadonlySet<string>): void {
    for (const text of recipe.texts) {
      if (seen.has(text)) continue;
      const name = nameOf(text);
      const other = [...seen].find((found) => nameOf(found) === name);
      if (other === undefined) throw new Error(`${name} was acknowledged and is lost`);
      throw new Error(`${name} is not what was written:\n${other}\nbut\n${text}`);
    }
  }

  #explainSurplus(seen: ReadonlySet<string>, allowed: readonly P[]): void {
    const known = new Set<string>();
    for (const recipe of this.#stored.values()) for (const text of recipe.texts) known.add(text);
    for (const recipe of allowed) for (const text of recipe.texts) known.add(text);
    for (const text of seen) if (!known.has(text)) throw new Error(`came from nowhere: ${text}`);
  }
}

function isIn(seen: ReadonlySet<string>, recipe: KnownProfile): boolean {
  return recipe.texts.some((text) => seen.has(text));
}

function nameOf(text: string): string {
  return text.slice(0, text.indexOf(' '));
}

/** Puts what was written where parts of a found text are marked as lost, and all else fits. */
export function mendTexts(found: readonly string[], known: ReadonlySet<string>): readonly string[] {
  if (found.every((text) => known.has(text))) return found;
  return found.map((text) => {
    if (known.has(text)) return text;
    const head = headOf(text);
    for (const want of known) {
      if (want.startsWith(head) && isWithLosses(text, want)) return want;
    }
    return text;
  });
}

/** Name and columns, with the end of their line. */
function headOf(text: string): string {
  return text.slice(0, text.indexOf('\n') + 1);
}

/** Whether the lines of a text are those that were written, some of them with parts unknown. */
function isWithLosses(found: string, want: string): boolean {
  return canBePaired(linesOf(found), linesOf(want));
}

/** Tries every line that fits the first one: an unknown stack fits many. */
function canBePaired(found: readonly string[][], want: readonly string[][]): boolean {
  if (found.length === 0) return want.length === 0;
  const [[stack, label, value], ...rest] = found;
  return want.some(
    ([otherStack, otherLabel, otherValue], i) =>
      value === otherValue &&
      isLabelWithLosses(label, otherLabel) &&
      isStackWithLosses(stack, otherStack) &&
      canBePaired(rest, want.toSpliced(i, 1)),
  );
}

/** Stack, label and value of each line. */
function linesOf(text: string): string[][] {
  const lines = text.split('\n').slice(1);
  return lines.filter((line) => line !== '').map((line) => line.split(/[{}]/));
}

/** What stands in for a symbol that the log has lost. */
function isLost(name: string): boolean {
  return name === '' || name.startsWith('[lost ');
}

/** Known frames come in the order they were written. */
function isStackWithLosses(found: string, want: string): boolean {
  const names = found.split(';');
  if (!names.some(isLost)) return found === want;
  const rest = want.split(';');
  return names.every((name) => {
    if (isLost(name)) return true;
    const at = rest.indexOf(name);
    rest.splice(0, at + 1);
    return at >= 0;
  });
}

function isLabelWithLosses(found: string, want: string): boolean {
  if (found === '') return true;
  const wanted = want.split('=');
  return found.split('=').every((part, i) => isLost(part) || part === wanted[i]);
}
