// Over 400 lines: every kind of card and every way in which one can be broken, over one set of made files.
import { describe, expect, test } from 'vitest';
import { BODY_LIMITS } from '../../../../src/config/body-limits.ts';
import { CARD } from '../../../../src/features/character/limits.ts';
import { buildCardDraft } from '../../../../src/features/cards/card-draft.ts';
import { readCardFile } from '../../../../src/features/cards/card-file.ts';
import { MAX_PART_CHARS } from '../../../../src/features/character/definition-parts.ts';
import { getCardDefinition, getCardExtras } from '../../../../src/features/cards/card-fields.ts';
import { ChunkedBytes, WorkCounter } from '../../../../src/features/cards/chunked-bytes.ts';
import { sanitizePicture } from '../../../../src/features/picture/picture.ts';
import {
  buildApng,
  encodeText,
  packCharx,
  encodePngChunk,
  readPngChunks,
  encodeCard,
  concatBytes,
  buildInternationalTextChunk,
  buildPng,
  repeatBytes,
  buildTextChunk,
  V1,
  V2,
  V3,
  buildZip,
  buildCompressedTextChunk,
} from '../../../support/card-files.ts';
import { PICTURES } from '../../../support/pictures.ts';

/** Splits a body into pieces that end anywhere. */
function inPieces(bytes: Uint8Array, size = 1000): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
  return pieces;
}

const read = (bytes: Uint8Array, work?: WorkCounter, size = bytes.length > 1e6 ? 256 * 1024 : 7) =>
  readCardFile(new ChunkedBytes(inPieces(bytes, size), work));
const readName = (bytes: Uint8Array): unknown => {
  const card = read(bytes);
  return card.ok ? card.card.data['name'] : card.code;
};
const readErrorCode = (bytes: Uint8Array, work?: WorkCounter): string | null => {
  const card = read(bytes, work);
  return card.ok ? null : card.code;
};
const json = (value: unknown): Uint8Array => encodeText(JSON.stringify(value));
/** Its base64 has both letters that differ in base64url. */
const ODD_LETTERS = { ...V2, data: { ...V2.data, description: '>>>???~~~' } };

/** Encodes a value as JSON in UTF-16, with its byte order mark. */
function encodeUtf16(value: unknown, order: 'little' | 'big'): Uint8Array {
  const bytes = new Uint8Array(Buffer.from(`\ufeff${JSON.stringify(value)}`, 'utf16le'));
  return order === 'little' ? bytes : new Uint8Array(Buffer.from(bytes).swap16());
}

const named = (name: string) => ({ ...V2, data: { ...V2.data, name } });

