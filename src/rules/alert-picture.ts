// The picture of a message: what it compares, the texts around the graph, and its address.
import type { Clock } from '../base/clock.ts';
import { type LabelSet, labelsToObject } from '../model/labels.ts';
import type { AskedPicture, DrawPicture, ProfileSelector } from '../query/interface.ts';
import type { SentAlert } from './alert-message.ts';
import { pictureMillisMax, urlTitleCharactersMax } from './limits.ts';

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
    const caller = { signal: AbortSignal.any([signal, late.signal]), caller: 'pictures' };
    return asked && (await drawPicture(asked, { ...caller, tags: ['pictures'] }));
  } catch (error) {
    if (!signal.aborted) onFailure(error);
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
      foot: `Since ${new Date(activeMillis).toISOString().slice(0, 19).replace('T', ' ')} UTC`,
    };
  }
  return undefined;
}

function describe(labels: LabelSet): string {
  return labels.map(({ name, value }) => `${name}=${value}`).join(' ');
}

/** Returns the URL of a picture on the server; undefined if the alerts have none. */
export function pictureUrl(alerts: readonly SentAlert[], externalUrl: string): string | undefined {
  const asked = askedPicture(alerts);
  if (asked === undefined) return undefined;
  const { compared, base, baseScale } = asked.select;
  const given = new URLSearchParams({ query: compared.query });
  const addRange = (side: ProfileSelector | undefined, prefix: string): void => {
    if (side?.mode !== 'merge') return;
    given.set(`${prefix}start`, toIso(side.range.from));
    given.set(`${prefix}end`, toIso(side.range.to));
  };
  addRange(compared, '');
  addRange(base, 'base_');
  given.set('normalize', baseScale);
  given.set('title', asked.title.slice(0, urlTitleCharactersMax).toWellFormed());
  return `${externalUrl}/api/v1/picture?${given.toString()}`;
}

function toIso(nanos: bigint): string {
  return new Date(Number(nanos / 1_000_000n)).toISOString();
}
