// Over 400 lines: what becomes of a card from its upload to its export, with one set of cards.
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { CARD } from '../../../../src/features/character/limits.ts';
import {
  importCard,
  importJsonCard,
  CARD_PATH,
  buildCardForm,
  downloadCard,
  uploadPortrait,
  publishDraft,
  getImportError,
  downloadCardText,
} from '../../../support/card-actions.ts';
import {
  encodeText,
  packCharx,
  decodeCard,
  encodeCard,
  concatBytes,
  buildPng,
  buildTextChunk,
  buildCompressedTextChunk,
  readPngTexts,
  V2,
  V3,
  buildZip,
} from '../../../support/card-files.ts';
import { ConfiguredVisitor } from '../../../support/configured-visitor.ts';
import { addCharacter, signInGuest, createAccount, Visitor } from '../../../support/factories.ts';
import { PICTURES, METADATA_TEXT } from '../../../support/pictures.ts';

let me: Visitor;
beforeEach(async () => {
  me = await createAccount();
});

describe('Card import', () => {
  test('importing a card fills the form and stores its picture without the embedded card', async () => {
    const file = buildPng(buildTextChunk('chara', encodeCard(V2)), buildTextChunk('ccv3', encodeCard(V3)));
    const { draft, notes, import_id } = await importCard(me, file);
    expect(draft).toMatchObject({ name: 'Mira', tags: ['female', 'fantasy'], visibility: 'private' });
    expect(draft.avatar_url).toBe(`/media/${draft.avatar_id}`);
    expect(import_id).toMatch(/^.{8,64}$/);
    expect(notes.every(({ sentence }) => sentence.length > 10)).toBe(true);
    const picture = await new Visitor().call(draft.avatar_url ?? '');
    const pictureText = new TextDecoder('latin1').decode(await picture.arrayBuffer());
    for (const marker of ['chara', 'ccv3', METADATA_TEXT]) expect(pictureText).not.toContain(marker);
  });

  test.each([
    ['version 1', { name: 'Mira', description: 'Waits.', first_mes: 'Hm.', odd: { kept: 1 } }, false],
    ['version 2', V2, false],
    ['version 3', V3, true],
  ])('an unchanged character exports its card byte for byte: %s', async (_, card, isV3) => {
    const text = `${JSON.stringify(card, null, 3)}\n`;
    const imported = await importCard(me, text);
    const { id } = await publishDraft(me, imported, {
      avatar_id: await uploadPortrait(me),
      visibility: 'public',
    });
    expect(await downloadCardText(me, id)).toBe(text);
    const texts = readPngTexts((await downloadCard(me, id, 'format=png')).bytes);
    expect(decodeCard(texts[isV3 ? 'ccv3' : 'chara'] ?? '')).toSatisfy(
      (decoded: string) => decoded === text || !('spec' in card),
    );
    // Imported again from any file type, it gives the same draft.
    for (const query of ['format=png', 'format=charx', 'format=json&spec=v2', 'format=json&spec=v3']) {
      const again = await importCard(me, (await downloadCard(me, id, query)).bytes);
      const { avatar_id: _id, avatar_url: _url, ...draft } = again.draft;
      expect(draft).toEqual({ ...imported.draft, avatar_id: undefined, avatar_url: undefined });
    }
  });

  test('what other programs wrote into a picture is exported to the creator alone', async () => {
    const recipe = buildCompressedTextChunk('ginger', '<Ginger/>');
    const imported = await importCard(me, buildPng(buildTextChunk('chara', encodeCard(V2)), recipe));
    const { id } = await publishDraft(me, imported, { visibility: 'public' });
    const hasRecipe = async (visitor: Visitor) =>
      Buffer.from((await downloadCard(visitor, id, 'format=png')).bytes).includes(recipe);
    expect(await hasRecipe(me)).toBe(true);
    expect(await hasRecipe(await createAccount())).toBe(false);
    expect(await downloadCardText(me, id)).toBe(JSON.stringify(V2));
  });

  test('a character of another program is exported as a card with its texts and pictures', async () => {
    const character = { name: 'Mira', persona: 'Waits.', images: [{ path: 'main.png' }], odd: 1 };
    const file = buildZip([
      { name: 'manifest.json', body: '{"characters":["a/character.json"],"scenarios":["b.json"]}' },
      { name: 'a/character.json', body: JSON.stringify(character) },
      { name: 'a/main.png', body: PICTURES.png },
      { name: 'b.json', body: '{"narrative":"A storm.","firstMessages":[{"text":"Hm."}]}' },
    ]);
    const imported = await importCard(me, file);
    const { id } = await publishDraft(me, imported);
    const json = await downloadCardText(me, id);
    expect(JSON.parse(json)).toMatchObject({
      spec: 'chara_card_v3',
      data: { description: 'Waits.', scenario: 'A storm.', extensions: { backyard: { odd: 1 } } },
    });
    const again = await importCard(me, (await downloadCard(me, id, 'format=charx')).bytes);
    expect(again.draft).toEqual(imported.draft);
  });

  test('a character from a card has the nickname, definition, lorebook and greetings in its first version', async () => {
    const { id, version, alternate_greetings } = await publishDraft(
      me,
      await importCard(me, buildPng(buildTextChunk('ccv3', encodeCard(V3)))),
    );
    expect([version, alternate_greetings]).toEqual([1, V3.data.alternate_greetings]);
    const extras = await env.DB.prepare('select * from character_extras where character_id = ?')
      .bind(id)
      .first();
    expect(extras).toMatchObject({
      nickname: 'Mi',
    });
    expect(JSON.parse(String(extras?.['definition']))).toMatchObject({
      description: { text: V3.data.description, shared: false },
      creator_notes: { text: V3.data.creator_notes, shared: false },
    });
    const definition = await env.DB.prepare(
      'select definition from character_versions where character_id = ?',
    )
      .bind(id)
      .first<string>('definition');
    expect(JSON.parse(definition ?? '')).toMatchObject({
      nickname: 'Mi',
      parts: { description: V3.data.description, scenario: V3.data.scenario },
      lorebook: V3.data.character_book,
      alternate_greetings: V3.data.alternate_greetings,
    });
    expect(await me.ask(`/api/characters/${id}/lorebook`)).toEqual({ book: V3.data.character_book });
  });

  test('a card import belongs to its user and can be used for one character only', async () => {
    const { draft, extras, import_id } = await importCard(
      me,
      buildPng(buildTextChunk('chara', encodeCard(V2))),
    );
    const other = await createAccount();
    expect((await other.call(`${CARD_PATH}/${import_id}`)).status).toBe(404);
    expect((await new Visitor().call(`${CARD_PATH}/${import_id}`)).status).toBe(401);
    const { avatar_url: _, ...fields } = draft;
    const foreignImport = { json: { ...fields, avatar_id: await uploadPortrait(other), import_id } };
    expect(await getImportError(other, foreignImport, '/api/characters')).toMatchObject({ status: 400 });
    await publishDraft(me, { draft, extras, import_id, notes: [] });
    expect(await getImportError(me, { json: { ...fields, import_id } }, '/api/characters')).toMatchObject({
      status: 400,
    });
  });

  test('a card without a usable picture is imported with a note that explains why', async () => {
    const large = buildPng(buildTextChunk('chara', encodeCard(V2)), buildTextChunk('Comment', 'x'));
    new DataView(large.buffer).setUint32(16, 5000);
    const uri = (bytes: Uint8Array) => `data:image/png;base64,${btoa(String.fromCharCode(...bytes))}`;
    const icon = (bytes: Uint8Array) =>
      JSON.stringify({
        ...V3,
        data: { ...V3.data, assets: [{ type: 'icon', name: 'main', ext: 'png', uri: uri(bytes) }] },
      });
    const wide = PICTURES.png.slice();
    new DataView(wide.buffer).setUint32(16, 5000);
    for (const [file, code] of [
      [JSON.stringify(V2), 'picture_missing'],
      [icon(wide), 'picture_too_large'],
      [icon(encodeText('<svg xmlns="http://www.w3.org/2000/svg"/>')), 'picture_unreadable'],
    ] as const) {
      const { draft, notes } = await importCard(me, file);
      expect([draft.avatar_id, draft.avatar_url, notes[0]?.code]).toEqual([null, null, code]);
    }
  });

  test('large embedded files are dropped at import, the portrait stays, and the export has the stored card', async () => {
    const icon = { type: 'icon', name: 'main', ext: 'png' };
    const song = { type: 'x-sound', name: 'song', ext: 'ogg' };
    const withFiles = (portraitUri: string, songUri: string) => ({
      ...V3,
      data: {
        ...V3.data,
        assets: [
          { ...icon, uri: portraitUri },
          { ...song, uri: songUri },
        ],
      },
    });
    const inText = `data:image/png;base64,${btoa(String.fromCharCode(...PICTURES.png))}`;
    const large = `data:audio/ogg;base64,${'QUJD'.repeat(1_100_000)}`;
    const stored = JSON.stringify(withFiles('ccdefault:', 'ccdefault:'));
    for (const file of [
      JSON.stringify(withFiles(inText, large)),
      buildPng(buildTextChunk('ccv3', encodeCard(withFiles(inText, large)))),
    ]) {
      const imported = await importCard(me, file);
      expect(imported.draft.avatar_url).toBe(`/media/${imported.draft.avatar_id}`);
      expect(imported.notes.find(({ code }) => code === 'assets_left')).toMatchObject({ from: 1 });
      const { id } = await publishDraft(me, imported);
      expect(await downloadCardText(me, id)).toBe(stored);
      // Every file type with room for a portrait contains it.
      for (const query of ['format=png', 'format=charx']) {
        const again = await importCard(me, (await downloadCard(me, id, query)).bytes);
        expect(again.draft.avatar_id).toBe(imported.draft.avatar_id);
      }
    }
  });

  test('a card with a broken newer version is read from its older one, with a note', async () => {
    const { draft, notes } = await importCard(
      me,
      buildPng(buildTextChunk('ccv3', '****'), buildTextChunk('chara', encodeCard(V2))),
    );
    expect(draft).toMatchObject({ name: 'Mira', avatar_id: expect.any(String) });
    expect(notes.at(-1)).toMatchObject({ code: 'older_taken', sentence: expect.stringContaining('older') });
  });

  test('an adult card gets a note that spicy mode is needed', async () => {
    const { draft, notes } = await importJsonCard(me, { ...V2, data: { ...V2.data, tags: ['nsfw'] } });
    expect(draft.nsfw_allowed).toBe(true);
    expect(notes.map(({ code }) => code)).toContain('spicy_mode_needed');
  });

  test('an adult card loses its adult mark, with a note, where the operator turned spicy mode off', async () => {
    const visitorWithoutSpicy = new ConfiguredVisitor({ SPICY_MODE: 'off' }, me);
    const { draft, notes } = await importJsonCard(visitorWithoutSpicy, {
      ...V2,
      data: { ...V2.data, tags: ['nsfw'] },
    });
    expect(draft.nsfw_allowed).toBe(false);
    const codes = notes.map(({ code }) => code);
    expect(codes).toContain('explicit_left');
    expect(codes).not.toContain('spicy_mode_needed');
  });
});

