import { Hono, type Context } from 'hono';
import { z } from 'zod';
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
  updateCharacterVersionBody,
  trashedChats,
} from '../../../features/conversation/contract.ts';
import {
  findConversationOwner,
  deleteConversationRow,
} from '../../../features/conversation/conversation-rows-store.ts';
import { buildAccess } from '../../../features/conversation/access/access.ts';
import { getGreeting } from '../../../features/conversation/messages/greetings.ts';
import { findConversationCharacter } from '../../../features/conversation/character/conversation-character-store.ts';
import {
  toWriteBlock,
  canStartConversation,
  getRating,
  getSpicyModeCode,
} from '../../../features/conversation/character/character-state.ts';
import { HOME_SELECTION_KEY, parseHomeSelection } from '../../../features/home/home-selection.ts';
import { STORAGE } from '../../../features/storage/limits.ts';
import { getPersona, getStartPersona } from '../../../features/persona/persona-store.ts';
import type { Language } from '../../../config/languages.ts';
import { loadTexts } from '../../../locales/i18n.ts';
import { listChats, listTrashed } from '../../../services/list-conversations.ts';
import {
  createListedConversation,
  requireCharacterSource,
  readCharacterSource,
  findReusableConversation,
} from '../../../services/start-conversation.ts';
import { type ApiEnv, toServiceContext, readClientIp } from '../../middleware/context.ts';
import {
  presentConversation,
  getConversationStub,
  requireConversation,
  requireWritableConversation,
  presentWithCharacter,
  unwrapResult,
  readTabId,
} from '../../middleware/conversation-access.ts';
import { getRequestLanguage } from '../../middleware/language.ts';
import { getOwnName } from '../../middleware/names/own-name.ts';
import { describeResponses } from '../../openapi/openapi-route.ts';
import { requireCaller } from '../../middleware/guards.ts';
import { Problem, unwrap } from '../../middleware/problems.ts';
import { validateRequest } from '../../middleware/validate.ts';

/** The lines of the home page's scene, from `home:scene`. */
const HOME_SCENE = [
  { role: 'character', key: 'home:scene.characterLine1' },
  { role: 'user', key: 'home:scene.userLine' },
  { role: 'character', key: 'home:scene.characterLine2' },
] as const;

async function loadHomeSelection(c: Context<ApiEnv>) {
  return parseHomeSelection(await c.env.KV.get(HOME_SELECTION_KEY, 'json'));
}

/** Whether a browser loads this in advance: the user may never see it, so it does not count as read. */
const isPrefetched = (c: Context<ApiEnv>): boolean =>
  c.req.header('sec-purpose')?.startsWith('prefetch') === true;

/** The messages that the home page shows, as the opening of a conversation. */
async function loadHomeOpening(language: Language) {
  const { t } = await loadTexts(language);
  return HOME_SCENE.map(({ role, key }) => ({ role, content: t(key) }));
}

