import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { getSafeRedirectPath } from '../../src/features/account/safe-redirect.ts';

const OURS = 'https://loreloom.example';

/** Texts as somebody would make them who wants people to end up elsewhere. */
const crafted = fc
  .array(
    fc.constantFrom(
      ...[
        '/',
        '//',
        '\\',
        '.',
        '..',
        '%2e',
        '%2F',
        '%5C',
        '\t',
        '\n',
        '\r',
        '\u0000',
        ' ',
        '@',
        ':',
        '?',
        '#',
      ],
      ...['evil.example', 'javascript:', 'https:', 'en', 'api', 'a', '\u2028', '／', '。', 'é', '\ud800'],
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));
const anything = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
  crafted,
  crafted.map((text) => `/${text}`),
);

describe('A path to return to', () => {
  test.each([
    ['/', '/'],
    ['/en', '/en'],
    ['/messages/0123?m=4#end', '/messages/0123?m=4#end'],
    ['/en/discover?q=a b', '/en/discover?q=a%20b'],
    ['/en/../login', '/login'],
    ['/apiary', '/apiary'],
    ['/en?next=//evil.example', '/en?next=//evil.example'],
  ])('that is ours is taken: %s', (next, path) => {
    expect(getSafeRedirectPath(next)).toBe(path);
  });

  test.each([
    ...[undefined, null, '', 'en', ' /en', 'javascript:alert(1)', 'https://evil.example/', 'evil.example'],
    ...['//evil.example', '///evil.example', '/\\evil.example', '\\\\evil.example', '/\t/evil.example'],
    ...[
      '/\n/evil.example',
      '/.//evil.example',
      '/..//evil.example',
      '/%2e//evil.example',
      '/en/..//evil.example',
    ],
    ...['/en\u0000', '/en?a=\\', `/${'x'.repeat(3000)}`, `/${'é'.repeat(1000)}`],
  ])('that leads elsewhere, or nowhere, is not: %j', (next) => {
    expect(getSafeRedirectPath(next)).toBeNull();
  });

  test.each(['/api', '/api/', '/api/auth/google?next=/en', '/en/../api/auth/google', '/./api/logout'])(
    'is a page, not a call: %s',
    (next) => {
      expect(getSafeRedirectPath(next)).toBeNull();
    },
  );

  test('never leads to another site, however it is written and wherever it is put', () => {
    fc.assert(
      fc.property(anything, (next) => {
        const path = getSafeRedirectPath(next);
        if (path === null) return;
        // Put into a link, and once more into a link of the page it led to.
        for (const from of [OURS, `${OURS}/login?next=x`, `${OURS}${path}`]) {
          expect(new URL(path, from).origin).toBe(OURS);
        }
        // Put into a header, where only plain characters mean what they say.
        expect(path).toMatch(/^\/(?![/\\])[\u0021-\u007e]*$/);
        expect(path).not.toContain('\\');
        expect(getSafeRedirectPath(path)).toBe(path);
      }),
      { numRuns: 5000 },
    );
  });

  test('of ours is never refused', () => {
    const word = fc.stringMatching(/^[A-Za-z0-9_-]{1,20}$/);
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 5 }).filter(([first]) => first !== 'api'),
        fc.dictionary(word, fc.string(), { maxKeys: 3 }),
        (parts, query) => {
          const search = new URLSearchParams(query).toString();
          const address = `/${parts.join('/')}${search === '' ? '' : `?${search}`}`;
          if (address.length <= 2000) expect(getSafeRedirectPath(address)).toBe(address);
        },
      ),
    );
  });
});
