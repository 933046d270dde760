import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../../../src/db/open.ts';
import type { AccountCase } from '../../../../src/features/moderation/moderation-action-contract.ts';
import type { FeaturedCharacters, FoundPeople } from '../../../../src/features/moderation/people-contract.ts';
import { setFeatured } from '../../../../src/features/moderation/people-store.ts';
import { createCreator, createStaffUser } from '../../../support/staff.ts';
import { createAccount, getPoints, signInGuest, type Visitor } from '../../../support/factories.ts';
import { createId } from '../../../../src/lib/ids.ts';

const find = (by: Visitor, q: string) => by.ask<FoundPeople>(`/api/admin/people?q=${encodeURIComponent(q)}`);
const listViews = async (me: Visitor) =>
  (await me.ask<{ items: { what: string }[] }>('/api/me/staff-views')).items;
const rename = (me: Visitor, username: string) =>
  me.call('/api/account', { method: 'PATCH', json: { username } });

/** A username that no other test uses. */
const createName = (start: string) => `${start}${createId(Date.now()).slice(-12)}`;

describe('People search', () => {
  test('staff finds an account by its whole address, and its owner can see that', async () => {
    const [operator, me] = [await createStaffUser(), await createAccount()];
    const { items, more } = await find(operator, ` ${me.email.toUpperCase()} `);
    expect(more).toBe(false);
    expect(items).toEqual([
      {
        id: me.id,
        name: expect.any(String),
        is_anonymous: false,
        suspended_at: null,
        created_at: expect.any(String),
      },
    ]);
    expect(await listViews(me)).toMatchObject([{ what: 'account' }]);
    expect((await find(operator, me.email.slice(1))).items).toEqual([]);
  });

  test('staff finds accounts by the beginning of their names in any capitals, and users by id', async () => {
    const operator = await createStaffUser();
    const [wren, wrenna, guest] = [await createAccount(), await createAccount(), await signInGuest()];
    const name = createName('Wren');
    await rename(wren, name);
    await rename(wrenna, `${name}na`);
    const getIds = async (q: string) => (await find(operator, q)).items.map(({ id }) => id);
    expect(await getIds(name.toUpperCase())).toEqual([wren.id, wrenna.id]);
    expect(await getIds(`${name}N`)).toEqual([wrenna.id]);
    expect(await getIds(name.slice(1))).toEqual([]);
    expect(await getIds(`${name}%`)).toEqual([]);
    expect(await getIds(guest.id)).toEqual([guest.id]);
    expect(await listViews(wren)).toEqual([]);
  });

  test('a search lists a limited number of people through an index', async () => {
    const operator = await createStaffUser();
    const name = createName('Many');
    const rows = Array.from({ length: 22 }, (_, index) => `${name}${index}`);
    await env.DB.prepare(
      `insert into users (id, username, is_anonymous, email, created_at, updated_at)
       select value, value, 0, lower(value) || '@example.org', 1, 1 from json_each(?)`,
    )
      .bind(JSON.stringify(rows))
      .run();
    const { items, more } = await find(operator, name);
    expect([items.length, more]).toEqual([20, true]);
    const plan = await env.DB.prepare(
      `explain query plan select id from users where is_anonymous = 0
       and username collate nocase >= ?1 and username collate nocase < ?1 || 'z'`,
    )
      .bind(name)
      .all<{ detail: string }>();
    expect(plan.results.map(({ detail }) => detail).join()).toContain('users_username');
  });

  test('an opened account shows its plan and its points', async () => {
    const [operator, me] = [await createStaffUser(), await createAccount()];
    const open = () => operator.ask<AccountCase>(`/api/admin/accounts/${me.id}`);
    expect(await open()).toMatchObject({ plan: 'free', points: null });
    await getPoints(me);
    expect(await open()).toMatchObject({ plan: 'free', points: 50 });
  });
});

describe('Featured characters', () => {
  test('staff features a public character, lists it, and ends that', async () => {
    const operator = await createStaffUser();
    const { maker, id } = await createCreator();
    const changeFeatured = (featured: boolean, of = id) =>
      operator.call(`/api/admin/characters/${of}/featured`, { method: 'PUT', json: { featured } });
    const isListed = async () =>
      (await operator.ask<FeaturedCharacters>('/api/admin/featured')).items.some((one) => one.id === id);
    expect((await changeFeatured(true)).status).toBe(200);
    expect(await isListed()).toBe(true);
    // One that its creator takes back is not listed, and cannot be featured again.
    await maker.call(`/api/characters/${id}`, { method: 'PATCH', json: { visibility: 'private' } });
    expect(await isListed()).toBe(false);
    expect((await changeFeatured(false)).status).toBe(200);
    expect((await changeFeatured(true)).status).toBe(404);
    expect((await changeFeatured(true, 'nothing-here')).status).toBe(404);
  });

  test('featuring a character marks its page and the lists as stale', async () => {
    const { id } = await createCreator();
    const now = Date.now();
    expect(await setFeatured(openDatabase(env.DB), { id, featured: true, now })).toBe(true);
    const { results } = await env.DB.prepare('select tag from cache_purge_queue where retry_at = ?')
      .bind(now)
      .all<{ tag: string }>();
    expect(results.map(({ tag }) => tag)).toEqual(expect.arrayContaining([`character:${id}`, 'list']));
  });

  test('only staff can search people and feature characters', async () => {
    const { maker, id } = await createCreator();
    for (const path of ['/api/admin/people?q=wren', '/api/admin/featured'])
      expect((await maker.call(path)).status).toBe(404);
    const answer = await maker.call(`/api/admin/characters/${id}/featured`, {
      method: 'PUT',
      json: { featured: true },
    });
    expect(answer.status).toBe(404);
  });
});
