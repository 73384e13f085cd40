// Menu entry that shows the services that use a function.
import type { UrlState } from '../url/url-state.ts';
import type { UrlStore } from '../url/url-store.ts';
import type { MenuAction } from './context-menu.tsx';

/** Returns an expression that matches the names that a search finds. */
export function patternOf(text: string, mode: UrlState['searchMode']): string {
  if (mode === 'regex') return `(?i)${text}`;
  const literal = text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
  return mode === 'case' ? literal : `(?i)${literal}`;
}

/** Returns a list with the entry; empty for an address without a name, or if there is one page. */
export function usersEntry(name: string, url: UrlStore): MenuAction[] {
  if (url.onlyRoute !== undefined || /(^|\+)0x[\da-f]+$/.test(name)) return [];
  const show = () => {
    const { state } = url.get();
    const there = { ...state, wanted: name, wantedKind: 'function' as const };
    url.goTo(url.formatHref('users', { ...there, query: '', zoom: '', selection: undefined }));
  };
  return [{ key: 'U', label: 'Who uses it: all services', run: show }];
}
