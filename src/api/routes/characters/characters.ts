import { type Context, Hono } from 'hono';
import { z } from 'zod';
import type { SessionUser } from '../../../features/account/contract.ts';
import type { CharacterUpdateResult } from '../../../features/character/character-change-store.ts';
import {
  type CharacterChange,
  characterChange,
  characterDetail,
  characterList,
  createCharacterBody,
  creationHeaders,
  listCharactersQuery,
  MISSING_TRAITS_MESSAGE,
  type OwnCharacter,
  ownCharacter,
  searchSuggestions,
  sharedDefinition,
  suggestionsQuery,
} from '../../../features/character/contract.ts';
import {
  getCharacter,
  isVisibleTo,
  PUBLIC_VIEWER,
  type Viewer,
} from '../../../features/character/character-store.ts';
import {
  type DefinitionChange,
  hasPromptPart,
  mergeDefinition,
  type StoredDefinition,
  toDefinition,
} from '../../../features/character/definition-parts.ts';
import { readVisibleParts } from '../../../features/character/definition-store.ts';
import { checkExplicitTexts } from '../../../features/competition/explicit-store.ts';
import { listCharacters } from '../../../features/character/discovery/listing-store.ts';
import { forYouQuery, suggestionList } from '../../../features/character/discovery/suggestion-contract.ts';
import { suggestCharacters } from '../../../features/character/discovery/suggestion-store.ts';
import {
  getOwnCharacter as readOwnCharacter,
  restoreCharacter,
  moveCharacterToTrash,
} from '../../../features/character/own-character-store.ts';
import { getOwnLorebook } from '../../../features/cards/card-source-store.ts';
import { conversationList } from '../../../features/conversation/contract.ts';
import { listConversationsWith } from '../../../services/list-conversations.ts';
import { getSpicyModeCode } from '../../../features/conversation/character/character-state.ts';
import { MISSING_PICTURE_MESSAGE } from '../../../features/picture/contract.ts';
import { type ApiEnv, type Caller, toServiceContext } from '../../middleware/context.ts';
import { normalizeFreeTag } from '../../../features/character/free-tags.ts';
import { listFreeTagsByPrefix } from '../../../features/character/free-tag-store.ts';
import { SUGGESTIONS } from '../../../features/character/limits.ts';
import { applyFreeTagRules, readFreeTagRules } from '../../../services/free-tags.ts';
import { createCharacter } from '../../../services/create-character.ts';
import { updateAndCharge } from '../../../services/publication-fee.ts';
import type { PointsStatus } from '../../../features/wallet/contract.ts';
import { describeResponses } from '../../openapi/openapi-route.ts';
import { requireAccount, requireCaller } from '../../middleware/guards.ts';
import { hasVisibleText } from '../../../lib/sanitize-text.ts';
import { checkLorebook } from '../../../services/lorebooks.ts';
import { checkCharacterChange } from '../../../services/moderate-input.ts';
import { requireCreator } from '../account/permissions.ts';
import { Problem, throwRefused, unwrap } from '../../middleware/problems.ts';
import { scheduleSummary } from '../../../services/character-summaries.ts';
import { validateRequest } from '../../middleware/validate.ts';
import { getRequestLanguage } from '../../middleware/language.ts';

/** Returns the viewer that decides what the caller may see. */
export function toViewer(caller: Caller | null): Viewer {
  if (caller === null) return PUBLIC_VIEWER;
  return { userId: caller.user.id, spicy: caller.user.spicy_mode };
}

/** Returns a character of the caller's own. @throws Problem `not_found` */
export async function requireOwnCharacter(
  c: Context<ApiEnv>,
  ownerId: string,
  id: string,
): Promise<OwnCharacter> {
  const own = await readOwnCharacter(c.get('db'), { id, ownerId, now: Date.now() });
  if (own === null) throw new Problem('not_found');
  return own;
}

/**
 * Changes a character of the caller's own.
 * @throws Problem `not_found`, `invalid_input`, `lorebook_too_large`, `text_refused`, `moderation_unavailable`,
 *   `name_cleared`, `spicy_mode_off`, `points_exhausted`, `too_many_requests`
 */
