import { t } from '../support/texts.ts';
import { expect, test } from './journey.ts';
import { join, MEMBER, open, part, payPal, someone, yours } from './membership.page.ts';

test('the membership page has a support link, answers to questions, and a list of payment methods', async ({
  page,
  baseURL,
}) => {
  await someone(page, baseURL ?? '');
  await open(page);
  const support = page.getByRole('banner').getByRole('link', { name: t('shell:footer.support') });
  await expect(support).toBeVisible();
  await expect(support).toHaveAttribute('href', /^mailto:[^@\s]+@[^@\s]+$/);
  const answers = part(page, t('pages:membership.questions'));
  const cancel = answers.getByRole('group').filter({ hasText: t('pages:membership.cancel.question') });
  await expect(cancel.getByText(t('pages:membership.cancel.answer'))).toBeHidden();
  await cancel.getByText(t('pages:membership.cancel.question')).click();
  await expect(cancel.getByText(t('pages:membership.cancel.answer'))).toBeVisible();
  for (const name of [
    t('pages:membership.brings.question'),
    t('pages:membership.refund.question'),
    t('pages:membership.points.question'),
    t('pages:membership.payPal.question'),
  ])
    await expect(answers.getByText(name)).toBeVisible();
  const methods = part(page, t('pages:membership.ways.title'));
  await expect(methods.getByRole('term')).toHaveText([
    t('pages:membership.ways.web.name'),
    t('pages:membership.ways.ios.name'),
    t('pages:membership.ways.android.name'),
  ]);
  await expect(methods.getByRole('definition')).toHaveText([
    t('pages:membership.ways.web.text'),
    t('pages:membership.ways.ios.text'),
    t('pages:membership.ways.android.text'),
  ]);
});

test('PayPal’s button subscribes to the plan sold now, even if the page was opened before a change @all', async ({
  page,
  baseURL,
}) => {
  await someone(page, baseURL ?? '');
  let changed: object = {};
  await page.route('**/api/subscription', async (route) => {
    const answer = await route.fetch();
    const view = (await answer.json()) as { client: Record<string, unknown> };
    await route.fulfill({ json: { ...view, client: { ...view.client, ...changed } } });
  });
  await open(page);
  await expect(payPal(page).getByRole('button', { name: 'PayPal' })).toBeVisible();
  // The operator has changed the plan to one that PayPal does not know in this test.
  changed = { plan_id: 'P-SOLDBYNOW0000' };
  const subscribeRequest = page.waitForRequest(
    (request) => request.method() === 'POST' && (request.postData() ?? '').includes('plan_id'),
  );
  await payPal(page).getByRole('button', { name: 'PayPal' }).click();
  expect((await subscribeRequest).postDataJSON()).toMatchObject({ plan_id: 'P-SOLDBYNOW0000' });
});

test('PayPal’s button subscribes nothing and shows the membership if the user became a member elsewhere @all', async ({
  page,
  baseURL,
}) => {
  await someone(page, baseURL ?? '');
  await open(page);
  await expect(payPal(page).getByRole('button', { name: 'PayPal' })).toBeVisible();
  const subscribeUrls: string[] = [];
  page.on('request', (request) => {
    if ((request.postData() ?? '').includes('plan_id')) subscribeUrls.push(request.url());
  });
  // The user has become a member in another tab.
  await page.route('**/api/subscription', (route) => route.fulfill({ json: MEMBER }));
  await payPal(page).getByRole('button', { name: 'PayPal' }).click();
  await expect(yours(page)).toContainText(
    t('membership:statusRenews', { price: '$6.99', date: 'January 15, 2099' }),
  );
  await expect(join(page)).toHaveCount(0);
  expect(subscribeUrls).toEqual([]);
});
