import { type Context, Hono } from 'hono';
import { describeRoute, resolver } from 'hono-openapi';
import { BODY_LIMITS } from '../../../config/body-limits.ts';
import { isVisibleTo } from '../../../features/character/character-store.ts';
import { buildCardDraft } from '../../../features/cards/card-draft.ts';
import { type CardPicture, readCardFile } from '../../../features/cards/card-file.ts';
import { createCardNote } from '../../../features/cards/card-notes.ts';
import {
  getImportedExtras,
  storeOriginal,
  getOriginalCard,
  removeExpiredCards,
} from '../../../features/cards/card-gateway.ts';
import { getCardDefinition, getCardExtras } from '../../../features/cards/card-fields.ts';
import {
  getCardSource,
  getOwnLorebook,
  type StoredCardSource,
} from '../../../features/cards/card-source-store.ts';
import {
  type CardDraft,
  type CardNote,
  cardQuery,
  importedCard,
  importedExtras,
} from '../../../features/cards/contract.ts';
import { toExtrasView } from '../../../features/character/definition.ts';
import {
  parseDefinition,
  selectSharedParts,
  toDefinition,
} from '../../../features/character/definition-parts.ts';
import { removeDisabledEntries } from '../../../features/character/lorebook/lorebook.ts';
import { type Lorebook, lorebookBody } from '../../../features/character/lorebook/lorebook-contract.ts';
import { ChunkedBytes } from '../../../features/cards/chunked-bytes.ts';
import {
  buildContentDisposition,
  sanitizeFileName,
} from '../../../features/conversation/files/chat-file-name.ts';
import { sanitizePicture } from '../../../features/picture/picture.ts';
import { createId } from '../../../lib/ids.ts';
import {
  buildCharxFile,
  buildJsonFile,
  type ExportedFile,
  buildPngFile,
} from '../../../services/card-files.ts';
import { updateOwnCharacter, toViewer } from './characters.ts';
import { type ApiEnv, type Caller, toServiceContext } from '../../middleware/context.ts';
import { describeResponses, ERROR_RESPONSES } from '../../openapi/openapi-route.ts';
import { requireAccount, requireCaller } from '../../middleware/guards.ts';
import { checkTexts, listCharacterTexts } from '../../../services/moderate-input.ts';
import { limitDailyImports } from '../../middleware/import-quota.ts';
import { Problem, throwRefused, toProblem } from '../../middleware/problems.ts';
import { isExistingUser } from '../../../features/account/account-store.ts';
import { type ReceivedForm, receiveForm } from '../../middleware/upload.ts';
import type { SessionUser } from '../../../features/account/contract.ts';
import { getStorageLimit } from '../../../features/storage/storage.ts';
import { createStorageRefusal } from '../../../services/storage/reserve-storage.ts';
import { storeUploadedPicture } from './uploads.ts';
import { validateRequest } from '../../middleware/validate.ts';

const binary = { schema: { type: 'string' as const, format: 'binary' } };

/** Import and export of character cards. Mounted before `/characters/:id`. */
export const cards = new Hono<ApiEnv>()
  .post(
    '/import',
    describeRoute({
      summary: 'Read a character from a file into a draft: a card (V1, V2 or V3), or one of another program',
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
          description: 'A draft for the form, and notes on what was not imported unchanged',
          content: { 'application/json': { schema: resolver(importedCard) } },
        },
        ...ERROR_RESPONSES,
      },
    }),
    async (c) => {
      const { user } = await requireAccount(c);
      await limitDailyImports(c, user.id, 'file');
      const form = {
        fileField: 'file',
        maxFileBytes: BODY_LIMITS.card,
        maxFrameBytes: BODY_LIMITS.formFrame,
        createMissingProblem: createMissingFileProblem,
      };
      const imported = await receiveForm(c, user, form, (received) => importCard(c, user, received)).catch(
        (error: unknown) => {
          throw error instanceof Problem && error.code === 'too_large'
            ? new Problem('card_too_large')
            : error;
        },
      );
      return c.json(imported);
    },
  )
  .get(
    '/import/:id',
    describeResponses('Get the data of an imported card that its draft does not contain', {
      200: importedExtras,
    }),
    async (c) => {
      const { user } = await requireCaller(c);
      const importRef = { importId: c.req.param('id'), ownerId: user.id };
      const extras = await getImportedExtras(c.get('db'), c.env, importRef);
      if (extras === null) throw new Problem('not_found');
      return c.json({
        extras: toExtrasView(extras),
        definition: toDefinition(parseDefinition(extras.definition)),
      });
    },
  )
  .get(
    '/:id/card',
    describeRoute({
      summary: 'Export a character as a card',
      responses: {
        200: {
          description: 'A PNG that contains both card versions, one version as JSON, or a CharX archive',
          content: {
            'image/png': binary,
            'application/json': { schema: { type: 'object' } },
            'application/zip': binary,
          },
        },
        ...ERROR_RESPONSES,
      },
    }),
    validateRequest('query', cardQuery),
    async (c) => {
      const caller = await c.get('caller')();
      const { id } = c.req.param();
      const { format, spec } = c.req.valid('query');
      const db = c.get('db');
      const source = await getCardSource(db, id, isVisibleTo(toViewer(caller)));
      if (source === null) throw new Problem('not_found');
      const own = source.creatorId === caller?.user.id;
      const came = own ? await getOriginalCard(c.env, db, id) : null;
      const exportInput = {
        source: own ? source : selectReadable(source, caller),
        came,
        media: c.env.MEDIA,
      };
      const file: ExportedFile =
        format === 'png'
          ? await buildPngFile(exportInput)
          : format === 'charx'
            ? await buildCharxFile(exportInput)
            : buildJsonFile(exportInput, spec);
      const name = `${sanitizeFileName([source.name]) || 'character'}.${format}`;
      return c.body(file.bytes, 200, {
        'content-type': file.type,
        'content-disposition': buildContentDisposition(name),
      });
    },
  )
  .get(
    '/:id/lorebook',
    describeResponses('Get the lorebook of one of the user’s characters', { 200: lorebookBody }),
    async (c) => {
      const { user } = await requireCaller(c);
      const book = await getOwnLorebook(c.get('db'), { id: c.req.param('id'), ownerId: user.id });
      if (book === undefined) throw new Problem('not_found');
      return c.json({ book: parseLorebook(book) });
    },
  )
  .put(
    '/:id/lorebook',
    describeResponses('Replace the lorebook of one of the user’s characters', { 200: lorebookBody }),
    validateRequest('json', lorebookBody),
    async (c) => {
      const { user } = await requireCaller(c);
      const { book } = c.req.valid('json');
      await updateOwnCharacter(c, user, { id: c.req.param('id'), change: { lorebook: book } });
      return c.json({ book });
    },
  );

