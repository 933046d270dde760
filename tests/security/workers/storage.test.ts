import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import type { StorageView } from '../../../src/features/storage/contract.ts';
import { STORAGE } from '../../../src/features/storage/limits.ts';
import { V2 } from '../../support/card-files.ts';
import { startConversationClient, type ConversationClient } from '../../support/conversation-client.ts';
import {
  addCharacter,
  createAccount,
  sendMessage,
  signInGuest,
  startConversation,
  type Visitor,
} from '../../support/factories.ts';
import { readOpenApi } from '../../support/openapi-operations.ts';
import { createActiveSubscription } from '../../support/paypal.ts';
import { createUniquePicture } from '../../support/pictures.ts';
import { buildFileForm } from '../fixture.ts';

const CHAT = [
  '{"user_name":"Wren","character_name":"Orla"}',
  '{"name":"Wren","is_user":true,"mes":"I did."}',
].join('\n');

/** A user, one of their chats, and the latest message in it. */
interface Scene {
  me: Visitor;
  chat: ConversationClient;
  last: string;
  characterId: string;
}

const getStorage = (me: Visitor) => me.ask<StorageView>('/api/account/storage');

/** Lets a user's pictures take all but some bytes of the room. */
async function fillUpTo(me: Visitor, left: number): Promise<void> {
  const { used_bytes: used, limit_bytes: limit } = await getStorage(me);
  await env.DB.prepare(
    `insert into storage_totals (owner_id, picture_bytes) values (?1, ?2)
     on conflict (owner_id) do update set picture_bytes = picture_bytes + excluded.picture_bytes`,
  )
    .bind(me.id, limit - left - used)
    .run();
}

async function startScene(me: Visitor): Promise<Scene> {
  const chat = await startConversationClient(me);
  await chat.insertMessages('Hello.', 'You came.');
  return { me, chat, last: (await chat.ids()).at(-1) as string, characterId: await addCharacter() };
}

const post = (me: Visitor, path: string, body: FormData): Promise<Response> =>
  me.call(path, { method: 'POST', body });

/** Every way in which a user stores more than they write, by its route. */
const WAYS: Record<string, (scene: Scene, index: number) => Promise<Response>> = {
  '/api/conversations/import': ({ me, characterId }) =>
    post(me, '/api/conversations/import', buildFileForm(CHAT, { character_id: characterId }, 'chat.jsonl')),
  '/api/characters/import': ({ me }, index) =>
    post(
      me,
      '/api/characters/import',
      buildFileForm(JSON.stringify({ ...V2, data: { ...V2.data, name: `Orla ${index}` } })),
    ),
  '/api/uploads/avatar': ({ me }, index) =>
    post(me, '/api/uploads/avatar', buildFileForm(createUniquePicture(100 + index))),
  '/api/conversations/{id}/messages/{mid}/fork': ({ chat, last }) =>
    chat.call(`/messages/${last}/fork`, { json: {} }),
};

async function createMember(): Promise<Visitor> {
  const member = await createAccount();
  await createActiveSubscription(member);
  return member;
}

const PEOPLE = [
  ['a guest', signInGuest, STORAGE.guestBytes],
  ['an account', () => createAccount(), STORAGE.accountBytes],
  ['a member', createMember, STORAGE.memberBytes],
] as const;

test('every route that takes a file is a way to store something', async () => {
  const { paths } = await readOpenApi();
  const takingFiles = Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).some(({ requestBody }) => requestBody?.content['multipart/form-data'])
      ? [path]
      : [],
  );
  expect(takingFiles.length).toBeGreaterThan(2);
  expect(takingFiles.filter((path) => WAYS[path] === undefined)).toEqual([]);
});

describe('The total of what a person stores', () => {
  test.each(PEOPLE)(
    '%s at the bound stores nothing more on any route, and goes on writing',
    async (_, create, limit) => {
      const scene = await startScene(await create());
      const { me } = scene;
      await fillUpTo(me, 0);
      const before = await getStorage(me);
      expect(before).toMatchObject({ used_bytes: limit, limit_bytes: limit });
      for (const [path, store] of Object.entries(WAYS)) {
        const answer = await store(scene, 0);
        const { code } = await answer.json<{ code: string }>();
        // Guests have no cards and no pictures at all.
        const isClosed = code === 'account_required' && me.email === '';
        expect([path, code, answer.status]).toEqual(
          isClosed ? [path, 'account_required', 403] : [path, 'storage_full', 409],
        );
      }
      const after = await getStorage(me);
      expect([after.used_bytes, after.conversations.count]).toEqual([limit, before.conversations.count]);
      expect((await sendMessage(me, scene.chat.id, 'Still here.')).at(-1)).toMatchObject({ event: 'done' });
      const id = await startConversation(me);
      expect((await sendMessage(me, id, 'And here.')).at(-1)).toMatchObject({ event: 'done' });
    },
  );

  test('twenty-four calls of every kind at once store no more than there is room for', async () => {
    const scene = await startScene(await createAccount());
    await fillUpTo(scene.me, 3.5 * STORAGE.emptyConversationBytes);
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        Object.values(WAYS).map((store) => store(scene, index + 1)),
      ).flat(),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status < 300).length).toBeGreaterThan(0);
    expect(statuses).toContain(409);
    // On a busy machine an upload may wait for its turn for too long.
    expect(statuses.filter((status) => status >= 300 && status !== 409 && status !== 429)).toEqual([]);
    expect((await getStorage(scene.me)).used_bytes).toBeLessThanOrEqual(STORAGE.accountBytes);
    const left = env.DB.prepare('select count(*) as count from storage_reservations where owner_id = ?');
    expect(await left.bind(scene.me.id).first('count')).toBe(0);
  });
});
