import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEVICE_SESSION_KEY } from '../../../../src/islands/shared/device-storage.ts';
import { EMPTY_FIELDS } from '../../../../src/islands/character-form/form-rules.ts';
import { createSavedDrafts } from '../../../../src/islands/character-form/saved-drafts.ts';
import { clearUserStorage } from '../../../../src/islands/shared/user-storage.ts';
import { getLogoutLoss } from '../../../../src/layouts/scripts/session/profile.ts';
import { ANA } from '../../../support/session-users.ts';

const GUEST = { ...ANA, is_anonymous: true };

/** An in-memory storage of a device. */
function createDevice(): Storage {
  const items = new Map<string, string>();
  return {
    get length() {
      return items.size;
    },
    key: (index) => [...items.keys()][index] ?? null,
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
    clear: () => items.clear(),
  };
}

describe('Warning before logout', () => {
  test('logging out warns of an unpublished character until it is published or discarded', () => {
    const storage = createDevice();
    const drafts = createSavedDrafts(storage);
    const draft = {
      fields: { ...EMPTY_FIELDS, name: 'Wren' },
      from: EMPTY_FIELDS,
      importId: null,
      notes: [],
      draftId: 'd',
      tries: 0,
      attempt: null,
    };
    expect(getLogoutLoss(ANA, storage)).toBeNull();
    for (const id of [null, 'wren']) {
      drafts.write(ANA.id, id, draft);
      expect([id, getLogoutLoss(ANA, storage)]).toEqual([id, 'draft']);
      drafts.forget(ANA.id, id);
      expect([id, getLogoutLoss(ANA, storage)]).toEqual([id, null]);
    }
    drafts.write(ANA.id, null, draft);
    clearUserStorage(storage);
    expect(getLogoutLoss(ANA, storage)).toBeNull();
  });

  test('logging out warns of nothing else on the device, and guests always of their chats', () => {
    const storage = createDevice();
    storage.setItem('draft:some-chat', 'Hello');
    storage.setItem('hidden:me', '{}');
    storage.setItem('theme', 'dark');
    expect(getLogoutLoss(ANA, storage)).toBeNull();
    expect(getLogoutLoss(ANA, null)).toBeNull();
    expect(getLogoutLoss(GUEST, storage)).toBe('chats');
    expect(getLogoutLoss(GUEST, null)).toBe('chats');
  });
});

describe('Removing a user’s data', () => {
  test('every key goes except those of the device, unknown ones too', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1 })), (keys) => {
        const storage = createDevice();
        for (const key of keys) storage.setItem(`x${key}`, 'private');
        for (const key of [
          'draft:a',
          'draft:character:u1:new',
          'outbox:a',
          'character-version:a',
          'age-verified',
        ])
          storage.setItem(key, 'private');
        storage.setItem('theme', 'light');
        clearUserStorage(storage);
        const left = Array.from({ length: storage.length }, (_, index) => storage.key(index));
        expect(left).toEqual(['theme']);
      }),
    );
  });

  test('the record of the device session goes before any draft, so that other tabs write no draft back', () => {
    const storage = createDevice();
    const removed: string[] = [];
    for (const key of ['draft:a', DEVICE_SESSION_KEY, 'outbox:a']) storage.setItem(key, 'private');
    clearUserStorage({
      ...storage,
      get length() {
        return storage.length;
      },
      removeItem: (key: string) => {
        removed.push(key);
        storage.removeItem(key);
      },
    });
    expect(removed).toEqual([DEVICE_SESSION_KEY, 'draft:a', 'outbox:a']);
  });
});
