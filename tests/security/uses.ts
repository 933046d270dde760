import { ADMIN_REQUESTS, type AdminFixture, createAdminFixture } from '../support/admin-requests.ts';
import { importCard } from '../support/card-actions.ts';
import { V2 } from '../support/card-files.ts';
import { buildForm } from '../support/character-actions.ts';
import { ConversationClient } from '../support/conversation-client.ts';
import { addEntry, createSeason } from '../support/competition.ts';
import type { Operation } from '../support/openapi-operations.ts';
import {
  addCharacter,
  startConversation,
  listMessages,
  createTurnId,
  createAccount,
} from '../support/factories.ts';
import { buildValidBody, formatOperation } from '../support/fuzz-bodies.ts';
import { PICTURES } from '../support/pictures.ts';
import { applyModerationAction } from '../support/staff.ts';
import { formOf, story, type Story, type Use, type World } from './world.ts';

const startStory = (world: World): Promise<Story> => story(world.owner, world.character);
const buildTurn = () => ({ client_message_id: createTurnId() });

/** Discards a message in a conversation of its own. */
async function discardMessage(world: World): Promise<Record<string, string>> {
  const created = await startStory(world);
  const { id } = await new ConversationClient(world.owner, created.id).discard(created.mine);
  return { ...created, tid: id };
}

async function createPersona(world: World): Promise<string> {
  const json = { name: 'Wren', description: 'Maps coasts.' };
  return (await world.owner.ask<{ id: string }>('/api/personas', { json, status: 201 })).id;
}

async function createOtherSession({ owner }: World): Promise<string> {
  await createAccount(owner.email);
  const { items } = await owner.ask<{ items: { id: string; current: boolean }[] }>('/api/account/sessions');
  return items.find(({ current }) => !current)?.id ?? '';
}

async function useStory(world: World, json?: unknown): Promise<Use> {
  return { ids: world.story, ...(json === undefined ? {} : { json }) };
}

