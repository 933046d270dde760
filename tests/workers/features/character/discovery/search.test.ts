import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../../../../src/db/open.ts';
import type { CharacterList } from '../../../../../src/features/character/contract.ts';
import { buildPendingSearchWords } from '../../../../../src/features/character/discovery/search-words-store.ts';
import { createId } from '../../../../../src/lib/ids.ts';
import { addCharacter, Visitor } from '../../../../support/factories.ts';

/** Returns a word that no other test's characters contain. */
const createWord = (): string => `zeta${createId(Date.now())}`;

async function searchNames(q: string, visitor = new Visitor()): Promise<string[]> {
  const { items } = await visitor.ask<CharacterList>(`/api/characters?limit=100&q=${encodeURIComponent(q)}`);
  return items.map((item) => item.name);
}

describe('Character search', () => {
  test('the character search finds names and taglines by word prefixes in any order and case', async () => {
    const word = createWord();
    await addCharacter({ name: `Élise ${word}`, oneliner: 'The BAKER of Orléans' });
    for (const q of [
      `elise ${word}`,
      `ÉLISE ${word}`,
      `${word} eli`,
      `baker ${word}`,
      `${word} orleans bak`,
      `  ${word}\t elise `,
    ]) {
      expect(await searchNames(q)).toEqual([`Élise ${word}`]);
    }
    expect(await searchNames(`${word} lis`)).toEqual([]);
    expect(await searchNames(`${word} candlestick`)).toEqual([]);
  });

  test('the character search finds other scripts, and accents in both Unicode forms', async () => {
    const word = createWord();
    await addCharacter({ name: `さくら ${word}` });
    await addCharacter({ name: `Мира ${word}` });
    await addCharacter({ name: `Zoë ${word}` });
    await addCharacter({ name: `नमस्ते ${word}` });
    expect(await searchNames(`さく ${word}`)).toEqual([`さくら ${word}`]);
    expect(await searchNames(`мИра ${word}`)).toEqual([`Мира ${word}`]);
    expect(await searchNames(`Zoe\u0308 ${word}`)).toEqual([`Zoë ${word}`]);
    expect(await searchNames(`नमस्ते ${word}`)).toEqual([`नमस्ते ${word}`]);
  });

  test('the character search treats operators as plain text', async () => {
    const word = createWord();
    await addCharacter({ name: `Rock AND Roll ${word}` });
    await addCharacter({ name: `Roll ${word}` });
    expect(await searchNames(`rock AND ${word}`)).toEqual([`Rock AND Roll ${word}`]);
    expect(await searchNames(`roll NOT ${word}`)).toEqual([]);
    for (const q of [
      '"',
      '*',
      `"${word}`,
      `name:${word}`,
      `NEAR(${word})`,
      `${word} OR`,
      `(${word}`,
      `-${word}`,
      `^${word}`,
      "'; drop table characters; --",
      '%',
      '_',
      '\\',
      '\u0000',
      '👋',
      '{}',
      'a*b*c',
    ]) {
      const answer = await new Visitor().call(`/api/characters?q=${encodeURIComponent(q)}`);
      expect({ q, status: answer.status }).toEqual({ q, status: 200 });
    }
    expect((await searchNames(`^${word}* OR`)).length).toBe(0);
    expect((await searchNames(`"${word}*`)).length).toBe(2);
  });

  test('a search for punctuation finds nothing, and an empty search finds everything', async () => {
    await addCharacter();
    expect(await searchNames('!?*')).toEqual([]);
    expect((await searchNames('')).length).toBeGreaterThan(0);
    expect((await searchNames('   ')).length).toBeGreaterThan(0);
  });

  test('the character search no longer finds a renamed or deleted character', async () => {
    const [before, after] = [createWord(), createWord()];
    const id = await addCharacter({ name: before });
    await env.DB.prepare('update characters set name = ? where id = ?').bind(after, id).run();
    expect(await searchNames(before)).toEqual([]);
    await buildPendingSearchWords(openDatabase(env.DB), Number.MAX_SAFE_INTEGER);
    expect(await searchNames(after)).toEqual([after]);
    await env.DB.prepare('delete from characters where id = ?').bind(id).run();
    expect(await searchNames(after)).toEqual([]);
  });
});
