import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalizeUsername, validateUsername } from '../../../../src/features/account/username.ts';
import { parseFileName } from '../../../../src/islands/account/download.ts';
import { parseUserAgent } from '../../../../src/islands/account/user-agent.ts';
import { inspectDevice, removeFromDevice } from '../../../../src/islands/settings/device-contents.ts';
import { createFeedbackStore, validateMessage } from '../../../../src/islands/feedback/feedback-state.ts';
import { NETWORK_FAILURE } from '../../../../src/islands/shared/api.ts';
import { formatAmount, formatMegabytes, formatShare } from '../../../../src/locales/format-amounts.ts';

/** In-memory stand-in for localStorage. */
function createStorage(content: Record<string, string> = {}): Storage {
  const entries = new Map(Object.entries(content));
  return {
    get length() {
      return entries.size;
    },
    key: (index: number) => [...entries.keys()][index] ?? null,
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
    clear: () => entries.clear(),
  };
}

describe('Usernames', () => {
  test('a normalized valid username stays valid and unchanged by normalizing again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
        if (validateUsername(text) !== null) return;
        const normalized = normalizeUsername(text);
        expect(normalizeUsername(normalized)).toBe(normalized);
        expect(validateUsername(normalized)).toBeNull();
        expect(normalized).not.toMatch(/[\s<>&"'/@]/);
      }),
    );
  });

  test.each([
    ['ab', 'short'],
    ['x'.repeat(31), 'long'],
    ['two words', 'shape'],
    ['---', 'shape'],
  ])('the username «%s» is refused as %s', (text, trouble) => {
    expect(validateUsername(text)).toBe(trouble);
  });
});

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox', 'Linux'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
    'Safari',
    'iPhone',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
    'Edge',
    'Windows',
  ],
  [
    'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36',
    'Samsung Internet',
    'Android',
  ],
  ['curl/8.5.0', null, null],
  ['', null, null],
])('the user agent «%s» is parsed as browser %s on system %s', (userAgent, browser, system) => {
  expect(parseUserAgent(userAgent)).toEqual({ browser, system });
});

test.each([
  ['attachment; filename="loreloom-2026-11-21.zip"', 'loreloom-2026-11-21.zip'],
  ['attachment; filename="x.zip"; filename*=UTF-8\'\'%E6%A3%AE.zip', '森.zip'],
  ["attachment; filename*=UTF-8''%E0%A4%A.zip", 'everything.zip'],
  ['attachment; filename="../../etc/passwd"', '....etcpasswd'],
  [null, 'everything.zip'],
])('a download takes its name from the response header without path separators: %s', (disposition, name) => {
  expect(parseFileName(disposition, 'everything.zip')).toBe(name);
});

test('amounts, shares and sizes are formatted for the language', () => {
  const read = (text: string) => text.replaceAll(/[\u{A0}\u{202F}]/gu, ' ');
  expect(formatAmount(105, 'USD', 'en')).toBe('$1.05');
  expect(read(formatAmount(1200, 'EUR', 'de'))).toBe('12,00 €');
  expect(read(formatShare(0.15, 'fr'))).toBe('15 %');
  expect(formatShare(0.15, 'en')).toBe('15%');
  expect(read(formatMegabytes(1_240_000, 'de'))).toBe('1,2 MB');
});

describe('Device storage', () => {
  const content = {
    'draft:one': 'Once upon',
    'draft:two:tab': 'a time',
    'outbox:one': JSON.stringify([{ turnId: 'a' }, { turnId: 'b' }]),
    'outbox:two': 'not JSON',
    theme: 'light',
  };

  test('device contents are counted by kind, with zeros when a storage cannot be read', async () => {
    expect(await inspectDevice(createStorage(content), null)).toEqual({
      drafts: 2,
      unsent: 2,
      copies: 0,
      chatSettings: 0,
    });
    const closed = { has: () => Promise.reject(new Error('closed')), open: () => Promise.reject() };
    expect(await inspectDevice(null, closed)).toEqual({
      drafts: 0,
      unsent: 0,
      copies: 0,
      chatSettings: 0,
    });
    const openStorage = {
      has: async () => true,
      open: async () =>
        ({
          keys: async () =>
            ['/api/conversations/one', '/api/chats', '/character/one?conversation_id=one'].map((path) => ({
              url: `https://loreloom.test${path}`,
            })),
        }) as unknown as Cache,
    };
    expect(await inspectDevice(createStorage(), openStorage)).toMatchObject({ copies: 1 });
  });

  test('removing one kind can be undone without overwriting newer entries', () => {
    const storage = createStorage(content);
    const putBack = removeFromDevice(storage, 'drafts');
    expect(storage.getItem('draft:one')).toBeNull();
    expect(storage.getItem('outbox:one')).toBe(content['outbox:one']);
    storage.setItem('draft:one', 'Newer');
    putBack();
    expect(storage.getItem('draft:one')).toBe('Newer');
    expect(storage.getItem('draft:two:tab')).toBe('a time');
    expect(storage.getItem('theme')).toBe('light');
  });
});

describe('Feedback form', () => {
  test('feedback stays on the device until the server accepts it, and a second press sends nothing', async () => {
    const storage = createStorage();
    const bodies: unknown[] = [];
    let answer: (sent: boolean) => void = () => {};
    const feedback = createFeedbackStore(
      async (body) => {
        bodies.push(body);
        const sent = await new Promise<boolean>((resolve) => (answer = resolve));
        return sent ? { ok: true, data: { id: 'one' } } : NETWORK_FAILURE;
      },
      () => storage,
    );
    feedback.write({ message: 'The lantern flickers.', email: ' me@example.test ' });
    const failing = feedback.send();
    void feedback.send();
    answer(false);
    await failing;
    expect(feedback.$feedback.get()).toMatchObject({ status: 'writing', failure: NETWORK_FAILURE });
    expect(storage.getItem('draft:feedback')).toBe('The lantern flickers.');
    const sending = feedback.send();
    answer(true);
    await sending;
    expect(feedback.$feedback.get()).toMatchObject({ status: 'sent', message: '' });
    expect(storage.getItem('draft:feedback')).toBeNull();
    const body = { message: 'The lantern flickers.', email: 'me@example.test' };
    expect(bodies).toEqual([body, body]);
  });

  test('feedback that is empty or too long is not sent', async () => {
    const feedback = createFeedbackStore(
      () => Promise.reject(new Error('sent')),
      () => null,
    );
    expect(validateMessage(feedback.$feedback.get())).toBeNull();
    await feedback.send();
    expect(validateMessage(feedback.$feedback.get())).toBe('missing');
    feedback.write({ message: 'x'.repeat(2001) });
    expect(validateMessage(feedback.$feedback.get())).toBe('too_long');
    await feedback.send();
  });
});
