import { type Context, Hono } from 'hono';
import { describeRoute, resolver } from 'hono-openapi';
import { BODY_LIMITS } from '../../../config/body-limits.ts';
import { opens } from '../../../features/character/character-store.ts';
import { draftOf } from '../../../features/cards/card-draft.ts';
import { type CardPicture, readCardFile } from '../../../features/cards/card-file.ts';
import { cardNoteOf } from '../../../features/cards/card-notes.ts';
import {
  extrasOfBrought,
  keepOriginal,
  originalOf,
  removeGoingCards,
} from '../../../features/cards/card-gateway.ts';
import { extrasOf } from '../../../features/cards/card-shape.ts';
import { countBringing } from '../../../features/cards/card-store.ts';
import { cardSourceOf, ownLorebook } from '../../../features/cards/card-source-store.ts';
import {
  type CardDraft,
  type CardNote,
  cardQuery,
  importedCard,
  importedExtras,
} from '../../../features/cards/contract.ts';
import { extrasOnWire } from '../../../features/character/definition.ts';
import { type Lorebook, lorebookBody } from '../../../features/character/lorebook/lorebook-contract.ts';
import { Pieces } from '../../../features/cards/chunked-bytes.ts';
import { attachment, plainName } from '../../../features/conversation/files/chat-file-name.ts';
import { cleanPicture } from '../../../features/picture/picture.ts';
import { newId } from '../../../lib/ids.ts';
import { charxFile, jsonFile, type OutFile, pngFile } from '../../../services/card-files.ts';
import { changeOwn, viewerOf } from './characters.ts';
import { type ApiEnv, serviceContext } from '../../middleware/context.ts';
import { answers, REFUSALS } from '../../openapi/openapi-route.ts';
import { requireAccount, requireCaller } from '../../middleware/guards.ts';
import { refuseTexts, textsOfCharacter } from '../../../services/moderate-input.ts';
import { boundaryOf, readForm } from '../../middleware/multipart.ts';
import { Problem, secondsUntil, throwRefused } from '../../middleware/problems.ts';
import { keepForOwner } from './uploads.ts';
import { valid } from '../../middleware/validate.ts';

const binary = { schema: { type: 'string' as const, format: 'binary' } };

/** Characters as files: out of the product, and into it. Before `/characters/:id`. */
export const cards = new Hono<ApiEnv>()
  .post(
    '/import',
    describeRoute({
      summary: 'Read a Character Card V1, V2 or V3 out of a PNG, APNG, JSON or CharX file, for the form',
      requestBody: {
        required: true,
        content: {
          'multipart/form-data': {
            schema: { type: 'object', required: ['file'], properties: { file: binary.schema } },
          },
        },
      },
      responses: {
        200: {
          description: 'What the form would be filled with, and what could not be taken as it was',
          content: { 'application/json': { schema: resolver(importedCard) } },
        },
        ...REFUSALS,
      },
    }),
    async (c) => {
      const { user } = await requireAccount(c);
      const now = Date.now();
      const importId = newId(now);
      const retryAt = await countBringing(c.get('db'), { id: importId, ownerId: user.id, now });
      if (retryAt !== null) throw new Problem('too_many_requests', {}, secondsUntil(retryAt, now));
      const read = readCardFile(new Pieces(await readFile(c)));
      if (!read.ok) throw new Problem(read.code);
      const { draft: texts, notes } = draftOf(read.card, read.told);
      const extras = extrasOnWire(extrasOf(read.card));
      // Its picture is kept only after that: nothing of a card that is refused stays.
      const written = textsOfCharacter({ ...texts, ...extras });
      const seen = { place: 'import', adult: texts.nsfw_allowed, seen: 'self' } as const;
      throwRefused(await refuseTexts(serviceContext(c), user.id, written, seen));
      const picture = await keepPortrait(c, user.id, read.picture);
      if (texts.nsfw_allowed && c.get('settings').spicyMode === 'off') {
        texts.nsfw_allowed = false;
        notes.push(cardNoteOf('explicit_left'));
      } else if (texts.nsfw_allowed && !user.spicy_mode) notes.push(cardNoteOf('spicy_mode_needed'));
      const draft: CardDraft = { ...picture.fields, ...texts };
      await keep(c, { id: importId, ownerId: user.id, json: read.json, draft, now });
      return c.json({
        draft,
        extras,
        notes: [...picture.notes, ...notes],
        import_id: importId,
      });
    },
  )
  .get(
    '/import/:id',
    answers('What a card that was brought has beside its draft', { 200: importedExtras }),
    async (c) => {
      const { user } = await requireCaller(c);
      const brought = { importId: c.req.param('id'), ownerId: user.id };
      const extras = await extrasOfBrought(c.get('db'), c.env, brought);
      if (extras === null) throw new Problem('not_found');
      return c.json({ extras: extrasOnWire(extras) });
    },
  )
  .get(
    '/:id/card',
    describeRoute({
      summary: 'A character as a card',
      responses: {
        200: {
          description: 'A picture with both versions in it, one version as JSON, or a CharX',
          content: {
            'image/png': binary,
            'application/json': { schema: { type: 'object' } },
            'application/zip': binary,
          },
        },
        ...REFUSALS,
      },
    }),
    valid('query', cardQuery),
    async (c) => {
      const caller = await c.get('caller')();
      const { id } = c.req.param();
      const { format, spec } = c.req.valid('query');
      const db = c.get('db');
      const source = await cardSourceOf(db, id, opens(viewerOf(caller)));
      if (source === null) throw new Problem('not_found');
      const own = source.creatorId === caller?.user.id;
      const came = own ? await originalOf(c.env, db, id) : null;
      const wish = { source: own ? source : { ...source, visibility: null }, came, media: c.env.MEDIA };
      const file: OutFile =
        format === 'png'
          ? await pngFile(wish)
          : format === 'charx'
            ? await charxFile(wish)
            : jsonFile(wish, spec);
      const name = `${plainName([source.name]) || 'character'}.${format}`;
      return c.body(file.bytes, 200, { 'content-type': file.type, 'content-disposition': attachment(name) });
    },
  )
  .get(
    '/:id/lorebook',
    answers('The lorebook of a character of one’s own', { 200: lorebookBody }),
    async (c) => {
      const { user } = await requireCaller(c);
      const book = await ownLorebook(c.get('db'), { id: c.req.param('id'), ownerId: user.id });
      if (book === undefined) throw new Problem('not_found');
      return c.json({ book: bookOf(book) });
    },
  )
  .put(
    '/:id/lorebook',
    answers('Change the lorebook of a character of one’s own', { 200: lorebookBody }),
    valid('json', lorebookBody),
    async (c) => {
      const { user } = await requireCaller(c);
      const { book } = c.req.valid('json');
      await changeOwn(c, user, { id: c.req.param('id'), change: { lorebook: book } });
      return c.json({ book });
    },
  );

