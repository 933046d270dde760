import { describe, expect, test } from 'vitest';
import { EMPTY_FIELDS } from '../../src/islands/character-form/form-rules.ts';
import { createSavedDrafts } from '../../src/islands/character-form/saved-drafts.ts';
import { clearUserStorage } from '../../src/islands/shared/user-storage.ts';
import { getLogoutLoss } from '../../src/layouts/scripts/account.ts';
import { ANA } from '../support/session-users.ts';

const GUEST = { ...ANA, is_anonymous: true };

/** A device that keeps what is laid on it. */
function device(): Storage {
  const kept = new Map<string, string>();
  return {
    get length() {
      return kept.size;
    },
    key: (index) => [...kept.keys()][index] ?? null,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
    clear: () => kept.clear(),
  };
}

describe('Before I log out', () => {
  test('I am asked about a character that I am writing, and not any more once it is published or discarded', () => {
    const storage = device();
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

  test('I am asked about nothing else that the device keeps, and as a guest always about my chats', () => {
    const storage = device();
    storage.setItem('draft:some-chat', 'Hello');
    storage.setItem('hidden:me', '{}');
    storage.setItem('theme', 'dark');
    expect(getLogoutLoss(ANA, storage)).toBeNull();
    expect(getLogoutLoss(ANA, null)).toBeNull();
    expect(getLogoutLoss(GUEST, storage)).toBe('chats');
    expect(getLogoutLoss(GUEST, null)).toBe('chats');
  });
});
