import { t } from '../support/texts.ts';
import { awake, expect, SOMEBODY, startListedChat, test, watchShifts } from './journey.ts';
import { violations } from './violations.ts';

test('the sidebar is 256 px wide, has its links, and asks visitors to log in to save their chats', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('/en');
  const sidebar = page.locator('#sidebar');
  expect((await sidebar.boundingBox())?.width).toBe(256);
  for (const name of [
    t('shell:nav.home'),
    t('shell:nav.discover'),
    t('shell:nav.characters'),
    `${t('shell:nav.personas')} ${t('shell:nav.beta')}`,
    t('shell:nav.competition'),
    t('shell:create.character'),
  ]) {
    await expect(sidebar.getByRole('link', { name, exact: true })).toBeVisible();
  }
  await expect(sidebar.getByRole('link', { name: t('shell:nav.membership') })).toBeHidden();
  await expect(sidebar.getByText('Log in to save your chats')).toBeVisible();
  await expect(sidebar.getByRole('switch')).toHaveCount(0);
  await expect(page.getByRole('list', { name: t('shell:community.label') }).getByRole('link')).toHaveCount(2);
  const footer = page.getByRole('contentinfo');
  for (const name of [
    t('shell:footer.terms'),
    t('shell:footer.privacy'),
    t('shell:footer.support'),
    t('shell:footer.blog'),
  ]) {
    await expect(footer.getByRole('link', { name })).toBeVisible();
  }
});

test('titles begin at the same place on every page, next to the sidebar @all', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const starts: Record<string, number | undefined> = {};
  const paths = [
    '/en/discover',
    '/en/tag/fantasy',
    '/en/blog',
    '/en/blog/no-reply-is-lost',
    '/en/creator-competition',
    '/en/safety',
    '/en/status',
    '/membership',
    '/settings',
  ];
  for (const path of paths) {
    await page.goto(path);
    await expect(page.locator('#sidebar')).toBeVisible();
    starts[path] = (await page.getByRole('heading', { level: 1 }).first().boundingBox())?.x;
  }
  expect(starts).toEqual(Object.fromEntries(paths.map((path) => [path, starts['/en/discover']])));
  expect(starts['/en/discover']).toBeGreaterThan(256);
});

test('next to the sidebar of a tablet, the catalogue has three columns @all', async ({ page }) => {
  await page.setViewportSize({ width: 768, height: 1024 });
  await page.goto('/en/discover');
  const columns = page
    .getByRole('list', { name: t('discover:listLabel') })
    .evaluate((list) => getComputedStyle(list).gridTemplateColumns.split(' ').length);
  expect(await columns).toBe(3);
});

test('the menu on a phone keeps the focus inside and closes with Escape', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/en/discover');
  await awake(page);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: t('common:skipToContent') })).toBeFocused();
  await page.keyboard.press('Tab');
  const opener = page.getByRole('button', { name: t('shell:menu.open') });
  await expect(opener).toBeFocused();
  await page.keyboard.press('Enter');
  const menu = page.getByRole('dialog', { name: t('shell:menu.label') });
  await expect(menu).toBeVisible();
  await expect(menu.getByRole('button', { name: t('shell:menu.close') })).toBeFocused();
  expect(await violations(page)).toEqual([]);
  for (let step = 0; step < 20; step += 1) {
    await page.keyboard.press('Tab');
    const outside = await page.evaluate(
      () => document.activeElement !== document.body && !document.activeElement?.closest('#sidebar, .skip'),
    );
    expect(outside).toBe(false);
  }
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
  await expect(opener).toBeFocused();
});

test('the sidebar shows the chats at once on the next page, and going back restores the scroll position @all', async ({
  page,
  request,
}) => {
  await page.request.post('/api/auth/anonymous');
  const { items } = (await (await request.get(SOMEBODY)).json()) as {
    items: { id: string; name: string }[];
  };
  await startListedChat(page, items[0]?.id ?? '');
  await page.setViewportSize({ width: 1280, height: 700 });
  await page.goto('/en/discover');
  const chats = page.getByRole('region', { name: t('shell:history.title') });
  await expect(chats.getByRole('listitem')).toHaveCount(1);

  await page.mouse.move(700, 400);
  await page.mouse.wheel(0, 1500);
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(900);
  const card = page.locator('.card-grid a').nth(14);
  await card.scrollIntoViewIfNeeded();
  const scrollBefore = await page.evaluate(() => scrollY);
  const name = (await card.locator('.name').innerText()).trim();

  // The next page shows the chats before the server answers.
  let answer = () => {};
  const released = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/chats', async (route) => {
    await released;
    await route.continue();
  });
  await card.click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await expect(chats.getByRole('listitem')).toHaveCount(1);
  answer();
  await page.unrouteAll({ behavior: 'wait' });

  await page.goBack();
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(scrollBefore - 60);
  await expect.poll(() => page.evaluate(() => scrollY)).toBeLessThan(scrollBefore + 60);
});

