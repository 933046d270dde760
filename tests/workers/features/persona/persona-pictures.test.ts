import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../../../src/db/open.ts';
import type { Persona, PersonaList, TrashedPersonas } from '../../../../src/features/persona/contract.ts';
import { PICTURE } from '../../../../src/features/picture/limits.ts';
import { purgeExpiredPersonas } from '../../../../src/jobs/purge-trash.ts';
import { purgeUnusedPictures } from '../../../../src/services/purge-pictures.ts';
import { deleteAccount, runErasures } from '../../../support/account-deletion.ts';
import { createOwnCharacter, uploadTestPicture } from '../../../support/character-actions.ts';
import { createAccount, signInGuest, Visitor } from '../../../support/factories.ts';
import { createUniquePicture } from '../../../support/pictures.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const db = openDatabase(env.DB);
const TEXT = { name: 'Wren', description: 'Maps coasts.' };

let me: Visitor;
beforeEach(async () => {
  me = await createAccount();
});

const createPersona = (avatar_id: string) =>
  me.ask<Persona>('/api/personas', { json: { ...TEXT, avatar_id }, status: 201 });
const change = (id: string, json: object, status = 200) =>
  me.ask<Persona & { fields?: object }>(`/api/personas/${id}`, { method: 'PATCH', json, status });
const list = async () => (await me.ask<PersonaList>('/api/personas')).items;
const remove = async (id: string, query = '', visitor = me) =>
  (await visitor.call(`/api/personas/${id}${query}`, { method: 'DELETE' })).status;
const isStored = async (key: string): Promise<boolean> => (await env.MEDIA.head(key)) !== null;
/** Runs a day of housekeeping for pictures that were uploaded long ago. */
async function runHousekeeping(): Promise<void> {
  await env.DB.prepare('update pictures set created_at = 1 where owner_id = ? and created_at > 0')
    .bind(me.id)
    .run();
  const now = Date.now();
  for (let hour = 0; hour < 24; hour += 1) await purgeUnusedPictures(env, db, now - hour * HOUR_MS);
}

