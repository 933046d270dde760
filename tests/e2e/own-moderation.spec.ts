import type { Page } from '@playwright/test';
import { t } from '../support/texts.ts';
import { makeCharacter, portraitOf, signInAsCreator } from './creator-setup.ts';
import { awake, expect, readCode, readMail, test } from './journey.ts';
import { violations } from './violations.ts';

// Moderation actions as the affected user reads them in the account.

const getDecisions = (page: Page) =>
  page.getByRole('list', { name: t('cases:decisionsTitle') }).getByRole('listitem');

/** Logs an account in with a mailed code. */
async function logIn(page: Page, origin: string, email: string): Promise<{ id: string }> {
  await page.request.post('/api/auth/send-login-code', { data: { email } });
  const code = await readCode(origin, email);
  const answer = await page.request.post('/api/auth/login-with-code', { data: { email, code } });
  expect(answer.status()).toBe(201);
  return { id: ((await answer.json()) as { user_id: string }).user_id };
}

test('a user sees the pictures and names that staff removed from the account and a character @all', async ({
  page,
  browser,
  baseURL,
}) => {
  const user = await signInAsCreator(page, baseURL as string);
  const name = `Wren ${user.id.slice(-8)}`;
  const { id } = await makeCharacter(page, { name });
  const uploaded = await page.request.post('/api/uploads/avatar', {
    multipart: { file: { name: 'face.png', mimeType: 'image/png', buffer: portraitOf(20, 20) } },
  });
  const { avatar_id } = (await uploaded.json()) as { avatar_id: string };
  await page.request.patch('/api/account', { data: { nickname: 'Rude', avatar_id } });
  const staff = await (await browser.newContext({ baseURL: baseURL as string })).newPage();
  await staff.request.post('/api/auth/test-login', { data: { person: 'admin' } });
  for (const [kind, subject_id] of [
    ['picture_removed', id],
    ['name_cleared', id],
    ['picture_removed', user.id],
    ['name_cleared', user.id],
  ]) {
    const action = await staff.request.post('/api/admin/measures', {
      data: { kind, subject_id, reason: 'Somebody is hurt by it.' },
    });
    expect(action.status()).toBe(201);
  }
  await staff.context().close();

  await page.goto('/account#decisions');
  await awake(page);
  await expect(getDecisions(page)).toHaveCount(4);
  const row = (text: string) => getDecisions(page).filter({ hasText: text });
  await expect(row(t('cases:decisionOwnNameRemoved'))).toContainText(
    t('cases:removedNames', { names: 'Rude' }),
  );
  await expect(row(t('cases:decision_name_cleared', { name }))).toContainText(
    t('cases:removedNames', { names: name }),
  );
  for (const text of [t('cases:decisionOwnPictureRemoved'), t('cases:decision_picture_removed', { name })]) {
    const picture = row(text).getByRole('img', { name: t('cases:removedPicture') });
    await picture.scrollIntoViewIfNeeded();
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0);
  }
  expect(await violations(page)).toEqual([]);
});

test('signing up again after deleting a suspended account restores the suspension and its appeal @all', async ({
  page,
  browser,
  baseURL,
}) => {
  const origin = baseURL as string;
  const email = `again-${crypto.randomUUID()}@example.test`;
  const { id } = await logIn(page, origin, email);
  const staff = await (await browser.newContext({ baseURL: origin })).newPage();
  await staff.request.post('/api/auth/test-login', { data: { person: 'admin' } });
  const suspension = await staff.request.post('/api/admin/measures', {
    data: { kind: 'account_suspended', subject_id: id, reason: 'Spam, again and again.' },
  });
  expect(suspension.status()).toBe(201);
  await staff.context().close();

  await page.goto('/delete-account');
  await awake(page);
  await expect(page.getByText(t('deletion:keptSuspension', { days: 365 }))).toBeVisible();
  await page.request.post('/api/account/delete-request', { data: { email } });
  let token = '';
  await expect
    .poll(async () => {
      token = /token=([0-9a-f]+)/.exec((await readMail(origin, email)).text)?.[1] ?? '';
      return token;
    })
    .not.toBe('');
  const deletion = await page.request.post('/api/account/delete-confirm', { data: { token } });
  expect(deletion.status()).toBe(200);

  const newAccount = await logIn(page, origin, email);
  expect(newAccount.id).not.toBe(id);
  await page.goto('/account');
  await awake(page);
  await expect(page.getByText(t('cases:suspendedTitle'), { exact: true })).toBeVisible();
  await expect(getDecisions(page)).toContainText(
    t('cases:decisionReason', { reason: 'Spam, again and again.' }),
  );
  await expect(
    page.getByRole('button', {
      name: t('cases:appealNamed', { what: t('cases:decision_account_suspended') }),
    }),
  ).toBeVisible();
  expect(await violations(page)).toEqual([]);
});
