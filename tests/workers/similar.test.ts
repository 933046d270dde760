import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/open.ts';
import { PUBLIC_VIEWER } from '../../src/features/character/character-store.ts';
import { findSimilarCharacters } from '../../src/features/character/discovery/similar-store.ts';
import {
  computeSitemapParts,
  updateSitemapParts,
  listSitemapCharacters,
  listSitemapCreators,
  getSitemapParts,
} from '../../src/features/character/discovery/sitemap-store.ts';
import { addCharacter } from '../support/factories.ts';

const db = openDatabase(env.DB);
/** More than anybody else's in the run: these are the most talked to. */
const POPULAR = 5_000_000;

/** What nobody but its maker may find in a list, each by its own fault. */
const unlisted = (fields: object = {}) =>
  Promise.all([
    addCharacter({ ...fields, visibility: 'private' }),
    addCharacter({ ...fields, visibility: 'unlisted' }),
    addCharacter({ ...fields, moderation: 'hidden' }),
    addCharacter({ ...fields, moderation: 'removed' }),
    addCharacter({ ...fields, deletedAt: Date.now() }),
  ]);

describe('Others like a character', () => {
  test('share its tags, the likest and most talked to first, without itself and without what is not listed', async () => {
    const tags = ['anime', 'rpg'];
    const [id, both, loved, one] = await Promise.all([
      addCharacter({ tags, chatCount: POPULAR }),
      addCharacter({ tags, chatCount: POPULAR + 1 }),
      addCharacter({ tags: ['rpg'], chatCount: POPULAR + 9 }),
      addCharacter({ tags: ['anime'], chatCount: POPULAR + 3 }),
      addCharacter({ tags: ['fantasy'], chatCount: POPULAR + 20 }),
      addCharacter({ chatCount: POPULAR + 21 }),
    ]);
    const hidden = await unlisted({ tags, chatCount: POPULAR + 30 });
    const adult = await addCharacter({ tags, chatCount: POPULAR + 40, nsfwAllowed: true });

    const similar = await findSimilarCharacters(db, { id, tags }, PUBLIC_VIEWER, 100);
    // Others of the run may share both tags as well.
    const mine = similar.filter((card) => [both, loved, one].includes(card.id));
    expect(mine.map((card) => card.id)).toEqual([both, loved, one]);
    expect(mine[0]).toMatchObject({
      name: 'Mira',
      nsfw_allowed: false,
      tags: expect.arrayContaining(tags),
    });

    expect(await findSimilarCharacters(db, { id, tags }, PUBLIC_VIEWER, 2)).toEqual(similar.slice(0, 2));
    const forAdults = await findSimilarCharacters(db, { id, tags }, { ...PUBLIC_VIEWER, spicy: true }, 100);
    expect(forAdults[0]?.id).toBe(adult);
    const ids = forAdults.map((card) => card.id);
    for (const other of [id, ...hidden]) expect(ids).not.toContain(other);
  });

  test('are none where it has no tags', async () => {
    const id = await addCharacter({ chatCount: POPULAR });
    expect(await findSimilarCharacters(db, { id, tags: [] }, PUBLIC_VIEWER, 6)).toEqual([]);
  });
});

describe('The sitemaps', () => {
  test('hold every character that everybody may see once, in parts, and whoever made them', async () => {
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
    // Who is where one ends and the next one begins may be private tomorrow.
    for (const part of parts) expect(Object.keys(part)).toEqual(['after', 'until']);
    const found: string[] = [];
    const creators = new Set<string>();
    for (const part of parts) {
      const inIt = await listSitemapCharacters(db, part, size);
      expect(inIt.length).toBeLessThanOrEqual(2 * size);
      found.push(...inIt.map(({ id }) => id));
      for (const creator of await listSitemapCreators(db, part, size)) creators.add(creator);
    }
    expect(new Set(found).size).toBe(found.length);
    expect(found).toEqual(expect.arrayContaining(shown));
    for (const id of hidden) expect(found).not.toContain(id);

    const makers = async (ids: string[]) => {
      const { results } = await env.DB.prepare(
        'select creator_id as id from characters where id in (select value from json_each(?))',
      )
        .bind(JSON.stringify(ids))
        .all<{ id: string }>();
      return results.map(({ id }) => id);
    };
    for (const id of await makers(shown)) expect(creators).toContain(id);
    for (const id of await makers(hidden)) expect(creators).not.toContain(id);
  });

  test('hold those of one moment together, wherever a part would end', async () => {
    const createdAt = Date.UTC(2001, 4, 5);
    const made = [0, 0, 0, 1, 2].map((later) => addCharacter({ createdAt: createdAt + later }));
    const [one, two, three] = await Promise.all(made);
    const parts = (await computeSitemapParts(db, 2)).filter(({ after }) => (after ?? 0) <= createdAt + 2);
    const inThem = await Promise.all(parts.map((part) => listSitemapCharacters(db, part, 2)));
    const theirs = inThem
      .map((part) => part.map(({ id }) => id).filter((id) => [one, two, three].includes(id)))
      .filter((ids) => ids.length > 0);
    expect(theirs.map((ids) => ids.toSorted())).toEqual([[one, two, three].toSorted()]);
  });

  test('begin where housekeeping last found that they do, whatever the catalogue holds', async () => {
    await addCharacter();
    await env.KV.delete('sitemap:times');
    const whole = { after: null, until: null };
    expect(await getSitemapParts(db, env.KV)).toEqual([whole]);
    const now = Date.UTC(2032, 0, 1);
    expect(await updateSitemapParts(db, env.KV, now)).toBe(true);
    expect(await updateSitemapParts(db, env.KV, now + 3_600_000)).toBe(false);
    // Asked of what is kept, and of no database.
    const nobody = undefined as unknown as typeof db;
    expect(await getSitemapParts(nobody, env.KV)).toEqual(await computeSitemapParts(db));
    const parts = [
      { after: null, until: 7 },
      { after: 7, until: null },
    ];
    await env.KV.put('sitemap:times', JSON.stringify({ at: 1, parts }));
    expect(await getSitemapParts(nobody, env.KV)).toEqual(parts);
    expect(await updateSitemapParts(db, env.KV, now)).toBe(true);
    // Nobody had made one when they were counted, and now somebody has.
    await env.KV.put('sitemap:times', JSON.stringify({ at: now, parts: [] }));
    expect(await getSitemapParts(db, env.KV)).toEqual([whole]);
  });
});
