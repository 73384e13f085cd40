// Table of a program's flags: parses their values, and prints --help.
import { AppError, errorMessage } from '../src/base/errors.ts';
import { maskUrl } from '../src/base/text/mask-user-info.ts';
import { nearest } from '../src/base/text/nearest.ts';
import { type ForeignFlag, foreignNotice, isSwitch } from './foreign-flags.ts';

/** A flag of the table. */
export interface FlagRow {
  readonly name: string;
  /** Letter of the short form, such as `-o`. */
  readonly short?: string;
  /** Name of the value in the help; "" for switches, which have no value. */
  readonly placeholder: string;
  readonly initial: string;
  readonly help: string;
  /** True if the value must not be shown. */
  readonly isSecret?: boolean;
}

/** Creates a row. `form` is what the help shows: `log-level=LEVEL`, or `version` for a switch. */
export function flag(form: string, initial: string, help: string): FlagRow {
  const [, name, placeholder] = /^([^=]*)=?(.*)$/.exec(form) ?? [];
  return { name, placeholder, initial, help };
}

/** Creates the row of a flag whose value must not be shown. */
export function secretFlag(form: string, help: string): FlagRow {
  return { ...flag(form, '', help), isSecret: true };
}

/** A flag with its value, for display. */
export interface ShownFlag {
  readonly name: string;
  /** Value as a string. Secrets are masked. Several values are separated by commas. */
  readonly value: string;
  /** True if the flag was given on the command line. */
  readonly isGiven: boolean;
}

/** Parsed command line: flags by name, and other arguments in order. */
export interface Arguments {
  readonly flags: FlagValues;
  readonly positional: readonly string[];
  /** Log lines about Parca's flags that have no effect. */
  readonly notices: readonly string[];
}

/**
 * Values of flags. A flag that is not given has its initial value. Error messages contain the
 * flag's name.
 */
export class FlagValues {
  readonly #initial: ReadonlyMap<string, string>;
  readonly #given: ReadonlyMap<string, readonly string[]>;

  constructor(table: readonly FlagRow[], given: ReadonlyMap<string, readonly string[]>) {
    this.#initial = new Map(table.map((row) => [row.name, row.initial]));
    this.#given = given;
  }

