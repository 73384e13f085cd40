// Open findings of services, as links next to their names.
import { useMemo } from 'react';
import { serviceKey } from '../compare/versions.ts';
import { plural } from '../format/plural.ts';
import { useApp } from '../page/app-context.ts';
import { useResource } from '../page/use-resource.ts';
import { askFindings, type FindingAnswer } from '../rpc/findings.ts';
import { localServer } from '../rpc/local.ts';
import '../styles/findings.css';

/** Time after which findings are requested again. */
const keptMillis = 60_000;

/** Open regressions by the key of their service. */
export type ServiceFindings = ReadonlyMap<string, readonly FindingAnswer[]>;

/** Returns the open regressions; none until they are loaded. */
export function useServiceFindings(now: number): ServiceFindings {
  const { base } = useApp();
  const minute = Math.floor(now / keptMillis);
  const { value } = useResource(
    localServer(base) === undefined ? `service findings ${minute}` : undefined,
    (asking) => askFindings(base, asking),
    { topic: 'service findings', isQuiet: true },
  );
  return useMemo(() => {
    const open = value?.findings.filter((one) => one.state === 'open' && one.isRegression) ?? [];
    return Map.groupBy(open, ({ service }) => serviceKey(service));
  }, [value]);
}

interface FindingsLinkProps {
  readonly findings: readonly FindingAnswer[] | undefined;
}

/** The number of findings as a link to the first one; nothing without findings. */
export function FindingsLink({ findings }: FindingsLinkProps) {
  const { url } = useApp();
  if (findings === undefined) return null;
  const [{ id, sentence }] = findings;
  const href = `${url.formatHref('findings')}#${id}`;
  const text = plural(findings.length, 'finding');
  return (
    <a
      className="findings-count"
      href={href}
      aria-label={text}
      title={findings.length === 1 ? sentence : `${text}, such as: ${sentence}`}
      onClick={(event) => {
        event.stopPropagation();
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        url.goTo(href);
      }}
    >
      {findings.length}
    </a>
  );
}
