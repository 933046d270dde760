// Over 400 lines: each change of an imported character, and what its card then has.
import { MAX_PART_CHARS } from '../../../../src/features/character/definition-parts.ts';
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { eraseDueAccounts } from '../../../../src/services/erase-accounts.ts';
import { CARD, TRASH } from '../../../../src/features/character/limits.ts';
import { type Database, openDatabase } from '../../../../src/db/open.ts';
import { removeUnclaimedCards } from '../../../../src/features/cards/card-gateway.ts';
import { expireUnclaimedCards } from '../../../../src/features/cards/card-store.ts';
import { updateCharacter } from '../../../../src/features/character/character-change-store.ts';
import type { Lorebook } from '../../../../src/features/character/lorebook/lorebook-contract.ts';
import type { CharacterChange, OwnCharacter } from '../../../../src/features/character/contract.ts';
import {
  importCard,
  importJsonCard,
  CARD_PATH,
  uploadPortrait,
  publishDraft,
  getImportError,
  downloadCardText,
} from '../../../support/card-actions.ts';
import { encodeCard, buildPng, buildTextChunk, V2, V3 } from '../../../support/card-files.ts';
import { downloadArchive } from '../../../support/data-export.ts';
import { runErasures, deleteAccount } from '../../../support/account-deletion.ts';
import { type CallOptions, addCharacter, createAccount, Visitor } from '../../../support/factories.ts';

const HOUR_MS = 3_600_000;
const db = openDatabase(env.DB);

const listOriginals = async (): Promise<string[]> =>
  (await env.MEDIA.list({ prefix: 'cards/' })).objects.map(({ key }) => key);
const getObjectKey = async (importId: string): Promise<string> =>
  (await env.DB.prepare('select object_key from cards where id = ?')
    .bind(importId)
    .first<string>('object_key')) ?? '';

let me: Visitor;
beforeEach(async () => {
  me = await createAccount();
});

/** Returns lists nested to this depth. */
const nestLists = (depth: number): unknown =>
  Array.from({ length: depth }).reduce<unknown>((inner) => [inner], 0);

