// Takes the README's pictures from a running `npm start`: `node scripts/screens.mjs [address]`.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import sharp from 'sharp';
import { findChromium } from './lib/chromium.mjs';
import { ROOT } from './lib/process.mjs';

const origin = process.argv[2] ?? 'http://localhost:8787';
const folder = join(ROOT, 'docs', 'screens');
const DEVICES = [
  ['phone', { width: 390, height: 780 }],
  ['desktop', { width: 1280, height: 780 }],
];
const LINES = [
  'Good evening. I saw the light from the road.',
  '*I put my lamp down and sit.* What happened here tonight?',
];

mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({
  executablePath: await findChromium(console.log),
  args: ['--no-sandbox', '--disable-gpu'],
});
for (const [device, viewport] of DEVICES) {
  const context = await browser.newContext({ viewport, locale: 'en-GB', reducedMotion: 'reduce' });
  const page = await context.newPage();
  const shoot = async (name) => {
    const picture = await page.screenshot();
    await sharp(picture)
      .webp({ quality: 80 })
      .toFile(join(folder, `${name}-${device}.webp`));
  };
  const { items } = await (await page.request.get(`${origin}/api/characters?q=light`)).json();
  await page.goto(`${origin}/en`, { waitUntil: 'networkidle' });
  await shoot('home');
  await page.goto(`${origin}/en/discover`, { waitUntil: 'networkidle' });
  await shoot('discover');
  await page.goto(`${origin}/en/character-info/${items[0].id}`, { waitUntil: 'networkidle' });
  await shoot('character');
  await page.request.post(`${origin}/api/auth/anonymous`);
  await page.goto(`${origin}/character/${items[0].id}`, { waitUntil: 'networkidle' });
  for (const line of LINES) {
    const box = page.getByRole('textbox').last();
    await box.fill(line);
    await box.press('Enter');
    const stop = page.getByRole('button', { name: 'Stop the reply' });
    await stop.waitFor();
    await stop.waitFor({ state: 'hidden', timeout: 60_000 });
  }
  await shoot('chat');
  await context.close();
}
await browser.close();
