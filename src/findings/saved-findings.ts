// The file that stores findings across restarts.
import { AppError } from '../base/errors.ts';
import type { Files } from '../base/files.ts';
import { type KeptJson, openKeptJson } from '../base/kept-json.ts';
import type { Logger } from '../base/logger.ts';
import type { Finding } from './interface.ts';

/** Findings, and the state of searches. */
export interface SavedFindings {
  /** Findings, newest first. */
  readonly findings: readonly Finding[];
  /** For each service, by its key: start of the data that its next search compares. */
  readonly since: Readonly<Record<string, number>>;
}

const nothing: SavedFindings = { findings: [], since: {} };

/** Opens the file in `folder`. If the file is damaged, it is renamed, and this is logged. */
export function openSavedFindings(
  folder: string,
  files: Files,
  logger: Logger,
): Promise<KeptJson<SavedFindings>> {
  return openKeptJson<SavedFindings>({
    files,
    folder,
    name: 'findings.json',
    first: nothing,
    parse: parseSaved,
    logDamage: (fields) => logger.error('cannot read findings: they begin again', fields),
  });
}

/**
 * Returns the content of the file after a rough check. The server wrote the file itself, so the
 * check only prevents requests from failing if the file is damaged.
 */
function parseSaved(value: unknown): SavedFindings {
  if (isSaved(value)) return value;
  throw new AppError('data-loss', 'it does not have the form of findings');
}

function isSaved(value: unknown): value is SavedFindings {
  if (!isObject(value) || !isObject(value.since) || !Array.isArray(value.findings)) return false;
  return (
    Object.values(value.since).every((one) => typeof one === 'number') &&
    value.findings.every(isFinding)
  );
}

function isFinding(value: unknown): boolean {
  if (!isObject(value) || !isObject(value.service) || !Array.isArray(value.functions)) return false;
  const { service, functions } = value;
  const texts = [value.id, value.query, value.version, value.versionBefore, value.versionLabel];
  const times = [value.timeMillis, value.doneMillis, value.foundMillis, value.stateMillis];
  return (
    texts.every((text) => typeof text === 'string') &&
    times.every((time) => typeof time === 'number') &&
    ['deploy', 'mark', 'unexplained', 'drift'].includes(String(value.kind)) &&
    ['open', 'acknowledged', 'resolved'].includes(String(value.state)) &&
    ['cpu', 'memory', 'allocations'].includes(String(value.resource)) &&
    typeof service.label === 'string' &&
    typeof service.name === 'string' &&
    functions.length > 0 &&
    functions.every(isFunction)
  );
}

function isFunction(value: unknown): boolean {
  if (!isObject(value) || typeof value.name !== 'string') return false;
  const numbers = [value.before, value.after, value.cost, value.halfWidth, value.amount];
  return numbers.every((number) => typeof number === 'number');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