describe('Card import', () => {
  test.each([
    ['version 1 as JSON', json(V1), 1],
    ['version 2 as JSON', json(V2), 2],
    ['version 3 as JSON', json(V3), 3],
    ['a version that is still to come', json({ ...V3, spec: 'chara_card_v4', spec_version: '4.0' }), 3],
    ['one without the name of its version', json({ data: V2.data }), 2],
    ['JSON with a mark of byte order', concatBytes(Uint8Array.of(0xef, 0xbb, 0xbf), json(V2)), 2],
    ['a picture', buildPng(buildTextChunk('chara', encodeCard(V2))), 2],
    ['a picture of version 1', buildPng(buildTextChunk('chara', encodeCard(V1))), 1],
    ['a picture with packed text', buildPng(buildCompressedTextChunk('ccv3', encodeCard(V3))), 3],
    ['a picture with international text', buildPng(buildInternationalTextChunk('ccv3', encodeCard(V3))), 3],
    [
      'a picture with packed international text',
      buildPng(buildInternationalTextChunk('ccv3', encodeCard(V3), true)),
      3,
    ],
    [
      'a picture with plain JSON in it',
      buildPng(buildInternationalTextChunk('chara', JSON.stringify(V2))),
      2,
    ],
    ['base64 in lines', buildPng(buildTextChunk('chara', encodeCard(V2).replaceAll(/.{76}/g, '$&\n'))), 2],
    [
      'base64url',
      buildPng(buildTextChunk('chara', encodeCard(ODD_LETTERS).replaceAll('+', '-').replaceAll('/', '_'))),
      2,
    ],
    ['UTF-16, little endian', encodeUtf16(V3, 'little'), 3],
    ['UTF-16, big endian', encodeUtf16(V3, 'big'), 3],
    ['a picture that moves', buildApng(buildTextChunk('ccv3', encodeCard(V3))), 3],
    ['a CharX', packCharx(V3), 3],
    [
      'a CharX that is not packed',
      buildZip([{ name: 'card.json', body: JSON.stringify(V3), packed: false }]),
      3,
    ],
    [
      'a CharX with each size and offset as a Zip64 field',
      buildZip([
        { name: 'card.json', body: JSON.stringify(V3), zip64: ['size', 'packed', 'offset'] },
        { name: 'other', body: 'text', zip64: ['size', 'packed', 'offset'] },
      ]),
      3,
    ],
    [
      'a CharX with Zip64 records at its end',
      buildZip([{ name: 'card.json', body: JSON.stringify(V3), zip64: ['size'] }], undefined, true),
      3,
    ],
    [
      'a CharX whose files are in a folder',
      buildZip([
        { name: 'Mira/', body: '' },
        { name: 'Mira/card.json', body: JSON.stringify(V3) },
        { name: '__MACOSX/Mira/._card.json', body: 'x' },
      ]),
      3,
    ],
    ['a CharX behind a JPEG', buildZip([{ name: 'card.json', body: JSON.stringify(V3) }], PICTURES.jpg), 3],
  ])('a card is read from %s', (_, bytes, version) => {
    expect(read(bytes)).toMatchObject({ ok: true, card: { version, data: { name: 'Mira' } } });
  });

  test('version 3 is read when a picture holds both versions', () => {
    for (const texts of [
      [buildTextChunk('chara', encodeCard(named('Old'))), buildTextChunk('ccv3', encodeCard(named('New')))],
      [buildTextChunk('ccv3', encodeCard(named('New'))), buildTextChunk('chara', encodeCard(named('Old')))],
    ]) {
      expect(readName(buildPng(...texts))).toBe('New');
    }
  });

  test('an older card in a picture is read with a note when the newer one is broken', () => {
    const [newer, older] = [named('New'), named('Old')];
    const [good, bad] = [buildTextChunk('ccv3', encodeCard(newer)), buildTextChunk('chara', '****')];
    // No note is needed when the newer version is intact.
    for (const texts of [
      [good, bad],
      [bad, good],
    ]) {
      const card = read(buildPng(...texts));
      expect(card).toMatchObject({ ok: true, card: { data: { name: 'New' } }, info: { isOlder: false } });
    }
    const broken: [string, Uint8Array][] = [
      ['card_damaged', buildTextChunk('ccv3', '****')],
      ['card_damaged', buildTextChunk('ccv3', '')],
      ['card_damaged', encodePngChunk('tEXt', `ccv3\0${encodeCard(newer)}`, 1)],
      ['card_damaged', encodePngChunk('zTXt', 'ccv3\0\0no zlib at all')],
      ['card_not_json', buildTextChunk('ccv3', encodeCard('{"spec":"chara_card_v3","data":{'))],
      ['card_not_understood', buildTextChunk('ccv3', encodeCard({ hello: 'world' }))],
      [
        'card_too_large',
        buildTextChunk('ccv3', encodeCard({ ...newer, long: 'x'.repeat(CARD.maxJsonBytes) })),
      ],
    ];
    for (const [code, text] of broken) {
      const card = read(buildPng(text, buildTextChunk('chara', encodeCard(older))));
      if (!card.ok) throw new Error(card.code);
      expect(new TextDecoder().decode(card.json)).toBe(JSON.stringify(older));
      const { draft, notes } = buildCardDraft(card.card, card.info);
      expect(draft.name).toBe('Old');
      expect(notes.filter((note) => note.code === 'older_taken')).toHaveLength(1);
      // The error of the newer version is reported as that of the file.
      expect(readErrorCode(buildPng(text, bad))).toBe(code);
      expect(readErrorCode(buildPng(bad, text))).toBe(code);
      expect(readErrorCode(buildPng(text))).toBe(code);
    }
  });

  test('the imported picture no longer contains the card', () => {
    const card = read(
      buildPng(buildTextChunk('chara', encodeCard(V2)), buildTextChunk('ccv3', encodeCard(V3))),
    );
    const picture = card.ok && card.picture.kind === 'bytes' ? sanitizePicture(card.picture.bytes) : null;
    expect(picture).toMatchObject({ ok: true, kind: 'png' });
    const plain = sanitizePicture(PICTURES.png);
    expect(picture?.ok === true && plain.ok && picture.bytes).toEqual(plain.ok && plain.bytes);
  });

  test('the imported picture of an animated card is still animated', () => {
    const card = read(buildApng(buildTextChunk('ccv3', encodeCard(V3))));
    const picture = card.ok && card.picture.kind === 'bytes' ? sanitizePicture(card.picture.bytes) : null;
    expect(picture).toMatchObject({ ok: true, kind: 'png' });
    const kinds = readPngChunks(picture?.ok ? picture.bytes : buildApng()).map(({ kind }) => kind);
    expect(kinds.filter((kind) => /^(?:acTL|fcTL|IDAT|fdAT|tEXt)$/.test(kind))).toEqual([
      ...['acTL', 'fcTL', 'IDAT', 'fcTL', 'fdAT'],
    ]);
  });

  test('the named portrait is read from everywhere in the file, and never from outside', () => {
    const icon = (uri: string) => ({
      ...V3,
      data: { ...V3.data, assets: [{ type: 'icon', uri, name: 'main', ext: 'gif' }] },
    });
    const uri = `data:image/gif;base64,${btoa(String.fromCharCode(...PICTURES.gif))}`;
    const inText = btoa(String.fromCharCode(...PICTURES.gif));
    for (const file of [
      packCharx(icon('embeded://assets/icon/main.gif'), {
        name: 'assets/icon/main.gif',
        body: PICTURES.gif,
        packed: false,
      }),
      json(icon(uri)),
      packCharx(icon(uri)),
      buildPng(
        buildTextChunk('ccv3', encodeCard(icon('__asset:0'))),
        buildTextChunk('chara-ext-asset_:0', inText),
      ),
    ]) {
      expect(read(file)).toMatchObject({ ok: true, picture: { kind: 'bytes', bytes: PICTURES.gif } });
    }
    for (const elsewhere of [
      'https://example.test/mira.png',
      'embeded://../mira.png',
      'file:///etc/passwd',
      '',
    ]) {
      expect(read(json(icon(elsewhere)))).toMatchObject({ picture: { kind: 'none' } });
    }
  });

  test('the portrait of a CharX whose files are in a folder is read from there', () => {
    const assets = [{ type: 'icon', name: 'main', ext: 'png', uri: 'embeded://assets/icon/main.png' }];
    const card = read(
      buildZip([
        { name: 'Mira/', body: '' },
        { name: 'Mira/card.json', body: JSON.stringify({ ...V3, data: { ...V3.data, assets } }) },
        { name: 'Mira/assets/icon/main.png', body: PICTURES.png },
      ]),
    );
    expect(card).toMatchObject({ ok: true, picture: { kind: 'bytes', bytes: new Uint8Array(PICTURES.png) } });
    const without = read(
      buildZip([
        { name: 'Mira/', body: '' },
        { name: 'Mira/card.json', body: JSON.stringify(V3) },
      ]),
    );
    expect(without).toMatchObject({ ok: true, picture: { kind: 'none' } });
  });

  test('the original JSON of a card is kept byte for byte', () => {
    const text = `\n{"spec" : "chara_card_v2","spec_version":"2.0","data":{"name":"Mira","description":"\\u00e9 é","n":1.0}}\n`;
    for (const file of [
      encodeText(text),
      buildPng(buildTextChunk('chara', encodeCard(text))),
      buildZip([{ name: 'card.json', body: text }]),
    ]) {
      const card = read(file);
      expect(card.ok && new TextDecoder().decode(card.json)).toBe(text);
    }
  });
});

