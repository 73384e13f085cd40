// Number of open regressions in the navigation.
import { useEffect, useState } from 'react';
import { plural } from '../format/plural.ts';
import { useApp } from '../page/app-context.ts';
import { useRepeat } from '../page/hooks.ts';
import { useResource } from '../page/use-resource.ts';
import { askFindings } from '../rpc/findings.ts';
import { localServer } from '../rpc/local.ts';
import { findingsChanged } from './findings-changed.ts';
import '../styles/findings.css';

const refreshMillis = 60_000;

/** The number in a badge; nothing if it is 0 or unknown. */
export function FindingsCount() {
  const { base } = useApp();
  const [now, setNow] = useState(0);
  const key = localServer(base) === undefined ? `findings count ${now}` : undefined;
  const { value } = useResource(
    key,
    async (asking) => {
      const { findings } = await askFindings(base, asking);
      return findings.filter((one) => one.state === 'open' && one.isRegression).length;
    },
    { topic: 'findings count', isQuiet: true },
  );
  useRepeat(refreshMillis, () => setNow(Date.now()));
  useEffect(() => {
    const ask = () => setNow(Date.now());
    addEventListener(findingsChanged, ask);
    return () => removeEventListener(findingsChanged, ask);
  }, []);
  if (value === undefined || value === 0) return null;
  return (
    <span className="findings-count" title={plural(value, 'open regression')}>
      {value}
    </span>
  );
}
