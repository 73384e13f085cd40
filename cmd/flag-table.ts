// Flags of a program as a table: reads their values, and prints the lines of --help.
import { AppError, errorMessage } from '../src/base/errors.ts';
import { maskUrl } from '../src/base/text/mask-user-info.ts';
import { nearest } from '../src/base/text/nearest.ts';
import { type ForeignFlag, foreignNotice, isSwitch } from './foreign-flags.ts';

/** One flag. */
export interface FlagRow {
  readonly name: string;
  /** Letter of its short form: `-o`. */
  readonly short?: string;
  /** Name of the value in the help; "" for switches, which take no value. */
  readonly placeholder: string;
  readonly initial: string;
  readonly help: string;
  /** True if the value must not be shown. */
  readonly isSecret?: boolean;
}

/** Makes a row; `form` is as in the help: `log-level=LEVEL`, or `version` for a switch. */
export function flag(form: string, initial: string, help: string): FlagRow {
  const [, name, placeholder] = /^([^=]*)=?(.*)$/.exec(form) ?? [];
  return { name, placeholder, initial, help };
}

/** Makes the row of a flag whose value must not be shown. */
export function secretFlag(form: string, help: string): FlagRow {
  return { ...flag(form, '', help), isSecret: true };
}

/** A flag with its value, for display. */
export interface ShownFlag {
  readonly name: string;
  /** Secrets are masked; several values are joined by commas. */
  readonly value: string;
  /** True if the flag was given on the command line. */
  readonly isGiven: boolean;
}

/** A command line: flags by name, and the other arguments in order. */
export interface Arguments {
  readonly flags: FlagValues;
  readonly positional: readonly string[];
  /** Lines for the log about Parca flags that have no effect here. */
  readonly notices: readonly string[];
}

/** Values of flags; a flag that is not given has its initial value. Errors name the flag. */
export class FlagValues {
  readonly #initial: ReadonlyMap<string, string>;
  readonly #given: ReadonlyMap<string, readonly string[]>;

  constructor(table: readonly FlagRow[], given: ReadonlyMap<string, readonly string[]>) {
    this.#initial = new Map(table.map((row) => [row.name, row.initial]));
    this.#given = given;
  }

  /** Returns the flags of a table with their values, in its order. */
  shown(table: readonly FlagRow[]): ShownFlag[] {
    return table.map(({ name, isSecret }) => {
      const value = this.all(name).join(',');
      const isMasked = isSecret === true && value !== '';
      const shown = isMasked ? '<secret>' : maskUrl(value);
      return { name, value: shown, isGiven: this.#given.has(name) };
    });
  }

  /** Returns true if a flag is on the command line. */
  isGiven(name: string): boolean {
    return this.#given.has(name);
  }

  /** Returns all values of a flag that may be repeated. */
  all(name: string): readonly string[] {
    return this.#given.get(name) ?? [this.text(name)];
  }

  /** Returns the value of a flag, the last of several; "" for a flag that the table lacks. */
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

  /** Returns true if a switch is on. Errors: those of `oneOf`. */
  isOn(name: string): boolean {
    return this.oneOf(name, ['true', 'false']) === 'true';
  }

  /** Parses a whole number from 0, or from 0 to `max`. Errors: AppError 'invalid-argument'. */
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
  /** Flags of other commands; they are refused, but their default values can be read. */
  readonly others?: readonly FlagRow[];
  /** Parca flags that have no meaning here. */
  readonly foreign?: readonly ForeignFlag[];
  /** Largest number of arguments other than flags. */
  readonly positionalMax: number;
  /**
   * Name of the program, whose path is skipped if other arguments follow: manifests for Parca's
   * images have `/parca` and `/bin/parca-agent` there.
   */
  readonly program?: string;
}

/**
 * Reads `--flag value`, `--flag=value`, `-f value` and `-f=value`. After `--` nothing is a flag.
 *
 * Errors: AppError 'invalid-argument' for unknown flags (naming the nearest), missing values and
 * too many arguments; 'unimplemented' for Parca flags whose features are missing.
 */
export function parseArguments(args: readonly string[], rules: FlagRules): Arguments {
  const given = new Map<string, string[]>();
  const positional: string[] = [];
  let areFlagsOver = false;
  let hasSkipped = false;
  /** Name of the previous flag, if it takes no value. */
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

/** Returns a line for each given Parca flag that has no effect. Errors: those of a notice. */
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

/** Returns a line for each flag. */
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

/** A wrong command line. */
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

/** Returns the parts between commas, without spaces around them and without empty ones. */
export function splitList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
