import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildMail } from '../../../src/services/mail-texts.ts';
import { type Language, LANGUAGES } from '../../../src/config/languages.ts';
import {
  MAIL_LISTS_BY_KIND,
  MAIL_VARIABLES,
  type MailVariables,
  type MailKind,
} from '../../../src/features/mail/contract.ts';
import { escapeHtml } from '../../../src/lib/html.ts';
import { loadTexts, type Translate } from '../../../src/locales/i18n.ts';
import { toOneLine } from '../../../src/features/mail/mail-layout.ts';

const SITE = 'https://loreloom.example';
const UNTIL = Date.UTC(2026, 11, 24, 23, 59);
const WAY_OUT = `${SITE}/unsubscribe?token=marketing.u1.abc`;
const MEMBERSHIP = { site: SITE, plan: 'Storyteller', price_cents: 699, until: UNTIL };

const VARIABLES: { [Kind in MailKind]: MailVariables<Kind> } = {
  login_code: { code: '042137' },
  browser_link: { site: SITE, mark: 'a1'.repeat(24) },
  deletion_link: { site: SITE, token: 'a/b+c' },
  deletion_done: { site: SITE },
  membership_started: MEMBERSHIP,
  membership_agreed: MEMBERSHIP,
  membership_renewed: MEMBERSHIP,
  membership_failed: MEMBERSHIP,
  membership_unpaid: MEMBERSHIP,
  membership_ended: { site: SITE, plan: 'Storyteller' },
  first_commission: { site: SITE, amount_cents: 105 },
  marketing: { site: SITE, names: 'Mira\nTeodora', ids: 'a\nb' },
};
const TRANSLATORS = Object.fromEntries(
  await Promise.all(LANGUAGES.map(async (language) => [language, (await loadTexts(language)).t])),
) as Record<Language, Translate>;
const KINDS = Object.keys(MAIL_VARIABLES) as MailKind[];

const buildTestMail = (kind: MailKind, language: (typeof LANGUAGES)[number], wayOut: string | null = null) =>
  buildMail(kind, VARIABLES[kind], { language, t: TRANSLATORS[language], wayOut });

/** The text that a mail program shows for HTML. */
function toVisibleText(html: string): string {
  return html
    .replace(/^.*<body/s, '<body')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&#160;', ' ')
    .replaceAll('&amp;', '&');
}

