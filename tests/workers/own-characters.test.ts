// Over 400 lines: one character's life, from its first change to the day when nothing is left of it.
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { eraseDueAccounts } from '../../src/services/erase-accounts.ts';
import { CHARACTER_VERSIONS, TRASH } from '../../src/features/character/limits.ts';
import { openDatabase } from '../../src/db/open.ts';
import { updateCharacter } from '../../src/features/character/character-change-store.ts';
import {
  listCharactersById,
  listFeaturedCharacters,
  PUBLIC_VIEWER,
} from '../../src/features/character/character-store.ts';
import type {
  CharacterDetail,
  CreatorProfile,
  OwnCharacter,
  OwnCharacterList,
} from '../../src/features/character/contract.ts';
import { getCreatorProfile } from '../../src/features/character/creator-store.ts';
import { readDefinition } from '../../src/features/character/definition-store.ts';
import { createId } from '../../src/lib/ids.ts';
import { startConversationClient } from '../support/conversation-client.ts';
import {
  uploadTestPicture,
  createOwnCharacter,
  editCharacter,
  fetchOwnCharacters,
  readCreatorProfile,
} from '../support/character-actions.ts';
import { runErasures } from '../support/account-deletion.ts';
import { addCharacter, signInGuest, createAccount, Visitor, setPoints } from '../support/factories.ts';
import { createUniquePicture } from '../support/pictures.ts';
import { countRowsRead } from '../support/query-stats.ts';
import { listObjects, findTraces } from '../support/stored-traces.ts';

const db = openDatabase(env.DB);
const freshWord = (): string => `sigma${createId(Date.now()).replaceAll(/\d/g, 'q')}`;

const versions = async (id: string) =>
  (
    await env.DB.prepare(
      'select version, definition from character_versions where character_id = ? order by 1',
    )
      .bind(id)
      .all<{ version: number; definition: string }>()
  ).results.map(({ version, definition }) => ({ version, ...(JSON.parse(definition) as { name: string }) }));

const own = (me: Visitor, id: string) => me.ask<OwnCharacter>(`/api/me/characters/${id}`);
const status = async (visitor: Visitor, id: string) => (await visitor.call(`/api/characters/${id}`)).status;
const remove = async (me: Visitor, id: string) =>
  (await me.call(`/api/characters/${id}`, { method: 'DELETE' })).status;
const restore = (me: Visitor, id: string) => me.call(`/api/characters/${id}/restore`, { method: 'POST' });
const moderate = (id: string, moderation: string) =>
  env.DB.prepare('update characters set moderation = ? where id = ?').bind(moderation, id).run();
const trashedFor = (id: string, ms: number) =>
  env.DB.prepare('update characters set deleted_at = ? where id = ?')
    .bind(Date.now() - ms, id)
    .run();

