import { describe, expect, test } from 'vitest';
import { EMPTY } from '../../src/islands/character-form/form-rules.ts';
import { createKeptDrafts } from '../../src/islands/character-form/saved-drafts.ts';
import { forgetWritings } from '../../src/islands/shared/user-storage.ts';
import { lostByLeaving } from '../../src/layouts/scripts/account.ts';
import { ANA } from '../support/people.ts';

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
    const drafts = createKeptDrafts(storage);
    const draft = {
      fields: { ...EMPTY, name: 'Wren' },
      from: EMPTY,
      importId: null,
      notes: [],
      draftId: 'd',
      tries: 0,
      attempt: null,
    };
    expect(lostByLeaving(ANA, storage)).toBeNull();
    for (const id of [null, 'wren']) {
      drafts.write(ANA.id, id, draft);
      expect([id, lostByLeaving(ANA, storage)]).toEqual([id, 'draft']);
      drafts.forget(ANA.id, id);
      expect([id, lostByLeaving(ANA, storage)]).toEqual([id, null]);
    }
    drafts.write(ANA.id, null, draft);
    forgetWritings(storage);
    expect(lostByLeaving(ANA, storage)).toBeNull();
  });

  test('I am asked about nothing else that the device keeps, and as a guest always about my chats', () => {
    const storage = device();
    storage.setItem('draft:some-chat', 'Hello');
    storage.setItem('hidden:me', '{}');
    storage.setItem('theme', 'dark');
    expect(lostByLeaving(ANA, storage)).toBeNull();
    expect(lostByLeaving(ANA, null)).toBeNull();
    expect(lostByLeaving(GUEST, storage)).toBe('chats');
    expect(lostByLeaving(GUEST, null)).toBe('chats');
  });
});
