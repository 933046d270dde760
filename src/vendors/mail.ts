import { log } from '../lib/log.ts';
/** One mail to one person. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Whom an answer goes to, in place of the sender. */
  replyTo?: string;
  /** Beside what the fields above become; the platform takes those of its list alone. */
  headers?: Record<string, string>;
}

/** `failed` may go better another time, `refused` never will. */
export type MailOutcome = 'sent' | 'failed' | 'refused';

/** The platform's codes for mails that are wrong in themselves, or go to somebody who takes none. */
const FINAL_CODES = new Set([
  'E_VALIDATION_ERROR',
  'E_FIELD_MISSING',
  'E_RECIPIENT_NOT_ALLOWED',
  'E_RECIPIENT_SUPPRESSED',
  'E_CONTENT_TOO_LARGE',
]);

const isFinal = (code: string): boolean => FINAL_CODES.has(code) || code.startsWith('E_HEADER');

/**
 * Sends a mail through the platform's e-mail binding; in the local build it lands in the local
 * mailbox.
 */
export async function sendMail(binding: SendEmail, from: string, mail: Mail): Promise<MailOutcome> {
  try {
    await binding.send({ from, ...mail });
    return 'sent';
  } catch (error) {
    const { code, message } = (error instanceof Error ? error : {}) as { code?: unknown; message?: string };
    const outcome = typeof code === 'string' && isFinal(code) ? 'refused' : 'failed';
    // The address stays out of the log: the platform's message is enough to act on.
    const safeMessage = (message ?? 'unknown').replaceAll(mail.to, '…');
    log('mail_failed', { outcome, code: typeof code === 'string' ? code : undefined, message: safeMessage });
    return outcome;
  }
}
