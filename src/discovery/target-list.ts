// Lists of targets for file and HTTP discovery, in Prometheus' format: `[{targets, labels}]`.
import { LineCounter, parseDocument } from 'yaml';
import { AppError, errorMessage } from '../base/errors.ts';
import { parseJsonText } from '../base/text/json.ts';
import { isLabelName, type Label } from '../model/labels.ts';
import type { TargetGroup } from './interface.ts';

/** One entry of a list. */
export type ListedGroup = Omit<TargetGroup, 'source'>;

/**
 * Parses a list in JSON or YAML. The label `extra` is added to each group.
 *
 * Errors: AppError 'invalid-argument' with the position of the mistake.
 */
export function parseTargetList(
  text: string,
  syntax: 'json' | 'yaml',
  extra: Label,
): ListedGroup[] {
  const list = syntax === 'json' ? parseJson(text) : parseYaml(text);
  // A program that generates the file writes an empty file if it has no targets.
  if (list === null) return [];
  if (!Array.isArray(list)) throw mistake('', 'expected a list of groups');
  return list.map((group, i) => readGroup(group, `[${i}]`, extra));
}

function readGroup(group: unknown, path: string, extra: Label): ListedGroup {
  if (!isMap(group)) throw mistake(path, 'expected a map with targets and labels');
  for (const key of Object.keys(group)) {
    if (key !== 'targets' && key !== 'labels') {
      throw mistake(`${path}.${key}`, 'unknown key, expected targets or labels');
    }
  }
  const { targets, labels } = group;
  if (!Array.isArray(targets ?? [])) throw mistake(`${path}.targets`, 'expected a list');
  if (!isMap(labels ?? {})) throw mistake(`${path}.labels`, 'expected a map');
  const addresses = (targets ?? []) as readonly unknown[];
  const pairs = Object.entries((labels ?? {}) as Readonly<Record<string, unknown>>);
  return {
    targets: addresses.map((address, i) => {
      if (typeof address === 'string') return [{ name: '__address__', value: address }];
      throw mistake(`${path}.targets[${i}]`, 'expected a text');
    }),
    labels: [
      ...pairs.map(([name, value]) => {
        if (!isLabelName(name)) throw mistake(`${path}.labels`, `${name} is not a label name`);
        if (typeof value === 'string') return { name, value };
        throw mistake(`${path}.labels.${name}`, 'expected a text');
      }),
      extra,
    ],
  };
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseJson(text: string): unknown {
  try {
    return parseJsonText(text, 'it cannot be read');
  } catch (error) {
    throw mistake('', errorMessage(error));
  }
}

/**
 * Parses YAML with all scalars as strings, because label values are strings: `1.10` must not become
 * 1.1.
 */
function parseYaml(text: string): unknown {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, schema: 'failsafe' });
  const [error] = document.errors;
  if (error !== undefined) throw mistake('', error.message);
  return document.contents === null ? null : (document.toJS() as unknown);
}

function mistake(path: string, what: string): AppError {
  const where = path === '' ? '' : `${path}: `;
  return new AppError('invalid-argument', `cannot read list of targets: ${where}${what}`);
}
