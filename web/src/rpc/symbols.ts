// Requests the server's build ids with their files and reasons for missing names; uploads files.
import { getJson } from './json.ts';

/** A file that the server has for a build id. */
export interface SymbolFile {
  readonly kind: string;
  readonly bytes: number;
  /** `DWARF`, `symbols`, ... */
  readonly content: readonly string[];
  /** Time of the upload in ISO 8601. */
  readonly uploaded: string;
}

/** Symbolization state of a build id. */
export interface BuildFacts {
  readonly buildId: string;
  /** Path of the binary in the last profile with the build id; "" = none. */
  readonly binary: string;
  /**
   * State of the names. `unasked`: no query has used them since the server was started, or since
   * its way of reading names changed.
   */
  readonly state: 'named' | 'unnamed' | 'pending' | 'unasked';
  /** Reason for missing names; "" if there are names. */
  readonly reason: string;
  readonly notes: readonly string[];
  readonly files: readonly SymbolFile[];
}

export interface SymbolsAnswer {
  readonly builds: readonly BuildFacts[];
  /** Number of build ids that are not listed. */
  readonly more: number;
}

/** Requests the build ids. Errors: RpcError. */
export async function askSymbols(base: string, signal: AbortSignal): Promise<SymbolsAnswer> {
  return (await getJson(base, 'symbols', new URLSearchParams(), { signal })) as SymbolsAnswer;
}

/** Uploads a file for a build id. Errors: Error with the server's message. */
export async function uploadSymbols(base: string, buildId: string, file: File): Promise<void> {
  const parameters = new URLSearchParams({ build_id: buildId, type: findKind(file.name) });
  const url = `${base}api/v1/debuginfo?${parameters}`;
  const response = await fetch(url, { method: 'POST', body: file });
  if (response.ok) return;
  const { message }: Record<string, unknown> = Object(await response.json().catch(() => undefined));
  throw new Error(typeof message === 'string' ? message : `the server answered ${response.status}`);
}

/** Returns the kind of an upload, derived from its file name. */
export function findKind(name: string): 'debuginfo' | 'sources' | 'source-map' {
  if (name.endsWith('.map')) return 'source-map';
  return /\.(?:tar|tgz|tar\.\w+|tzst)$/.test(name) ? 'sources' : 'debuginfo';
}
