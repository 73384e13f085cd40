// Exports the current view to files, on the server or in the worker that reads files.
import type { Explore } from '../answers/use-explore.ts';
import { RpcError } from '../rpc/grpc-web.ts';
import { localServer } from '../rpc/local.ts';
import { timeBounds } from '../rpc/time-bounds.ts';

/** Formats by the server's parameter, with the file extension. */
export const exportFormats = [
  ['pprof', 'pprof', 'pb.gz'],
  ['collapsed', 'Collapsed stacks', 'collapsed.txt'],
  ['speedscope', 'speedscope', 'speedscope.json'],
  ['firefox', 'Firefox Profiler', 'firefox.json.gz'],
] as const;

export type ExportFormat = (typeof exportFormats)[number][0];

/** Exports the selected profiles. Errors: RpcError with the server's message. */
export async function exportBytes(
  base: string,
  query: string,
  span: Explore['selectedSpan'],
  format: ExportFormat,
): Promise<Uint8Array<ArrayBuffer>> {
  const parameters = new URLSearchParams({ query, format, ...timeBounds(span) });
  const local = localServer(base);
  if (local !== undefined) {
    const { signal } = new AbortController();
    return new Uint8Array(await local.get(`export?${parameters}`, signal));
  }
  const response = await fetch(`${base}api/v1/export?${parameters}`);
  if (response.ok) return new Uint8Array(await response.arrayBuffer());
  const { code, message }: Record<string, unknown> = Object(await response.json());
  throw new RpcError(Number(code), String(message));
}

/** Saves a file as a download of the browser. */
export function saveFile(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // After the click, the download has started, but the browser may read the URL a little later.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