describe.each(LANGUAGES)('Mail texts in %s', (language) => {
  test.each(KINDS)('a mail says the same in text and in HTML, completely and in its language: %s', (kind) => {
    const mail = buildTestMail(kind, language, WAY_OUT);
    expect(mail.html).toContain(`<html lang="${language}"`);
    expect(mail.headers).toMatchObject({ 'Content-Language': language, 'Auto-Submitted': 'auto-generated' });
    for (const form of [mail.subject, mail.text, toVisibleText(mail.html)]) {
      expect(form).not.toMatch(/\{\{|\}\}|\$t\(|undefined|NaN|\[object|mail:\w/);
    }
    const links = [...mail.html.matchAll(/href="([^"]*)"/g)].map(([, url]) => url);
    const inHtml = [toVisibleText(mail.html), ...links].join(' ').replaceAll(/\s+/g, ' ');
    for (const line of mail.text.split('\n').filter((one) => one !== '' && one !== '—')) {
      expect(inHtml).toContain(line.replaceAll(/\s+/g, ' '));
    }
    expect(mail.subject).not.toBe('');
    expect(mail.subject).not.toMatch(/[\r\n!！]/);
    expect(mail.text).not.toMatch(/[!！]/);
    if (language !== 'en') expect(mail.subject).not.toBe(buildTestMail(kind, 'en').subject);
  });

  test.each(['cancelled', 'expired'] as const)(
    'the mail after a deletion names the subscription that PayPal reports as over: %s',
    (status) => {
      const variables = { site: SITE, subscription: 'I-BW452GLLEP1G', status, paid_until: UNTIL };
      const { text, html } = buildMail('deletion_done', variables, {
        language,
        t: TRANSLATORS[language],
        wayOut: null,
      });
      for (const form of [text, toVisibleText(html)]) {
        expect(form).toContain('I-BW452GLLEP1G');
        expect(form).toContain('PayPal');
        expect(form).not.toMatch(/\{\{|\}\}|undefined|mail:\w/);
        if (status === 'cancelled') expect(form).toContain('2026');
      }
      expect(buildTestMail('deletion_done', language).text).not.toContain('PayPal');
    },
  );

  test('a mail formats prices and dates for its language', () => {
    const { text } = buildTestMail('membership_started', language);
    expect(text).toMatch(/6[.,]99/);
    expect(text).toContain('24');
    expect(text).toContain('2026');
    expect(buildTestMail('first_commission', language).subject).toMatch(/1[.,]05/);
  });
});

describe('Mail format', () => {
  test('a login code is in the subject and alone on a line, so that it is easy to copy', () => {
    const mail = buildTestMail('login_code', 'en');
    expect(mail.subject).toContain('042137');
    expect(mail.text).toMatch(/^042137$/m);
    expect(mail.html).toContain('<strong>042137</strong>');
    expect(mail.text).not.toContain('http');
  });

  test('a mail with an action has a button and also shows the address to copy', () => {
    const { text, html } = buildTestMail('deletion_link', 'en');
    const url = `${SITE}/delete-account?token=a%2Fb%2Bc`;
    expect(text).toContain(url);
    expect(html.split(`href="${url}"`)).toHaveLength(3);
    expect(toVisibleText(html)).toContain(url);
  });

  test('a marketing mail has one unsubscribe link for readers and for one-click programs; other mails have none', () => {
    const { headers, text, html } = buildTestMail('marketing', 'en', WAY_OUT);
    expect(headers).toMatchObject({
      'List-Unsubscribe': `<${WAY_OUT}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    });
    expect(text).toContain(WAY_OUT);
    expect(html).toContain(`href="${WAY_OUT}"`);
    const plain = buildTestMail('membership_ended', 'en');
    expect(Object.keys(plain.headers ?? {})).toEqual(['Content-Language', 'Auto-Submitted']);
    expect(plain.text).not.toContain('unsubscribe');
  });

  test('only renewal, commission and marketing mails belong to a list that can be switched off', () => {
    const lists = KINDS.filter((kind) => MAIL_LISTS_BY_KIND[kind] !== undefined);
    expect(lists).toEqual(['membership_renewed', 'first_commission', 'marketing']);
  });

  test('a mail loads nothing, so that opening it is not tracked, and runs no script', () => {
    for (const kind of KINDS) {
      const { html } = buildTestMail(kind, 'en', WAY_OUT);
      expect(html).not.toMatch(/<(?:img|link|script|iframe|form|object|svg)\b|url\(|@import|\son\w+=/i);
    }
  });

  test('every mail is shorter than 20,000 bytes, where mail programs cut off', () => {
    for (const kind of KINDS)
      for (const language of LANGUAGES)
        expect(new TextEncoder().encode(buildTestMail(kind, language, WAY_OUT).html).length).toBeLessThan(
          20_000,
        );
  });
});

/** Characters with a meaning in HTML, in headers or in our placeholders, and a few without one. */
const character = fc.constantFrom(
  ...'<>&"\'/=!-;#{}$()\u0000\t\r\n\u0085\u2028\u2029 aé語',
  ...['<script>', '<!--', '-->', ']]>', '&lt;', '{{brand}}', '$t(mail:greeting)'],
);

describe('User text in mails', () => {
  const buildMarketingMail = (names: string) =>
    buildMail(
      'marketing',
      { site: SITE, names, ids: 'a' },
      { language: 'en', t: TRANSLATORS.en, wayOut: WAY_OUT },
    );

  test.each([
    '<img src=x onerror=alert(1)>',
    '</td></table><script>alert(1)</script>',
    '" style="display:none',
    "' onmouseover='x",
    '&lt;b&gt;',
    '{{brand}} {{code}}',
    '$t(mail:greeting)',
    'a <!-- b',
  ])('a name in a mail is shown as it was written: %s', (name) => {
    const { text, html } = buildMarketingMail(name);
    expect(text).toContain(name);
    expect(toVisibleText(html)).toContain(name);
    expect(html).not.toContain(
      name === '{{brand}} {{code}}' || name.startsWith('$t') ? 'Loreloom code' : name,
    );
  });

  test('a name never changes the HTML tags of a mail', () => {
    const tags = (html: string) => (html.match(/<\/?[a-z!][^>]*>/gi) ?? []).join('');
    const plain = tags(buildMarketingMail('Mira').html);
    fc.assert(
      fc.property(fc.string({ unit: character, minLength: 1, maxLength: 40 }), (name) => {
        expect(tags(buildMarketingMail(name).html)).toBe(plain);
      }),
    );
  });

  test('a user text cannot split a subject or a header into two lines', () => {
    fc.assert(
      fc.property(fc.string({ unit: character }), (text) => {
        expect(toOneLine(text)).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
      }),
    );
    const plan = 'Story\r\nBcc: everybody@example.org\u2028teller';
    const { subject } = buildMail(
      'membership_ended',
      { site: SITE, plan },
      { language: 'en', t: TRANSLATORS.en, wayOut: null },
    );
    expect(subject).toBe('Your Story Bcc: everybody@example.org teller membership has ended');
  });

  test('every special HTML character is escaped', () => {
    expect(escapeHtml(`<a href="x">&'</a>`)).toBe('&lt;a href=&quot;x&quot;&gt;&amp;&#39;&lt;/a&gt;');
  });
});

describe('Mail variables', () => {
  test.each([
    ['deletion_link', { site: 'javascript:alert(1)', token: 't' }],
    ['deletion_link', { site: `${SITE}/path`, token: 't' }],
    ['deletion_link', { site: SITE }],
    ['membership_started', { ...MEMBERSHIP, price_cents: -1 }],
    ['membership_started', { ...MEMBERSHIP, more: 'x' }],
    ['marketing', { site: SITE, names: '', ids: 'a' }],
  ] as const)('variables that do not fit the kind of mail are refused: %s %o', (kind, variables) => {
    expect(MAIL_VARIABLES[kind].safeParse(variables).success).toBe(false);
  });
});
