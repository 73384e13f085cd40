// Sends alerts as e-mails to one address, over SMTP.
import type { Clock } from '../base/clock.ts';
import { AppError, errorMessage } from '../base/errors.ts';
import type { Files } from '../base/files.ts';
import type { MailReceiver } from '../config/config.ts';
import { readTextSource } from '../config/text-source.ts';
import { readTls } from '../http-client/http-client.ts';
import type { GroupMessage } from './alert-message.ts';
import { mailMillisMax } from './limits.ts';
import type { MessageSender } from './message-sender.ts';
import { nodemailer, type SmtpConnection, type SmtpError } from './nodemailer.ts';
import { mailId, mailText } from './mail-message.ts';
import { mailPicture } from './mail-picture.ts';

interface MailSenderOptions {
  readonly clock: Clock;
  readonly files: Pick<Files, 'read'>;
}

/** Creates a sender. Each message has its own connection, because messages are rare. */
export function createMailSender(way: MailReceiver, options: MailSenderOptions): MessageSender {
  return {
    takesPicture: way.sendsPicture,
    send: (message, signal) => sendMail(way, message, signal, options),
    close: async () => {},
  };
}

async function sendMail(
  way: MailReceiver,
  message: GroupMessage,
  signal: AbortSignal,
  { clock, files }: MailSenderOptions,
): Promise<string | undefined> {
  const { MailComposer, SMTPConnection } = nodemailer();
  const domain = way.from.replace(/^.*@/, '').replace(/>$/, '');
  const mail = new MailComposer({
    ...mailText(message),
    ...mailPicture(message, domain),
    from: way.from,
    to: way.to,
    date: new Date(clock.nowMillis()),
    messageId: mailId(message, way.to, domain),
    // Tells automatic responders, such as vacation notices, not to reply (RFC 3834).
    headers: { ...Object.fromEntries(way.headers), 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();
  const bytes = await mail.build();
  const connection = new SMTPConnection({
    host: way.host,
    port: way.port,
    secure: way.isImplicitTls,
    requireTLS: !way.isImplicitTls && way.requireTls,
    ignoreTLS: !way.requireTls,
    name: way.hello,
    connectionTimeout: mailMillisMax,
    greetingTimeout: mailMillisMax,
    socketTimeout: mailMillisMax,
    tls: way.tls === undefined ? {} : await readTls(way.tls, files),
  });
  const password = way.username === '' ? '' : await readTextSource(way.password, files);
  const talk = new Conversation(connection, signal);
  try {
    await talk.step((done) => connection.connect(done));
    if (way.username !== '') {
      const login = { user: way.username, pass: password };
      await talk.step((done) => connection.login(login, done));
    }
    await talk.step((done) => connection.send(mail.getEnvelope(), bytes, done));
    connection.quit();
    return undefined;
  } catch (error) {
    if (isRefusal(error)) return errorMessage(error);
    const why = errorMessage(error);
    throw new AppError('unavailable', `cannot send an e-mail: ${why}`, { cause: error });
  } finally {
    talk.end();
  }
}

/** A connection that ends when a step fails, a signal aborts it, or its time runs out. */
class Conversation {
  readonly #connection: SmtpConnection;
  readonly #signal: AbortSignal;
  #fail: (error: Error) => void = () => {};
  readonly #failed: Promise<never>;
  readonly #onAbort = (): void => this.#fail(new Error('it took too long, or was ended'));

  constructor(connection: SmtpConnection, signal: AbortSignal) {
    this.#connection = connection;
    this.#signal = AbortSignal.any([signal, AbortSignal.timeout(mailMillisMax)]);
    this.#failed = new Promise((_resolve, reject) => {
      this.#fail = reject;
    });
    // A failure between two steps is reported by the next step.
    this.#failed.catch(() => {});
    connection.on('error', (error) => this.#fail(error));
    connection.on('end', () => this.#fail(new Error('the server closed the connection')));
    this.#signal.addEventListener('abort', this.#onAbort);
    if (this.#signal.aborted) this.#onAbort();
  }

  async step(start: (done: (error?: Error | null) => void) => void): Promise<void> {
    const done = new Promise<void>((resolve, reject) => {
      start((error) => (error ? reject(error) : resolve()));
    });
    await Promise.race([this.#failed, done]);
  }

  end(): void {
    this.#signal.removeEventListener('abort', this.#onAbort);
    this.#connection.close();
  }
}

/**
 * Returns true if the server permanently refuses this recipient or message. Such a message must not
 * be retried, because it would block later messages. A refused login or sender is no such refusal
 * but a mistake in the config.
 */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { command, responseCode } = error as SmtpError;
  const isForMessage = command === 'RCPT TO' || command === 'DATA';
  return isForMessage && typeof responseCode === 'number' && responseCode >= 500;
}
