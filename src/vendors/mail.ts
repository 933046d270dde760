/** One mail to one person. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

/**
 * Sends a mail through the platform's e-mail binding; in the local build it lands in the local
 * mailbox. False when the platform refused it.
 */
export async function sendMail(binding: SendEmail, from: string, mail: Mail): Promise<boolean> {
  try {
    await binding.send({ from, ...mail });
    return true;
  } catch (error) {
    // The address stays out of the log: the platform's message is enough to act on.
    console.error(
      JSON.stringify({ event: 'mail_failed', message: error instanceof Error ? error.message : 'unknown' }),
    );
    return false;
  }
}
