// Loads nodemailer when the first e-mail is sent. The types here cover only what is used.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** A connection to a mail server; emits `end` when it is closed. */
export interface SmtpConnection {
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  connect(done: (error?: Error | null) => void): void;
  login(auth: { readonly user: string; readonly pass: string }, done: Done): void;
  send(envelope: object, message: Buffer, done: Done): void;
  quit(): void;
  close(): void;
}

/** An error of a connection. */
export interface SmtpError extends Error {
  /** Command that failed, such as "RCPT TO". */
  readonly command?: string;
  /** Status code of the server's reply. */
  readonly responseCode?: number;
}

type Done = (error?: Error | null) => void;

/** A message with encoded and folded headers. */
interface ComposedMail {
  build(): Promise<Buffer>;
  getEnvelope(): object;
}

interface Nodemailer {
  readonly SMTPConnection: new (options: object) => SmtpConnection;
  readonly MailComposer: new (mail: object) => { compile(): ComposedMail };
}

/** Returns the package, which is loaded on demand because most servers send no e-mails. */
export function nodemailer(): Nodemailer {
  return {
    SMTPConnection: require('nodemailer/lib/smtp-connection') as Nodemailer['SMTPConnection'],
    MailComposer: require('nodemailer/lib/mail-composer') as Nodemailer['MailComposer'],
  };
}
