// Starts the page: creates the objects that all components share, and mounts the app.
import { startTransition, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { offlineId } from './share/offline-data.ts';
import { AppContext, type AppParts } from './page/app-context.ts';
import { startDrop } from './page/drop.ts';
import { startEscape } from './page/keys.ts';
import { reloadWhenBack } from './page/reload-when-back.ts';
import { startTheme } from './page/theme.ts';
import { createApi } from './rpc/api.ts';
import { localBase } from './rpc/local.ts';
import { askProgress, ProgressPoll } from './rpc/progress.ts';
import { TreeLoader } from './tree/tree-loader.ts';
import { serverBase, UrlStore } from './url/url-store.ts';

const progressMillis = 500;

startTheme();
startEscape();
addEventListener('vite:preloadError', () => void reloadWhenBack());
const isOffline = document.getElementById(offlineId) !== null;
const address = serverBase(document.baseURI);
// An offline page has its own data, and no server.
const base = isOffline ? localBase : address;
const parts = {
  base,
  api: createApi(base),
  url: new UrlStore(address, isOffline ? 'file' : undefined),
  trees: new TreeLoader(),
  progress: new ProgressPoll(
    (tags, signal) => askProgress(base, tags, signal),
    () => new Promise((resolve) => void setTimeout(resolve, progressMillis)),
  ),
};
startDrop(async (files) => {
  const { openDropped } = await import('./files/open-dropped.ts');
  await openDropped(files, parts);
});

/** Replaces a link from Parca's page, in which the query's parameter has another name. */
async function translateLink({ url }: AppParts): Promise<void> {
  if (!/[?&]expression(?:_a)?=/.test(location.search)) return;
  const { fromParcaUrl } = await import('./url/parca-url.ts');
  const search = fromParcaUrl(location.search);
  if (search !== undefined) url.goTo(location.pathname + search, 'adjust');
}

async function start(): Promise<void> {
  await translateLink(parts);
  if (isOffline) {
    const { openOffline } = await import('./files/open-offline.ts');
    await openOffline(parts);
  }
  const root = document.getElementById('app');
  if (root === null) throw new Error('BUG: index.html has no #app');
  // Rendered in slices.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <AppContext value={parts}>
          <App />
        </AppContext>
      </StrictMode>,
    ),
  );
}

void start();
