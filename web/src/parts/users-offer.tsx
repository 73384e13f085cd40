// Link below a search: the services that use what is searched.
import type { UrlState } from '../url/url-state.ts';
import type { UrlStore } from '../url/url-store.ts';
import '../styles/users-offer.css';

interface UsersOfferProps {
  readonly url: UrlStore;
  readonly text: string;
  readonly mode: UrlState['searchMode'];
}

/** The link, which is visible while the search has the focus; nothing without a search. */
export function UsersOffer({ url, text, mode }: UsersOfferProps) {
  const searched = text.trim();
  if (searched === '' || url.onlyRoute !== undefined) return null;
  const href = url.formatHref('users', {
    ...url.get().state,
    query: '',
    zoom: '',
    selection: undefined,
    search: '',
    serviceSearch: '',
    wanted: patternOf(searched, mode),
    wantedKind: 'pattern',
  });
  return (
    <a
      className="users-offer"
      href={href}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        url.goTo(href);
      }}
    >
      Who uses <b>{searched}</b>: all services
    </a>
  );
}

/** Returns an expression that matches the names that a search finds. */
export function patternOf(text: string, mode: UrlState['searchMode']): string {
  if (mode === 'regex') return `(?i)${text}`;
  const literal = text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
  return mode === 'case' ? literal : `(?i)${literal}`;
}
