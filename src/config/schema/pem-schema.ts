// Parts of schemas: certificates and keys, given as content or as a file, and versions of TLS.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { errorMessage } from '../../base/errors.ts';
import type { Files } from '../../base/files.ts';
import { readTextSource, type TextSource, type TlsVersion } from '../text-source.ts';
import type { Place } from './place.ts';
import {
  type Field,
  nonEmptyText,
  readWord,
  optional,
  type Reader,
  refine,
  secret,
} from './read.ts';

type Absent = undefined;

/** Default for a string that is missing. */
export const emptyText: TextSource = { kind: 'inline', text: '' };

/** Reads a string that messages must not show. */
export const inlineText: Reader<TextSource> = refine(secret, (value) => ({
  kind: 'inline',
  text: value,
}));

/**
 * Reads the name of a file that must not be empty. The name is relative to the folder of the config
 * file.
 */
export const textFile: Reader<TextSource> = refine(nonEmptyText, (name, place) => {
  const path = resolve(dirname(place.source.file), name);
  const source: TextSource = { kind: 'file', path };
  place.checkLater(async (files) => {
    try {
      if ((await readTextSource(source, files)) === '') place.report(`${path} is empty`);
    } catch (error) {
      place.report(errorMessage(error));
    }
  });
  return source;
});

export const maybeInline: Field<TextSource | Absent> = optional(inlineText, undefined);
export const maybeFile: Field<TextSource | Absent> = optional(textFile, undefined);

/** Reports values that are given twice: inline and as a file. */
export function refuseBoth(
  given: Readonly<Record<string, unknown>>,
  place: Place,
  names: readonly string[],
): void {
  for (const name of names) {
    if (given[name] === undefined || given[`${name}_file`] === undefined) continue;
    place.report(`expected only one of ${name} and ${name}_file`);
  }
}

const tlsVersions = {
  TLS10: 'TLSv1',
  TLS11: 'TLSv1.1',
  TLS12: 'TLSv1.2',
  TLS13: 'TLSv1.3',
} as const;

export const tlsVersion = refine(
  readWord(['TLS10', 'TLS11', 'TLS12', 'TLS13']),
  (version) => tlsVersions[version],
);

/** Oldest TLS version if the config has none; the same as in Node. */
const minVersionDefault: TlsVersion = 'TLSv1.2';

/** Reports a smallest and largest TLS version that exclude each other. */
export function checkVersions(
  given: { readonly min_version?: TlsVersion | Absent; readonly max_version?: TlsVersion | Absent },
  place: Place,
): void {
  const { min_version: min, max_version: max } = given;
  if (min !== undefined && max !== undefined && min > max) {
    place.at('min_version').report('min_version is above max_version');
  }
  if (min === undefined && max !== undefined && max < minVersionDefault) {
    place.at('max_version').report('a max_version below TLS12 needs a min_version');
  }
}

type PemKey =
  | 'ca'
  | 'ca_file'
  | 'cert'
  | 'cert_file'
  | 'client_ca'
  | 'client_ca_file'
  | 'key'
  | 'key_file';
type PemKeys = { readonly [K in PemKey]?: TextSource | Absent };

/** Adds a check that runs later: the keys `names` have valid CA certificates. */
export function checkAuthorities(given: PemKeys, place: Place, names: readonly PemKey[]): void {
  place.checkLater(async (files) => {
    for (const name of names) await goodText(given, place, name, certificateMistake, files);
  });
}

/** Adds a check that runs later: a certificate and its key can be parsed and belong together. */
export function checkKeyPair(given: PemKeys, place: Place, noun: string): void {
  place.checkLater(async (files) => {
    const certificate =
      (await goodText(given, place, 'cert', certificateMistake, files)) ??
      (await goodText(given, place, 'cert_file', certificateMistake, files));
    const key =
      (await goodText(given, place, 'key', keyMistake, files)) ??
      (await goodText(given, place, 'key_file', keyMistake, files));
    if (certificate !== undefined && key !== undefined && !fitsKey(certificate, key)) {
      place.report(`the key is not that of the ${noun}`);
    }
  });
}

/** Returns the content of a certificate or key if it is valid; otherwise, reports the mistake. */
async function goodText(
  given: PemKeys,
  place: Place,
  name: PemKey,
  findMistake: (pem: string) => string | undefined,
  files: Pick<Files, 'read'>,
): Promise<string | undefined> {
  const source = given[name];
  if (source === undefined) return undefined;
  // A file that is empty or cannot be read has already been reported.
  const pem = await readTextSource(source, files).catch(() => '');
  if (pem === '' && source.kind === 'file') return undefined;
  const mistake = findMistake(pem);
  if (mistake === undefined) return pem;
  place.at(name).report(`${source.kind === 'file' ? source.path : 'it'} ${mistake}`);
  return undefined;
}

const certificateForm = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** Returns why a string has no certificates in PEM form; undefined if it has certificates. */
function certificateMistake(pem: string): string | undefined {
  const found = pem.match(certificateForm) ?? [];
  if (found.length === 0) return 'has no certificate in PEM form';
  for (const one of found) {
    try {
      void new X509Certificate(one);
    } catch (error) {
      return `has a certificate that cannot be read: ${errorMessage(error)}`;
    }
  }
  return undefined;
}

/** Returns why a string is not a private key in PEM form; undefined if it is one. */
function keyMistake(pem: string): string | undefined {
  try {
    createPrivateKey(pem);
    return undefined;
  } catch (error) {
    return `has no private key in PEM form: ${errorMessage(error)}`;
  }
}

/** Returns true if the key belongs to the first certificate. Both must be valid. */
function fitsKey(certificates: string, key: string): boolean {
  return new X509Certificate(certificates).checkPrivateKey(createPrivateKey(key));
}
