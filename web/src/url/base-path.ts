// Where the server is: the page may be served below a path prefix, which its <base> tag names.

/** Address of the server, ending in "/". */
export function serverBase(documentBase: string): string {
  return new URL('.', documentBase).href;
}

/** The page within the server: "", "explore", "targets". */
export function routeOf(pathname: string, base: string): string {
  const prefix = new URL(base).pathname;
  const rest = pathname.startsWith(prefix) ? pathname.slice(prefix.length) : pathname;
  return rest.replace(/^\/+|\/+$/g, '');
}
