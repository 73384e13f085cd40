// Structured logs: a message and fields; lines in logfmt or JSON.
import { escapedForLogs, isPrintable } from './printable.ts';

export type LogLevel = 'error' | 'warn' | 'info' | 'debug';
export type LogFields = Readonly<Record<string, string | number | bigint | boolean | undefined>>;

/** Writes one line for each call, without undefined fields. */
export interface Logger {
  error(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  debug(message: string, fields?: LogFields): void;
  /** Returns a logger that adds `fields` to every line. */
  with(fields: LogFields): Logger;
}

const levelRank: Readonly<Record<LogLevel, number>> = { error: 0, warn: 1, info: 2, debug: 3 };

/** Creates a logger that passes finished lines (without the newline) to `write`. */
export function createLogger(options: {
  readonly level: LogLevel;
  readonly format: 'logfmt' | 'json';
  readonly nowMillis: () => number;
  readonly write: (line: string) => void;
  readonly fields?: LogFields;
}): Logger {
  const log = (level: LogLevel, message: string, fields: LogFields = {}): void => {
    if (levelRank[level] > levelRank[options.level]) return;
    const time = new Date(options.nowMillis()).toISOString();
    const all = { ts: time, level, msg: message, ...options.fields, ...fields };
    options.write(options.format === 'json' ? jsonLine(all) : logfmtLine(all));
  };
  return {
    error: (message, fields) => log('error', message, fields),
    warn: (message, fields) => log('warn', message, fields),
    info: (message, fields) => log('info', message, fields),
    debug: (message, fields) => log('debug', message, fields),
    with: (fields) => createLogger({ ...options, fields: { ...options.fields, ...fields } }),
  };
}

/** A logger that drops everything; for tests. */
export const silentLogger: Logger = createLogger({
  level: 'error',
  format: 'logfmt',
  nowMillis: () => 0,
  write: () => undefined,
});

function jsonLine(fields: LogFields): string {
  const json = JSON.stringify(fields, (_key, value: unknown) =>
    typeof value === 'bigint' ? exactNumber(value) : value,
  );
  return escapedForLogs(json);
}

/** Returns a number, or a string if a reader of JSON would round the number. */
function exactNumber(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}

function logfmtLine(fields: LogFields): string {
  const parts: string[] = [];
  for (const [key, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    const text = String(value);
    const isWord = /^[^\s"=]+$/.test(text) && isPrintable(text);
    parts.push(`${key}=${isWord ? text : escapedForLogs(JSON.stringify(text))}`);
  }
  return parts.join(' ');
}
