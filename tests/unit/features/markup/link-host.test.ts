import { describe, expect, test } from 'vitest';
import { findHiddenHost } from '../../../../src/features/markup/link-host.ts';
import { toSafeUrl } from '../../../../src/features/markup/markup-spans.ts';
import { toPlainText, parseMarkup } from '../../../../src/features/markup/parse-markup.ts';

const getShownHost = (words: string, written: string) => findHiddenHost(toSafeUrl(written) ?? '', words);

describe('Link with a host', () => {
  test.each([
    ['https://bank.example', 'https://evil.example'],
    ['bank.example', 'https://evil.example'],
    ['Log in at BANK.example/login now', 'https://evil.example'],
    ['bank.example.', 'https://evil.example'],
    ['evil.example and bank.example', 'https://evil.example'],
    ['bank.example', 'https://bank.example.evil.example/'],
    ['bank.example', 'https://evil.example/bank.example'],
    ['https://bank.example@evil.example', 'https://evil.example'],
    ['ba\u200Bnk.exam\u00ADple', 'https://evil.example'],
    ['bank。example', 'https://evil.example'],
    ['bank．example', 'https://evil.example'],
    ['me@bank.example', 'https://evil.example'],
    ['127.0.0.1', 'https://evil.example'],
    ['http://localhost', 'https://evil.example'],
    ['x'.repeat(3000), 'https://evil.example'],
  ])('a link whose text names another host shows its host: «%s»', (words, href) => {
    expect(getShownHost(words, href)).toBe(new URL(href).hostname);
  });

  test.each([
    ['http://аррӏе.com', 'http://аррӏе.com', 'xn--80ak6aa92e.com'],
    ['Apple', 'http://аррӏе.com', 'xn--80ak6aa92e.com'],
    ['https://münchen.example', 'https://münchen.example', 'xn--mnchen-3ya.example'],
    ['http://ｂａｎｋ.example', 'http://ｂａｎｋ.example', 'bank.example'],
    ['http://2130706433', 'http://2130706433', '127.0.0.1'],
    ['me@bank.example', 'mailto:me@evil.example', 'evil.example'],
    ['Write to me', 'mailto:me@аррӏе.com', '%d0%b0%d1%80%d1%80%d3%8f%d0%b5.com'],
    ['me@bank.example', 'mailto:me@evil.example,me@bank.example', 'evil.example,me@bank.example'],
    ['me@bank.example', 'mailto:?to=me@evil.example', 'mailto:?to=me@evil.example'],
  ])('a link whose host looks different from what it is shows its host: «%s»', (words, href, host) => {
    expect(getShownHost(words, href)).toBe(host);
  });
});

describe('Link without a host', () => {
  test.each([
    ['a letter', 'https://elsewhere.example/letter'],
    ['https://bank.example/index.html?q=a.b#c.d', 'https://bank.example/index.html?q=a.b#c.d'],
    ['HTTPS://Bank.Example', 'https://bank.example'],
    ['https://bank.example:8080/x', 'https://bank.example:8080/x'],
    ['www.bank.example', 'https://bank.example/'],
    ['bank.example', 'https://www.bank.example/'],
    ['https://my_name.bank.example', 'https://my_name.bank.example'],
    ['http://xn--80ak6aa92e.com', 'http://xn--80ak6aa92e.com'],
    ['http://127.0.0.1:8787', 'http://127.0.0.1:8787'],
    ['http://localhost/', 'http://localhost/'],
    ['me@bank.example', 'mailto:me@bank.example'],
    ['version 1.2 … and so on', 'https://elsewhere.example/'],
  ])('a link whose text names the same host or none shows no host: «%s»', (words, href) => {
    expect(getShownHost(words, href)).toBeNull();
  });
});

test('the plain text of a link contains a host that its text hides', () => {
  expect(toPlainText('[https://bank.example](https://evil.example)')).toBe(
    'https://bank.example (evil.example)',
  );
  expect(toPlainText('[**bank**.example](https://evil.example)')).toBe('bank.example (evil.example)');
  expect(toPlainText('See https://bank.example/a.html.')).toBe('See https://bank.example/a.html.');
  expect(parseMarkup('http://аррӏе.com').blocks).toMatchObject([
    { spans: [{ kind: 'link', host: 'xn--80ak6aa92e.com' }] },
  ]);
});

test('thousands of words in a link are checked in time', () => {
  const started = performance.now();
  for (const words of ['a', 'a.', '1.', 'a-', 'http://'])
    for (let link = 0; link < 16; link += 1)
      getShownHost(words.repeat(2048 / words.length), 'https://evil.example');
  expect(performance.now() - started).toBeLessThan(500);
});
