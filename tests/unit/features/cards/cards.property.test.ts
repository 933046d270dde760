// Exports and imports generated cards, and checks that arbitrary bytes at worst end in an error. Over 400 lines: all properties
// share the same generators.
import { dequal } from 'dequal';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildCharxFile, buildJsonFile, buildPngFile } from '../../../../src/services/card-files.ts';
import { CARD, TAGS } from '../../../../src/features/character/limits.ts';
import { TEXT_LIMITS } from '../../../../src/config/text-limits.ts';
import { decodeBase64, encodeBase64 } from '../../../../src/features/cards/base64.ts';
import { buildCardDraft } from '../../../../src/features/cards/card-draft.ts';
import { readCardFile, type CardFileResult } from '../../../../src/features/cards/card-file.ts';
import type { StoredCardSource } from '../../../../src/features/cards/card-source-store.ts';
import {
  getCardDefinition,
  getCardExtras,
  getCardPart,
  getCardStyle,
  omitFields,
} from '../../../../src/features/cards/card-fields.ts';
import { ChunkedBytes, WorkCounter } from '../../../../src/features/cards/chunked-bytes.ts';
import {
  DEFINITION_PARTS,
  type DefinitionPart,
  MAX_PART_CHARS,
} from '../../../../src/features/character/definition-parts.ts';
import { isSuggestedReply } from '../../../../src/features/character/character-rules.ts';
import { characterChange } from '../../../../src/features/character/contract.ts';
import {
  LIVELINESS_STEPS,
  MAX_NOTE_DEPTH,
  REPLY_LENGTHS,
  REPLY_WORDS,
} from '../../../../src/features/reply-style/reply-style.ts';
import { hasVisibleText } from '../../../../src/lib/sanitize-text.ts';
import { buildCardSource } from '../../../support/card-source.ts';
import {
  encodeText,
  packCharx,
  encodeCard,
  buildPng,
  buildTextChunk,
  V1,
  V2,
  V3,
  buildCompressedTextChunk,
} from '../../../support/card-files.ts';
import { AGNAI, buildByaf, PYGMALION, TEXTGEN } from '../../../support/other-formats.ts';
import { PICTURES } from '../../../support/pictures.ts';

const read = (bytes: Uint8Array, work = new WorkCounter()): CardFileResult =>
  readCardFile(new ChunkedBytes([bytes.subarray(0, 5), bytes.subarray(5)], work));
function readOrFail(bytes: Uint8Array): CardFileResult & { ok: true } {
  const file = read(bytes);
  if (!file.ok) throw new Error(file.code);
  return file;
}

/** Text as users write it, with characters that do not belong there. */
const text = (max: number) =>
  fc
    .oneof(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.string({ unit: 'binary', maxLength: 40 }))
    .map((written) => written.replaceAll(/\r\n?/g, '\n').trim().slice(0, max).toWellFormed().trim());
const visible = (max: number) => text(max).filter(hasVisibleText);
const oneLine = (max: number) =>
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: max / 4 })
    .map((name) => `A${name.replaceAll(/[\p{C}\p{Z}\p{M}]/gu, '')}`);

/** Parts as they are stored after an import: only those with a text. */
const definition = fc
  .subarray([...DEFINITION_PARTS], { minLength: 1 })
  .chain((parts) =>
    fc.record(
      Object.fromEntries(
        parts.map((part) => [part, fc.record({ text: visible(80), shared: fc.constant(false) })]),
      ),
    ),
  );

/** Styles that differ from the default one. */
const replyStyle = fc.record({
  author_note: visible(TEXT_LIMITS.authorNote),
  author_note_depth: fc.integer({ min: 0, max: MAX_NOTE_DEPTH }),
  reply_length: fc.oneof(fc.constantFrom(...REPLY_LENGTHS), fc.integer(REPLY_WORDS)),
  liveliness: fc.oneof(
    fc.constantFrom(...LIVELINESS_STEPS),
    fc.integer({ min: 0, max: 200 }).map((hundredths) => hundredths / 100),
  ),
});