describe('When I change my character', () => {
  test('every field is as I leave it, it is a new version, and costs nothing', async () => {
    const me = await createAccount();
    const { id } = await createOwnCharacter(me, { tags: ['rpg'] });
    await setPoints(me, 0);
    const change = {
      avatar_id: await uploadTestPicture(me, createUniquePicture(7)),
      name: 'Orla the elder',
      oneliner: 'She has seen it all',
      character_traits: 'Slower hands.',
      first_message: 'You again.',
      model_type: 'chatgpt',
      visibility: 'unlisted',
      point_of_view: 'reverse',
      nsfw_allowed: false,
      suggested_replies: ['Yes, me again, Orla'],
      tags: ['fantasy', 'female'],
      alternate_greetings: ['Who let you in?'],
    };
    const changed = await editCharacter(me, id, change);
    expect(changed).toMatchObject({ ...change, tags: expect.arrayContaining(change.tags), version: 2 });
    expect(changed.tags).toHaveLength(2);
    expect(await own(me, id)).toEqual(changed);
    expect(await versions(id)).toMatchObject([
      { version: 1, name: 'Orla', alternate_greetings: [] },
      { version: 2, name: 'Orla the elder', avatar_url: `/media/${change.avatar_id}` },
    ]);
    const read = await readDefinition(db, id);
    expect(read).toMatchObject({ version: 2, definition: { first_message: 'You again.', lorebook: null } });
  });

  test('I learn that its texts are sexual though it is not for adults, and nobody else does', async () => {
    const me = await createAccount();
    const { id, looks_sexual: before } = await createOwnCharacter(me);
    expect(before).toBe(false);
    const change = { first_message: 'They have sex. She moans as he comes inside her.' };
    expect(await editCharacter(me, id, change)).toMatchObject({ looks_sexual: true });
    expect(await own(me, id)).toMatchObject({ looks_sexual: true });
    expect(await me.ask(`/api/characters/${id}`)).not.toHaveProperty('looks_sexual');
  });

  test('what no story goes by makes no new version, and neither does a change to the same', async () => {
    const me = await createAccount();
    const { id, name, avatar_id } = await createOwnCharacter(me);
    for (const change of [
      { visibility: 'private' },
      { tags: ['anime'] },
      { name, avatar_id },
      { alternate_greetings: [] },
    ])
      expect(await editCharacter(me, id, change)).toMatchObject({ version: 1 });
    expect(await own(me, id)).toMatchObject({ visibility: 'private', tags: ['anime'] });
    expect(await versions(id)).toHaveLength(1);
  });

  test('what it may begin with stays where I change something else, and goes when I take it away', async () => {
    const me = await createAccount();
    const { id } = await createOwnCharacter(me, { alternate_greetings: ['Early.'] });
    await editCharacter(me, id, { name: 'Wren' });
    expect((await readDefinition(db, id))?.definition.alternate_greetings).toEqual(['Early.']);
    expect(await editCharacter(me, id, { alternate_greetings: [] })).toMatchObject({
      alternate_greetings: [],
      version: 3,
    });
    expect((await readDefinition(db, id))?.definition.alternate_greetings).toEqual([]);
  });

  test('in several tabs at once, every change is there, and every version is kept', async () => {
    const me = await createAccount();
    const { id } = await createOwnCharacter(me);
    await Promise.all([
      editCharacter(me, id, { name: 'Wren' }),
      editCharacter(me, id, { oneliner: 'Another line' }),
      editCharacter(me, id, { character_traits: 'Other traits', tags: ['male'] }),
      editCharacter(me, id, { alternate_greetings: ['Hm.'] }),
    ]);
    expect(await own(me, id)).toMatchObject({
      name: 'Wren',
      oneliner: 'Another line',
      character_traits: 'Other traits',
      alternate_greetings: ['Hm.'],
      tags: ['male'],
      version: 5,
    });
    expect((await versions(id)).map(({ version }) => version)).toEqual([1, 2, 3, 4, 5]);
  });

  test('very often, its newest versions are kept, and large ones make room', async () => {
    const me = await createAccount();
    const id = await addCharacter({ creatorId: me.id });
    for (let count = 0; count < CHARACTER_VERSIONS.maxVersions + 3; count += 1)
      await updateCharacter(db, {
        id,
        creatorId: me.id,
        change: { name: `Orla ${count}` },
        spicy: false,
        now: Date.now(),
      });
    const kept = await versions(id);
    expect(kept).toHaveLength(CHARACTER_VERSIONS.maxVersions);
    expect(kept.at(-1)).toMatchObject({ version: 54, name: 'Orla 52' });
    const lorebook = { entries: [{ keys: ['sea'], content: 'x'.repeat(CHARACTER_VERSIONS.maxChars / 3) }] };
    for (const name of ['A', 'B', 'C', 'D'])
      await updateCharacter(db, {
        id,
        creatorId: me.id,
        change: { name, lorebook, nickname: 'Captain', creator_notes: { en: 'Mind the tide.' } },
        spicy: false,
        now: Date.now(),
      });
    expect((await versions(id)).map(({ name }) => name)).toEqual(['C', 'D']);
    expect((await readDefinition(db, id))?.definition).toMatchObject({ nickname: 'Captain', lorebook });
    // What a card has stays where the form changes something else.
    await editCharacter(me, id, { alternate_greetings: ['Ahoy.'] });
    expect((await readDefinition(db, id))?.definition).toMatchObject({ nickname: 'Captain', lorebook });
  });

  test('with somebody else’s picture, nothing is changed', async () => {
    const [me, other] = [await createAccount(), await createAccount()];
    const { id } = await createOwnCharacter(me);
    const json = { name: 'Changed', avatar_id: await uploadTestPicture(other) };
    const answer = await me.call(`/api/characters/${id}`, { method: 'PATCH', json });
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { fields: { avatar_id: ['Please upload an avatar'] } },
    ]);
    expect(await own(me, id)).toMatchObject({ name: 'Orla', version: 1 });
  });

  test('nobody else can, whatever they may see of it', async () => {
    const { id } = await createOwnCharacter(await createAccount());
    for (const stranger of [await createAccount(), await signInGuest()])
      for (const [method, path] of [
        ['PATCH', `/api/characters/${id}`],
        ['DELETE', `/api/characters/${id}`],
        ['POST', `/api/characters/${id}/restore`],
        ['GET', `/api/me/characters/${id}`],
      ] as const) {
        const json = method === 'PATCH' ? { json: { name: 'Mine now' } } : {};
        expect([method, (await stranger.call(path, { method, ...json })).status]).toEqual([method, 404]);
      }
  });
});

