// Cards that embed whole files as text.
import { describe, expect, test } from 'vitest';
import { CARD } from '../../../../src/features/character/limits.ts';
import { buildCardDraft } from '../../../../src/features/cards/card-draft.ts';
import { readCardFile } from '../../../../src/features/cards/card-file.ts';
import { AssetExtractor } from '../../../../src/features/cards/asset-extractor.ts';
import { ChunkedBytes, WorkCounter } from '../../../../src/features/cards/chunked-bytes.ts';
import {
  encodeText,
  encodeCard,
  buildInternationalTextChunk,
  buildPng,
  buildTextChunk,
  V3,
} from '../../../support/card-files.ts';
import { PICTURES } from '../../../support/pictures.ts';

const MEBIBYTE = 1024 * 1024;
const PIECE_BYTES = 64 * 1024;

const inPieces = (bytes: Uint8Array, size: number): Uint8Array[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );

function read(bytes: Uint8Array, work = new WorkCounter()) {
  const file = readCardFile(new ChunkedBytes(inPieces(bytes, PIECE_BYTES), work));
  if (!file.ok) return { code: file.code, work };
  const { notes } = buildCardDraft(file.card, file.info);
  const left = notes.filter(({ code }) => code === 'assets_left').map(({ from }) => from);
  return { code: null, file, text: new TextDecoder().decode(file.json), left, work };
}

const inText = (kind: string, bytes: Uint8Array): string =>
  `data:${kind};base64,${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`;
const large = (chars: number): string => `data:audio/ogg;base64,${'QUJD'.repeat(chars / 4)}`;
const GIF = inText('image/gif', PICTURES.gif);

interface Named {
  type: string;
  uri: string;
  name: string;
}
const asset = (type: string, uri: string, name = ''): Named => ({ type, uri, name });
const withAssets = (...assets: Named[]) => ({ ...V3, data: { ...V3.data, assets } });
const ELSEWHERE = asset('background', 'https://example.test/sea.png', 'sea');

describe('Card with large embedded files', () => {
  const song = asset('x-sound', large(4.2 * MEBIBYTE), 'song');
  const card = withAssets(asset('icon', GIF, 'main'), song, ELSEWHERE);
  /** The stored JSON: all written text, with the format's placeholder where the files were. */
  const stored = JSON.stringify(
    withAssets(asset('icon', 'ccdefault:', 'main'), { ...song, uri: 'ccdefault:' }, ELSEWHERE),
  );

  test.each([
    ['as JSON', encodeText(JSON.stringify(card))],
    ['in a picture', buildPng(buildTextChunk('ccv3', encodeCard(card)))],
    [
      'in a picture, twice',
      buildPng(buildTextChunk('chara', encodeCard(card)), buildTextChunk('ccv3', encodeCard(card))),
    ],
    ['in a picture, without base64', buildPng(buildInternationalTextChunk('ccv3', JSON.stringify(card)))],
    [
      'in a picture, in lines',
      buildPng(buildTextChunk('ccv3', encodeCard(card).replaceAll(/.{76}/g, '$&\n'))),
    ],
  ])('a card with large files is read without them and with a note: %s', (_, bytes) => {
    const { code, text, left } = read(bytes);
    expect(code).toBeNull();
    expect(text).toBe(stored);
    // The song and the linked file are missing, while the portrait is kept.
    expect(left).toEqual([2]);
  });

  test('a card keeps its portrait in whichever asset and encoding it comes', () => {
    const readPortrait = (json: string) => read(encodeText(json)).file?.picture;
    const portrait = { kind: 'bytes', bytes: PICTURES.gif };
    const other = asset('icon', inText('image/png', PICTURES.png), 'other');
    for (const assets of [
      [asset('icon', GIF, 'main'), song],
      [song, other, asset('icon', GIF, 'main')],
      [song, asset('icon', GIF, 'first'), other],
    ]) {
      expect(readPortrait(JSON.stringify(withAssets(...assets)))).toEqual(portrait);
    }
    const strokes = JSON.stringify(card).replaceAll('/', String.raw`\/`);
    expect(readPortrait(strokes)).toEqual(portrait);
    const huge = asset('icon', large(4.2 * MEBIBYTE).replace('audio/ogg', 'image/png'), 'main');
    expect(readPortrait(JSON.stringify(withAssets(huge)))).toEqual({ kind: 'too_large' });
  });

  test('a card within the size limit keeps its JSON byte for byte', () => {
    const filled = (bytes: number): string => {
      const empty = encodeText(JSON.stringify(withAssets(asset('x-sound', 'data:')))).length;
      return JSON.stringify(withAssets(asset('x-sound', `data:${'x'.repeat(bytes - empty)}`)));
    };
    const fits = filled(CARD.maxJsonBytes);
    const longer = filled(CARD.maxJsonBytes + 1);
    const without = JSON.stringify(withAssets(asset('x-sound', 'ccdefault:')));
    for (const wrap of [encodeText, (text: string) => buildPng(buildTextChunk('ccv3', encodeCard(text)))]) {
      expect(read(wrap(fits)).text === fits).toBe(true);
      expect(read(wrap(longer)).text).toBe(without);
    }
  });

  test('a card is refused when its written text is too long without the embedded files', () => {
    const written = 'x'.repeat(CARD.maxJsonBytes);
    for (const tooLong of [
      { ...card, data: { ...card.data, description: written } },
      { ...card, data: { ...card.data, extensions: { assets: [{ uri: large(4.2 * MEBIBYTE) }] } } },
      withAssets(asset('x-sound', `https://example.test/${written}`)),
      withAssets({ ...asset('x-sound', ''), name: large(4.2 * MEBIBYTE) }),
    ]) {
      expect(read(encodeText(JSON.stringify(tooLong))).code).toBe('card_too_large');
      expect(read(buildPng(buildTextChunk('ccv3', encodeCard(tooLong)))).code).toBe('card_too_large');
    }
  }, 60_000);

  test('reading the largest accepted file costs a few times its size at most', () => {
    const songs = Array.from({ length: 45 }, () => asset('x-sound', large(MEBIBYTE)));
    const bytes = encodeText(JSON.stringify(withAssets(...songs)));
    const { code, left, work } = read(bytes);
    expect([code, left]).toEqual([null, [45]]);
    expect(work.bytes).toBeLessThan(4 * bytes.length);
    const picture = buildPng(
      buildTextChunk('ccv3', encodeCard(JSON.stringify(withAssets(...songs.slice(0, 30))))),
    );
    const inPicture = read(picture);
    expect([inPicture.code, inPicture.left]).toEqual([null, [30]]);
    expect(inPicture.work.bytes).toBeLessThan(5 * picture.length);
  }, 60_000);
});

