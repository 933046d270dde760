import type { Page } from '@playwright/test';
import type { Persona } from '../../src/features/persona/contract.ts';
import { waitingPersona } from './chat-frame.page.ts';
import { awake, chat, expect, goOffline, test } from './journey.ts';
import { violations } from './violations.ts';

const PAGE = '/en/user-persona';
/** Creates personas with these names as a new guest and opens My Personas. */
async function openPersonas(page: Page, names: readonly string[] = []) {
  await page.request.post('/api/auth/anonymous');
  for (const name of names) {
    const made = await page.request.post('/api/personas', { data: { name, description: `${name} sails.` } });
    expect(made.status()).toBe(201);
  }
  await page.goto(PAGE);
  await awake(page);
  const items = page.getByRole('region', { name: 'Your personas' }).getByRole('listitem');
  await expect(items).toHaveCount(names.length);
  const form = page.getByRole('dialog', { name: /persona/ });
  return {
    items,
    form,
    create: page.getByRole('button', { name: 'Create a persona' }),
    name: form.getByRole('textbox', { name: 'Name' }),
    description: form.getByRole('textbox', { name: 'Description' }),
    save: form.getByRole('button', { name: 'Save' }),
    toast: (text: string) => page.getByRole('status').getByText(text),
  };
}

test('a visitor reads about personas and is asked to log in, and continuing as a guest opens the list @all', async ({
  page,
}) => {
  await page.goto('/user-persona');
  await expect(page).toHaveURL(/\/en\/user-persona$/);
  const login = page.getByRole('dialog');
  await expect(login).toContainText('You need to be logged in to perform this action');
  await page.keyboard.press('Escape');
  await expect(login).toBeHidden();
  // After a refusal the page's own text remains.
  await expect(page).toHaveURL(/\/en\/user-persona$/);
  await expect(page.getByRole('heading', { level: 1, name: 'My Personas' })).toBeVisible();
  await expect(page.getByRole('main').getByText('Beta')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Create a persona' })).toBeHidden();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Log in to write yours' }).click();
  await login.getByRole('button', { name: 'Continue as guest' }).click();
  await expect(login).toBeHidden();
  await expect(page.getByRole('heading', { name: 'No personas yet' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Log in to write yours' })).toBeHidden();
  expect(await violations(page)).toEqual([]);
});

test('a persona can be created, edited, made the default, deleted and restored by keyboard', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const { items, form, create, name, description, save, toast } = await openPersonas(page);
  await create.focus();
  await page.keyboard.press('Enter');
  await expect(name).toBeFocused();
  expect(await violations(page)).toEqual([]);

  await name.press('Enter');
  await expect(form.getByText('Name is required')).toBeVisible();
  await expect(form.getByText('Description is required')).toBeVisible();
  await expect(name).toBeFocused();
  await name.fill('n'.repeat(51));
  await expect(form.getByText('51 of 50 characters')).toHaveCSS('color', 'rgb(238, 130, 117)');
  await expect(name).toHaveAccessibleDescription(/Name must not exceed 50 characters/);
  await name.fill('  Wren ');
  await expect(form.getByText('4 of 50 characters')).toBeVisible();
  await name.press('Enter');
  await expect(description).toBeFocused();
  await description.fill('d'.repeat(1001));
  await expect(form.getByText('Description must not exceed 1,000 characters')).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await description.fill('Maps coasts.\nHas never learned to swim.');
  await save.press('Enter');
  await expect(form).toBeHidden();
  await expect(toast('Wren was created.')).toBeVisible();
  await expect(create).toBeFocused();
  await expect(items).toHaveCount(1);
  await expect(items.first()).toContainText('Has never learned to swim.');

  await page.getByRole('button', { name: 'Make default: Wren' }).press('Enter');
  await expect(items.first().getByText('Default', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Edit: Wren' }).press('Enter');
  await expect(name).toHaveValue('Wren');
  await expect(form.getByRole('switch', { name: 'Begin new conversations with it' })).toBeChecked();
  await name.fill('Robin');
  await save.press('Enter');
  await expect(toast('Robin was saved.')).toBeVisible();
  expect(await violations(page)).toEqual([]);

  const readPersonas = async () =>
    ((await (await page.request.get('/api/personas')).json()) as { items: Persona[] }).items;
  const [robin] = await readPersonas();
  await page.getByRole('button', { name: 'Delete: Robin' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'No personas yet' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Your personas' })).toBeFocused();
  await page.getByRole('button', { name: 'Undo' }).press('Enter');
  await expect(toast('Robin is back.')).toBeVisible();
  await page.reload();
  await expect(items).toHaveCount(1);
  await expect(items.first()).toContainText('Robin');
  await expect(items.first().getByText('Default', { exact: true })).toBeVisible();
  expect(await readPersonas()).toEqual([robin]);

  // Leaving the page also completes the deletion.
  await page.getByRole('button', { name: 'Delete: Robin' }).press('Enter');
  await expect(items).toHaveCount(0);
  await page.goto('/en/discover');
  await expect.poll(readPersonas).toEqual([]);
});

test('an unsaved persona is not lost by Escape, by leaving the page or by a server error @all', async ({
  page,
}) => {
  const { items, form, create, name, description, save } = await openPersonas(page);
  await create.click();
  await expect(name).toBeFocused();
  // Escape closes an empty form without a question.
  await page.keyboard.press('Escape');
  await expect(form).toBeHidden();

  await create.click();
  await name.pressSequentially('Wren');
  await page.keyboard.press('Escape');
  const question = form.getByRole('group', { name: 'Leave without saving?' });
  await expect(question.getByRole('button', { name: 'Keep writing' })).toBeFocused();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(name).toHaveValue('Wren');

  const dialogOpened = page.waitForEvent('dialog');
  const leaving = page.evaluate(() => location.assign('/en/discover'));
  const warning = await dialogOpened;
  expect(warning.type()).toBe('beforeunload');
  await warning.dismiss();
  await leaving;
  await expect(name).toHaveValue('Wren');

  await description.fill('Maps coasts.');
  await page.route('**/api/personas', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 500, json: { error: 'Server error', code: 'server_error' } })
      : route.continue(),
  );
  await save.click();
  await expect(form.getByRole('alert')).toHaveText('Failed to create the persona. Please try again.');
  await expect(description).toHaveValue('Maps coasts.');
  await page.unroute('**/api/personas');
  await save.click();
  await expect(form).toBeHidden();
  await expect(items).toHaveCount(1);

  await page.getByRole('button', { name: 'Edit: Wren' }).click();
  await name.fill('Somebody else');
  await form.getByRole('button', { name: 'Cancel' }).click();
  await question.getByRole('button', { name: 'Discard it' }).click();
  await expect(form).toBeHidden();
  await expect(items.first()).toContainText('Wren');
});

test('a user at the persona limit reads how to get more, and the form keeps its text @all', async ({
  page,
}) => {
  const { items, form, create, name, description, save } = await openPersonas(page, [
    'Ash',
    'Bo',
    'Cy',
    'Di',
  ]);
  await create.click();
  await name.fill('Wren');
  await description.fill('Maps coasts.');
  // Another tab creates the last allowed persona first.
  await page.request.post('/api/personas', { data: { name: 'Eve', description: 'Sails.' } });
  await save.click();
  await expect(form.getByRole('alert')).toContainText('Your plan holds 5 personas');
  await expect(form.getByRole('link', { name: 'See membership' })).toHaveAttribute('href', '/membership');
  await expect(description).toHaveValue('Maps coasts.');
  expect(await violations(page)).toEqual([]);
  await form.getByRole('button', { name: 'Cancel' }).click();
  await form.getByRole('button', { name: 'Discard it' }).click();
  await expect(items).toHaveCount(5);
  await expect(page.getByText('5 of 5 personas')).toBeVisible();
  await create.click();
  await expect(form).toBeHidden();
  const note = page.getByText(
    'That is as many as the free plan holds. With Storyteller you can have up to 500.',
  );
  await expect(note).toBeInViewport();
  const membership = page.getByRole('main').getByRole('link', { name: 'See membership' });
  await expect(membership).toBeVisible();
  expect(await violations(page)).toEqual([]);
  // Simulate a site without sales (islands/shared/site.ts).
  await page.addInitScript(() => {
    const observer = new MutationObserver(() => document.documentElement.removeAttribute('data-memberships'));
    observer.observe(document, { childList: true, subtree: true });
  });
  await page.reload();
  const plain = page.getByText('That is as many as your plan holds. Delete one to make room for another.');
  await expect(plain).toBeVisible();
  await expect(membership).toHaveCount(0);
  await page.getByRole('button', { name: 'Delete: Ash' }).click();
  await expect(plain).toBeHidden();
});

test('personas that fail to load can be loaded again, and the page says when it is offline @all', async ({
  page,
  context,
}) => {
  await page.request.post('/api/auth/anonymous');
  await page.request.post('/api/personas', { data: { name: 'Wren', description: 'Maps coasts.' } });
  await page.route('**/api/personas?*', (route) => route.abort());
  await page.goto(PAGE);
  const failure = page.getByRole('alert').filter({ hasText: 'Failed to load your personas' });
  await expect(failure).toContainText('Your personas are safe.');
  expect(await violations(page)).toEqual([]);
  await page.unroute('**/api/personas?*');
  await failure.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'Wren' })).toBeVisible();
  await goOffline(page);
  await expect(page.getByText('You are offline. Your personas are safe')).toBeVisible();
  await page.getByRole('button', { name: 'Delete: Wren' }).click();
  await expect(page.getByText('Network error. Please check your connection.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Wren' })).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText('You are offline. Your personas are safe')).toBeHidden();
});

