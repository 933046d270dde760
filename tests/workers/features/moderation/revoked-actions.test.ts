import { describe, expect, test } from 'vitest';
import type { AppealCase, OwnAppealList } from '../../../../src/features/moderation/appeal-contract.ts';
import type { OwnModerationActionList } from '../../../../src/features/moderation/moderation-action-contract.ts';
import type { ReportCase } from '../../../../src/features/moderation/report-contract.ts';
import { createAccount, type Visitor } from '../../../support/factories.ts';
import {
  createCreator,
  applyModerationAction,
  reportCharacter,
  createStaffUser,
} from '../../../support/staff.ts';

const moderate = (operator: Visitor, id: string, moderation: 'shown' | 'hidden' | 'removed') =>
  operator.ask(`/api/admin/characters/${id}/moderation`, {
    method: 'PUT',
    json: { moderation, ...(moderation === 'shown' ? {} : { reason: 'Against the rules.' }) },
  });

const listSteps = async (operator: Visitor, report: string) =>
  (await operator.ask<ReportCase>(`/api/admin/reports/${report}`)).history.map(({ step }) => step);

/** Creates a character that was hidden after a report and whose creator appealed. */
async function createHiddenWithAppeal() {
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

const listOwnAppeals = async (me: Visitor) => (await me.ask<OwnAppealList>('/api/me/appeals')).items;

describe('Ended moderation actions', () => {
  test('showing a character ends its action, records it in the case and grants the appeal', async () => {
    const { operator, me, id, report, appeal } = await createHiddenWithAppeal();
    await moderate(operator, id, 'shown');
    expect((await listSteps(operator, report)).toSorted()).toEqual(['character_hidden', 'taken_back']);
    expect(await listOwnAppeals(me)).toMatchObject([
      { id: appeal, status: 'granted', decided_at: expect.stringMatching(/Z$/) },
    ]);
    expect((await operator.ask<AppealCase>(`/api/admin/appeals/${appeal}`)).history).toMatchObject([
      { step: 'granted', admin: { id: operator.id } },
    ]);
    // Showing it again changes nothing.
    await moderate(operator, id, 'shown');
    expect(await listSteps(operator, report)).toHaveLength(2);
  });

  test('ending a moderation action grants its appeal', async () => {
    const { operator, me, report, measure, appeal } = await createHiddenWithAppeal();
    await operator.ask(`/api/admin/measures/${measure}`, { method: 'DELETE' });
    expect(await listOwnAppeals(me)).toMatchObject([{ id: appeal, status: 'granted' }]);
    await operator.ask(`/api/admin/measures/${measure}`, { method: 'DELETE' });
    expect((await listSteps(operator, report)).toSorted()).toEqual(['character_hidden', 'taken_back']);
  });

  test('a replaced moderation action is recorded in the case, and its appeal moves to the new action', async () => {
    const { operator, me, id, report, measure, appeal } = await createHiddenWithAppeal();
    await moderate(operator, id, 'removed');
    expect((await listSteps(operator, report)).toSorted()).toEqual(['character_hidden', 'taken_back']);
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

  test('a decided appeal stays as it was decided when its moderation action ends', async () => {
    const { operator, me, id, appeal } = await createHiddenWithAppeal();
    const json = { status: 'declined', answer: 'It stays hidden.' };
    await operator.ask(`/api/admin/appeals/${appeal}`, { method: 'PATCH', json });
    await moderate(operator, id, 'removed');
    await moderate(operator, id, 'shown');
    expect(await listOwnAppeals(me)).toMatchObject([
      { id: appeal, status: 'declined', answer: 'It stays hidden.' },
    ]);
  });
});