describe('Lorebook of a character', () => {
  const book: Lorebook = {
    name: 'The coast',
    entries: [{ keys: ['sea'], content: 'Deep.', enabled: true, insertion_order: 1, odd: { kept: [1] } }],
    odd: true,
  } as Lorebook;
  const buildPut = (json: unknown): CallOptions => ({ method: 'PUT', json });

  test('the creator writes and reads the lorebook with unknown fields, each change making a new version', async () => {
    const published = await publishDraft(
      me,
      await importCard(me, buildPng(buildTextChunk('chara', encodeCard(V2)))),
    );
    const path = `/api/characters/${published.id}/lorebook`;
    // Saving the lorebook unchanged makes no new version.
    const came = await me.ask<{ book: Lorebook }>(path);
    await me.ask(path, buildPut(came));
    expect(await me.ask<OwnCharacter>(`/api/me/characters/${published.id}`)).toMatchObject({
      version: published.version,
    });
    expect(await me.ask(path, buildPut({ book }))).toEqual({ book });
    expect(await me.ask(path)).toEqual({ book });
    const now = await me.ask<OwnCharacter>(`/api/me/characters/${published.id}`);
    expect(now.version).toBe(published.version + 1);
    expect(JSON.parse(await downloadCardText(me, published.id))).toMatchObject({
      data: { character_book: book },
    });
    expect(await me.ask(path, buildPut({ book: null }))).toEqual({ book: null });
    expect(JSON.parse(await downloadCardText(me, published.id))).not.toHaveProperty('data.character_book');
    // With the original lorebook restored, the exported card equals the imported one.
    await me.ask(path, buildPut({ book: V2.data.character_book }));
    expect(JSON.parse(await downloadCardText(me, published.id))).toEqual(V2);
  });

  test('saving the lorebook keeps a change to a part made at the same moment', async () => {
    const published = await publishDraft(me, await importJsonCard(me, V2), {
      avatar_id: await uploadPortrait(me),
    });
    const saveChange = (database: Database, characterChange: CharacterChange) =>
      updateCharacter(database, {
        id: published.id,
        creatorId: me.id,
        change: characterChange,
        spicy: false,
        now: Date.now(),
      });
    // The other change is written after this one has read and before it writes.
    const interrupted = new Proxy(db, {
      get(target, name) {
        if (name !== 'batch') return Reflect.get(target, name) as unknown;
        return async (writes: Parameters<Database['batch']>[0]) => {
          await saveChange(db, { definition: { creator_notes: { text: 'Written meanwhile.' } } });
          return target.batch(writes);
        };
      },
    });
    expect(await saveChange(interrupted, { lorebook: book })).toEqual({ ok: true });
    const now = await me.ask<OwnCharacter>(`/api/me/characters/${published.id}`);
    expect(now.extras).toMatchObject({ lorebook: book });
    expect(now.definition?.creator_notes).toEqual({ text: 'Written meanwhile.', shared: false });
  });

  test('other users cannot read or write the lorebook', async () => {
    const id = await addCharacter({ creatorId: me.id });
    const path = `/api/characters/${id}/lorebook`;
    for (const [viewer, status] of [
      [await createAccount(), 404],
      [new Visitor(), 401],
    ] as const) {
      expect((await viewer.call(path)).status).toBe(status);
      expect((await viewer.call(path, buildPut({ book }))).status).toBe(status);
    }
    expect(await me.ask(path)).toEqual({ book: null });
  });

  test('a lorebook with invalid fields from another program can be saved unchanged and extended', async () => {
    const odd = {
      entries: [
        {
          keys: 'sea',
          content: 7,
          position: 0,
          insertion_order: '12',
          case_sensitive: 'no',
          probability: null,
        },
        { content: 'x'.repeat(CARD.lorebook.maxContentChars + 1) },
        { keys: Array.from({ length: CARD.lorebook.maxKeys + 1 }, () => 'sea'), content: 'Deep.' },
        'no entry',
      ],
      scan_depth: '-1',
    };
    const card = { ...V2, data: { ...V2.data, character_book: odd } };
    const importedCard = await importJsonCard(me, card);
    const extras = { nickname: null, lorebook: odd, recommended_style: null };
    expect(importedCard.extras).toEqual(extras);
    const { definition } = importedCard.draft;
    expect(definition.creator_notes.text).toBe(V2.data.creator_notes);
    expect(await me.ask(`${CARD_PATH}/${importedCard.import_id}`)).toEqual({ extras, definition });
    const changed = { ...odd, entries: [...odd.entries, { keys: ['storm'], content: 'Near.' }] };
    const published = await publishDraft(me, importedCard, {
      avatar_id: await uploadPortrait(me),
      lorebook: changed,
    });
    const path = `/api/characters/${published.id}/lorebook`;
    expect(await me.ask(path)).toEqual({ book: changed });
    expect(await me.ask(path, buildPut({ book: odd }))).toEqual({ book: odd });
    expect(await downloadCardText(me, published.id)).toBe(JSON.stringify(card));
    const longer = { ...odd, entries: [{ content: 'y'.repeat(CARD.lorebook.maxContentChars + 1) }] };
    expect(
      await getImportError(
        me,
        { method: 'PATCH', json: { lorebook: longer } },
        `/api/characters/${published.id}`,
      ),
    ).toMatchObject({
      status: 400,
      fields: { lorebook: [expect.any(String)] },
    });
  });

  test('one save changes the lorebook, nickname and a part, and the card keeps its other fields', async () => {
    const published = await publishDraft(
      me,
      await importCard(me, buildPng(buildTextChunk('ccv3', encodeCard(V3)))),
    );
    const [first, ...others] = V3.data.character_book.entries;
    const lorebook = {
      ...V3.data.character_book,
      entries: [{ ...first, content: 'Calm today.' }, ...others],
    };
    const definition = { creator_notes: { text: 'Quiet, by the sea.', shared: true } };
    const change = { nickname: 'Mimi', definition, lorebook };
    const now = await me.ask<OwnCharacter>(`/api/characters/${published.id}`, {
      method: 'PATCH',
      json: change,
    });
    expect(now).toMatchObject({
      version: published.version + 1,
      extras: { nickname: 'Mimi', lorebook },
      definition,
    });
    expect(JSON.parse(await downloadCardText(me, published.id))).toMatchObject({
      data: {
        ...V3.data,
        nickname: 'Mimi',
        creator_notes: 'Quiet, by the sea.',
        character_book: lorebook,
        extensions: V3.data.extensions,
        modification_date: expect.any(Number),
      },
    });
    for (const [bad, field] of [
      [{ nickname: 'n'.repeat(CARD.maxNicknameChars + 1) }, 'nickname'],
      [{ definition: { scenario: { text: 'x'.repeat(MAX_PART_CHARS + 1) } } }, 'definition'],
      [{ definition: { notes: { text: 'x' } } }, 'definition'],
    ] as const) {
      const refused = await getImportError(
        me,
        { method: 'PATCH', json: bad },
        `/api/characters/${published.id}`,
      );
      expect(refused).toMatchObject({ status: 400, fields: { [field]: expect.anything() } });
    }
    await me.ask(`/api/characters/${published.id}`, {
      method: 'PATCH',
      json: {
        nickname: 'Mi',
        definition: { creator_notes: { text: V3.data.creator_notes } },
        lorebook: V3.data.character_book,
      },
    });
    expect(JSON.parse(await downloadCardText(me, published.id))).toEqual(V3);
  });

  test('a lorebook with a wrong shape or too much text is refused', async () => {
    const id = await addCharacter({ creatorId: me.id });
    const path = `/api/characters/${id}/lorebook`;
    const entry = { keys: ['a'], content: 'b', enabled: true, insertion_order: 0 };
    for (const bad of [
      undefined,
      [],
      { entries: {} },
      { entries: [{ ...entry, content: 'x'.repeat(CARD.lorebook.maxContentChars + 1) }] },
      { entries: [{ ...entry, keys: Array.from({ length: 101 }, () => 'a') }] },
      { entries: Array.from({ length: CARD.lorebook.maxEntries + 1 }, () => entry) },
      { entries: [{ ...entry, extensions: { deep: nestLists(CARD.maxDepth) } }] },
    ]) {
      expect(await getImportError(me, buildPut({ book: bad }), path)).toMatchObject({
        status: 400,
        code: 'invalid_input',
      });
    }
    const large = { entries: Array.from({ length: 40 }, () => ({ ...entry, content: 'x'.repeat(15_000) })) };
    expect(await getImportError(me, buildPut({ book: large }), path)).toMatchObject({
      status: 413,
      code: 'lorebook_too_large',
      fields: { lorebook: [expect.stringContaining('512 kB')] },
    });
    // Deeper than a recursive validator could handle.
    const depth = 100_000;
    const body = `{"book":{"entries":[],"deep":${'['.repeat(depth)}${']'.repeat(depth)}}}`;
    const deep = { method: 'PUT', body, headers: { 'content-type': 'application/json' } };
    expect(await getImportError(me, deep, path)).toMatchObject({ status: 400, code: 'invalid_input' });
    expect(await me.ask(path)).toEqual({ book: null });
  });
});

