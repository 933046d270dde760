import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { explain } from '../../../../src/features/safety/explain.ts';
import { APPEAL_LIMITS } from '../../../../src/features/safety/limits.ts';
import type {
  AppealCase,
  AppealQueue,
  OwnAppealList,
} from '../../../../src/features/moderation/appeal-contract.ts';
import type { OwnModerationActionList } from '../../../../src/features/moderation/moderation-action-contract.ts';
import { createId } from '../../../../src/lib/ids.ts';
import { signInGuest, createAccount, Visitor } from '../../../support/factories.ts';
import { createCreator, applyModerationAction, createStaffUser } from '../../../support/staff.ts';

const appeal = (me: Visitor, json: object) => me.call('/api/appeals', { json });
const decide = (operator: Visitor, id: string, json: object) =>
  operator.call(`/api/admin/appeals/${id}`, { method: 'PATCH', json });
/** This text is refused in every place, and refused again when the appeal route checks it. */
const refused = { place: 'message', rule: 'minors', refused_text: 'She is 14 years old. They have sex.' };

async function fileAppeal(me: Visitor, json: object): Promise<string> {
  return (await me.ask<{ id: string }>('/api/appeals', { json, status: 201 })).id;
}

describe('Appeals', () => {
  test('granting an appeal against a moderation action answers it and ends the action', async () => {
    const operator = await createStaffUser();
    const { maker: me, id } = await createCreator();
    const measure = await applyModerationAction(operator, { kind: 'character_removed', subject_id: id });
    const appealId = await fileAppeal(me, { measure_id: measure.id, message: 'It is my own drawing.' });
    expect((await me.ask<OwnModerationActionList>('/api/me/measures')).items).toMatchObject([
      { appeal: { id: appealId, status: 'open', answer: null } },
    ]);
    expect(await operator.ask<AppealCase>(`/api/admin/appeals/${appealId}`)).toMatchObject({
      message: 'It is my own drawing.',
      refused_text: null,
      person: { id: me.id },
      measure: { id: measure.id, kind: 'character_removed', ended_at: null },
      history: [],
    });
    const answer = await decide(operator, appealId, {
      status: 'granted',
      answer: 'So it is. Sorry.',
      note: 'Ours.',
    });
    expect(await answer.json()).toMatchObject({
      id: appealId,
      status: 'granted',
      answer: 'So it is. Sorry.',
    });
    expect((await new Visitor().call(`/api/characters/${id}`)).status).toBe(200);
    const ownAppeals = await me.ask<OwnAppealList>('/api/me/appeals');
    expect(ownAppeals.items).toMatchObject([{ id: appealId, status: 'granted', answer: 'So it is. Sorry.' }]);
    expect(JSON.stringify(ownAppeals)).not.toContain('Ours.');
    expect((await operator.ask<AppealCase>(`/api/admin/appeals/${appealId}`)).history).toMatchObject([
      { step: 'granted', note: 'Ours.' },
    ]);
  });

  test('declining an appeal keeps the moderation action', async () => {
    const operator = await createStaffUser();
    const { maker: me, id } = await createCreator();
    const measure = await applyModerationAction(operator, { kind: 'character_hidden', subject_id: id });
    const appealId = await fileAppeal(me, { measure_id: measure.id, message: 'Why?' });
    expect((await decide(operator, appealId, { status: 'declined' })).status).toBe(400);
    expect(
      (await decide(operator, appealId, { status: 'declined', answer: 'It stays hidden.' })).status,
    ).toBe(200);
    expect((await new Visitor().call(`/api/characters/${id}`)).status).toBe(404);
    expect((await me.ask<OwnAppealList>('/api/me/appeals')).items).toMatchObject([
      { status: 'declined', answer: 'It stays hidden.', decided_at: expect.stringMatching(/Z$/) },
    ]);
  });

  test('an appeal against a refused text shows its place and rule, also for a guest', async () => {
    const [me, operator] = [await signInGuest(), await createStaffUser()];
    const appealId = await fileAppeal(me, { ...refused, message: 'It is a fairy tale.' });
    expect((await me.ask<OwnAppealList>('/api/me/appeals')).items).toMatchObject([
      { id: appealId, measure_id: null, ...refused, message: 'It is a fairy tale.', status: 'open' },
    ]);
    expect(await operator.ask(`/api/admin/appeals/${appealId}`)).toMatchObject({ ...refused, measure: null });
    expect((await decide(operator, appealId, { status: 'granted', answer: 'Noted.' })).status).toBe(200);
  });

  test('the view of an appeal shows the scores of the refused text and the features that weighed most', async () => {
    const [me, operator] = [await signInGuest(), await createStaffUser()];
    const appealId = await fileAppeal(me, { ...refused, message: 'It is a fairy tale.' });
    const { explanation } = await operator.ask<AppealCase>(`/api/admin/appeals/${appealId}`);
    expect(explanation).toEqual(explain(refused.refused_text));
    expect(explanation?.explanations.map(({ label }) => label)).toEqual(
      expect.arrayContaining(['sexual', 'minor']),
    );
  });

  test('an appeal needs either a moderation action or a complete refused text, and not both', async () => {
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

  test('appealing a foreign or ended action answers 404, and appealing twice creates one appeal', async () => {
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

  test('appeals are limited per hour, also when they arrive at once', async () => {
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
    // At the limit the text is not checked any more, because the check takes processor time.
    const harmless = { ...refused, refused_text: '六'.repeat(20_000) };
    expect((await appeal(me, { ...harmless, message: 'One more.' })).status).toBe(429);
    await env.DB.prepare('update appeals set created_at = created_at - 3600001 where user_id = ?')
      .bind(me.id)
      .run();
    expect((await appeal(me, { ...harmless, message: 'Later.' })).status).toBe(422);
    expect((await appeal(me, { ...refused, message: 'Later.' })).status).toBe(201);
  });

  test('the queue lists an open appeal without the refused text until it is decided', async () => {
    const [me, operator] = [await signInGuest(), await createStaffUser()];
    const appealId = await fileAppeal(me, { ...refused, message: 'Please look.' });
    const listQueue = async (status: string) => {
      const items: AppealQueue['items'] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const page: AppealQueue = await operator.ask(`/api/admin/appeals?status=${status}&cursor=${cursor}`);
        items.push(...page.items);
        cursor = page.next_cursor;
      }
      return items.filter(({ id }) => id === appealId);
    };
    expect(await listQueue('open')).toMatchObject([{ id: appealId, place: 'message', rule: 'minors' }]);
    expect(JSON.stringify(await listQueue('open'))).not.toContain('dragon');
    await decide(operator, appealId, { status: 'declined', answer: 'No.' });
    expect([await listQueue('open'), (await listQueue('declined')).length]).toEqual([[], 1]);
  });
});
