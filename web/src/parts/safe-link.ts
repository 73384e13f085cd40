// Addresses of others that the page may link to.

const schemes = ['http:', 'https:', 'vscode:', 'vscode-insiders:'];

/** Returns an address; undefined if its scheme could run a script or another program. */
export function safeLink(url: string): string | undefined {
  return URL.canParse(url) && schemes.includes(new URL(url).protocol) ? url : undefined;
}
