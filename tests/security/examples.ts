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
  sendMessage,
  createTurnId,
  createAccount,
} from '../support/factories.ts';
import { buildValidBody, formatOperation } from '../support/fuzz-bodies.ts';
import { insertPasskey } from '../support/passkey-actions.ts';
import { PICTURES } from '../support/pictures.ts';
import { applyModerationAction } from '../support/staff.ts';
import {
  buildFileForm,
  createSampleConversation,
  type SampleConversation,
  type ExampleRequest,
  type Fixture,
} from './fixture.ts';

const startSampleConversation = (fixture: Fixture): Promise<SampleConversation> =>
  createSampleConversation(fixture.owner, fixture.character);
const buildTurn = () => ({ client_message_id: createTurnId() });

/** Discards a message in a conversation of its own. */
async function discardMessage(fixture: Fixture): Promise<Record<string, string>> {
  const created = await startSampleConversation(fixture);
  const { id } = await new ConversationClient(fixture.owner, created.id).discard(created.mine);
  return { ...created, tid: id };
}

async function createPersona(fixture: Fixture): Promise<string> {
  const json = { name: 'Wren', description: 'Maps coasts.' };
  return (await fixture.owner.ask<{ id: string }>('/api/personas', { json, status: 201 })).id;
}

/** Saves a style and deletes the earlier ones, because a user may save only a few. */
async function createStyle({ owner }: Fixture): Promise<string> {
  const { items } = await owner.ask<{ items: { id: string }[] }>('/api/reply-styles');
  for (const { id } of items) await owner.call(`/api/reply-styles/${id}`, { method: 'DELETE' });
  const json = { name: 'Noir' };
  return (await owner.ask<{ id: string }>('/api/reply-styles', { json, status: 201 })).id;
}

async function createOtherSession({ owner }: Fixture): Promise<string> {
  await createAccount(owner.email);
  const { items } = await owner.ask<{ items: { id: string; current: boolean }[] }>('/api/account/sessions');
  return items.find(({ current }) => !current)?.id ?? '';
}

async function useSampleConversation(fixture: Fixture, json?: unknown): Promise<ExampleRequest> {
  return { ids: fixture.conversation, ...(json === undefined ? {} : { json }) };
}

