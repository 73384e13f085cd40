// Conditions of frame filters, evaluated once per distinct name, binary and location.
import { grown } from '../../model/column.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import { findKind } from '../../model/function-kind.ts';
import { packageName } from '../../model/package-name.ts';
import { compileSearch } from '../../model/pattern.ts';
import type { FunctionIndex, StringIndex } from '../../model/rows.ts';
import { baseName } from '../../model/file-path.ts';

/**
 * Condition on a string. ASCII letters are compared ignoring case, as in Parca. The operator
 * 'matches' respects case; its strings are regular expressions that may match anywhere.
 */
export interface TextCondition {
  readonly operator: 'equal' | 'contains' | 'starts-with' | 'matches';
  readonly isNegated: boolean;
  /**
   * Strings to compare with. The condition holds if at least one string satisfies it; a negated
   * condition holds if none does.
   */
  readonly texts: readonly string[];
}

/** Condition on the kind of a function. */
export interface KindCondition extends TextCondition {
  /** Prefixes of the user's own code; empty if rules decide. */
  readonly own: readonly string[];
}

/** Condition on an unsigned 64-bit number: equal or not equal. */
export interface NumberCondition {
  readonly isNegated: boolean;
  readonly value: bigint;
}

/** Conditions on a single frame. An inlined call is a separate frame. */
export interface FrameCriteria {
  /** Function name as shown in reports. */
  readonly functionName?: TextCondition;
  readonly systemName?: TextCondition;
  /** The last element of the mapping's path. */
  readonly binary?: TextCondition;
  readonly fileName?: TextCondition;
  /** Package as returned by `packageName`; "(unknown)" counts as a package. */
  readonly package?: TextCondition;
  /** Kind of the function as returned by `findKind`; "(unknown)" counts as a kind. */
  readonly kind?: KindCondition;
  readonly address?: NumberCondition;
  readonly lineNumber?: NumberCondition;
  /** Function name, file or complete mapping path, as in `go tool pprof -focus`. */
  readonly anyName?: TextCondition;
}

/** Conditions on the frames of a stack, or only on its innermost frame. */
export interface StackCriteria extends FrameCriteria {
  /** True if only the innermost frame is tested. */
  readonly isOfLeaf?: boolean;
}

/** Results of a condition before negation; `absent` if the frame has no such string. */
const absent = 0;
const no = 1;
const yes = 2;

interface Condition {
  readonly isNegated: boolean;
  /** `line` is -1 for a location without lines. */
  readonly answer: (location: number, line: number) => number;
}

/** Evaluates criteria for the frames of a dictionary. */
export class FrameCriteriaTester {
  /** True if at least one condition is not negated. */
  readonly isPositive: boolean;
  readonly #positive: readonly Condition[];
  readonly #negated: readonly Condition[];

  constructor(dictionary: Dictionary, criteria: FrameCriteria) {
    const all = makeConditions(dictionary, criteria);
    this.#positive = all.filter(({ isNegated }) => !isNegated);
    this.#negated = all.filter(({ isNegated }) => isNegated);
    this.isPositive = this.#positive.length > 0;
  }

