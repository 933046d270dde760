import { Hono, type Context } from 'hono';
import {
  chatList,
  chooseGreetingBody,
  choosePersonaBody,
  conversation,
  conversationCreated,
  conversationPage,
  createConversationBody,
  deleteConversationQuery,
  greetingChosen,
  historyQuery,
  pageQuery,
  renameConversationBody,
  takeVersionBody,
  trashedChats,
} from '../../../features/conversation/contract.ts';
import {
  conversationOwner,
  listChats,
  listTrashed,
  moveInTrash,
  removeFromIndex,
} from '../../../features/conversation/conversation-list-store.ts';
import { greetingAt } from '../../../features/conversation/messages/greetings.ts';
import { characterOfStory } from '../../../features/conversation/character/rated-character-store.ts';
import { barredBy } from '../../../features/conversation/character/character-state.ts';
import { ratingOf } from '../../../features/conversation/character/rating.ts';
import { HOME_KEY, readHomeSelection } from '../../../features/home/home-selection.ts';
import { defaultPersona, getPersona } from '../../../features/persona/persona-store.ts';
import { mayBegin } from '../../../features/conversation/character/character-state.ts';
import { translator } from '../../../locales/i18n.ts';
import { makeListed, sourceToBegin, storySource } from '../../../services/start-conversation.ts';
import { type ApiEnv, serviceContext } from '../../middleware/context.ts';
import {
  asShown,
  conversationOf,
  enter,
  enterToWrite,
  shownWith,
  taken,
  tabOf,
} from '../../middleware/conversation-access.ts';
import { languageOf, ownName } from '../../middleware/language.ts';
import { answers } from '../../openapi/openapi-route.ts';
import { requireCaller } from '../../middleware/guards.ts';
import { Problem, unwrap } from '../../middleware/problems.ts';
import { valid } from '../../middleware/validate.ts';
import { readClientIp } from '../../middleware/client-ip.ts';
import { spicyModeOff } from '../../middleware/spicy-mode.ts';

/** The lines of the home page's conversation, as `home:scene` has them in every language. */
const HOME_SCENE = [
  { role: 'character', key: 'home:scene.theirs1' },
  { role: 'user', key: 'home:scene.yours' },
  { role: 'character', key: 'home:scene.theirs2' },
] as const;

async function homeSelectionOf(c: Context<ApiEnv>) {
  return readHomeSelection(await c.env.KV.get(HOME_KEY, 'json'));
}

