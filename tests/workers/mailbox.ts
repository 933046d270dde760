/** One mail that the product sent in this test file. */
export interface SentMail {
  to: string;
  subject: string;
  text: string;
  html: string;
  replyTo?: string;
  headers?: Record<string, string>;
}

const sent: SentMail[] = [];

/** The platform's own binding, which judges each mail as it does in production, with a memory of what it took. */
export function recordingMail(binding: SendEmail): SendEmail {
  return {
    async send(mail: EmailMessage | EmailMessageBuilder) {
      const result = await binding.send(mail as EmailMessageBuilder);
      if ('subject' in mail) sent.push(mail as unknown as SentMail);
      return result;
    },
  } as SendEmail;
}

/** Mails to an address, oldest first. */
export function mailsTo(address: string): SentMail[] {
  return sent.filter((mail) => mail.to === address);
}
