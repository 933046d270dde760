import { type Context, Hono } from 'hono';
import { readRuntimeConfig } from '../../../features/runtime-config/runtime-config-gateway.ts';
import {
  createPersonaBody,
  deletePersonaQuery,
  listPersonasQuery,
  persona,
  type Persona,
  type PersonaChange,
  personaChange,
  personaCharacters,
  personaList,
  trashedPersonas,
} from '../../../features/persona/contract.ts';
import { isVisibleTo } from '../../../features/character/character-store.ts';
import { MISSING_PICTURE_MESSAGE } from '../../../features/picture/contract.ts';
import { TRASH } from '../../../features/character/limits.ts';
import { listPersonaCharacters } from '../../../features/persona/persona-character-store.ts';
import { getPersonaLimit } from '../../../features/persona/persona-limit.ts';
import {
  updatePersona,
  clearDefaultPersona,
  createPersona,
  deletePersona,
  findImportedPersona,
  type PersonaOwner,
  type PersonaRefusal,
  listPersonas,
  listTrashedPersonas,
  restorePersona,
  setDefaultPersona,
  trashPersona,
} from '../../../features/persona/persona-store.ts';
import { type ApiEnv, type Caller, toServiceContext } from '../../middleware/context.ts';
import { describeResponses } from '../../openapi/openapi-route.ts';
import { requireCaller } from '../../middleware/guards.ts';
import { getOwnName } from '../../middleware/names/own-name.ts';
import { checkTexts, buildInputTexts } from '../../../services/moderate-input.ts';
import { deletePictureIfUnused } from '../../../services/purge-pictures.ts';
import { Problem, throwRefused } from '../../middleware/problems.ts';
import { validateRequest } from '../../middleware/validate.ts';
import { toViewer } from './characters.ts';

/** Moderates a persona's texts, which enter every conversation of the user. */
async function assertPersonaAllowed(c: Context<ApiEnv>, userId: string, texts: PersonaChange): Promise<void> {
  const { name = '', description = '' } = texts;
  const written = Object.entries({ name, description }).flatMap(([field, text]) =>
    text === '' ? [] : [{ field, text }],
  );
  const about = { place: 'persona', adult: false, seen: 'self' } as const;
  throwRefused(await checkTexts(toServiceContext(c), userId, buildInputTexts('persona', written), about));
}

/** The caller as the owner of personas. */
const toOwner = (caller: Caller): PersonaOwner => ({
  ownerId: caller.user.id,
  opens: isVisibleTo(toViewer(caller)),
});

/** Returns a written persona. @throws Problem when the write was refused */
function unwrapPersona(written: Persona | PersonaRefusal): Persona {
  if (written === 'character_unknown')
    throw new Problem('invalid_input', { fields: { character_id: ['Character not found'] } });
  if (written === 'avatar_unknown')
    throw new Problem('invalid_input', { fields: { avatar_id: [MISSING_PICTURE_MESSAGE] } });
  return written;
}

const createLimitProblem = (limit: number): Problem =>
  new Problem('persona_limit', {
    error: `Your plan allows up to ${limit} personas. Upgrade to create more.`,
    limit,
  });

/** Replaces an empty name with the user's own. */
async function nameAfterUser<T extends { name?: string | undefined }>(
  c: Context<ApiEnv>,
  user: Caller['user'],
  fields: T,
): Promise<T> {
  return fields.name === '' ? { ...fields, name: await getOwnName(c, user) } : fields;
}

