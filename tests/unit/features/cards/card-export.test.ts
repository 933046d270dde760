import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { buildCharxFile, buildJsonFile, buildPngFile } from '../../../../src/services/card-files.ts';
import { buildCardDraft } from '../../../../src/features/cards/card-draft.ts';
import { readCardFile } from '../../../../src/features/cards/card-file.ts';
import type { StoredCardSource } from '../../../../src/features/cards/card-source-store.ts';
import { ChunkedBytes } from '../../../../src/features/cards/chunked-bytes.ts';
import { extractPortrait, replacePicture } from '../../../../src/features/cards/png-embed.ts';
import { renderPlainPng } from '../../../../src/features/cards/png-write.ts';
import { buildCardSource } from '../../../support/card-source.ts';
import {
  buildApng,
  encodeText,
  packCharx,
  decodeCard,
  buildPng,
  buildTextChunk,
  readPngTexts,
  encodeCard,
  V1,
  V2,
  V3,
} from '../../../support/card-files.ts';
import { PICTURES } from '../../../support/pictures.ts';

const media = {
  get: (key: string) => {
    const bytes = PICTURES[key.split('.')[1] as keyof typeof PICTURES];
    return Promise.resolve({ arrayBuffer: () => Promise.resolve(bytes.slice().buffer) });
  },
} as unknown as R2Bucket;

function read(bytes: Uint8Array) {
  const file = readCardFile(new ChunkedBytes([bytes]));
  if (!file.ok) throw new Error(file.code);
  return file;
}

/** A character that was imported from a card and changed in these fields. */
function createImport(card: unknown, changes: Partial<StoredCardSource> = {}) {
  const file = read(encodeText(JSON.stringify(card)));
  const draft = { ...buildCardDraft(file.card).draft, avatar_id: 'first.png', avatar_url: null };
  const source = buildCardSource(file.card, { avatarKey: 'first.png', ...changes });
  return { source, came: { ...file, draft }, media };
}

type Data = typeof V3.data & Record<string, unknown>;
const exportData = (request: ReturnType<typeof createImport>): Data =>
  (JSON.parse(new TextDecoder().decode(buildJsonFile(request, undefined).bytes)) as { data: Data }).data;