export const conversations = new Hono<ApiEnv>()
  .post(
    '/',
    describeResponses('Start a conversation', { 201: conversationCreated }),
    validateRequest('json', createConversationBody),
    async (c) => {
      const caller = await requireCaller(c);
      const db = c.get('db');
      const { character_id, persona_id, scene, greeting, reuse = false } = c.req.valid('json');
      const [{ now: characterNow, source }, persona] = await Promise.all([
        requireCharacterSource(toServiceContext(c), caller.user, character_id).then(unwrap),
        persona_id === undefined
          ? getStartPersona(db, caller.user.id, character_id)
          : getPersona(db, caller.user.id, persona_id),
      ]);
      if (persona_id !== undefined && persona === null) throw new Problem('not_found');
      if (scene !== undefined && (await loadHomeSelection(c)).scene !== character_id)
        throw new Problem('not_found');
      const content = getGreeting(source.character, greeting);
      if (content === null) throw createGreetingProblem('greeting');
      const userName = await getOwnName(c, caller.user);
      const opening =
        scene === undefined
          ? [{ role: 'character' as const, content }]
          : await loadHomeOpening(getRequestLanguage(c));
      const { recommended_style: replySettings } = source.character;
      const ownerId = caller.user.id;
      const access = buildAccess(caller, caller.user, characterNow);
      const start = {
        source,
        userName,
        persona,
        opening,
        greeting: greeting ?? null,
        access,
        tab: readTabId(c),
        clientIp: readClientIp(c),
      };
      const reused = reuse ? await findReusableConversation(toServiceContext(c), ownerId, start) : null;
      const created =
        reused ??
        unwrap(
          await createListedConversation(
            toServiceContext(c),
            {
              owner: caller.user,
              clientIp: readClientIp(c),
              isBegun: false,
              bytes: STORAGE.emptyConversationBytes,
            },
            ({ id, stub }) =>
              stub.create(
                {
                  ...{ id, ownerId, userName, persona, ...source, opening, isBegun: false },
                  ...(replySettings === undefined ? {} : { replySettings }),
                },
                access,
              ),
          ),
        );
      const shown = await presentConversation(c, caller.user, created.conversation);
      return c.json({ ...created, conversation: shown }, 201);
    },
  )
  .get(
    '/trash',
    describeResponses('List the user’s conversations in the trash', { 200: trashedChats }),
    validateRequest('query', pageQuery),
    async (c) => {
      const { user } = await requireCaller(c);
      const { cursor, limit } = c.req.valid('query');
      return c.json(
        await listTrashed(toServiceContext(c), { userId: user.id, spicy: user.spicy_mode, cursor, limit }),
      );
    },
  )
  .get(
    '/:id',
    describeResponses('Get a conversation with a page of its messages, by default the newest', {
      200: conversationPage,
    }),
    validateRequest('query', historyQuery),
    async (c) => {
      const { user, conversation: found } = await requireConversation(c);
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
        found.page(user.id, place, limit, !isPrefetched(c)),
        findConversationCharacter(c.get('db'), c.req.param('id')),
      ]);
      const { page } = unwrapResult(answer);
      const shown = presentWithCharacter(c, character, user, page.conversation);
      return c.json({ ...page, conversation: shown });
    },
  )
  .patch(
    '/:id',
    describeResponses('Rename a conversation', { 200: conversation }),
    validateRequest('json', renameConversationBody),
    async (c) => {
      const { user, conversation: found, tab } = await requireConversation(c);
      const renamed = unwrapResult(await found.rename(user.id, c.req.valid('json').title, tab));
      return c.json(await presentConversation(c, user, renamed.conversation));
    },
  )
  .delete(
    '/:id',
    describeResponses('Move a conversation to the trash, or delete it permanently', { 204: null }),
    validateRequest('query', deleteConversationQuery),
    async (c) => {
      const { user, conversation: found } = await requireConversation(c);
      const db = c.get('db');
      const id = c.req.param('id');
      const isPermanent = c.req.valid('query').forever === 'true';
      const gone = await (isPermanent ? found.erase(user.id) : found.moveToTrash(user.id));
      // The object may be gone while a failure left its row behind: the repeated call deletes the row.
      if (!gone.ok) {
        if (gone.code !== 'not_found') throw new Problem(gone.code);
        if ((await findConversationOwner(db, id)) !== user.id) throw new Problem('not_found');
      }
      if (isPermanent) await deleteConversationRow(db, id);
      return c.body(null, 204);
    },
  )
  .post(
    '/:id/restore',
    describeResponses('Restore a conversation from the trash', { 200: conversation }),
    async (c) => {
      const { user, conversation: found, tab } = await requireConversation(c);
      const restored = await found.restoreFromTrash(user.id, tab);
      // A client that lost the response repeats the request.
      const { conversation: current } = restored.ok ? restored : unwrapResult(await found.describe(user.id));
      return c.json(await presentConversation(c, user, current));
    },
  )
  .put(
    '/:id/persona',
    describeResponses('Set or clear the user’s persona in a conversation', { 200: conversation }),
    validateRequest('json', choosePersonaBody),
    async (c) => {
      const { user, conversation: found, tab } = await requireConversation(c);
      const { persona_id: id } = c.req.valid('json');
      const persona = id === null ? null : await getPersona(c.get('db'), user.id, id);
      if (id !== null && persona === null) throw new Problem('not_found');
      const chosen = unwrapResult(await found.setPersona(user.id, persona, tab));
      return c.json(await presentConversation(c, user, chosen.conversation));
    },
  )
  .put(
    '/:id/own-name',
    describeResponses('Use your current nickname in a conversation', { 200: conversation }),
    async (c) => {
      const { user, conversation: found, tab } = await requireConversation(c);
      const named = unwrapResult(await found.setUserName(user.id, await getOwnName(c, user), tab));
      return c.json(await presentConversation(c, user, named.conversation));
    },
  )
  .post(
    '/:id/greeting',
    describeResponses('Replace the opening message with another greeting of the character', {
      200: greetingChosen,
    }),
    validateRequest('json', chooseGreetingBody),
    async (c) => {
      const { user, conversation: found, tab, writeBlock } = await requireWritableConversation(c);
      const answer = await found.chooseGreeting(user.id, c.req.valid('json').index, writeBlock, tab);
      if (!answer.ok && answer.code === 'invalid_input') throw createGreetingProblem('index');
      const { message, conversation: chosen } = unwrapResult(answer);
      return c.json({ message, conversation: await presentConversation(c, user, chosen) });
    },
  )
  .put(
    '/:id/character-version',
    describeResponses('Switch a conversation to the newest version of its character', { 200: conversation }),
    validateRequest('json', updateCharacterVersionBody),
    async (c) => {
      const { user, conversation: found, tab } = await requireConversation(c);
      const { version } = c.req.valid('json');
      const { conversation: before } = unwrapResult(await found.describe(user.id));
      if (before.character_gone === true) throw new Problem('character_gone');
      const story = await readCharacterSource(c.get('db'), before.character_id);
      if (story === null) throw new Problem('not_found');
      const { now, source } = story;
      if (version === before.character_version) return c.json(presentWithCharacter(c, now, user, before));
      const writeBlock = toWriteBlock(now.state);
      if (writeBlock !== null) throw new Problem(writeBlock.code);
      // A conversation with a character that is now private keeps its version; newer versions belong to the creator
      // alone.
      if (!canStartConversation(now, user)) throw new Problem('not_found');
      if (getRating(now, user.spicy_mode) === 'blocked')
        throw new Problem(getSpicyModeCode(c.get('settings')));
      if (version !== source.character.version) throw new Problem('character_version_outdated');
      const { conversation: updated } = unwrapResult(
        await found.updateCharacterVersion(user.id, source, tab),
      );
      return c.json(presentWithCharacter(c, now, user, updated));
    },
  );