/** A valid request by an owner for each route with own data, on objects that belong to this owner. */
const EXAMPLES: Record<string, (fixture: Fixture) => Promise<ExampleRequest>> = {
  'DELETE /account/sessions/{id}': async (fixture) => ({ ids: { id: await createOtherSession(fixture) } }),
  'PATCH /account/passkeys/{id}': async ({ owner }) => ({
    ids: { id: await insertPasskey(owner.id) },
    json: { name: 'Phone' },
  }),
  'DELETE /account/passkeys/{id}': async ({ owner }) => ({ ids: { id: await insertPasskey(owner.id) } }),
  'GET /characters/import/{id}': async ({ owner }) => ({
    ids: { id: (await importCard(owner, JSON.stringify(V2))).import_id },
  }),
  'GET /characters/{id}/lorebook': async (fixture) => ({ ids: { id: fixture.character } }),
  'PUT /characters/{id}/lorebook': async (fixture) => ({
    ids: { id: fixture.character },
    json: { book: { name: 'The coast', entries: [{ keys: ['lamp'], content: 'It never goes out.' }] } },
  }),
  'PATCH /characters/{id}': async (fixture) => ({ ids: { id: fixture.character }, json: { name: 'Wren' } }),
  'DELETE /characters/{id}': async ({ owner }) => ({
    ids: { id: await addCharacter({ creatorId: owner.id }) },
  }),
  'POST /characters/{id}/restore': async ({ owner }) => {
    const id = await addCharacter({ creatorId: owner.id });
    await owner.call(`/api/characters/${id}`, { method: 'DELETE' });
    return { ids: { id } };
  },
  'GET /me/characters/{id}': async (fixture) => ({ ids: { id: fixture.character } }),
  'POST /competition/entries/{character_id}': async (fixture) => ({
    ids: { character_id: await createEntry(fixture) },
  }),
  'DELETE /competition/entries/{character_id}': async (fixture) => ({
    ids: { character_id: await createEntry(fixture) },
  }),
  'POST /appeals': async ({ owner, operator }) => {
    const hidden = { kind: 'character_hidden', subject_id: await addCharacter({ creatorId: owner.id }) };
    const { id } = await applyModerationAction(operator, hidden);
    return { json: { measure_id: id, message: 'Why?' } };
  },
  'GET /conversations/{id}/export': (fixture) => useSampleConversation(fixture),
  'GET /conversations/{id}': (fixture) => useSampleConversation(fixture),
  'PATCH /conversations/{id}': (fixture) => useSampleConversation(fixture, { title: 'A title' }),
  'DELETE /conversations/{id}': async (fixture) => ({ ids: await startSampleConversation(fixture) }),
  'POST /conversations/{id}/restore': async (fixture) => {
    const { id } = await startSampleConversation(fixture);
    await fixture.owner.call(`/api/conversations/${id}`, { method: 'DELETE' });
    return { ids: { id } };
  },
  'PUT /conversations/{id}/persona': (fixture) => useSampleConversation(fixture, { persona_id: null }),
  'PUT /conversations/{id}/own-name': (fixture) => useSampleConversation(fixture),
  'POST /conversations/{id}/greeting': async ({ owner, character }) => ({
    ids: { id: await startConversation(owner, character) },
    json: { index: 0 },
  }),
  'PUT /conversations/{id}/character-version': async (fixture) => {
    const { conversation: page } = await fixture.owner.ask<{ conversation: { character_version: number } }>(
      `/api/conversations/${fixture.conversation.id}`,
    );
    return useSampleConversation(fixture, { version: page.character_version });
  },
  'POST /conversations/{id}/messages': async (fixture) => ({
    ids: await startSampleConversation(fixture),
    json: { content: 'Hello', ...buildTurn() },
  }),
  'POST /conversations/{id}/messages/{mid}/regenerate': (fixture) =>
    useSampleConversation(fixture, buildTurn()),
  'POST /conversations/{id}/messages/{mid}/continue': (fixture) =>
    useSampleConversation(fixture, buildTurn()),
  'POST /conversations/{id}/reply': async (fixture) => ({
    ids: await createUnanswered(fixture),
    json: buildTurn(),
  }),
  'GET /conversations/{id}/stream': (fixture) => useSampleConversation(fixture),
  'POST /conversations/{id}/stop': (fixture) => useSampleConversation(fixture),
  'PATCH /conversations/{id}/messages/{mid}': async (fixture) => ({
    ids: await startSampleConversation(fixture),
    json: { content: 'Said otherwise.' },
  }),
  'DELETE /conversations/{id}/messages/{mid}': async (fixture) => ({
    ids: await startSampleConversation(fixture),
  }),
  'PUT /conversations/{id}/messages/{mid}/version': async (fixture) => {
    const messages = await listMessages(fixture.owner, fixture.conversation.id);
    const reply = messages.find(({ id }) => id === fixture.conversation.mid);
    return useSampleConversation(fixture, { version_id: reply?.selected_version_id });
  },
  'PUT /conversations/{id}/messages/{mid}/rating': async (fixture) => {
    const messages = await listMessages(fixture.owner, fixture.conversation.id);
    const reply = messages.find(({ id }) => id === fixture.conversation.mid);
    return useSampleConversation(fixture, { version_id: reply?.selected_version_id, rating: 'up' });
  },
  'POST /conversations/{id}/messages/{mid}/fork': (fixture) => useSampleConversation(fixture, {}),
  'GET /conversations/{id}/trash': (fixture) => useSampleConversation(fixture),
  'POST /conversations/{id}/trash/{tid}/restore': async (fixture) => ({ ids: await discardMessage(fixture) }),
  'DELETE /conversations/{id}/trash/{tid}': async (fixture) => ({ ids: await discardMessage(fixture) }),
  'POST /conversations/{id}/suggestions': (fixture) => useSampleConversation(fixture, buildTurn()),
  'POST /conversations/{id}/impersonate': (fixture) => useSampleConversation(fixture, buildTurn()),
  'POST /conversations/{id}/messages/{mid}/reports': (fixture) =>
    useSampleConversation(fixture, { reason: 'spam' }),
  'GET /conversations/{id}/memory': (fixture) => useSampleConversation(fixture),
  'PUT /conversations/{id}/memory': (fixture) =>
    useSampleConversation(fixture, { entries: [{ text: 'They met.' }] }),
  'GET /conversations/{id}/reply-settings': (fixture) => useSampleConversation(fixture),
  'PATCH /conversations/{id}/reply-settings': (fixture) =>
    useSampleConversation(fixture, { author_note: 'It rains.' }),
  'GET /conversations/{id}/messages/{mid}/context': (fixture) => useSampleConversation(fixture),
  'GET /conversations/{id}/messages/{mid}/thinking': async (fixture) => ({
    ids: await createThinking(fixture),
  }),
  'PUT /conversations/{id}/messages/{mid}/pin': (fixture) => useSampleConversation(fixture),
  'DELETE /conversations/{id}/messages/{mid}/pin': (fixture) => useSampleConversation(fixture),
  'GET /conversations/{id}/live': async (fixture) => ({
    ids: fixture.conversation,
    headers: { upgrade: 'websocket', connection: 'upgrade' },
  }),
  'PUT /personas/{id}/default': async (fixture) => ({ ids: { id: await createPersona(fixture) } }),
  'PATCH /personas/{id}': async (fixture) => ({
    ids: { id: await createPersona(fixture) },
    json: { name: 'Ada' },
  }),
  'DELETE /personas/{id}': async (fixture) => ({ ids: { id: await createPersona(fixture) } }),
  'POST /personas/{id}/restore': async (fixture) => ({ ids: { id: await createPersona(fixture) } }),
  'PATCH /reply-styles/{id}': async (fixture) => ({
    ids: { id: await createStyle(fixture) },
    json: { name: 'Noir' },
  }),
  'DELETE /reply-styles/{id}': async (fixture) => ({ ids: { id: await createStyle(fixture) } }),
  // Routes without a target that could belong to another user.
  'POST /conversations': async ({ character: character_id }) => ({ json: { character_id } }),
  'POST /conversations/import': async ({ character: character_id }) => ({
    form: buildFileForm(CHAT_FILE, { character_id }, 'chat.jsonl'),
  }),
  'POST /characters/import': async () => ({ form: buildFileForm(JSON.stringify(V2), {}, 'card.json') }),
  'POST /uploads/avatar': async () => ({ form: buildFileForm(PICTURES.png, {}, 'me.png') }),
  'GET /conversations/search': async () => ({ query: '?q=lantern' }),
  'GET /characters/suggestions': async () => ({ query: '?q=lantern' }),
  'POST /characters': async ({ owner }) => ({ json: await buildForm(owner) }),
  'POST /reply-styles': async () => ({ json: { name: 'Noir' } }),
  'POST /personas': async () => ({ json: { name: 'Wren', description: 'Maps coasts.' } }),
  'PATCH /account': async () => ({ json: { language: 'de' } }),
  'POST /points/check-availability': async () => ({ json: { action: 'create_character' } }),
  'POST /characters/{id}/reports': async (fixture) => ({
    ids: { id: fixture.character },
    json: { reason: 'spam' },
  }),
  'POST /creators/{id}/reports': async ({ owner }) => ({ ids: { id: owner.id }, json: { reason: 'spam' } }),
  'GET /characters/{id}/conversations': async (fixture) => ({ ids: { id: fixture.character } }),
  'GET /characters/{id}': async (fixture) => ({ ids: { id: fixture.character } }),
  'GET /characters/{id}/definition': async (fixture) => ({ ids: { id: fixture.character } }),
  'GET /characters/{id}/card': async (fixture) => ({ ids: { id: fixture.character }, query: '?format=json' }),
  'GET /creators/{id}': async ({ owner }) => ({ ids: { id: owner.id } }),
  'PUT /me/favourites/{character_id}': async (fixture) => ({ ids: { character_id: fixture.character } }),
  'GET /me/favourites/{character_id}': async (fixture) => ({ ids: { character_id: fixture.character } }),
  'DELETE /me/favourites/{character_id}': async (fixture) => ({ ids: { character_id: fixture.character } }),
  'PUT /me/likes/{character_id}': async (fixture) => ({ ids: { character_id: fixture.character } }),
  'GET /me/likes/{character_id}': async (fixture) => ({ ids: { character_id: fixture.character } }),
  'DELETE /me/likes/{character_id}': async (fixture) => ({ ids: { character_id: fixture.character } }),
  'PUT /me/following/{creator_id}': async ({ owner }) => ({ ids: { creator_id: owner.id } }),
  'GET /me/following/{creator_id}': async ({ owner }) => ({ ids: { creator_id: owner.id } }),
  'DELETE /me/following/{creator_id}': async ({ owner }) => ({ ids: { creator_id: owner.id } }),
  'PUT /me/hidden/tags/{tag}': async () => ({ ids: { tag: 'fantasy' } }),
  'DELETE /me/hidden/tags/{tag}': async () => ({ ids: { tag: 'fantasy' } }),
  'PUT /me/hidden/creators/{id}': async ({ owner }) => ({ ids: { id: owner.id } }),
  'DELETE /me/hidden/creators/{id}': async ({ owner }) => ({ ids: { id: owner.id } }),
};

