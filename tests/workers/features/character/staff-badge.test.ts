import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { addCharacter, createAccount, Visitor } from '../../../support/factories.ts';

test('only accounts of the staff are marked where people’s names are shown, and no address leaves', async () => {
  const [staff, other, reader] = [
    await createAccount('admin@localhost.test'),
    await createAccount(),
    await createAccount(),
  ];
  for (const [creator, isStaff] of [
    [staff, true],
    [other, undefined],
  ] as const) {
    const id = await addCharacter({ creatorId: creator.id });
    await reader.call(`/api/me/following/${creator.id}`, { method: 'PUT' });
    const profile = await new Visitor().ask<{ staff?: true }>(`/api/creators/${creator.id}`);
    const detail = await new Visitor().ask<{ creator: { staff?: true } }>(`/api/characters/${id}`);
    const { items } = await reader.ask<{ items: { id: string; staff?: true }[] }>('/api/me/following');
    const followed = items.find((one) => one.id === creator.id);
    expect([profile.staff, detail.creator.staff, followed?.staff]).toEqual([isStaff, isStaff, isStaff]);
    expect(JSON.stringify([profile, detail, items])).not.toContain(creator.email);
  }
});

test('the owner of the seeded catalogue counts as staff, and a name does not', async () => {
  const other = await createAccount();
  await env.DB.prepare("update users set nickname = 'Staff' where id = ?").bind(other.id).run();
  const id = await addCharacter({ creatorId: other.id });
  const read = () => new Visitor().ask<{ creator: { staff?: true } }>(`/api/characters/${id}`);
  expect((await read()).creator.staff).toBeUndefined();
  await env.DB.prepare('update users set is_system = 1 where id = ?').bind(other.id).run();
  expect((await read()).creator.staff).toBe(true);
  await env.DB.prepare('update users set is_system = 0 where id = ?').bind(other.id).run();
});