test('the persona dialog shows the user’s name in an imported conversation and in a new one @all', async ({
  page,
}) => {
  const { character } = await chat(page);
  const lines = [
    { user_name: 'Ann', character_name: 'Mira', chat_metadata: {} },
    { name: 'Ann', is_user: true, mes: 'I am here.' },
  ];
  const imported = await page.request.post('/api/conversations/import', {
    multipart: {
      character_id: character.id,
      file: {
        name: 'chat.jsonl',
        mimeType: 'application/jsonl',
        buffer: Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n')),
      },
    },
  });
  const dialog = page.getByRole('dialog', { name: 'Persona' });
  const openPersonaDialog = async (conversationId: string) => {
    await page.goto(`/character/${character.id}?conversation_id=${conversationId}`);
    await awake(page);
    await page.getByRole('button', { name: 'Chat menu' }).click();
    await page.getByRole('menuitem', { name: 'Persona' }).click();
  };
  const persona = await page.request.post('/api/personas', {
    data: { name: 'Wren', description: 'Maps coasts.' },
  });
  await openPersonaDialog((await imported.json()).conversation.id);
  await expect(dialog.getByRole('radio', { name: 'No persona' })).toHaveAccessibleDescription(
    'You are called Ann.',
  );
  await dialog.getByRole('radio', { name: 'Wren' }).check();
  await expect(dialog.getByRole('radio', { name: 'No persona' })).toHaveAccessibleDescription(
    'You are called Ann.',
  );
  const created = await page.request.post('/api/conversations', {
    data: { character_id: character.id, persona_id: (await persona.json()).id },
  });
  await openPersonaDialog((await created.json()).conversation.id);
  await expect(dialog).toContainText('Start the conversation before selecting a persona.');
  await expect(dialog).toContainText('You are called Wren.');
  await expect(dialog.getByRole('radio')).toHaveCount(0);
});

