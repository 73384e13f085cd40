// Addresses of debuginfod servers, for the config file and the command line.
import { AppError } from '../base/errors.ts';

/**
 * Parses the address of a debuginfod server. As in Parca, a host without a scheme means HTTPS. The
 * result does not end in a slash.
 *
 * Errors: AppError 'invalid-argument'.
 */
export function parseDebuginfodServer(text: string): string {
  const url = URL.parse(text.includes('://') ? text : `https://${text}`);
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (isHttp && `${url.username}${url.password}${url.search}${url.hash}` === '') {
    return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
  }
  // The message shows only the part after "@", because passwords must not get into logs.
  const shown = JSON.stringify(text.replace(/^.*@/, ''));
  const wanted = 'a host, or http(s)://host/path without user, query and fragment';
  throw new AppError(
    'invalid-argument',
    `cannot use debuginfod server ${shown}: expected ${wanted}`,
  );
}
