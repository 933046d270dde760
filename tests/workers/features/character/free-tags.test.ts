import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { openDatabase } from '../../../../src/db/open.ts';
import { freeTagCounts } from '../../../../src/db/schema/character.ts';
import { characterFreeTags, characters } from '../../../../src/db/schema/core.ts';
import { PUBLIC_VIEWER } from '../../../../src/features/character/character-store.ts';
import type { CharacterList, OwnCharacter } from '../../../../src/features/character/contract.ts';
import { updateTrending } from '../../../../src/features/character/discovery/discovery-refresh-store.ts';
import { listCharacters } from '../../../../src/features/character/discovery/listing-store.ts';
import { buildPendingSearchWords } from '../../../../src/features/character/discovery/search-words-store.ts';
import { parseFreeTagRules } from '../../../../src/features/character/free-tag-rules.ts';
import {
  listFreeTags,
  listFreeTagsByPrefix,
  mergeFreeTags,
  updateFreeTagCounts,
} from '../../../../src/features/character/free-tag-store.ts';
import {
  clearRuntimeConfigCache,
  RUNTIME_CONFIG_KV_KEY,
} from '../../../../src/features/runtime-config/runtime-config-gateway.ts';
import { buildForm, createOwnCharacter, submitForm } from '../../../support/character-actions.ts';
import { addCharacter, createAccount, Visitor } from '../../../support/factories.ts';

const db = openDatabase(env.DB);

test('free tags are stored in the creator’s order, shown to everyone, replaced, and deleted with the character', async () => {
  const me = await createAccount();
  const { id, free_tags: stored } = await createOwnCharacter(me, {
    free_tags: ['Slow  Burn', 'zeppelin', 'airship'],
  });
  expect(stored).toEqual(['slow burn', 'zeppelin', 'airship']);
  const change = (free_tags: string[]) =>
    me.ask<OwnCharacter>(`/api/characters/${id}`, { method: 'PATCH', json: { free_tags } });
  expect((await change(['gaslamp', 'zeppelin'])).free_tags).toEqual(['gaslamp', 'zeppelin']);
  expect(await (await createAccount()).ask(`/api/characters/${id}`)).toMatchObject({
    free_tags: ['gaslamp', 'zeppelin'],
  });
  expect((await change([])).free_tags).toEqual([]);
  await change(['last']);
  await env.DB.prepare('delete from characters where id = ?').bind(id).run();
  expect(await db.select().from(characterFreeTags).where(eq(characterFreeTags.characterId, id))).toEqual([]);
});

test('a character is found by its free tags as long as it has them', async () => {
  const me = await createAccount();
  const { id } = await createOwnCharacter(me, { free_tags: ['quokka whisperer'] });
  const find = async (q: string) =>
    (await me.ask<CharacterList>(`/api/characters?q=${encodeURIComponent(q)}`)).items.map((one) => one.id);
  expect(await find('quokka')).toEqual([id]);
  await me.ask(`/api/characters/${id}`, { method: 'PATCH', json: { free_tags: ['numbat whisperer'] } });
  expect([await find('quokka'), await find('numbats')]).toEqual([[], [id]]);
});

test('free tags are checked by the rules for publication', async () => {
  const me = await createAccount();
  const form = await buildForm(me, { free_tags: ['12 year old', 'has sex'] });
  const answer = await submitForm(me, form);
  expect(answer.status).toBe(422);
  expect(await answer.json()).toMatchObject({ code: 'text_refused', rule: 'minors' });
});

/** Three characters of two creators with a tag. */
async function addTagged(tag: string) {
  const creatorId = (await createAccount()).id;
  const ids = [await addCharacter({ freeTags: [tag] })];
  for (let count = 0; count < 2; count += 1) ids.push(await addCharacter({ creatorId, freeTags: [tag] }));
  return ids;
}

const NO_RULES = parseFreeTagRules({ blocked_tags: '', merged_tags: '' });

test('a tag is listed from three public characters of two creators on, and no longer when one is hidden', async () => {
  const isListed = async (tag: string) => {
    await updateFreeTagCounts(db);
    return (await listFreeTags(db, NO_RULES)).includes(tag);
  };
  const [first = ''] = await addTagged('tidal');
  await addCharacter({ freeTags: ['tidal', 'ebb'], visibility: 'private' });
  await addCharacter({ freeTags: ['ebb'] });
  await addCharacter({ freeTags: ['ebb'], nsfwAllowed: true });
  const creatorId = (await createAccount()).id;
  for (let count = 0; count < 4; count += 1) await addCharacter({ creatorId, freeTags: ['alone'] });
  expect([await isListed('tidal'), await isListed('ebb'), await isListed('alone')]).toEqual([
    true,
    false,
    false,
  ]);
  expect(await listFreeTagsByPrefix(db, 'ti', { rules: NO_RULES, limit: 5 })).toEqual(['tidal']);
  expect(await listFreeTagsByPrefix(db, 'eb', { rules: NO_RULES, limit: 5 })).toEqual([]);
  const blocked = parseFreeTagRules({ blocked_tags: 'Tidal', merged_tags: '' });
  expect(await listFreeTags(db, blocked)).not.toContain('tidal');
  await db.update(characters).set({ moderation: 'hidden' }).where(eq(characters.id, first));
  expect(await isListed('tidal')).toBe(false);
  await db.delete(characters).where(eq(characters.creatorId, creatorId));
  await updateFreeTagCounts(db);
  expect(await db.select().from(freeTagCounts).where(eq(freeTagCounts.tag, 'alone'))).toEqual([]);
});

