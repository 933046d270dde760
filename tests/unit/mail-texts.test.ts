import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildMail } from '../../src/services/mail-texts.ts';
import { LANGUAGES } from '../../src/config/languages.ts';
import {
  MAIL_LISTS_BY_KIND,
  MAIL_DETAILS,
  type MailDetails,
  type MailKind,
} from '../../src/features/mail/contract.ts';
import { escapeHtml } from '../../src/lib/html.ts';
import { toOneLine } from '../../src/features/mail/mail-layout.ts';

const SITE = 'https://loreloom.example';
const UNTIL = Date.UTC(2026, 11, 24, 23, 59);
const WAY_OUT = `${SITE}/unsubscribe?token=marketing.u1.abc`;
const MEMBERSHIP = { site: SITE, plan: 'Storyteller', price_cents: 699, until: UNTIL };

const DETAILS: { [Kind in MailKind]: MailDetails<Kind> } = {
  login_code: { code: '042137' },
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
const KINDS = Object.keys(MAIL_DETAILS) as MailKind[];

const written = (kind: MailKind, language: (typeof LANGUAGES)[number], wayOut: string | null = null) =>
  buildMail(kind, DETAILS[kind], { language, wayOut });

/** What a mail program shows of HTML. */
function shown(html: string): string {
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

describe.each(LANGUAGES)('A mail in %s', (language) => {
  test.each(KINDS)('says in text and in HTML the same, whole and in its language: %s', (kind) => {
    const mail = written(kind, language, WAY_OUT);
    expect(mail.html).toContain(`<html lang="${language}"`);
    expect(mail.headers).toMatchObject({ 'Content-Language': language, 'Auto-Submitted': 'auto-generated' });
    for (const form of [mail.subject, mail.text, shown(mail.html)]) {
      expect(form).not.toMatch(/\{\{|\}\}|\$t\(|undefined|NaN|\[object|mail:\w/);
    }
    const links = [...mail.html.matchAll(/href="([^"]*)"/g)].map(([, url]) => url);
    const inHtml = [shown(mail.html), ...links].join(' ').replaceAll(/\s+/g, ' ');
    for (const line of mail.text.split('\n').filter((one) => one !== '' && one !== '—')) {
      expect(inHtml).toContain(line.replaceAll(/\s+/g, ' '));
    }
    expect(mail.subject).not.toBe('');
    expect(mail.subject).not.toMatch(/[\r\n!！]/);
    expect(mail.text).not.toMatch(/[!！]/);
    if (language !== 'en') expect(mail.subject).not.toBe(written(kind, 'en').subject);
  });

  test.each(['cancelled', 'expired'] as const)(
    'that says goodbye names the membership that PayPal says is over: %s',
    (status) => {
      const details = { site: SITE, subscription: 'I-BW452GLLEP1G', status, paid_until: UNTIL };
      const { text, html } = buildMail('deletion_done', details, { language, wayOut: null });
      for (const form of [text, shown(html)]) {
        expect(form).toContain('I-BW452GLLEP1G');
        expect(form).toContain('PayPal');
        expect(form).not.toMatch(/\{\{|\}\}|undefined|mail:\w/);
        if (status === 'cancelled') expect(form).toContain('2026');
      }
      expect(written('deletion_done', language).text).not.toContain('PayPal');
    },
  );

  test('writes prices and days as the language does', () => {
    const { text } = written('membership_started', language);
    expect(text).toMatch(/6[.,]99/);
    expect(text).toContain('24');
    expect(text).toContain('2026');
    expect(written('first_commission', language).subject).toMatch(/1[.,]05/);
  });
});

describe('A mail', () => {
  test('with a login code has it in the subject and alone in its line, ready to be copied', () => {
    const mail = written('login_code', 'en');
    expect(mail.subject).toContain('042137');
    expect(mail.text).toMatch(/^042137$/m);
    expect(mail.html).toContain('<strong>042137</strong>');
    expect(mail.text).not.toContain('http');
  });

  test('with something to do says so on a button, and gives the address to copy as well', () => {
    const { text, html } = written('deletion_link', 'en');
    const url = `${SITE}/delete-account?token=a%2Fb%2Bc`;
    expect(text).toContain(url);
    expect(html.split(`href="${url}"`)).toHaveLength(3);
    expect(shown(html)).toContain(url);
  });

  test('of a list has the same way out for its reader and for one click of the program, the others have none', () => {
    const { headers, text, html } = written('marketing', 'en', WAY_OUT);
    expect(headers).toMatchObject({
      'List-Unsubscribe': `<${WAY_OUT}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    });
    expect(text).toContain(WAY_OUT);
    expect(html).toContain(`href="${WAY_OUT}"`);
    const plain = written('membership_ended', 'en');
    expect(Object.keys(plain.headers ?? {})).toEqual(['Content-Language', 'Auto-Submitted']);
    expect(plain.text).not.toContain('unsubscribe');
  });

  test('about money that is due, or that one asked for, cannot be switched off', () => {
    const lists = KINDS.filter((kind) => MAIL_LISTS_BY_KIND[kind] !== undefined);
    expect(lists).toEqual(['membership_renewed', 'first_commission', 'marketing']);
  });

  test('fetches nothing, so that nobody learns when it was opened, and runs nothing', () => {
    for (const kind of KINDS) {
      const { html } = written(kind, 'en', WAY_OUT);
      expect(html).not.toMatch(/<(?:img|link|script|iframe|form|object|svg)\b|url\(|@import|\son\w+=/i);
    }
  });

  test('stays below what mail programs cut off', () => {
    for (const kind of KINDS)
      for (const language of LANGUAGES)
        expect(new TextEncoder().encode(written(kind, language, WAY_OUT).html).length).toBeLessThan(20_000);
  });
});

/** What means something to HTML, to headers or to the texts' own places, and some that means nothing. */
const sign = fc.constantFrom(
  ...'<>&"\'/=!-;#{}$()\u0000\t\r\n\u0085\u2028\u2029 aé語',
  ...['<script>', '<!--', '-->', ']]>', '&lt;', '{{brand}}', '$t(mail:greeting)'],
);

describe('What somebody else wrote', () => {
  const news = (names: string) =>
    buildMail('marketing', { site: SITE, names, ids: 'a' }, { language: 'en', wayOut: WAY_OUT });

  test.each([
    '<img src=x onerror=alert(1)>',
    '</td></table><script>alert(1)</script>',
    '" style="display:none',
    "' onmouseover='x",
    '&lt;b&gt;',
    '{{brand}} {{code}}',
    '$t(mail:greeting)',
    'a <!-- b',
  ])('is shown in a mail as it was written: %s', (name) => {
    const { text, html } = news(name);
    expect(text).toContain(name);
    expect(shown(html)).toContain(name);
    expect(html).not.toContain(
      name === '{{brand}} {{code}}' || name.startsWith('$t') ? 'Loreloom code' : name,
    );
  });

  test('never becomes part of the mail’s HTML, whatever it is', () => {
    const tags = (html: string) => (html.match(/<\/?[a-z!][^>]*>/gi) ?? []).join('');
    const plain = tags(news('Mira').html);
    fc.assert(
      fc.property(fc.string({ unit: sign, minLength: 1, maxLength: 40 }), (name) => {
        expect(tags(news(name).html)).toBe(plain);
      }),
    );
  });

  test('cannot break a subject or a header into two', () => {
    fc.assert(
      fc.property(fc.string({ unit: sign }), (text) => {
        expect(toOneLine(text)).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
      }),
    );
    const plan = 'Story\r\nBcc: everybody@example.org\u2028teller';
    const { subject } = buildMail('membership_ended', { site: SITE, plan }, { language: 'en', wayOut: null });
    expect(subject).toBe('Your Story Bcc: everybody@example.org teller membership has ended');
  });

  test('has every sign of HTML escaped', () => {
    expect(escapeHtml(`<a href="x">&'</a>`)).toBe('&lt;a href=&quot;x&quot;&gt;&amp;&#39;&lt;/a&gt;');
  });
});

describe('The details of a mail', () => {
  test.each([
    ['deletion_link', { site: 'javascript:alert(1)', token: 't' }],
    ['deletion_link', { site: `${SITE}/path`, token: 't' }],
    ['deletion_link', { site: SITE }],
    ['membership_started', { ...MEMBERSHIP, price_cents: -1 }],
    ['membership_started', { ...MEMBERSHIP, more: 'x' }],
    ['marketing', { site: SITE, names: '', ids: 'a' }],
  ] as const)('are refused when they are not what the kind tells: %s %o', (kind, details) => {
    expect(MAIL_DETAILS[kind].safeParse(details).success).toBe(false);
  });
});
