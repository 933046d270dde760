import { describe, expect, test } from 'vitest';
import { SAVE_DELAY_MS } from '../../../../src/islands/character-form/form-state.ts';
import { WREN } from '../../../support/form-fields.ts';
import { createFormPage, createFormFailure, type createFormServer } from '../../../support/form-fixture.ts';

describe('Publishing from two tabs', () => {
  async function openTwoTabs() {
    const first = createFormPage();
    await first.form.open('ana', null);
    first.form.write(WREN);
    first.pass(SAVE_DELAY_MS);
    const second = createFormPage(first.storage, first.server);
    await second.form.open('ana', null);
    return { first, second, server: first.server, storage: first.storage };
  }
  const listKeys = ({ calls }: ReturnType<typeof createFormServer>) => [
    ...new Set(calls.filter((call) => call.startsWith('create')).map((call) => call.split(' ')[1])),
  ];

  test('publishing one draft from two tabs makes one character when the first answer was lost', async () => {
    const { first, second, server, storage } = await openTwoTabs();
    server.next = ['lost'];
    await first.form.save();
    second.form.write({ oneliner: 'Better.' });
    second.pass(SAVE_DELAY_MS);
    // The text written in the second tab belongs to the attempt of the first.
    const third = createFormPage(storage, server);
    await third.form.open('ana', null);
    expect(await third.form.save()).toMatchObject({ id: 'c1', oneliner: 'Better.' });
    expect(await second.form.save()).toMatchObject({ id: 'c1' });
    expect(await first.form.save()).toMatchObject({ id: 'c1' });
    expect([server.made.size, listKeys(server).length]).toEqual([1, 1]);
  });

  test('publishing in a second tab during the first request makes one character', async () => {
    const { first, second, server } = await openTwoTabs();
    const saving = first.form.save();
    second.form.write({ oneliner: 'Better.' });
    expect(await second.form.save()).toMatchObject({ id: 'c1', oneliner: 'Better.' });
    expect(await saving).toMatchObject({ id: 'c1' });
    expect(server.made.size).toBe(1);
  });

  test('a second tab that publishes other text of a published draft reports the reused key', async () => {
    const { first, second, server, storage } = await openTwoTabs();
    const third = createFormPage(storage, server);
    await third.form.open('ana', null);
    await first.form.save();
    expect(await second.form.save()).toMatchObject({ id: 'c1' });
    third.form.write({ oneliner: 'Better.' });
    expect(await third.form.save()).toBeNull();
    expect(third.now().trouble).toMatchObject({ failure: { code: 'idempotency_key_reused' } });
    expect(server.made.size).toBe(1);
    // After this notice, another press publishes a second character.
    expect(await third.form.save()).toMatchObject({ id: 'c2', oneliner: 'Better.' });
  });

  test('after a refusal, publishing another text from a second tab makes the only character', async () => {
    const { first, second, server } = await openTwoTabs();
    server.next = [createFormFailure(402, 'points_exhausted')];
    await first.form.save();
    second.form.write({ oneliner: 'Better.' });
    expect(await second.form.save()).toMatchObject({ id: 'c1', oneliner: 'Better.' });
    expect(server.calls).toHaveLength(2);
    expect(await first.form.save()).toBeNull();
    expect(first.now().trouble).toMatchObject({ failure: { code: 'idempotency_key_reused' } });
    expect(server.made.size).toBe(1);
  });

  test('a new draft in one of the tabs makes a second character', async () => {
    const { first, second, server, storage } = await openTwoTabs();
    server.next = ['lost'];
    await first.form.save();
    const saving = first.form.save();
    second.form.discard();
    second.form.write({ ...WREN, name: 'Robin' });
    second.pass(SAVE_DELAY_MS);
    expect(await saving).toMatchObject({ id: 'c1', name: 'Wren' });
    const third = createFormPage(storage, server);
    await third.form.open('ana', null);
    expect(third.now().fields).toMatchObject({ name: 'Robin' });
    expect(await second.form.save()).toMatchObject({ id: 'c2', name: 'Robin' });
    expect([server.made.size, storage.kept.size]).toEqual([2, 0]);
  });
});

test('a draft stored before drafts had an id is published only once', async () => {
  const { form, server, storage } = createFormPage();
  await form.open('ana', null);
  form.write(WREN);
  server.next = ['lost'];
  await form.save();
  const [[place, text]] = [...storage.kept] as [[string, string]];
  const { draftId, tries, ...older } = JSON.parse(text) as Record<string, unknown>;
  expect([typeof draftId, tries]).toEqual(['string', 0]);
  storage.kept.set(place, JSON.stringify(older));
  const after = createFormPage(storage, server);
  await after.form.open('ana', null);
  expect(await after.form.save()).toMatchObject({ id: 'c1' });
  expect(server.made.size).toBe(1);
});
