import { describe, expect, test } from 'vitest';
import type { ReportBody } from '../../../../src/features/moderation/report-contract.ts';
import {
  createReportStore,
  validateReport,
  type ReportDeps,
} from '../../../../src/islands/report/report-state.ts';
import { getReturnLink } from '../../../../src/islands/report/return-link.ts';
import { NETWORK_FAILURE, type Failure } from '../../../../src/islands/shared/api.ts';

const MIRA = { id: 'm', name: 'Mira', avatar_url: '/media/m.webp' };
const refusal = (status: number, code: string): Failure => ({ ok: false, status, code, error: '' });

/** A server that gives these answers in order and records the reports. */
function createReportFixture(
  answers: {
    looks?: Awaited<ReturnType<ReportDeps['character']>>[];
    reports?: Failure[];
    comes?: string;
  } = {},
) {
  const sentReports: ReportBody[] = [];
  const looks = [...(answers.looks ?? [])];
  const refusals = [...(answers.reports ?? [])];
  const deps: ReportDeps = {
    character: async () => looks.shift() ?? { ok: true, data: MIRA },
    report: async (_, body) => {
      const refused = refusals.shift();
      if (refused) return refused;
      sentReports.push(body);
      return { ok: true, data: { id: 'r' } };
    },
    getUserId: () => 'me',
    signIn: async () => answers.comes ?? 'me',
  };
  return { deps, sentReports };
}

describe('Character reports', () => {
  test('a report without a reason asks for one and is not sent', async () => {
    const { deps, sentReports } = createReportFixture();
    const report = createReportStore('m', MIRA, deps);
    expect(validateReport(report.$report.get())).toBeNull();
    await report.send();
    expect(validateReport(report.$report.get())).toBe('reason');
    expect(report.$report.get().status).toBe('writing');
    report.write({ reason: 'spam' });
    expect(validateReport(report.$report.get())).toBeNull();
    await report.send();
    expect(report.$report.get().status).toBe('sent');
    expect(sentReports).toEqual([{ reason: 'spam', details: '' }]);
  });

  test('a report with details over 300 characters is marked at once and not sent', async () => {
    const { deps, sentReports } = createReportFixture();
    const report = createReportStore('m', MIRA, deps);
    report.write({ reason: 'other', details: 'd'.repeat(301) });
    expect(validateReport(report.$report.get())).toBe('details');
    await report.send();
    expect(sentReports).toEqual([]);
    report.write({ details: 'd'.repeat(300) });
    await report.send();
    expect(sentReports).toEqual([{ reason: 'other', details: 'd'.repeat(300) }]);
  });

  test('a report that fails to arrive keeps its text and can be sent again', async () => {
    const { deps, sentReports } = createReportFixture({ reports: [NETWORK_FAILURE] });
    const report = createReportStore('m', MIRA, deps);
    report.write({ reason: 'illegal', details: 'The second picture.' });
    await report.send();
    expect(report.$report.get()).toMatchObject({
      status: 'writing',
      reason: 'illegal',
      details: 'The second picture.',
      failure: { code: 'network' },
    });
    await report.send();
    expect(sentReports).toHaveLength(1);
  });

  test('a report is sent after the user logs in again', async () => {
    const { deps, sentReports } = createReportFixture({ reports: [refusal(401, 'unauthenticated')] });
    const report = createReportStore('m', MIRA, deps);
    report.write({ reason: 'spam' });
    await report.send();
    expect(report.$report.get().status).toBe('sent');
    expect(sentReports).toHaveLength(1);
  });

  test('a report is not sent in the name of another account that logged in meanwhile', async () => {
    const { deps, sentReports } = createReportFixture({
      reports: [refusal(401, 'unauthenticated')],
      comes: 'somebody',
    });
    const report = createReportStore('m', MIRA, deps);
    report.write({ reason: 'spam', details: 'Mine.' });
    await report.send();
    expect(sentReports).toEqual([]);
    expect(report.$report.get()).toMatchObject({
      status: 'writing',
      details: 'Mine.',
      failure: { code: 'other_account' },
    });
  });

  test('a report loads its character when the page does not name it, and reports a missing one', async () => {
    const { deps } = createReportFixture({ looks: [NETWORK_FAILURE, { ok: true, data: MIRA }] });
    const report = createReportStore('m', null, deps);
    expect(report.$report.get().status).toBe('looking');
    await report.loadTarget();
    expect(report.$report.get().status).toBe('lookFailed');
    await report.loadTarget();
    expect(report.$report.get()).toMatchObject({ status: 'writing', character: MIRA });

    const nobody = createReportStore(
      'm',
      null,
      createReportFixture({ looks: [refusal(404, 'not_found')] }).deps,
    );
    await nobody.loadTarget();
    expect(nobody.$report.get().status).toBe('missing');
  });
});

describe('Return link of a report', () => {
  const page = { origin: 'https://a.example', info: '/en/character-info/m' };
  test.each([
    ['https://a.example/character/m?conversation_id=c', 'chat', '/character/m?conversation_id=c'],
    ['https://a.example/messages/c', 'chat', '/messages/c'],
    ['https://a.example/de/character-info/m', 'character', '/de/character-info/m'],
    ['https://a.example/character/m/report', 'character', '/en/character-info/m'],
    ['https://a.example/en/discover', 'character', '/en/character-info/m'],
    ['https://b.example/character/m', 'character', '/en/character-info/m'],
    ['', 'character', '/en/character-info/m'],
    ['nonsense', 'character', '/en/character-info/m'],
  ] as const)('a report from «%s» returns to the %s', (referrer, to, href) => {
    expect(getReturnLink(referrer, page)).toEqual({ to, href });
  });
});