// ── in ──

async function readFile(c: Context<ApiEnv>): Promise<Uint8Array[]> {
  const { body } = c.req.raw;
  const boundary = boundaryOf(c.req.header('content-type') ?? '');
  if (body === null) throw noFile();
  if (boundary === null) throw new Problem('invalid_input');
  const read = await readForm(body, boundary, {
    fileField: 'file',
    maxFileBytes: BODY_LIMITS.card,
    maxFrameBytes: BODY_LIMITS.formFrame,
  });
  if (!read.ok) throw new Problem(read.code === 'too_large' ? 'card_too_large' : read.code);
  // A browser sends an empty file where none was chosen.
  if (read.form.file === null || read.form.file.length === 0) throw noFile();
  return read.form.file;
}

const noFile = () => new Problem('invalid_input', { fields: { file: ['Choose a card'] } });

/** Keeps a card's picture as a portrait. One that cannot be taken is told of, and no reason to refuse the card. */
async function keepPortrait(
  c: Context<ApiEnv>,
  ownerId: string,
  picture: CardPicture,
): Promise<{ fields: Pick<CardDraft, 'avatar_id' | 'avatar_url'>; notes: CardNote[] }> {
  const without = (code: CardNote['code']) => ({
    fields: { avatar_id: null, avatar_url: null },
    notes: [cardNoteOf(code, { field: 'avatar_id' })],
  });
  if (picture.kind === 'none') return without('picture_missing');
  if (picture.kind === 'too_large' || picture.bytes.length > BODY_LIMITS.avatar) {
    return without('picture_too_large');
  }
  const clean = cleanPicture(picture.bytes);
  if (!clean.ok) return without(clean.reason === 'dimensions' ? 'picture_too_large' : 'picture_unreadable');
  try {
    const key = await keepForOwner(c, ownerId, clean);
    return { fields: { avatar_id: key, avatar_url: `/media/${key}` }, notes: [] };
  } catch (error) {
    if (error instanceof Problem && error.code === 'too_many_requests') return without('picture_later');
    throw error;
  }
}

/** Keeps what came for whoever makes a character of it. */
async function keep(c: Context<ApiEnv>, card: Parameters<typeof keepOriginal>[2]): Promise<void> {
  const db = c.get('db');
  const going = await keepOriginal(c.env, db, card);
  if (going === null) throw new Problem('unauthenticated');
  c.executionCtx.waitUntil(removeGoingCards(c.env, db, going));
}

const bookOf = (json: string | null): Lorebook | null =>
  json === null ? null : (JSON.parse(json) as Lorebook);
