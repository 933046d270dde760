import { randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { makeCharacter, signInAsCreator } from '../../e2e/creator-setup.ts';
import { expect, test } from '../../e2e/journey.ts';
import { t } from '../../support/texts.ts';
import { buildFieldText } from '../written-texts.ts';
import { watch } from './harmless.ts';
import { expectTaken, somebodyElse, writer } from './writer.ts';

// Texts of users where staff read them, and texts of staff where users read them.

/** Loads all rows of a queue. */
async function loadRows(staff: Page, queue: string): Promise<Locator> {
  const rows = staff.getByRole('list', { name: queue, exact: true }).locator(':scope > li');
  const more = staff.getByRole('button', { name: t('adminReports:showMore') });
  await expect(rows.first()).toBeVisible();
  while ((await more.count()) > 0) {
    const count = await rows.count();
    await more.click();
    await expect.poll(() => rows.count()).toBeGreaterThan(count);
  }
  return rows;
}

/** Opens or closes a row of a queue. */
const toggleRow = (row: Locator) => row.getByRole('button').first().click();

test('texts of users are shown as text to staff, and texts of staff as text to users', async ({
  page,
  browser,
  baseURL,
}) => {
  test.setTimeout(240_000);
  const site = baseURL as string;
  const { character, maker, mark } = await writer(page, site);
  const youngCharacter = await makeCharacter(page, {
    name: `${mark} young ${buildFieldText('post /api/characters .name')}`,
    character_traits: `Wren is 15 years old and goes to school. ${buildFieldText('post /api/characters .character_traits', 300)}`,
  });
  const reporter = await somebodyElse(browser, site, buildFieldText('a browser’s name for itself', 200));
  await signInAsCreator(reporter, site);
  await expectTaken(
    await reporter.request.patch('/api/account', {
      data: { nickname: buildFieldText('patch /api/account .nickname') },
    }),
  );

  // Three reports: about a character, its creator and a message.
  const postReport = (path: string, field: string) =>
    reporter.request.post(path, { data: { reason: 'spam', details: buildFieldText(field, 300) } });
  const startConversation = async (id: string) => {
    const started = await reporter.request.post('/api/conversations', { data: { character_id: id } });
    await expectTaken(started);
    return ((await started.json()) as { conversation: { id: string } }).conversation.id;
  };
  const conversationPath = `/api/conversations/${await startConversation(character.id)}`;
  const openedConversation = (await (await reporter.request.get(conversationPath)).json()) as {
    messages: { id: string }[];
  };
  const characterReport = await postReport(
    `/api/characters/${character.id}/reports`,
    'post /api/characters/{id}/reports .details',
  );
  const creatorReport = await postReport(
    `/api/creators/${maker.id}/reports`,
    'post /api/creators/{id}/reports .details',
  );
  const messageReport = await postReport(
    `${conversationPath}/messages/${openedConversation.messages[0]?.id}/reports`,
    'post /api/conversations/{id}/messages/{mid}/reports .details',
  );
  await expectTaken(characterReport, creatorReport, messageReport);
  const [report, decided] = await Promise.all(
    [characterReport, creatorReport].map(async (answer) => ((await answer.json()) as { id: string }).id),
  );

  // A moderation action with an appeal, and an appeal against a refused text.
  const staff = await somebodyElse(browser, site);
  await staff.request.post('/api/auth/test-login', { data: { person: 'admin' } });
  const measure = await staff.request.post('/api/admin/measures', {
    data: {
      kind: 'character_hidden',
      subject_id: character.id,
      report_id: report,
      reason: buildFieldText('post /api/admin/measures .reason', 400),
    },
  });
  await expectTaken(measure);
  const message = buildFieldText('post /api/appeals .message', 900);
  await expectTaken(
    await page.request.post('/api/appeals', {
      data: { measure_id: ((await measure.json()) as { id: string }).id, message },
    }),
  );
  const refusedText = `Come to bed and have sex with me, Wren. ${buildFieldText('post /api/appeals .refused_text', 400)}`;
  const sent = await reporter.request.post(
    `/api/conversations/${await startConversation(youngCharacter.id)}/messages`,
    {
      data: { content: refusedText, client_message_id: `turn-${randomUUID()}` },
    },
  );
  const [, token] = /"appeal_token":"([^"]+)"/.exec(await sent.text()) ?? [];
  const appeal = await reporter.request.post('/api/appeals', {
    data: { message, place: 'message', rule: 'minors', refused_text: refusedText, appeal_token: token },
  });
  await expectTaken(
    appeal,
    await staff.request.put(`/api/admin/characters/${youngCharacter.id}/moderation`, {
      data: {
        moderation: 'hidden',
        reason: buildFieldText('put /api/admin/characters/{id}/moderation .reason', 300),
      },
    }),
    await staff.request.patch(`/api/admin/reports/${decided}`, {
      data: {
        status: 'upheld',
        answer: buildFieldText('patch /api/admin/reports/{id} .answer', 400),
        note: buildFieldText('patch /api/admin/reports/{id} .note', 400),
      },
    }),
  );

  await expectTaken(
    await staff.request.post('/api/admin/gifts', {
      data: {
        gift_id: randomUUID(),
        user_id: maker.id,
        points: 1,
        reason: buildFieldText('post /api/admin/gifts .reason', 100),
      },
    }),
  );

  const staffWatched = await watch(staff);
  await staffWatched.opens('/admin-reports', null);
  const openReports = await loadRows(staff, t('adminReports:queue_reports'));
  const characterRow = openReports.filter({ hasText: t('adminReports:subject_character') }).last();
  await toggleRow(characterRow);
  await staff.getByRole('button', { name: t('adminReports:lorebookOpen') }).click();
  await staffWatched.harmless('a report of a character');
  await characterRow
    .getByRole('button', { name: new RegExp(t('adminReports:accountNamed', { name: '.+' })) })
    .last()
    .click();
  await staffWatched.harmless('an account that staff opens');
  await toggleRow(characterRow);
  const messageRow = openReports.filter({ hasText: t('adminReports:subject_message') }).last();
  await toggleRow(messageRow);
  await staffWatched.harmless('a report of a message');
  await toggleRow(messageRow);
  await staff.getByRole('button', { name: t('adminReports:status_upheld'), exact: true }).click();
  await toggleRow((await loadRows(staff, t('adminReports:queue_reports'))).first());
  await staffWatched.harmless('a report that was decided');

  await staff.getByRole('button', { name: t('adminReports:queue_appeals'), exact: true }).click();
  const appeals = await loadRows(staff, t('adminReports:queue_appeals'));
  const count = await appeals.count();
  await toggleRow(appeals.nth(count - 1));
  await staffWatched.harmless('an appeal against a refusal');
  await toggleRow(appeals.nth(count - 1));
  await toggleRow(appeals.nth(count - 2));
  await staffWatched.harmless('an appeal against a measure');
  await expectTaken(
    await staff.request.patch(`/api/admin/appeals/${((await appeal.json()) as { id: string }).id}`, {
      data: {
        status: 'declined',
        answer: buildFieldText('patch /api/admin/appeals/{id} .answer', 400),
        note: buildFieldText('patch /api/admin/appeals/{id} .note', 400),
      },
    }),
  );
  await staff.getByRole('button', { name: t('adminReports:status_declined'), exact: true }).click();
  await toggleRow((await loadRows(staff, t('adminReports:queue_appeals'))).first());
  await staffWatched.harmless('an appeal that was decided');
  for (const path of ['/admin-stats', '/admin-competition', '/admin-people'])
    await staffWatched.opens(path, null);
  await staffWatched.opens('/admin-feedback', 'the feedback');
  for (const path of [`/api/admin/reports/${report}`, `/api/admin/accounts/${maker.id}`]) {
    const answer = await staff.request.get(path);
    expect([path, answer.headers()['content-type'], answer.headers()['x-content-type-options']]).toEqual([
      path,
      'application/json',
      'nosniff',
    ]);
  }

  const watched = await watch(page);
  await watched.opens('/account#decisions', 'what was decided about oneself');
  await watched.opens('/account/points', null);
  await page.getByText(t('account:pointsHistory_gift')).click();
  await watched.harmless('one’s points');
  const reporterWatched = await watch(reporter);
  await reporterWatched.opens('/account#decisions', 'what one reported');
  await reporterWatched.harmless('one’s sessions');
  await reporter.context().close();
  await staff.context().close();
});
