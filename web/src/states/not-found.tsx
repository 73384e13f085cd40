// Page of an address that no page has.
import { useApp } from '../page/app-context.ts';
import '../styles/notice-page.css';

/** Says so, and leads to the pages that there are. */
export function NotFound() {
  const { url } = useApp();
  return (
    <div className="notice-page">
      <h1>There is no such page</h1>
      <p>
        <a href={url.formatHref('explore')}>Explore profiles</a> or look at the{' '}
        <a href={url.formatHref('targets')}>targets</a>.
      </p>
    </div>
  );
}
