// Checks of the certificates and keys of a job, as far as their files tell.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { errorMessage } from '../base/errors.ts';

const certificateForm = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** Returns why a text has no certificates in PEM form; undefined when it has some. */
export function certificateMistake(pem: string): string | undefined {
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

/** Returns why a text is not a private key in PEM form; undefined when it is one. */
export function keyMistake(pem: string): string | undefined {
  try {
    createPrivateKey(pem);
    return undefined;
  } catch (error) {
    return `has no private key in PEM form: ${errorMessage(error)}`;
  }
}

/** Whether a key belongs to the first certificate of a text; both are good. */
export function isKeyOf(certificates: string, key: string): boolean {
  return new X509Certificate(certificates).checkPrivateKey(createPrivateKey(key));
}