describe('When I delete my character', () => {
  test('it is in my trash and nowhere else, and comes back as it was', async () => {
    const me = await createAccount();
    const word = freshWord();
    const made = await createOwnCharacter(me, { name: word, tags: ['rpg'] });
    const { id } = made;
    await env.DB.prepare('update characters set featured = 1 where id = ?').bind(id).run();
    expect(await remove(me, id)).toBe(204);
    expect(await remove(me, id)).toBe(204);
    for (const visitor of [new Visitor(), await createAccount(), me])
      expect(await status(visitor, id)).toBe(404);
    expect(await me.ask(`/api/characters?q=${word}`)).toMatchObject({ items: [] });
    expect(await listCharactersById(db, [id])).toEqual([]);
    expect((await listFeaturedCharacters(db, 100)).map((card) => card.id)).not.toContain(id);
    expect(await readCreatorProfile(new Visitor(), me.id)).toMatchObject({
      character_count: 0,
      characters: { items: [] },
    });
    const begun = await me.call('/api/conversations', { json: { character_id: id } });
    expect([begun.status, await begun.json()]).toMatchObject([409, { code: 'character_deleted' }]);
    const rename = { method: 'PATCH', json: { name: 'x' } };
    expect((await me.call(`/api/characters/${id}`, rename)).status).toBe(404);
    expect(await fetchOwnCharacters(me)).toMatchObject({ items: [], count: 0 });
    expect(await fetchOwnCharacters(me, '&deleted=true')).toMatchObject({
      items: [{ id, deleted_at: expect.stringMatching(/Z$/) }],
      count: 0,
    });
    const back = await restore(me, id);
    expect([back.status, await back.json()]).toMatchObject([200, { id, version: 1, tags: ['rpg'] }]);
    expect((await restore(me, id)).status).toBe(200);
    expect(await status(new Visitor(), id)).toBe(200);
    expect(await fetchOwnCharacters(me)).toMatchObject({ items: [{ id }], count: 1 });
    expect((await fetchOwnCharacters(me)).items[0]).not.toHaveProperty('deleted_at');
  });

  test('after thirty days it is gone for good: with its texts, versions and words, and nobody can have it back', async () => {
    const before = await listObjects();
    const me = await createAccount();
    const [name, traits, greeting, old] = [freshWord(), freshWord(), freshWord(), freshWord()];
    const { id } = await createOwnCharacter(me, {
      name,
      character_traits: old,
      alternate_greetings: [greeting],
      tags: ['anime'],
    });
    await editCharacter(me, id, { character_traits: traits });
    const kept = await createOwnCharacter(me);
    await remove(me, id);
    await remove(me, kept.id);
    await trashedFor(id, TRASH.retentionMs + 1);
    expect((await fetchOwnCharacters(me, '&deleted=true')).items.map((item) => item.id)).toEqual([kept.id]);
    expect((await restore(me, id)).status).toBe(404);
    expect((await me.call(`/api/me/characters/${id}`)).status).toBe(404);
    await eraseDueAccounts(env, db, Date.now());
    expect(await findTraces([id, name, traits, greeting, old], before)).toEqual([
      // What was paid for is told in the ledger for good, without a name.
      expect.stringMatching(new RegExp(`^${id}: D1 character_creations|^${id}: WALLETS`)),
      expect.stringMatching(new RegExp(`^${id}: D1 character_creations|^${id}: WALLETS`)),
    ]);
    expect((await restore(me, kept.id)).status).toBe(200);
  });

  test('and people have stories with it, its name stays for them when it is gone, and mine is one of them', async () => {
    const before = await listObjects();
    const me = await createAccount();
    const secret = freshWord();
    const { id } = await createOwnCharacter(me, { character_traits: secret, first_message: 'Hello.' });
    const [reader, maker] = [await signInGuest(), me];
    const stories = [await startConversationClient(reader, id), await startConversationClient(maker, id)];
    for (const story of stories) await story.send('And then?');
    await reader.call(`/api/characters/${id}/reports`, { json: { reason: 'spam' } });
    await remove(me, id);
    await trashedFor(id, TRASH.retentionMs + 1);
    await eraseDueAccounts(env, db, Date.now());
    await runErasures();
    for (const story of stories) {
      expect((await story.page()).conversation).toMatchObject({
        character_name: 'Orla',
        character_gone: true,
        avatar_url: '/icons/nobody.svg',
      });
      expect(await story.texts()).toHaveLength(3);
    }
    const left = await findTraces([secret], before);
    expect(left).toEqual([]);
    const row = await env.DB.prepare(
      'select name, visibility, deleted_at, creator_id from characters where id = ?',
    )
      .bind(id)
      .first();
    expect(row).toMatchObject({ name: 'Orla', visibility: 'private', deleted_at: null });
    expect(row?.creator_id).not.toBe(me.id);
    expect(await versions(id)).toEqual([]);
  });
});