describe('Card draft', () => {
  const draftFrom = (data: Record<string, unknown>) => {
    const card = read(json({ ...V3, data: { name: 'Mira', description: '', ...data } }));
    if (!card.ok) throw new Error(card.code);
    return {
      ...buildCardDraft(card.card),
      extras: getCardExtras(card.card),
      definition: getCardDefinition(card.card),
    };
  };

  test('a card fills every field that the form has', () => {
    const { draft, notes, extras, definition } = draftFrom(V3.data);
    expect(draft).toEqual({
      name: 'Mira',
      oneliner: 'Mira',
      character_traits: '',
      first_message: '*The lamp turns.* "You came back, {{user}}."',
      model_type: 'roleplay',
      visibility: 'private',
      point_of_view: 'normal',
      nsfw_allowed: false,
      suggested_replies: [],
      tags: ['female', 'fantasy'],
      free_tags: ['lighthouse'],
      alternate_greetings: ['"Who is there?"', '*She does not look up.*'],
    });
    expect(notes.map(({ code, field }) => [code, field])).toEqual([
      ['lorebook_kept', undefined],
      ['assets_left', undefined],
      ['source_kept', undefined],
    ]);
    expect(notes.at(-1)?.texts).toEqual(['https://example.test/mira']);
    expect(extras.nickname).toBe('Mi');
    expect(definition).toEqual({
      description: { text: 'Keeper of the last lighthouse.', shared: false },
      personality: { text: 'Patient, dry humour.', shared: false },
      scenario: { text: 'A storm is coming.', shared: false },
      example_dialogue: { text: '<START>\n{{char}}: "Mind the step."', shared: false },
      instructions: { text: 'Stay by the sea. {{original}}', shared: false },
      post_history_instructions: { text: 'Keep it short.', shared: false },
      creator_notes: { text: 'A quiet story by the sea\nBest with patience.', shared: false },
      depth_prompt: { text: 'The sea is near.', shared: false },
    });
    expect(JSON.parse(extras.lorebook ?? '')).toEqual(V3.data.character_book);
  });

  test('texts of a card that are too long are cut with a note', () => {
    const { draft, notes, definition } = draftFrom({
      name: 'M'.repeat(60),
      description: `${'a'.repeat(MAX_PART_CHARS - 1)}😀`,
      first_mes: 'c'.repeat(2001),
      alternate_greetings: ['d'.repeat(2001), ...Array.from({ length: 30 }, (_, index) => `${index}`), '  '],
    });
    expect([draft.name, draft.oneliner, draft.first_message].map(({ length }) => length)).toEqual([
      50, 50, 2000,
    ]);
    // Half of a surrogate pair is not kept.
    expect(definition?.description?.text).toBe('a'.repeat(MAX_PART_CHARS - 1));
    expect(draft.alternate_greetings).toHaveLength(30);
    expect(notes).toMatchObject([
      { code: 'cut', field: 'name', from: 60, to: 50 },
      { code: 'cut', field: 'first_message', from: 2001, to: 2000 },
      { code: 'left_out', field: 'alternate_greetings', from: 31, to: 30 },
      { code: 'cut', field: 'alternate_greetings', from: 2001, to: 2000 },
      { code: 'cut', field: 'definition.description', from: MAX_PART_CHARS + 1, to: MAX_PART_CHARS - 1 },
    ]);
  });

  test.each([
    ['She waits. ', 'She waits.'],
    ['*She waits.*\n\n', '*She waits.*'],
    ['彼女は待っている。', '彼女は待っている。'],
  ])('a greeting of %j many times is cut after a sentence', (sentence, end) => {
    const { draft, notes } = draftFrom({ first_mes: sentence.repeat(400).trim() });
    expect(draft.first_message.endsWith(end)).toBe(true);
    expect(draft.first_message.length).toBeGreaterThan(1900);
    expect(draft.first_message.length).toBeLessThanOrEqual(2000);
    expect(notes).toContainEqual(expect.objectContaining({ code: 'cut', field: 'first_message' }));
  });

  test('many cut greetings are reported in one note', () => {
    const { draft, notes } = draftFrom({
      alternate_greetings: ['short', ...Array.from({ length: 29 }, () => 'd'.repeat(2001))],
    });
    expect(draft.alternate_greetings.map(({ length }) => length)).toEqual([5, ...Array(29).fill(2000)]);
    expect(notes.filter(({ field }) => field === 'alternate_greetings')).toEqual([
      {
        code: 'several_cut',
        field: 'alternate_greetings',
        from: 29,
        to: 2000,
        sentence: '29 of the alternative first messages were shortened to at most 2000 characters each.',
      },
    ]);
  });

  test('notes have a singular and a plural form', () => {
    const sentence = (entries: number, files: number) => {
      const { notes } = draftFrom({
        character_book: { entries: Array.from({ length: entries }, () => ({ keys: ['a'], content: 'b' })) },
        assets: Array.from({ length: files }, (_, index) => ({ type: 'x-sound', uri: `__asset:${index}` })),
      });
      return notes
        .filter(({ code }) => code === 'lorebook_kept' || code === 'assets_left')
        .map((note) => note.sentence);
    };
    expect(sentence(1, 1)).toEqual([
      'The card’s lorebook was imported with 1 entry.',
      expect.stringContaining('not imported: 1.'),
    ]);
    expect(sentence(2, 2)).toEqual([
      'The card’s lorebook was imported with 2 entries.',
      expect.stringContaining('not imported: 2.'),
    ]);
  });

  test('missing fields are named in notes', () => {
    const { draft, notes } = draftFrom({ name: '\u202e\u200b ' });
    expect([draft.name, draft.oneliner]).toEqual(['', '']);
    expect(notes).toMatchObject(['name', 'oneliner'].map((field) => ({ code: 'missing', field })));
  });

  test('a card marked for adults gives a draft for adults', () => {
    expect(draftFrom({ tags: ['NSFW'] }).draft.nsfw_allowed).toBe(true);
    expect(draftFrom({ extensions: { loreloom: { nsfw_allowed: true } } }).draft.nsfw_allowed).toBe(true);
  });

  test('broken characters, bidirectional marks and values of another type are removed', () => {
    const { draft, definition } = draftFrom({
      name: 'A\u202eB\nC',
      description: 'x\ud800y',
      first_mes: 7,
      alternate_greetings: { no: 'list' },
      tags: [{}, null, 'RPG'],
      extensions: {
        loreloom: {
          model_type: 'evil',
          visibility: 'all',
          suggested_replies: [1, 'a', 'Who are you really?'],
        },
      },
    });
    expect(definition?.description?.text).toBe('x\ufffdy');
    expect(draft).toMatchObject({
      name: 'AB C',
      first_message: '',
      alternate_greetings: [],
      tags: ['rpg'],
      model_type: 'roleplay',
      visibility: 'private',
      suggested_replies: ['Who are you really?'],
    });
  });

  test('the source of a card is noted in at most five short lines', () => {
    const readSource = (source: unknown) =>
      draftFrom({ source }).notes.find(({ code }) => code === 'source_kept')?.texts;
    expect(readSource(['mira\u202e\nby somebody', 7, ' ', 's'.repeat(3000), 'c', 'd', 'e', 'f'])).toEqual([
      ...['mira by somebody', 's'.repeat(200), 'c', 'd', 'e'],
    ]);
    for (const nothing of [undefined, [], [{}], 'https://example.test/mira'])
      expect(readSource(nothing)).toBeUndefined();
  });

  test('tags and other greetings that are written as one text are read like lists', () => {
    const card = read(
      json({
        ...V2,
        data: { ...V2.data, tags: 'Fantasy, my own; NSFW', alternate_greetings: 'Good evening.' },
      }),
    );
    if (!card.ok) throw new Error(card.code);
    const { draft } = buildCardDraft(card.card);
    expect(draft).toMatchObject({
      tags: ['fantasy'],
      free_tags: ['my own'],
      nsfw_allowed: true,
      alternate_greetings: ['Good evening.'],
    });
  });

  test('of the tags of a card, ten that fit become free tags, and the rest is noted', () => {
    const tags = [
      'RPG',
      'x'.repeat(31),
      ...Array.from({ length: 11 }, (_, index) => `Tag  ${index}`),
      'tag 0',
    ];
    const { draft, notes } = draftFrom({ tags });
    expect(draft.tags).toEqual(['rpg']);
    expect(draft.free_tags).toEqual(Array.from({ length: 10 }, (_, index) => `tag ${index}`));
    expect(notes).toContainEqual(
      expect.objectContaining({ code: 'left_out', field: 'tags', from: 13, to: 11 }),
    );
  });

  test.each([
    ['the fields of a card', { 0: { keys: ['lamp'], content: 'Oil.', enabled: true, insertion_order: 1 } }],
    [
      'the fields of SillyTavern',
      { 7: { uid: 7, key: ['lamp'], content: 'Oil.', disable: false, order: 1 } },
    ],
  ])('a lorebook whose entries are an object with %s is read like a list', (_, entries) => {
    const card = read(json({ ...V2, data: { ...V2.data, character_book: { name: 'Coast', entries } } }));
    if (!card.ok) throw new Error(card.code);
    const book = JSON.parse(getCardExtras(card.card).lorebook ?? '{}') as Record<string, unknown>;
    expect(book).toMatchObject({
      name: 'Coast',
      entries: [{ keys: ['lamp'], content: 'Oil.', enabled: true, insertion_order: 1 }],
    });
    expect(buildCardDraft(card.card).notes).toContainEqual(
      expect.objectContaining({ code: 'lorebook_kept', to: 1 }),
    );
  });

  test('a lorebook above the limit is left out with a note', () => {
    const entry = { keys: ['a'], content: 'x'.repeat(1000), enabled: true, insertion_order: 0 };
    const { notes, extras } = draftFrom({
      character_book: { entries: Array.from({ length: 600 }, () => entry) },
    });
    expect(extras.lorebook).toBeNull();
    expect(notes.at(-1)).toMatchObject({ code: 'lorebook_too_large', from: 600 });
  });
});