describe('Export of an imported card', () => {
  test('an exported card contains the changed name and everything else unchanged', () => {
    const {
      extensions,
      modification_date: _,
      name,
      ...rest
    } = exportData(createImport(V3, { name: 'Mirabel' }));
    const { extensions: before, modification_date: __, name: ___, ...others } = V3.data;
    expect(name).toBe('Mirabel');
    expect(rest).toEqual(others);
    expect(extensions).toEqual(before);
  });

  test('changed traits are in our own extension, and the card keeps all its texts', () => {
    const { extensions, ...rest } = exportData(createImport(V2, { characterTraits: 'Somebody new.' }));
    const { extensions: before, ...others } = V2.data;
    expect(rest).toEqual(others);
    expect(extensions).toEqual({
      ...before,
      loreloom: expect.objectContaining({ id: 'id', character_traits: 'Somebody new.' }),
    });
  });

  test('a character of our own has its traits as the description until it has a description', () => {
    const character = { ...createImport(V2).source, characterTraits: 'Salt-bitten.', definition: null };
    const plain = { source: character, came: null, media };
    const card = JSON.parse(new TextDecoder().decode(buildJsonFile(plain, 'v2').bytes)) as typeof V2;
    expect(card.data).toMatchObject({ description: 'Salt-bitten.', personality: '' });
    // Imported again and edited, its traits stay where they were.
    expect(exportData(createImport(card, { characterTraits: 'Calmer now.' }))).toMatchObject({
      description: 'Calmer now.',
      extensions: { loreloom: expect.not.objectContaining({ character_traits: expect.anything() }) },
    });
    const described = { description: { text: 'Keeps a light.', shared: false } };
    expect(exportData(createImport(card, { definition: described }))).toMatchObject({
      description: 'Keeps a light.',
      extensions: { loreloom: { character_traits: 'Salt-bitten.' } },
    });
  });

  test('changed tags keep the card’s spelling, and tags that the form never had', () => {
    const card = { ...V2, data: { ...V2.data, tags: ['Fantasy', 'Lighthouse', 'Sea', 'NSFW'] } };
    const changes = { tags: ['rpg'], freeTags: ['storm', 'lighthouse'] };
    expect(exportData(createImport(card, changes)).tags).toEqual(['rpg', 'storm', 'Lighthouse', 'NSFW']);
  });

  test('the exported card contains changed greetings, tagline and first message', () => {
    const changes = { alternateGreetings: ['Hm.'], oneliner: 'New', firstMessage: 'Ah.' };
    expect(
      exportData(createImport({ ...V2, data: { ...V2.data, creator_notes: '' } }, changes)),
    ).toMatchObject({
      alternate_greetings: ['Hm.'],
      creator_notes: '',
      first_mes: 'Ah.',
      extensions: { loreloom: { oneliner: 'New' } },
    });
    expect(exportData(createImport(V2, changes)).creator_notes).toBe(V2.data.creator_notes);
  });

  test('an edit of the beginning of a cut greeting keeps the rest, and one of its end does not', () => {
    const long = 'She lights the lamp and waits. '.repeat(100).trim();
    const card = { ...V2, data: { ...V2.data, first_mes: long, alternate_greetings: ['One.', long] } };
    const { first_message: taken, alternate_greetings: listed } = createImport(card).came.draft;
    expect(taken).toHaveLength(1983);
    const begun = exportData(
      createImport(card, {
        firstMessage: `Look! ${taken}`,
        alternateGreetings: ['One.', `Look! ${listed[1]}`],
      }),
    );
    expect(begun).toMatchObject({
      first_mes: `Look! ${long}`,
      alternate_greetings: ['One.', `Look! ${long}`],
    });
    expect(exportData(createImport(card, { firstMessage: `${taken} The end.` })).first_mes).toBe(
      `${taken} The end.`,
    );
    expect(exportData(createImport(card, { firstMessage: 'Hello.' })).first_mes).toBe('Hello.');
  });

  test('a changed greeting leaves those that the form could not take whole as they came', () => {
    const long = `Hello.\r\n${'a'.repeat(2000)}`;
    const greetings = ['One.', long, ...Array.from({ length: 30 }, (_, index) => `${index}.`)];
    const card = { ...V2, data: { ...V2.data, alternate_greetings: greetings } };
    const { alternate_greetings: taken } = createImport(card).came.draft;
    const changed = exportData(createImport(card, { alternateGreetings: ['Two.', ...taken.slice(1)] }));
    expect(changed.alternate_greetings).toEqual(['Two.', ...greetings.slice(1)]);
    const removed = exportData(createImport(card, { alternateGreetings: taken.slice(1) }));
    expect(removed.alternate_greetings).toEqual(greetings.slice(1));
  });

  test('the exported card contains a changed lorebook, and none after its removal', () => {
    const book = { entries: [{ keys: ['sea'], content: 'Deep.', odd: 1 }] };
    expect(exportData(createImport(V2, { lorebook: JSON.stringify(book) })).character_book).toEqual(book);
    expect(exportData(createImport(V2, { lorebook: null })).character_book).toBeUndefined();
    const large = {
      ...V2,
      data: {
        ...V2.data,
        character_book: { entries: Array.from({ length: 1001 }, () => ({ keys: [], content: '' })) },
      },
    };
    expect(exportData(createImport(large, { name: 'New' })).character_book.entries).toHaveLength(1001);
  });

  test('a changed name is also written where the card repeats it outside of its data', () => {
    const twice = { ...V1, ...V2 };
    const { bytes } = buildJsonFile(createImport(twice, { name: 'Mirabel' }), undefined);
    expect(JSON.parse(new TextDecoder().decode(bytes))).toMatchObject({
      name: 'Mirabel',
      talkativeness: '0.5',
    });
  });

  test('a version 1 card is exported as version 3 if it has no field for a change', () => {
    const changes = { name: 'Mirabel', tags: [], freeTags: [], alternateGreetings: ['Hm.'] };
    const { bytes } = buildJsonFile(createImport(V1, changes), undefined);
    expect(JSON.parse(new TextDecoder().decode(bytes))).toMatchObject({
      spec: 'chara_card_v3',
      data: {
        name: 'Mirabel',
        scenario: V1.scenario,
        talkativeness: '0.5',
        tags: [],
        group_only_greetings: [],
      },
    });
  });

  test('the visibility of a character is not part of its exported card', () => {
    for (const visibility of ['public', 'unlisted', 'private']) {
      expect(exportData(createImport(V3, { visibility }))).toEqual(V3.data);
    }
  });
});

