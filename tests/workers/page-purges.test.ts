import { env } from 'cloudflare:workers';
import { eq, inArray, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { purgePages } from '../../src/services/purge-pages.ts';
import { PAGE_PURGES } from '../../src/features/page-cache/limits.ts';
import { stalePages } from '../../src/db/schema/character.ts';
import { openDatabase } from '../../src/db/open.ts';
import { characters } from '../../src/db/schema/core.ts';
import {
  purgeUserPagesStatement,
  purgeCharacterPagesStatement,
  purgePagesStatement,
} from '../../src/features/page-cache/page-purge-statements.ts';
import { setModeration } from '../support/staff.ts';
import { updateCharacter } from '../../src/features/character/character-change-store.ts';
import { saveSummary } from '../../src/features/character/discovery/summary-store.ts';
import { restoreCharacter, moveCharacterToTrash } from '../../src/features/character/own-character-store.ts';
import { createId } from '../../src/lib/ids.ts';
import { addCharacter, signInGuest, createAccount } from '../support/factories.ts';

const db = openDatabase(env.DB);
/** Far from what tests beside these note and send: theirs is due, and gone, long before. */
let now = Date.UTC(2100, 0, 1);
afterEach(async () => {
  // A call's room is everybody's: the next test has all of it, and none of this one's tags.
  await db.delete(stalePages).where(eq(stalePages.tag, ''));
  now += 365 * 86_400_000;
  await db.delete(stalePages).where(sql`${stalePages.tryAt} > ${Date.UTC(2090, 0, 1)}`);
});

/** What these tests note: caches are told of what tests beside them left as well. */
const ours = new Set<string>();
const tag = () => {
  const made = `character:${createId(now)}`;
  ours.add(made);
  return made;
};
const oursOf = (tags: readonly string[]) => tags.filter((one) => ours.has(one));
const waiting = async (tags: readonly string[]) =>
  (
    await db
      .select()
      .from(stalePages)
      .where(inArray(stalePages.tag, [...tags]))
  ).map((row) => row.tag);

/** A cache of the platform's that tells what it was told of ours, and how much in each call. */
function cacheThat(answer: (call: number) => boolean | Promise<boolean> = () => true) {
  const calls: string[][] = [];
  const sizes: number[] = [];
  const purge = async ({ tags }: { tags: string[] }) => {
    sizes.push(tags.length);
    if (oursOf(tags).length > 0) calls.push(oursOf(tags));
    const success = await answer(calls.length);
    return { success, errors: success ? [] : [{ code: 1, message: 'too many' }] };
  };
  return { calls, sizes, invocation: { cache: { purge } } };
}
const send = (invocation: object, at = now) => purgePages(env, db, { invocation, now: at });

describe('Shared caches', () => {
  // Whatever order the files come in, and whatever they note.
  beforeEach(() => purgePagesStatement(db, ['character:of-a-test-beside'], Date.now()));

  test('are told of everything that waits in one call, and of nothing twice', async () => {
    const tags = [tag(), tag(), tag()];
    await db.batch([purgePagesStatement(db, tags, now), purgePagesStatement(db, tags.slice(0, 1), now)]);
    const { calls, invocation } = cacheThat();
    await send(invocation);
    await send(invocation);
    expect(calls.map((call) => call.toSorted())).toEqual([tags.toSorted()]);
    expect(await waiting(tags)).toEqual([]);
  });

  test('are told in every call as much as one may carry', async () => {
    const tags = Array.from({ length: PAGE_PURGES.maxTagsPerCall + 20 }, tag);
    await purgePagesStatement(db, tags, now);
    const { calls, sizes, invocation } = cacheThat();
    await send(invocation);
    expect(calls.flat().toSorted()).toEqual(tags.toSorted());
    expect(sizes[0]).toBe(PAGE_PURGES.maxTagsPerCall);
    expect(Math.max(...sizes)).toBe(PAGE_PURGES.maxTagsPerCall);
  });

  test('are told once more of what changes while they are told', async () => {
    const [changed, other] = [tag(), tag()];
    await purgePagesStatement(db, [changed, other], now);
    const { calls, invocation } = cacheThat(async (call) => {
      if (call === 1) await purgePagesStatement(db, [changed], now);
      return true;
    });
    await send(invocation);
    expect(await waiting([changed, other])).toEqual([changed]);
    await send(invocation);
    expect(calls[1]).toEqual([changed]);
    expect(await waiting([changed, other])).toEqual([]);
  });

  test('that refuse are asked again, later each time, and in the end no more', async () => {
    const one = tag();
    await purgePagesStatement(db, [one], now);
    const { calls, invocation } = cacheThat(() => false);
    let at = now;
    const asked: number[] = [];
    for (let minute = 0; minute < 260; minute += 1) {
      const before = calls.length;
      await send(invocation, at);
      if (calls.length > before) asked.push(minute);
      at += 60_000;
    }
    expect(asked).toEqual([0, 1, 3, 7, 15, 31, 63, 127]);
    expect(await waiting([one])).toEqual([]);
  });

  test('that cannot be asked lose nothing', async () => {
    const one = tag();
    await purgePagesStatement(db, [one], now);
    const broken = { cache: { purge: () => Promise.reject(new Error('away')) } };
    await send(broken);
    expect(await waiting([one])).toEqual([one]);
    const { calls, invocation } = cacheThat();
    await send(invocation, now + PAGE_PURGES.firstRetryDelayMs);
    expect(calls).toEqual([[one]]);
  });

  test('are asked no more often than the platform allows, however much changes', async () => {
    const { calls, invocation } = cacheThat();
    const begun = now;
    for (let second = 0; second < 120; second += 1) {
      const at = begun + second * 1000;
      await purgePagesStatement(db, [tag(), tag()], at);
      await send(invocation, at);
    }
    // Those that were saved up, and five a minute.
    expect(calls.length).toBeGreaterThanOrEqual(PAGE_PURGES.maxSavedCalls + 8);
    expect(calls.length).toBeLessThanOrEqual(PAGE_PURGES.maxSavedCalls + 10);
    // What had to wait went together.
    const told = new Set(calls.flat());
    await send(invocation, begun + 135_000);
    expect(calls.at(-1)?.length).toBeGreaterThan(2);
    expect(told.size + (calls.at(-1)?.length ?? 0)).toBe(240);
  });

  test('of two entrypoints are both told, and each is a call', async () => {
    const one = tag();
    await purgePagesStatement(db, [one], now);
    const { calls, invocation } = cacheThat();
    const makers: string[][] = [];
    const forget = async (tags: string[]) => {
      makers.push(oursOf(tags));
      return true;
    };
    await send({ ...invocation, exports: { CreatorPages: { forget } } });
    expect({ calls, makers }).toEqual({ calls: [[one]], makers: [[one]] });
    const row = await db.select().from(stalePages).where(eq(stalePages.tag, '')).get();
    expect(row?.tryAt).toBe(now + 2 * PAGE_PURGES.callIntervalMs);
  });

  test('that are not there leave nothing behind', async () => {
    const one = tag();
    await purgePagesStatement(db, [one], now);
    await send({});
    await send({ cache: {} });
    expect(await waiting([one])).toEqual([]);
  });
});

describe('A change in public pages is noted with the change itself', () => {
  const noted = async (what: () => Promise<unknown>, tags: readonly string[]) => {
    await db.delete(stalePages).where(inArray(stalePages.tag, [...tags]));
    await what();
    return (await waiting(tags)).toSorted();
  };

  test('when a character is edited, hidden, taken down, thrown away and fetched back', async () => {
    const me = await createAccount();
    const id = await addCharacter({ creatorId: me.id });
    const own = { id, creatorId: me.id, spicy: false };
    const [card, maker] = [`character:${id}`, `creator:${me.id}`];
    const all = [card, maker];
    const edit = (change: object) => () => updateCharacter(db, { ...own, change, now });
    expect(await noted(edit({ oneliner: 'Newly told' }), all)).toEqual([card]);
    expect(await noted(edit({ visibility: 'private' }), all)).toEqual(all);
    expect(await noted(edit({ oneliner: 'Told to nobody' }), all)).toEqual([]);
    expect(await noted(edit({ visibility: 'public' }), all)).toEqual(all);
    const moderation = (to: 'shown' | 'removed') => () => setModeration(id, to);
    expect(await noted(moderation('removed'), all)).toEqual(all);
    expect(await noted(moderation('shown'), all)).toEqual(all);
    const mine = { id, ownerId: me.id, now };
    expect(await noted(() => moveCharacterToTrash(db, mine), all)).toEqual(all);
    expect(await noted(() => restoreCharacter(db, mine), all)).toEqual(all);
    // A chat more is no such change.
    const chat = () => db.update(characters).set({ chatCount: 7 }).where(eq(characters.id, id));
    expect(await noted(chat, all)).toEqual([]);
  });

  test('when its tags become others, for the lists as well, and not when the same ones are sent', async () => {
    const me = await createAccount();
    const id = await addCharacter({ creatorId: me.id, tags: ['rpg', 'anime'] });
    // The lists are everybody's: what is asked of the database is heard here, and nobody else's.
    type Spoken = { toSQL: () => { sql: string; params: unknown[] } };
    const marked = async (tags: string[]) => {
      const heard: unknown[] = [];
      const listening: typeof db.batch = (writes) => {
        for (const write of writes) {
          const { sql: text, params } = (write as unknown as Spoken).toSQL();
          if (text.includes('stale_pages')) heard.push(...params);
        }
        return db.batch(writes);
      };
      const beside = new Proxy(db, {
        get: (target, name) => (name === 'batch' ? listening : Reflect.get(target, name)),
      });
      const input = { id, creatorId: me.id, spicy: false, change: { tags }, now } as const;
      expect(await updateCharacter(beside, input as never)).toEqual({ ok: true });
      return heard.find((value) => typeof value === 'string' && value.startsWith('['));
    };
    const card = `character:${id}`;
    expect(await marked(['anime', 'rpg', 'rpg'])).toBe(JSON.stringify([card]));
    expect(await marked(['anime'])).toBe(JSON.stringify([card, 'list']));
    const kept = await env.DB.prepare('select tag from character_tags where character_id = ?').bind(id).all();
    expect(kept.results).toEqual([{ tag: 'anime' }]);
  });

  test('when a summary comes that is kept, and shown to everybody', async () => {
    const summary = 'Somebody who waits.';
    const waiting = async (fields: object = {}) => {
      const id = await addCharacter(fields);
      await db.update(characters).set({ summaryTryAt: now }).where(eq(characters.id, id));
      return id;
    };
    const comes = async (id: string, more: object = {}) => {
      const keep = () => saveSummary(db, { id, version: 1, summary, now, ...more });
      return noted(keep, [`character:${id}`]);
    };
    const shown = await waiting();
    // Of a version that is no more, then itself, then once more after somebody else has kept it.
    expect(await comes(shown, { version: 7 })).toEqual([]);
    expect(await comes(shown)).toEqual([`character:${shown}`]);
    expect(await comes(shown)).toEqual([]);
    expect(await comes(await waiting(), { summary: null })).toEqual([]);
    for (const fields of [{ visibility: 'unlisted' }, { nsfwAllowed: true }, { moderation: 'hidden' }])
      expect(await comes(await waiting(fields))).toEqual([]);
  });

  test('when a character came into public pages just before it is hidden', async () => {
    const me = await createAccount();
    const ways = [
      { was: { nsfwAllowed: true }, comes: { nsfwAllowed: false }, change: { nsfw_allowed: true } },
      { was: { moderation: 'hidden' }, comes: { moderation: 'shown' }, change: { nsfw_allowed: true } },
    ] as const;
    for (const { was, comes, change } of ways) {
      const id = await addCharacter({ creatorId: me.id });
      const set = (to: Partial<typeof characters.$inferInsert>) =>
        db.update(characters).set(to).where(eq(characters.id, id));
      await set(was);
      let isFirst = true;
      const inBetween: typeof db.batch = async (writes) => {
        if (isFirst) await set(comes);
        isFirst = false;
        return db.batch(writes);
      };
      const beside = new Proxy(db, {
        get: (target, name) => (name === 'batch' ? inBetween : Reflect.get(target, name)),
      });
      const hide = () => updateCharacter(beside, { id, creatorId: me.id, spicy: true, change, now });
      const all = [`character:${id}`, `creator:${me.id}`];
      expect([was, await noted(hide, all)]).toEqual([was, all]);
    }
  });

  test('when somebody takes another name, unless they are a guest', async () => {
    const [me, nobody] = await Promise.all([createAccount(), signInGuest()]);
    const tags = [`creator:${me.id}`, `creator:${nobody.id}`];
    const mark = async () => {
      await purgeUserPagesStatement(db, me.id, now);
      await purgeUserPagesStatement(db, nobody.id, now);
    };
    expect(await noted(mark, tags)).toEqual([`creator:${me.id}`]);
  });

  test('for many characters at once, and only those that stand in public pages', async () => {
    const [shown, hidden] = await Promise.all([addCharacter(), addCharacter({ visibility: 'unlisted' })]);
    const tags = [`character:${shown}`, `character:${hidden}`];
    const mark = async () => purgeCharacterPagesStatement(db, inArray(characters.id, [shown, hidden]), now);
    expect(await noted(mark, tags)).toEqual([`character:${shown}`]);
  });
});