const KINDS = ['png', 'jpg', 'webp', 'gif', 'avif'] as const;
const character = (): fc.Arbitrary<StoredCardSource> =>
  fc.record({
    id: fc.uuid(),
    creatorId: fc.uuid(),
    name: oneLine(TEXT_LIMITS.characterName),
    oneliner: visible(TEXT_LIMITS.oneliner),
    characterTraits: visible(TEXT_LIMITS.characterTraits),
    firstMessage: text(TEXT_LIMITS.firstMessage),
    modelType: fc.constantFrom('roleplay', 'chatgpt'),
    visibility: fc.constantFrom('public', 'unlisted', 'private'),
    pointOfView: fc.constantFrom('normal', 'multiPeople', 'rpg', 'reverse'),
    nsfwAllowed: fc.boolean(),
    suggestedReplies: fc.subarray(['Who are you?', 'Tell me a story', '教えてください']),
    tags: fc.subarray([...TAGS]),
    freeTags: fc.subarray(['slow burn', '恋愛', 'c++', '👻']),
    creator: fc.string(),
    createdAt: fc.nat(4e12),
    updatedAt: fc.nat(4e12),
    avatarKey: fc.constantFrom(...KINDS).map((kind) => `picture.${kind}`),
    alternateGreetings: fc.array(visible(TEXT_LIMITS.firstMessage), { maxLength: 3 }),
    nickname: fc.option(oneLine(CARD.maxNicknameChars)),
    definition: fc.option(definition),
    recommendedStyle: fc.option(replyStyle),
    lorebook: fc.option(
      fc
        .record({
          entries: fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { minLength: 1 }),
          more: fc.jsonValue(),
        })
        .map((book) => JSON.stringify(book)),
    ),
  });

/** Portraits by their file type. */
const media = {
  get: (key: string) => {
    const bytes = PICTURES[key.split('.')[1] as keyof typeof PICTURES];
    return Promise.resolve({ arrayBuffer: () => Promise.resolve(bytes.slice().buffer) });
  },
} as unknown as R2Bucket;

/** The character that an imported card gives, in the field names of the source. */
function importCharacter(file: CardFileResult & { ok: true }) {
  const { draft, notes } = buildCardDraft(file.card);
  return {
    ...draft,
    ...getCardExtras(file.card),
    definition: getCardDefinition(file.card),
    recommendedStyle: getCardStyle(file.card),
    notes: notes.filter(({ code }) => code !== 'lorebook_kept'),
  };
}

const expected = (source: StoredCardSource) => ({
  name: source.name,
  oneliner: source.oneliner,
  character_traits: source.characterTraits,
  first_message: source.firstMessage,
  model_type: source.modelType,
  visibility: source.visibility,
  point_of_view: source.pointOfView,
  nsfw_allowed: source.nsfwAllowed,
  suggested_replies: source.suggestedReplies,
  tags: source.tags,
  free_tags: source.freeTags,
  alternate_greetings: source.alternateGreetings,
  nickname: source.nickname,
  definition: source.definition,
  recommendedStyle: source.recommendedStyle,
  lorebook: source.lorebook,
  notes: [],
});