export async function updateOwnCharacter(
  c: Context<ApiEnv>,
  user: SessionUser,
  { id, change }: { id: string; change: CharacterChange },
): Promise<void> {
  const db = c.get('db');
  const current = await requireOwnCharacter(c, user.id, id);
  if (losesTraits(current, change))
    throw new Problem('invalid_input', { fields: { character_traits: [MISSING_TRAITS_MESSAGE] } });
  throwRefused(await checkLorebook(change.lorebook, () => getOwnLorebook(db, { id, ownerId: user.id })));
  throwRefused(await checkCharacterChange(toServiceContext(c), user.id, current, change));
  const { free_tags: tags } = change;
  const merged =
    tags === undefined ? change : { ...change, free_tags: unwrap(await applyFreeTagRules(c.env, tags)) };
  const input = { id, creatorId: user.id, change: merged, spicy: user.spicy_mode, now: Date.now() };
  const changed = await updateAndCharge(toServiceContext(c), input);
  if (!changed.ok && changed.code === 'points_exhausted') throw createPointsProblem(changed.points);
  if (!changed.ok) throw toChangeProblem(c, changed.code);
  await checkExplicitTexts(db, [id], Date.now());
}

/** Whether a change removes the last text from which models learn who the character is. */
function losesTraits(
  current: OwnCharacter,
  { character_traits: traits, definition }: CharacterChange,
): boolean {
  const hasText = (text: string, parts: DefinitionChange | null) =>
    hasVisibleText(text) || hasPromptPart(parts);
  const before = current.definition ?? null;
  return (
    hasText(current.character_traits, before) &&
    !hasText(traits ?? current.character_traits, mergeDefinition(before, definition))
  );
}

/** Returns the parts of a definition that a user may read. @throws Problem `not_found` */
async function readParts(c: Context<ApiEnv>, id: string, viewer: Viewer): Promise<StoredDefinition> {
  const about = { id, userId: viewer.userId ?? '', opens: isVisibleTo(viewer) };
  const parts = await readVisibleParts(c.get('db'), about);
  if (parts === null) throw new Problem('not_found');
  return parts;
}

/** The problem of a user with too few points to publish an imported character. */
const createPointsProblem = (points: PointsStatus): Problem =>
  new Problem('points_exhausted', {
    error: `You need at least ${points.character_cost} points to publish this character.`,
    points_required: points.character_cost,
    refills_at: points.refills_at,
    points,
  });

/** Maps a refused change to its problem. */
function toChangeProblem(
  c: Context<ApiEnv>,
  code: Exclude<(CharacterUpdateResult & { ok: false })['code'], 'points_exhausted'>,
): Problem {
  switch (code) {
    case 'not_found':
    case 'name_cleared':
      return new Problem(code);
    case 'spicy_mode_off':
      return new Problem(getSpicyModeCode(c.get('settings')));
    case 'avatar_unknown':
      return new Problem('invalid_input', { fields: { avatar_id: [MISSING_PICTURE_MESSAGE] } });
    case 'busy':
      return new Problem('too_many_requests', {}, 1);
  }
}

const pageQuery = z.object({
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(30),
});