/** A valid request by an owner for each route with own data, on objects that belong to this owner. */
const USES: Record<string, (world: World) => Promise<Use>> = {
  'DELETE /account/sessions/{id}': async (world) => ({ ids: { id: await createOtherSession(world) } }),
  'GET /characters/import/{id}': async ({ owner }) => ({
    ids: { id: (await importCard(owner, JSON.stringify(V2))).import_id },
  }),
  'GET /characters/{id}/lorebook': async (world) => ({ ids: { id: world.character } }),
  'PUT /characters/{id}/lorebook': async (world) => ({
    ids: { id: world.character },
    json: { book: { name: 'The coast', entries: [{ keys: ['lamp'], content: 'It never goes out.' }] } },
  }),
  'PATCH /characters/{id}': async (world) => ({ ids: { id: world.character }, json: { name: 'Wren' } }),
  'DELETE /characters/{id}': async ({ owner }) => ({
    ids: { id: await addCharacter({ creatorId: owner.id }) },
  }),
  'POST /characters/{id}/restore': async ({ owner }) => {
    const id = await addCharacter({ creatorId: owner.id });
    await owner.call(`/api/characters/${id}`, { method: 'DELETE' });
    return { ids: { id } };
  },
  'GET /me/characters/{id}': async (world) => ({ ids: { id: world.character } }),
  'POST /competition/entries/{character_id}': async (world) => ({
    ids: { character_id: await createEntry(world) },
  }),
  'DELETE /competition/entries/{character_id}': async (world) => ({
    ids: { character_id: await createEntry(world) },
  }),
  'POST /appeals': async ({ owner, operator }) => {
    const hidden = { kind: 'character_hidden', subject_id: await addCharacter({ creatorId: owner.id }) };
    const { id } = await applyModerationAction(operator, hidden);
    return { json: { measure_id: id, message: 'Why?' } };
  },
  'GET /conversations/{id}/export': (world) => useStory(world),
  'GET /conversations/{id}': (world) => useStory(world),
  'PATCH /conversations/{id}': (world) => useStory(world, { title: 'A title' }),
  'DELETE /conversations/{id}': async (world) => ({ ids: await startStory(world) }),
  'POST /conversations/{id}/restore': async (world) => {
    const { id } = await startStory(world);
    await world.owner.call(`/api/conversations/${id}`, { method: 'DELETE' });
    return { ids: { id } };
  },
  'PUT /conversations/{id}/persona': (world) => useStory(world, { persona_id: null }),
  'POST /conversations/{id}/greeting': async ({ owner, character }) => ({
    ids: { id: await startConversation(owner, character) },
    json: { index: 0 },
  }),
  'PUT /conversations/{id}/character-version': async (world) => {
    const { conversation: page } = await world.owner.ask<{ conversation: { character_version: number } }>(
      `/api/conversations/${world.story.id}`,
    );
    return useStory(world, { version: page.character_version });
  },
  'POST /conversations/{id}/messages': async (world) => ({
    ids: await startStory(world),
    json: { content: 'Hello', ...buildTurn() },
  }),
  'POST /conversations/{id}/messages/{mid}/regenerate': (world) => useStory(world, buildTurn()),
  'POST /conversations/{id}/messages/{mid}/continue': (world) => useStory(world, buildTurn()),
  'POST /conversations/{id}/reply': async (world) => ({
    ids: await createUnanswered(world),
    json: buildTurn(),
  }),
  'GET /conversations/{id}/stream': (world) => useStory(world),
  'POST /conversations/{id}/stop': (world) => useStory(world),
  'PATCH /conversations/{id}/messages/{mid}': async (world) => ({
    ids: await startStory(world),
    json: { content: 'Said otherwise.' },
  }),
  'DELETE /conversations/{id}/messages/{mid}': async (world) => ({ ids: await startStory(world) }),
  'PUT /conversations/{id}/messages/{mid}/version': async (world) => {
    const messages = await listMessages(world.owner, world.story.id);
    const reply = messages.find(({ id }) => id === world.story.mid);
    return useStory(world, { version_id: reply?.selected_version_id });
  },
  'POST /conversations/{id}/messages/{mid}/fork': (world) => useStory(world, {}),
  'GET /conversations/{id}/trash': (world) => useStory(world),
  'POST /conversations/{id}/trash/{tid}/restore': async (world) => ({ ids: await discardMessage(world) }),
  'DELETE /conversations/{id}/trash/{tid}': async (world) => ({ ids: await discardMessage(world) }),
  'POST /conversations/{id}/suggestions': (world) => useStory(world, buildTurn()),
  'POST /conversations/{id}/impersonate': (world) => useStory(world, buildTurn()),
  'POST /conversations/{id}/messages/{mid}/reports': (world) => useStory(world, { reason: 'spam' }),
  'GET /conversations/{id}/memory': (world) => useStory(world),
  'PUT /conversations/{id}/memory': (world) => useStory(world, { entries: [{ text: 'They met.' }] }),
  'GET /conversations/{id}/messages/{mid}/context': (world) => useStory(world),
  'PUT /conversations/{id}/messages/{mid}/pin': (world) => useStory(world),
  'DELETE /conversations/{id}/messages/{mid}/pin': (world) => useStory(world),
  'GET /conversations/{id}/live': async (world) => ({
    ids: world.story,
    headers: { upgrade: 'websocket', connection: 'upgrade' },
  }),
  'PUT /personas/{id}/default': async (world) => ({ ids: { id: await createPersona(world) } }),
  'PATCH /personas/{id}': async (world) => ({
    ids: { id: await createPersona(world) },
    json: { name: 'Ada' },
  }),
  'DELETE /personas/{id}': async (world) => ({ ids: { id: await createPersona(world) } }),
  // Routes without a target that could belong to another user.
  'POST /conversations': async ({ character: character_id }) => ({ json: { character_id } }),
  'POST /conversations/import': async ({ character: character_id }) => ({
    form: formOf(CHAT_FILE, { character_id }, 'chat.jsonl'),
  }),
  'POST /characters/import': async () => ({ form: formOf(JSON.stringify(V2), {}, 'card.json') }),
  'POST /uploads/avatar': async () => ({ form: formOf(PICTURES.png, {}, 'me.png') }),
  'GET /conversations/search': async () => ({ query: '?q=lantern' }),
  'POST /characters': async ({ owner }) => ({ json: await buildForm(owner) }),
  'POST /personas': async () => ({ json: { name: 'Wren', description: 'Maps coasts.' } }),
  'PATCH /account': async () => ({ json: { language: 'de' } }),
  'POST /points/check-availability': async () => ({ json: { action: 'create_character' } }),
  'POST /characters/{id}/reports': async (world) => ({
    ids: { id: world.character },
    json: { reason: 'spam' },
  }),
  'POST /creators/{id}/reports': async ({ owner }) => ({ ids: { id: owner.id }, json: { reason: 'spam' } }),
  'GET /characters/{id}/conversations': async (world) => ({ ids: { id: world.character } }),
  'GET /characters/{id}': async (world) => ({ ids: { id: world.character } }),
  'GET /characters/{id}/card': async (world) => ({ ids: { id: world.character }, query: '?format=json' }),
  'GET /creators/{id}': async ({ owner }) => ({ ids: { id: owner.id } }),
  'PUT /me/favourites/{character_id}': async (world) => ({ ids: { character_id: world.character } }),
  'GET /me/favourites/{character_id}': async (world) => ({ ids: { character_id: world.character } }),
  'DELETE /me/favourites/{character_id}': async (world) => ({ ids: { character_id: world.character } }),
  'PUT /me/following/{creator_id}': async ({ owner }) => ({ ids: { creator_id: owner.id } }),
  'GET /me/following/{creator_id}': async ({ owner }) => ({ ids: { creator_id: owner.id } }),
  'DELETE /me/following/{creator_id}': async ({ owner }) => ({ ids: { creator_id: owner.id } }),
  'PUT /me/hidden/tags/{tag}': async () => ({ ids: { tag: 'fantasy' } }),
  'DELETE /me/hidden/tags/{tag}': async () => ({ ids: { tag: 'fantasy' } }),
  'PUT /me/hidden/creators/{id}': async ({ owner }) => ({ ids: { id: owner.id } }),
  'DELETE /me/hidden/creators/{id}': async ({ owner }) => ({ ids: { id: owner.id } }),
};