export const personas = new Hono<ApiEnv>()
  .get(
    '/',
    describeResponses('List the user’s personas, newest first', { 200: personaList }),
    validateRequest('query', listPersonasQuery),
    async (c) => {
      const caller = await requireCaller(c);
      const { cursor, limit } = c.req.valid('query');
      const [page, business] = await Promise.all([
        listPersonas(c.get('db'), { ...toOwner(caller), cursor, limit }),
        readRuntimeConfig(c.env),
      ]);
      return c.json({
        ...page,
        limit: getPersonaLimit(caller.user.plan, business),
        member_limit: business.personas_storyteller,
      });
    },
  )
  .post(
    '/',
    describeResponses('Create a persona', { 200: persona, 201: persona }),
    validateRequest('json', createPersonaBody),
    async (c) => {
      const caller = await requireCaller(c);
      const { user } = caller;
      const owner = toOwner(caller);
      const db = c.get('db');
      const fields = c.req.valid('json');
      const { import_key: importKey, ...texts } = fields;
      const findExisting = async () =>
        importKey === undefined ? null : findImportedPersona(db, owner, importKey);
      const existing = await findExisting();
      if (existing !== null) return c.json(existing);
      await assertPersonaAllowed(c, user.id, texts);
      const limit = getPersonaLimit(user.plan, await readRuntimeConfig(c.env));
      const named = await nameAfterUser(c, user, fields);
      const made = await createPersona(db, { ...owner, fields: named, limit, now: Date.now() });
      if (made === null) {
        // A request with the same key may have been faster.
        const faster = await findExisting();
        if (faster !== null) return c.json(faster);
        throw createLimitProblem(limit);
      }
      return c.json(unwrapPersona(made), 201);
    },
  )
  .get(
    '/characters',
    describeResponses('List the characters that a persona can belong to, most recently used first', {
      200: personaCharacters,
    }),
    async (c) => c.json(await listPersonaCharacters(c.get('db'), toOwner(await requireCaller(c)))),
  )
  .get(
    '/trash',
    describeResponses('List the user’s personas in the trash, newest deletion first', {
      200: trashedPersonas,
    }),
    async (c) => {
      const items = await listTrashedPersonas(c.get('db'), toOwner(await requireCaller(c)));
      return c.json({
        items: items.map(({ deletedAt, ...item }) => ({
          ...item,
          deleted_at: new Date(deletedAt).toISOString(),
          expires_at: new Date(deletedAt + TRASH.retentionMs).toISOString(),
        })),
      });
    },
  )
  .post(
    '/:id/restore',
    describeResponses('Restore a persona from the trash', { 200: persona }),
    async (c) => {
      const caller = await requireCaller(c);
      const limit = getPersonaLimit(caller.user.plan, await readRuntimeConfig(c.env));
      const input = { ...toOwner(caller), id: c.req.param('id'), limit, now: Date.now() };
      const restored = await restorePersona(c.get('db'), input);
      if (restored === null) throw new Problem('not_found');
      if (restored === 'full') throw createLimitProblem(limit);
      return c.json(restored);
    },
  )
  .delete(
    '/default',
    describeResponses('Clear the default persona; new conversations start without one', { 204: null }),
    async (c) => {
      const { user } = await requireCaller(c);
      await clearDefaultPersona(c.get('db'), user.id, Date.now());
      return c.body(null, 204);
    },
  )
  .put(
    '/:id/default',
    describeResponses('Set the default persona for new conversations', { 200: persona }),
    async (c) => {
      const input = { ...toOwner(await requireCaller(c)), id: c.req.param('id'), now: Date.now() };
      const made = await setDefaultPersona(c.get('db'), input);
      if (made === null) throw new Problem('not_found');
      return c.json(made);
    },
  )
  .patch(
    '/:id',
    describeResponses('Update a persona', { 200: persona }),
    validateRequest('json', personaChange),
    async (c) => {
      const caller = await requireCaller(c);
      await assertPersonaAllowed(c, caller.user.id, c.req.valid('json'));
      const changed = await updatePersona(c.get('db'), {
        ...toOwner(caller),
        id: c.req.param('id'),
        change: await nameAfterUser(c, caller.user, c.req.valid('json')),
        now: Date.now(),
      });
      if (changed === null) throw new Problem('not_found');
      return c.json(unwrapPersona(changed));
    },
  )
  .delete(
    '/:id',
    describeResponses('Move a persona to the trash, or delete it permanently', { 204: null }),
    validateRequest('query', deletePersonaQuery),
    async (c) => {
      const { user } = await requireCaller(c);
      const db = c.get('db');
      const input = { ownerId: user.id, id: c.req.param('id') };
      if (c.req.valid('query').forever === 'true') {
        const erased = await deletePersona(db, input);
        if (erased === null) throw new Problem('not_found');
        if (erased.avatarKey !== null) await deletePictureIfUnused(c.env, db, erased.avatarKey);
      } else if (!(await trashPersona(db, { ...input, now: Date.now() }))) throw new Problem('not_found');
      return c.body(null, 204);
    },
  );