const createGreetingProblem = (field: string) =>
  new Problem('invalid_input', { fields: { [field]: ['The character has no such first message'] } });

const liveQuery = z.object({
  tab: z.string().optional().describe('Like the header x-tab, which browsers cannot set on sockets'),
});

/**
 * The socket that sends a tab hints about changes made elsewhere. Checks the origin, because browsers send cookies with
 * sockets from other sites too.
 */
export const live = new Hono<ApiEnv>().get(
  '/:id/live',
  describeResponses('Open a WebSocket that announces changes to a conversation', { 101: null }),
  validateRequest('query', liveQuery),
  async (c) => {
    const origin = c.req.header('origin');
    if (origin !== undefined && origin !== new URL(c.req.url).origin) throw new Problem('cross_origin');
    const { user, sessionPublicId } = await requireCaller(c);
    if (c.req.header('upgrade')?.toLowerCase() !== 'websocket') throw new Problem('upgrade_required');
    const answer = await getConversationStub(c, c.req.param('id')).fetch(c.req.url, {
      headers: {
        upgrade: 'websocket',
        'x-user-id': user.id,
        'x-session': sessionPublicId,
        'x-tab': readTabId(c) ?? '',
      },
    });
    if (answer.webSocket === null) throw new Problem('not_found');
    // Build a new response, because the headers of the object's response are immutable.
    return new Response(null, { status: 101, webSocket: answer.webSocket });
  },
);

export const chats = new Hono<ApiEnv>().get(
  '/',
  describeResponses('List the user’s most recent conversations', { 200: chatList }),
  async (c) => {
    const { user } = await requireCaller(c);
    return c.json(await listChats(toServiceContext(c), { userId: user.id, spicy: user.spicy_mode }));
  },
);