describe('A character that moderation took down', () => {
  test.each(['hidden', 'removed'])('is its maker’s alone to see, with why: %s', async (moderation) => {
    const me = await createAccount();
    const word = freshWord();
    const { id } = await createOwnCharacter(me, { name: word, tags: ['anime'] });
    await env.DB.prepare('update characters set featured = 1 where id = ?').bind(id).run();
    await moderate(id, moderation);
    for (const visitor of [new Visitor(), await signInGuest(), await createAccount()]) {
      expect(await status(visitor, id)).toBe(404);
      expect(await visitor.ask(`/api/characters?q=${word}`)).toMatchObject({ items: [] });
      expect(await readCreatorProfile(visitor, me.id)).toMatchObject({
        character_count: 0,
        characters: { items: [] },
      });
    }
    expect(await listCharactersById(db, [id])).toEqual([]);
    expect((await listFeaturedCharacters(db, 100)).map((card) => card.id)).not.toContain(id);
    expect(await status(me, id)).toBe(200);
    expect(await own(me, id)).toMatchObject({ moderation });
    expect((await fetchOwnCharacters(me)).items).toMatchObject([{ id, moderation }]);
    expect(await editCharacter(me, id, { name: 'Better' })).toMatchObject({ moderation, name: 'Better' });
    await moderate(id, 'shown');
    expect(await status(new Visitor(), id)).toBe(200);
  });
});

describe('My characters', () => {
  test('are listed by pages, the newest first, whatever others may see of them', async () => {
    const me = await createAccount();
    const now = Date.now();
    const rows: Parameters<typeof addCharacter>[0][] = [
      { visibility: 'public' },
      { visibility: 'unlisted' },
      { visibility: 'private' },
      { nsfwAllowed: true },
      { moderation: 'hidden' },
      { moderation: 'removed' },
    ];
    const ids: string[] = [];
    for (const [index, row] of rows.entries())
      ids.push(await addCharacter({ ...row, creatorId: me.id, createdAt: now + Math.floor(index / 2) }));
    await addCharacter();
    for (const limit of [1, 2, 4, 100]) {
      const seen: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page: OwnCharacterList = await me.ask(
          `/api/me/characters?limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`,
        );
        expect(page.count).toBe(6);
        seen.push(...page.items.map(({ id }) => id));
        cursor = page.next_cursor;
      }
      expect(seen.toSorted()).toEqual(ids.toSorted());
      expect(seen.slice(0, 2).toSorted()).toEqual(ids.slice(4).toSorted());
    }
    expect(await fetchOwnCharacters(await signInGuest())).toEqual({ items: [], next_cursor: null, count: 0 });
    expect((await new Visitor().call('/api/me/characters')).status).toBe(401);
  });

  test('in the trash are listed by pages too, the last deleted first', async () => {
    const me = await createAccount();
    const ids = [
      await createOwnCharacter(me),
      await createOwnCharacter(me),
      await createOwnCharacter(me),
    ].map(({ id }) => id);
    for (const [index, id] of ids.entries()) {
      await remove(me, id);
      await trashedFor(id, (3 - index) * 1000);
    }
    const first = await me.ask<{ items: OwnCharacter[]; next_cursor: string }>(
      '/api/me/characters?deleted=true&limit=2',
    );
    expect(first.items.map(({ id }) => id)).toEqual([ids[2], ids[1]]);
    const rest = await me.ask(`/api/me/characters?deleted=true&limit=2&cursor=${first.next_cursor}`);
    expect(rest).toMatchObject({ items: [{ id: ids[0] }], next_cursor: null });
  });
});