describe('Export and import', () => {
  test('a character is the same after export and import in every file format', async () => {
    await fc.assert(
      fc.asyncProperty(character(), async (source) => {
        const request = { source, came: null, media };
        const picture = PICTURES[source.avatarKey.split('.')[1] as keyof typeof PICTURES];
        for (const spec of ['v2', 'v3', undefined] as const) {
          expect(importCharacter(readOrFail(buildJsonFile(request, spec).bytes))).toEqual(expected(source));
        }
        for (const file of [await buildPngFile(request), await buildCharxFile(request)]) {
          const imported = readOrFail(file.bytes);
          expect(importCharacter(imported)).toEqual(expected(source));
          expect(imported.picture).toEqual({ kind: 'bytes', bytes: picture });
        }
      }),
      { numRuns: 25 },
    );
  }, 60_000);

  /** The place of each part in a card: its field in `data`, or a path within it. */
  const PLACES: Record<DefinitionPart, readonly string[]> = {
    description: ['description'],
    personality: ['personality'],
    scenario: ['scenario'],
    example_dialogue: ['mes_example'],
    instructions: ['system_prompt'],
    post_history_instructions: ['post_history_instructions'],
    depth_prompt: ['extensions', 'depth_prompt', 'prompt'],
    creator_notes: ['creator_notes'],
  };

  /** Returns a copy of an object with a value at a path. */
  function setAt(fields: object, [first = '', ...rest]: readonly string[], value: unknown): object {
    const before = (fields as Record<string, unknown>)[first];
    return { ...fields, [first]: rest.length === 0 ? value : setAt(before as object, rest, value) };
  }

  const card = (() => {
    const json = fc.jsonValue({ maxDepth: 3 });
    return fc
      .record({
        base: fc.constantFrom(V2, V3),
        texts: fc.record(Object.fromEntries(DEFINITION_PARTS.map((part) => [part, visible(300)]))),
        more: fc.dictionary(fc.string(), json),
        odd: json,
      })
      .map(({ base, texts, more, odd }) => {
        const data = Object.entries(texts).reduce(
          (fields: object, [part, written]) => setAt(fields, PLACES[part as DefinitionPart], written),
          { ...more, ...base.data, extensions: { ...base.data.extensions, odd } },
        );
        // A card is a file, and files have no negative zero.
        return JSON.parse(JSON.stringify({ ...base, data })) as typeof base;
      });
  })();

  /** The request for an export of an imported card with another text of a part. */
  function editPart(imported: CardFileResult & { ok: true }, part: DefinitionPart, written: string) {
    const draft = { ...buildCardDraft(imported.card).draft, avatar_id: 'picture.png', avatar_url: null };
    const edited = { ...getCardDefinition(imported.card), [part]: { text: written, shared: false } };
    const source = buildCardSource(imported.card, { definition: edited });
    return { source, came: { ...imported, draft }, media };
  }

  test('an edited part of an imported card is the only difference in its export', () => {
    fc.assert(
      fc.property(card, fc.constantFrom(...DEFINITION_PARTS), visible(300), (value, part, written) => {
        const imported = readOrFail(encodeText(JSON.stringify(value)));
        const { bytes } = buildJsonFile(editPart(imported, part, written), undefined);
        expect(JSON.parse(new TextDecoder().decode(bytes))).toEqual(
          setAt(value, ['data', ...PLACES[part]], written),
        );
      }),
      { numRuns: 100 },
    );
  }, 60_000);

  test('an edited part is the only difference in every format of a file', async () => {
    const formats = {
      json: (value: object) => encodeText(JSON.stringify(value)),
      png: (value: object) => buildPng(buildTextChunk('chara', encodeCard(value))),
      charx: (value: object) => packCharx(value),
    };
    const format = fc.constantFrom(...Object.values(formats));
    const parts = fc.constantFrom(...DEFINITION_PARTS);
    await fc.assert(
      fc.asyncProperty(card, parts, visible(300), format, async (value, part, written, pack) => {
        const request = editPart(readOrFail(pack(value)), part, written);
        const edited = { group_only_greetings: [], ...setAt(value.data, PLACES[part], written) };
        // Both files contain version 3, and a CharX names its portrait.
        for (const file of [await buildPngFile(request), await buildCharxFile(request)]) {
          const { data } = readOrFail(file.bytes).card;
          expect(omitFields(data, ['assets'])).toEqual(omitFields(edited, ['assets']));
        }
      }),
      { numRuns: 50 },
    );
  }, 60_000);

  test.each([
    ['agnai', encodeText(JSON.stringify(AGNAI))],
    ['Pygmalion', encodeText(JSON.stringify(PYGMALION))],
    ['text-generation-webui', encodeText(TEXTGEN)],
    ['Backyard AI', buildByaf()],
  ])('an edited part of a character from %s is the only difference in its export', (_, bytes) => {
    const imported = readOrFail(bytes);
    const parts = DEFINITION_PARTS.filter((part) => getCardPart(imported.card, part) !== '');
    expect(parts).toContain('description');
    for (const part of parts) {
      const { bytes: exported } = buildJsonFile(editPart(imported, part, 'Other words.'), undefined);
      expect(JSON.parse(new TextDecoder().decode(exported))).toEqual(
        setAt(imported.card.root, ['data', ...PLACES[part]], 'Other words.'),
      );
    }
  });

  test('an edited reply style of an imported card is the only difference in its export', () => {
    const own = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }));
    // Fields of a later version, and values that we do not understand, are kept until the style is edited.
    const stored = fc.oneof(
      fc.tuple(own, replyStyle).map(([more, style]) => ({ ...more, ...style })),
      fc.jsonValue({ maxDepth: 2 }),
      fc.constant(undefined),
    );
    fc.assert(
      fc.property(
        ...([fc.constantFrom(V2, V3), own, stored, replyStyle] as const),
        fc.option(replyStyle),
        (base, more, before, written, removed) => {
          const path = ['data', 'extensions', 'loreloom'];
          const withStyle = (style: unknown) => {
            const { recommended_style: _, ...others } = more;
            return setAt(base, path, style === undefined ? others : { ...others, recommended_style: style });
          };
          const imported = readOrFail(encodeText(JSON.stringify(withStyle(before))));
          const draft = {
            ...buildCardDraft(imported.card).draft,
            avatar_id: 'picture.png',
            avatar_url: null,
          };
          const after = removed === null && getCardStyle(imported.card) !== null ? null : written;
          const source = buildCardSource(imported.card, { recommendedStyle: after });
          const { bytes } = buildJsonFile({ source, came: { ...imported, draft }, media }, undefined);
          const isSame = dequal(after, getCardStyle(imported.card));
          expect(JSON.parse(new TextDecoder().decode(bytes))).toEqual(
            JSON.parse(JSON.stringify(withStyle(isSame ? before : (after ?? undefined)))),
          );
        },
      ),
      { numRuns: 100 },
    );
  }, 60_000);

  test('an edited part of a version 1 card stays a version 1 card', () => {
    for (const [part, field] of [
      ['description', 'description'],
      ['personality', 'personality'],
      ['scenario', 'scenario'],
      ['example_dialogue', 'mes_example'],
    ] as const) {
      const imported = readOrFail(encodeText(JSON.stringify(V1)));
      const { bytes } = buildJsonFile(editPart(imported, part, 'Anew.'), undefined);
      expect(JSON.parse(new TextDecoder().decode(bytes))).toEqual({ ...V1, [field]: 'Anew.' });
    }
  });

  test('an edit of the beginning of a part keeps what exceeds its limit', () => {
    const long = { ...V2, data: { ...V2.data, description: `${'a'.repeat(MAX_PART_CHARS)} and the end` } };
    const imported = readOrFail(encodeText(JSON.stringify(long)));
    const { bytes } = buildJsonFile(editPart(imported, 'description', 'Short'), undefined);
    expect(JSON.parse(new TextDecoder().decode(bytes))).toEqual(
      setAt(long, ['data', 'description'], 'Short and the end'),
    );
  });

  test('an unchanged imported card is exported byte for byte', async () => {
    const json = fc.jsonValue({ maxDepth: 4 });
    const cards = fc.oneof(
      fc.record({ name: visible(20), description: fc.string({ unit: 'binary' }), odd: json }),
      fc.constantFrom(V2, V3).chain((card) =>
        fc.record({
          ...Object.fromEntries(Object.entries(card).map(([name, value]) => [name, fc.constant(value)])),
          data: fc
            .record({
              more: fc.dictionary(fc.string(), json),
              traits: fc.string({ unit: 'binary', maxLength: 1500 }),
              extensions: json,
            })
            .map(({ more, traits, extensions }) => ({
              ...more,
              ...card.data,
              description: traits,
              extensions,
            })),
          beside: json,
        }),
      ),
    );
    await fc.assert(
      fc.asyncProperty(cards, fc.constantFrom(0, 1, 2), async (card, indent) => {
        const text = JSON.stringify(card, null, indent);
        const imported = readOrFail(encodeText(text));
        const draft = { ...buildCardDraft(imported.card).draft, avatar_id: 'picture.png', avatar_url: null };
        const source = buildCardSource(imported.card);
        const request = { source, came: { ...imported, draft }, media };
        expect(new TextDecoder().decode(buildJsonFile(request, undefined).bytes)).toBe(text);
        // The other version describes the same character, and nothing is lost.
        const inPicture = readOrFail((await buildPngFile(request)).bytes);
        expect(importCharacter(inPicture)).toEqual(importCharacter(imported));
        expect(inPicture.card.data).toMatchObject(imported.card.data);
      }),
      { numRuns: 40 },
    );
  }, 60_000);
});