describe('Card cleanup', () => {
  const ageCards = (ms: number) =>
    env.DB.prepare('update cards set created_at = created_at - ? where owner_id = ?').bind(ms, me.id).run();

  test('the cleanup deletes cards without a character after a day and keeps the others', async () => {
    const used = await importJsonCard(me, V2);
    await publishDraft(me, used, { avatar_id: await uploadPortrait(me) });
    const unused = await importJsonCard(me, V3);
    const [usedKey, unusedKey] = [await getObjectKey(used.import_id), await getObjectKey(unused.import_id)];
    await ageCards(23 * HOUR_MS);
    await removeUnclaimedCards(env, db, Date.now());
    expect(await listOriginals()).toEqual(expect.arrayContaining([usedKey, unusedKey]));
    await ageCards(2 * HOUR_MS);
    const broken = {
      MEDIA: { delete: () => Promise.reject(new Error('unreachable')) } as unknown as R2Bucket,
    };
    await expect(removeUnclaimedCards(broken, db, Date.now())).rejects.toThrow('unreachable');
    // A card that is being deleted cannot be used for a character any more.
    const { avatar_url: _, ...fields } = unused.draft;
    const late = { json: { ...fields, avatar_id: await uploadPortrait(me), import_id: unused.import_id } };
    expect(await getImportError(me, late, '/api/characters')).toMatchObject({ status: 400 });
    await removeUnclaimedCards(env, db, Date.now());
    expect(await listOriginals()).toContain(usedKey);
    expect(await listOriginals()).not.toContain(unusedKey);
    expect(await getObjectKey(unused.import_id)).toBe('');
  });

  test('a card is deleted with its character from the trash, and all cards with the account', async () => {
    const first = await importJsonCard(me, V2);
    const { id } = await publishDraft(me, first, { avatar_id: await uploadPortrait(me) });
    const second = await importJsonCard(me, V3);
    await publishDraft(me, second, { avatar_id: await uploadPortrait(me) });
    const third = await importJsonCard(me, V3);
    const keys = await Promise.all([first, second, third].map(({ import_id }) => getObjectKey(import_id)));
    await env.DB.prepare('update characters set deleted_at = ? where id = ?')
      .bind(Date.now() - TRASH.retentionMs - 1, id)
      .run();
    await ageCards(31 * 24 * HOUR_MS);
    await env.DB.prepare('update cards set created_at = ? where id = ?')
      .bind(Date.now(), third.import_id)
      .run();
    await eraseDueAccounts(env, db, Date.now());
    await removeUnclaimedCards(env, db, Date.now());
    expect(keys.map((key) => key !== '')).toEqual([true, true, true]);
    const left = await listOriginals();
    expect(keys.map((key) => left.includes(key))).toEqual([false, true, true]);
    await deleteAccount(me);
    await runErasures();
    const after = await listOriginals();
    expect(keys.map((key) => after.includes(key))).toEqual([false, false, false]);
  });

  test('the oldest unclaimed card makes room for a new one', async () => {
    const now = Date.now();
    for (let index = 0; index < CARD.maxUnclaimed; index += 1)
      await env.DB.prepare(
        'insert into cards (id, owner_id, object_key, bytes, draft, created_at) values (?, ?, ?, 1, ?, ?)',
      )
        .bind(`${me.id}-${index}`, me.id, `cards/${me.id}-${index}`, '{}', now - index)
        .run();
    await importJsonCard(me, V2);
    const listIds = async () => {
      const { results } = await env.DB.prepare('select id from cards where owner_id = ?').bind(me.id).all();
      return results.map(({ id }) => id);
    };
    await expect.poll(async () => (await listIds()).length).toBe(CARD.maxUnclaimed);
    expect(await listIds()).not.toContain(`${me.id}-${CARD.maxUnclaimed - 1}`);
  });

  test('cleaning cards reads only recent rows, through an index', async () => {
    const plans: string[] = [];
    const observedD1 = new Proxy(env.DB, {
      get(target, name) {
        if (name !== 'prepare') return (Reflect.get(target, name) as () => unknown).bind(target);
        return (query: string) => {
          plans.push(query);
          return target.prepare(query);
        };
      },
    });
    await expireUnclaimedCards(openDatabase(observedD1), Date.now());
    const [query = ''] = plans;
    const { results } = await env.DB.prepare(`explain query plan ${query}`)
      .bind(...Array.from(query.matchAll(/\?/g), () => 1))
      .all<{ detail: string }>();
    expect(results.map(({ detail }) => detail).join()).toContain('cards_unclaimed (created_at<?)');
  });

  test('no public address serves the original of a card', async () => {
    const { import_id } = await importJsonCard(me, V2);
    const key = await getObjectKey(import_id);
    expect(await listOriginals()).toContain(key);
    for (const path of [`/media/${key}`, `/media/${encodeURIComponent(key)}`, `/media/${key.slice(6)}`]) {
      expect((await new Visitor().call(path)).status).toBe(404);
    }
  });
});

describe('Account export', () => {
  test('the account export contains the original cards, also those without a character', async () => {
    const text = `${JSON.stringify(V2, null, 3)}\n`;
    await publishDraft(me, await importCard(me, text), { avatar_id: await uploadPortrait(me) });
    const unused = await importJsonCard(me, V3);
    const archive = await downloadArchive(me);
    expect(archive.text('characters/Mira.original.json')).toBe(text);
    expect(archive.json(`cards/${unused.import_id}.json`)).toEqual(V3);
    expect(archive.json('characters/Mira.v3.json')).toMatchObject({
      data: {
        alternate_greetings: V2.data.alternate_greetings,
        character_book: V2.data.character_book,
      },
    });
  });
});