const createEntry = async ({ owner }: World): Promise<string> =>
  addEntry(await createSeason({ isToCome: true }), { creatorId: owner.id });

/** Starts a conversation whose last message has no reply. */
async function createUnanswered(world: World): Promise<Record<string, string>> {
  const created = await startStory(world);
  await new ConversationClient(world.owner, created.id).ask(`/messages/${created.mid}`, { method: 'DELETE' });
  return created;
}

const CHAT_FILE = [
  { user_name: 'Wren', character_name: 'Mira', chat_metadata: {} },
  { name: 'Wren', is_user: true, mes: 'Hello.', send_date: '2026-01-02T03:04:05.000Z' },
]
  .map((line) => JSON.stringify(line))
  .join('\n');

const NO_FIXTURE = {} as AdminFixture;

/** Returns whether the route has an example use. */
export const isUsed = (name: string): boolean => name in USES || name in ADMIN_REQUESTS;

/** Creates a valid use of the route, with new data for it, independent of earlier calls. */
export async function useOf(operation: Operation, world: World): Promise<Use> {
  const name = formatOperation(operation);
  const buildAdminRequest = ADMIN_REQUESTS[name];
  if (buildAdminRequest) {
    // A request about nothing in particular needs no new users, which take longer to create than the call.
    const use =
      buildAdminRequest.length === 0
        ? buildAdminRequest(NO_FIXTURE)
        : buildAdminRequest(await createAdminFixture(world.operator));
    return { status: 200, ...(await use) };
  }
  return (await USES[name]?.(world)) ?? (operation.body === null ? {} : { json: buildValidBody(operation) });
}
