// Nodemailer, loaded with the first e-mail; the types are of the parts that are used here.

/** A connection to a mail server; ends with the event `end`. */
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
  /** Code of the server's answer. */
  readonly responseCode?: number;
}

type Done = (error?: Error | null) => void;

/** A message; its headers are encoded and folded. */
interface ComposedMail {
  build(): Promise<Buffer>;
  getEnvelope(): object;
}

interface Nodemailer {
  readonly SMTPConnection: new (options: object) => SmtpConnection;
  readonly MailComposer: new (mail: object) => { compile(): ComposedMail };
}

/** Loads the package. Most servers send no e-mails, and save its memory. */
export async function loadNodemailer(): Promise<Nodemailer> {
  const parts = ['nodemailer/lib/smtp-connection', 'nodemailer/lib/mail-composer'];
  const [connection, composer] = await Promise.all(parts.map((name) => import(name)));
  return { SMTPConnection: connection.default, MailComposer: composer.default };
}
