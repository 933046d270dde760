import { describe, expect, test, vi } from 'vitest';
import { createPublishCostStore } from '../../../../src/islands/character-form/cost-state.ts';
import { SAVE_DELAY_MS } from '../../../../src/islands/character-form/form-state.ts';
import { EMPTY_FIELDS } from '../../../../src/islands/character-form/form-rules.ts';
import { NETWORK_FAILURE } from '../../../../src/islands/shared/api.ts';
import { queueFlashToast, dequeueFlashToast } from '../../../../src/islands/shared/flash-toast.ts';
import { AVATAR, CARD, CARD_EXTRAS, WREN } from '../../../support/form-fields.ts';
import { createDeviceStorage, createFormPage, createFormFailure } from '../../../support/form-fixture.ts';

describe('Form draft', () => {
  test('a draft is restored only for its author and removed after publishing', async () => {
    const storage = createDeviceStorage();
    const first = createFormPage(storage);
    await first.form.open('ana', null);
    first.form.write(WREN);
    first.form.saveDraftNow();
    const second = createFormPage(storage);
    await second.form.open('ben', null);
    expect(second.now()).toMatchObject({ fields: EMPTY_FIELDS, isRestored: false });
    await second.form.open('ana', null);
    expect(second.now()).toMatchObject({ fields: WREN, isRestored: true });
    expect(second.form.isUnsaved()).toBe(true);
    expect(await second.form.save()).toMatchObject({ name: 'Wren' });
    expect(second.form.isUnsaved()).toBe(false);
    expect(storage.kept.size).toBe(0);
  });

  test('a draft is saved at most three times a second, and once more on leaving', async () => {
    const { form, storage, pass } = createFormPage();
    const { kept: drafts } = storage;
    const written = () => [...drafts.values()].join();
    await form.open('ana', null);
    form.write({ name: 'W' });
    pass(SAVE_DELAY_MS - 1);
    form.write({ name: 'Wr' });
    expect(drafts.size).toBe(0);
    // The delay runs from the first change, even while the user continues to write.
    pass(1);
    expect(written()).toContain('"Wr"');
    form.write({ name: 'Wre' });
    expect(written()).not.toContain('"Wre"');
    form.saveDraftNow();
    expect(written()).toContain('"Wre"');
    form.write({ name: 'Wren' });
    form.close();
    expect(written()).toContain('"Wren"');
    // After logging out nothing of the draft may be saved again.
    drafts.clear();
    pass(SAVE_DELAY_MS);
    form.saveDraftNow();
    expect(drafts.size).toBe(0);
  });

  test('a draft stays with its author when another user opens the form', async () => {
    const { form, storage, pass } = createFormPage();
    await form.open('ana', null);
    form.write(WREN);
    await form.open('ben', null);
    pass(SAVE_DELAY_MS);
    expect([...storage.kept.keys()]).toEqual(['draft:character:ana:new']);
  });

  test('discarding a draft can be undone', async () => {
    const { form, now, storage } = createFormPage();
    await form.open('ana', null);
    form.write(WREN);
    const undo = form.discard();
    expect(now().fields).toEqual(EMPTY_FIELDS);
    expect(storage.kept.size).toBe(0);
    undo();
    expect(now().fields).toEqual(WREN);
    expect(storage.kept.size).toBe(1);
  });

  test('importing a card can be undone', async () => {
    const { form, now } = createFormPage();
    await form.open('ana', null);
    form.write(WREN);
    const undo = form.importCard({
      draft: CARD,
      extras: CARD_EXTRAS,
      notes: [{ code: 'cut', field: 'character_traits', from: 3000, to: 1000, sentence: '' }],
      import_id: 'i1',
    });
    expect(now()).toMatchObject({ fields: { name: 'Robin' }, importId: 'i1', notes: [{ code: 'cut' }] });
    undo();
    expect(now()).toMatchObject({ fields: WREN, importId: null, notes: [] });
  });

  test('the form works without device storage and ignores malformed drafts', async () => {
    const closed = {
      kept: new Map<string, string>(),
      getItem: () => {
        throw new Error('closed');
      },
      setItem: () => {
        throw new Error('full');
      },
      removeItem: () => {
        throw new Error('closed');
      },
    };
    const { form, now } = createFormPage(closed as never);
    await form.open('ana', null);
    form.write({ name: 'Wren' });
    expect(now().fields.name).toBe('Wren');
    for (const text of ['{', 'null', '7', '{"fields":{"name":7,"tags":"x","alternate_greetings":[1]}}']) {
      const storage = createDeviceStorage();
      storage.kept.set('draft:character:ana:new', text);
      const torn = createFormPage(storage);
      await torn.form.open('ana', null);
      expect(torn.now().fields).toEqual(EMPTY_FIELDS);
    }
  });

  test('a draft shows that its uploaded picture was deleted, and only then', async () => {
    const { form, now, server } = createFormPage();
    await form.open('ana', null);
    form.write(WREN);
    await form.handlePictureError();
    expect(now()).toMatchObject({ fields: { avatar: AVATAR }, pictureLost: false });
    server.gone = true;
    await form.handlePictureError();
    expect(now()).toMatchObject({ fields: { avatar: null }, pictureLost: true });
  });
});

