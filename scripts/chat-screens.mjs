// Takes the pictures of docs/chat.md, every dialog of the chat at phone width, from a running `npm start` with its demo
// model: `node scripts/chat-screens.mjs [address]`.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import sharp from 'sharp';
import { CHROMIUM_ARGS, findChromium } from './lib/chromium.mjs';
import { ROOT } from './lib/process.mjs';

const origin = process.argv[2] ?? 'http://localhost:8787';
const folder = join(ROOT, 'docs', 'dialogs');
const PHONE = { width: 390, height: 780 };
const words = JSON.parse(readFileSync(join(ROOT, 'src', 'locales', 'en', 'chat.json'), 'utf8'));
const LINES = ['I was looking for a light.', 'The road ended at your door.', 'May I stay until it is day?'];

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({
  executablePath: await findChromium(console.log),
  args: CHROMIUM_ARGS,
});
const context = await browser.newContext({
  viewport: PHONE,
  hasTouch: true,
  isMobile: true,
  locale: 'en',
  reducedMotion: 'reduce',
});
await context.addCookies([{ name: 'lang', value: 'en', url: origin }]);
const page = await context.newPage();
const { request } = page;

async function api(method, path, data) {
  const answer = await request.fetch(`${origin}/api${path}`, { method, ...(data ? { data } : {}) });
  if (!answer.ok()) throw new Error(`${method} ${path}: ${answer.status()} ${await answer.text()}`);
  return answer.status() === 204
    ? null
    : answer.text().then((text) => (text[0] === '{' ? JSON.parse(text) : text));
}
const shoot = async (name) => {
  await page.evaluate(() => document.fonts.ready);
  await sharp(await page.screenshot())
    .webp({ quality: 72, effort: 6 })
    .toFile(join(folder, `${name}.webp`));
};

await api('POST', '/auth/anonymous');
const { items } = await api('GET', '/characters?q=Ebbe');
const { conversation } = await api('POST', '/conversations', { character_id: items[0].id });
const at = `/conversations/${conversation.id}`;
for (const [index, content] of LINES.entries())
  await api('POST', `${at}/messages`, { content, client_message_id: `picture-turn-${index}` });
const { messages } = await api('GET', at);
const [, first, reply, , , , last] = messages;
await api('POST', `${at}/messages/${last.id}/regenerate`, { client_message_id: 'picture-again-1' });
await api('PATCH', `${at}/messages/${first.id}`, { content: 'I was looking for a light, and for you.' });
await api('PUT', `${at}/messages/${reply.id}/pin`);
await api('PATCH', at, { title: 'The night the road ended' });
await api('POST', '/personas', {
  name: 'Ilse',
  description: 'A surveyor, about thirty. Mud to the knees, good boots. Limps when she is tired.',
  is_default: true,
});
await api('POST', '/personas', { name: 'The tax inspector', description: 'Older, ruder, always early.' });
await api('PUT', `${at}/memory`, {
  entries: [
    { text: 'Ilse came to the lighthouse on foot, at night, and asked to stay until it is day.' },
    { text: 'Ebbe keeps the lamp alone and speaks little of the storm that took the other keeper.' },
  ],
});
const chat = `${origin}/character/${items[0].id}?conversation_id=${conversation.id}`;
const open = () => page.goto(chat, { waitUntil: 'networkidle' });
const menu = async (line) => {
  await page.getByRole('button', { name: words.chatMenu }).click();
  if (line) await page.getByRole('menuitem', { name: line }).click();
};
const sheet = async (nth, line) => {
  const message = page.locator('[data-message]').nth(nth);
  await message.scrollIntoViewIfNeeded();
  await message.focus().catch(() => {});
  await message.getByRole('button', { name: words.moreActions }).click({ force: true });
  if (line) await page.getByRole('menuitem', { name: line }).click();
};
const dialog = () => page.getByRole('dialog').first().waitFor();

/** The content that a dialog shows once it has loaded. */
const SHOWN_WHEN_THERE = {
  memory: 'Ilse came',
  trash: 'May I stay',
  persona: 'The tax inspector',
  model: 'Mistral',
};

await open();
await shoot('chat');
await menu();
await shoot('menu');
for (const [name, line] of [
  ['persona', words.persona],
  ['conversations', words.chatsTitle],
  ['memory', words.memoryTitle],
  ['appearance', words.appearanceTitle],
  ['reply', words.replySettings],
  ['rename', words.rename],
  ['trash', words.trashMenu],
  ['files', words.filesMenu],
  ['model', /^Model/],
]) {
  const deleted = name === 'trash' ? await api('DELETE', `${at}/messages/${messages[5].id}`) : null;
  await open();
  await menu(line);
  await dialog();
  await page
    .getByText(SHOWN_WHEN_THERE[name] ?? /./)
    .first()
    .waitFor();
  await shoot(name);
  if (deleted) await api('POST', `${at}/trash/${deleted.id}/restore`);
}
await open();
await sheet(6);
await shoot('message');
await open();
await sheet(6, words.contextTitle);
await dialog();
await page.waitForLoadState('networkidle');
await shoot('context');
await open();
await sheet(5, words.edit);
await shoot('edit');
await open();
await sheet(5, words.deleteFrom);
await page.getByText(words.undo, { exact: true }).waitFor();
await shoot('undo');
await page.getByText(words.undo, { exact: true }).click();
await page.goto(`${origin}/chats/search?q=light`, { waitUntil: 'networkidle' });
await shoot('search');
await page.goto(`${origin}/en/user-persona`, { waitUntil: 'networkidle' });
await shoot('personas');
await open();
await menu(words.deleteChat);
await page.getByRole('heading', { name: words.inTrashTitle }).waitFor();
await shoot('deleted');
await browser.close();
