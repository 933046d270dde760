// A subscriber's journeys. Over 400 lines: all of them use the same stand-in for PayPal's buttons.
import type { Route } from '@playwright/test';
import { readTexts, t } from '../support/texts.ts';
import { awake, expect, goOffline, test } from './journey.ts';
import { agree, join, MEMBER, open, openAs, payPal, policyOf, someone, yours } from './membership.page.ts';
import { violations } from './violations.ts';

test('a user subscribes, cancels, keeps the paid time, and subscribes again without paying twice', async ({
  page,
  baseURL,
}) => {
  await someone(page, baseURL ?? '');
  await open(page);
  await expect(
    page.locator('#sidebar').getByRole('link', { name: t('shell:nav.membership') }),
  ).toHaveAttribute('aria-current', 'page');
  await expect(yours(page)).toContainText(t('membership:statusFree'));
  const plans = page.getByRole('table', { name: t('membership:plansTitle') });
  const [free, storyteller, adventurer, legend] = [
    t('membership:planFree'),
    t('account:plan_storyteller'),
    t('account:plan_adventurer'),
    t('account:plan_legend'),
  ];
  const row = (plan: string) => plans.getByRole('row', { name: new RegExp(`^${plan}`) });
  await expect(row(free)).toContainText(t('membership:dailyMessages', { count: 100 }));
  await expect(row(free)).toContainText(t('membership:pointsRefill', { points: 50, count: 8 }));
  await expect(row(free)).toContainText(t('membership:yourPlanBadge'));
  await expect(row(storyteller)).toContainText(t('membership:pricePerMonth', { price: '$6.99' }));
  await expect(row(storyteller)).toContainText(t('membership:unlimitedMessages'));
  await expect(row(storyteller)).toContainText(t('membership:personaLimitBeta', { count: 500 }));
  await expect(row(adventurer)).toContainText(t('membership:pricePerMonth', { price: '$14.99' }));
  await expect(row(legend)).toContainText(t('membership:pricePerMonth', { price: '$24.99' }));
  for (const plan of [adventurer, legend]) {
    await expect(row(plan)).toContainText(t('membership:comingSoon'));
    await expect(row(plan)).toContainText(t('membership:detailsToCome'));
    await expect(row(plan)).not.toContainText(t('membership:unlimitedMessages'));
    await expect(row(plan)).not.toContainText(t('membership:prioritySupport'));
    await expect(row(plan)).not.toContainText(t('membership:personaLimitBeta', { count: 500 }));
  }
  await expect(page.getByRole('main')).not.toContainText(/spicy|18\+|adult/i);
  expect(await violations(page)).toEqual([]);

  // PayPal shows no buttons for cards or for paying later.
  await row(storyteller)
    .getByRole('link', { name: t('membership:choosePlan', { plan: t('account:plan_storyteller') }) })
    .click();
  await expect(payPal(page).getByRole('button')).toHaveText(['PayPal']);
  expect(await violations(page)).toEqual([]);

  // A cancelled approval shows no error; a failed one does.
  await payPal(page).getByRole('button', { name: 'PayPal' }).click();
  await payPal(page).getByRole('button', { name: 'Cancel and return' }).click();
  await payPal(page).getByRole('button', { name: 'PayPal' }).click();
  await expect(page.getByText(t('membership:payPalFailed'))).toHaveCount(0);
  await payPal(page).getByRole('button', { name: 'Fail' }).click();
  await expect(page.getByText(t('membership:payPalFailed'))).toBeVisible();
  await agree(page);
  await expect(
    yours(page).getByText(t('membership:activated', { plan: t('account:plan_storyteller') })),
  ).toBeVisible();
  await expect(yours(page).getByRole('definition')).toHaveText([
    t('account:plan_storyteller'),
    /\d{4}/,
    t('membership:renewalOn'),
  ]);
  await expect(row(storyteller)).toContainText(t('membership:yourPlanBadge'));
  await expect(join(page)).toHaveCount(0);
  await expect(page).toHaveURL(/\/membership(?:#join)?$/);
  expect(await violations(page)).toEqual([]);

  await yours(page)
    .getByRole('button', { name: t('membership:cancelMembership') })
    .click();
  const confirmDialog = page.getByRole('dialog', { name: t('membership:cancelTitle') });
  const kept = t('membership:cancelText', { date: '.*\\d{4}', plan: storyteller });
  await expect(confirmDialog).toContainText(new RegExp(kept));
  expect(await violations(page)).toEqual([]);
  await confirmDialog.getByRole('button', { name: t('membership:cancelKeepMembership') }).click();
  await expect(yours(page).getByRole('definition').last()).toHaveText(t('membership:renewalOn'));
  await yours(page)
    .getByRole('button', { name: t('membership:cancelMembership') })
    .click();
  await confirmDialog.getByRole('button', { name: t('membership:cancelMembership') }).click();
  await expect(yours(page).getByText(t('membership:cancelled'))).toBeVisible();
  await expect(yours(page).getByRole('definition')).toHaveText([
    t('account:plan_storyteller'),
    /\d{4}/,
    t('membership:renewalOff'),
  ]);
  await expect(yours(page).getByRole('note')).toContainText(
    new RegExp(t('membership:statusCancelled', { date: '.*\\d{4}' })),
  );
  expect(await violations(page)).toEqual([]);

  // The cancellation survives a reload, and a new subscription begins when the paid time ends.
  await open(page);
  const until = (await yours(page).getByRole('time').getAttribute('datetime')) ?? '';
  await expect(join(page).getByRole('note')).toContainText(
    new RegExp(t('membership:subscribeAgainNote', { date: '.*\\d{4}' })),
  );
  await agree(page);
  await expect(yours(page).getByRole('definition').last()).toHaveText(t('membership:renewalOn'));
  const answer = (await (await page.request.get('/api/subscription')).json()) as Record<string, unknown>;
  expect(answer).toMatchObject({ plan: 'storyteller', status: 'active', pending_downgrade: false });
  expect(Date.parse(String(answer['current_period_end']))).toBeGreaterThanOrEqual(Date.parse(until));
});

test('an activation whose response is lost can be retried, also after a reload, and is not paid twice @all', async ({
  page,
  baseURL,
}) => {
  await someone(page, baseURL ?? '');
  await open(page);
  const calls: unknown[] = [];
  await page.route('**/api/subscription/activate', (route) => {
    calls.push(route.request().postDataJSON());
    return route.abort();
  });
  await agree(page);
  const alert = yours(page).getByRole('alert');
  await expect(alert).toContainText(t('errors:activate_failed'));
  await expect(alert).toContainText(new RegExp(t('membership:subscriptionId', { id: 'I-[0-9A-Z]+' })));
  // The approved subscription cannot be approved again.
  await expect(join(page)).toBeHidden();
  await expect(
    page.getByRole('link', { name: t('membership:choosePlan', { plan: t('account:plan_storyteller') }) }),
  ).toHaveCount(0);
  expect(await violations(page)).toEqual([]);
  await alert.getByRole('button', { name: t('membership:tryAgain') }).click();
  await expect.poll(() => calls.length).toBe(2);
  expect(calls[1]).toEqual(calls[0]);
  await expect(page).toHaveURL(/subscription_id=I-/);
  await page.unroute('**/api/subscription/activate');
  await page.reload();
  await expect(
    yours(page).getByText(t('membership:activated', { plan: t('account:plan_storyteller') })),
  ).toBeVisible();
  await expect(page).not.toHaveURL(/subscription_id/);
});

test('a link with a subscription id activates nothing until the user confirms it @all', async ({
  page,
  baseURL,
}) => {
  await someone(page, baseURL ?? '');
  const calls: unknown[] = [];
  await page.route('**/api/subscription/activate', (route) => {
    calls.push(route.request().postDataJSON());
    return route.fulfill({ json: MEMBER });
  });
  await page.goto('/membership?subscription_id=I-1234567890AB');
  const note = yours(page)
    .getByRole('note')
    .filter({ hasText: t('membership:claimText') });
  await expect(note).toContainText(t('membership:subscriptionId', { id: 'I-1234567890AB' }));
  // The subscription may be the user's own, so the page does not offer another one yet.
  await expect(join(page)).toBeHidden();
  expect(await violations(page)).toEqual([]);
  await note.getByRole('button', { name: t('membership:claimReject') }).click();
  await expect(note).toHaveCount(0);
  await expect(join(page)).toBeVisible();
  await expect(page).not.toHaveURL(/subscription_id/);
  expect(calls).toEqual([]);
  await page.goto('/membership?subscription_id=I-1234567890AB');
  await note.getByRole('button', { name: t('membership:claimConfirm') }).click();
  await expect(
    yours(page).getByText(t('membership:activated', { plan: t('account:plan_storyteller') })),
  ).toBeVisible();
  await expect(page).not.toHaveURL(/subscription_id/);
  expect(calls).toEqual([{ subscription_id: 'I-1234567890AB' }]);
});

test('another account’s subscription is refused with the reason, its id and a hint to contact support @all', async ({
  page,
  baseURL,
}) => {
  await someone(page, baseURL ?? '');
  const created = await fetch(`${process.env.LORELOOM_PAYPAL}/control/subscriptions`, {
    method: 'POST',
    body: JSON.stringify({ custom_id: 'somebody-else' }),
  });
  const { id } = (await created.json()) as { id: string };
  await page.goto(`/membership?subscription_id=${id}`);
  await yours(page)
    .getByRole('button', { name: t('membership:claimConfirm') })
    .click();
  const alert = yours(page).getByRole('alert');
  await expect(alert).toContainText(t('errors:activate_failed'));
  await expect(alert).toContainText(t('errors:subscription_wrong_account'));
  await expect(alert).toContainText(t('membership:subscriptionId', { id }));
  await expect(alert.getByRole('button', { name: t('membership:tryAgain') })).toHaveCount(0);
  await expect(page).not.toHaveURL(/subscription_id/);
});

test('the membership page shows that PayPal’s button is loading, reports a failure, and can retry @all', async ({
  page,
  baseURL,
  troubles,
}) => {
  await someone(page, baseURL ?? '');
  const scriptRequests: Route[] = [];
  await page.route('**/sdk/js?*', (route) => void scriptRequests.push(route));
  await open(page);
  await expect(join(page).getByText(t('membership:payPalLoading'))).toBeVisible();
  await expect.poll(() => scriptRequests.length).toBe(1);
  await scriptRequests[0]?.abort();
  await expect(
    join(page)
      .getByRole('alert')
      .filter({ hasText: t('membership:payPalLoadFailed') }),
  ).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await join(page)
    .getByRole('button', { name: t('membership:tryAgain') })
    .click();
  await expect(join(page).getByText(t('membership:payPalLoading'))).toBeVisible();
  await expect.poll(() => scriptRequests.length).toBe(2);
  await scriptRequests[1]?.continue();
  await expect(payPal(page).getByRole('button', { name: 'PayPal' })).toBeVisible();
  // The browser logs the failed request.
  expect(troubles.splice(0).every((trouble) => trouble.includes('/sdk/js'))).toBe(true);
});

test.describe('Membership status', () => {
  const STATUSES = [
    [{ is_failing: true }, t('membership:statusPaymentFailed')],
    [{ status: 'suspended', auto_renew: false }, t('membership:statusSuspended')],
    [{ status: 'none', current_period_end: null, auto_renew: false }, t('membership:statusGift')],
    [{ plan: 'free', current_period_end: null, is_awaited: true }, t('membership:statusPaymentPending')],
    [
      { is_awaited: true, current_period_end: '2099-01-16T10:00:00.000Z' },
      t('membership:statusRenewalPending', { date: 'January 16, 2099' }),
    ],
    [
      { plan: 'free', is_awaited: true, current_period_end: '2026-01-15T10:00:00.000Z' },
      t('membership:statusPaymentLate', { date: 'January 15, 2026' }),
    ],
    [
      { plan: 'free', current_period_end: null, is_refunded: true },
      t('membership:statusRefunded', { date: 'January 15, 2099' }),
    ],
    [
      { begins_at: '2099-01-15T10:00:00.000Z' },
      t('membership:statusStartsLater', { date: 'January 15, 2099', price: '$6.99' }),
    ],
    // Two months paid at once do not change the date of the next payment.
    [
      { price_cents: 799, current_period_end: '2099-02-15T10:00:00.000Z' },
      t('membership:statusRenews', { price: '$7.99', date: 'January 15, 2099' }),
    ],
    [{}, t('membership:statusRenews', { price: '$6.99', date: 'January 15, 2099' })],
    // The agreed price counts, not the plan's current price.
    [{ price_cents: 599 }, t('membership:statusRenews', { price: '$5.99', date: 'January 15, 2099' })],
    [
      { status: 'cancelled', auto_renew: false, pending_downgrade: true, is_given: true },
      t('membership:statusGift'),
    ],
  ] as const;
  for (const [membership, sentence] of STATUSES)
    test(`the page of a membership with ${JSON.stringify(membership)} says: ${sentence} @all`, async ({
      page,
      baseURL,
    }) => {
      await someone(page, baseURL ?? '');
      await openAs(page, membership);
      await expect(yours(page)).toContainText(sentence);
      await expect(join(page)).toHaveCount(0);
      expect(await violations(page)).toEqual([]);
    });

  test('the membership page shows no paid date before PayPal confirms a payment @all', async ({
    page,
    baseURL,
  }) => {
    await someone(page, baseURL ?? '');
    await openAs(page, { plan: 'free', current_period_end: null, is_awaited: true });
    await expect(yours(page).getByRole('definition')).toHaveText([
      t('membership:planFree'),
      t('membership:renewalOn'),
    ]);
  });

  test('the cancel dialog promises no paid time before PayPal confirms a payment @all', async ({
    page,
    baseURL,
  }) => {
    await someone(page, baseURL ?? '');
    await openAs(page, { is_awaited: true, current_period_end: '2099-01-16T10:00:00.000Z' });
    await yours(page)
      .getByRole('button', { name: t('membership:cancelMembership') })
      .click();
    const confirmDialog = page.getByRole('dialog', { name: t('membership:cancelTitle') });
    await expect(confirmDialog).toContainText(t('membership:cancelTextNow'));
    await expect(confirmDialog).not.toContainText('2099');
  });

  test('the membership page says when an expired membership ended @all', async ({ page, baseURL }) => {
    await someone(page, baseURL ?? '');
    const expired = { plan: 'free', status: 'expired', current_period_end: '2026-01-15T10:00:00.000Z' };
    await openAs(page, { ...expired, auto_renew: false });
    await expect(yours(page)).toContainText(t('membership:statusEnded', { date: 'January 15, 2026' }));
    await expect(yours(page).getByRole('definition')).toHaveText([t('membership:planFree')]);
    expect(await violations(page)).toEqual([]);
  });

  test('the cancel dialog says that a plan given by the operator stays @all', async ({ page, baseURL }) => {
    await someone(page, baseURL ?? '');
    await openAs(page, { is_given: true });
    await yours(page)
      .getByRole('button', { name: t('membership:cancelMembership') })
      .click();
    const confirmDialog = page.getByRole('dialog', { name: t('membership:cancelTitle') });
    await expect(confirmDialog).toContainText(t('membership:cancelTextGift'));
    await expect(confirmDialog).not.toContainText(t('membership:cancelTextNow'));
  });

  test('a site without sales explains it in place of the button and loads nothing from PayPal @all', async ({
    page,
    baseURL,
  }) => {
    await someone(page, baseURL ?? '');
    const requestedUrls: string[] = [];
    page.on('request', (request) => void requestedUrls.push(request.url()));
    await openAs(page, { plan: 'free', status: 'none', current_period_end: null, auto_renew: false });
    await expect(join(page)).toContainText(t('errors:payments_unavailable'));
    // A plan that is not for sale has no link to choose it.
    await expect(
      page.getByRole('table').getByRole('row', { name: t('account:plan_storyteller') }),
    ).toContainText('$6.99');
    await expect(
      page.getByRole('link', { name: t('membership:choosePlan', { plan: t('account:plan_storyteller') }) }),
    ).toHaveCount(0);
    await page.waitForLoadState('networkidle');
    expect(requestedUrls.filter((url) => url.includes('/sdk/') || /paypal-js/i.test(url))).toEqual([]);
  });

  test('a membership that failed to load can be loaded again @all', async ({ page, baseURL }) => {
    await someone(page, baseURL ?? '');
    await page.route('**/api/subscription', (route) => route.fulfill({ status: 500, json: {} }));
    await open(page);
    const alert = yours(page)
      .getByRole('alert')
      .filter({ hasText: t('membership:loadFailed') });
    await expect(alert).toBeVisible();
    await page.unroute('**/api/subscription');
    await alert.getByRole('button', { name: t('membership:tryAgain') }).click();
    await expect(yours(page)).toContainText(t('membership:statusFree'));
  });

  test('the membership page says that paying and cancelling need the network while offline @all', async ({
    page,
    baseURL,
  }) => {
    await someone(page, baseURL ?? '');
    await openAs(page, {});
    await goOffline(page);
    await expect(page.getByText(t('membership:offline'))).toBeVisible();
    await expect(yours(page)).toContainText(
      t('membership:statusRenews', { price: '$6.99', date: 'January 15, 2099' }),
    );
    await page.context().setOffline(false);
    await expect(page.getByText(t('membership:offline'))).toHaveCount(0);
  });

  test('a cancellation that PayPal refuses shows an error and a hint to contact support @all', async ({
    page,
    baseURL,
  }) => {
    await someone(page, baseURL ?? '');
    await page.route('**/api/subscription/downgrade', (route) =>
      route.fulfill({ status: 502, json: { code: 'downgrade_failed', error: '' } }),
    );
    await openAs(page, {});
    await yours(page)
      .getByRole('button', { name: t('membership:cancelMembership') })
      .click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('membership:cancelMembership') })
      .click();
    await expect(yours(page).getByRole('alert')).toContainText(t('errors:downgrade_failed'));
    await expect(yours(page).getByRole('definition').last()).toHaveText(t('membership:renewalOn'));
  });
});

