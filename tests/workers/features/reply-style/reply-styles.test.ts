import { describe, expect, test } from 'vitest';
import type { NamedReplyStyle, ReplyStyleList } from '../../../../src/features/reply-style/contract.ts';
import { DEFAULT_REPLY_STYLE } from '../../../../src/features/reply-style/reply-style.ts';
import { createAccount, signInGuest, type Visitor } from '../../../support/factories.ts';

interface Refusal {
  code: string;
  limit?: number;
  rule?: string;
  fields?: Record<string, string[]>;
}

const NOIR = {
  name: 'Noir',
  author_note: 'It rains in every scene.',
  author_note_depth: 4,
  reply_length: 120,
  liveliness: 1.25,
} as const;

const list = async (me: Visitor) => (await me.ask<ReplyStyleList>('/api/reply-styles')).items;
const create = (me: Visitor, json: object = NOIR) =>
  me.ask<NamedReplyStyle>('/api/reply-styles', { json, status: 201 });
const createRefused = (me: Visitor, json: unknown, status = 400) =>
  me.ask<Refusal>('/api/reply-styles', { json, status });
const change = (me: Visitor, id: string, json: unknown, status = 200) =>
  me.ask<NamedReplyStyle & Refusal>(`/api/reply-styles/${id}`, { method: 'PATCH', json, status });

describe('Named reply styles', () => {
  test('styles are listed by name, with every field, for guests and accounts', async () => {
    for (const me of [await createAccount(), await signInGuest()]) {
      expect(await me.ask('/api/reply-styles')).toEqual({ items: [], limit: 20 });
      const noir = await create(me);
      expect(noir).toEqual({ ...NOIR, id: expect.any(String) });
      const brief = await create(me, { name: ' brief ' });
      expect(brief).toEqual({ ...DEFAULT_REPLY_STYLE, name: 'brief', id: expect.any(String) });
      expect(await list(me)).toEqual([brief, noir]);
    }
  });

  test('changing a style changes only the sent fields', async () => {
    const me = await createAccount();
    const { id } = await create(me);
    expect(await change(me, id, { name: 'Rain' })).toEqual({ ...NOIR, id, name: 'Rain' });
    const changed = { ...NOIR, id, name: 'Rain', reply_length: 'long', author_note: '' };
    expect(await change(me, id, { reply_length: 'long', author_note: '' })).toEqual(changed);
    expect(await list(me)).toEqual([changed]);
    expect(await change(me, id, {}, 400)).toMatchObject({ code: 'invalid_input' });
  });

  test('a style can be deleted once', async () => {
    const me = await createAccount();
    const [{ id }, remaining] = [await create(me), await create(me)];
    expect((await me.call(`/api/reply-styles/${id}`, { method: 'DELETE' })).status).toBe(204);
    await me.ask(`/api/reply-styles/${id}`, { method: 'DELETE', status: 404 });
    await change(me, id, { name: 'x' }, 404);
    expect(await list(me)).toEqual([remaining]);
  });

  test.each([
    ['no name', { author_note: 'x' }, 'name'],
    ['a blank name', { ...NOIR, name: ' \n' }, 'name'],
    ['a name of 41 characters', { ...NOIR, name: 'x'.repeat(41) }, 'name'],
    ['a note of 2,001 characters', { ...NOIR, author_note: 'x'.repeat(2001) }, 'author_note'],
    ['a depth of 21', { ...NOIR, author_note_depth: 21 }, 'author_note_depth'],
    ['a length of 19 words', { ...NOIR, reply_length: 19 }, 'reply_length'],
    ['an unknown length', { ...NOIR, reply_length: 'endless' }, 'reply_length'],
    ['a temperature of 2.01', { ...NOIR, liveliness: 2.01 }, 'liveliness'],
    ['an unknown field', { ...NOIR, owner_id: 'me' }, 'owner_id'],
  ])('a style with %s is refused by its field', async (_, json, field) => {
    const me = await signInGuest();
    const fields = { [field]: [expect.any(String)] };
    expect(await createRefused(me, json)).toMatchObject({ code: 'invalid_input', fields });
    expect(await list(me)).toEqual([]);
  });

  test('a style whose name and note break a rule together is refused, also by a change', async () => {
    const me = await createAccount();
    const broken = { author_note: 'A 15-year-old girl has sex with him.' };
    const refused = { code: 'text_refused', rule: 'minors' };
    expect(await createRefused(me, { ...NOIR, ...broken }, 422)).toMatchObject(refused);
    const { id } = await create(me);
    expect(await change(me, id, broken, 422)).toMatchObject(refused);
    expect(await list(me)).toEqual([{ ...NOIR, id }]);
  });

  test('a user can save 20 styles, even with simultaneous requests', async () => {
    const me = await createAccount();
    const answers = await Promise.all(
      Array.from({ length: 24 }, () => me.call('/api/reply-styles', { json: NOIR })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(await createRefused(me, NOIR, 409)).toMatchObject({ code: 'reply_style_limit', limit: 20 });
    expect(await list(me)).toHaveLength(20);
  });

  test('styles can be read and changed by their owner only', async () => {
    const [me, other] = [await createAccount(), await createAccount()];
    const mine = await create(me);
    await change(other, mine.id, { name: 'Stolen' }, 404);
    await other.ask(`/api/reply-styles/${mine.id}`, { method: 'DELETE', status: 404 });
    expect(await list(other)).toEqual([]);
    expect(await list(me)).toEqual([mine]);
  });

  test('a guest’s styles move to the account that they log in to, even beyond the limit', async () => {
    const account = await createAccount();
    for (let made = 0; made < 20; made += 1) await create(account, { name: `Own ${made}` });
    const me = await signInGuest();
    await create(me);
    await createAccount(account.email, me);
    expect(await list(me)).toHaveLength(21);
    expect((await list(account)).map(({ name }) => name)).toContain('Noir');
    await createRefused(account, NOIR, 409);
  });
});
