// The file that keeps findings across a restart.
import { makeDurableFolder, parentFolder } from '../base/durable-files.ts';
import { AppError, errorMessage } from '../base/errors.ts';
import type { Files } from '../base/files.ts';
import { KeptJson, readKeptJson, writeKeptJson } from '../base/kept-json.ts';
import type { Logger } from '../base/logger.ts';
import type { Finding } from './interface.ts';

/** Findings, and what searches need to go on. */
export interface SavedFindings {
  /** The newest first. */
  readonly findings: readonly Finding[];
  /** Time from which the next search of a service compares, by the key of the service. */
  readonly since: Readonly<Record<string, number>>;
}

const nothing: SavedFindings = { findings: [], since: {} };

/** Opens the file in `folder`. A damaged file is kept under another name, and logged. */
export async function openSavedFindings(
  folder: string,
  files: Files,
  logger: Logger,
): Promise<KeptJson<SavedFindings>> {
  const path = `${folder}/findings.json`;
  const saved = await readKeptJson(files, path, parseSaved, ({ movedTo, error }) => {
    const fields = { file: path, movedTo, error: errorMessage(error) };
    logger.error('cannot read findings: they begin again', fields);
  });
  return new KeptJson<SavedFindings>(saved ?? nothing, async (value) => {
    await makeDurableFolder(files, folder, parentFolder(folder));
    await writeKeptJson(files, path, value);
  });
}

/** Checks only enough to keep a damaged file from failing a request: we wrote the file ourselves. */
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
  const texts = [value.id, value.version, value.versionBefore, value.versionLabel];
  const times = [value.timeMillis, value.doneMillis, value.foundMillis, value.stateMillis];
  return (
    texts.every((text) => typeof text === 'string') &&
    times.every((time) => typeof time === 'number') &&
    ['deploy', 'mark', 'unexplained', 'drift'].includes(String(value.kind)) &&
    ['open', 'acknowledged', 'resolved'].includes(String(value.state)) &&
    typeof service.label === 'string' &&
    typeof service.name === 'string' &&
    functions.length > 0 &&
    functions.every(isFunction)
  );
}

function isFunction(value: unknown): boolean {
  if (!isObject(value) || typeof value.name !== 'string') return false;
  const numbers = [value.before, value.after, value.cost, value.halfWidth, value.cores];
  return numbers.every((number) => typeof number === 'number');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