test('only the membership page’s policy allows PayPal, with a new nonce for each request', async ({
  page,
  baseURL,
}) => {
  await someone(page, baseURL ?? '');
  const { origin } = new URL(process.env.LORELOOM_PAYPAL ?? '');
  const policy = await policyOf(page, '/membership');
  for (const directive of ['script-src', 'frame-src', 'connect-src', 'img-src'])
    expect(policy).toMatch(new RegExp(`${directive} [^;]*${origin}`));
  const nonces = [policy, await policyOf(page, '/membership')].map(
    (header) => /script-src [^;]*'nonce-([^']+)'/.exec(header)?.[1],
  );
  expect(nonces[0]).toMatch(/^[\w-]{20,}$/);
  expect(nonces[1]).not.toBe(nonces[0]);
  expect(policy).not.toContain('unsafe');
  for (const path of ['/en', '/en/discover', '/account', '/settings', '/terms', '/delete-account']) {
    const other = await policyOf(page, path);
    expect(other, path).toContain("script-src 'self'");
    expect(other, path).not.toMatch(/paypal|nonce-/i);
    expect(other, path).not.toContain(origin);
  }
});

test('the membership page asks a guest to log in and loads nothing from PayPal', async ({ page }) => {
  await page.request.post('/api/auth/anonymous');
  const requestedUrls: string[] = [];
  page.on('request', (request) => void requestedUrls.push(request.url()));
  await open(page);
  await expect(page.getByRole('dialog')).toContainText('You need to be logged in to perform this action');
  await expect(page.locator('#yours')).toContainText(t('membership:guestText'));
  await page.waitForLoadState('networkidle');
  expect(requestedUrls.filter((url) => url.includes('/sdk/'))).toEqual([]);
  // Simulate a site without sales (islands/shared/site.ts).
  await page.addInitScript(() => {
    const observer = new MutationObserver(() => document.documentElement.removeAttribute('data-memberships'));
    observer.observe(document, { childList: true, subtree: true });
  });
  await page.reload();
  await expect(page.locator('#yours')).toContainText(t('membership:notAvailable'));
});

