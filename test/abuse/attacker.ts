// Process that runs one attack on one server. It reports when it is prepared, starts when told to,
// and ends after a given time.
import type { Door, Target } from './attack.ts';
import { attacks } from './attacks.ts';
import { answers } from './client.ts';

export type AttackerOrder =
  | { readonly name: string; readonly door: Door; readonly target: Target }
  | { readonly millis: number };
export type AttackerNews =
  | { readonly prepared: true }
  | { readonly answers: readonly (readonly [string, number])[] }
  | { readonly failed: string };

let act: ((signal: AbortSignal) => Promise<void>) | undefined;
const tell = (news: AttackerNews): void => void process.send?.(news);

process.on('message', (order: AttackerOrder) => {
  obey(order).catch((error: unknown) => {
    tell({ failed: error instanceof Error ? (error.stack ?? '') : String(error) });
  });
});

async function obey(order: AttackerOrder): Promise<void> {
  if ('name' in order) {
    const attack = attacks.find(({ name, door }) => name === order.name && door === order.door);
    if (attack === undefined) throw new Error(`there is no attack ${order.name}`);
    act = await attack.prepare(order.target);
    answers.clear();
    tell({ prepared: true });
    return;
  }
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(), order.millis);
  await act?.(end.signal);
  clearTimeout(timer);
  tell({ answers: [...answers] });
}
