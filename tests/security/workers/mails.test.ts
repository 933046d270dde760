import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../../src/config/languages.ts';
import { buildMail } from '../../../src/services/mail-texts.ts';
import type { MailVariables, MailKind } from '../../../src/features/mail/contract.ts';
import { loadTexts } from '../../../src/locales/i18n.ts';
import { mailsTo } from '../../workers/mailbox.ts';
import { createAccount } from '../../support/factories.ts';
import { SCRIPTS } from '../scripts-corpus.ts';

/** The only elements that our mails contain. */
const ELEMENTS = new Set([
  'html',
  'head',
  'meta',
  'title',
  'body',
  'table',
  'tbody',
  'tr',
  'td',
  'div',
  'p',
  'a',
  'h1',
  'strong',
  'span',
  'br',
  'hr',
  'center',
  'style',
]);

/** Lists everything that a parser finds in a mail and that did not come from our template. */
async function findForeignMarkup(html: string): Promise<string[]> {
  const found: string[] = [];
  const rewriter = new HTMLRewriter().on('*', {
    element(element) {
      if (!ELEMENTS.has(element.tagName)) found.push(`<${element.tagName}>`);
      for (const [name, value] of element.attributes as unknown as Iterable<[string, string]>) {
        if (/^on|[<>"'`=]/i.test(name)) found.push(`${element.tagName} ${name}`);
        if (/^\s*(?:javascript|data|vbscript):|^\s*(?:https?:)?\/\/evil/i.test(value))
          found.push(`${element.tagName} ${name}=${value}`);
        if (name === 'http-equiv' && /refresh/i.test(value)) found.push('refresh');
      }
    },
  });
  await rewriter.transform(new Response(html, { headers: { 'content-type': 'text/html' } })).text();
  return found;
}

const site = 'https://loreloom.test';
const money = { price_cents: 699, until: Date.UTC(2026, 0, 2) };

/** Every kind of mail with a text from outside, with a payload as that text. */
const KINDS: [MailKind, (text: string) => object][] = [
  ['marketing', (text) => ({ site, names: `${text}\nWren`, ids: 'a\nb' })],
  ['login_code', (code) => ({ code })],
  ['deletion_link', (token) => ({ site, token })],
  ['deletion_done', (subscription) => ({ site, subscription, status: 'cancelled', paid_until: money.until })],
  ['membership_started', (plan) => ({ site, plan, ...money })],
  ['membership_agreed', (plan) => ({ site, plan, ...money })],
  ['membership_renewed', (plan) => ({ site, plan, ...money })],
  ['membership_failed', (plan) => ({ site, plan, ...money })],
  ['membership_unpaid', (plan) => ({ site, plan, ...money })],
  ['membership_ended', (plan) => ({ site, plan })],
];

describe('Mails', () => {
  test.each(KINDS)(
    'a mail shows texts from users as text, in every language: %s',
    async (kind, buildDetails) => {
      for (const language of LANGUAGES) {
        const { t } = await loadTexts(language);
        for (const text of SCRIPTS) {
          const variables = buildDetails(text) as MailVariables<typeof kind>;
          const { html, subject, headers } = buildMail(kind, variables, {
            language,
            t,
            wayOut: `${site}/unsubscribe?token=x`,
          });
          expect({ language, text, found: await findForeignMarkup(html) }).toEqual({
            language,
            text,
            found: [],
          });
          // A header value contains no line break.
          for (const line of [subject, ...Object.values(headers ?? {})]) expect(line).not.toMatch(/[\r\n]/);
        }
      }
    },
  );

  test('a feedback mail shows the message as text, and its reply address is a single address', async () => {
    const me = await createAccount();
    for (const message of [SCRIPTS.join(' '), SCRIPTS.slice(0, 3).join('\r\nBcc: victim@example.test\r\n')]) {
      await me.ask('/api/feedback', { json: { message, email: me.email }, status: 201 });
    }
    await expect
      .poll(() => mailsTo('support@localhost.test').filter(({ text }) => text.includes('ran(')).length)
      .toBeGreaterThan(1);
    for (const mail of mailsTo('support@localhost.test')) {
      expect(await findForeignMarkup(mail.html)).toEqual([]);
      expect(`${mail.subject}${mail.to}${mail.replyTo ?? ''}`).not.toMatch(/[\r\n]|victim|ran\(/);
    }
    for (const email of [
      'a@b.test\r\nBcc: victim@example.test',
      'a@b.test, victim@example.test',
      '<script>@b.test',
      'a@b.test>',
    ]) {
      expect((await me.call('/api/feedback', { json: { message: 'Hello.', email } })).status).toBe(400);
    }
  });
});