  /** Returns the flags of a table with their values, in order. */
  shown(table: readonly FlagRow[]): ShownFlag[] {
    return table.map(({ name, isSecret }) => {
      const value = this.all(name).join(',');
      const isMasked = isSecret === true && value !== '';
      const shown = isMasked ? '<secret>' : maskUrl(value);
      return { name, value: shown, isGiven: this.#given.has(name) };
    });
  }

  /** Returns true if a flag was given on the command line. */
  isGiven(name: string): boolean {
    return this.#given.has(name);
  }

  /** Returns all values of a repeatable flag. */
  all(name: string): readonly string[] {
    return this.#given.get(name) ?? [this.text(name)];
  }

  /**
   * Returns the value of a flag, or the last value if it is repeated; "" for a flag that is not in
   * the table.
   */
  text(name: string): string {
    return this.#given.get(name)?.at(-1) ?? this.#initial.get(name) ?? '';
  }

  /** Parses the value of a flag. Errors: AppError 'invalid-argument'. */
  read<T>(name: string, parse: (text: string) => T): T {
    try {
      return parse(this.text(name));
    } catch (error) {
      throw invalidFlag(`--${name}: ${errorMessage(error)}`);
    }
  }

  /** Returns one of `choices`. Errors: AppError 'invalid-argument' with all choices. */
  oneOf<T extends string>(name: string, choices: readonly T[]): T {
    const text = this.text(name);
    const choice = choices.find((one) => one === text);
    if (choice !== undefined) return choice;
    throw invalidFlag(`--${name} must be ${choices.join(', ')}, not ${JSON.stringify(text)}`);
  }

  /** Returns true if a switch is on. Errors: as in `oneOf`. */
  isOn(name: string): boolean {
    return this.oneOf(name, ['true', 'false']) === 'true';
  }

  /**
   * Parses an integer of at least 0 and, if `max` is given, at most `max`. Errors: AppError
   * 'invalid-argument'.
   */
  count(name: string, max?: number): number {
    const text = this.text(name);
    const isCount = /^\d+$/.test(text) && Number(text) <= (max ?? Number.MAX_SAFE_INTEGER);
    if (isCount) return Number(text);
    const wanted = `a whole number from 0${max === undefined ? '' : ` to ${max}`}`;
    throw invalidFlag(`--${name} must be ${wanted}, not ${JSON.stringify(text)}`);
  }
}

export interface FlagRules {
  readonly table: readonly FlagRow[];
  /**
   * Flags of other commands. The command line must not contain them, but their default values can
   * be read.
   */
  readonly others?: readonly FlagRow[];
  /** Parca's flags without an equivalent. */
  readonly foreign?: readonly ForeignFlag[];
  /** Maximum number of arguments other than flags. */
  readonly positionalMax: number;
  /**
   * Name of the program. A path that ends with it is skipped at the start of the arguments, because
   * manifests for Parca's images start with `/parca` or `/bin/parca-agent`.
   */
  readonly program?: string;
}

/**
 * Parses `--flag value`, `--flag=value`, `-f value` and `-f=value`. Arguments after `--` are not
 * flags.
 *
 * Errors: AppError 'invalid-argument' for unknown flags (with the most similar flag), missing
 * values and too many arguments; 'unimplemented' for Parca's flags for features that do not exist
 * here.
 */
export function parseArguments(args: readonly string[], rules: FlagRules): Arguments {
  const given = new Map<string, string[]>();
  const positional: string[] = [];
  let areFlagsOver = false;
  let hasSkipped = false;
  /** Name of the previous switch, if it was given without a value. */
  let setBefore = '';
  for (let i = 0; i < args.length; i += 1) {
    const match = areFlagsOver ? null : /^(?:--([^=]+)|-([^-=]))(?:=(.*))?$/s.exec(args[i]);
    if (match === null) {
      if (args[i] === '--' && !areFlagsOver) {
        areFlagsOver = true;
        continue;
      }
      if (isOwnPath(args[i], rules.program) && !hasSkipped && positional.length === 0) {
        hasSkipped = true;
        continue;
      }
      const isFlagLike = !areFlagsOver && args[i].length > 1 && args[i].startsWith('-');
      if (isFlagLike || positional.length === rules.positionalMax) {
        const isValue = setBefore !== '' && /^(?:true|false)$/.test(args[i]);
        const hint = isValue ? `: write --${setBefore}=${args[i]}` : '';
        throw invalidFlag(`unexpected argument ${JSON.stringify(args[i])}${hint}`);
      }
      positional.push(args[i]);
      setBefore = '';
      continue;
    }
    const row = findFlag(match, rules);
    let value: string | undefined = match[3];
    setBefore = value === undefined && row.placeholder === '' ? row.name : '';
    if (value === undefined && row.placeholder === '') value = 'true';
    if (value === undefined) {
      i += 1;
      value = args[i];
    }
    if (value === undefined) throw invalidFlag(`--${row.name} needs a value`);
    given.set(row.name, [...(given.get(row.name) ?? []), value]);
  }
  const flags = new FlagValues([...(rules.others ?? []), ...rules.table], given);
  return { flags, positional, notices: listNotices(given, rules.foreign ?? []) };
}

/**
 * Returns a line for each Parca flag that was given but has no effect. Errors: as in foreignNotice.
 */
function listNotices(
  given: ReadonlyMap<string, readonly string[]>,
  foreign: readonly ForeignFlag[],
): string[] {
  return foreign.flatMap((one) => {
    const value = given.get(one.name)?.at(-1);
    return (value === undefined ? undefined : foreignNotice(one, value)) ?? [];
  });
}

function isOwnPath(word: string, program: string | undefined): boolean {
  return program !== undefined && word.startsWith('/') && word.endsWith(`/${program}`);
}

/** Returns one line per flag. */
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

export function invalidFlag(message: string): UsageError {
  return new UsageError('invalid-argument', maskUrl(message));
}

/** An invalid command line. */
export class UsageError extends AppError {
  override readonly name = 'UsageError';
}

function findFlag([, name, short]: RegExpExecArray, { table, foreign = [] }: FlagRules): FlagRow {
  const row = table.find((one) => (name === undefined ? one.short === short : one.name === name));
  if (row !== undefined) return row;
  if (name === undefined) throw invalidFlag(`unknown flag -${short}: see --help`);
  const known = foreign.find((one) => one.name === name);
  if (known !== undefined) return flag(isSwitch(known) ? name : `${name}=VALUE`, '', '');
  const near = nearest(
    name,
    [...table, ...foreign].map((one) => one.name),
  );
  const hint = near === undefined ? 'see --help' : `did you mean --${near}?`;
  throw invalidFlag(`unknown flag --${name}: ${hint}`);
}

/** Splits a string at commas, and removes spaces and empty parts. */
export function splitList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
