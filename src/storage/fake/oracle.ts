// Remembers, independently of a store, which profiles it must contain and which it may contain.

/** A profile in the form in which recipes.ts prints it: a distinct string for each sample type. */
export interface KnownProfile {
  readonly texts: readonly string[];
}

/**
 * Tracks every profile that was sent, by its strings. `isTolerant` is for a disk that lied about a
 * sync: stored profiles may then be missing or duplicated, deleted profiles may reappear, and
 * stacks and labels may be unknown; but no value may be wrong.
 */
export class Oracle<P extends KnownProfile> {
  readonly #isTolerant: boolean;

  /** Profiles that were acknowledged or seen after a restart: from then on, they must exist. */
  readonly #stored = new Map<string, P>();
  /** Profiles whose commit was not answered: each exists completely, or not at all. */
  readonly #unsure = new Map<string, P>();
  /** Condition of the deletion that is in progress. */
  #deleting: ((profile: P) => boolean) | undefined;
  /**
   * Profiles that match the deletion in progress, or that were sent again after a deletion. Each of
   * them may exist, but need not.
   */
  readonly #contested = new Set<string>();
  readonly #deleted = new Set<string>();
  /** Profiles whose commit is in progress. A profile may be sent for the first time or again. */
  readonly #inFlight = new Map<string, P>();
  #valueColumns = 0;

  constructor(isTolerant: boolean) {
    this.#isTolerant = isTolerant;
  }

  /** Records that a writer is about to commit a profile. */
  sent(recipe: P): void {
    const [key] = recipe.texts;
    this.#inFlight.set(key, recipe);
    if (this.#deleting?.(recipe) === true || this.#deleted.has(key)) {
      this.#contested.add(key);
      this.loosen((other) => other === recipe);
    }
    if (!this.#stored.has(key)) this.#unsure.set(key, recipe);
  }

  /** Records that a writer dropped a profile without sending it. */
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
    this.#valueColumns += recipe.texts.length;
  }

  get storedCount(): number {
    return this.#stored.size;
  }

  /** Returns all profiles that must exist. */
  storedRecipes(): P[] {
    return [...this.#stored.values()];
  }

  /** Returns all profiles whose commit was not answered. */
  unsureRecipes(): P[] {
    return [...this.#unsure.values()];
  }

  /** Marks profiles that may disappear at any time from now on. */
  loosen(mayGo: (profile: P) => boolean): void {
    for (const recipe of this.storedRecipes()) {
      if (!mayGo(recipe)) continue;
      this.#removed(recipe);
      this.#unsure.set(recipe.texts[0], recipe);
    }
  }

  /** Records that a deletion of the matching profiles begins. */
  beginDelete(matches: (profile: P) => boolean): void {
    for (const [key, recipe] of [...this.#unsure, ...this.#inFlight]) {
      if (matches(recipe)) this.#contested.add(key);
    }
    this.loosen(matches);
    this.#deleting = matches;
  }

  /** Records that the deletion has ended. Unless it failed, its profiles are permanently gone. */
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
    if (this.#stored.delete(key)) this.#valueColumns -= recipe.texts.length;
  }

  /**
   * Checks the state after a restart. Every stored profile must exist once, unchanged. A profile
   * whose commit was not answered may exist completely, and then counts as stored from now on.
   * Otherwise it must never appear unless it is sent again. Errors: an Error that describes the
   * fault.
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
    if (seen.size !== this.#valueColumns) this.#explainSurplus(seen, []);
    this.#unsure.clear();
  }

  /** Returns all profiles that an answer may contain now. */
  possibleRecipes(): P[] {
    return [...this.#stored.values(), ...this.#unsure.values()];
  }

  /**
   * Checks an answer that was read while others wrote. `expected` was stored when the query began.
   * Any other profile in the answer must be in `possible`: it may have been written since, or it
   * may have been deleted only after it was read.
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
      if (seen.has(text) && !this.#isTolerant) throw new Error(`found twice: ${text}`);
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
      const name = firstWord(text);
      const other = [...seen].find((found) => firstWord(found) === name);
      if (other === undefined) throw new Error(`${name} was acknowledged and is lost`);
      throw new Error(`${name} is not what was written:\n${other}\nbut\n${text}`);
    }
  }

  #explainSurplus(seen: ReadonlySet<string>, allowed: readonly P[]): void {
    const known = new Set<string>();
    for (const recipe of this.#stored.values()) for (const text of recipe.texts) known.add(text);
    for (const recipe of allowed) for (const text of recipe.texts) known.add(text);
    for (const text of seen) if (!known.has(text)) throw new Error(`found but never sent: ${text}`);
  }
}

function isIn(seen: ReadonlySet<string>, recipe: KnownProfile): boolean {
  return recipe.texts.some((text) => seen.has(text));
}

function firstWord(text: string): string {
  return text.slice(0, text.indexOf(' '));
}

/**
 * Replaces strings in which symbols are marked as lost with the written strings that they match.
 */
export function mendTexts(found: readonly string[], known: ReadonlySet<string>): readonly string[] {
  if (found.every((text) => known.has(text))) return found;
  return found.map((text) => {
    if (known.has(text)) return text;
    const head = firstLine(text);
    for (const want of known) {
      if (want.startsWith(head) && isWithLosses(text, want)) return want;
    }
    return text;
  });
}

/** Returns the first line of a string with its line break. It has the name and the columns. */
function firstLine(text: string): string {
  return text.slice(0, text.indexOf('\n') + 1);
}

/** Returns true if a string has the lines that were written, ignoring symbols that were lost. */
function isWithLosses(found: string, want: string): boolean {
  return canBePaired(splitLines(found), splitLines(want));
}

/**
 * Returns true if each found line can be paired with a different written line. Tries all pairs,
 * because an unknown stack matches many lines.
 */
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

/** Splits each line into stack, label and value. */
function splitLines(text: string): string[][] {
  const lines = text.split('\n').slice(1);
  return lines.filter((line) => line !== '').map((line) => line.split(/[{}]/));
}

/** Returns true if a name stands in for a symbol that the log has lost. */
function isLost(name: string): boolean {
  return name === '' || name.startsWith('[lost ');
}

/** Returns true if the known frames are in the order in which they were written. */
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
