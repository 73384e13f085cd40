// Decides whether a client may connect, with or without a certificate.
import type { X509Certificate } from 'node:crypto';
import type { ServerTls } from '../../config/web/web-config.ts';

/** Returns true if a client may connect. `isVerified`: an authority signed its certificate. */
export function isAllowedClient(
  { clientAuth, clientNames }: Pick<ServerTls, 'clientAuth' | 'clientNames'>,
  certificate: Pick<X509Certificate, 'subjectAltName'> | undefined,
  isVerified: boolean,
): boolean {
  if (clientAuth === 'NoClientCert' || clientAuth === 'RequestClientCert') return true;
  if (clientAuth === 'RequireAnyClientCert') return certificate !== undefined;
  if (clientAuth === 'VerifyClientCertIfGiven') return certificate === undefined || isVerified;
  if (certificate === undefined || !isVerified) return false;
  if (clientNames.length === 0) return true;
  const names = alternativeNames(certificate.subjectAltName ?? '');
  return clientNames.some((name) => names.includes(name));
}

const nameForm =
  /(DNS|IP Address|URI|email):("(?:[^"\\]|\\.)*"|[^,"]*)(?:, |$)|[^,"]*(?:"(?:[^"\\]|\\.)*"[^,"]*)*(?:, |$)/y;

/**
 * Returns the names in a string such as `DNS:a.example, IP Address:127.0.0.1`. Names with commas or
 * quotes are JSON strings there, so one name cannot look like several names.
 */
export function alternativeNames(text: string): string[] {
  const names: string[] = [];
  nameForm.lastIndex = 0;
  while (nameForm.lastIndex < text.length) {
    const start = nameForm.lastIndex;
    const match = nameForm.exec(text);
    if (match === null || nameForm.lastIndex === start) return [];
    const value: string | undefined = match[2];
    if (value === undefined) continue;
    names.push(value.startsWith('"') ? String(JSON.parse(value)) : value);
  }
  return names;
}
