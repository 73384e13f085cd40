// Makes certificates for tests with openssl.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerTls } from '../../src/config/web/web-config.ts';

/** A folder with a certificate authority, `ca`, and the certificates that it signs. */
export interface Certificates {
  readonly folder: string;
  /** Makes `name`.pem and `name`.key; `names` are in openssl's form, such as "IP:127.0.0.1". */
  make(name: string, names?: string): void;
  /** Returns the text of a file. */
  text(file: string): string;
  remove(): void;
}

/** Makes a folder. */
export function createCertificates(): Certificates {
  const folder = mkdtempSync(join(tmpdir(), 'parca-certificates-'));
  const make = (name: string, names = ''): void => {
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
    const output = ['-keyout', `${name}.key`, '-out', `${name}.pem`, '-subj', `/CN=${name}`];
    const signing = name === 'ca' ? [] : ['-CA', 'ca.pem', '-CAkey', 'ca.key'];
    const extension = names === '' ? [] : ['-addext', `subjectAltName=${names}`];
    const openssl = process.env['TEST_OPENSSL'] ?? 'openssl';
    execFileSync(openssl, ['req', '-x509', ...key, ...output, ...signing, ...extension], {
      cwd: folder,
      stdio: 'pipe',
    });
  };
  make('ca');
  return {
    folder,
    make,
    text: (file) => readFileSync(join(folder, file), 'utf8'),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** Returns the settings of a server with a certificate; `given` replaces some of them. */
export function serverTls(
  certificates: Pick<Certificates, 'text'>,
  name: string,
  given: Partial<ServerTls> = {},
): ServerTls {
  return {
    certificate: certificates.text(`${name}.pem`),
    key: certificates.text(`${name}.key`),
    clientAuthorities: '',
    clientNames: [],
    maxVersion: undefined,
    ciphers: [],
    curves: [],
    clientAuth: 'NoClientCert',
    minVersion: 'TLSv1.2',
    prefersOwnCiphers: true,
    ...given,
  };
}
