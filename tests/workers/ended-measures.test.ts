import { describe, expect, test } from 'vitest';
import type { AppealCase, OwnAppealList } from '../../src/features/moderation/appeal-contract.ts';
import type { OwnModerationActionList } from '../../src/features/moderation/moderation-action-contract.ts';
import type { ReportCase } from '../../src/features/moderation/report-contract.ts';
import { createAccount, type Visitor } from '../support/factories.ts';
import { createCreator, applyModerationAction, reportCharacter, createStaffUser } from '../support/staff.ts';

const moderate = (operator: Visitor, id: string, moderation: 'shown' | 'hidden' | 'removed') =>
  operator.ask(`/api/admin/characters/${id}/moderation`, {
    method: 'PUT',
    json: { moderation, ...(moderation === 'shown' ? {} : { reason: 'Against the rules.' }) },
  });

const stepsOf = async (operator: Visitor, report: string) =>
  (await operator.ask<ReportCase>(`/api/admin/reports/${report}`)).history.map(({ step }) => step);

/** A character that was hidden upon a report, whose maker says something against that. */
async function hidden() {
  const operator = await createStaffUser();
  const { maker: me, id } = await createCreator();
  const report = await reportCharacter(await createAccount(), id);
  const measure = await applyModerationAction(operator, {
    kind: 'character_hidden',
    subject_id: id,
    report_id: report,
  });
  const json = { measure_id: measure.id, message: 'It is harmless.' };
  const { id: appeal } = await me.ask<{ id: string }>('/api/appeals', { json, status: 201 });
  return { operator, me, id, report, measure: measure.id, appeal };
}

const mine = async (me: Visitor) => (await me.ask<OwnAppealList>('/api/me/appeals')).items;

describe('A measure that ends', () => {
  test('because the character is shown again is so in its case, and what I said against it is granted', async () => {
    const { operator, me, id, report, appeal } = await hidden();
    await moderate(operator, id, 'shown');
    expect((await stepsOf(operator, report)).toSorted()).toEqual(['character_hidden', 'taken_back']);
    expect(await mine(me)).toMatchObject([
      { id: appeal, status: 'granted', decided_at: expect.stringMatching(/Z$/) },
    ]);
    expect((await operator.ask<AppealCase>(`/api/admin/appeals/${appeal}`)).history).toMatchObject([
      { step: 'granted', admin: { id: operator.id } },
    ]);
    // Showing it once more ends nothing.
    await moderate(operator, id, 'shown');
    expect(await stepsOf(operator, report)).toHaveLength(2);
  });

  test('by itself grants what I said against it as well', async () => {
    const { operator, me, report, measure, appeal } = await hidden();
    await operator.ask(`/api/admin/measures/${measure}`, { method: 'DELETE' });
    expect(await mine(me)).toMatchObject([{ id: appeal, status: 'granted' }]);
    await operator.ask(`/api/admin/measures/${measure}`, { method: 'DELETE' });
    expect((await stepsOf(operator, report)).toSorted()).toEqual(['character_hidden', 'taken_back']);
  });

  test('because another takes its place is so in its case, and what I said goes on against that', async () => {
    const { operator, me, id, report, measure, appeal } = await hidden();
    await moderate(operator, id, 'removed');
    expect((await stepsOf(operator, report)).toSorted()).toEqual(['character_hidden', 'taken_back']);
    const [removed, ended] = (await me.ask<OwnModerationActionList>('/api/me/measures')).items;
    expect(ended).toMatchObject({ id: measure, ended_at: expect.stringMatching(/Z$/), appeal: null });
    expect(removed).toMatchObject({
      kind: 'character_removed',
      ended_at: null,
      appeal: { id: appeal, status: 'open' },
    });
    const json = { status: 'granted', answer: 'You are right.' };
    await operator.ask(`/api/admin/appeals/${appeal}`, { method: 'PATCH', json });
    expect((await me.ask<OwnModerationActionList>('/api/me/measures')).items[0]?.ended_at).not.toBeNull();
    expect((await operator.ask<AppealCase>(`/api/admin/appeals/${appeal}`)).history).toHaveLength(1);
  });

  test('leaves what was decided as it was decided', async () => {
    const { operator, me, id, appeal } = await hidden();
    const json = { status: 'declined', answer: 'It stays hidden.' };
    await operator.ask(`/api/admin/appeals/${appeal}`, { method: 'PATCH', json });
    await moderate(operator, id, 'removed');
    await moderate(operator, id, 'shown');
    expect(await mine(me)).toMatchObject([{ id: appeal, status: 'declined', answer: 'It stays hidden.' }]);
  });
});
