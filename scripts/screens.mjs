// Takes the pictures of README.md and docs/design.md from a running `npm start`: `node scripts/screens.mjs [address]`.
// Four scripts, phone and desktop, dark and light; the machine needs fonts for Japanese and Hindi.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import sharp from 'sharp';
import { CHROMIUM_ARGS, findChromium } from './lib/chromium.mjs';
import { ROOT } from './lib/process.mjs';

const origin = process.argv[2] ?? 'http://localhost:8787';
const folder = join(ROOT, 'docs', 'screens');
const DEVICES = { phone: { width: 390, height: 780 }, desktop: { width: 1280, height: 780 } };
/** Language → the devices and themes in which its pages are shown. */
const SHOWN = {
  en: ['phone dark', 'desktop dark', 'phone light', 'desktop light'],
  ru: ['phone light', 'desktop dark'],
  ja: ['phone dark', 'desktop light'],
  hi: ['phone light', 'desktop dark'],
};
const LINE = 'I was looking for a light.';

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({
  executablePath: await findChromium(console.log),
  args: CHROMIUM_ARGS,
});

for (const [lang, shown] of Object.entries(SHOWN)) {
  const words = JSON.parse(readFileSync(join(ROOT, 'src', 'locales', lang, 'chat.json'), 'utf8'));
  for (const [device, theme] of shown.map((one) => one.split(' '))) {
    const context = await browser.newContext({
      viewport: DEVICES[device],
      locale: lang,
      reducedMotion: 'reduce',
    });
    await context.addCookies([{ name: 'lang', value: lang, url: origin }]);
    await context.addInitScript((name) => localStorage.setItem('theme', name), theme);
    const page = await context.newPage();
    const shoot = async (name, path) => {
      if (path) await page.goto(origin + path, { waitUntil: 'networkidle' });
      await page.evaluate(() => document.fonts.ready);
      await sharp(await page.screenshot())
        .webp({ quality: 72, effort: 6 })
        .toFile(join(folder, `${name}-${lang}-${device}-${theme}.webp`));
    };
    const { items } = await (await page.request.get(`${origin}/api/characters?q=Ebbe`)).json();
    await shoot('home', `/${lang}`);
    await shoot('discover', `/${lang}/discover`);
    await shoot('character', `/${lang}/character-info/${items[0].id}`);
    await shoot('post', `/${lang}/blog/how-memory-works`);
    await page.request.post(`${origin}/api/auth/anonymous`);
    await page.goto(`${origin}/character/${items[0].id}?scene=home`, { waitUntil: 'networkidle' });
    const box = page.getByRole('textbox').last();
    await box.fill(LINE);
    await box.press('Enter');
    // The composer offers to stop a reply while it is written, and to send when it is complete.
    await page.getByRole('button', { name: words.stop, exact: true }).waitFor();
    await page.getByRole('button', { name: words.send, exact: true }).waitFor();
    await shoot('chat');
    await shoot('returning', `/${lang}`);
    await context.close();
  }
}
await browser.close();