describe('Publishing', () => {
  test('publishing an incomplete form shows its errors and sends nothing', async () => {
    const { form, now, server } = createFormPage();
    await form.open('ana', null);
    expect(await form.save()).toBeNull();
    expect(now()).toMatchObject({ isSubmitted: true, busy: false });
    expect(server.calls).toEqual([]);
  });

  test('pressing publish twice makes one character', async () => {
    const { form, server } = createFormPage();
    await form.open('ana', null);
    form.write(WREN);
    await Promise.all([form.save(), form.save()]);
    expect(server.made.size).toBe(1);
    expect(server.calls).toHaveLength(1);
  });

  test('publishing again after a lost answer makes the same character, also after a reload', async () => {
    const storage = createDeviceStorage();
    const { form, now, server } = createFormPage(storage);
    await form.open('ana', null);
    form.write(WREN);
    server.next = ['lost'];
    expect(await form.save()).toBeNull();
    expect(now().trouble).toMatchObject({ what: 'create', failure: { code: 'network' } });
    const after = createFormPage(storage, server);
    await after.form.open('ana', null);
    expect(await after.form.save()).toMatchObject({ id: 'c1' });
    expect(server.made.size).toBe(1);
    expect(new Set(server.calls).size).toBe(1);
  });

  test('publishing changed text after a lost answer updates the character that was made', async () => {
    const { form, server } = createFormPage();
    await form.open('ana', null);
    form.write(WREN);
    server.next = ['lost'];
    await form.save();
    form.write({ name: 'Robin' });
    expect(await form.save()).toMatchObject({ id: 'c1', name: 'Robin' });
    expect(server.made.size).toBe(1);
    expect(server.calls.at(-1)).toBe('change name');
  });

  test('a refused character is published again with a new key', async () => {
    const { form, now, server } = createFormPage();
    await form.open('ana', null);
    form.write(WREN);
    server.next = [createFormFailure(400, 'invalid_input', { oneliner: ['No.'] })];
    await form.save();
    expect(now().refused).toEqual(['oneliner']);
    form.write({ oneliner: 'Better.' });
    expect(now()).toMatchObject({ refused: [], trouble: null });
    expect(await form.save()).toMatchObject({ oneliner: 'Better.' });
    const keys = server.calls.map((call) => call.split(' ')[1]);
    expect(new Set(keys).size).toBe(2);
    expect(server.made.size).toBe(1);
  });

  test('publishing continues after logging in as the same user, and not as another', async () => {
    const { form, now, server } = createFormPage();
    await form.open('ana', null);
    form.write(WREN);
    server.next = [createFormFailure(401, 'unauthenticated')];
    server.signsInAs = 'ben';
    expect(await form.save()).toBeNull();
    expect(now().trouble).toMatchObject({ failure: { code: 'other_account' } });
    server.next = [createFormFailure(401, 'unauthenticated')];
    server.signsInAs = 'ana';
    expect(await form.save()).toMatchObject({ name: 'Wren' });
    expect(server.made.size).toBe(1);
  });

  test('text that could not be saved after publishing is saved as a change of the character', async () => {
    const { form, now, server } = createFormPage();
    await form.open('ana', null);
    form.write(WREN);
    server.next = ['lost'];
    await form.save();
    form.write({ name: 'Robin' });
    server.next = [];
    const { change } = server.api;
    server.api.change = async () => NETWORK_FAILURE;
    expect(await form.save()).toBeNull();
    expect(now()).toMatchObject({
      id: 'c1',
      trouble: { what: 'created_not_changed' },
      fields: { name: 'Robin' },
    });
    expect(server.became).toEqual(['c1']);
    server.api.change = change;
    expect(await form.save()).toMatchObject({ id: 'c1', name: 'Robin' });
    expect(server.made.size).toBe(1);
  });
});

