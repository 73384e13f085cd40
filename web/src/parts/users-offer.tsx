// Link below a search: the services that use what is searched.
import type { UrlState } from '../url/url-state.ts';
import type { UrlStore } from '../url/url-store.ts';
import { patternOf } from './users-entry.ts';

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
