import { escapeHtml } from '../../src/lib/html.ts';
import { t } from '../support/texts.ts';
import { awake, expect, test } from './journey.ts';
import { violations } from './violations.ts';

test('a reader filters posts by subject, opens a post and its neighbours, and returns to all posts', async ({
  page,
}) => {
  await page.goto('/en/blog');
  const posts = page.getByRole('main').getByRole('heading', { level: 2 });
  const count = await posts.count();
  expect(count).toBeGreaterThanOrEqual(7);
  // The blog has its own stylesheet.
  await expect(page.getByRole('main').locator('.posts')).toHaveCSS('display', 'grid');
  const subjects = page.getByRole('navigation', { name: t('blog:tags.label') });
  await subjects.getByRole('link', { name: t('blog:tag.privacy') }).click();
  await expect(page).toHaveURL(/\?tag=privacy$/);
  await expect(subjects.getByRole('link', { name: t('blog:tag.privacy') })).toHaveAttribute(
    'aria-current',
    'page',
  );
  expect(await posts.count()).toBeLessThan(count);
  const post = page.getByRole('main').locator('h2 a[href$="/where-your-chats-live"]');
  const title = await post.innerText();
  await post.click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
  await expect(page.getByText('November 2, 2026')).toBeVisible();
  await expect(
    page.getByText(new RegExp(t('blog:readingTime', { count: 2 }).replace('2', '\\d'))),
  ).toBeVisible();

  const around = page.getByRole('navigation', { name: t('blog:morePostsLabel') });
  await around.locator('[href$="/points-explained"]').click();
  await expect(page).toHaveURL(/\/points-explained$/);
  await around.getByRole('link', { name: title }).click();
  await expect(page).toHaveURL(/\/where-your-chats-live$/);
  await page
    .getByRole('region', { name: t('blog:relatedTitle') })
    .getByRole('link')
    .first()
    .click();
  await expect(page).not.toHaveURL(/where-your-chats-live/);
  await page.getByRole('link', { name: t('blog:allPostsLink') }).click();
  await expect(posts).toHaveCount(count);
});

test('every listed blog post opens and has more than 400 words @all', async ({ page, request }) => {
  await page.goto('/en/blog');
  const links = page.getByRole('main').locator('h2 a');
  const addresses = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
  expect(new Set(addresses).size).toBe(addresses.length);
  for (const address of addresses) {
    const answer = await request.get(address);
    expect([address, answer.status()]).toEqual([address, 200]);
    const text = (await answer.text()).match(/<div class="post-text"[\s\S]*<\/article>/)?.[0] ?? '';
    expect(text.replaceAll(/<[^>]+>/g, ' ').split(/\s+/).length).toBeGreaterThan(400);
  }
});

test('a blog subject without posts says so and links to all posts @all', async ({ page }) => {
  await page.goto('/en/blog?tag=knitting');
  await expect(page.getByRole('heading', { name: t('blog:empty.title') })).toBeVisible();
  await awake(page);
  expect(await violations(page)).toEqual([]);
  await page
    .getByRole('main')
    .getByRole('link', { name: t('blog:empty.seeAll') })
    .click();
  await expect(page).toHaveURL(/\/en\/blog$/);
});

test('an unknown blog post is a 404 page that links to the blog @all', async ({ request }) => {
  const answer = await request.get('/en/blog/no-such-post');
  expect(answer.status()).toBe(404);
  const html = await answer.text();
  expect(html).toContain(escapeHtml(t('blog:missing.title')));
  expect(html).toContain('href="/en/blog"');
  expect(html).not.toContain('application/ld+json');
});

test('a blog post describes itself to search engines as JSON-LD @all', async ({ page }) => {
  await page.goto('/en/blog/how-memory-works');
  const data = JSON.parse((await page.locator('script[type="application/ld+json"]').textContent()) ?? '');
  expect(data['@graph']).toEqual([
    expect.objectContaining({
      '@type': 'BlogPosting',
      headline: 'What a character remembers',
      inLanguage: 'en',
      datePublished: '2026-10-06T00:00:00.000Z',
    }),
    expect.objectContaining({ '@type': 'BreadcrumbList' }),
  ]);
});

test('the blog links to the feed of its language, which holds whole posts with absolute links', async ({
  page,
  request,
  baseURL,
}) => {
  await page.goto('/en/blog');
  const feed = await page.locator('link[type="application/rss+xml"]').getAttribute('href');
  expect(feed).toBe('/en/blog/rss.xml');
  await expect(page.getByRole('link', { name: t('blog:feedLink') })).toHaveAttribute('href', feed as string);

  const answer = await request.get(feed as string);
  expect(answer.headers()['content-type']).toBe('application/rss+xml; charset=utf-8');
  const feedContent = await page.evaluate(
    (xml) => {
      const read = new DOMParser().parseFromString(xml, 'application/xml');
      const hrefs = [...read.querySelectorAll('item')].flatMap((item) => {
        const html = item.getElementsByTagName('content:encoded')[0]?.textContent ?? '';
        const text = new DOMParser().parseFromString(html, 'text/html');
        return [...text.querySelectorAll('a')].map((link) => link.getAttribute('href') ?? '');
      });
      return {
        broken: read.querySelector('parsererror') !== null,
        language: read.querySelector('language')?.textContent,
        links: [...read.querySelectorAll('item > link')].map((link) => link.textContent),
        hrefs,
      };
    },
    await answer.text(),
  );
  expect(feedContent).toMatchObject({ broken: false, language: 'en' });
  expect(feedContent.links.length).toBeGreaterThanOrEqual(7);
  expect(feedContent.hrefs.length).toBeGreaterThan(0);
  const { origin } = new URL(baseURL as string);
  for (const link of feedContent.links) expect(link?.startsWith(`${origin}/en/blog/`)).toBe(true);
  // A post may link to another page of the site; feed readers need the absolute address.
  for (const href of feedContent.hrefs) expect(href.startsWith(`${origin}/`)).toBe(true);
  for (const link of [...feedContent.links, ...feedContent.hrefs])
    expect((await request.get(link as string)).status()).toBe(200);
});

test('robots.txt names the sitemap, and every address in the sitemap opens', async ({ request, baseURL }) => {
  const { origin } = new URL(baseURL as string);
  const robots = await (await request.get('/robots.txt')).text();
  expect(robots).toContain(`Sitemap: ${origin}/sitemap.xml`);
  for (const path of ['/api', '/character/', '/messages/', '/account']) {
    expect(robots.split('\n')).toContain(`Disallow: ${path}`);
  }
  const addresses = async (path: string) =>
    [...(await (await request.get(path)).text()).matchAll(/<loc>([^<]+)<\/loc>/g)].map(
      ([, address]) => address as string,
    );
  const files = await addresses('/sitemap.xml');
  const [pages = '', characters = ''] = ['en', 'en-characters'].map(
    (name) => `${origin}/sitemaps/${name}.xml`,
  );
  expect(files).toEqual(expect.arrayContaining([pages, characters]));
  // The seeded characters are the oldest; characters of other tests come and go during this one.
  const catalogue = (await addresses(characters)).slice(0, 21);
  expect(catalogue.length).toBeGreaterThan(20);
  const english = [...(await addresses(pages)), ...catalogue];
  expect(english).toContain(`${origin}/en/blog/how-memory-works`);
  for (const address of english)
    expect([address, (await request.get(address)).status()]).toEqual([address, 200]);
});
