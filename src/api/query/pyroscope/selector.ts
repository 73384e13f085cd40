// Converts selectors in Pyroscope's notation to our query language, which has the same strings and
// operators.
import { AppError } from '../../../base/errors.ts';
import { queryTextLengthMax } from '../../../base/limits.ts';

/**
 * Label that the engine uses for the profile's name; the engine's `__name__` is the complete type.
 */
const nameCondition = '__profile_name__';

/** A parsed selector. */
export interface PyroscopeSelector {
  /** Profile type before the conditions; "" if there is none. */
  readonly type: string;
  /** Conditions in our query language. */
  readonly conditions: readonly string[];
}

const space = /\s*/y;
const nameForm = /[a-zA-Z_][a-zA-Z0-9_.]*/y;
const quotedForm = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`]*`/y;
const operatorForm = /=~|!~|!=|=/y;

/**
 * Parses `type{name="value", "other.name"=~"value",}`; type and conditions are optional. The engine
 * checks values and expressions.
 *
 * Errors: AppError 'invalid-argument' with the offset of the mistake; also for "", as in Pyroscope.
 */
export function parsePyroscopeSelector(text: string): PyroscopeSelector {
  if (text.length > queryTextLengthMax) {
    const length = `${text.length} characters, the limit is ${queryTextLengthMax}`;
    throw new AppError('invalid-argument', `cannot parse selector: it has ${length}`);
  }
  if (text.trim() === '') {
    throw new AppError('invalid-argument', 'cannot parse selector: it is empty; {} selects all');
  }
  return new SelectorReader(text).read();
}

/** Returns a query that selects the profiles of a type and adds `offsetNanos` to their times. */
export function profilesQuery(
  type: string,
  conditions: readonly string[],
  offsetNanos = 0n,
): string {
  const all = [`__name__=${JSON.stringify(`${checkedType(type)}:delta`)}`, ...conditions];
  return `{${all.join(', ')}}${offsetNanos === 0n ? '' : ` offset ${offsetNanos}ns`}`;
}

/** Returns a type that has five parts. Errors: AppError 'invalid-argument' for other types. */
function checkedType(type: string): string {
  const parts = type.split(':');
  const isDelta = parts.length === 6 && parts[5] === 'delta';
  if (parts.length === 5 || isDelta) return parts.slice(0, 5).join(':');
  throw new AppError(
    'invalid-argument',
    `invalid profile type ${JSON.stringify(type)}: expected ` +
      '<name>:<sample-type>:<sample-unit>:<period-type>:<period-unit>',
  );
}

class SelectorReader {
  readonly #text: string;
  #at = 0;
  /** Profile type from a condition on `__name__`. */
  #type = '';

  constructor(text: string) {
    this.#text = text;
  }

  read(): PyroscopeSelector {
    const brace = this.#text.indexOf('{');
    const type = (brace === -1 ? this.#text : this.#text.slice(0, brace)).trim();
    if (brace === -1) return { type, conditions: [] };
    this.#at = brace + 1;
    const conditions: string[] = [];
    while (!this.#takes('}')) {
      conditions.push(this.#condition());
      if (this.#takes(',')) continue;
      if (this.#takes('}')) break;
      throw this.#fail('"," or "}"');
    }
    this.#skip();
    if (this.#at < this.#text.length) throw this.#fail('the end');
    return { type: type === '' ? this.#type : type, conditions };
  }

  #condition(): string {
    const name = this.#token(quotedForm) ?? this.#token(nameForm);
    if (name === undefined) throw this.#fail('the name of a label');
    const operator = this.#token(operatorForm);
    if (operator === undefined) throw this.#fail('=, !=, =~ or !~');
    const value = this.#token(quotedForm);
    if (value === undefined) throw this.#fail('a value in quotes');
    const isName = name === '__name__' || name.slice(1, -1) === '__name__';
    if (isName && operator === '=' && value.split(':').length >= 5) {
      this.#type = value.slice(1, -1);
      return `__profile_type__=${value}`;
    }
    const own = isName ? nameCondition : name.includes('.') ? quoted(name) : name;
    return `${own}${operator}${value}`;
  }

  #skip(): void {
    space.lastIndex = this.#at;
    space.exec(this.#text);
    this.#at = space.lastIndex;
  }

  #takes(sign: string): boolean {
    this.#skip();
    if (this.#text[this.#at] !== sign) return false;
    this.#at += 1;
    return true;
  }

  #token(form: RegExp): string | undefined {
    this.#skip();
    form.lastIndex = this.#at;
    const [found] = form.exec(this.#text) ?? [];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #fail(expected: string): AppError {
    const got = JSON.stringify(this.#text.slice(this.#at, this.#at + 20));
    const place = `expected ${expected} at ${this.#at}, got ${got}`;
    return new AppError('invalid-argument', `cannot parse selector: ${place}`);
  }
}

/** Returns a name in quotes; a quoted name stays unchanged. */
function quoted(name: string): string {
  return /^["'`]/.test(name) ? name : JSON.stringify(name);
}