export const characters = new Hono<ApiEnv>()
  .get(
    '/',
    describeResponses('List public characters by tag, search text and sort order', { 200: characterList }),
    validateRequest('query', listCharactersQuery),
    async (c) => {
      const viewer = toViewer(await c.get('caller')());
      return c.json(await listCharacters(c.get('db'), c.req.valid('query'), viewer, c.env.KV));
    },
  )
  .get(
    '/suggestions',
    describeResponses('Suggest characters and free tags for a search that is being typed', {
      200: searchSuggestions,
    }),
    validateRequest('query', suggestionsQuery),
    async (c) => {
      const viewer = toViewer(await c.get('caller')());
      const { q } = c.req.valid('query');
      const rules = await readFreeTagRules(c.env);
      const [list, tags] = await Promise.all([
        listCharacters(c.get('db'), { q, sort: 'popular', limit: SUGGESTIONS.characters }, viewer),
        listFreeTagsByPrefix(c.get('db'), normalizeFreeTag(q), { rules, limit: SUGGESTIONS.tags }),
      ]);
      const found = list.items.map(({ id, name, avatar_url, language }) => ({
        id,
        name,
        avatar_url,
        language,
      }));
      return c.json({ characters: found, free_tags: tags });
    },
  )
  .get(
    '/for-you',
    describeResponses(
      'Suggest characters to the user, each with its reason: what they like, save, chat with and follow; popular ones if they switched that off',
      { 200: suggestionList },
    ),
    validateRequest('query', forYouQuery),
    async (c) => {
      const caller = await requireCaller(c);
      const { language = getRequestLanguage(c), limit } = c.req.valid('query');
      const { id: userId, personal_suggestions: personal } = caller.user;
      const input = { userId, viewer: toViewer(caller), isPersonal: personal, language, limit };
      return c.json({ personal, items: await suggestCharacters(c.get('db'), input) });
    },
  )
  .get('/:id', describeResponses('Get one character', { 200: characterDetail }), async (c) => {
    const viewer = toViewer(await c.get('caller')());
    const id = c.req.param('id');
    const character = await getCharacter(c.get('db'), id, viewer, c.get('settings').adminEmails);
    if (character === null) throw new Problem('not_found');
    if (character.creator.id !== viewer.userId) return c.json(character);
    return c.json({ ...character, definition: toDefinition(await readParts(c, id, viewer)) });
  })
  .get(
    '/:id/definition',
    describeResponses(
      'Get the parts of a character’s definition that its creator lets other accounts read; its creator gets all of them',
      { 200: sharedDefinition },
    ),
    async (c) => {
      const { user } = await requireAccount(c);
      const viewer = { userId: user.id, spicy: user.spicy_mode };
      return c.json({ definition: await readParts(c, c.req.param('id'), viewer) });
    },
  )
  .post(
    '/',
    describeResponses(
      'Create a character; repeating the request with the same `idempotency-key` or `import_key` creates it only once',
      {
        200: ownCharacter,
        201: ownCharacter,
      },
    ),
    requireCreator,
    validateRequest('header', creationHeaders),
    validateRequest('json', createCharacterBody),
    async (c) => {
      const { user } = await requireCaller(c);
      const body = c.req.valid('json');
      if (body.nsfw_allowed && !user.spicy_mode) throw new Problem(getSpicyModeCode(c.get('settings')));
      const givenKey = c.req.valid('header')['idempotency-key'];
      const request = { body, givenKey, language: getRequestLanguage(c) };
      const { character, isExisting } = unwrap(await createCharacter(toServiceContext(c), user, request));
      if (isExisting) return c.json(character);
      scheduleSummary(toServiceContext(c), character.id);
      return c.json(character, 201);
    },
  )
  .patch(
    '/:id',
    describeResponses('Update one of the user’s characters', { 200: ownCharacter }),
    validateRequest('json', characterChange),
    async (c) => {
      const { user } = await requireCaller(c);
      const { id } = c.req.param();
      await updateOwnCharacter(c, user, { id, change: c.req.valid('json') });
      scheduleSummary(toServiceContext(c), id);
      return c.json(await requireOwnCharacter(c, user.id, id));
    },
  )
  .delete(
    '/:id',
    describeResponses('Move one of the user’s characters to the trash', { 204: null }),
    async (c) => {
      const { user } = await requireCaller(c);
      const input = { id: c.req.param('id'), ownerId: user.id, now: Date.now() };
      if (!(await moveCharacterToTrash(c.get('db'), input))) throw new Problem('not_found');
      return c.body(null, 204);
    },
  )
  .post(
    '/:id/restore',
    describeResponses('Restore one of the user’s characters from the trash', { 200: ownCharacter }),
    async (c) => {
      const { user } = await requireCaller(c);
      const { id } = c.req.param();
      if (!(await restoreCharacter(c.get('db'), { id, ownerId: user.id, now: Date.now() })))
        throw new Problem('not_found');
      return c.json(await requireOwnCharacter(c, user.id, id));
    },
  )
  .get(
    '/:id/conversations',
    describeResponses('List the user’s conversations with a character, newest first', {
      200: conversationList,
    }),
    validateRequest('query', pageQuery),
    async (c) => {
      const { user } = await requireCaller(c);
      const { cursor, limit } = c.req.valid('query');
      return c.json(
        await listConversationsWith(toServiceContext(c), {
          userId: user.id,
          spicy: user.spicy_mode,
          characterId: c.req.param('id'),
          cursor,
          limit,
        }),
      );
    },
  );
