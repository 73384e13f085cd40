// Objects that all components share: server, URL, workers.
import { createContext, use, useSyncExternalStore } from 'react';
import type { Api } from '../rpc/api.ts';
import type { ProgressPoll } from '../rpc/progress.ts';
import type { TreeLoader } from '../tree/tree-loader.ts';
import type { Place, UrlStore } from '../url/url-store.ts';

export interface AppParts {
  /** Address of the server, ending in "/". */
  readonly base: string;
  readonly api: Api;
  readonly url: UrlStore;
  readonly trees: TreeLoader;
  /** Polls the progress of queries. */
  readonly progress: ProgressPoll;
}

export const AppContext = createContext<AppParts | undefined>(undefined);

/** Returns the shared objects. */
export function useApp(): AppParts {
  const parts = use(AppContext);
  if (parts === undefined) throw new Error('BUG: component outside of AppContext');
  return parts;
}

/** Returns the current location within the page. */
export function usePlace(): Place {
  const { url } = useApp();
  return useSyncExternalStore(url.subscribe, url.get);
}
