// Page that is shown for an unknown address.
import { useApp } from '../page/app-context.ts';
import '../styles/notice-page.css';

/** Says that there is no such page, and links to the existing pages. */
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