test('a new session in the same tab never shows the chats of the previous session', async ({
  page,
  context,
  request,
}) => {
  await page.setViewportSize({ width: 1280, height: 700 });
  await page.request.post('/api/auth/anonymous');
  const { items } = (await (await request.get(SOMEBODY)).json()) as {
    items: { id: string }[];
  };
  await startListedChat(page, items[0]?.id ?? '');
  await page.goto('/en/discover');
  const chats = page.getByRole('region', { name: t('shell:history.title') });
  await expect(chats.getByRole('listitem')).toHaveCount(1);
  // Start another session whose list cannot be fetched: the tab still remembers the first session's list.
  await context.clearCookies();
  await page.request.post('/api/auth/anonymous');
  await page.route('**/api/chats', (route) => route.abort());
  await page.goto('/about?lng=en');
  await page.goto('/en/discover');
  await expect(chats.getByRole('alert')).toBeVisible();
  await expect(chats.locator('li')).toHaveCount(0);
});

test('a chosen theme applies to other pages and tabs before their first paint @all', async ({
  page,
  context,
}) => {
  await page.request.post('/api/auth/anonymous');
  await page.goto('/en');
  await page.getByRole('switch', { name: t('shell:theme.dark') }).click();
  const paper = await page.evaluate(() => getComputedStyle(document.body).color);
  const second = await context.newPage();
  // The theme must be set when the first content appears, before the page's scripts have run.
  await second.goto('/en/discover', { waitUntil: 'commit' });
  await second.waitForSelector('h1');
  await expect(second.locator('html')).toHaveAttribute('data-theme', 'light');
  expect(await second.evaluate(() => getComputedStyle(document.body).color)).toBe(paper);
});

for (const path of ['/en', '/en/discover', '/en/blog/no-reply-is-lost', '/character-info']) {
  for (const visitor of ['a visitor', 'a guest'] as const) {
    test(`${path} has no layout shift while it loads for ${visitor} on a phone @all`, async ({
      page,
      request,
    }) => {
      await page.setViewportSize({ width: 390, height: 800 });
      if (visitor === 'a guest') await page.request.post('/api/auth/anonymous');
      const { items } = (await (await request.get(SOMEBODY)).json()) as {
        items: { id: string }[];
      };
      const shifts = await watchShifts(page);
      await page.goto(path === '/character-info' ? `/en/character-info/${items[0]?.id}` : path, {
        waitUntil: 'networkidle',
      });
      await page.evaluate(() => document.fonts.ready);
      expect(await shifts()).toEqual([]);
    });
  }
}

for (const path of ['/en', '/en/discover', '/about', '/en/blog/how-memory-works', '/login', '/en/offline']) {
  test(`${path} fits and cuts off no text at 400 % zoom with wide text spacing`, async ({ page }) => {
    // 1280 px at 400 % is a page of 320 px.
    await page.setViewportSize({ width: 320, height: 256 * 2 });
    await page.goto(path);
    await awake(page);
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(
        '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-block-end: 2em !important }',
      );
      document.adoptedStyleSheets.push(sheet);
    });
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('main .button, main h1, main h2, main p')]
        .filter((element) => element.checkVisibility() && element.scrollWidth > element.clientWidth + 1)
        .map((element) => element.textContent?.trim()),
    );
    expect(cut).toEqual([]);
  });
}

test('a page that needs a login leads home when the dialog is closed and stays for a guest', async ({
  page,
}) => {
  await page.goto('/membership');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('You need to be logged in to perform this action');
  await dialog.getByRole('button', { name: t('signin:close') }).click();
  await expect(page).toHaveURL(/\/en$/);
  await page.goto('/en/user-persona');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('signin:continueAsGuest') })
    .click();
  await expect(page).toHaveURL(/\/en\/user-persona$/);
  await expect(page.getByRole('heading', { level: 1, name: t('personas:title') })).toBeVisible();
});

test('every entry of the menu can be reached on a low screen @all', async ({ page }) => {
  await page.request.post('/api/auth/anonymous');
  for (const [width, height] of [
    [360, 640],
    [740, 360],
    [1280, 480],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto('/en');
    const opener = page.getByRole('button', { name: t('shell:menu.open') });
    const isNarrow = await opener.isVisible();
    if (isNarrow) await opener.click();
    else await page.getByText(t('shell:language.current', { name: 'English' })).click();
    for (const control of [
      // On narrow screens the languages are in the settings.
      isNarrow
        ? page.locator('#sidebar').getByRole('link', { name: t('settings:title') })
        : page.getByRole('link', { name: 'Bahasa Indonesia' }),
      page.getByRole('button', { name: t('shell:profile.logOut') }),
      page.getByRole('link', { name: t('shell:create.character') }).first(),
    ]) {
      await control.focus();
      await expect(control).toBeInViewport({ ratio: 0.9 });
    }
  }
});

for (const path of ['/en', '/ru', '/hi/discover']) {
  test(`fonts that load late shift nothing on ${path} @all`, async ({ page }) => {
    await page.route('**/*.woff2', async (route) => {
      // Delay the fonts until after the first paint, as on a slow connection.
      await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
      await route.continue();
    });
    const shifts = await watchShifts(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(path, { waitUntil: 'networkidle' });
    expect(await shifts()).toEqual([]);
  });
}

test('a tap on the menu button before the page’s scripts run opens the menu', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/_astro/*.js', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto('/en', { waitUntil: 'commit' });
  await page.getByRole('button', { name: t('shell:menu.open') }).click();
  release();
  await expect(page.getByRole('dialog', { name: t('shell:menu.label') })).toBeVisible();
});
