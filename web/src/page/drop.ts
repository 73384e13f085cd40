// Accepts files that are dropped anywhere on the page.

const mark = 'drop';

/** Calls `opened` with dropped files; shows a hint while files are dragged over the page. */
export function startDrop(opened: (files: readonly File[]) => Promise<void>): void {
  const root = document.documentElement;
  addEventListener('dragover', (event) => {
    if (event.dataTransfer?.types.includes('Files') !== true) return;
    event.preventDefault();
    root.dataset[mark] = '';
  });
  addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) delete root.dataset[mark];
  });
  addEventListener('drop', (event) => {
    delete root.dataset[mark];
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    void opened(files);
  });
}
