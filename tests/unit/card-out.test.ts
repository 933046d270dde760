import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { buildCharxFile, buildJsonFile, buildPngFile } from '../../src/services/card-files.ts';
import { buildCardDraft } from '../../src/features/cards/card-draft.ts';
import { readCardFile } from '../../src/features/cards/card-file.ts';
import type { StoredCardSource } from '../../src/features/cards/card-source-store.ts';
import { ChunkedBytes } from '../../src/features/cards/chunked-bytes.ts';
import { extractPortrait, replacePicture } from '../../src/features/cards/png-embed.ts';
import { renderPlainPng } from '../../src/features/cards/png-write.ts';
import { buildCardSource } from '../support/card-source.ts';
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
} from '../support/card-files.ts';
import { PICTURES } from '../support/pictures.ts';

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

/** A character that was made of a card, with what its maker changed since. */
function madeOf(card: unknown, changes: Partial<StoredCardSource> = {}) {
  const came = read(encodeText(JSON.stringify(card)));
  const draft = { ...buildCardDraft(came.card).draft, avatar_id: 'first.png', avatar_url: null };
  const source = buildCardSource(came.card, { avatarKey: 'first.png', ...changes });
  return { source, came: { ...came, draft }, media };
}

type Data = typeof V3.data & Record<string, unknown>;
const dataOf = (wish: ReturnType<typeof madeOf>): Data =>
  (JSON.parse(new TextDecoder().decode(buildJsonFile(wish, undefined).bytes)) as { data: Data }).data;

describe('What I changed of a card that I brought', () => {
  test('stands in its place, and everything else is as it came', () => {
    const { extensions, modification_date: _, name, ...rest } = dataOf(madeOf(V3, { name: 'Mirabel' }));
    const { extensions: before, modification_date: __, name: ___, ...others } = V3.data;
    expect(name).toBe('Mirabel');
    expect(rest).toEqual(others);
    expect(extensions).toEqual({ ...before, loreloom: expect.objectContaining({ id: 'id' }) });
  });

  test('of its traits is told once, and what was beyond their end is still there', () => {
    const long = { ...V2, data: { ...V2.data, personality: 'p'.repeat(2000) } };
    expect(dataOf(madeOf(long, { characterTraits: 'Somebody new.' }))).toMatchObject({
      description: 'Somebody new.',
      personality: '',
      scenario: V2.data.scenario,
      mes_example: V2.data.mes_example,
    });
  });

  test('of its tags leaves those that are unknown here', () => {
    expect(dataOf(madeOf(V2, { tags: ['rpg'] })).tags).toEqual(['rpg', 'lighthouse']);
  });

  test('of its greetings, its tagline and its first message is in it', () => {
    const changes = { alternateGreetings: ['Hm.'], oneliner: 'New', firstMessage: 'Ah.' };
    expect(dataOf(madeOf({ ...V2, data: { ...V2.data, creator_notes: '' } }, changes))).toMatchObject({
      alternate_greetings: ['Hm.'],
      creator_notes: 'New',
      first_mes: 'Ah.',
      extensions: { loreloom: { oneliner: 'New' } },
    });
    expect(dataOf(madeOf(V2, changes)).creator_notes).toBe(V2.data.creator_notes);
  });

  test('of its lorebook is in it, and so is that I took it away', () => {
    const book = { entries: [{ keys: ['sea'], content: 'Deep.', odd: 1 }] };
    expect(dataOf(madeOf(V2, { lorebook: JSON.stringify(book) })).character_book).toEqual(book);
    expect(dataOf(madeOf(V2, { lorebook: null })).character_book).toBeUndefined();
    const large = {
      ...V2,
      data: {
        ...V2.data,
        character_book: { entries: Array.from({ length: 1001 }, () => ({ keys: [], content: '' })) },
      },
    };
    expect(dataOf(madeOf(large, { name: 'New' })).character_book.entries).toHaveLength(1001);
  });

  test('is also where programs repeat it beside the fields', () => {
    const twice = { ...V1, ...V2 };
    const { bytes } = buildJsonFile(madeOf(twice, { name: 'Mirabel' }), undefined);
    expect(JSON.parse(new TextDecoder().decode(bytes))).toMatchObject({
      name: 'Mirabel',
      talkativeness: '0.5',
    });
  });

  test('of a card of version 1 makes it one of version 3', () => {
    const { bytes } = buildJsonFile(madeOf(V1, { name: 'Mirabel' }), undefined);
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

  test('is not how it is shown here: who may see it is no part of a card', () => {
    for (const visibility of ['public', 'unlisted', 'private']) {
      expect(dataOf(madeOf(V3, { visibility }))).toEqual(V3.data);
    }
  });
});

describe('A card as a picture', () => {
  test('is the portrait, with both versions in it', async () => {
    const { bytes, type } = await buildPngFile(madeOf(V3));
    expect(type).toBe('image/png');
    const texts = readPngTexts(bytes);
    expect(JSON.parse(decodeCard(texts['ccv3'] ?? ''))).toEqual(V3);
    expect(JSON.parse(decodeCard(texts['chara'] ?? ''))).toEqual({
      ...V3,
      spec: 'chara_card_v2',
      spec_version: '2.0',
    });
    const [shown, portrait] = await Promise.all(
      [bytes, PICTURES.png].map((picture) => sharp(picture).raw().toBuffer()),
    );
    expect(shown).toEqual(portrait);
  });

  test('is the portrait with the card in it, and moves, where that moves', async () => {
    const moving = {
      get: () => Promise.resolve({ arrayBuffer: () => Promise.resolve(buildApng().buffer) }),
    } as unknown as R2Bucket;
    const { bytes } = await buildPngFile({ ...madeOf(V3), media: moving });
    expect(JSON.parse(decodeCard(readPngTexts(bytes)['ccv3'] ?? ''))).toEqual(V3);
    expect(Object.keys(readPngTexts(bytes)).toSorted()).toEqual(['ccv3', 'chara']);
    expect(read(bytes).picture).toEqual({ kind: 'bytes', bytes: buildApng() });
  });

  test('is a plain one with the portrait beside it, where that is of another kind', async () => {
    const { bytes } = await buildPngFile(madeOf(V3, { avatarKey: 'second.webp' }));
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 300, height: 400 });
    expect(read(bytes).picture).toEqual({ kind: 'bytes', bytes: PICTURES.webp });
    expect(JSON.parse(decodeCard(readPngTexts(bytes)['ccv3'] ?? ''))).toEqual(V3);
  });

  test('is the portrait after all, once a browser has drawn that as a PNG', async () => {
    const { bytes } = await buildPngFile(madeOf(V3, { avatarKey: 'second.webp' }));
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
    expect(extractPortrait((await buildPngFile(madeOf(V3))).bytes)).toBeNull();
  });

  test('a plain picture is a picture that others can draw', async () => {
    const { data, info } = await sharp(renderPlainPng()).raw().toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ width: 300, height: 400, channels: 3 });
    expect([...data.subarray(0, 3)]).toEqual([74, 60, 102]);
    expect([...data.subarray(-6)]).toEqual([28, 24, 40, 28, 24, 40]);
  });
});

