// What other programs write into the picture of a card: it is kept, and exported in the PNG.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildPngFile } from '../../../../src/services/card-files.ts';
import { CARD } from '../../../../src/features/character/limits.ts';
import { buildCardDraft } from '../../../../src/features/cards/card-draft.ts';
import { readCardFile } from '../../../../src/features/cards/card-file.ts';
import { ChunkedBytes } from '../../../../src/features/cards/chunked-bytes.ts';
import { replacePicture } from '../../../../src/features/cards/png-embed.ts';
import {
  buildCompressedTextChunk,
  buildInternationalTextChunk,
  buildTextChunk,
  concatBytes,
  encodeCard,
  encodePngChunk,
  packCharx,
  readPngChunks,
  V2,
  V3,
} from '../../../support/card-files.ts';
import { buildCardSource } from '../../../support/card-source.ts';
import { PICTURES } from '../../../support/pictures.ts';

/** The picture without its own metadata, as a portrait is stored. */
const PICTURE = concatBytes(
  PICTURES.png.subarray(0, 8),
  ...readPngChunks(PICTURES.png)
    .filter(({ kind }) => /^[A-Z]/.test(kind))
    .map(({ kind, body }) => encodePngChunk(kind, body)),
);
const END_BYTES = 12;
const buildPng = (...chunks: Uint8Array[]) =>
  concatBytes(PICTURE.subarray(0, -END_BYTES), ...chunks, PICTURE.subarray(-END_BYTES));

const card = buildTextChunk('chara', encodeCard(V2));
const recipe = buildCompressedTextChunk('ginger', '<Ginger/>');
const prompt = buildTextChunk('parameters', 'a lighthouse');
const xmp = buildInternationalTextChunk('XML:com.adobe.xmp', '<x:xmpmeta/>');
const exif = encodePngChunk('eXIf', 'II*\0');

function readOrFail(bytes: Uint8Array) {
  const file = readCardFile(new ChunkedBytes([bytes]));
  if (!file.ok) throw new Error(file.code);
  return file;
}

/** Exports an imported card with the picture that is stored under a key. */
async function exportPng(bytes: Uint8Array, { avatarKey = 'a.png', stored = PICTURE } = {}) {
  const imported = readOrFail(bytes);
  const media = {
    get: async () => ({ arrayBuffer: async () => stored.slice().buffer }),
  } as unknown as R2Bucket;
  const draft = { ...buildCardDraft(imported.card).draft, avatar_id: 'a.png', avatar_url: null };
  const source = { ...buildCardSource(imported.card), avatarKey };
  return (await buildPngFile({ source, came: { ...imported, draft }, media })).bytes;
}

const listKinds = (bytes: Uint8Array): string[] => readPngChunks(bytes).map(({ kind }) => kind);

describe('Metadata of other programs', () => {
  test('a card keeps each text and EXIF chunk that is not its own', () => {
    const repeated = buildTextChunk('Chara', encodeCard(V3));
    const asset = buildTextChunk('chara-ext-asset_:0', 'AAAA');
    const file = readOrFail(buildPng(exif, recipe, card, prompt, repeated, asset, xmp));
    expect(file.metadata).toEqual(concatBytes(exif, recipe, prompt, xmp));
    expect(file.info.metadataLeft).toBe(0);
    expect(readOrFail(packCharx(V3)).metadata).toHaveLength(0);
  });

  test('the exported picture has the same chunks, and so has its import', async () => {
    const exported = await exportPng(buildPng(recipe, card, prompt, xmp, exif));
    expect(readOrFail(exported).metadata).toEqual(concatBytes(recipe, prompt, xmp, exif));
    expect(listKinds(exported).at(-1)).toBe('IEND');
    expect(readOrFail(await exportPng(exported)).metadata).toEqual(readOrFail(exported).metadata);
  });

  test('another portrait does not get the EXIF of the imported picture', async () => {
    const file = buildPng(card, exif, prompt);
    const replaced = await exportPng(file, { avatarKey: 'b.png' });
    expect(readOrFail(replaced).metadata).toEqual(prompt);
    const plain = await exportPng(file, { avatarKey: 'b.webp', stored: PICTURES.webp });
    expect(readOrFail(plain).metadata).toEqual(prompt);
    // The browser draws the portrait in place of the plain picture.
    const drawn = replacePicture(await exportPng(buildPng(card, recipe, xmp)), PICTURE);
    expect(readOrFail(drawn).metadata).toEqual(concatBytes(recipe, xmp));
  });

  test('chunks above the limit are left out with a note, and later ones that fit are kept', () => {
    const large = buildTextChunk('large', 'x'.repeat(CARD.maxMetadataBytes));
    const file = readOrFail(buildPng(large, card, prompt, large));
    expect(file.metadata).toEqual(prompt);
    const { notes } = buildCardDraft(file.card, file.info);
    expect(notes).toContainEqual(expect.objectContaining({ code: 'metadata_left', from: 2 }));
  });

  test('any chunks of texts come back in their order', async () => {
    const chunk = fc
      .tuple(fc.constantFrom('tEXt', 'zTXt', 'iTXt', 'eXIf'), fc.uint8Array({ maxLength: 30 }))
      .map(([kind, body]) => encodePngChunk(kind, concatBytes('key\0', body)));
    await fc.assert(
      fc.asyncProperty(fc.array(chunk, { maxLength: 5 }), fc.nat(5), async (chunks, place) => {
        const file = buildPng(...chunks.slice(0, place), card, ...chunks.slice(place));
        expect(readOrFail(await exportPng(file)).metadata).toEqual(concatBytes(...chunks));
      }),
      { numRuns: 50 },
    );
  });
});
