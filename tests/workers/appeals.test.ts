import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { APPEAL_LIMITS } from '../../src/features/safety/limits.ts';
import type {
  AppealCase,
  AppealQueue,
  OwnAppealList,
} from '../../src/features/moderation/appeal-contract.ts';
import type { OwnModerationActionList } from '../../src/features/moderation/moderation-action-contract.ts';
import { createId } from '../../src/lib/ids.ts';
import { signInGuest, createAccount, Visitor } from '../support/factories.ts';
import { createCreator, applyModerationAction, createStaffUser } from '../support/staff.ts';

const appeal = (me: Visitor, json: object) => me.call('/api/appeals', { json });
const decide = (operator: Visitor, id: string, json: object) =>
  operator.call(`/api/admin/appeals/${id}`, { method: 'PATCH', json });
/** Refused wherever it stands, and refused again when it is looked at. */
const refused = { place: 'message', rule: 'minors', refused_text: 'She is 14 years old. They have sex.' };

async function made(me: Visitor, json: object): Promise<string> {
  return (await me.ask<{ id: string }>('/api/appeals', { json, status: 201 })).id;
}

describe('My appeal', () => {
  test('against a measure is answered, and when it is granted, the measure is taken back', async () => {
    const operator = await createStaffUser();
    const { maker: me, id } = await createCreator();
    const measure = await applyModerationAction(operator, { kind: 'character_removed', subject_id: id });
    const mine = await made(me, { measure_id: measure.id, message: 'It is my own drawing.' });
    expect((await me.ask<OwnModerationActionList>('/api/me/measures')).items).toMatchObject([
      { appeal: { id: mine, status: 'open', answer: null } },
    ]);
    expect(await operator.ask<AppealCase>(`/api/admin/appeals/${mine}`)).toMatchObject({
      message: 'It is my own drawing.',
      refused_text: null,
      person: { id: me.id },
      measure: { id: measure.id, kind: 'character_removed', ended_at: null },
      history: [],
    });
    const answer = await decide(operator, mine, {
      status: 'granted',
      answer: 'So it is. Sorry.',
      note: 'Ours.',
    });
    expect(await answer.json()).toMatchObject({ id: mine, status: 'granted', answer: 'So it is. Sorry.' });
    expect((await new Visitor().call(`/api/characters/${id}`)).status).toBe(200);
    const told = await me.ask<OwnAppealList>('/api/me/appeals');
    expect(told.items).toMatchObject([{ id: mine, status: 'granted', answer: 'So it is. Sorry.' }]);
    expect(JSON.stringify(told)).not.toContain('Ours.');
    expect((await operator.ask<AppealCase>(`/api/admin/appeals/${mine}`)).history).toMatchObject([
      { step: 'granted', note: 'Ours.' },
    ]);
  });

  test('that is declined leaves everything as it is', async () => {
    const operator = await createStaffUser();
    const { maker: me, id } = await createCreator();
    const measure = await applyModerationAction(operator, { kind: 'character_hidden', subject_id: id });
    const mine = await made(me, { measure_id: measure.id, message: 'Why?' });
    expect((await decide(operator, mine, { status: 'declined' })).status).toBe(400);
    expect((await decide(operator, mine, { status: 'declined', answer: 'It stays hidden.' })).status).toBe(
      200,
    );
    expect((await new Visitor().call(`/api/characters/${id}`)).status).toBe(404);
    expect((await me.ask<OwnAppealList>('/api/me/appeals')).items).toMatchObject([
      { status: 'declined', answer: 'It stays hidden.', decided_at: expect.stringMatching(/Z$/) },
    ]);
  });

  test('against a refused text shows it with its place and rule, also as a guest', async () => {
    const [me, operator] = [await signInGuest(), await createStaffUser()];
    const mine = await made(me, { ...refused, message: 'It is a fairy tale.' });
    expect((await me.ask<OwnAppealList>('/api/me/appeals')).items).toMatchObject([
      { id: mine, measure_id: null, ...refused, message: 'It is a fairy tale.', status: 'open' },
    ]);
    expect(await operator.ask(`/api/admin/appeals/${mine}`)).toMatchObject({ ...refused, measure: null });
    expect((await decide(operator, mine, { status: 'granted', answer: 'Noted.' })).status).toBe(200);
  });

  test('is about a measure or a text, and not both, half or neither', async () => {
    const me = await signInGuest();
    const measureId = createId(Date.now());
    const { place: _, ...half } = refused;
    for (const json of [
      { message: 'x' },
      { ...half, message: 'x' },
      { ...refused, measure_id: measureId, message: 'x' },
      { ...refused },
      { ...refused, message: ' ' },
      { ...refused, rule: 'boring', message: 'x' },
      { ...refused, place: 'moon', message: 'x' },
      { ...refused, refused_text: 'x'.repeat(APPEAL_LIMITS.maxRefusedTextChars + 1), message: 'x' },
      { ...refused, message: 'x'.repeat(APPEAL_LIMITS.maxMessageChars + 1) },
    ])
      expect((await appeal(me, json)).status).toBe(400);
    expect((await me.ask<OwnAppealList>('/api/me/appeals')).items).toEqual([]);
  });

  test('against what is somebody else’s, or is over, is not found; and twice is once', async () => {
    const operator = await createStaffUser();
    const { maker: me, id } = await createCreator();
    const { id: measure_id } = await applyModerationAction(operator, {
      kind: 'character_hidden',
      subject_id: id,
    });
    expect((await appeal(await createAccount(), { measure_id, message: 'Me too.' })).status).toBe(404);
    const both = await Promise.all(['Once.', 'Twice.'].map((message) => appeal(me, { measure_id, message })));
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    await operator.ask(`/api/admin/measures/${measure_id}`, { method: 'DELETE' });
    expect((await appeal(me, { measure_id, message: 'Again.' })).status).toBe(404);
  });

  test('waits when there were many within the hour, also when they come at once', async () => {
    const me = await signInGuest();
    const answers = await Promise.all(
      Array.from({ length: APPEAL_LIMITS.maxPerHour + 2 }, (_, index) =>
        appeal(me, { ...refused, message: `Number ${index}` }),
      ),
    );
    const late = answers.filter(({ status }) => status === 429);
    expect(late).toHaveLength(2);
    const wait = Number(late[0]?.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(3500);
    expect(wait).toBeLessThanOrEqual(3600);
    // At the limit nobody finds out any more whether a text would be refused: that takes processor time.
    const harmless = { ...refused, refused_text: '六'.repeat(20_000) };
    expect((await appeal(me, { ...harmless, message: 'One more.' })).status).toBe(429);
    await env.DB.prepare('update appeals set created_at = created_at - 3600001 where user_id = ?')
      .bind(me.id)
      .run();
    expect((await appeal(me, { ...harmless, message: 'Later.' })).status).toBe(422);
    expect((await appeal(me, { ...refused, message: 'Later.' })).status).toBe(201);
  });

  test('stands in the queue without what I wrote, until it is decided', async () => {
    const [me, operator] = [await signInGuest(), await createStaffUser()];
    const mine = await made(me, { ...refused, message: 'Please look.' });
    const listed = async (status: string) => {
      const items: AppealQueue['items'] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const page: AppealQueue = await operator.ask(`/api/admin/appeals?status=${status}&cursor=${cursor}`);
        items.push(...page.items);
        cursor = page.next_cursor;
      }
      return items.filter(({ id }) => id === mine);
    };
    expect(await listed('open')).toMatchObject([{ id: mine, place: 'message', rule: 'minors' }]);
    expect(JSON.stringify(await listed('open'))).not.toContain('dragon');
    await decide(operator, mine, { status: 'declined', answer: 'No.' });
    expect([await listed('open'), (await listed('declined')).length]).toEqual([[], 1]);
  });
});
