import { env } from 'cloudflare:workers';
import { eq, inArray, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { purgePages } from '../../../../src/services/purge-pages.ts';
import { PAGE_PURGES } from '../../../../src/features/page-cache/limits.ts';
import { cachePurgeQueue } from '../../../../src/db/schema/character.ts';
import { openDatabase } from '../../../../src/db/open.ts';
import { characters } from '../../../../src/db/schema/core.ts';
import {
  purgeUserPagesStatement,
  purgeCharacterPagesStatement,
  purgePagesStatement,
} from '../../../../src/features/page-cache/page-purge-statements.ts';
import { setModeration } from '../../../support/staff.ts';
import { updateCharacter } from '../../../../src/features/character/character-change-store.ts';
import { saveSummary } from '../../../../src/features/character/discovery/summary-store.ts';
import {
  restoreCharacter,
  moveCharacterToTrash,
} from '../../../../src/features/character/own-character-store.ts';
import { createId } from '../../../../src/lib/ids.ts';
import { addCharacter, signInGuest, createAccount } from '../../../support/factories.ts';

const db = openDatabase(env.DB);
/** Far in the future, so that entries of other test files are due and gone long before. */
let now = Date.UTC(2100, 0, 1);
afterEach(async () => {
  // The call allowance is shared: reset it for the next test, and remove this test’s tags.
  await db.delete(cachePurgeQueue).where(eq(cachePurgeQueue.tag, ''));
  now += 365 * 86_400_000;
  await db.delete(cachePurgeQueue).where(sql`${cachePurgeQueue.retryAt} > ${Date.UTC(2090, 0, 1)}`);
});

/** The tags of these tests; the caches also receive tags that other test files left. */
const ourTags = new Set<string>();
const createTag = () => {
  const created = `character:${createId(now)}`;
  ourTags.add(created);
  return created;
};
const filterOurTags = (tags: readonly string[]) => tags.filter((one) => ourTags.has(one));
const listWaitingTags = async (tags: readonly string[]) =>
  (
    await db
      .select()
      .from(cachePurgeQueue)
      .where(inArray(cachePurgeQueue.tag, [...tags]))
  ).map((row) => row.tag);

/** A fake platform cache that records our tags and the size of each call. */
function createCache(answer: (call: number) => boolean | Promise<boolean> = () => true) {
  const calls: string[][] = [];
  const sizes: number[] = [];
  const purge = async ({ tags }: { tags: string[] }) => {
    sizes.push(tags.length);
    if (filterOurTags(tags).length > 0) calls.push(filterOurTags(tags));
    const success = await answer(calls.length);
    return { success, errors: success ? [] : [{ code: 1, message: 'too many' }] };
  };
  return { calls, sizes, invocation: { cache: { purge } } };
}
const send = (invocation: object, at = now) => purgePages(env, db, { invocation, now: at });

describe('Cache purges', () => {
  // Another file’s tag, because files run in any order and leave tags behind.
  beforeEach(() => purgePagesStatement(db, ['character:of-a-test-beside'], Date.now()));

  test('all waiting tags are purged in one call, and none twice', async () => {
    const tags = [createTag(), createTag(), createTag()];
    await db.batch([purgePagesStatement(db, tags, now), purgePagesStatement(db, tags.slice(0, 1), now)]);
    const { calls, invocation } = createCache();
    await send(invocation);
    await send(invocation);
    expect(calls.map((call) => call.toSorted())).toEqual([tags.toSorted()]);
    expect(await listWaitingTags(tags)).toEqual([]);
  });

  test('a purge call carries as many tags as the platform allows', async () => {
    const tags = Array.from({ length: PAGE_PURGES.maxTagsPerCall + 20 }, createTag);
    await purgePagesStatement(db, tags, now);
    const { calls, sizes, invocation } = createCache();
    await send(invocation);
    expect(calls.flat().toSorted()).toEqual(tags.toSorted());
    expect(sizes[0]).toBe(PAGE_PURGES.maxTagsPerCall);
    expect(Math.max(...sizes)).toBe(PAGE_PURGES.maxTagsPerCall);
  });

  test('a tag that changes during a purge call is purged again', async () => {
    const [changed, other] = [createTag(), createTag()];
    await purgePagesStatement(db, [changed, other], now);
    const { calls, invocation } = createCache(async (call) => {
      if (call === 1) await purgePagesStatement(db, [changed], now);
      return true;
    });
    await send(invocation);
    expect(await listWaitingTags([changed, other])).toEqual([changed]);
    await send(invocation);
    expect(calls[1]).toEqual([changed]);
    expect(await listWaitingTags([changed, other])).toEqual([]);
  });

  test('a refused purge is tried again at growing intervals and then dropped', async () => {
    const one = createTag();
    await purgePagesStatement(db, [one], now);
    const { calls, invocation } = createCache(() => false);
    let at = now;
    const attempts: number[] = [];
    for (let minute = 0; minute < 260; minute += 1) {
      const before = calls.length;
      await send(invocation, at);
      if (calls.length > before) attempts.push(minute);
      at += 60_000;
    }
    expect(attempts).toEqual([0, 1, 3, 7, 15, 31, 63, 127]);
    expect(await listWaitingTags([one])).toEqual([]);
  });

  test('a failed purge call loses no tags', async () => {
    const one = createTag();
    await purgePagesStatement(db, [one], now);
    const broken = { cache: { purge: () => Promise.reject(new Error('away')) } };
    await send(broken);
    expect(await listWaitingTags([one])).toEqual([one]);
    const { calls, invocation } = createCache();
    await send(invocation, now + PAGE_PURGES.firstRetryDelayMs);
    expect(calls).toEqual([[one]]);
  });

  test('purge calls stay within the platform’s rate, however much changes', async () => {
    const { calls, invocation } = createCache();
    const start = now;
    for (let second = 0; second < 120; second += 1) {
      const at = start + second * 1000;
      await purgePagesStatement(db, [createTag(), createTag()], at);
      await send(invocation, at);
    }
    // The saved calls, and five a minute.
    expect(calls.length).toBeGreaterThanOrEqual(PAGE_PURGES.maxSavedCalls + 8);
    expect(calls.length).toBeLessThanOrEqual(PAGE_PURGES.maxSavedCalls + 10);
    // The tags that had to wait were sent together.
    const purged = new Set(calls.flat());
    await send(invocation, start + 135_000);
    expect(calls.at(-1)?.length).toBeGreaterThan(2);
    expect(purged.size + (calls.at(-1)?.length ?? 0)).toBe(240);
  });

  test('a purge is sent to both entrypoints, each as a call of its own', async () => {
    const one = createTag();
    await purgePagesStatement(db, [one], now);
    const { calls, invocation } = createCache();
    const creatorCalls: string[][] = [];
    const forget = async (tags: string[]) => {
      creatorCalls.push(filterOurTags(tags));
      return true;
    };
    await send({ ...invocation, exports: { CreatorPages: { forget } } });
    expect({ calls, creatorCalls }).toEqual({ calls: [[one]], creatorCalls: [[one]] });
    const row = await db.select().from(cachePurgeQueue).where(eq(cachePurgeQueue.tag, '')).get();
    expect(row?.retryAt).toBe(now + 2 * PAGE_PURGES.callIntervalMs);
  });

  test('waiting tags are dropped where the platform has no cache', async () => {
    const one = createTag();
    await purgePagesStatement(db, [one], now);
    await send({});
    await send({ cache: {} });
    expect(await listWaitingTags([one])).toEqual([]);
  });
});

describe('Noted changes', () => {
  const collectStaleTags = async (what: () => Promise<unknown>, tags: readonly string[]) => {
    await db.delete(cachePurgeQueue).where(inArray(cachePurgeQueue.tag, [...tags]));
    await what();
    return (await listWaitingTags(tags)).toSorted();
  };

  test('editing, hiding, removing, deleting and restoring a character marks its public pages as stale', async () => {
    const me = await createAccount();
    const id = await addCharacter({ creatorId: me.id });
    const own = { id, creatorId: me.id, spicy: false };
    const [card, creatorTag] = [`character:${id}`, `creator:${me.id}`];
    const all = [card, creatorTag];
    const edit = (change: object) => () => updateCharacter(db, { ...own, change, now });
    expect(await collectStaleTags(edit({ oneliner: 'Newly told' }), all)).toEqual([card]);
    expect(await collectStaleTags(edit({ visibility: 'private' }), all)).toEqual(all);
    expect(await collectStaleTags(edit({ oneliner: 'Told to nobody' }), all)).toEqual([]);
    expect(await collectStaleTags(edit({ visibility: 'public' }), all)).toEqual(all);
    const moderation = (to: 'shown' | 'removed') => () => setModeration(id, to);
    expect(await collectStaleTags(moderation('removed'), all)).toEqual(all);
    expect(await collectStaleTags(moderation('shown'), all)).toEqual(all);
    const owned = { id, ownerId: me.id, now };
    expect(await collectStaleTags(() => moveCharacterToTrash(db, owned), all)).toEqual(all);
    expect(await collectStaleTags(() => restoreCharacter(db, owned), all)).toEqual(all);
    // A new chat count is not such a change.
    const chat = () => db.update(characters).set({ chatCount: 7 }).where(eq(characters.id, id));
    expect(await collectStaleTags(chat, all)).toEqual([]);
  });

  test('changing a character’s tags marks the lists as stale, and saving the same tags does not', async () => {
    const me = await createAccount();
    const id = await addCharacter({ creatorId: me.id, tags: ['rpg', 'anime'] });
    // The list tag is shared, so this records only the writes of this call.
    type Query = { toSQL: () => { sql: string; params: unknown[] } };
    const collectTags = async (tags: string[]) => {
      const values: unknown[] = [];
      const recordingBatch: typeof db.batch = (writes) => {
        for (const write of writes) {
          const { sql: text, params } = (write as unknown as Query).toSQL();
          if (text.includes('cache_purge_queue')) values.push(...params);
        }
        return db.batch(writes);
      };
      const beside = new Proxy(db, {
        get: (target, name) => (name === 'batch' ? recordingBatch : Reflect.get(target, name)),
      });
      const input = { id, creatorId: me.id, spicy: false, change: { tags }, now } as const;
      expect(await updateCharacter(beside, input as never)).toEqual({ ok: true });
      return values.find((value) => typeof value === 'string' && value.startsWith('['));
    };
    const card = `character:${id}`;
    expect(await collectTags(['anime', 'rpg', 'rpg'])).toBe(JSON.stringify([card]));
    expect(await collectTags(['anime'])).toBe(JSON.stringify([card, 'list']));
    const kept = await env.DB.prepare('select tag from character_tags where character_id = ?').bind(id).all();
    expect(kept.results).toEqual([{ tag: 'anime' }]);
  });

  test('a new character summary marks the page as stale if it is saved and public', async () => {
    const summary = 'Somebody who waits.';
    const listWaitingTags = async (fields: object = {}) => {
      const id = await addCharacter(fields);
      await db.update(characters).set({ summaryRetryAt: now }).where(eq(characters.id, id));
      return id;
    };
    const becomes = async (id: string, more: object = {}) => {
      const keep = () => saveSummary(db, { id, version: 1, summary, now, ...more });
      return collectStaleTags(keep, [`character:${id}`]);
    };
    const shown = await listWaitingTags();
    // First for an outdated version, then for the current one, then again after another run has saved it.
    expect(await becomes(shown, { version: 7 })).toEqual([]);
    expect(await becomes(shown)).toEqual([`character:${shown}`]);
    expect(await becomes(shown)).toEqual([]);
    expect(await becomes(await listWaitingTags(), { summary: null })).toEqual([]);
    for (const fields of [{ visibility: 'unlisted' }, { nsfwAllowed: true }, { moderation: 'hidden' }])
      expect(await becomes(await listWaitingTags(fields))).toEqual([]);
  });

  test('hiding a character that has just become public marks its pages as stale', async () => {
    const me = await createAccount();
    const cases = [
      { was: { nsfwAllowed: true }, becomes: { nsfwAllowed: false }, change: { nsfw_allowed: true } },
      { was: { moderation: 'hidden' }, becomes: { moderation: 'shown' }, change: { nsfw_allowed: true } },
    ] as const;
    for (const { was, becomes, change } of cases) {
      const id = await addCharacter({ creatorId: me.id });
      const set = (to: Partial<typeof characters.$inferInsert>) =>
        db.update(characters).set(to).where(eq(characters.id, id));
      await set(was);
      let isFirst = true;
      const delayedBatch: typeof db.batch = async (writes) => {
        if (isFirst) await set(becomes);
        isFirst = false;
        return db.batch(writes);
      };
      const beside = new Proxy(db, {
        get: (target, name) => (name === 'batch' ? delayedBatch : Reflect.get(target, name)),
      });
      const hide = () => updateCharacter(beside, { id, creatorId: me.id, spicy: true, change, now });
      const all = [`character:${id}`, `creator:${me.id}`];
      expect([was, await collectStaleTags(hide, all)]).toEqual([was, all]);
    }
  });

  test('a user’s new name marks their creator pages as stale, except for a guest', async () => {
    const [me, guest] = await Promise.all([createAccount(), signInGuest()]);
    const tags = [`creator:${me.id}`, `creator:${guest.id}`];
    const mark = async () => {
      await purgeUserPagesStatement(db, me.id, now);
      await purgeUserPagesStatement(db, guest.id, now);
    };
    expect(await collectStaleTags(mark, tags)).toEqual([`creator:${me.id}`]);
  });

  test('a change of many characters marks only those in public pages as stale', async () => {
    const [shown, hidden] = await Promise.all([addCharacter(), addCharacter({ visibility: 'unlisted' })]);
    const tags = [`character:${shown}`, `character:${hidden}`];
    const mark = async () => purgeCharacterPagesStatement(db, inArray(characters.id, [shown, hidden]), now);
    expect(await collectStaleTags(mark, tags)).toEqual([`character:${shown}`]);
  });
});
