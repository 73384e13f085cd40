// The paths that the page's own router knows; every other one is 404.

const pageRoutes: ReadonlySet<string> = new Set(['', 'explore', 'targets']);

/** Whether a path, relative to the page's base, is a page: "targets", "targets/". */
export function isPageRoute(path: string): boolean {
  return pageRoutes.has(path.replace(/\/+$/, ''));
}