describe('Rejected card files', () => {
  test.each([
    ['a picture', 422, 'card_not_found', PICTURES.png],
    [
      'a broken picture',
      422,
      'card_damaged',
      buildPng(buildTextChunk('chara', encodeCard(V2))).subarray(0, -20),
    ],
    ['a text', 422, 'card_not_json', encodeText('Hello')],
    ['other JSON', 422, 'card_not_understood', encodeText('{}')],
    ['very many keys', 422, 'card_too_complex', encodeText(`{${'"":0,'.repeat(300_000)}"":0}`)],
    [
      'a climbing archive',
      422,
      'card_archive_unsafe',
      buildZip([{ name: '../card.json', body: JSON.stringify(V3) }]),
    ],
    ['a large text', 413, 'card_too_large', concatBytes('{', new Uint8Array(CARD.maxJsonBytes).fill(32))],
  ])('a file that is not a usable card is refused and not stored: %s', async (_, status, code, file) => {
    expect(await getImportError(me, buildCardForm(file))).toMatchObject({
      status,
      code,
      error: expect.stringContaining('.'),
    });
    const rows = await env.DB.prepare(
      'select count(*) as n from cards where owner_id = ? and created_at >= 0',
    )
      .bind(me.id)
      .first('n');
    expect(rows).toBe(0);
  });

  test('a card upload of 100 MB of text chunks is refused while it streams in @all', async () => {
    const block = concatBytes('tEXt', new Uint8Array(1024 * 1024 - 4));
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent === 0) {
          const head = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n';
          controller.enqueue(concatBytes(head, PICTURES.png.subarray(0, 33)));
        }
        sent += 1;
        if (sent <= 100) controller.enqueue(block.slice());
        else {
          controller.enqueue(encodeText('\r\n--x--\r\n'));
          controller.close();
        }
      },
    });
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const answer = await me.call(CARD_PATH, { method: 'POST', body, headers });
    expect([answer.status, await answer.json()]).toMatchObject([413, { code: 'card_too_large' }]);
  });

  test('a card import needs an account, a same-origin form and a file', async () => {
    const file = JSON.stringify(V2);
    expect(await getImportError(new Visitor(), buildCardForm(file))).toMatchObject({ status: 401 });
    expect(await getImportError(await signInGuest(), buildCardForm(file))).toMatchObject({
      status: 403,
      code: 'account_required',
    });
    expect(await getImportError(me, buildCardForm(null))).toMatchObject({
      status: 400,
      fields: { file: ['Choose a card'] },
    });
    expect(await getImportError(me, { method: 'POST' })).toMatchObject({
      status: 400,
      code: 'invalid_input',
    });
    expect(await getImportError(me, { json: V2 })).toMatchObject({ status: 415 });
    const foreign = { ...buildCardForm(file), headers: { origin: 'https://evil.example' } };
    expect(await getImportError(me, foreign)).toMatchObject({ status: 403, code: 'cross_origin' });
  });
});

