import { type Context, Hono } from 'hono';
import { readBusiness } from '../../../features/runtime-config/runtime-config-gateway.ts';
import {
  createPersonaBody,
  listPersonasQuery,
  persona,
  type PersonaChange,
  personaChange,
  personaList,
} from '../../../features/persona/contract.ts';
import { personaLimit } from '../../../features/persona/persona-rules.ts';
import {
  changePersona,
  clearDefault,
  createPersona,
  deletePersona,
  listPersonas,
  makeDefault,
} from '../../../features/persona/persona-store.ts';
import { type ApiEnv, serviceContext } from '../../middleware/context.ts';
import { answers } from '../../openapi/openapi-route.ts';
import { requireCaller } from '../../middleware/guards.ts';
import { refuseTexts, togetherAs } from '../../../services/moderate-input.ts';
import { Problem, throwRefused } from '../../middleware/problems.ts';
import { valid } from '../../middleware/validate.ts';

/** Refuses a persona that may not be: it goes into every story of whoever wrote it. */
async function refusePersona(c: Context<ApiEnv>, userId: string, texts: PersonaChange): Promise<void> {
  const { name = '', description = '' } = texts;
  const written = Object.entries({ name, description }).flatMap(([field, text]) =>
    text === '' ? [] : [{ field, text }],
  );
  const about = { place: 'persona', adult: false, seen: 'self' } as const;
  throwRefused(await refuseTexts(serviceContext(c), userId, togetherAs('persona', written), about));
}

export const personas = new Hono<ApiEnv>()
  .get(
    '/',
    answers('One’s personas, newest first', { 200: personaList }),
    valid('query', listPersonasQuery),
    async (c) => {
      const { user } = await requireCaller(c);
      const { cursor, limit } = c.req.valid('query');
      const [page, business] = await Promise.all([
        listPersonas(c.get('db'), { ownerId: user.id, cursor, limit }),
        readBusiness(c.env),
      ]);
      return c.json({
        ...page,
        limit: personaLimit(user.plan, business),
        member_limit: business.personas_storyteller,
      });
    },
  )
  .post('/', answers('Make a persona', { 201: persona }), valid('json', createPersonaBody), async (c) => {
    const { user } = await requireCaller(c);
    await refusePersona(c, user.id, c.req.valid('json'));
    const limit = personaLimit(user.plan, await readBusiness(c.env));
    const made = await createPersona(c.get('db'), {
      ownerId: user.id,
      fields: c.req.valid('json'),
      limit,
      now: Date.now(),
    });
    if (made === null) {
      const error = `Your plan holds up to ${limit} personas. Upgrade to have more.`;
      throw new Problem('persona_limit', { error, limit });
    }
    return c.json(made, 201);
  })
  .delete('/default', answers('Begin new conversations without a persona', { 204: null }), async (c) => {
    const { user } = await requireCaller(c);
    await clearDefault(c.get('db'), user.id, Date.now());
    return c.body(null, 204);
  })
  .put('/:id/default', answers('Begin new conversations with this persona', { 200: persona }), async (c) => {
    const { user } = await requireCaller(c);
    const input = { ownerId: user.id, id: c.req.param('id'), now: Date.now() };
    const made = await makeDefault(c.get('db'), input);
    if (made === null) throw new Problem('not_found');
    return c.json(made);
  })
  .patch('/:id', answers('Change a persona', { 200: persona }), valid('json', personaChange), async (c) => {
    const { user } = await requireCaller(c);
    await refusePersona(c, user.id, c.req.valid('json'));
    const changed = await changePersona(c.get('db'), {
      ownerId: user.id,
      id: c.req.param('id'),
      change: c.req.valid('json'),
      now: Date.now(),
    });
    if (changed === null) throw new Problem('not_found');
    return c.json(changed);
  })
  .delete('/:id', answers('Delete a persona', { 204: null }), async (c) => {
    const { user } = await requireCaller(c);
    if (!(await deletePersona(c.get('db'), user.id, c.req.param('id')))) throw new Problem('not_found');
    return c.body(null, 204);
  });
