// Short message about an action, over the bottom of the page.
import '../styles/said.css';

/** Shows the message, also to screen readers; nothing if it is empty. */
export function ReportTexts({ children }: { readonly children: string }) {
  return (
    <p className="said" role="status">
      {children}
    </p>
  );
}
