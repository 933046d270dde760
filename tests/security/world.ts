import { bring } from '../support/card-hands.ts';
import { V2 } from '../support/cards.ts';
import { Chat } from '../support/chat.ts';
import { addressOf, type Operation } from '../support/documented.ts';
import {
  character,
  conversation,
  guest,
  messages,
  newTurnId,
  send,
  signedIn,
  Visitor,
} from '../support/makers.ts';
import { subscribed } from '../support/paypal.ts';
import { PICTURES } from '../support/pictures.ts';
import { measured, staff } from '../support/staff.ts';

/** Everybody whom a route may meet, and what one of them owns. */
export interface World {
  roles: Record<Role, Visitor>;
  owner: Visitor;
  operator: Visitor;
  /** Public, made by the owner. */
  character: string;
  /** The owner's, with one exchange in it; nothing that is asked of it may end it. */
  story: Story;
}

export const ROLES = [
  'nobody',
  'forged',
  'ended',
  'guest',
  'account',
  'member',
  'suspended',
  'admin',
] as const;
export type Role = (typeof ROLES)[number];

/** A conversation after one exchange. */
export interface Story {
  id: string;
  /** The newest reply. */
  mid: string;
  /** What was said before it. */
  mine: string;
  [name: string]: string;
}

/** What whoever may call a route sends to it. */
export interface Use {
  ids?: Record<string, string>;
  json?: unknown;
  form?: FormData;
  headers?: Record<string, string>;
  query?: string;
}

async function forged(): Promise<Visitor> {
  const visitor = new Visitor();
  visitor.cookie = `__Host-session=${'a1'.repeat(32)}`;
  return visitor;
}

/** Somebody whose browser still has the cookie of a session that is over. */
async function ended(): Promise<Visitor> {
  const visitor = await signedIn();
  const { cookie } = visitor;
  await visitor.call('/api/logout', { method: 'POST' });
  visitor.cookie = cookie;
  return visitor;
}

export async function story(owner: Visitor, characterId: string): Promise<Story> {
  const id = await conversation(owner, characterId);
  await send(owner, id, 'Something to keep.');
  const said = await messages(owner, id);
  return { id, mid: said.at(-1)?.id as string, mine: said.at(-2)?.id as string };
}

export async function newWorld(): Promise<World> {
  const [owner, operator, member, suspended] = await Promise.all([
    signedIn(),
    staff(),
    signedIn(),
    signedIn(),
  ]);
  await subscribed(member);
  // Who pays may have hundreds of personas: what is tried makes many.
  await subscribed(owner);
  await measured(operator, { kind: 'account_suspended', subject_id: suspended.id });
  const characterId = await character({ creatorId: owner.id });
  return {
    owner,
    operator,
    character: characterId,
    story: await story(owner, characterId),
    roles: {
      nobody: new Visitor(),
      forged: await forged(),
      ended: await ended(),
      guest: await guest(),
      account: await signedIn(),
      member,
      suspended,
      admin: operator,
    },
  };
}

/** Calls an operation as a use says; whatever cookie the answer brings, the caller goes on with the one they had. */
export async function callAs(
  visitor: Visitor,
  operation: Operation,
  { ids = {}, json, form, headers, query = '' }: Use,
  method = operation.method,
): Promise<Response> {
  const { cookie } = visitor;
  const answer = await visitor.call(`${addressOf(operation, ids)}${query}`, {
    method,
    ...(json === undefined ? {} : { json }),
    ...(form === undefined ? {} : { body: form }),
    ...(headers === undefined ? {} : { headers }),
  });
  visitor.cookie = cookie;
  return answer;
}

/** A form with one file in it. */
export function formOf(file: BlobPart, fields: Record<string, string> = {}, name = 'file.bin'): FormData {
  const body = new FormData();
  for (const [field, value] of Object.entries(fields)) body.set(field, value);
  body.set('file', new Blob([file]), name);
  return body;
}

const fresh = (world: World): Promise<Story> => story(world.owner, world.character);
const turn = () => ({ client_message_id: newTurnId() });

/** A deletion in a conversation of its own, in its trash. */
async function discarded(world: World): Promise<Record<string, string>> {
  const told = await fresh(world);
  const { id } = await new Chat(world.owner, told.id).discard(told.mine);
  return { ...told, tid: id };
}

async function persona(world: World): Promise<string> {
  const json = { name: 'Wren', description: 'Maps coasts.' };
  return (await world.owner.ask<{ id: string }>('/api/personas', { json, status: 201 })).id;
}

async function otherSession({ owner }: World): Promise<string> {
  await signedIn(owner.email);
  const { items } = await owner.ask<{ items: { id: string; current: boolean }[] }>('/api/account/sessions');
  return items.find(({ current }) => !current)?.id ?? '';
}

async function ofStory(world: World, json?: unknown): Promise<Use> {
  return { ids: world.story, ...(json === undefined ? {} : { json }) };
}

/** What an owner sends to each route of their own as it is meant to be used, on things that nobody else owns. */
export const USES: Record<string, (world: World) => Promise<Use>> = {
  'DELETE /account/sessions/{id}': async (world) => ({ ids: { id: await otherSession(world) } }),
  'GET /characters/import/{id}': async ({ owner }) => ({
    ids: { id: (await bring(owner, JSON.stringify(V2))).import_id },
  }),
  'GET /characters/{id}/lorebook': async (world) => ({ ids: { id: world.character } }),
  'PUT /characters/{id}/lorebook': async (world) => ({ ids: { id: world.character }, json: { book: null } }),
  'PATCH /characters/{id}': async (world) => ({ ids: { id: world.character }, json: { name: 'Wren' } }),
  'DELETE /characters/{id}': async ({ owner }) => ({ ids: { id: await character({ creatorId: owner.id }) } }),
  'POST /characters/{id}/restore': async ({ owner }) => {
    const id = await character({ creatorId: owner.id });
    await owner.call(`/api/characters/${id}`, { method: 'DELETE' });
    return { ids: { id } };
  },
  'GET /me/characters/{id}': async (world) => ({ ids: { id: world.character } }),
  'POST /competition/entries/{character_id}': async (world) => ({ ids: { character_id: world.character } }),
  'DELETE /competition/entries/{character_id}': async (world) => ({ ids: { character_id: world.character } }),
  'POST /appeals': async ({ owner, operator }) => {
    const hidden = { kind: 'character_hidden', subject_id: await character({ creatorId: owner.id }) };
    const { id } = await measured(operator, hidden);
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
    ids: { id: await conversation(owner, character) },
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
    const told = await messages(world.owner, world.story.id);
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
  'PUT /conversations/{id}/memory': (world) => ofStory(world, { summary: 'They met.' }),
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

/** A conversation whose last message got no answer. */
async function unanswered(world: World): Promise<Record<string, string>> {
  const told = await fresh(world);
  await new Chat(world.owner, told.id).ask(`/messages/${told.mid}`, { method: 'DELETE' });
  return told;
}

const CHAT_FILE = [
  { user_name: 'Wren', character_name: 'Mira', chat_metadata: {} },
  { name: 'Wren', is_user: true, mes: 'Hello.', send_date: '2026-01-02T03:04:05.000Z' },
]
  .map((line) => JSON.stringify(line))
  .join('\n');
