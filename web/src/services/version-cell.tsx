// Version of a service: a link to the changes of its last deploy, however long ago it was.
import { type MouseEvent, useMemo, useState } from 'react';
import {
  compareDeploy,
  findServiceDeploys,
  type LastDeploy,
  shortVersion,
} from '../compare/versions.ts';
import { formatAge } from '../format/numbers.ts';
import { useApp, usePlace } from '../page/app-context.ts';
import { useResource } from '../page/use-resource.ts';
import type { Span } from '../rpc/api.ts';
import { askChanges, sentenceText } from '../rpc/changes.ts';

/**
 * Periods before the end of the range, in milliseconds, in which deploys are searched; a result of
 * a shorter one replaces a result of a longer one, because it is more precise. The hour finds the
 * deploy of a service that has just been added, whose versions are in the same step of a day.
 */
const lookBackMillis = [7 * 86_400_000, 86_400_000, 3_600_000];
/** Time after which deploys are searched again. */
const keptMillis = 600_000;

/** Returns the last deploys of services by key, for the profile types of CPU time. */
export function useServiceDeploys(
  types: readonly string[],
  { to }: Span,
): ReadonlyMap<string, LastDeploy> {
  const { api } = useApp();
  const end = Math.ceil(to / keptMillis) * keptMillis;
  const key = types.length === 0 ? undefined : `service deploys ${end} ${types.join(' ')}`;
  const answer = useResource(
    key,
    async (asking) => {
      const questions = lookBackMillis.flatMap((millis) =>
        types.toReversed().map((type) => {
          const span = { from: end - millis, to: end };
          return { query: type, profileType: type, span };
        }),
      );
      const found = await Promise.all(
        questions.map((question) => findServiceDeploys(api, question, asking)),
      );
      return new Map(found.flatMap((one) => [...one]));
    },
    { topic: 'service deploys', isQuiet: true },
  );
  return useMemo(() => answer.value ?? new Map<string, LastDeploy>(), [answer.value]);
}

interface VersionCellProps {
  readonly deploy: LastDeploy | undefined;
  /** Query of the service. */
  readonly query: string;
  readonly span: Span;
  readonly now: number;
}

/** Shows "2.15.0, 3 h"; the tooltip describes the changes of the deploy. */
export function VersionCell({ deploy, query, span, now }: VersionCellProps) {
  const { url } = useApp();
  const { state } = usePlace();
  const [isPointed, setPointed] = useState(false);
  if (deploy === undefined) return null;
  const compared = compareDeploy(query, deploy, span);
  const href = url.formatHref('explore', {
    ...state,
    query: compared,
    serviceSearch: '',
    serviceOrder: 'cores',
    serviceLayout: 'table',
  });
  const open = (event: MouseEvent) => {
    event.stopPropagation();
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    url.goTo(href);
  };
  const point = () => setPointed(true);
  const leave = () => setPointed(false);
  return (
    <span className="version" onPointerEnter={point} onPointerLeave={leave}>
      <a
        href={href}
        aria-label={`Compare ${deploy.value} with ${deploy.before}`}
        onClick={open}
        onFocus={point}
        onBlur={leave}
      >
        {shortVersion(deploy.value)}
      </a>
      <span className="hint">
        {' '}
        {formatAge(Math.ceil((now - deploy.since) / 60_000) * 60_000)} ago
      </span>
      {isPointed && <DeploySentence query={compared} deploy={deploy} span={span} />}
    </span>
  );
}

interface DeploySentenceProps {
  readonly query: string;
  readonly deploy: LastDeploy;
  readonly span: Span;
}

function DeploySentence({ query, deploy, span }: DeploySentenceProps) {
  const { base } = useApp();
  const { value, error } = useResource(`deploy sentence ${query}`, (asking) =>
    askChanges(base, query, span, { normalize: 'load', sort: 'flat' }, asking),
  );
  const names = { before: deploy.before, now: deploy.value };
  const text = error?.message ?? (value && sentenceText(value.sentence ?? [], names));
  return (
    <span className="version-tip" role="tooltip">
      {text === '' ? 'One side has no profiles in this range' : (text ?? '\u2026')}
    </span>
  );
}