describe('The picture of a persona', () => {
  test('a picture can be set, changed and removed, and other changes keep it', async () => {
    const [first, second] = [
      await uploadTestPicture(me, createUniquePicture(1)),
      await uploadTestPicture(me, createUniquePicture(2)),
    ];
    const made = await createPersona(first);
    expect(made).toMatchObject({ avatar_id: first, avatar_url: `/media/${first}` });
    expect(await change(made.id, { name: 'Robin' })).toMatchObject({ avatar_id: first });
    expect(await change(made.id, { avatar_id: second, is_default: true })).toMatchObject({
      avatar_url: `/media/${second}`,
      is_default: true,
    });
    expect(await list()).toMatchObject([{ avatar_id: second }]);
    expect(await change(made.id, { avatar_id: null })).toMatchObject({ avatar_id: null, avatar_url: null });
  });

  test('only the user’s own upload can be a picture, and a refused change changes nothing', async () => {
    const foreign = await uploadTestPicture(await createAccount());
    const { id } = await createPersona(await uploadTestPicture(me));
    const fields = { avatar_id: ['Please upload an avatar'] };
    for (const avatar_id of [foreign, `${'0'.repeat(32)}.webp`, 'x']) {
      expect(await change(id, { avatar_id, name: 'Robin', is_default: true }, 400)).toMatchObject({ fields });
      const json = { ...TEXT, avatar_id };
      expect(await me.ask('/api/personas', { json, status: 400 })).toMatchObject({ fields });
    }
    expect(await list()).toMatchObject([{ id, name: 'Wren', is_default: false }]);
    const guest = await signInGuest();
    expect(
      await guest.ask('/api/personas', { json: { ...TEXT, avatar_id: foreign }, status: 400 }),
    ).toMatchObject({ fields });
  });

  test('the picture is visible to its owner only, from the moment a persona has it', async () => {
    const key = await uploadTestPicture(me);
    const read = async (visitor: Visitor) => {
      const answer = await visitor.call(`/media/${key}`);
      await answer.arrayBuffer();
      return answer.status;
    };
    await createPersona(key);
    expect(await Promise.all([me, await createAccount(), new Visitor()].map(read))).toEqual([200, 404, 404]);
  });

  test('a used picture is not counted among the unused ones', async () => {
    const key = await uploadTestPicture(me);
    await createPersona(key);
    await env.DB.prepare('update pictures set created_at = 1 where key = ?').bind(key).run();
    const insert = env.DB.prepare(
      'insert into pictures (key, owner_id, bytes, created_at) values (?, ?, 1, ?)',
    );
    const rows = Array.from({ length: PICTURE.maxUnused }, (_, number) => number);
    await env.DB.batch(rows.map((number) => insert.bind(`${me.id}-${number}`, me.id, Date.now() - 1000)));
    await uploadTestPicture(me, createUniquePicture(2));
    expect(await isStored(key)).toBe(true);
  });

  test('a picture is kept in the trash, and deleted after the purge', async () => {
    const key = await uploadTestPicture(me);
    const { id } = await createPersona(key);
    expect(await remove(id)).toBe(204);
    await runHousekeeping();
    expect(await isStored(key)).toBe(true);
    const trash = await me.ask<TrashedPersonas>('/api/personas/trash');
    expect(trash.items).toMatchObject([{ avatar_url: `/media/${key}` }]);
    await purgeExpiredPersonas(db, Date.now() + 30 * DAY_MS);
    await runHousekeeping();
    expect(await isStored(key)).toBe(false);
  });

  test('a picture that was replaced or removed is deleted by housekeeping', async () => {
    const [first, second] = [
      await uploadTestPicture(me, createUniquePicture(1)),
      await uploadTestPicture(me, createUniquePicture(2)),
    ];
    const { id } = await createPersona(first);
    await change(id, { avatar_id: second });
    await runHousekeeping();
    expect([await isStored(first), await isStored(second)]).toEqual([false, true]);
    await change(id, { avatar_id: null });
    await runHousekeeping();
    expect(await isStored(second)).toBe(false);
  });

  test('deleting the account deletes the pictures of its personas, also of those in the trash', async () => {
    const keys = [
      await uploadTestPicture(me, createUniquePicture(1)),
      await uploadTestPicture(me, createUniquePicture(2)),
    ];
    for (const key of keys) await createPersona(key);
    await remove((await list())[0]?.id ?? '');
    await deleteAccount(me);
    await runErasures();
    expect(await Promise.all(keys.map(isStored))).toEqual([false, false]);
  });

  test('the download names the picture of each persona and contains it', async () => {
    const key = await uploadTestPicture(me);
    await createPersona(key);
    const { account } = await me.ask<{ account: { personas: object[]; pictures: object[] } }>(
      '/api/account/export?format=json',
    );
    expect(account).toMatchObject({ personas: [{ avatar_id: key }], pictures: [{ id: key }] });
  });
});

describe('The final deletion of a persona', () => {
  test('a persona in the trash can be deleted permanently, with its picture', async () => {
    const key = await uploadTestPicture(me);
    const { id } = await createPersona(key);
    await remove(id);
    expect(await remove(id)).toBe(404);
    expect(await remove(id, '?forever=true')).toBe(204);
    expect(await isStored(key)).toBe(false);
    expect((await me.ask<TrashedPersonas>('/api/personas/trash')).items).toEqual([]);
    expect(await remove(id, '?forever=true')).toBe(404);
  });

  test('a picture that a character, the account or another persona uses stays', async () => {
    const key = await uploadTestPicture(me);
    const [first, second] = [await createPersona(key), await createPersona(key)];
    await remove(first.id, '?forever=true');
    expect(await isStored(key)).toBe(true);
    await createOwnCharacter(me, { avatar_id: key });
    await remove(second.id, '?forever=true');
    expect(await isStored(key)).toBe(true);
  });

  test('only the owner can delete a persona permanently', async () => {
    const key = await uploadTestPicture(me);
    const { id } = await createPersona(key);
    expect(await remove(id, '?forever=true', await createAccount())).toBe(404);
    expect(await remove(id, '?forever=true', new Visitor())).toBe(401);
    expect(await remove(id, '?forever=yes')).toBe(400);
    expect(await list()).toMatchObject([{ id, avatar_id: key }]);
  });
});