describe('Asset extraction', () => {
  function extract(text: string, size: number) {
    const extractor = new AssetExtractor();
    for (const piece of inPieces(encodeText(text), size)) extractor.push(piece);
    return {
      remaining: extractor.remaining.map((piece) => new TextDecoder('latin1').decode(piece)).join(''),
      places: extractor.extracted.map(({ assetIndex: place }) => place),
      extracted: extractor.extracted.map(({ from, to }) => text.slice(from, to)),
    };
  }
  const inCard = (assets: string): string =>
    `{"spec":"x","data":{"name":"a","assets":${assets},"uri":"data:n"}}`;

  test.each([
    ['[{"uri":"data:a"}]', '[{"uri":"ccdefault:"}]', [0], ['data:a']],
    [
      '[{"type":"x","uri" : "data:a\\"b","n":1}]',
      '[{"type":"x","uri" : "ccdefault:","n":1}]',
      [0],
      ['data:a\\"b'],
    ],
    ['["data:a",{"uri":"data:b"}]', '["data:a",{"uri":"ccdefault:"}]', [1], ['data:b']],
    [
      '[{"uri":"data:a"},{"uri":"dat"},{"uri":"data:c"}]',
      '[{"uri":"ccdefault:"},{"uri":"dat"},{"uri":"ccdefault:"}]',
      [0, 2],
      ['data:a', 'data:c'],
    ],
    ['[{"uri":"x","name":"data:a"}]', null, [], []],
    ['[{"uri":["data:a"]}]', null, [], []],
    ['[{"uri":{"uri":"data:a"}}]', null, [], []],
    ['[[{"uri":"data:a"}]]', null, [], []],
    ['{"uri":"data:a"}', null, [], []],
    ['[{"u\\"uri":"data:a"}]', null, [], []],
    ['[{"uri":"]}","x":"{[","y":"uri"},{"z":"uri","w":"data:a"}]', null, [], []],
  ])('only assets of the card are extracted: %s', (assets, remaining, places, extracted) => {
    for (const size of [1, 2, 3, 7, 1000]) {
      expect(extract(inCard(assets), size)).toEqual({
        remaining: inCard(remaining ?? assets),
        places,
        extracted,
      });
    }
  });
});
