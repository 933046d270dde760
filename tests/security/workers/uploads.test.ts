import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createOwnCharacter } from '../../support/character-actions.ts';
import { publishDraft } from '../../support/card-actions.ts';
import { addCharacter, listMessages, createAccount, Visitor } from '../../support/factories.ts';
import type { ImportedCard } from '../../../src/features/cards/contract.ts';
import { CARD_CORPUS, CHAT_CORPUS, PICTURE_CORPUS, SCRIPT } from '../files-corpus.ts';
import { expectContract } from '../refusals.ts';
import { buildFileForm } from '../fixture.ts';

/** In ms: far above what reading any of the files takes, far below what would block a Worker. */
const MAX_READ_MS = 20_000;

/** The content types of pictures, by their first bytes. */
const SIGNATURES: [RegExp, string][] = [
  [/^.PNG\r\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF[\s\S]{4}WEBP/, 'image/webp'],
  [/^[\s\S]{4}ftypavi[fs]/, 'image/avif'],
];

const decodeLatin1 = (bytes: ArrayBuffer): string => new TextDecoder('latin1').decode(bytes);

let me: Visitor;
beforeEach(async () => {
  me = await createAccount();
});

/** Checks that no object was stored under an unexpected key. */
afterEach(async () => {
  const { objects } = await env.MEDIA.list();
  const odd = objects
    .map(({ key }) => key)
    .filter(
      (key) =>
        !/^(?:(?:list\/)?[0-9a-f]{32}\.(?:png|jpg|gif|webp|avif)|cards\/[\w./-]+)$/.test(key) ||
        key.includes('..'),
    );
  expect(odd).toEqual([]);
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

/** Expects that a picture is served as a picture, with headers that block scripts. */
async function expectHarmless(address: string, viewer: Visitor): Promise<void> {
  const answer = await viewer.call(address);
  const text = decodeLatin1(await answer.arrayBuffer());
  const type = SIGNATURES.find(([signature]) => signature.test(text))?.[1];
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': type,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  });
  expect(text).not.toContain(SCRIPT);
  expect(text).not.toMatch(/<(?:script|svg|html|!doctype|body|\?php)|alert\(|javascript:/i);
}

async function measureWithin<T>(work: Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const done = await work;
  expect(performance.now() - startedAt).toBeLessThan(MAX_READ_MS);
  return done;
}

describe('Uploaded portraits', () => {
  test.each(PICTURE_CORPUS)(
    'a portrait is refused or served as a picture only: %s',
    async (what, createFile) => {
      const bytes = createFile();
      for (const name of ['me.png', '../../evil.html', 'me.svg', 'a".png\r\nx: y', 'me.php\0.png']) {
        const answer = await measureWithin(
          me.call('/api/uploads/avatar', { body: buildFileForm(bytes, {}, name) }),
        );
        if (answer.status !== 201) {
          const { status } = answer;
          await expectContract({ what, name }, answer);
          expect([400, 413, 415, 422]).toContain(status);
          continue;
        }
        const { avatar_id, url } = await answer.json<{ avatar_id: string; url: string }>();
        expect(avatar_id).toMatch(/^[0-9a-f]{32}\.(?:png|jpg|gif|webp|avif)$/);
        await expectHarmless(url, me);
      }
    },
  );

  test('pages, programs, drawings and films are never stored as portraits', async () => {
    const otherFiles = PICTURE_CORPUS.filter(([what]) =>
      /^(?:an SVG|a page|a PDF|a film|a bitmap|an icon|a TIFF|a program|an archive|a shell|noise)/.test(what),
    );
    expect(otherFiles.length).toBeGreaterThan(20);
    for (const [what, createFile] of otherFiles) {
      const { status } = await me.call('/api/uploads/avatar', { body: buildFileForm(createFile()) });
      expect({ what, status }).toSatisfy(({ status: got }) => [413, 415, 422].includes(got));
    }
    expect(
      await env.DB.prepare('select count(*) as n from pictures where owner_id = ?').bind(me.id).first('n'),
    ).toBe(0);
  });
});

describe('Malformed multipart forms', () => {
  const buildPart = (name: string, body: string, more = '') =>
    `--b\r\nContent-Disposition: form-data; name="${name}"; filename="x.png"${more}\r\nContent-Type: image/png\r\n\r\n${body}\r\n`;
  test.each([
    ['without an end', buildPart('file', 'x')],
    ['without a beginning', 'x\r\n--b--\r\n'],
    [
      'nested in itself',
      buildPart('file', `${buildPart('file', 'x')}--b--`, '\r\nContent-Type: multipart/mixed; boundary=b'),
    ],
    ['with 20,000 parts', `${buildPart('a', '').repeat(20_000)}--b--\r\n`],
    ['with a header of 200 kB', buildPart('file', 'x', `; y="${'z'.repeat(200_000)}"`)],
    ['with a line in a name', buildPart('file"\r\nx: y; a="', 'x')],
    ['with a path for a name', buildPart('../../file', 'x')],
    ['with a NUL in a name', buildPart('file\0', 'x')],
    ['with the name of an object property', buildPart('__proto__', 'x')],
    ['consisting of noise', '\0\u0001\u0002\r\n--b\r\n\r\n\r\n--b'],
    ['that is empty', ''],
  ])('a malformed multipart form is refused: %s', async (what, body) => {
    for (const path of ['/api/uploads/avatar', '/api/characters/import', '/api/conversations/import']) {
      for (const boundary of ['b', '"b"', '', 'b; boundary=c', 'x'.repeat(300)]) {
        const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
        const answer = await measureWithin(me.call(path, { method: 'POST', body, headers }));
        const { status } = answer;
        await expectContract({ what, path, boundary: boundary.slice(0, 20) }, answer);
        expect(status).toBeGreaterThanOrEqual(400);
      }
    }
  });
});

describe('Imported cards', () => {
  test.each(CARD_CORPUS)('a card is refused or read as text only: %s', async (what, createFile) => {
    const bytes = createFile();
    const answer = await measureWithin(
      me.call('/api/characters/import', { body: buildFileForm(bytes, {}, '../../card.json') }),
    );
    if (answer.status !== 200) {
      const { status } = answer;
      await expectContract({ what }, answer);
      expect([400, 413, 415, 422]).toContain(status);
      return;
    }
    const card = await answer.json<ImportedCard>();
    expect(card.draft.avatar_url ?? '').not.toMatch(/^(?:https?:|data:|file:|\/\/)/);
    if (card.draft.avatar_url) await expectHarmless(card.draft.avatar_url, me);
    // Its export is a download and is never displayed.
    const portrait = card.draft.avatar_id ?? (await createOwnCharacter(me)).avatar_url.replace('/media/', '');
    const published = await publishDraft(me, card, {
      avatar_id: portrait,
      name: card.draft.name || 'Mira',
      character_traits: card.draft.character_traits || 'Quiet.',
      visibility: 'public',
    });
    for (const format of ['json', 'png']) {
      const file = await new Visitor().call(`/api/characters/${published.id}/card?format=${format}`);
      expect(Object.fromEntries(file.headers)).toMatchObject({
        'content-disposition': expect.stringMatching(/^attachment; filename=/),
        'content-type': format === 'png' ? 'image/png' : expect.stringContaining('application/json'),
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
      });
      await file.body?.cancel();
    }
  });
});

describe('Imported chat files', () => {
  test.each(CHAT_CORPUS)('a chat file is refused or read as text only: %s', async (what, createFile) => {
    const bytes = createFile();
    const character_id = await addCharacter();
    const answer = await measureWithin(
      me.call('/api/conversations/import', { body: buildFileForm(bytes, { character_id }, 'x.jsonl') }),
    );
    if (answer.status !== 201) {
      const { status } = answer;
      await expectContract({ what }, answer);
      expect([400, 413, 415, 422]).toContain(status);
      return;
    }
    const { conversation } = await answer.json<{ conversation: { id: string } }>();
    for (const { content } of await listMessages(me, conversation.id))
      expect(content).toEqual(expect.any(String));
    for (const format of ['jsonl', 'md']) {
      const file = await me.call(`/api/conversations/${conversation.id}/export?format=${format}`);
      expect(Object.fromEntries(file.headers)).toMatchObject({
        'content-disposition': expect.stringMatching(/^attachment; filename=/),
        'x-content-type-options': 'nosniff',
      });
      await file.body?.cancel();
    }
  });
});