describe('Card export', () => {
  test('a character can be exported in every format under a file name that every system accepts', async () => {
    const maker = await createAccount();
    await maker.ask('/api/account', { method: 'PATCH', json: { nickname: 'Ana "the" <Bold>' } });
    const id = await addCharacter({
      creatorId: maker.id,
      name: '../../Mira\u202e"海"\r\nx: y',
      tags: ['rpg'],
    });
    const card = JSON.parse(await downloadCardText(new Visitor(), id)) as typeof V3;
    expect(card).toMatchObject({
      spec: 'chara_card_v3',
      data: { creator: 'Ana "the" <Bold>', tags: ['rpg'] },
    });
    expect(JSON.parse(await downloadCardText(new Visitor(), id, 'format=json&spec=v2'))).toMatchObject({
      spec: 'chara_card_v2',
    });
    for (const [format, type] of [
      ['png', 'image/png'],
      ['charx', 'application/zip'],
      ['json', 'application/json; charset=utf-8'],
    ]) {
      const { status, headers } = await downloadCard(new Visitor(), id, `format=${format}`);
      expect([status, headers.get('content-type')]).toEqual([200, type]);
      expect(headers.get('cache-control')).toBe('private, no-store');
      const name = headers.get('content-disposition') ?? '';
      expect(name).toMatch(/^attachment; filename="[^"\\\r\n/]+"; filename\*=UTF-8''[^/\s]+$/);
      expect(name).toContain(`.${format}"`);
    }
    expect((await downloadCard(new Visitor(), id, 'format=exe')).status).toBe(400);
  });

  test('a card exported by another user contains only the public fields', async () => {
    const imported = await importCard(me, buildPng(buildTextChunk('ccv3', encodeCard(V3))));
    const { id } = await publishDraft(me, imported, { visibility: 'public' });
    expect(JSON.parse(await downloadCardText(me, id))).toEqual(V3);
    for (const viewer of [new Visitor(), await createAccount()]) {
      for (const format of ['json', 'png', 'charx']) {
        const file = await downloadCard(viewer, id, `format=${format}`);
        const reimported = await importCard(await createAccount(), file.bytes);
        expect(reimported.draft).toMatchObject({
          name: 'Mira',
          visibility: 'private',
          tags: ['female', 'fantasy'],
          free_tags: ['lighthouse'],
        });
      }
      const exported = await downloadCardText(viewer, id);
      for (const hidden of [
        'unheard_of',
        'depth_prompt',
        V3.data.description,
        V3.data.scenario,
        V3.data.creator_notes.split('\n')[0] as string,
        'Somebody elsewhere',
        'example.test',
        '"visibility"',
      ]) {
        expect(exported).not.toContain(hidden);
      }
      expect(JSON.parse(exported)).toMatchObject({
        data: {
          nickname: 'Mi',
          character_book: V3.data.character_book,
          alternate_greetings: V3.data.alternate_greetings,
        },
      });
    }
  });

  test('a card can be exported by exactly the users who can open its character', async () => {
    const stranger = await createAccount();
    const grown = await createAccount();
    await grown.ask('/api/account', { method: 'PATCH', json: { spicy_mode: true, age_confirmed: true } });
    const listStatuses = (id: string) =>
      Promise.all(
        [me, stranger, grown, new Visitor()].map(
          async (viewer) => (await downloadCard(viewer, id, 'format=json')).status,
        ),
      );
    const addOwnCharacter = (fields: Parameters<typeof addCharacter>[0]) =>
      addCharacter({ creatorId: me.id, ...fields });
    expect(await listStatuses(await addOwnCharacter({ visibility: 'private' }))).toEqual([
      200, 404, 404, 404,
    ]);
    expect(await listStatuses(await addOwnCharacter({ visibility: 'unlisted' }))).toEqual([
      200, 200, 200, 200,
    ]);
    expect(await listStatuses(await addOwnCharacter({ nsfwAllowed: true }))).toEqual([200, 404, 200, 404]);
    expect(await listStatuses(await addOwnCharacter({ moderation: 'hidden' }))).toEqual([200, 404, 404, 404]);
    expect(await listStatuses(await addOwnCharacter({ moderation: 'removed' }))).toEqual([
      200, 404, 404, 404,
    ]);
    expect(await listStatuses(await addOwnCharacter({ nsfwAllowed: true, visibility: 'private' }))).toEqual([
      200, 404, 404, 404,
    ]);
    expect(await listStatuses(await addOwnCharacter({ deletedAt: Date.now() }))).toEqual([
      404, 404, 404, 404,
    ]);
    expect(await listStatuses('unknown')).toEqual([404, 404, 404, 404]);
  });

  test('a character whose card has an overlong asset name can still be exported as an archive', async () => {
    const uri = `embeded://${'a'.repeat(70_000)}.png`;
    const assets = [{ type: 'icon', name: 'main', ext: 'png', uri }];
    const card = { ...V3, data: { ...V3.data, assets } };
    const { id } = await publishDraft(
      me,
      await importCard(me, buildPng(buildTextChunk('ccv3', encodeCard(card)))),
    );
    const { status, bytes } = await downloadCard(me, id, 'format=charx');
    expect(status).toBe(200);
    expect((await importCard(me, bytes)).draft.avatar_id).not.toBeNull();
  });

  test('an exported card contains later changes and keeps its other fields', async () => {
    const { id } = await publishDraft(me, await importCard(me, packCharx(V3)), {
      avatar_id: await uploadPortrait(me),
    });
    await me.ask(`/api/characters/${id}`, { method: 'PATCH', json: { name: 'Mirabel' } });
    const card = JSON.parse(await downloadCardText(me, id)) as typeof V3;
    expect(card.data).toMatchObject({
      name: 'Mirabel',
      unheard_of: { kept: true },
      character_book: V3.data.character_book,
      source: V3.data.source,
    });
  });
});