describe('Editing', () => {
  async function openEditor() {
    const page = createFormPage();
    await page.form.open('ana', null);
    page.form.write(WREN);
    await page.form.save();
    await page.form.open('ana', 'c1');
    return page;
  }

  test('saving sends only the changed fields and leaves nothing unsaved', async () => {
    const { form, now, server, storage } = await openEditor();
    expect(form.isUnsaved()).toBe(false);
    form.write({ oneliner: 'Better.' });
    expect(form.isUnsaved()).toBe(true);
    expect(await form.save()).toMatchObject({ oneliner: 'Better.' });
    expect(server.calls.at(-1)).toBe('change oneliner');
    expect(now().busy).toBe(false);
    expect(form.isUnsaved()).toBe(false);
    expect(storage.kept.size).toBe(0);
  });

  test('text written during saving is kept as unsaved', async () => {
    const { form, now, server, storage } = await openEditor();
    form.write({ oneliner: 'Better.' });
    const saving = form.save();
    form.write({ name: 'Robin' });
    expect(await saving).toMatchObject({ oneliner: 'Better.', name: 'Wren' });
    expect(now().fields).toMatchObject({ oneliner: 'Better.', name: 'Robin' });
    expect(form.isUnsaved()).toBe(true);
    expect(storage.kept.size).toBe(1);
    expect(await form.save()).toMatchObject({ name: 'Robin' });
    expect(server.calls.at(-1)).toBe('change name');
  });

  test('text that could not be saved is kept', async () => {
    const { form, now, server, storage } = await openEditor();
    form.write({ oneliner: 'Better.' });
    server.next = [NETWORK_FAILURE];
    expect(await form.save()).toBeNull();
    expect(now()).toMatchObject({ fields: { oneliner: 'Better.' }, trouble: { what: 'update' } });
    expect(storage.kept.size).toBe(1);
  });

  test('a missing character and a failed request are shown differently', async () => {
    const { form, now, server } = createFormPage();
    server.next = [createFormFailure(404, 'not_found')];
    await form.open('ana', 'c9');
    expect(now().status).toBe('missing');
    server.next = [NETWORK_FAILURE];
    await form.open('ana', 'c9');
    expect(now().status).toBe('failed');
  });
});

describe('Publishing costs', () => {
  const points = {
    current_points: 3,
    permanent_points: 1,
    daily_messages_used: 0,
    daily_message_limit: 100,
    refills_at: '2026-01-01T08:00:00.000Z',
    daily_resets_at: '2026-01-02T00:00:00.000Z',
    message_cost: 1,
    character_cost: 5,
    refill_to: 50,
    refill_hours: 8,
    unlimited: false,
    time_zone: null,
  };
  const good =
    <T>(data: T) =>
    async () =>
      ({ ok: true, data }) as const;
  const may = good({ success: true, error_message: null });

  test('the cost is shown with the user’s points, also when they are too few', async () => {
    const cost = good({ success: false, error: 'No.', points_required: 7 });
    const { $cost, load } = createPublishCostStore({ mayCreate: may, cost, points: good(points) });
    expect($cost.get()).toMatchObject({ status: 'loading', enough: true });
    await load();
    expect($cost.get()).toEqual({ status: 'ready', required: 7, points, enough: false, refusal: null });
  });

  test('the cost can be loaded again after a failure', async () => {
    const { $cost, load } = createPublishCostStore({
      mayCreate: may,
      cost: async () => NETWORK_FAILURE,
      points: good(points),
    });
    await load();
    expect($cost.get()).toMatchObject({ status: 'failed', refusal: null });
  });

  test('a user who may not create characters sees the reason from the server', async () => {
    const cost = good({ success: true, error: null, points_required: 5 });
    const refused = good({ success: false, error_message: 'Not now.' });
    const { $cost, load } = createPublishCostStore({ mayCreate: refused, cost, points: good(points) });
    await load();
    expect($cost.get().refusal).toBe('Not now.');
  });
});

test('an exception while saving a character leaves the form usable and says that it was unexpected', async () => {
  const page = createFormPage();
  await page.form.open('u1', null);
  page.form.write(WREN);
  page.server.api.create = () => {
    throw new Error('broken');
  };
  await expect(page.form.save()).rejects.toThrow('broken');
  expect(page.now()).toMatchObject({
    busy: false,
    trouble: { what: 'create', failure: { code: 'unexpected_error' } },
  });
});

test('a flash toast is shown once on the next page', () => {
  const entries = new Map<string, string>();
  const storage = {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
  };
  vi.stubGlobal('sessionStorage', storage);
  queueFlashToast('Wren is here.');
  expect([dequeueFlashToast(), dequeueFlashToast()]).toEqual(['Wren is here.', null]);
  vi.unstubAllGlobals();
  expect(() => queueFlashToast('Lost.')).not.toThrow();
  expect(dequeueFlashToast()).toBeNull();
});