describe('A card as a CharX', () => {
  const embedded = {
    ...V3,
    data: {
      ...V3.data,
      assets: [{ type: 'icon', uri: 'embeded://assets/me.png', name: 'main', ext: 'png' }],
    },
  };
  test('is as it came, with the portrait where the card says that it is', async () => {
    const file = read((await buildCharxFile(madeOf(embedded))).bytes);
    expect(file.card.root).toEqual(embedded);
    expect(file.picture).toEqual({ kind: 'bytes', bytes: PICTURES.png });
  });

  test('tells where the portrait is, where the card did not, or where it is another one', async () => {
    for (const card of [V2, V3, embedded]) {
      const file = read((await buildCharxFile(madeOf(card, { avatarKey: 'second.gif' }))).bytes);
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
    'puts no picture where a card had better not say that it is: %s',
    async (uri) => {
      const evil = { ...V3, data: { ...V3.data, assets: [{ type: 'icon', uri, name: 'main', ext: 'png' }] } };
      const { bytes } = await buildCharxFile(madeOf(evil));
      expect(new TextDecoder('latin1').decode(bytes)).toContain('assets/icon/images/main.png');
      expect(read(bytes).picture).toEqual({ kind: 'bytes', bytes: PICTURES.png });
    },
  );

  test('comes back from a picture and from an archive as one', () => {
    const [inPicture, inArchive] = [buildPng(buildTextChunk('ccv3', encodeCard(V3))), packCharx(V3)].map(
      (file) => read(file).card.root,
    );
    expect(inPicture).toEqual(inArchive);
  });
});
