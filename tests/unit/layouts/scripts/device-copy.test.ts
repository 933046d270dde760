import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isCopyForeign } from '../../../../src/layouts/scripts/session/device-copy.ts';
import { isNewsFresh, readStoredNews } from '../../../../src/layouts/scripts/session/stored-news.ts';
import { toHomeRows } from '../../../../src/features/home/home-rows.ts';
import { clearUserStorage } from '../../../../src/islands/shared/user-storage.ts';

const createChat = (id: string) => ({
  id,
  title: null,
  character_id: 'lumi',
  character_name: `Lumi ${id}`,
  avatar_url: '/portraits/lumi.webp',
  message_count: 2,
  last_line: 'x'.repeat(5000),
  branch_of: null,
  unread: false,
  last_message_time: '2026-01-01T00:00:00.000Z',
});

const store = (text: string | null) => ({ getItem: () => text });

describe('The device’s copy', () => {
  test('the copy of the home page keeps the seven newest chats and cuts their lines', () => {
    const rows = toHomeRows(Array.from({ length: 30 }, (_, number) => createChat(`c${number}`)));
    expect(rows.map(([, , name]) => name)).toEqual([0, 1, 2, 3, 4, 5, 6].map((number) => `Lumi c${number}`));
    expect(rows[0]?.[0]).toMatch(/^\/character\/lumi\?conversation_id=c0&/);
    expect(rows[0]?.[3]).toHaveLength(200);
  });

  test.each([
    ['of the same user', '{"owner":"ana"}', 'ana', false],
    ['that does not exist', null, 'ana', false],
    ['of another user', '{"owner":"ben"}', 'ana', true],
    ['after a logout', '{"owner":"ana"}', null, true],
    ['that is not JSON', '{', 'ana', true],
    ['that is null', 'null', 'ana', true],
    ['without an owner', '[]', 'ana', true],
  ])('a copy %s is foreign or not', (_, text, owner, isForeign) => {
    expect(isCopyForeign(store(text), owner)).toBe(isForeign);
  });

  test('storage that cannot be read counts as a foreign copy', () => {
    const blocked = {
      getItem: () => {
        throw new Error('blocked');
      },
    };
    expect(isCopyForeign(blocked, 'ana')).toBe(true);
    expect(isCopyForeign(null, 'ana')).toBe(false);
  });

  test('logging out removes the copies', () => {
    const items = new Map([
      ['copy:shell', '{}'],
      ['theme', 'light'],
    ]);
    clearUserStorage({
      get length() {
        return items.size;
      },
      key: (place: number) => [...items.keys()][place] ?? null,
      removeItem: (key: string) => void items.delete(key),
    } as Storage);
    expect([...items.keys()]).toEqual(['theme']);
  });
});

test('the inline script of the home page has at most 1 kB', () => {
  const script = new URL('../../../../src/components/scripts/home-boot.js', import.meta.url);
  expect(readFileSync(script).length).toBeLessThanOrEqual(1000);
});

describe('News on the device', () => {
  test.each([
    ['there are none', null],
    ['they are of another user', '{"owner":"ben","at":1,"items":[]}'],
    ['they are not JSON', '{'],
    ['they have no items', '{"owner":"ana","at":1}'],
  ])('stored news are not used when %s', (_, text) => {
    expect(readStoredNews(text, 'ana')).toBeNull();
  });

  test('stored news are fresh for five minutes, and never when they are of the future', () => {
    expect(readStoredNews('{"owner":"ana","at":1,"items":[]}', 'ana')).toEqual({
      owner: 'ana',
      at: 1,
      items: [],
    });
    const minutes = (count: number) => count * 60_000;
    expect([4, 5, -1].map((age) => isNewsFresh({ at: minutes(60 - age) }, minutes(60)))).toEqual([
      true,
      false,
      false,
    ]);
  });
});
