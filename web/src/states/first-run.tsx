// Page before the first profile: targets of the server, and instructions for sending profiles.
import { useState } from 'react';
import { useApp } from '../page/app-context.ts';
import { useRepeat } from '../page/hooks.ts';
import { type Resource, useResource } from '../page/use-resource.ts';
import { Icon } from '../parts/icon.tsx';
import { grpcUnavailable } from '../rpc/grpc-web.ts';
import type { TargetMessage } from '../rpc/messages.gen.ts';
import { plural } from '../format/plural.ts';
import '../styles/notice-page.css';

const pollMillis = 2_000;

/** The page, which refreshes every two seconds, so that profiles appear without a reload. */
export function FirstRun({ error }: { readonly error: Resource<unknown>['error'] }) {
  const { api, url } = useApp();
  const [round, setRound] = useState(0);
  const targets = useResource(`targets ${round}`, ({ signal }) => api.targets('active', signal), {
    topic: 'targets',
    isQuiet: true,
  });
  useRepeat(pollMillis, () => setRound((n) => n + 1));
  // The banner already shows this error.
  if (error?.code === grpcUnavailable) return null;
  if (error !== undefined) {
    return (
      <div className="notice-page" role="alert">
        <h2>
          <Icon name="warning" /> The server has an error
        </h2>
        <p>
          Since {new Date(error.since).toLocaleTimeString()}: {error.message}. Trying again every
          few seconds.
        </p>
      </div>
    );
  }
  const list = [...(targets.value?.values() ?? [])].flat();
  const failing = list.filter(({ lastError }) => lastError !== '');
  return (
    <div className="notice-page">
      <h2>No profiles yet</h2>
      <p>{sentence(targets.value, list)} This page fills by itself.</p>
      {failing.length > 0 && (
        <p className="field-error">
          {failing.length === 1 ? 'One target fails' : `${failing.length} targets fail`}:{' '}
          {failing[0].lastError} <a href={url.formatHref('targets')}>See all targets</a>
        </p>
      )}
      <h3>Ways to get profiles here</h3>
      <ul>
        <li>
          <b>Scrape</b>: add the address of a program with pprof endpoints to{' '}
          <code>scrape_configs</code> in <code>parca.yaml</code> and reload.
        </li>
        <li>
          <b>Push</b>:{' '}
          <code>
            curl --data-binary @cpu.pb.gz '{new URL('api/v1/push?job=NAME', document.baseURI).href}'
          </code>
        </li>
        <li>
          <b>All programs of a Linux host</b>: start <code>parca-agent</code> there.
        </li>
      </ul>
    </div>
  );
}

function sentence(
  jobs: ReadonlyMap<string, readonly TargetMessage[]> | undefined,
  list: readonly TargetMessage[],
): string {
  if (jobs === undefined) return 'Asking the server what it scrapes.';
  if (list.length === 0) return 'This server scrapes no targets.';
  const names = [...jobs.keys()].slice(0, 4).join(', ');
  return `This server scrapes ${plural(list.length, 'target')} (${names}); the first profile comes with the first scrape.`;
}