describe('Malformed card files', () => {
  const nice = [
    encodeText(JSON.stringify(V3)),
    buildPng(buildTextChunk('chara', encodeCard(V2)), buildCompressedTextChunk('ccv3', encodeCard(V3))),
    packCharx(V3, { name: 'assets/icon.png', body: PICTURES.png }),
  ];

  /** Reads a file and checks that the work is proportional to its size and the unpacking limit. */
  function readBounded(bytes: Uint8Array): void {
    const work = new WorkCounter();
    const file = read(bytes, work);
    expect(work.bytes).toBeLessThan(8 * bytes.length + CARD.maxRatio * bytes.length + 200 * 1024);
    if (!file.ok) expect(file.code).toMatch(/^card_/);
    else expectFit(buildCardDraft(file.card).draft);
  }

  /** Checks that the API accepts the draft, except for missing fields. */
  function expectFit(draft: ReturnType<typeof buildCardDraft>['draft']): void {
    const filled = Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== ''));
    expect(characterChange.parse(filled)).toEqual(filled);
    expect(draft.suggested_replies.every(isSuggestedReply)).toBe(true);
  }

  test('arbitrary bytes are read or refused', () => {
    const starts = ['', '{', '\u0089PNG\r\n\u001a\n', 'PK\u0003\u0004', '\u00ff\u00d8\u00ff'].map((start) =>
      Uint8Array.from(start, (letter) => letter.charCodeAt(0)),
    );
    fc.assert(
      fc.property(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 300 }), (start, rest) =>
        readBounded(Uint8Array.from([...start, ...rest])),
      ),
      { numRuns: 500 },
    );
  }, 60_000);

  test('cards with wrong, missing or repeated bytes are read or refused', () => {
    const change = fc.record({
      file: fc.constantFrom(...nice),
      at: fc.array(fc.tuple(fc.nat(4000), fc.nat(255)), { maxLength: 4 }),
      from: fc.nat(4000),
      to: fc.nat(4000),
      how: fc.constantFrom('changed', 'cut', 'doubled', 'without'),
    });
    fc.assert(
      fc.property(change, ({ file, at, from, to, how }) => {
        const bytes = file.slice();
        for (const [place, value] of at) bytes[place % bytes.length] = value;
        const [start, end] = [Math.min(from, to) % bytes.length, Math.max(from, to) % bytes.length];
        if (how === 'changed') readBounded(bytes);
        if (how === 'cut') readBounded(bytes.subarray(0, start));
        if (how === 'doubled')
          readBounded(Uint8Array.from([...bytes.subarray(0, end), ...bytes.subarray(start)]));
        if (how === 'without')
          readBounded(Uint8Array.from([...bytes.subarray(0, start), ...bytes.subarray(end)]));
      }),
      { numRuns: 500 },
    );
  }, 60_000);

  test('any JSON in any field gives a draft that fits the form', () => {
    const odd = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.string({ unit: 'binary', maxLength: 3000 }));
    const fields = Object.fromEntries(Object.keys(V3.data).map((name) => [name, odd]));
    const card = fc.record({
      data: fc.record(
        { ...fields, name: fc.string({ unit: 'binary' }), description: odd },
        { requiredKeys: ['name', 'description'] },
      ),
    });
    fc.assert(
      fc.property(card, (value) => {
        const file = read(encodeText(JSON.stringify(value)));
        if (!file.ok) return;
        expectFit(buildCardDraft(file.card).draft);
        const { nickname, lorebook } = getCardExtras(file.card);
        expect(characterChange.shape.definition.parse(getCardDefinition(file.card) ?? {})).toBeDefined();
        expect((nickname ?? '').length).toBeLessThanOrEqual(CARD.maxNicknameChars);
        expect((lorebook ?? '').length).toBeLessThanOrEqual(CARD.lorebook.maxBytes);
      }),
      { numRuns: 200 },
    );
  }, 60_000);

  test('base64 with and without line breaks decodes to the original bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.integer({ min: 1, max: 9 }), (bytes, width) => {
        const text = new TextDecoder().decode(encodeBase64(bytes));
        expect(text).toBe(btoa(String.fromCharCode(...bytes)));
        const lines = text.replaceAll(new RegExp(`.{${width}}`, 'g'), '$&\r\n');
        expect(decodeBase64(encodeText(lines))).toEqual(bytes);
        expect(decodeBase64(encodeText(text.replaceAll('=', '')))).toEqual(bytes);
      }),
    );
  });
});
