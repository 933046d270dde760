import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../../../../src/db/open.ts';
import { PUBLIC_VIEWER, type Viewer } from '../../../../../src/features/character/character-store.ts';
import { getCharacterWithSimilar } from '../../../../../src/features/character/discovery/similar-store.ts';
import {
  computeSitemapParts,
  updateSitemapParts,
  listSitemapCharacters,
  listSitemapCreators,
  getSitemapParts,
} from '../../../../../src/features/character/discovery/sitemap-store.ts';
import { addCharacter } from '../../../../support/factories.ts';

const db = openDatabase(env.DB);
/** More chats than any other character of the run has. */
const POPULAR = 5_000_000;

const findSimilar = async (id: string, limit: number, viewer: Viewer = PUBLIC_VIEWER) =>
  (await getCharacterWithSimilar(db, id, viewer, limit))?.similar ?? [];

/** Characters that are in no list, each for another reason. */
const unlisted = (fields: object = {}) =>
  Promise.all([
    addCharacter({ ...fields, visibility: 'private' }),
    addCharacter({ ...fields, visibility: 'unlisted' }),
    addCharacter({ ...fields, moderation: 'hidden' }),
    addCharacter({ ...fields, moderation: 'removed' }),
    addCharacter({ ...fields, deletedAt: Date.now() }),
  ]);

describe('Similar characters', () => {
  test('similar characters share tags, the closest and most popular first, without unlisted ones', async () => {
    const tags = ['anime', 'rpg'];
    const [id, both, popular, one] = await Promise.all([
      addCharacter({ tags, chatCount: POPULAR }),
      addCharacter({ tags, chatCount: POPULAR + 1 }),
      addCharacter({ tags: ['rpg'], chatCount: POPULAR + 9 }),
      addCharacter({ tags: ['anime'], chatCount: POPULAR + 3 }),
      addCharacter({ tags: ['fantasy'], chatCount: POPULAR + 20 }),
      addCharacter({ chatCount: POPULAR + 21 }),
    ]);
    const hidden = await unlisted({ tags, chatCount: POPULAR + 30 });
    const adult = await addCharacter({ tags, chatCount: POPULAR + 40, nsfwAllowed: true });

    const similar = await findSimilar(id, 100);
    // Other characters of the run may have both tags too.
    const mine = similar.filter((card) => [both, popular, one].includes(card.id));
    expect(mine.map((card) => card.id)).toEqual([both, popular, one]);
    expect(mine[0]).toMatchObject({
      name: 'Mira',
      nsfw_allowed: false,
      tags: expect.arrayContaining(tags),
    });

    expect(await findSimilar(id, 2)).toEqual(similar.slice(0, 2));
    const forAdults = await findSimilar(id, 100, { ...PUBLIC_VIEWER, spicy: true });
    expect(forAdults[0]?.id).toBe(adult);
    const ids = forAdults.map((card) => card.id);
    for (const other of [id, ...hidden]) expect(ids).not.toContain(other);
  });

  test('a character without tags has no similar characters', async () => {
    const id = await addCharacter({ chatCount: POPULAR });
    expect(await findSimilar(id, 6)).toEqual([]);
  });
});

describe('Sitemaps', () => {
  test('the sitemaps list every public character once, in parts, and the creators', async () => {
    const shown = await Promise.all(Array.from({ length: 5 }, () => addCharacter()));
    const hidden = [...(await unlisted()), await addCharacter({ nsfwAllowed: true })];
    const all = await env.DB.prepare(
      "select count(*) as count from character_listings where tag = ''",
    ).first<number>('count');
    const size = Math.ceil((all ?? 0) / 4);
    const parts = await computeSitemapParts(db, size);
    expect(parts[0]?.after).toBeNull();
    expect(parts.at(-1)?.until).toBeNull();
    expect(parts.length).toBeGreaterThan(1);
    // The boundaries contain no ids, because a character may become private later.
    for (const part of parts) expect(Object.keys(part)).toEqual(['after', 'until']);
    const found: string[] = [];
    const creators = new Set<string>();
    for (const part of parts) {
      const listed = await listSitemapCharacters(db, part, size);
      expect(listed.length).toBeLessThanOrEqual(2 * size);
      found.push(...listed.map(({ id }) => id));
      for (const creator of await listSitemapCreators(db, part, size)) creators.add(creator);
    }
    expect(new Set(found).size).toBe(found.length);
    expect(found).toEqual(expect.arrayContaining(shown));
    for (const id of hidden) expect(found).not.toContain(id);

    const readCreators = async (ids: string[]) => {
      const { results } = await env.DB.prepare(
        'select creator_id as id from characters where id in (select value from json_each(?))',
      )
        .bind(JSON.stringify(ids))
        .all<{ id: string }>();
      return results.map(({ id }) => id);
    };
    for (const id of await readCreators(shown)) expect(creators).toContain(id);
    for (const id of await readCreators(hidden)) expect(creators).not.toContain(id);
  });

  test('the sitemaps keep characters of the same time in one part', async () => {
    const createdAt = Date.UTC(2001, 4, 5);
    const created = [0, 0, 0, 1, 2].map((later) => addCharacter({ createdAt: createdAt + later }));
    const [one, two, three] = await Promise.all(created);
    const parts = (await computeSitemapParts(db, 2)).filter(({ after }) => (after ?? 0) <= createdAt + 2);
    const partCharacters = await Promise.all(parts.map((part) => listSitemapCharacters(db, part, 2)));
    const ownParts = partCharacters
      .map((part) => part.map(({ id }) => id).filter((id) => [one, two, three].includes(id)))
      .filter((ids) => ids.length > 0);
    expect(ownParts.map((ids) => ids.toSorted())).toEqual([[one, two, three].toSorted()]);
  });

  test('the sitemaps use the boundaries that housekeeping stored', async () => {
    await addCharacter();
    await env.KV.delete('sitemap:times');
    const whole = { after: null, until: null };
    expect(await getSitemapParts(db, env.KV)).toEqual([whole]);
    const now = Date.UTC(2032, 0, 1);
    expect(await updateSitemapParts(db, env.KV, now)).toBe(true);
    expect(await updateSitemapParts(db, env.KV, now + 3_600_000)).toBe(false);
    // The boundaries come from the KV namespace, without a database.
    const noDatabase = undefined as unknown as typeof db;
    expect(await getSitemapParts(noDatabase, env.KV)).toEqual(await computeSitemapParts(db));
    const parts = [
      { after: null, until: 7 },
      { after: 7, until: null },
    ];
    await env.KV.put('sitemap:times', JSON.stringify({ at: 1, parts }));
    expect(await getSitemapParts(noDatabase, env.KV)).toEqual(parts);
    expect(await updateSitemapParts(db, env.KV, now)).toBe(true);
    // There was no character at the time of the count, and now there is one.
    await env.KV.put('sitemap:times', JSON.stringify({ at: now, parts: [] }));
    expect(await getSitemapParts(db, env.KV)).toEqual([whole]);
  });
});