const createEntry = async ({ owner }: Fixture): Promise<string> =>
  addEntry(await createSeason({ isToCome: true }), { creatorId: owner.id });

/** Starts a conversation whose last reply has thinking. */
async function createThinking({ owner, character }: Fixture): Promise<Record<string, string>> {
  const id = await startConversation(owner, character);
  await sendMessage(owner, id, 'Think. [[scenario:thinking n=2 ms=0]]');
  return { id, mid: (await listMessages(owner, id)).at(-1)?.id as string };
}

/** Starts a conversation whose last message has no reply. */
async function createUnanswered(fixture: Fixture): Promise<Record<string, string>> {
  const created = await startSampleConversation(fixture);
  await new ConversationClient(fixture.owner, created.id).ask(`/messages/${created.mid}`, {
    method: 'DELETE',
  });
  return created;
}

const CHAT_FILE = [
  { user_name: 'Wren', character_name: 'Mira', chat_metadata: {} },
  { name: 'Wren', is_user: true, mes: 'Hello.', send_date: '2026-01-02T03:04:05.000Z' },
]
  .map((line) => JSON.stringify(line))
  .join('\n');

const NO_FIXTURE = {} as AdminFixture;

/** Returns whether the route has an example request. */
export const hasExample = (name: string): boolean => name in EXAMPLES || name in ADMIN_REQUESTS;

/** Creates a valid request of the route, with new data for it, independent of earlier calls. */
export async function createExample(operation: Operation, fixture: Fixture): Promise<ExampleRequest> {
  const name = formatOperation(operation);
  const buildAdminRequest = ADMIN_REQUESTS[name];
  if (buildAdminRequest) {
    // A request about nothing in particular needs no new users, which take longer to create than the call.
    const example =
      buildAdminRequest.length === 0
        ? buildAdminRequest(NO_FIXTURE)
        : buildAdminRequest(await createAdminFixture(fixture.operator));
    return { status: 200, ...(await example) };
  }
  return (
    (await EXAMPLES[name]?.(fixture)) ?? (operation.body === null ? {} : { json: buildValidBody(operation) })
  );
}
