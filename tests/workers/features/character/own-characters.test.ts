// Over 400 lines: the whole life of a character, from its first change to its erasure.
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { eraseDueAccounts } from '../../../../src/services/erase-accounts.ts';
import { CHARACTER_VERSIONS, TRASH } from '../../../../src/features/character/limits.ts';
import { openDatabase } from '../../../../src/db/open.ts';
import { updateCharacter } from '../../../../src/features/character/character-change-store.ts';
import {
  listCharactersById,
  listFeaturedCharacters,
  PUBLIC_VIEWER,
} from '../../../../src/features/character/character-store.ts';
import type {
  CharacterDetail,
  CreatorProfile,
  OwnCharacter,
  OwnCharacterList,
} from '../../../../src/features/character/contract.ts';
import { getCreatorProfile } from '../../../../src/features/character/creator-store.ts';
import { readDefinition } from '../../../../src/features/character/definition-store.ts';
import { createId } from '../../../../src/lib/ids.ts';
import { startConversationClient } from '../../../support/conversation-client.ts';
import {
  uploadTestPicture,
  createOwnCharacter,
  editCharacter,
  fetchOwnCharacters,
  readCreatorProfile,
} from '../../../support/character-actions.ts';
import { runErasures } from '../../../support/account-deletion.ts';
import { addCharacter, signInGuest, createAccount, Visitor, setPoints } from '../../../support/factories.ts';
import { createUniquePicture } from '../../../support/pictures.ts';
import { countRowsRead } from '../../../support/query-stats.ts';
import { listObjects, findTraces } from '../../../support/stored-traces.ts';

const db = openDatabase(env.DB);
const createWord = (): string => `sigma${createId(Date.now()).replaceAll(/\d/g, 'q')}`;

const listVersions = async (id: string) =>
  (
    await env.DB.prepare(
      'select version, definition from character_versions where character_id = ? order by 1',
    )
      .bind(id)
      .all<{ version: number; definition: string }>()
  ).results.map(({ version, definition }) => ({ version, ...(JSON.parse(definition) as { name: string }) }));

const getOwn = (me: Visitor, id: string) => me.ask<OwnCharacter>(`/api/me/characters/${id}`);
const status = async (visitor: Visitor, id: string) => (await visitor.call(`/api/characters/${id}`)).status;
const moveToTrash = async (me: Visitor, id: string) =>
  (await me.call(`/api/characters/${id}`, { method: 'DELETE' })).status;
const restore = (me: Visitor, id: string) => me.call(`/api/characters/${id}/restore`, { method: 'POST' });
const moderate = (id: string, moderation: string) =>
  env.DB.prepare('update characters set moderation = ? where id = ?').bind(moderation, id).run();
const setTrashedSince = (id: string, ms: number) =>
  env.DB.prepare('update characters set deleted_at = ? where id = ?')
    .bind(Date.now() - ms, id)
    .run();

