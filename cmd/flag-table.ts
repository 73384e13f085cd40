// The flags of a program as a table: reading `--name value`, and the lines of --help.
import { AppError } from '../src/base/errors.ts';
import { nearest } from '../src/base/nearest.ts';

/** One flag. */
export interface FlagRow {
  readonly name: string;
  /** A letter that stands for it: `-o`. */
  readonly short?: string;
  /** Shown in the help; "" for switches, which take no value. */
  readonly placeholder: string;
  readonly initial: string;
  readonly help: string;
}

/** What was given, by name of the flag; and what is no flag, in order. */
export interface Arguments {
  readonly flags: FlagValues;
  readonly positional: readonly string[];
}

/** Values of flags as text; the initial one where none was given. */
export class FlagValues {
  readonly #initial: ReadonlyMap<string, string>;
  readonly #given: ReadonlyMap<string, readonly string[]>;

  constructor(table: readonly FlagRow[], given: ReadonlyMap<string, readonly string[]>) {
    this.#initial = new Map(table.map((row) => [row.name, row.initial]));
    this.#given = given;
  }

  /** Every value, for flags that add up. */
  all(name: string): readonly string[] {
    return this.#given.get(name) ?? [this.#initial.get(name) ?? ''];
  }

  /** The last of several wins. */
  last(name: string): string {
    return this.all(name).at(-1) ?? '';
  }
}

export interface FlagRules {
  readonly table: readonly FlagRow[];
  /** Flags that are known elsewhere, but do not work here. */
  readonly notYet?: ReadonlySet<string>;
  /** Most arguments that are no flags. */
  readonly positionalMax: number;
}

/**
 * Reads `--flag value`, `--flag=value`, `-f value` and `-f=value`. What follows `--` is no flag.
 *
 * Errors: AppError 'invalid-argument' for unknown flags (naming the nearest), missing values and
 * too many arguments; 'unimplemented' for flags that are not supported yet.
 */
export function parseArguments(args: readonly string[], rules: FlagRules): Arguments {
  const given = new Map<string, string[]>();
  const positional: string[] = [];
  let areFlagsOver = false;
  for (let i = 0; i < args.length; i += 1) {
    const match = areFlagsOver ? null : /^(?:--([^=]+)|-([^-=]))(?:=(.*))?$/s.exec(args[i]);
    if (match === null) {
      if (args[i] === '--' && !areFlagsOver) {
        areFlagsOver = true;
        continue;
      }
      const isFlagLike = !areFlagsOver && args[i].length > 1 && args[i].startsWith('-');
      if (isFlagLike || positional.length === rules.positionalMax) {
        throw invalidFlag(`unexpected argument ${JSON.stringify(args[i])}`);
      }
      positional.push(args[i]);
      continue;
    }
    const row = findFlag(match, rules);
    let value = match[3];
    if (value === undefined) {
      if (row.placeholder === '') value = 'true';
      else {
        i += 1;
        value = args[i];
      }
    }
    if (value === undefined) throw invalidFlag(`--${row.name} needs a value`);
    given.set(row.name, [...(given.get(row.name) ?? []), value]);
  }
  return { flags: new FlagValues(rules.table, given), positional };
}

/** A line for each flag. */
export function flagLines(table: readonly FlagRow[]): string {
  return table
    .map(({ name, short, placeholder, initial, help }) => {
      const letter = short === undefined ? '' : `-${short}, `;
      const left = `  ${letter}--${name}${placeholder === '' ? '' : `=${placeholder}`}`;
      const shown = placeholder === '' || initial === '' ? '' : ` Default: ${initial}.`;
      return `${left.padEnd(38)} ${help}${shown}\n`;
    })
    .join('');
}

/** The choice that `text` is. Errors: AppError 'invalid-argument' naming all. */
export function oneOf<T extends string>(name: string, text: string, choices: readonly T[]): T {
  const choice = choices.find((one) => one === text);
  if (choice !== undefined) return choice;
  throw invalidFlag(`--${name} must be ${choices.join(', ')}, not ${JSON.stringify(text)}`);
}

/** Whether a switch is on. */
export function toggle(name: string, text: string): boolean {
  return oneOf(name, text, ['true', 'false']) === 'true';
}

export function invalidFlag(message: string): AppError {
  return new AppError('invalid-argument', message);
}

function findFlag([, name, short]: RegExpExecArray, { table, notYet }: FlagRules): FlagRow {
  const row = table.find((one) => (name === undefined ? one.short === short : one.name === name));
  if (row !== undefined) return row;
  if (name === undefined) throw invalidFlag(`unknown flag -${short}: see --help`);
  if (notYet?.has(name) === true) {
    throw new AppError('unimplemented', `--${name} is a flag of Parca that is not supported yet`);
  }
  const near = nearest(name, [...table.map((one) => one.name), ...(notYet ?? [])]);
  const hint = near === undefined ? 'see --help' : `did you mean --${near}?`;
  throw invalidFlag(`unknown flag --${name}: ${hint}`);
}