test('a user selects, changes and clears the persona of a conversation and sets a default persona @all', async ({
  page,
}) => {
  const { messages, say, character } = await chat(page);
  const { dialog, open } = await waitingPersona(page);
  await expect(dialog.getByRole('radio')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await say('Hello [[scenario:tokens n=2 ms=1]]');
  await expect(messages.last()).toContainText('w1');
  await open();
  await expect(dialog.getByRole('link', { name: 'Write a persona' })).toHaveAttribute('href', PAGE);
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');

  for (const name of ['Wren', 'Ash']) {
    await page.request.post('/api/personas', { data: { name, description: `${name} sails.` } });
  }
  await open();
  const row = (name: string) => dialog.getByRole('radio', { name });
  await expect(row('No persona')).toBeChecked();
  await expect(row('No persona')).toHaveAccessibleDescription('You are called Stranger.');
  await expect(row('Wren')).toHaveAccessibleDescription('Wren sails.');
  expect(await violations(page)).toEqual([]);
  await row('Ash').check();
  await dialog.getByRole('switch', { name: 'Begin new conversations as Ash' }).click();
  await expect(dialog.getByRole('switch', { name: 'Begin new conversations as Ash' })).toBeChecked();
  await row('Wren').check();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.reload();
  await awake(page);
  await expect(messages.last()).toContainText('w1');
  await open();
  await expect(row('Wren')).toBeChecked();
  await expect(dialog.getByRole('switch')).not.toBeChecked();

  // A persona that could not be set is not shown as selected.
  await page.route('**/api/conversations/*/persona', (route) => route.abort());
  await row('Ash').click();
  await expect(dialog.getByRole('alert').getByText('Failed to set the persona.')).toBeVisible();
  await expect(row('Wren')).toBeChecked();
  await page.unroute('**/api/conversations/*/persona');
  await row('No persona').check();
  await expect(dialog.getByRole('switch')).toHaveCount(0);
  await page.keyboard.press('Escape');

  // A new conversation uses the default persona.
  const created = await page.request.post('/api/conversations', { data: { character_id: character.id } });
  expect((await created.json()).conversation.persona).toMatchObject({ name: 'Ash' });

  // A selected persona that was deleted is marked as deleted.
  await open();
  const set = page.waitForResponse('**/api/conversations/*/persona');
  await row('Wren').check();
  await set;
  await page.keyboard.press('Escape');
  const { items } = (await (await page.request.get('/api/personas')).json()) as { items: Persona[] };
  const wren = items.find(({ name }) => name === 'Wren')?.id ?? '';
  await page.request.delete(`/api/personas/${wren}`);
  await open();
  await expect(row('Wren')).toBeChecked();
  await expect(row('Wren')).toHaveAccessibleDescription(/^You deleted this persona\./);
});
