// The picture of a message: what it compares, and the texts around the graph.
import type { Clock } from '../base/clock.ts';
import { type LabelSet, labelsToObject } from '../model/labels.ts';
import type { DiffSelector, ProfileSelector } from '../query/interface.ts';
import type { SentAlert } from './alert-message.ts';
import { pictureMillisMax } from './limits.ts';

/** A picture to draw. Equal pictures have equal texts. */
export interface AskedPicture {
  readonly select: DiffSelector;
  readonly title: string;
  /** Texts below the title: the query, and the times of both sides. */
  readonly facts: readonly string[];
  /** Text below the graph: since when. */
  readonly foot: string;
}

/** Draws a picture as a PNG. Errors: those of the engine, and of a limit. */
export type DrawPicture = (asked: AskedPicture, signal: AbortSignal) => Promise<Uint8Array>;

/** Draws the picture of a message. */
interface PictureDrawing {
  readonly drawPicture: DrawPicture | undefined;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onFailure: (error: unknown) => void;
}

/** Returns the picture of a message; undefined if it cannot be drawn, or takes too long. */
export async function pictureOrNone(
  alerts: readonly SentAlert[],
  { drawPicture, clock, signal, onFailure }: PictureDrawing,
): Promise<Uint8Array | undefined> {
  const late = new AbortController();
  const timer = clock.setTimer(pictureMillisMax, () => late.abort());
  try {
    const asked = drawPicture && askedPicture(alerts);
    return asked && (await drawPicture(asked, AbortSignal.any([signal, late.signal])));
  } catch (error) {
    onFailure(error);
    return undefined;
  } finally {
    timer.cancel();
  }
}

/** Returns the picture of the first firing alert that compares something; undefined without one. */
export function askedPicture(alerts: readonly SentAlert[]): AskedPicture | undefined {
  for (const { isResolved, compared, labels, annotations, activeMillis } of alerts) {
    const select = isResolved ? undefined : compared?.();
    if (select?.base === undefined) continue;
    const { summary, description } = labelsToObject(annotations);
    return {
      select,
      title: summary ?? description ?? describe(labels),
      facts: [
        select.compared.query,
        `Now ${describeTime(select.compared)}, compared with ${describeTime(select.base)} (UTC)`,
      ],
      foot: `Since ${formatTime(activeMillis)} UTC`,
    };
  }
  return undefined;
}

function describe(labels: LabelSet): string {
  return labels.map(({ name, value }) => `${name}=${value}`).join(' ');
}

function describeTime(side: ProfileSelector): string {
  if (side.mode === 'single') return formatTime(toMillis(side.timeNanos));
  const [from, to] = [side.range.from, side.range.to].map((nanos) => formatTime(toMillis(nanos)));
  return `${from} to ${to.startsWith(from.slice(0, dayLength)) ? to.slice(dayLength) : to}`;
}

/** Length of `2026-01-31 `. */
const dayLength = 11;

/** Returns whole milliseconds; the end of a range is its last nanosecond. */
function toMillis(nanos: bigint): number {
  return Math.round(Number(nanos) / 1e6);
}

/** Returns `2026-01-31 09:05:00`. */
function formatTime(millis: number): string {
  return new Date(millis).toISOString().slice(0, 19).replace('T', ' ');
}
