import { describe, expect, test } from 'vitest';
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