describe('Character edits', () => {
  test('editing a character saves every field as a new version and costs nothing', async () => {
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
    expect(await getOwn(me, id)).toEqual(changed);
    expect(await listVersions(id)).toMatchObject([
      { version: 1, name: 'Orla', alternate_greetings: [] },
      { version: 2, name: 'Orla the elder', avatar_url: `/media/${change.avatar_id}` },
    ]);
    const read = await readDefinition(db, id);
    expect(read).toMatchObject({ version: 2, definition: { first_message: 'You again.', lorebook: null } });
  });

  test('only the creator is warned that a general-rated character has sexual texts', async () => {
    const me = await createAccount();
    const { id, looks_sexual: before } = await createOwnCharacter(me);
    expect(before).toBe(false);
    const change = { first_message: 'They have sex. She moans as he comes inside her.' };
    expect(await editCharacter(me, id, change)).toMatchObject({ looks_sexual: true });
    expect(await getOwn(me, id)).toMatchObject({ looks_sexual: true });
    expect(await me.ask(`/api/characters/${id}`)).not.toHaveProperty('looks_sexual');
  });

  test('changing fields outside the definition, or saving the same values, makes no new version', async () => {
    const me = await createAccount();
    const { id, name, avatar_id } = await createOwnCharacter(me);
    for (const change of [
      { visibility: 'private' },
      { tags: ['anime'] },
      { name, avatar_id },
      { alternate_greetings: [] },
    ])
      expect(await editCharacter(me, id, change)).toMatchObject({ version: 1 });
    expect(await getOwn(me, id)).toMatchObject({ visibility: 'private', tags: ['anime'] });
    expect(await listVersions(id)).toHaveLength(1);
  });

  test('alternate greetings are kept when other fields change and removed when cleared', async () => {
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

  test('simultaneous edits of one character are all saved, each as a version', async () => {
    const me = await createAccount();
    const { id } = await createOwnCharacter(me);
    await Promise.all([
      editCharacter(me, id, { name: 'Wren' }),
      editCharacter(me, id, { oneliner: 'Another line' }),
      editCharacter(me, id, { character_traits: 'Other traits', tags: ['male'] }),
      editCharacter(me, id, { alternate_greetings: ['Hm.'] }),
    ]);
    expect(await getOwn(me, id)).toMatchObject({
      name: 'Wren',
      oneliner: 'Another line',
      character_traits: 'Other traits',
      alternate_greetings: ['Hm.'],
      tags: ['male'],
      version: 5,
    });
    expect((await listVersions(id)).map(({ version }) => version)).toEqual([1, 2, 3, 4, 5]);
  });

  test('a character keeps its newest versions up to a number and a size @all', async () => {
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
    const stored = await listVersions(id);
    expect(stored).toHaveLength(CHARACTER_VERSIONS.maxVersions);
    expect(stored.at(-1)).toMatchObject({ version: 54, name: 'Orla 52' });
    const lorebook = { entries: [{ keys: ['sea'], content: 'x'.repeat(CHARACTER_VERSIONS.maxChars / 3) }] };
    for (const name of ['A', 'B', 'C', 'D'])
      await updateCharacter(db, {
        id,
        creatorId: me.id,
        change: { name, lorebook, nickname: 'Captain', definition: { scenario: { text: 'Mind the tide.' } } },
        spicy: false,
        now: Date.now(),
      });
    expect((await listVersions(id)).map(({ name }) => name)).toEqual(['C', 'D']);
    expect((await readDefinition(db, id))?.definition).toMatchObject({ nickname: 'Captain', lorebook });
    // Fields that only a character card sets are kept when the form changes another field.
    await editCharacter(me, id, { alternate_greetings: ['Ahoy.'] });
    expect((await readDefinition(db, id))?.definition).toMatchObject({ nickname: 'Captain', lorebook });
  });

  test('editing a character with another user’s picture is refused and changes nothing', async () => {
    const [me, other] = [await createAccount(), await createAccount()];
    const { id } = await createOwnCharacter(me);
    const json = { name: 'Changed', avatar_id: await uploadTestPicture(other) };
    const answer = await me.call(`/api/characters/${id}`, { method: 'PATCH', json });
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { fields: { avatar_id: ['Please upload an avatar'] } },
    ]);
    expect(await getOwn(me, id)).toMatchObject({ name: 'Orla', version: 1 });
  });

  test('only the creator can edit, delete, restore or read a character’s own data', async () => {
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

describe('Deleted characters', () => {
  test('a deleted character is only in its creator’s trash and can be restored unchanged', async () => {
    const me = await createAccount();
    const word = createWord();
    const made = await createOwnCharacter(me, { name: word, tags: ['rpg'] });
    const { id } = made;
    await env.DB.prepare('update characters set featured = 1 where id = ?').bind(id).run();
    expect(await moveToTrash(me, id)).toBe(204);
    expect(await moveToTrash(me, id)).toBe(204);
    for (const visitor of [new Visitor(), await createAccount(), me])
      expect(await status(visitor, id)).toBe(404);
    expect(await me.ask(`/api/characters?q=${word}`)).toMatchObject({ items: [] });
    expect(await listCharactersById(db, [id])).toEqual([]);
    expect((await listFeaturedCharacters(db, 100)).map((card) => card.id)).not.toContain(id);
    expect((await new Visitor().call(`/api/creators/${me.id}`)).status).toBe(404);
    const started = await me.call('/api/conversations', { json: { character_id: id } });
    expect([started.status, await started.json()]).toMatchObject([409, { code: 'character_deleted' }]);
    const rename = { method: 'PATCH', json: { name: 'x' } };
    expect((await me.call(`/api/characters/${id}`, rename)).status).toBe(404);
    expect(await fetchOwnCharacters(me)).toMatchObject({ items: [], count: 0 });
    expect(await fetchOwnCharacters(me, '&deleted=true')).toMatchObject({
      items: [{ id, deleted_at: expect.stringMatching(/Z$/) }],
      count: 0,
    });
    const restored = await restore(me, id);
    expect([restored.status, await restored.json()]).toMatchObject([200, { id, version: 1, tags: ['rpg'] }]);
    expect((await restore(me, id)).status).toBe(200);
    expect(await status(new Visitor(), id)).toBe(200);
    expect(await fetchOwnCharacters(me)).toMatchObject({ items: [{ id }], count: 1 });
    expect((await fetchOwnCharacters(me)).items[0]).not.toHaveProperty('deleted_at');
  });

  test('a character is erased thirty days after its deletion and cannot be restored', async () => {
    const before = await listObjects();
    const me = await createAccount();
    const [name, traits, greeting, old] = [createWord(), createWord(), createWord(), createWord()];
    const { id } = await createOwnCharacter(me, {
      name,
      character_traits: old,
      alternate_greetings: [greeting],
      tags: ['anime'],
    });
    await editCharacter(me, id, { character_traits: traits });
    const stored = await createOwnCharacter(me);
    await moveToTrash(me, id);
    await moveToTrash(me, stored.id);
    await setTrashedSince(id, TRASH.retentionMs + 1);
    expect((await fetchOwnCharacters(me, '&deleted=true')).items.map((item) => item.id)).toEqual([stored.id]);
    expect((await restore(me, id)).status).toBe(404);
    expect((await me.call(`/api/me/characters/${id}`)).status).toBe(404);
    await eraseDueAccounts(env, db, Date.now());
    expect(await findTraces([id, name, traits, greeting, old], before)).toEqual([
      // The ledger keeps the paid creation, without a name.
      expect.stringMatching(new RegExp(`^${id}: D1 character_creations|^${id}: WALLETS`)),
      expect.stringMatching(new RegExp(`^${id}: D1 character_creations|^${id}: WALLETS`)),
    ]);
    expect((await restore(me, stored.id)).status).toBe(200);
  });

  test('conversations with an erased character keep its name and messages, including the creator’s own @all', async () => {
    const before = await listObjects();
    const me = await createAccount();
    const traits = createWord();
    const { id } = await createOwnCharacter(me, { character_traits: traits, first_message: 'Hello.' });
    const [reader, maker] = [await signInGuest(), me];
    const conversations = [
      await startConversationClient(reader, id),
      await startConversationClient(maker, id),
    ];
    for (const conversation of conversations) await conversation.send('And then?');
    await reader.call(`/api/characters/${id}/reports`, { json: { reason: 'spam' } });
    await moveToTrash(me, id);
    await setTrashedSince(id, TRASH.retentionMs + 1);
    await eraseDueAccounts(env, db, Date.now());
    await runErasures();
    for (const conversation of conversations) {
      expect((await conversation.page()).conversation).toMatchObject({
        character_name: 'Orla',
        character_gone: true,
        avatar_url: '/icons/nobody.svg',
      });
      expect(await conversation.texts()).toHaveLength(3);
    }
    const traces = await findTraces([traits], before);
    expect(traces).toEqual([]);
    const row = await env.DB.prepare(
      'select name, visibility, deleted_at, creator_id from characters where id = ?',
    )
      .bind(id)
      .first();
    expect(row).toMatchObject({ name: 'Orla', visibility: 'private', deleted_at: null });
    expect(row?.creator_id).not.toBe(me.id);
    expect(await listVersions(id)).toEqual([]);
  });
});

describe('Moderated characters', () => {
  test.each(['hidden', 'removed'])(
    'a character that moderation made %s is visible to its creator only',
    async (moderation) => {
      const me = await createAccount();
      const word = createWord();
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
      expect(await getOwn(me, id)).toMatchObject({ moderation });
      expect((await fetchOwnCharacters(me)).items).toMatchObject([{ id, moderation }]);
      expect(await editCharacter(me, id, { name: 'Better' })).toMatchObject({ moderation, name: 'Better' });
      await moderate(id, 'shown');
      expect(await status(new Visitor(), id)).toBe(200);
    },
  );
});

describe('Own characters', () => {
  test('a creator’s own characters are listed in pages, newest first, with every visibility', async () => {
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

  test('the trash lists characters in pages, the last deleted first', async () => {
    const me = await createAccount();
    const ids = [
      await createOwnCharacter(me),
      await createOwnCharacter(me),
      await createOwnCharacter(me),
    ].map(({ id }) => id);
    for (const [index, id] of ids.entries()) {
      await moveToTrash(me, id);
      await setTrashedSince(id, (3 - index) * 1000);
    }
    const first = await me.ask<{ items: OwnCharacter[]; next_cursor: string }>(
      '/api/me/characters?deleted=true&limit=2',
    );
    expect(first.items.map(({ id }) => id)).toEqual([ids[2], ids[1]]);
    const secondPage = await me.ask(`/api/me/characters?deleted=true&limit=2&cursor=${first.next_cursor}`);
    expect(secondPage).toMatchObject({ items: [{ id: ids[0] }], next_cursor: null });
  });
});

describe('Creator profiles', () => {
  test('a creator profile shows the name, the picture and the public characters only', async () => {
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
    // Creators see their own profile as others do.
    for (const visitor of [new Visitor(), await signInGuest(), await createAccount(), me])
      expect(await readCreatorProfile(visitor, me.id)).toEqual(general);
    const reader = await createAccount();
    await reader.ask('/api/account', { method: 'PATCH', json: { spicy_mode: true, age_confirmed: true } });
    const all = await readCreatorProfile(reader, me.id);
    expect(all).toMatchObject({ character_count: 2, chat_count: 24 });
    expect(all.characters.items.map(({ id }) => id).toSorted()).toEqual([shown, adult].toSorted());
  });

  test('guests, unknown users and accounts that published nothing have no creator profile', async () => {
    const [reader, writer] = [await createAccount(), await createAccount()];
    await addCharacter({ creatorId: writer.id, visibility: 'private' });
    for (const id of [reader.id, writer.id, (await signInGuest()).id, createId(Date.now()), 'unknown', '%00'])
      expect((await new Visitor().call(`/api/creators/${id}`)).status).toBe(404);
  });

  test('an unlisted character gives its creator a profile, which does not show it', async () => {
    const me = await createAccount();
    await addCharacter({ creatorId: me.id, visibility: 'unlisted' });
    expect(await readCreatorProfile(new Visitor(), me.id)).toMatchObject({ character_count: 0 });
  });

  test('a creator profile counts at most a thousand characters', async () => {
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

    // The query does not scan characters that are not public.
    await env.DB.prepare("update characters set visibility = 'private' where creator_id = ?")
      .bind(me.id)
      .run();
    const hidden = await countRowsRead((asked) =>
      getCreatorProfile(asked, me.id, PUBLIC_VIEWER, { limit: 24 }),
    );
    expect(hidden).toBeLessThanOrEqual(10);
    await env.DB.prepare('delete from characters where creator_id = ?').bind(me.id).run();
  });

  test('a creator profile lists the newest characters first, in pages', async () => {
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

test('a private character opens for its creator only, and for everyone once it is public', async () => {
  const me = await createAccount();
  const { id } = await createOwnCharacter(me, { visibility: 'private' });
  const other = await createAccount();
  expect([await status(me, id), await status(other, id)]).toEqual([200, 404]);
  await editCharacter(me, id, { visibility: 'public' });
  expect(await other.ask<CharacterDetail>(`/api/characters/${id}`)).toMatchObject({ visibility: 'public' });
});
