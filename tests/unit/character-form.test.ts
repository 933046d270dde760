import { describe, expect, test, vi } from 'vitest';
import { createPublishCostStore } from '../../src/islands/character-form/cost-state.ts';
import { SAVE_DELAY_MS } from '../../src/islands/character-form/form-state.ts';
import { EMPTY_FIELDS } from '../../src/islands/character-form/form-rules.ts';
import { NETWORK_FAILURE } from '../../src/islands/shared/api.ts';
import { queueFlashToast, dequeueFlashToast } from '../../src/islands/shared/flash-toast.ts';
import { AVATAR, CARD, CARD_EXTRAS, WREN } from '../support/form-fields.ts';
import { createDeviceStorage, createFormPage, createFormFailure } from '../support/form-fixture.ts';

describe('What I write into the form', () => {
  test('is there again after the page was lost, for me and for nobody else, until I publish it', async () => {
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

  test('is kept no more often than three times a second, and the last of it whenever I go', async () => {
    const { form, storage, pass } = createFormPage();
    const { kept } = storage;
    const written = () => [...kept.values()].join();
    await form.open('ana', null);
    form.write({ name: 'W' });
    pass(SAVE_DELAY_MS - 1);
    form.write({ name: 'Wr' });
    expect(kept.size).toBe(0);
    // Whoever goes on writing is not waited for.
    pass(1);
    expect(written()).toContain('"Wr"');
    form.write({ name: 'Wre' });
    expect(written()).not.toContain('"Wre"');
    form.saveDraftNow();
    expect(written()).toContain('"Wre"');
    form.write({ name: 'Wren' });
    form.close();
    expect(written()).toContain('"Wren"');
    // Logged out since: nothing of it comes back.
    kept.clear();
    pass(SAVE_DELAY_MS);
    form.saveDraftNow();
    expect(kept.size).toBe(0);
  });

  test('stays whose it is when somebody else opens the form a moment later', async () => {
    const { form, storage, pass } = createFormPage();
    await form.open('ana', null);
    form.write(WREN);
    await form.open('ben', null);
    pass(SAVE_DELAY_MS);
    expect([...storage.kept.keys()]).toEqual(['draft:character:ana:new']);
  });

  test('is let go of by «discard», which can be undone', async () => {
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

  test('is not replaced for good by a card: undone, it is there as it was', async () => {
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

  test('survives a device that keeps nothing, and one that keeps nonsense', async () => {
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

  test('is told when its picture was cleared away meanwhile, and only then', async () => {
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

describe('Publishing a character', () => {
  test('tells first what is wrong, and sends nothing', async () => {
    const { form, now, server } = createFormPage();
    await form.open('ana', null);
    expect(await form.save()).toBeNull();
    expect(now()).toMatchObject({ isSubmitted: true, busy: false });
    expect(server.calls).toEqual([]);
  });

  test('pressed twice makes one', async () => {
    const { form, server } = createFormPage();
    await form.open('ana', null);
    form.write(WREN);
    await Promise.all([form.save(), form.save()]);
    expect(server.made.size).toBe(1);
    expect(server.calls).toHaveLength(1);
  });

  test('again, when no answer came, makes the same one, also after a reload', async () => {
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

  test('again with another text, when no answer came, changes the one that was made', async () => {
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

  test('refused, is tried anew with what is written by then', async () => {
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

  test('goes on after I have logged in again as the same person', async () => {
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

  test('whose latest words could not be saved becomes a change of the one that is there', async () => {
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

describe('Changing a character', () => {
  async function editing() {
    const world = createFormPage();
    await world.form.open('ana', null);
    world.form.write(WREN);
    await world.form.save();
    await world.form.open('ana', 'c1');
    return world;
  }

  test('sends what I changed, and then there is nothing to lose', async () => {
    const { form, now, server, storage } = await editing();
    expect(form.isUnsaved()).toBe(false);
    form.write({ oneliner: 'Better.' });
    expect(form.isUnsaved()).toBe(true);
    expect(await form.save()).toMatchObject({ oneliner: 'Better.' });
    expect(server.calls.at(-1)).toBe('change oneliner');
    expect(now().busy).toBe(false);
    expect(form.isUnsaved()).toBe(false);
    expect(storage.kept.size).toBe(0);
  });

  test('keeps what I write while it is being saved', async () => {
    const { form, now, server, storage } = await editing();
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

  test('keeps what I wrote when it could not be saved', async () => {
    const { form, now, server, storage } = await editing();
    form.write({ oneliner: 'Better.' });
    server.next = [NETWORK_FAILURE];
    expect(await form.save()).toBeNull();
    expect(now()).toMatchObject({ fields: { oneliner: 'Better.' }, trouble: { what: 'update' } });
    expect(storage.kept.size).toBe(1);
  });

  test('that is not there says so', async () => {
    const { form, now, server } = createFormPage();
    server.next = [createFormFailure(404, 'not_found')];
    await form.open('ana', 'c9');
    expect(now().status).toBe('missing');
    server.next = [NETWORK_FAILURE];
    await form.open('ana', 'c9');
    expect(now().status).toBe('failed');
  });
});

describe('What publishing costs', () => {
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

  test('is told beside what I have, also when that is too little', async () => {
    const cost = good({ success: false, error: 'No.', points_required: 7 });
    const { $cost, load } = createPublishCostStore({ mayCreate: may, cost, points: good(points) });
    expect($cost.get()).toMatchObject({ status: 'loading', enough: true });
    await load();
    expect($cost.get()).toEqual({ status: 'ready', required: 7, points, enough: false, refusal: null });
  });

  test('can be asked again when it could not be looked up', async () => {
    const { $cost, load } = createPublishCostStore({
      mayCreate: may,
      cost: async () => NETWORK_FAILURE,
      points: good(points),
    });
    await load();
    expect($cost.get()).toMatchObject({ status: 'failed', refusal: null });
  });

  test('does not matter to whom may create none: they are told so in the server’s words', async () => {
    const cost = good({ success: true, error: null, points_required: 5 });
    const refused = good({ success: false, error_message: 'Not now.' });
    const { $cost, load } = createPublishCostStore({ mayCreate: refused, cost, points: good(points) });
    await load();
    expect($cost.get().refusal).toBe('Not now.');
  });
});

test('What was done on one page is told on the next, once', () => {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  vi.stubGlobal('sessionStorage', storage);
  queueFlashToast('Wren is here.');
  expect([dequeueFlashToast(), dequeueFlashToast()]).toEqual(['Wren is here.', null]);
  vi.unstubAllGlobals();
  expect(() => queueFlashToast('Lost.')).not.toThrow();
  expect(dequeueFlashToast()).toBeNull();
});