for (const width of [360, 768, 1440])
  test(`the plans in German fit a page of ${width} pixels without being cut off @all`, async ({
    page,
    baseURL,
  }) => {
    await someone(page, baseURL ?? '');
    await page.setViewportSize({ width, height: 800 });
    await page.context().addCookies([{ name: 'lang', value: 'de', url: baseURL ?? '' }]);
    await page.goto('/membership?lng=de');
    await awake(page);
    const cards = page.locator('.plan-card');
    await expect(cards).toHaveCount(4);
    await expect(page.getByRole('table', { name: readTexts('de')('membership:plansTitle') })).toBeVisible();
    const boxes = await cards.evaluateAll((all) =>
      all.map((card) => {
        const { left, right } = card.getBoundingClientRect();
        return { isInside: left >= 0 && right <= innerWidth, isCut: card.scrollWidth > card.clientWidth };
      }),
    );
    expect(boxes).toEqual(boxes.map(() => ({ isInside: true, isCut: false })));
    // The controls of the top bar do not overlap.
    const barBoxes = await page
      .getByRole('banner')
      .locator('a:visible, button:visible')
      .evaluateAll((all) => all.map((control) => control.getBoundingClientRect().toJSON() as DOMRect));
    for (const [index, box] of barBoxes.entries())
      for (const other of barBoxes.slice(index + 1))
        expect(box.right <= other.left || other.right <= box.left).toBe(true);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
  });
