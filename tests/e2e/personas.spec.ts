import type { Page } from '@playwright/test';
import type { Persona } from '../../src/features/persona/contract.ts';
import { t } from '../support/texts.ts';
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
  const items = page.getByRole('region', { name: t('personas:listLabel') }).getByRole('listitem');
  await expect(items).toHaveCount(names.length);
  const form = page.getByRole('dialog', {
    name: new RegExp(`${t('personas:createTitle')}|${t('personas:editTitle')}`),
  });
  return {
    items,
    form,
    create: page.getByRole('button', { name: t('personas:create') }),
    name: form.getByRole('textbox', { name: t('personas:nameLabel') }),
    description: form.getByRole('textbox', { name: t('personas:descriptionLabel') }),
    save: form.getByRole('button', { name: t('personas:save') }),
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
  await expect(page.getByRole('heading', { level: 1, name: t('personas:title') })).toBeVisible();
  await expect(page.getByRole('main').getByText(t('shell:nav.beta'))).toBeVisible();
  await expect(page.getByRole('button', { name: t('personas:create') })).toBeHidden();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: t('personas:logInToCreate') }).click();
  await login.getByRole('button', { name: t('signin:continueAsGuest') }).click();
  await expect(login).toBeHidden();
  await expect(page.getByRole('heading', { name: t('personas:emptyTitle') })).toBeVisible();
  await expect(page.getByRole('button', { name: t('personas:logInToCreate') })).toBeHidden();
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
  await expect(form.getByText('Description is required')).toBeVisible();
  await expect(description).toBeFocused();
  await name.fill('n'.repeat(51));
  await expect(form.getByText(t('personas:textLength', { used: 51, limit: 50 }))).toHaveCSS(
    'color',
    'rgb(238, 130, 117)',
  );
  await expect(name).toHaveAccessibleDescription(
    new RegExp(t('errors:persona_name_too_long', { limit: 50 })),
  );
  await name.fill('  Wren ');
  await expect(form.getByText(t('personas:textLength', { used: 4, limit: 50 }))).toBeVisible();
  await name.press('Enter');
  await expect(description).toBeFocused();
  await description.fill('d'.repeat(1001));
  await expect(form.getByText(t('errors:persona_description_too_long', { limit: 1000 }))).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await description.fill('Maps coasts.\nHas never learned to swim.');
  await save.press('Enter');
  await expect(form).toBeHidden();
  await expect(toast(t('personas:created', { name: 'Wren' }))).toBeVisible();
  await expect(create).toBeFocused();
  await expect(items).toHaveCount(1);
  await expect(items.first()).toContainText('Has never learned to swim.');

  await page.getByRole('button', { name: t('personas:makeDefaultNamed', { name: 'Wren' }) }).press('Enter');
  await expect(items.first().getByText(t('personas:defaultBadge'), { exact: true })).toBeVisible();
  await page.getByRole('button', { name: t('personas:editNamed', { name: 'Wren' }) }).press('Enter');
  await expect(name).toHaveValue('Wren');
  await expect(form.getByRole('switch', { name: t('personas:defaultLabel') })).toBeChecked();
  await name.fill('Robin');
  await save.press('Enter');
  await expect(toast(t('personas:saved', { name: 'Robin' }))).toBeVisible();
  expect(await violations(page)).toEqual([]);

  const readPersonas = async () =>
    ((await (await page.request.get('/api/personas')).json()) as { items: Persona[] }).items;
  const [robin] = await readPersonas();
  await page.getByRole('button', { name: t('personas:deleteNamed', { name: 'Robin' }) }).press('Enter');
  await expect(page.getByRole('heading', { name: t('personas:emptyTitle') })).toBeVisible();
  await expect(page.getByRole('region', { name: t('personas:listLabel') })).toBeFocused();
  await page.getByRole('button', { name: t('personas:undo') }).press('Enter');
  await expect(toast(t('personas:restored', { name: 'Robin' }))).toBeVisible();
  await page.reload();
  await expect(items).toHaveCount(1);
  await expect(items.first()).toContainText('Robin');
  await expect(items.first().getByText(t('personas:defaultBadge'), { exact: true })).toBeVisible();
  expect(await readPersonas()).toEqual([robin]);

  // Leaving the page also completes the deletion.
  await page.getByRole('button', { name: t('personas:deleteNamed', { name: 'Robin' }) }).press('Enter');
  await expect(items).toHaveCount(0);
  await page.goto('/en/discover');
  await expect.poll(readPersonas).toEqual([]);

  // It stays in the trash, from which it can be restored.
  await page.goto(PAGE);
  await awake(page);
  await page.getByRole('button', { name: t('personas:trashTitle') }).press('Enter');
  const trash = page.getByRole('dialog', { name: t('personas:trashTitle') });
  await expect(trash.getByRole('listitem')).toContainText('Has never learned to swim.');
  expect(await violations(page)).toEqual([]);
  await trash.getByRole('button', { name: t('personas:restoreNamed', { name: 'Robin' }) }).press('Enter');
  await expect(trash.getByText(t('personas:restored', { name: 'Robin' }))).toBeVisible();
  await expect(trash.getByText(t('personas:trashEmpty'))).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(items).toHaveCount(1);
  await expect(items.first()).toContainText('Robin');
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
  const question = form.getByRole('group', { name: t('personas:unsavedTitle') });
  await expect(question.getByRole('button', { name: t('personas:unsavedKeepEditing') })).toBeFocused();
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
  await expect(form.getByRole('alert')).toHaveText(t('errors:persona_create_failed'));
  await expect(description).toHaveValue('Maps coasts.');
  await page.unroute('**/api/personas');
  await save.click();
  await expect(form).toBeHidden();
  await expect(items).toHaveCount(1);

  await page.getByRole('button', { name: t('personas:editNamed', { name: 'Wren' }) }).click();
  await name.fill('Somebody else');
  await form.getByRole('button', { name: t('personas:cancel') }).click();
  await question.getByRole('button', { name: t('personas:unsavedDiscard') }).click();
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
  await expect(form.getByRole('alert')).toContainText(t('errors:persona_limit_reached', { count: 5 }));
  await expect(form.getByRole('link', { name: t('personas:comparePlansLink') })).toHaveAttribute(
    'href',
    '/membership',
  );
  await expect(description).toHaveValue('Maps coasts.');
  expect(await violations(page)).toEqual([]);
  await form.getByRole('button', { name: t('personas:cancel') }).click();
  await form.getByRole('button', { name: t('personas:unsavedDiscard') }).click();
  await expect(items).toHaveCount(5);
  await expect(page.getByText(t('personas:countOfLimit', { count: 5, limit: 5 }))).toBeVisible();
  await create.click();
  await expect(form).toBeHidden();
  const note = page.getByText(t('personas:limitReachedFree', { limit: 500 }));
  await expect(note).toBeInViewport();
  const membership = page.getByRole('main').getByRole('link', { name: t('personas:comparePlansLink') });
  await expect(membership).toBeVisible();
  expect(await violations(page)).toEqual([]);
  // Simulate a site without sales (islands/shared/site.ts).
  await page.addInitScript(() => {
    const observer = new MutationObserver(() => document.documentElement.removeAttribute('data-memberships'));
    observer.observe(document, { childList: true, subtree: true });
  });
  await page.reload();
  const plain = page.getByText(t('personas:limitReachedPaid'));
  await expect(plain).toBeVisible();
  await expect(membership).toHaveCount(0);
  await page.getByRole('button', { name: t('personas:deleteNamed', { name: 'Ash' }) }).click();
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
  const failure = page.getByRole('alert').filter({ hasText: t('errors:persona_load_failed') });
  await expect(failure).toContainText(t('personas:loadFailedNote'));
  expect(await violations(page)).toEqual([]);
  await page.unroute('**/api/personas?*');
  await failure.getByRole('button', { name: t('personas:tryAgain') }).click();
  await expect(page.getByRole('heading', { name: 'Wren' })).toBeVisible();
  await goOffline(page);
  await expect(page.getByText(t('personas:offline'))).toBeVisible();
  await page.getByRole('button', { name: t('personas:deleteNamed', { name: 'Wren' }) }).click();
  await expect(page.getByText('Network error. Please check your connection.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Wren' })).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText(t('personas:offline'))).toBeHidden();
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
  const dialog = page.getByRole('dialog', { name: t('chat:persona') });
  const openPersonaDialog = async (conversationId: string) => {
    await page.goto(`/character/${character.id}?conversation_id=${conversationId}`);
    await awake(page);
    await page.getByRole('button', { name: t('chat:chatMenu') }).click();
    await page.getByRole('menuitem', { name: t('chat:persona') }).click();
  };
  const persona = await page.request.post('/api/personas', {
    data: { name: 'Wren', description: 'Maps coasts.' },
  });
  await openPersonaDialog((await imported.json()).conversation.id);
  await expect(dialog.getByRole('radio', { name: t('chat:personaNone') })).toHaveAccessibleDescription(
    t('chat:personaNoneNote', { name: 'Ann' }),
  );
  await dialog.getByRole('radio', { name: 'Wren' }).check();
  await expect(dialog.getByRole('radio', { name: t('chat:personaNone') })).toHaveAccessibleDescription(
    t('chat:personaNoneNote', { name: 'Ann' }),
  );
  const created = await page.request.post('/api/conversations', {
    data: { character_id: character.id, persona_id: (await persona.json()).id },
  });
  await openPersonaDialog((await created.json()).conversation.id);
  await expect(dialog).toContainText('Start the conversation before selecting a persona.');
  await expect(dialog).toContainText(t('chat:personaNoneNote', { name: 'Wren' }));
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
  await expect(dialog.getByRole('link', { name: t('chat:personaCreate') })).toHaveAttribute('href', PAGE);
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');

  for (const name of ['Wren', 'Ash']) {
    await page.request.post('/api/personas', { data: { name, description: `${name} sails.` } });
  }
  await open();
  const row = (name: string) => dialog.getByRole('radio', { name });
  await expect(row(t('chat:personaNone'))).toBeChecked();
  await expect(row(t('chat:personaNone'))).toHaveAccessibleDescription(
    t('chat:personaNoneNote', { name: t('chat:defaultName') }),
  );
  await expect(row('Wren')).toHaveAccessibleDescription('Wren sails.');
  expect(await violations(page)).toEqual([]);
  await row('Ash').check();
  await dialog.getByRole('switch', { name: t('chat:personaMakeDefault', { name: 'Ash' }) }).click();
  await expect(
    dialog.getByRole('switch', { name: t('chat:personaMakeDefault', { name: 'Ash' }) }),
  ).toBeChecked();
  await row('Wren').check();
  await dialog.getByRole('button', { name: t('chat:done') }).click();
  await page.reload();
  await awake(page);
  await expect(messages.last()).toContainText('w1');
  await open();
  await expect(row('Wren')).toBeChecked();
  await expect(dialog.getByRole('switch')).not.toBeChecked();

  // A persona that could not be set is not shown as selected.
  await page.route('**/api/conversations/*/persona', (route) => route.abort());
  await row('Ash').click();
  await expect(dialog.getByRole('alert').getByText(t('errors:persona_set_failed'))).toBeVisible();
  await expect(row('Wren')).toBeChecked();
  await page.unroute('**/api/conversations/*/persona');
  await row(t('chat:personaNone')).check();
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
  await expect(row('Wren')).toHaveAccessibleDescription(new RegExp(`^${t('chat:personaDeletedNote')}`));
});