test('a merge renames stored tags without a second one, and is found in lists and counts', async () => {
  const ids = await addTagged('scifi');
  const both = await addCharacter({ freeTags: ['sci-fi', 'scifi', 'ships'] });
  await mergeFreeTags(db, parseFreeTagRules({ blocked_tags: '', merged_tags: 'SciFi > sci-fi' }));
  await updateFreeTagCounts(db);
  const rows = await db.select().from(characterFreeTags).where(eq(characterFreeTags.characterId, both));
  expect(rows.map(({ tag }) => tag).toSorted()).toEqual(['sci-fi', 'ships']);
  await buildPendingSearchWords(db, 100);
  const { items } = await new Visitor().ask<CharacterList>('/api/characters?include=sci-fi');
  expect(items.map(({ id }) => id).toSorted()).toEqual([...ids, both].toSorted());
  const [counted] = await db.select().from(freeTagCounts).where(eq(freeTagCounts.tag, 'sci-fi'));
  expect(counted).toMatchObject({ characters: 4, creators: 3, isDue: false });
});

test('lists are filtered by language and by tags of both kinds, in every order', async () => {
  const fields = { creatorId: (await createAccount()).id, language: 'pl' };
  const noir = await addCharacter({
    ...fields,
    chatCount: 9,
    tags: ['rpg'],
    freeTags: ['film noir', 'rain'],
  });
  const plain = await addCharacter({ ...fields, chatCount: 5, freeTags: ['film noir'] });
  const other = await addCharacter({ ...fields, chatCount: 7, language: 'hi', freeTags: ['film noir'] });
  const adult = await addCharacter({ ...fields, nsfwAllowed: true, freeTags: ['film noir'] });
  await buildPendingSearchWords(db, 100);
  await updateTrending(db, env.KV, Date.now());
  const list = async (query: string) =>
    (await new Visitor().ask<CharacterList>(`/api/characters?${query}`)).items
      .map(({ id }) => id)
      // Other tests have characters in these languages, too.
      .filter((id) => [noir, plain, other, adult].includes(id));
  expect(await list('include=film+noir')).toEqual([noir, other, plain]);
  expect(await list('language=pl')).toEqual([noir, plain]);
  expect(await list('language=pl&include=Film++Noir,rpg')).toEqual([noir]);
  expect(await list('include=film+noir&exclude=rpg')).toEqual([other, plain]);
  expect(await list('include=film+noir&exclude=rain,rpg&language=hi&sort=new')).toEqual([other]);
  expect(await list('tag=rpg&language=pl&exclude=rain')).toEqual([]);
  expect(await list('include=film+noir&exclude=rpg&sort=trending')).toEqual([other, plain]);
  expect(await list('include=film%22+OR+%22')).toEqual([]);
  expect(adult).not.toBe('');
  // Pages continue where the one before ended, and the language that comes first is not repeated.
  const query = { sort: 'popular', limit: 1, include: ['film noir'] } as const;
  const first = await listCharacters(db, { ...query, include: [...query.include] }, PUBLIC_VIEWER);
  expect(first.items.map(({ id }) => id)).toEqual([noir]);
  const all = { sort: 'popular', limit: 100 } as const;
  const hindi = await listCharacters(db, all, PUBLIC_VIEWER, null, 'hi');
  const ids = hindi.items.map(({ id }) => id);
  expect(hindi.items.findIndex(({ language }) => language !== 'hi')).toBe(
    hindi.items.filter(({ language }) => language === 'hi').length,
  );
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(expect.arrayContaining([noir, plain, other]));
});

test('blocked tags are refused when a character is created or changed, and merged ones replaced', async () => {
  await env.KV.put(
    RUNTIME_CONFIG_KV_KEY,
    JSON.stringify({ blocked_tags: 'gorefest', merged_tags: 'slowburn > slow burn' }),
  );
  clearRuntimeConfigCache(env);
  try {
    const me = await createAccount();
    const { id, free_tags: tags } = await createOwnCharacter(me, { free_tags: ['slowburn', 'ok'] });
    expect(tags).toEqual(['slow burn', 'ok']);
    const refused = { code: 'invalid_input', fields: { free_tags: ['Not allowed here: gorefest'] } };
    const answer = await submitForm(me, await buildForm(me, { free_tags: ['gorefest'] }));
    expect([answer.status, await answer.json()]).toEqual([400, expect.objectContaining(refused)]);
    const change = { method: 'PATCH', json: { free_tags: ['ok', 'gorefest'] } };
    expect(await me.ask(`/api/characters/${id}`, { ...change, status: 400 })).toMatchObject(refused);
  } finally {
    await env.KV.delete(RUNTIME_CONFIG_KV_KEY);
    clearRuntimeConfigCache(env);
  }
});