/**
 * Returns what a caller may download of someone else's character: without disabled lorebook entries, and with the open parts
 * of its definition only for accounts.
 */
const selectReadable = (source: StoredCardSource, caller: Caller | null): StoredCardSource => ({
  ...source,
  visibility: null,
  lorebook: removeDisabledEntries(source.lorebook ?? null),
  definition:
    caller === null || caller.user.is_anonymous ? null : selectSharedParts(source.definition ?? null),
});

// ── Import ──

/** Reads a card into a draft, and stores its portrait and its original. @throws Problem */
async function importCard(c: Context<ApiEnv>, user: SessionUser, { file }: ReceivedForm) {
  // Browsers send an empty file when none was chosen.
  if (file === null || file.isEmpty) throw createMissingFileProblem();
  const now = Date.now();
  const importId = createId(now);
  const read = readCardFile(new ChunkedBytes(await file.readAll()));
  if (!read.ok) throw new Problem(read.code);
  const { draft: texts, notes } = buildCardDraft(read.card, read.info);
  const extras = toExtrasView(getCardExtras(read.card));
  const definition = toDefinition(getCardDefinition(read.card));
  // Check the texts before storing the picture, so that nothing of a refused card remains.
  const written = listCharacterTexts({ ...texts, ...extras, definition });
  const seen = { place: 'import', adult: texts.nsfw_allowed, seen: 'self' } as const;
  throwRefused(await checkTexts(toServiceContext(c), user.id, written, seen));
  const picture = await savePortrait(c, user, read.picture);
  if (texts.nsfw_allowed && c.get('settings').spicyMode === 'off') {
    texts.nsfw_allowed = false;
    notes.push(createCardNote('explicit_left'));
  } else if (texts.nsfw_allowed && !user.spicy_mode) notes.push(createCardNote('spicy_mode_needed'));
  const draft = { ...picture.fields, ...texts };
  await saveOriginalCard(c, user, { id: importId, json: read.json, metadata: read.metadata, draft, now });
  return {
    draft: { ...draft, definition } satisfies CardDraft,
    extras,
    notes: [...picture.notes, ...notes],
    import_id: importId,
  };
}

const createMissingFileProblem = () => new Problem('invalid_input', { fields: { file: ['Choose a card'] } });

/** Stores a card's picture as a portrait. A picture that cannot be used becomes a note and does not refuse the card. */
async function savePortrait(
  c: Context<ApiEnv>,
  user: SessionUser,
  picture: CardPicture,
): Promise<{ fields: Pick<CardDraft, 'avatar_id' | 'avatar_url'>; notes: CardNote[] }> {
  const omitPortrait = (code: CardNote['code']) => ({
    fields: { avatar_id: null, avatar_url: null },
    notes: [createCardNote(code, { field: 'avatar_id' })],
  });
  if (picture.kind === 'none') return omitPortrait('picture_missing');
  if (picture.kind === 'too_large' || picture.bytes.length > BODY_LIMITS.avatar) {
    return omitPortrait('picture_too_large');
  }
  const clean = sanitizePicture(picture.bytes);
  if (!clean.ok)
    return omitPortrait(clean.reason === 'dimensions' ? 'picture_too_large' : 'picture_unreadable');
  const key = await storeUploadedPicture(c, user, clean);
  return { fields: { avatar_id: key, avatar_url: `/media/${key}` }, notes: [] };
}

/** Stores the original for the creation of a character from it. */
async function saveOriginalCard(
  c: Context<ApiEnv>,
  user: SessionUser,
  card: Omit<Parameters<typeof storeOriginal>[2], 'ownerId' | 'maxBytes'>,
): Promise<void> {
  const db = c.get('db');
  const maxBytes = getStorageLimit(user).bytes;
  const releasedKeys = await storeOriginal(c.env, db, { ...card, ownerId: user.id, maxBytes });
  if (releasedKeys === null) throw await createUnstoredProblem(c, user);
  c.executionCtx.waitUntil(removeExpiredCards(c.env, db, releasedKeys));
}

/** Why an original was not stored: its owner was deleted, or has no room for it. */
async function createUnstoredProblem(c: Context<ApiEnv>, user: SessionUser): Promise<Problem> {
  const db = c.get('db');
  if (!(await isExistingUser(db, user.id))) return new Problem('unauthenticated');
  return toProblem(await createStorageRefusal(db, user));
}

const parseLorebook = (json: string | null): Lorebook | null =>
  json === null ? null : (JSON.parse(json) as Lorebook);
