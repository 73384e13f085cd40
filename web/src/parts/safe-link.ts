// Checks foreign URLs before the page links to them.

const schemes = ['http:', 'https:', 'vscode:', 'vscode-insiders:'];

/** Returns the URL; undefined if its scheme could run a script or another program. */
export function safeLink(url: string): string | undefined {
  return URL.canParse(url) && schemes.includes(new URL(url).protocol) ? url : undefined;
}
