// Saved views: on the server for everybody, or in this browser if the server does not store them.
import { useEffect } from 'react';
import { getJson } from '../rpc/json.ts';
import { localBase } from '../rpc/local.ts';
import { isNotKept, sendJson } from '../rpc/send-json.ts';
import { useApp } from './app-context.ts';
import { Store, useStore } from './store.ts';
import { keepTaste, readTaste } from './taste.ts';

export interface NewView {
  readonly name: string;
  /** Page and its state, as a URL relative to the server: `explore?q=...`. */
  readonly address: string;
  /** True if the start page has a link to the view. */
  readonly isFavourite: boolean;
}

export interface SavedView extends NewView {
  readonly id: string;
  /** True if the view is stored only in this browser. */
  readonly isOwn: boolean;
}

const tasteKey = 'saved views';
/** Views on the server; undefined until they are loaded. */
const shared = new Store<readonly SavedView[] | undefined>(undefined);
const own = new Store<readonly SavedView[]>(readOwn());

/** Returns all views by name, and requests the server's views; undefined until they are loaded. */
export function useSavedViews(): readonly SavedView[] | undefined {
  const { base } = useApp();
  const [there, here] = [useStore(shared), useStore(own)];
  useEffect(() => void load(base), [base]);
  return there && [...there, ...here].sort((a, b) => a.name.localeCompare(b.name));
}

async function load(base: string): Promise<void> {
  if (base === localBase) return;
  try {
    const { signal } = new AbortController();
    const answer = await getJson(base, 'views', new URLSearchParams(), { signal });
    const { views } = answer as { readonly views: readonly Omit<SavedView, 'isOwn'>[] };
    shared.set(views.map((view) => ({ ...view, isOwn: false })));
  } catch {
    // If the server does not respond, only the browser's views are listed.
    shared.set(shared.get() ?? []);
  }
}

/**
 * Saves a view on the server, or in this browser if the server does not store views. Errors:
 * RpcError of a server that may accept it later.
 */
export async function addView(base: string, view: NewView): Promise<SavedView> {
  try {
    await sendJson(base, 'POST', 'views', view);
  } catch (error) {
    if (!isNotKept(error)) throw error;
    const added = { ...view, id: crypto.randomUUID(), isOwn: true };
    keepOwn([...own.get(), added]);
    return added;
  }
  await load(base);
  return { ...view, id: '', isOwn: false };
}

/** Changes the name or other data of a view. Errors: RpcError. */
export async function changeView(base: string, view: SavedView): Promise<void> {
  const { id, name, address, isFavourite } = view;
  if (view.isOwn) {
    keepOwn(own.get().map((one) => (one.id === id ? view : one)));
    return;
  }
  await sendJson(base, 'POST', `views/${id}`, { name, address, isFavourite });
  await load(base);
}

/** Removes a view. Errors: RpcError. */
export async function removeView(base: string, { id, isOwn }: SavedView): Promise<void> {
  if (isOwn) {
    keepOwn(own.get().filter((one) => one.id !== id));
    return;
  }
  await sendJson(base, 'DELETE', `views/${id}`);
  await load(base);
}

function keepOwn(views: readonly SavedView[]): void {
  own.set(views);
  const lines = views.map(({ id, name, address, isFavourite }) =>
    new URLSearchParams({ id, name, address, star: isFavourite ? '1' : '' }).toString(),
  );
  keepTaste(tasteKey, lines.length === 0 ? undefined : lines.join('\n'));
}

function readOwn(): readonly SavedView[] {
  const lines = readTaste(tasteKey)?.split('\n') ?? [];
  return lines.map((line) => {
    const fields = new URLSearchParams(line);
    const read = (name: string) => fields.get(name) ?? '';
    const texts = { id: read('id'), name: read('name'), address: read('address') };
    return { ...texts, isFavourite: read('star') === '1', isOwn: true };
  });
}