describe('Export as a picture', () => {
  test('a card exported as a picture is the portrait with both versions in it', async () => {
    const { bytes, type } = await buildPngFile(createImport(V3));
    expect(type).toBe('image/png');
    const texts = readPngTexts(bytes);
    expect(JSON.parse(decodeCard(texts['ccv3'] ?? ''))).toEqual(V3);
    expect(JSON.parse(decodeCard(texts['chara'] ?? ''))).toEqual({
      ...V3,
      spec: 'chara_card_v2',
      spec_version: '2.0',
    });
    const [picture, portrait] = await Promise.all(
      [bytes, PICTURES.png].map((picture) => sharp(picture).raw().toBuffer()),
    );
    expect(picture).toEqual(portrait);
  });

  test('a card exported as a picture keeps an animated portrait animated', async () => {
    const moving = {
      get: () => Promise.resolve({ arrayBuffer: () => Promise.resolve(buildApng().buffer) }),
    } as unknown as R2Bucket;
    const { bytes } = await buildPngFile({ ...createImport(V3), media: moving });
    expect(JSON.parse(decodeCard(readPngTexts(bytes)['ccv3'] ?? ''))).toEqual(V3);
    expect(Object.keys(readPngTexts(bytes)).toSorted()).toEqual(['ccv3', 'chara']);
    expect(read(bytes).picture).toEqual({ kind: 'bytes', bytes: buildApng() });
  });

  test('a portrait that is not a PNG is embedded in a plain picture', async () => {
    const { bytes } = await buildPngFile(createImport(V3, { avatarKey: 'second.webp' }));
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 300, height: 400 });
    expect(read(bytes).picture).toEqual({ kind: 'bytes', bytes: PICTURES.webp });
    expect(JSON.parse(decodeCard(readPngTexts(bytes)['ccv3'] ?? ''))).toEqual(V3);
  });

  test('a portrait redrawn as PNG by the browser replaces the plain picture', async () => {
    const { bytes } = await buildPngFile(createImport(V3, { avatarKey: 'second.webp' }));
    const portrait = extractPortrait(bytes);
    expect(portrait).toEqual(PICTURES.webp);
    const drawn = new Uint8Array(
      await sharp(portrait ?? undefined)
        .png()
        .toBuffer(),
    );
    const card = replacePicture(bytes, drawn);
    expect(await sharp(card).metadata()).toMatchObject({ format: 'png', width: 2, height: 2 });
    expect(readPngTexts(card)).toEqual(readPngTexts(bytes));
    expect(read(card)).toMatchObject({ picture: { kind: 'bytes', bytes: PICTURES.webp } });
    expect(extractPortrait((await buildPngFile(createImport(V3))).bytes)).toBeNull();
  });

  test('the plain picture is a valid PNG', async () => {
    const { data, info } = await sharp(renderPlainPng()).raw().toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ width: 300, height: 400, channels: 3 });
    expect([...data.subarray(0, 3)]).toEqual([74, 60, 102]);
    expect([...data.subarray(-6)]).toEqual([28, 24, 40, 28, 24, 40]);
  });
});

describe('Export as CharX', () => {
  const embedded = {
    ...V3,
    data: {
      ...V3.data,
      assets: [{ type: 'icon', uri: 'embeded://assets/me.png', name: 'main', ext: 'png' }],
    },
  };
  test('a CharX export keeps the card and puts the portrait at its path', async () => {
    const file = read((await buildCharxFile(createImport(embedded))).bytes);
    expect(file.card.root).toEqual(embedded);
    expect(file.picture).toEqual({ kind: 'bytes', bytes: PICTURES.png });
  });

  test('a CharX export adds the path of a portrait that the card did not name or that changed', async () => {
    for (const card of [V2, V3, embedded]) {
      const file = read((await buildCharxFile(createImport(card, { avatarKey: 'second.gif' }))).bytes);
      const assets = file.card.data['assets'] as unknown[];
      expect(assets[0]).toEqual({
        type: 'icon',
        uri: 'embeded://assets/icon/images/main.gif',
        name: 'main',
        ext: 'gif',
      });
      expect(assets.slice(1)).toEqual(card === V3 ? V3.data.assets.slice(1) : []);
      expect(file.picture).toEqual({ kind: 'bytes', bytes: PICTURES.gif });
    }
  });

  test.each(['embeded://../../evil.png', 'embeded:///evil.png', 'embeded://card.json', 'embeded://assets/'])(
    'a CharX export never writes the portrait to an unsafe path: %s',
    async (uri) => {
      const evil = { ...V3, data: { ...V3.data, assets: [{ type: 'icon', uri, name: 'main', ext: 'png' }] } };
      const { bytes } = await buildCharxFile(createImport(evil));
      expect(new TextDecoder('latin1').decode(bytes)).toContain('assets/icon/images/main.png');
      expect(read(bytes).picture).toEqual({ kind: 'bytes', bytes: PICTURES.png });
    },
  );

  test('a card is the same from a picture and from an archive', () => {
    const [inPicture, inArchive] = [buildPng(buildTextChunk('ccv3', encodeCard(V3))), packCharx(V3)].map(
      (file) => read(file).card.root,
    );
    expect(inPicture).toEqual(inArchive);
  });
});
