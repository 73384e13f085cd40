// The schema of `email_configs` of an alert receiver, with the keys of Alertmanager.
import type { MailReceiver } from '../config.ts';
import type { Place } from './place.ts';
import { tls } from './http-schema.ts';
import { emptyText, maybeFile, maybeInline, refuseBoth } from './pem-schema.ts';
import {
  boolean,
  invalid,
  list,
  nonEmptyText,
  optional,
  readMap,
  type Reader,
  record,
  refine,
  refuse,
  required,
  text,
} from './read.ts';

/** Form of a mail address without a name. */
const bareAddress = String.raw`[^\s\p{Cc}<>@,;:()"\\\[\]]+@[^\s\p{Cc}<>@,;:()"\\\[\]]+`;
const addressForm = new RegExp(
  String.raw`^(?:${bareAddress}|[^\p{Cc}<>@,;:()\\\[\]]*<${bareAddress}>)$`,
  'u',
);

const mailAddress: Reader<string> = refine(nonEmptyText, (address, place) =>
  addressForm.test(address)
    ? address
    : refuse(place, 'an e-mail address, such as parca@example.com'),
);

const mailAddresses: Reader<readonly string[]> = refine(nonEmptyText, (written, place) => {
  const addresses = written.split(',').map((address) => address.trim());
  if (addresses.every((address) => addressForm.test(address))) return [...new Set(addresses)];
  return refuse(place, 'e-mail addresses with commas between them');
});

const serverForm = /^(?:\[([\da-fA-F:.]+)\]|([^\s:[\]]+)):(\d{1,5})$/;

const smarthost = refine(nonEmptyText, (written, place) => {
  const [, ipv6, name = ipv6, port] = serverForm.exec(written) ?? [];
  const isPort = Number(port) >= 1 && Number(port) <= 65_535;
  if (name === undefined || !isPort) return refuse(place, 'host:port of a mail server');
  return { host: name, port: Number(port) };
});

const hello = refine(text, (name, place) =>
  /^[\w.:[\]-]+$/.test(name) ? name : refuse(place, 'the name of a host'),
);

/** Headers that each message already has, or that would change who receives it. */
const reservedHeader =
  /^(?:from|sender|to|cc|bcc|subject|date|message-id|mime-version|content-.*|return-path|auto-submitted)$/i;

function headerMistake(name: string): string | undefined {
  if (!/^[A-Za-z\d-]+$/.test(name)) return `${JSON.stringify(name)} is not the name of a header`;
  return reservedHeader.test(name) ? `header ${name} cannot be set here` : undefined;
}

const headerValue: Reader<string> = refine(text, (value, place) =>
  /\p{Cc}/u.test(value) ? refuse(place, 'one line of text') : value,
);

const noHeaders: ReadonlyMap<string, string> = new Map();

/** Port on which servers expect TLS from the first byte, as in Alertmanager. */
const implicitTlsPort = 465;

/**
 * Keys for the text of messages, which cannot be configured because the server's templates have no
 * loops; and logins that are not supported.
 */
const notSupported = ['html', 'text', 'auth_identity', 'auth_secret', 'auth_secret_file'];

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.[\d.]+$/.test(host);
}

function checkLogin(name: string, hasPassword: boolean, place: Place): boolean {
  if ((name !== '') === hasPassword) return true;
  place.report('expected both auth_username and its password, or none of them');
  return false;
}

/** Reads an entry of `email_configs`. Each address in it gets messages of its own. */
export const email: Reader<readonly MailReceiver[]> = refine(
  record(
    {
      to: required(mailAddresses),
      from: required(mailAddress),
      smarthost: required(smarthost),
      hello: optional(hello, 'localhost'),
      auth_username: optional(text, ''),
      auth_password: maybeInline,
      auth_password_file: maybeFile,
      require_tls: optional(boolean, true),
      force_implicit_tls: optional(boolean, undefined),
      tls_config: optional(tls, undefined),
      headers: optional(readMap(headerValue, headerMistake), noHeaders),
      send_resolved: optional(boolean, false),
      send_picture: optional(boolean, true),
    },
    notSupported,
    (given, place) => refuseBoth(given, place, ['auth_password']),
  ),
  (keys, place) => {
    const { host, port } = keys.smarthost;
    const password = keys.auth_password ?? keys.auth_password_file;
    const isImplicitTls = keys.force_implicit_tls ?? port === implicitTlsPort;
    if (!checkLogin(keys.auth_username, password !== undefined, place)) return invalid;
    if (keys.auth_username !== '' && !keys.require_tls && !isImplicitTls && !isLoopback(host)) {
      place.at('require_tls').report('a password is sent only by TLS, or to this machine');
      return invalid;
    }
    return keys.to.map((to) => ({
      kind: 'email' as const,
      to,
      from: keys.from,
      host,
      port,
      hello: keys.hello,
      username: keys.auth_username,
      password: password ?? emptyText,
      requireTls: keys.require_tls,
      isImplicitTls,
      tls: keys.tls_config,
      headers: keys.headers,
      sendsResolved: keys.send_resolved,
      sendsPicture: keys.send_picture,
    }));
  },
);

/** Schema of `email_configs`. */
export const emails = optional(list(email), []);