describe('A creator', () => {
  test('is known by name, picture and what is public of theirs, and by nothing else', async () => {
    const me = await createAccount();
    const avatar_id = await uploadTestPicture(me);
    await me.ask('/api/account', { method: 'PATCH', json: { nickname: 'Ada', avatar_id } });
    const shown = await addCharacter({ creatorId: me.id, chatCount: 4, name: 'Shown' });
    for (const row of [
      { visibility: 'private', chatCount: 100 },
      { visibility: 'unlisted', chatCount: 1000 },
      { moderation: 'hidden', chatCount: 10_000 },
      { moderation: 'removed', chatCount: 100_000 },
      { deletedAt: Date.now(), chatCount: 1_000_000 },
    ] as const)
      await addCharacter({ ...row, creatorId: me.id });
    const adult = await addCharacter({ creatorId: me.id, nsfwAllowed: true, chatCount: 20 });
    const general = {
      id: me.id,
      name: 'Ada',
      avatar_url: `/media/${avatar_id}`,
      character_count: 1,
      chat_count: 4,
      more_than_counted: false,
      joined_at: expect.stringMatching(/T00:00:00.000Z$/),
      characters: { items: [expect.objectContaining({ id: shown, name: 'Shown' })], next_cursor: null },
    };
    // Their own profile is what others see of them.
    for (const visitor of [new Visitor(), await signInGuest(), await createAccount(), me])
      expect(await readCreatorProfile(visitor, me.id)).toEqual(general);
    const reader = await createAccount();
    await reader.ask('/api/account', { method: 'PATCH', json: { spicy_mode: true, age_confirmed: true } });
    const all = await readCreatorProfile(reader, me.id);
    expect(all).toMatchObject({ character_count: 2, chat_count: 24 });
    expect(all.characters.items.map(({ id }) => id).toSorted()).toEqual([shown, adult].toSorted());
  });

  test('is found only where there is one: no guest, and nobody who is unknown or gone', async () => {
    const reader = await createAccount();
    expect(await readCreatorProfile(new Visitor(), reader.id)).toMatchObject({
      character_count: 0,
      chat_count: 0,
    });
    for (const id of [(await signInGuest()).id, createId(Date.now()), 'unknown', '%00'])
      expect((await new Visitor().call(`/api/creators/${id}`)).status).toBe(404);
  });

  test('counts a thousand characters and no more, however many somebody has made', async () => {
    const me = await createAccount();
    const one = await addCharacter({ creatorId: me.id, chatCount: 3 });
    const copy = (count: number) =>
      env.DB.prepare(
        `with recursive n(n) as (select 1 union all select n + 1 from n where n < ?)
         insert into characters (id, creator_id, name, oneliner, character_traits, first_message, model_type, visibility,
           point_of_view, nsfw_allowed, suggested_replies, avatar_key, featured, chat_count, created_at, updated_at)
         select c.id || '-' || ? || '-' || n, creator_id, name, oneliner, character_traits, first_message, model_type,
           visibility, point_of_view, nsfw_allowed, suggested_replies, avatar_key, featured, chat_count, created_at + n,
           updated_at from characters c, n where c.id = ?`,
      )
        .bind(count, count, one)
        .run();
    await copy(999);
    expect(await readCreatorProfile(me, me.id)).toMatchObject({
      character_count: 1000,
      chat_count: 3000,
      more_than_counted: false,
    });
    await copy(300);
    expect(await readCreatorProfile(me, me.id)).toMatchObject({
      character_count: 1000,
      more_than_counted: true,
    });

    const read = await countRowsRead((asked) =>
      getCreatorProfile(asked, me.id, PUBLIC_VIEWER, { limit: 24 }),
    );
    expect(read).toBeLessThanOrEqual(2 * 1001 + 300);

    // What nobody finds in lists is not read past either.
    await env.DB.prepare("update characters set visibility = 'private' where creator_id = ?")
      .bind(me.id)
      .run();
    const hidden = await countRowsRead((asked) =>
      getCreatorProfile(asked, me.id, PUBLIC_VIEWER, { limit: 24 }),
    );
    expect(hidden).toBeLessThanOrEqual(10);
    await env.DB.prepare('delete from characters where creator_id = ?').bind(me.id).run();
  });

  test('shows the newest first, by pages', async () => {
    const me = await createAccount();
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1)
      ids.unshift(await addCharacter({ creatorId: me.id, createdAt: 1_700_000_000_000 + index }));
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { characters }: CreatorProfile = await new Visitor().ask(
        `/api/creators/${me.id}?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      seen.push(...characters.items.map(({ id }) => id));
      cursor = characters.next_cursor;
    }
    expect(seen).toEqual(ids);
  });
});

test('A private character of mine opens for me alone, and becomes everybody’s when I say so', async () => {
  const me = await createAccount();
  const { id } = await createOwnCharacter(me, { visibility: 'private' });
  const other = await createAccount();
  expect([await status(me, id), await status(other, id)]).toEqual([200, 404]);
  await editCharacter(me, id, { visibility: 'public' });
  expect(await other.ask<CharacterDetail>(`/api/characters/${id}`)).toMatchObject({ visibility: 'public' });
});
