// Reads the file in which alerts and their deliveries persist across restarts.
import { AppError, errorMessage } from '../base/errors.ts';
import type { Files } from '../base/files.ts';
import { readKeptJson } from '../base/kept-json.ts';
import type { Logger } from '../base/logger.ts';
import type { Alert } from './interface.ts';

/** Alerts of one rule, by the rule's key. */
export interface SavedRule {
  readonly key: string;
  readonly alerts: readonly Alert[];
}

/** An alert that a recipient has received. */
export interface KnownAlert {
  /** Key of the labels. */
  readonly key: string;
  /** Start of the alert, which distinguishes it from later alerts with the same labels. */
  readonly activeMillis: number;
  readonly isResolved: boolean;
  readonly sentMillis: number;
}

/** Alerts received by one address, or by one group of a receiver. */
export interface SavedDelivery {
  /** Address of an Alertmanager, or receiver and group. */
  readonly key: string;
  readonly known: readonly KnownAlert[];
}

export interface SavedState {
  /** Time of the last evaluation before the file was written. */
  readonly savedMillis: number;
  readonly rules: readonly SavedRule[];
  readonly deliveries: readonly SavedDelivery[];
}

const nothingSaved: SavedState = { savedMillis: 0, rules: [], deliveries: [] };

/** Reads the file. A missing file counts as empty; a damaged file is logged and renamed. */
export async function readSavedState(
  path: string,
  files: Files,
  logger: Logger,
): Promise<SavedState> {
  const state = await readKeptJson(files, path, parseState, ({ movedTo, error }) => {
    const fields = { file: path, movedTo, error: errorMessage(error) };
    logger.error('cannot read the state of alerts: they begin again', fields);
  });
  return state ?? nothingSaved;
}

/**
 * Makes only the checks that keep a damaged file from failing the start. More checks are not
 * needed, because the server wrote the file itself.
 */
function parseState(state: unknown): SavedState {
  if (isState(state)) return state;
  throw new AppError('data-loss', 'it does not have the form of a state');
}

function isState(value: unknown): value is SavedState {
  if (!isObject(value) || typeof value.savedMillis !== 'number') return false;
  return (
    isListWith(value.rules, (rule) => isKeyed(rule) && isListWith(rule.alerts, isAlert)) &&
    isListWith(value.deliveries, (one) => isKeyed(one) && isListWith(one.known, isKnown))
  );
}

type Keyed = Readonly<Record<string, unknown>> & { readonly key: string };

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isKeyed(value: unknown): value is Keyed {
  return isObject(value) && typeof value.key === 'string';
}

function isListWith(value: unknown, isRight: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isRight);
}

function isAlert(value: unknown): boolean {
  if (!isObject(value)) return false;
  const isState = ['pending', 'firing', 'inactive'].includes(String(value.state));
  const hasLabels = isListWith(value.labels, isLabel) && isListWith(value.annotations, isLabel);
  return isState && hasLabels && typeof value.activeMillis === 'number';
}

function isLabel(value: unknown): boolean {
  return isObject(value) && typeof value.name === 'string' && typeof value.value === 'string';
}

function isKnown(value: unknown): boolean {
  return isKeyed(value) && typeof value.activeMillis === 'number';
}
