// Strings such as credentials, certificates and keys, which are in the config or in files that it
// names.
import type { Files } from '../base/files.ts';

/** A string in the config, or in a file that is read when it is needed. */
export type TextSource =
  | { readonly kind: 'inline'; readonly text: string }
  | { readonly kind: 'file'; readonly path: string };

/** Certificates of connections. */
export interface TlsConfig {
  readonly ca: TextSource | undefined;
  readonly cert: TextSource | undefined;
  readonly key: TextSource | undefined;
  /** Name that the certificate must have; "" = the host of the target. */
  readonly serverName: string;
  readonly insecureSkipVerify: boolean;
  readonly minVersion: TlsVersion | undefined;
  readonly maxVersion: TlsVersion | undefined;
}

export type TlsVersion = 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3';

/**
 * Returns the string, or the content of its file without the newline at its end, because the
 * newline is not part of the secret.
 *
 * Errors: I/O errors, as AppErrors.
 */
export async function readTextSource(
  source: TextSource,
  files: Pick<Files, 'read'>,
): Promise<string> {
  if (source.kind === 'inline') return source.text;
  return new TextDecoder().decode(await files.read(source.path)).trim();
}
