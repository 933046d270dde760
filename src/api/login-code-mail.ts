import { type Language, LOGIN_CODE } from '../config.ts';
import { translator } from '../locales/i18n.ts';
import type { Mail } from '../vendors/mail.ts';

/** The mail that brings a login code, in the reader's language. */
export function loginCodeMail(code: string, language: Language): Omit<Mail, 'to'> {
  const t = translator(language);
  const lead = t('mail:login_code.lead');
  const rest = [
    t('mail:login_code.validity', { minutes: LOGIN_CODE.lifetimeMs / 60_000 }),
    t('mail:login_code.not_you'),
  ];
  const greeting = t('mail:login_code.greeting');
  return {
    subject: t('mail:login_code.subject', { code }),
    text: [greeting, lead, code, ...rest].join('\n\n'),
    html: [
      `<!doctype html><html lang="${language}"><body style="font-family:sans-serif;line-height:1.5">`,
      `<p>${greeting}</p><p>${lead}</p>`,
      `<p style="font-size:28px;letter-spacing:6px"><strong>${code}</strong></p>`,
      ...rest.map((line) => `<p>${line}</p>`),
      '</body></html>',
    ].join(''),
  };
}