describe('Broken card files', () => {
  const card = buildTextChunk('chara', encodeCard(V2));
  const whole = buildPng(card);
  const packed = packCharx(V3);
  const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  const entry = (name: string, body: string | Uint8Array = '') => ({ name, body });
  const cardFile = entry('card.json', JSON.stringify(V3));

  test.each<[string, string, Uint8Array]>([
    ['an empty file', 'card_not_json', new Uint8Array(0)],
    ['a picture without a card', 'card_not_found', PICTURES.png],
    ['a picture of another kind', 'card_not_found', PICTURES.webp],
    ['a JPEG', 'card_not_found', PICTURES.jpg],
    ['a picture that is cut off', 'card_damaged', whole.subarray(0, -5)],
    ['a picture that ends in its card', 'card_damaged', whole.subarray(0, -60)],
    ['a picture without its end', 'card_damaged', whole.subarray(0, -12)],
    ['a wrong checksum', 'card_damaged', buildPng(encodePngChunk('tEXt', `chara\0${encodeCard(V2)}`, 1))],
    ['a wrong checksum elsewhere', 'card_damaged', buildPng(card, encodePngChunk('tIME', '1234567', 1))],
    [
      'a length beyond the end',
      'card_damaged',
      buildPng(concatBytes(Uint8Array.of(0x7f, 255, 255, 255), 'tEXt')),
    ],
    ['no header', 'card_damaged', concatBytes(PICTURES.png.subarray(0, 8), card)],
    ['two headers', 'card_damaged', buildPng(encodePngChunk('IHDR', new Uint8Array(13)), card)],
    ['no base64', 'card_damaged', buildPng(buildTextChunk('chara', '****'))],
    ['base64 of nothing', 'card_damaged', buildPng(buildTextChunk('chara', ''))],
    [
      'text that is packed badly',
      'card_damaged',
      buildPng(encodePngChunk('zTXt', 'chara\0\0no zlib at all')),
    ],
    [
      'text that is packed in another way',
      'card_damaged',
      buildPng(encodePngChunk('zTXt', 'chara\0\u0001xx')),
    ],
    ['text that breaks off', 'card_damaged', buildPng(encodePngChunk('iTXt', 'chara\0\0'))],
    ['base64 of no JSON', 'card_not_json', buildPng(buildTextChunk('chara', encodeCard('Hello')))],
    ['no UTF-8', 'card_not_json', concatBytes('{"name":"', Uint8Array.of(0xff, 0xfe), '"}')],
    ['a text', 'card_not_json', encodeText('Hello')],
    ['JSON that breaks off', 'card_not_json', json(V2).subarray(0, -1)],
    ['JSON of something else', 'card_not_understood', json({ hello: 'world' })],
    [
      'a lorebook',
      'card_is_lorebook',
      json({ spec: 'lorebook_v3', data: { name: 'World', description: 'A world.', entries: [] } }),
    ],
    [
      'a lorebook with the name and the description of a card',
      'card_is_lorebook',
      json({
        name: 'World',
        description: 'A world.',
        extensions: {},
        entries: [{ keys: ['lamp'], content: 'Oil.', enabled: true, insertion_order: 1 }],
      }),
    ],
    ['a world of SillyTavern', 'card_is_lorebook', json({ entries: { 0: { uid: 0, key: ['lamp'] } } })],
    [
      'a memory book of agnai',
      'card_is_lorebook',
      json({
        kind: 'memory',
        name: 'World',
        description: '',
        entries: [{ keywords: ['lamp'], entry: 'Oil.' }],
      }),
    ],
    [
      'a lorebook in a picture',
      'card_is_lorebook',
      buildPng(buildTextChunk('chara', encodeCard({ name: 'World', description: 'A world.', entries: [] }))),
    ],
    ['a list', 'card_not_understood', json([V2])],
    ['deep JSON', 'card_too_complex', encodeText(deep(100_000))],
    ['deep JSON that never closes', 'card_too_complex', encodeText('{"a":'.repeat(600_000))],
    ['very many keys', 'card_too_complex', encodeText(`{${'"":0,'.repeat(600_000)}"":0}`)],
    ['very many lists', 'card_too_complex', encodeText(`[${'[],'.repeat(1_000_000)}0]`)],
    [
      'very many keys in a picture',
      'card_too_complex',
      buildPng(buildTextChunk('chara', encodeCard(`{${'"":0,'.repeat(600_000)}"":0}`))),
    ],
    ['JSON of more than it may be', 'card_too_large', new Uint8Array(CARD.maxJsonBytes + 1).fill(32)],
    ['a file of more than it may be', 'card_too_large', new Uint8Array(BODY_LIMITS.card + 1)],
    [
      'a picture with too much text',
      'card_too_large',
      buildPng(...Array.from({ length: 9 }, () => buildTextChunk('Comment', 'x'.repeat(4 * 1024 * 1024)))),
    ],
    [
      'a card in a picture that is too large',
      'card_too_large',
      buildPng(buildTextChunk('chara', 'A'.repeat(13 * 1024 * 1024))),
    ],
    [
      'a bomb in a picture',
      'card_too_large',
      buildPng(buildCompressedTextChunk('chara', 'A'.repeat(40 * 1024 * 1024))),
    ],
    [
      'too many chunks',
      'card_too_complex',
      buildPng(repeatBytes(encodePngChunk('tIME', ''), CARD.maxChunks)),
    ],
    ['an archive that is cut off', 'card_damaged', packed.subarray(0, -3)],
    [
      'an archive that is cut off in front',
      'card_damaged',
      concatBytes('PK\u0003\u0004', packed.subarray(40)),
    ],
    ['an archive of nothing', 'card_archive_unknown', buildZip([])],
    ['an archive without a card', 'card_archive_unknown', buildZip([entry('other.json', '{}')])],
    [
      'an archive of two cards',
      'card_archive_unknown',
      buildZip([entry('one/card.json', JSON.stringify(V3)), entry('two/card.json', JSON.stringify(V3))]),
    ],
    [
      'a chat of SillyTavern whose first line has only names',
      'card_is_chat',
      encodeText(
        '\ufeff{"user_name":"You","character_name":"Mara"}\n{"name":"Mara","is_user":false,"mes":"Hi."}\n',
      ),
    ],
    ['UTF-16 of no JSON', 'card_not_json', encodeUtf16('Hello', 'little').subarray(0, -3)],
    [
      'UTF-16 of more than it may be',
      'card_too_large',
      concatBytes(Uint8Array.of(0xff, 0xfe), new Uint8Array(CARD.maxJsonBytes * 2)),
    ],
    ['an archive in an archive', 'card_archive_unknown', buildZip([entry('inner.zip', packed)])],
    ['a name that climbs', 'card_archive_unsafe', buildZip([cardFile, entry('../../etc/passwd')])],
    [
      'a name that climbs in the middle',
      'card_archive_unsafe',
      buildZip([cardFile, entry('assets/../../x')]),
    ],
    [
      'a name that climbs by other strokes',
      'card_archive_unsafe',
      buildZip([cardFile, entry('assets\\..\\..\\x')]),
    ],
    ['a name from the root', 'card_archive_unsafe', buildZip([cardFile, entry('/etc/passwd')])],
    ['a name on a drive', 'card_archive_unsafe', buildZip([cardFile, entry('C:\\x')])],
    ['a name with a zero', 'card_archive_unsafe', buildZip([cardFile, entry('x\0.png')])],
    ['two files of one name', 'card_archive_unsafe', buildZip([cardFile, cardFile])],
    ['two names of one file', 'card_damaged', buildZip([{ ...cardFile, lies: { localName: 'card.jsom' } }])],
    ['a wrong checksum in an archive', 'card_damaged', buildZip([{ ...cardFile, lies: { sum: 1 } }])],
    ['a size that is not true', 'card_damaged', buildZip([{ ...cardFile, lies: { size: 10 } }])],
    [
      'a size that is far too large',
      'card_too_large',
      buildZip([{ ...cardFile, lies: { size: 0xfffffff0 } }]),
    ],
    ['a password', 'card_damaged', buildZip([{ ...cardFile, lies: { flags: 1 } }])],
    ['a bomb in an archive', 'card_too_large', buildZip([entry('card.json', ' '.repeat(7 * 1024 * 1024))])],
    [
      'a bomb that says it is small',
      'card_damaged',
      buildZip([{ ...entry('card.json', ' '.repeat(40 * 1024 * 1024)), lies: { size: 2000 } }]),
    ],
    [
      'very many files',
      'card_too_complex',
      buildZip(Array.from({ length: CARD.maxFiles + 1 }, (_, index) => entry(`${index}`))),
    ],
  ])('reading %s ends in the error %s', (_, code, file) => {
    const work = new WorkCounter();
    expect(readErrorCode(file, work)).toBe(code);
    // The work is at most a few times the size of the file plus the limit for a card.
    expect(work.bytes).toBeLessThan(4 * file.length + 2 * CARD.maxJsonBytes);
  });

  test('a compressed bomb is unpacked only up to the limit for a card', () => {
    const work = new WorkCounter();
    const bomb = buildPng(buildCompressedTextChunk('ccv3', 'A'.repeat(32 * 1024 * 1024)));
    expect(readErrorCode(bomb, work)).toBe('card_too_large');
    expect(work.bytes).toBeLessThan(24 * 1024 * 1024);
  });
});
