import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildChatHref } from '../../../../src/features/conversation/conversation-link.ts';
import {
  findAssets,
  parseChatUrl,
  getConversationId,
  getPathLanguage,
  classifyRequest,
} from '../../../../src/features/offline/offline-rules.ts';

const ORIGIN = 'https://loreloom.example';
const classify = (path: string, part: Partial<Parameters<typeof classifyRequest>[0]> = {}) =>
  classifyRequest(
    { method: 'GET', url: new URL(path, ORIGIN).href, mode: 'cors', accept: '*/*', ...part },
    ORIGIN,
  );

describe('Offline requests', () => {
  test.each([
    ['/_astro/Chat.abc123.js', 'asset'],
    ['/media/0123.webp', 'portrait'],
    ['/icons/veiled.svg', 'portrait'],
    ['/icons/nobody.svg', 'portrait'],
    ['/icons/icon-192.png', null],
    ['/api/auth/status', 'status'],
    ['/api/chats', 'chats'],
    ['/api/conversations/01JX?limit=50', 'conversation'],
  ])('the service worker answers %s as «%s»', (path, way) => {
    expect(classify(path)).toBe(way);
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
  ])('the service worker leaves %s to the server', (path) => {
    expect(classify(path)).toBeNull();
  });

  test('a navigation is a page unless it goes to a download, the API or a file', () => {
    const navigate = (path: string) => classify(path, { mode: 'navigate' });
    expect(navigate('/en/discover')).toBe('page');
    expect(navigate('/character/1?conversation_id=2')).toBe('page');
    for (const path of [
      '/api/account/export',
      '/api/auth/google',
      '/media/1.webp',
      '/cdn-cgi/x',
      '/en/blog/rss.xml',
    ]) {
      expect(navigate(path)).toBeNull();
    }
  });

  test('a request that changes something or opens a stream is never answered offline', () => {
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
        expect(classify(path, { method, mode })).toBeNull();
      }),
    );
    expect(classify('/api/conversations/1', { accept: 'text/event-stream' })).toBeNull();
  });
});

describe('Offline conversation', () => {
  test("a chat's page and API addresses all name the same conversation", () => {
    const href = buildChatHref({ id: 'c 1', character_id: 'm/2' });
    expect(parseChatUrl(new URL(href, ORIGIN))).toEqual({ conversation: 'c 1', character: 'm/2' });
    expect(parseChatUrl(new URL('/messages/c%201', ORIGIN))).toEqual({
      conversation: 'c 1',
      character: null,
    });
    expect(parseChatUrl(new URL('/character/m', ORIGIN))).toEqual({ conversation: null, character: 'm' });
    expect(getConversationId(new URL('/api/conversations/c1', ORIGIN))).toBe('c1');
  });

  test('other pages name no conversation', () => {
    for (const path of ['/en', '/character', '/character/m/report', '/messages', '/en/character-info/m']) {
      expect(parseChatUrl(new URL(path, ORIGIN))).toBeNull();
    }
  });
});

test('the assets of a page are found in its HTML and in its scripts', () => {
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

test('the language of a path is its first segment', () => {
  expect(getPathLanguage('/de/discover')).toBe('de');
  expect(getPathLanguage('/ja')).toBe('ja');
  expect(getPathLanguage('/character/de')).toBeNull();
  expect(getPathLanguage('/')).toBeNull();
});
