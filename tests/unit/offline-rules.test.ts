import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildChatHref } from '../../src/features/conversation/conversation-link.ts';
import {
  findAssets,
  parseChatUrl,
  getConversationId,
  getPathLanguage,
  classifyRequest,
} from '../../src/features/offline/offline-rules.ts';

const ORIGIN = 'https://loreloom.example';
const asked = (path: string, part: Partial<Parameters<typeof classifyRequest>[0]> = {}) =>
  classifyRequest(
    { method: 'GET', url: new URL(path, ORIGIN).href, mode: 'cors', accept: '*/*', ...part },
    ORIGIN,
  );

describe('What a device may answer in place of the server', () => {
  test.each([
    ['/_astro/Chat.abc123.js', 'asset'],
    ['/media/0123.webp', 'portrait'],
    ['/icons/veiled.svg', 'portrait'],
    ['/icons/nobody.svg', 'portrait'],
    ['/icons/icon-192.png', null],
    ['/api/auth/status', 'status'],
    ['/api/chats', 'chats'],
    ['/api/conversations/01JX?limit=50', 'conversation'],
  ])('is %s, as «%s»', (path, way) => {
    expect(asked(path)).toBe(way);
  });

  test.each([
    '/api/points',
    '/api/models',
    '/api/conversations/01JX/stream',
    '/api/conversations/01JX/messages',
    '/api/conversations/01JX/export?format=md',
    '/api/conversations/01JX?before=12',
    '/api/conversations/search?q=sea',
    '/api/account/export',
    '/sw.js',
    '/en/manifest.webmanifest',
    'https://elsewhere.example/_astro/x.js',
    'https://elsewhere.example/api/chats',
  ])('is not %s', (path) => {
    expect(asked(path)).toBeNull();
  });

  test('is a page, but never a download, the API or a file', () => {
    const go = (path: string) => asked(path, { mode: 'navigate' });
    expect(go('/en/discover')).toBe('page');
    expect(go('/character/1?conversation_id=2')).toBe('page');
    for (const path of [
      '/api/account/export',
      '/api/auth/google',
      '/media/1.webp',
      '/cdn-cgi/x',
      '/en/blog/rss.xml',
    ]) {
      expect(go(path)).toBeNull();
    }
  });

  test('is never what changes something, and never a stream', () => {
    const path = fc.constantFrom(
      '/api/chats',
      '/api/auth/status',
      '/api/conversations/1',
      '/_astro/a.js',
      '/en',
    );
    const method = fc.constantFrom('POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS');
    const mode = fc.constantFrom('cors', 'same-origin', 'navigate', 'no-cors');
    fc.assert(
      fc.property(path, method, mode, (path, method, mode) => {
        expect(asked(path, { method, mode })).toBeNull();
      }),
    );
    expect(asked('/api/conversations/1', { accept: 'text/event-stream' })).toBeNull();
  });
});

describe('A kept conversation', () => {
  test('is found again by each address that names it', () => {
    const href = buildChatHref({ id: 'c 1', character_id: 'm/2' });
    expect(parseChatUrl(new URL(href, ORIGIN))).toEqual({ conversation: 'c 1', character: 'm/2' });
    expect(parseChatUrl(new URL('/messages/c%201', ORIGIN))).toEqual({
      conversation: 'c 1',
      character: null,
    });
    expect(parseChatUrl(new URL('/character/m', ORIGIN))).toEqual({ conversation: null, character: 'm' });
    expect(getConversationId(new URL('/api/conversations/c1', ORIGIN))).toBe('c1');
  });

  test('is not looked for on other pages', () => {
    for (const path of ['/en', '/character', '/character/m/report', '/messages', '/en/character-info/m']) {
      expect(parseChatUrl(new URL(path, ORIGIN))).toBeNull();
    }
  });
});

test('Everything that a page loads is found in it, and in what it loads', () => {
  const html = `<link rel="stylesheet" href="/_astro/site.A1.css"><script type="module" src="/_astro/page.B-2_.js"></script>
    <astro-island component-url="/_astro/Chat.C3.js" renderer-url="/_astro/client.D4.js" props="{&quot;a&quot;:1}"></astro-island>
    <img src="/media/x.webp"><a href="/en/blog/next.js">not a file of the build</a>`;
  expect(findAssets(html)).toEqual([
    '/_astro/site.A1.css',
    '/_astro/page.B-2_.js',
    '/_astro/Chat.C3.js',
    '/_astro/client.D4.js',
  ]);
  const script =
    'import{a as b}from"./atom.E5.js";const m=()=>import(`./Modal.F6.js`),d=["_astro/G7.css"];"../x.js"';
  expect(findAssets(script)).toEqual(['/_astro/atom.E5.js', '/_astro/Modal.F6.js', '/_astro/G7.css']);
});

test('The language of an address is the one in front of it', () => {
  expect(getPathLanguage('/de/discover')).toBe('de');
  expect(getPathLanguage('/ja')).toBe('ja');
  expect(getPathLanguage('/character/de')).toBeNull();
  expect(getPathLanguage('/')).toBeNull();
});