export const conversations = new Hono<ApiEnv>()
  .post(
    '/',
    answers('Begin a conversation', { 201: conversationCreated }),
    valid('json', createConversationBody),
    async (c) => {
      const caller = await requireCaller(c);
      const db = c.get('db');
      const { character_id, persona_id, scene, greeting } = c.req.valid('json');
      const [source, persona] = await Promise.all([
        sourceToBegin(serviceContext(c), caller.user, character_id).then(unwrap),
        persona_id === undefined
          ? defaultPersona(db, caller.user.id)
          : getPersona(db, caller.user.id, persona_id),
      ]);
      if (persona_id !== undefined && persona === null) throw new Problem('not_found');
      if (scene !== undefined && (await homeSelectionOf(c)).scene !== character_id)
        throw new Problem('not_found');
      const content = greetingAt(source.character, greeting);
      if (content === null) throw noSuchGreeting('greeting');
      const t = translator(languageOf(c));
      const created = await makeListed(
        serviceContext(c),
        { ownerId: caller.user.id, clientIp: readClientIp(c) },
        ({ id, stub }) =>
          stub.create({
            id,
            ownerId: caller.user.id,
            userName: ownName(c, caller.user),
            persona,
            ...source,
            opening:
              scene === undefined
                ? [{ role: 'character', content }]
                : HOME_SCENE.map(({ role, key }) => ({ role, content: t(key) })),
          }),
      );
      const shown = await asShown(c, caller.user, created.conversation);
      return c.json({ ...created, conversation: shown }, 201);
    },
  )
  .get(
    '/trash',
    answers('Chats that can be had back', { 200: trashedChats }),
    valid('query', pageQuery),
    async (c) => {
      const { user } = await requireCaller(c);
      const { cursor, limit } = c.req.valid('query');
      return c.json(
        await listTrashed(c.get('db'), { ownerId: user.id, spicy: user.spicy_mode, cursor, limit }),
      );
    },
  )
  .get(
    '/:id',
    answers('A page of a conversation, as a rule the newest', { 200: conversationPage }),
    valid('query', historyQuery),
    async (c) => {
      const { user, conversation: found } = await enter(c);
      const { before, after, around, limit } = c.req.valid('query');
      const place =
        around !== undefined
          ? { around }
          : after !== undefined
            ? { after }
            : before !== undefined
              ? { before }
              : null;
      const [answer, character] = await Promise.all([
        found.page(user.id, place, limit),
        characterOfStory(c.get('db'), c.req.param('id')),
      ]);
      const { page } = taken(answer);
      if (character === null) return c.json(page);
      return c.json({ ...page, conversation: shownWith(character, user, page.conversation) });
    },
  )
  .patch(
    '/:id',
    answers('Rename a conversation', { 200: conversation }),
    valid('json', renameConversationBody),
    async (c) => {
      const { user, conversation: found, tab } = await enter(c);
      const renamed = taken(await found.rename(user.id, c.req.valid('json').title, tab));
      return c.json(await asShown(c, user, renamed.conversation));
    },
  )
  .delete(
    '/:id',
    answers('Delete a conversation, to the trash or for good', { 204: null }),
    valid('query', deleteConversationQuery),
    async (c) => {
      const { user, conversation: found } = await enter(c);
      const db = c.get('db');
      const id = c.req.param('id');
      const forGood = c.req.valid('query').forever === 'true';
      const gone = await (forGood ? found.erase(user.id) : found.putAway(user.id));
      // Gone before, and its list row left behind by a failure in between: the repeat puts that right.
      if (!gone.ok) {
        if (gone.code !== 'not_found') throw new Problem(gone.code);
        if ((await conversationOwner(db, id)) !== user.id) throw new Problem('not_found');
      }
      if (forGood) await removeFromIndex(db, id);
      else await moveInTrash(db, { id, ownerId: user.id, deletedAt: Date.now() });
      return c.body(null, 204);
    },
  )
  .post('/:id/restore', answers('Take a conversation out of the trash', { 200: conversation }), async (c) => {
    const { user, conversation: found, tab } = await enter(c);
    const back = await found.takeBack(user.id, tab);
    const moved = await moveInTrash(c.get('db'), {
      id: c.req.param('id'),
      ownerId: user.id,
      deletedAt: null,
    });
    if (!back.ok && !moved) throw new Problem('not_found');
    const { conversation: told } = back.ok ? back : taken(await found.describe(user.id));
    return c.json(await asShown(c, user, told));
  })
  .put(
    '/:id/persona',
    answers('Choose who one is in a conversation', { 200: conversation }),
    valid('json', choosePersonaBody),
    async (c) => {
      const { user, conversation: found, tab } = await enter(c);
      const { persona_id: id } = c.req.valid('json');
      const persona = id === null ? null : await getPersona(c.get('db'), user.id, id);
      if (id !== null && persona === null) throw new Problem('not_found');
      const chosen = taken(await found.setPersona(user.id, persona, tab));
      return c.json(await asShown(c, user, chosen.conversation));
    },
  )
  .post(
    '/:id/greeting',
    answers('Begin with another of the character’s first messages', { 200: greetingChosen }),
    valid('json', chooseGreetingBody),
    async (c) => {
      const { user, conversation: found, tab, barred } = await enterToWrite(c);
      const answer = await found.chooseGreeting(user.id, c.req.valid('json').index, barred, tab);
      if (!answer.ok && answer.code === 'invalid_input') throw noSuchGreeting('index');
      const { message, conversation: chosen } = taken(answer);
      return c.json({ message, conversation: await asShown(c, user, chosen) });
    },
  )
  .put(
    '/:id/character-version',
    answers('Go by the newest version of the character', { 200: conversation }),
    valid('json', takeVersionBody),
    async (c) => {
      const { user, conversation: found, tab } = await enter(c);
      const { version } = c.req.valid('json');
      const { conversation: before } = taken(await found.describe(user.id));
      if (before.character_gone === true) throw new Problem('character_gone');
      const story = await storySource(c.get('db'), before.character_id);
      if (story === null) throw new Problem('not_found');
      const { now, source } = story;
      if (version === before.character_version) return c.json(shownWith(now, user, before));
      const barred = barredBy(now.state);
      if (barred !== null) throw new Problem(barred.code);
      // A private one goes on as it was: what its maker makes of it since is theirs alone.
      if (!mayBegin(now, user)) throw new Problem('not_found');
      if (ratingOf(now, user.spicy_mode) === 'withheld') throw spicyModeOff(c);
      if (version !== source.character.version) throw new Problem('character_version_outdated');
      const { conversation: taker } = taken(await found.takeCharacter(user.id, source, tab));
      return c.json(shownWith(now, user, taker));
    },
  );

const noSuchGreeting = (field: string) =>
  new Problem('invalid_input', { fields: { [field]: ['The character has no such first message'] } });

/**
 * The socket over which an open tab learns that something happened elsewhere. A page of another site may not open one:
 * browsers send cookies with sockets, too.
 */
export const live = new Hono<ApiEnv>().get(
  '/:id/live',
  answers('A socket of hints for an open tab', { 101: null }),
  async (c) => {
    const origin = c.req.header('origin');
    if (origin !== undefined && origin !== new URL(c.req.url).origin) throw new Problem('cross_origin');
    const { user, sessionPublicId } = await requireCaller(c);
    if (c.req.header('upgrade')?.toLowerCase() !== 'websocket') throw new Problem('upgrade_required');
    const answer = await conversationOf(c, c.req.param('id')).fetch(c.req.url, {
      headers: {
        upgrade: 'websocket',
        'x-user-id': user.id,
        'x-session': sessionPublicId,
        'x-tab': tabOf(c) ?? '',
      },
    });
    if (answer.webSocket === null) throw new Problem('not_found');
    // An answer of our own: the headers of the object's cannot be added to.
    return new Response(null, { status: 101, webSocket: answer.webSocket });
  },
);

export const chats = new Hono<ApiEnv>().get(
  '/',
  answers('One’s newest chats', { 200: chatList }),
  async (c) => {
    const { user } = await requireCaller(c);
    return c.json(await listChats(c.get('db'), user.id, user.spicy_mode));
  },
);
