// Copies the link to a page that has no Share panel: services, users, targets and so on.
import { useApp, usePlace } from '../page/app-context.ts';
import { now } from '../page/clock.ts';
import { useCommands } from '../page/commands.ts';
import { copyText } from '../page/copy-text.ts';
import { saidMillis, useSaid } from '../page/use-said.ts';
import { ReportTexts } from '../parts/said.tsx';
import { fixedRange, resolveRange } from '../url/time-range.ts';
import { useLinkKey } from '../page/link-key.ts';

/** Pages that show a time range; the times in links to them are fixed. */
const timedRoutes: ReadonlySet<string> = new Set(['services', 'users']);

/** Offers to copy the link, with a key and in the palette; shows that it was copied. */
export function CopyLink() {
  const { url } = useApp();
  const { route, state } = usePlace();
  const { said, act } = useSaid(saidMillis);
  const copy = () =>
    void act(async () => {
      const { from, to } = resolveRange(state, now());
      const href = timedRoutes.has(route)
        ? url.formatHref(route, { ...state, ...fixedRange(from, to) })
        : location.href;
      await copyText(new URL(href, location.href).href);
      return 'Copied link';
    });
  useLinkKey(copy);
  useCommands(() => [{ kind: 'Share', title: 'Copy link to this page (S)', run: copy }]);
  return <ReportTexts>{said}</ReportTexts>;
}
