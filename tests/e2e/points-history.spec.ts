import { randomUUID } from 'node:crypto';
import type { LedgerGroup } from '../../src/features/wallet/contract.ts';
import { t } from '../support/texts.ts';
import { awake, chat, expect, readCode, test } from './journey.ts';
import { violations } from './violations.ts';

test('the points history groups replies by day and chat, and a group opens to its entries', async ({
  page,
  baseURL,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const { say, character, messages } = await chat(page);
  await say('Hello [[scenario:tokens n=2 ms=0]]');
  await expect(messages).toHaveCount(3);
  // The guest becomes an account, and the points stay theirs.
  const email = `history-${randomUUID()}@example.org`;
  await page.request.post('/api/auth/send-login-code', { data: { email } });
  const code = await readCode(baseURL as string, email);
  await page.request.post('/api/auth/login-with-code', { data: { email, code } });

  await page.goto('/account');
  await awake(page);
  const points = page.getByRole('region', { name: t('account:planAndPointsTitle'), exact: true });
  await points.getByRole('link', { name: t('account:pointsHistoryAllLink') }).click();
  await expect(page).toHaveURL('/account/points');
  await awake(page);
  const group = page.getByRole('listitem').filter({ hasText: character.name });
  await expect(group).toContainText(t('account:pointsHistoryReplies', { count: 1 }));
  await expect(group).toContainText('-1');
  await expect(group.getByText(t('account:pointsHistory_reply'), { exact: true })).toHaveCount(0);
  await group.locator('summary').press('Enter');
  await expect(group.getByRole('listitem')).toContainText(t('account:pointsHistory_reply'));
  await expect(group.getByRole('listitem')).toContainText(t('account:pointsHistoryBalance', { balance: 49 }));
  expect(await violations(page)).toEqual([]);
  await group.getByRole('link', { name: t('account:openChat') }).click();
  await expect(page).toHaveURL(/\/messages\//);
});

test('the points history shows older days on request, and says when it could not be loaded @all', async ({
  page,
  baseURL,
}) => {
  const email = `history-${randomUUID()}@example.org`;
  await page.request.post('/api/auth/send-login-code', { data: { email } });
  const code = await readCode(baseURL as string, email);
  await page.request.post('/api/auth/login-with-code', { data: { email, code } });
  const buildGroup = (id: string, day: string): LedgerGroup => ({
    ...{ id, day, conversation_id: id, kind: 'message', reason: 'A reply was written' },
    ...{ entries: 14, replies: 14, amount: -14 },
  });
  let fails = true;
  await page.route('**/api/points/history*', (route) => {
    if (fails) return route.fulfill({ status: 500, json: {} });
    const isSecond = new URL(route.request().url()).searchParams.has('cursor');
    return route.fulfill({
      json: isSecond
        ? { items: [buildGroup('c', '2026-11-20')], next_cursor: null }
        : {
            items: [buildGroup('a', '2026-11-28'), buildGroup('b', '2026-11-28')],
            next_cursor: 'older',
          },
    });
  });
  await page.goto('/account/points');
  await awake(page);
  await expect(page.getByRole('alert')).toContainText(t('account:sectionLoadFailed'));
  fails = false;
  await page.getByRole('button', { name: t('account:tryAgain') }).click();
  const newest = page.getByRole('region', { name: 'November 28, 2026' });
  await expect(newest.getByRole('listitem')).toHaveCount(2);
  await expect(newest.getByRole('listitem').first()).toContainText(t('account:pointsHistoryChatDeleted'));
  await page.getByRole('button', { name: t('account:showMore') }).press('Enter');
  const older = page.getByRole('region', { name: 'November 20, 2026' });
  await expect(older).toContainText(t('account:pointsHistoryReplies', { count: 14 }));
  await expect(page.getByRole('button', { name: t('account:showMore') })).toBeHidden();
});
