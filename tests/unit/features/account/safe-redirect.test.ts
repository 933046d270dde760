import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { getSafeRedirectPath } from '../../../../src/features/account/safe-redirect.ts';

const ORIGIN = 'https://loreloom.example';

/** Texts crafted to redirect users to another site. */
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

describe('Redirect path', () => {
  test.each([
    ['/', '/'],
    ['/en', '/en'],
    ['/messages/0123?m=4#end', '/messages/0123?m=4#end'],
    ['/en/discover?q=a b', '/en/discover?q=a%20b'],
    ['/en/../login', '/login'],
    ['/apiary', '/apiary'],
    ['/en?next=//evil.example', '/en?next=//evil.example'],
  ])('a path of this site is accepted: %s', (next, path) => {
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
  ])('a path that leads elsewhere or nowhere is refused: %j', (next) => {
    expect(getSafeRedirectPath(next)).toBeNull();
  });

  test.each(['/api', '/api/', '/api/auth/google?next=/en', '/en/../api/auth/google', '/./api/logout'])(
    'a path of the API is refused: %s',
    (next) => {
      expect(getSafeRedirectPath(next)).toBeNull();
    },
  );

  test('no accepted path leads to another site, whatever link or header it is put into', () => {
    fc.assert(
      fc.property(anything, (next) => {
        const path = getSafeRedirectPath(next);
        if (path === null) return;
        // Used in a link, and again in a link of the page that it led to.
        for (const from of [ORIGIN, `${ORIGIN}/login?next=x`, `${ORIGIN}${path}`]) {
          expect(new URL(path, from).origin).toBe(ORIGIN);
        }
        // In a header only printable ASCII characters are safe.
        expect(path).toMatch(/^\/(?![/\\])[\u0021-\u007e]*$/);
        expect(path).not.toContain('\\');
        expect(getSafeRedirectPath(path)).toBe(path);
      }),
      { numRuns: 5000 },
    );
  });

  test('a normalized path of this site is always accepted', () => {
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
