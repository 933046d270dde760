import { log } from '../lib/log.ts';
/** A mail to one recipient. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Recipient of replies, instead of the sender. */
  replyTo?: string;
  /** Additional headers; the platform accepts only those on its list. */
  headers?: Record<string, string>;
}

/** `failed` may succeed on a retry, `refused` never will. */
export type MailOutcome = 'sent' | 'failed' | 'refused';

/** The platform's codes for invalid mails and recipients that accept none. */
const FINAL_CODES = new Set([
  'E_VALIDATION_ERROR',
  'E_FIELD_MISSING',
  'E_RECIPIENT_NOT_ALLOWED',
  'E_RECIPIENT_SUPPRESSED',
  'E_CONTENT_TOO_LARGE',
]);

const isFinal = (code: string): boolean => FINAL_CODES.has(code) || code.startsWith('E_HEADER');

/** Sends a mail through the platform's email binding. The local build stores it in a local mailbox. */
export async function sendMail(binding: SendEmail, from: string, mail: Mail): Promise<MailOutcome> {
  try {
    await binding.send({ from, ...mail });
    return 'sent';
  } catch (error) {
    const { code, message } = (error instanceof Error ? error : {}) as { code?: unknown; message?: string };
    const outcome = typeof code === 'string' && isFinal(code) ? 'refused' : 'failed';
    // Keep the address out of the log; the platform's message is enough to act on.
    const safeMessage = (message ?? 'unknown').replaceAll(mail.to, '…');
    log('mail_failed', { outcome, code: typeof code === 'string' ? code : undefined, message: safeMessage });
    return outcome;
  }
}
