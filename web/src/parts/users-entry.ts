// Menu entry that shows the services that use a function.
import type { UrlStore } from '../url/url-store.ts';
import type { MenuAction } from './context-menu.tsx';

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
