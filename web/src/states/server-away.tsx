// Banner that is shown while the server cannot be reached.
import { useServerAway } from '../page/server-away.ts';
import { Icon } from '../parts/icon.tsx';

/** Banner for a lost connection; loaded data stays visible. */
export function ServerAway() {
  const since = useServerAway();
  if (since === undefined) return null;
  return (
    <p className="server-away" role="alert">
      <Icon name="warning" />
      <span>
        <b>The server is not reachable</b> since {new Date(since).toLocaleTimeString()}. Trying
        again every 4{'\u202f'}s; what you see is the last result.
      </span>
    </p>
  );
}