  /**
   * Returns true if the frame satisfies all conditions that are not negated. A frame without the
   * string to compare does not satisfy a condition.
   */
  isFound(location: number, line: number): boolean {
    for (const { answer } of this.#positive) if (answer(location, line) !== yes) return false;
    return true;
  }

  /** Returns true if a negated condition excludes the frame. */
  isExcluded(location: number, line: number): boolean {
    for (const { answer } of this.#negated) if (answer(location, line) === yes) return true;
    return false;
  }

  /**
   * Returns true if the frame is kept. Conditions on strings that the frame does not have are
   * ignored.
   */
  isKept(location: number, line: number): boolean {
    for (const { answer } of this.#positive) if (answer(location, line) === no) return false;
    return !this.isExcluded(location, line);
  }
}

function makeConditions(dictionary: Dictionary, criteria: FrameCriteria): Condition[] {
  const { functions, locations, mappings } = dictionary;
  const conditions: Condition[] = [];
  const addText = (
    condition: TextCondition | undefined,
    isOfLine: boolean,
    readText: (location: number, line: number) => number,
    part: (text: string) => string = wholeText,
  ): void => {
    if (condition === undefined) return;
    const tester = new TextTester(dictionary, compileText(condition, part));
    conditions.push({
      isNegated: condition.isNegated,
      answer: (location, line) => {
        const isAbsent = isOfLine ? line === -1 : locations.mapping[location] === 0;
        return isAbsent ? absent : tester.passes(readText(location, line)) ? yes : no;
      },
    });
  };
  const functionAt = (line: number): FunctionIndex => locations.lineFunction[line] as FunctionIndex;
  addText(criteria.functionName, true, (_, line) => functions.displayName(functionAt(line)));
  addText(criteria.systemName, true, (_, line) => functions.systemName[functionAt(line)]);
  addText(criteria.fileName, true, (_, line) => functions.fileName[functionAt(line)]);
  addText(criteria.binary, false, (at) => mappings.fileName[locations.mapping[at]], baseName);
  if (criteria.anyName !== undefined) {
    conditions.push(anyNameCondition(dictionary, criteria.anyName));
  }
  if (criteria.package !== undefined) {
    conditions.push(derivedCondition(dictionary, criteria.package, packageName));
  }
  if (criteria.kind !== undefined) {
    const { own } = criteria.kind;
    const kindOf = (...of: [string, string, string]): string => findKind(...of, own);
    conditions.push(derivedCondition(dictionary, criteria.kind, kindOf));
  }
  const { address, lineNumber } = criteria;
  if (address !== undefined) {
    const low = Number(address.value & 0xffff_ffffn);
    const high = Number(address.value >> 32n);
    const isEqual = (at: number): boolean =>
      locations.addressLow[at] === low && locations.addressHigh[at] === high;
    conditions.push({
      isNegated: address.isNegated,
      answer: (location) => (isEqual(location) ? yes : no),
    });
  }
  if (lineNumber !== undefined) {
    const value = Number(lineNumber.value);
    const isEqual = (line: number): boolean => locations.lineNumber[line] === value;
    conditions.push({
      isNegated: lineNumber.isNegated,
      answer: (_, line) => (line === -1 ? absent : isEqual(line) ? yes : no),
    });
  }
  return conditions;
}

/** Builds the condition `anyName`, which never matches frames without names. */
function anyNameCondition(dictionary: Dictionary, condition: TextCondition): Condition {
  const { functions, locations, mappings } = dictionary;
  const tester = new TextTester(dictionary, compileText(condition, wholeText));
  const isNamed = (location: number, line: number): boolean => {
    const mapping = locations.mapping[location];
    if (mapping !== 0 && tester.passes(mappings.fileName[mapping])) return true;
    if (line === -1) return false;
    const row = locations.lineFunction[line] as FunctionIndex;
    return tester.passes(functions.displayName(row)) || tester.passes(functions.fileName[row]);
  };
  return {
    isNegated: condition.isNegated,
    answer: (location, line) => (isNamed(location, line) ? yes : no),
  };
}

/**
 * Builds a condition on a string that is derived from a frame's name, file and binary. The string
 * is computed once per function and binary.
 */
function derivedCondition(
  dictionary: Dictionary,
  condition: TextCondition,
  derive: (name: string, file: string, binary: string) => string,
): Condition {
  const { functions, locations, mappings, strings } = dictionary;
  const holds = compileText(condition, wholeText);
  /** Results by mapping, then by function; 0 = location without lines. */
  const known = new Map<number, Map<number, boolean>>();
  const decide = (row: number, mapping: number): boolean => {
    const at = row as FunctionIndex;
    const name = row === 0 ? '' : strings.text(functions.displayName(at));
    const file = row === 0 ? '' : strings.text(functions.fileName[at] as StringIndex);
    const path = mapping === 0 ? '' : strings.text(mappings.fileName[mapping] as StringIndex);
    return holds(derive(name, file, path));
  };
  const answer = (location: number, line: number): number => {
    const mapping = locations.mapping[location];
    const row = line === -1 ? 0 : locations.lineFunction[line];
    let ofMapping = known.get(mapping);
    if (ofMapping === undefined) known.set(mapping, (ofMapping = new Map()));
    let is = ofMapping.get(row);
    if (is === undefined) ofMapping.set(row, (is = decide(row, mapping)));
    return is ? yes : no;
  };
  return { isNegated: condition.isNegated, answer };
}

/** Evaluates a predicate once for each distinct string. */
export class TextTester {
  /** Results by StringIndex; 0 = not evaluated yet. */
  #known: Uint8Array;
  readonly #dictionary: Dictionary;
  readonly #predicate: (text: string) => boolean;

  constructor(dictionary: Dictionary, predicate: (text: string) => boolean) {
    this.#dictionary = dictionary;
    this.#predicate = predicate;
    this.#known = new Uint8Array(dictionary.strings.length);
  }

  passes(row: number): boolean {
    const known = this.#known[row];
    return known === yes || (known !== no && this.#decide(row));
  }

  #decide(row: number): boolean {
    // The dictionary may have grown since the last call.
    this.#known = grown(this.#known, row + 1);
    const passes = this.#predicate(this.#dictionary.strings.text(row as StringIndex));
    this.#known[row] = passes ? yes : no;
    return passes;
  }
}

type LiteralOperator = Exclude<TextCondition['operator'], 'matches'>;

const operators: Readonly<Record<LiteralOperator, (text: string, wanted: string) => boolean>> = {
  equal: (text, wanted) => text === wanted,
  contains: (text, wanted) => text.includes(wanted),
  'starts-with': (text, wanted) => text.startsWith(wanted),
};

/** Returns the regular expression for each operator, given an escaped string. */
const expressions: Readonly<Record<LiteralOperator, (escaped: string) => string>> = {
  equal: (escaped) => `^${escaped}$`,
  contains: (escaped) => escaped,
  'starts-with': (escaped) => `^${escaped}`,
};

function compileText(
  { operator, texts }: TextCondition,
  part: (text: string) => string,
): (text: string) => boolean {
  if (operator === 'matches') {
    const searches = texts.map(compileSearch);
    return (text) => searches.some((isFound) => isFound(part(text)));
  }
  const conditions = texts.map((wanted) => compileLiteral(operator, wanted));
  return (text) => {
    const candidate = part(text);
    return conditions.some((holds) => holds(candidate));
  };
}

function compileLiteral(operator: LiteralOperator, wanted: string): (text: string) => boolean {
  if (isBeyondAscii.test(wanted)) {
    const holds = operators[operator];
    const lower = lowerAscii(wanted);
    return (text) => holds(lowerAscii(text), lower);
  }
  // Converting each name to lower case would double the time and create garbage. Without the
  // Unicode flag, "i" matches ASCII letters with no other letters.
  const escaped = wanted.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const expression = new RegExp(expressions[operator](escaped), 'i');
  return (text) => expression.test(text);
}

const isBeyondAscii = /[^\0-\x7f]/;

function lowerAscii(text: string): string {
  if (!isBeyondAscii.test(text)) return text.toLowerCase();
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function wholeText(text: string): string {
  return text;
}
