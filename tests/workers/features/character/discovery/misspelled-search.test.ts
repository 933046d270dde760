import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { openDatabase } from '../../../../../src/db/open.ts';
import type { CharacterList, SearchSuggestions } from '../../../../../src/features/character/contract.ts';
import { updateFreeTagCounts } from '../../../../../src/features/character/free-tag-store.ts';
import { buildPendingSearchWords } from '../../../../../src/features/character/discovery/search-words-store.ts';
import { addCharacter, Visitor } from '../../../../support/factories.ts';

const db = openDatabase(env.DB);
const ask = <Answer>(path: string, q: string) =>
  new Visitor().ask<Answer>(`${path}?${new URLSearchParams({ q })}`);
const search = async (q: string) => {
  const { items, similar } = await ask<CharacterList>('/api/characters', q);
  return { names: items.map(({ name }) => name), similar };
};

test('a search that finds nothing finds names and free tags that are spelled nearly like it, and says so', async () => {
  await addCharacter({ name: 'Xantippa Quorl', freeTags: ['marshwalker'] });
  await addCharacter({ name: 'Quorlina', visibility: 'private' });
  await buildPendingSearchWords(db, 100);
  const found = { names: ['Xantippa Quorl'], similar: true };
  expect(await search('xantip')).toEqual({ names: ['Xantippa Quorl'], similar: undefined });
  for (const typed of ['zantippa', 'xnatippa', 'qourl', 'quorrl xantippa', 'marshwlakr', 'mrashwalker'])
    expect([typed, await search(typed)]).toEqual([typed, found]);
  for (const typed of ['qoulr', 'quorlinna', 'xyz', '"zantippa quorll"'])
    expect([typed, await search(typed)]).toEqual([typed, { names: [], similar: undefined }]);
});

test('suggestions are characters that anyone may see, and listed tags that begin with the text', async () => {
  for (let count = 0; count < 3; count += 1)
    await addCharacter({
      name: `Velvetina ${count}`,
      freeTags: ['velvet hour', 'velvet rare'.slice(0, 8 + count)],
    });
  await addCharacter({ name: 'Velvetina secret', visibility: 'unlisted' });
  await addCharacter({ name: 'Velvetina adult', nsfwAllowed: true });
  await buildPendingSearchWords(db, 100);
  await updateFreeTagCounts(db);
  const { characters, free_tags } = await ask<SearchSuggestions>('/api/characters/suggestions', 'Velvet');
  expect(characters.map(({ name }) => name).toSorted()).toEqual([
    'Velvetina 0',
    'Velvetina 1',
    'Velvetina 2',
  ]);
  expect(free_tags).toEqual(['velvet hour']);
  const answer = await new Visitor().call('/api/characters/suggestions?q=');
  expect(answer.status).toBe(400);
});
