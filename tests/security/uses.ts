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

const fresh = (world: World): Promise<Story> => story(world.owner, world.character);
const turn = () => ({ client_message_id: createTurnId() });

/** A deletion in a conversation of its own, in its trash. */
async function discarded(world: World): Promise<Record<string, string>> {
  const told = await fresh(world);
  const { id } = await new ConversationClient(world.owner, told.id).discard(told.mine);
  return { ...told, tid: id };
}

async function persona(world: World): Promise<string> {
  const json = { name: 'Wren', description: 'Maps coasts.' };
  return (await world.owner.ask<{ id: string }>('/api/personas', { json, status: 201 })).id;
}

async function otherSession({ owner }: World): Promise<string> {
  await createAccount(owner.email);
  const { items } = await owner.ask<{ items: { id: string; current: boolean }[] }>('/api/account/sessions');
  return items.find(({ current }) => !current)?.id ?? '';
}

async function ofStory(world: World, json?: unknown): Promise<Use> {
  return { ids: world.story, ...(json === undefined ? {} : { json }) };
}

/** What an owner sends to each route of their own as it is meant to be used, on things that nobody else owns. */
const USES: Record<string, (world: World) => Promise<Use>> = {
  'DELETE /account/sessions/{id}': async (world) => ({ ids: { id: await otherSession(world) } }),
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
    ids: { character_id: await entered(world) },
  }),
  'DELETE /competition/entries/{character_id}': async (world) => ({
    ids: { character_id: await entered(world) },
  }),
  'POST /appeals': async ({ owner, operator }) => {
    const hidden = { kind: 'character_hidden', subject_id: await addCharacter({ creatorId: owner.id }) };
    const { id } = await applyModerationAction(operator, hidden);
    return { json: { measure_id: id, message: 'Why?' } };
  },
  'GET /conversations/{id}/export': (world) => ofStory(world),
  'GET /conversations/{id}': (world) => ofStory(world),
  'PATCH /conversations/{id}': (world) => ofStory(world, { title: 'A title' }),
  'DELETE /conversations/{id}': async (world) => ({ ids: await fresh(world) }),
  'POST /conversations/{id}/restore': async (world) => {
    const { id } = await fresh(world);
    await world.owner.call(`/api/conversations/${id}`, { method: 'DELETE' });
    return { ids: { id } };
  },
  'PUT /conversations/{id}/persona': (world) => ofStory(world, { persona_id: null }),
  'POST /conversations/{id}/greeting': async ({ owner, character }) => ({
    ids: { id: await startConversation(owner, character) },
    json: { index: 0 },
  }),
  'PUT /conversations/{id}/character-version': async (world) => {
    const { conversation: told } = await world.owner.ask<{ conversation: { character_version: number } }>(
      `/api/conversations/${world.story.id}`,
    );
    return ofStory(world, { version: told.character_version });
  },
  'POST /conversations/{id}/messages': async (world) => ({
    ids: await fresh(world),
    json: { content: 'Hello', ...turn() },
  }),
  'POST /conversations/{id}/messages/{mid}/regenerate': (world) => ofStory(world, turn()),
  'POST /conversations/{id}/messages/{mid}/continue': (world) => ofStory(world, turn()),
  'POST /conversations/{id}/reply': async (world) => ({ ids: await unanswered(world), json: turn() }),
  'GET /conversations/{id}/stream': (world) => ofStory(world),
  'POST /conversations/{id}/stop': (world) => ofStory(world),
  'PATCH /conversations/{id}/messages/{mid}': async (world) => ({
    ids: await fresh(world),
    json: { content: 'Said otherwise.' },
  }),
  'DELETE /conversations/{id}/messages/{mid}': async (world) => ({ ids: await fresh(world) }),
  'PUT /conversations/{id}/messages/{mid}/version': async (world) => {
    const told = await listMessages(world.owner, world.story.id);
    const said = told.find(({ id }) => id === world.story.mid);
    return ofStory(world, { version_id: said?.selected_version_id });
  },
  'POST /conversations/{id}/messages/{mid}/fork': (world) => ofStory(world, {}),
  'GET /conversations/{id}/trash': (world) => ofStory(world),
  'POST /conversations/{id}/trash/{tid}/restore': async (world) => ({ ids: await discarded(world) }),
  'DELETE /conversations/{id}/trash/{tid}': async (world) => ({ ids: await discarded(world) }),
  'POST /conversations/{id}/suggestions': (world) => ofStory(world, turn()),
  'POST /conversations/{id}/impersonate': (world) => ofStory(world, turn()),
  'POST /conversations/{id}/messages/{mid}/reports': (world) => ofStory(world, { reason: 'spam' }),
  'GET /conversations/{id}/memory': (world) => ofStory(world),
  'PUT /conversations/{id}/memory': (world) => ofStory(world, { entries: [{ text: 'They met.' }] }),
  'GET /conversations/{id}/messages/{mid}/context': (world) => ofStory(world),
  'PUT /conversations/{id}/messages/{mid}/pin': (world) => ofStory(world),
  'DELETE /conversations/{id}/messages/{mid}/pin': (world) => ofStory(world),
  'GET /conversations/{id}/live': async (world) => ({
    ids: world.story,
    headers: { upgrade: 'websocket', connection: 'upgrade' },
  }),
  'PUT /personas/{id}/default': async (world) => ({ ids: { id: await persona(world) } }),
  'PATCH /personas/{id}': async (world) => ({ ids: { id: await persona(world) }, json: { name: 'Ada' } }),
  'DELETE /personas/{id}': async (world) => ({ ids: { id: await persona(world) } }),
  // Of what is everybody's own: nothing is there that could be somebody else's.
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

const entered = async ({ owner }: World): Promise<string> =>
  addEntry(await createSeason({ isToCome: true }), { creatorId: owner.id });

/** A conversation whose last message got no answer. */
async function unanswered(world: World): Promise<Record<string, string>> {
  const told = await fresh(world);
  await new ConversationClient(world.owner, told.id).ask(`/messages/${told.mid}`, { method: 'DELETE' });
  return told;
}

const CHAT_FILE = [
  { user_name: 'Wren', character_name: 'Mira', chat_metadata: {} },
  { name: 'Wren', is_user: true, mes: 'Hello.', send_date: '2026-01-02T03:04:05.000Z' },
]
  .map((line) => JSON.stringify(line))
  .join('\n');

const NOBODYS = {} as AdminFixture;

/** Whether it is said how a route is used, on something that is there. */
export const isUsed = (name: string): boolean => name in USES || name in ADMIN_REQUESTS;

/** How a route is used as it is meant to be, on something that is there for it: made anew, whatever was done to the last. */
export async function useOf(operation: Operation, world: World): Promise<Use> {
  const name = formatOperation(operation);
  const ofStaff = ADMIN_REQUESTS[name];
  if (ofStaff) {
    // What is about nothing in particular needs no people of its own; making them takes longer than asking.
    const use = ofStaff.length === 0 ? ofStaff(NOBODYS) : ofStaff(await createAdminFixture(world.operator));
    return { status: 200, ...(await use) };
  }
  return (await USES[name]?.(world)) ?? (operation.body === null ? {} : { json: buildValidBody(operation) });
}
