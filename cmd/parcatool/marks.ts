// Commands that add, list and remove marks on a server, which all users see on graphs.
import { printable } from '../../src/base/printable.ts';
import { formatLabels, labelsToObject } from '../../src/model/labels.ts';
import { field, get, getJson, post, readList, readString } from './shared/client.ts';
import type { Output } from './shared/command.ts';
import { readLabelFlag } from './shared/label-flag.ts';
import { type Options, rangeParameters } from './shared/options.ts';

const path = '/api/v1/marks';

/** Adds a mark at the current time or at --time. */
export async function addMark([text]: readonly string[], options: Options): Promise<Output> {
  const { client, format, mark } = options;
  const labels = labelsToObject(options.labels.map(readLabelFlag));
  const body = Buffer.from(JSON.stringify({ text, time: mark.time, link: mark.link, labels }));
  const added = await post(client, path, {}, body);
  if (format === 'json') return `${JSON.stringify(added, undefined, 2)}\n`;
  return `marked ${printable(readString(field(added, 'time')))} as ${readString(field(added, 'id'))}\n`;
}

/** Lists the marks in a range. */
export async function listMarks(_none: readonly string[], options: Options): Promise<Output> {
  const answer = await getJson(options.client, path, rangeParameters(options));
  const marks = readList(field(answer, 'marks'));
  if (options.format === 'json') return `${JSON.stringify(marks, undefined, 2)}\n`;
  return marks.map((mark) => `${printable(formatMark(mark))}\n`).join('');
}

/** Formats `0123456789abcdef  2026-11-21T10:00:00.000Z  rollout {job="api"} https://ci/7`. */
function formatMark(mark: unknown): string {
  const [id, time, text, link] = ['id', 'time', 'text', 'link'].map((name) =>
    readString(field(mark, name)),
  );
  const labels = Object.entries(Object(field(mark, 'labels'))).map(([name, value]) => ({
    name,
    value: readString(value),
  }));
  const parts = [text, labels.length === 0 ? '' : formatLabels(labels), link];
  return `${id}  ${time}  ${parts.filter(Boolean).join(' ')}`;
}

/** Removes a mark. */
export async function removeMark([id]: readonly string[], { client }: Options): Promise<Output> {
  await get(client, `${path}/${encodeURIComponent(id)}`, {}, 'DELETE');
  return `removed ${printable(id)}\n`;
}
