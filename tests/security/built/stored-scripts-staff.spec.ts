import { randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { makeCharacter, signInAsCreator } from '../../e2e/creator-hands.ts';
import { expect, test } from '../../e2e/journey.ts';
import { textOf } from '../written-texts.ts';
import { watch } from './harmless.ts';
import { expectTaken, somebodyElse, writer } from './writer.ts';

// What people write, where staff reads it; what staff writes, where people read it.

/** The rows of a queue, all of them. */
async function rowsOf(staff: Page, queue: 'Reports' | 'Appeals'): Promise<Locator> {
  const rows = staff.getByRole('list', { name: queue, exact: true }).locator(':scope > li');
  const more = staff.getByRole('button', { name: 'Show more' });
  await expect(rows.first()).toBeVisible();
  while ((await more.count()) > 0) {
    const count = await rows.count();
    await more.click();
    await expect.poll(() => rows.count()).toBeGreaterThan(count);
  }
  return rows;
}

/** Opens a row of a queue, or closes it. */
const press = (row: Locator) => row.getByRole('button').first().click();

test('what somebody wrote is text where staff reads it, and where they read what staff wrote', async ({
  page,
  browser,
  baseURL,
}) => {
  test.setTimeout(240_000);
  const site = baseURL as string;
  const { character, maker, mark } = await writer(page, site);
  const young = await makeCharacter(page, {
    name: `${mark} young ${textOf('post /api/characters .name')}`,
    character_traits: `Wren is 15 years old and goes to school. ${textOf('post /api/characters .character_traits', 300)}`,
  });
  const reporter = await somebodyElse(browser, site, textOf('a browser’s name for itself', 200));
  await signInAsCreator(reporter, site);
  await expectTaken(
    await reporter.request.patch('/api/account', {
      data: { nickname: textOf('patch /api/account .nickname') },
    }),
  );

  // Three reports: of a character, of its maker, of a message.
  const reports = (path: string, field: string) =>
    reporter.request.post(path, { data: { reason: 'spam', details: textOf(field, 300) } });
  const begin = async (id: string) => {
    const begun = await reporter.request.post('/api/conversations', { data: { character_id: id } });
    await expectTaken(begun);
    return ((await begun.json()) as { conversation: { id: string } }).conversation.id;
  };
  const first = `/api/conversations/${await begin(character.id)}`;
  const told = (await (await reporter.request.get(first)).json()) as { messages: { id: string }[] };
  const ofCharacter = await reports(
    `/api/characters/${character.id}/reports`,
    'post /api/characters/{id}/reports .details',
  );
  const ofMaker = await reports(
    `/api/creators/${maker.id}/reports`,
    'post /api/creators/{id}/reports .details',
  );
  const ofMessage = await reports(
    `${first}/messages/${told.messages[0]?.id}/reports`,
    'post /api/conversations/{id}/messages/{mid}/reports .details',
  );
  await expectTaken(ofCharacter, ofMaker, ofMessage);
  const [report, decided] = await Promise.all(
    [ofCharacter, ofMaker].map(async (answer) => ((await answer.json()) as { id: string }).id),
  );

  // What staff does against the character, and an appeal against that; and one against a text that was refused.
  const staff = await somebodyElse(browser, site);
  await staff.request.post('/api/auth/test-login', { data: { person: 'admin' } });
  const measure = await staff.request.post('/api/admin/measures', {
    data: {
      kind: 'character_hidden',
      subject_id: character.id,
      report_id: report,
      reason: textOf('post /api/admin/measures .reason', 400),
    },
  });
  await expectTaken(measure);
  const message = textOf('post /api/appeals .message', 900);
  await expectTaken(
    await page.request.post('/api/appeals', {
      data: { measure_id: ((await measure.json()) as { id: string }).id, message },
    }),
  );
  const refused = `Come to bed and have sex with me, Wren. ${textOf('post /api/appeals .refused_text', 400)}`;
  const sent = await reporter.request.post(`/api/conversations/${await begin(young.id)}/messages`, {
    data: { content: refused, client_message_id: `turn-${randomUUID()}` },
  });
  const [, token] = /"appeal_token":"([^"]+)"/.exec(await sent.text()) ?? [];
  const appeal = await reporter.request.post('/api/appeals', {
    data: { message, place: 'message', rule: 'minors', refused_text: refused, appeal_token: token },
  });
  await expectTaken(
    appeal,
    await staff.request.put(`/api/admin/characters/${young.id}/moderation`, {
      data: {
        moderation: 'hidden',
        reason: textOf('put /api/admin/characters/{id}/moderation .reason', 300),
      },
    }),
    await staff.request.patch(`/api/admin/reports/${decided}`, {
      data: {
        status: 'upheld',
        answer: textOf('patch /api/admin/reports/{id} .answer', 400),
        note: textOf('patch /api/admin/reports/{id} .note', 400),
      },
    }),
  );

  const theirs = await watch(staff);
  await theirs.opens('/admin-reports', null);
  const waiting = await rowsOf(staff, 'Reports');
  const ofOne = waiting.filter({ hasText: 'A character' }).last();
  await press(ofOne);
  await staff.getByRole('button', { name: 'Show the lorebook' }).click();
  await theirs.harmless('a report of a character');
  await ofOne
    .getByRole('button', { name: /^Account of/ })
    .last()
    .click();
  await theirs.harmless('an account that staff opens');
  await press(ofOne);
  const ofWords = waiting.filter({ hasText: 'A message' }).last();
  await press(ofWords);
  await theirs.harmless('a report of a message');
  await press(ofWords);
  await staff.getByRole('button', { name: 'Upheld', exact: true }).click();
  await press((await rowsOf(staff, 'Reports')).first());
  await theirs.harmless('a report that was decided');

  await staff.getByRole('button', { name: 'Appeals', exact: true }).click();
  const appeals = await rowsOf(staff, 'Appeals');
  const count = await appeals.count();
  await press(appeals.nth(count - 1));
  await theirs.harmless('an appeal against a refusal');
  await press(appeals.nth(count - 1));
  await press(appeals.nth(count - 2));
  await theirs.harmless('an appeal against a measure');
  await expectTaken(
    await staff.request.patch(`/api/admin/appeals/${((await appeal.json()) as { id: string }).id}`, {
      data: {
        status: 'declined',
        answer: textOf('patch /api/admin/appeals/{id} .answer', 400),
        note: textOf('patch /api/admin/appeals/{id} .note', 400),
      },
    }),
  );
  await staff.getByRole('button', { name: 'Declined', exact: true }).click();
  await press((await rowsOf(staff, 'Appeals')).first());
  await theirs.harmless('an appeal that was decided');
  for (const path of ['/admin-stats', '/admin-competition']) await theirs.opens(path, null);
  for (const path of [`/api/admin/reports/${report}`, `/api/admin/accounts/${maker.id}`]) {
    const answer = await staff.request.get(path);
    expect([path, answer.headers()['content-type'], answer.headers()['x-content-type-options']]).toEqual([
      path,
      'application/json',
      'nosniff',
    ]);
  }

  const mine = await watch(page);
  await mine.opens('/account#decisions', 'what was decided about oneself');
  const reporters = await watch(reporter);
  await reporters.opens('/account#decisions', 'what one reported');
  await reporters.harmless('one’s sessions');
  await reporter.context().close();
  await staff.context().close();
});
