// Connection failures in plain words: one sentence for each TLS message of Node and OpenSSL.

/** A fault that an operator can fix. */
export interface ConnectionFault {
  readonly kind: 'no-tls' | 'closed' | 'authority' | 'other';
  readonly text: string;
}

const faults: readonly (readonly [RegExp, ConnectionFault['kind'], string])[] = [
  [
    /wrong[ _]version[ _]number|packet[ _]length[ _]too[ _]long/i,
    'no-tls',
    'it speaks without TLS',
  ],
  [
    /self[- _]signed|unable to verify|unable to get (?:local )?issuer|UNABLE_TO_(?:VERIFY|GET)/i,
    'authority',
    'its certificate has no known authority',
  ],
  [/ALTNAME_INVALID|altnames/i, 'other', 'its certificate is for other names'],
  [/certificate has expired|CERT_HAS_EXPIRED/i, 'other', 'its certificate has expired'],
  [/certificate is not yet valid|CERT_NOT_YET_VALID/i, 'other', 'its certificate is not valid yet'],
  [
    /alert (?:certificate required|bad certificate|unknown ca|handshake failure)|ALERT_(?:BAD_CERT|UNKNOWN_CA|HANDSHAKE)|CERTIFICATE_REQUIRED/i,
    'other',
    'it refuses this client: it may want a certificate of it, or another version of TLS',
  ],
  [/unsupported protocol|alert protocol version/i, 'other', 'it speaks other versions of TLS'],
  [
    /other side closed|socket hang up|Failed to connect|disconnected before secure TLS|UND_ERR_SOCKET|ECONNRESET/,
    'closed',
    'it closed the connection',
  ],
];

/** Returns the fault that the message of an error describes; undefined for other messages. */
export function connectionFault(message: string): ConnectionFault | undefined {
  for (const [form, kind, text] of faults) if (form.test(message)) return { kind, text };
  const [, reason] = /:SSL routines:[^:]*:([^:]+):/.exec(message) ?? [];
  return reason === undefined ? undefined : { kind: 'other', text: `TLS failed: ${reason}` };
}
