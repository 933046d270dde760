import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { STORAGE } from '../../../../src/features/storage/limits.ts';
import {
  describeStorage,
  describeUse,
  estimateConversationBytes,
  getStorageLimit,
  shouldReportSize,
  type StorageTotals,
} from '../../../../src/features/storage/storage.ts';

const bytes = fc.nat({ max: 1e9 });
const totals: fc.Arbitrary<StorageTotals> = fc.record({
  conversations: fc.nat({ max: 10_000 }),
  conversationBytes: bytes,
  trashBytes: bytes,
  searchBytes: bytes,
  pictureBytes: bytes,
  characterBytes: bytes,
});
const GUEST = { is_anonymous: true, plan: 'free' } as const;
const ACCOUNT = { is_anonymous: false, plan: 'free' } as const;
const MEMBER = { is_anonymous: false, plan: 'storyteller' } as const;

describe('The bound of storage', () => {
  test('the bound is 20 MB and 200 conversations for guests, 500 MB for accounts and 5 GB for members', () => {
    expect(getStorageLimit(GUEST)).toMatchObject({ bytes: 20e6, conversations: 200 });
    expect(getStorageLimit(ACCOUNT)).toEqual({ bytes: 500e6, conversations: null, startBytes: null });
    expect(getStorageLimit(MEMBER)).toEqual({ bytes: 5e9, conversations: null, startBytes: null });
  });

  test('the bound keeps a guest below 25 MB in every way that is refused', () => {
    const { bytes: imports, startBytes } = getStorageLimit(GUEST);
    expect(imports * STORAGE.maxOverrun).toBeLessThan(25e6);
    expect((startBytes ?? 0) + STORAGE.emptyConversationBytes).toBeLessThan(25e6);
  });
});

describe('What takes the room', () => {
  test('the kinds add up to what is used, largest first', () => {
    fc.assert(
      fc.property(totals, (stored) => {
        const { used_bytes: used, kinds } = describeUse(stored, getStorageLimit(ACCOUNT));
        const sizes = kinds.map(({ bytes: size }) => size);
        const { conversations: _, ...sums } = stored;
        expect(used).toBe(Object.values(sums).reduce((sum, size) => sum + size, 0));
        expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(used);
        expect(sizes).toEqual(sizes.toSorted((one, other) => other - one));
        expect(new Set(kinds.map(({ kind }) => kind))).toEqual(
          new Set(['chats', 'characters', 'pictures', 'trash']),
        );
      }),
    );
  });

  test('the conversations of a guest are shown with their limit', () => {
    fc.assert(
      fc.property(totals, (stored) => {
        const { conversations } = describeStorage(stored, getStorageLimit(GUEST));
        expect(conversations).toEqual({ count: stored.conversations, limit: 200 });
      }),
    );
  });
});

test('a longer chat, or one with more versions, is never estimated smaller', () => {
  fc.assert(
    fc.property(
      bytes,
      fc.nat({ max: 60_000 }),
      bytes,
      fc.nat({ max: 60_000 }),
      (size, versions, more, others) => {
        const estimate = estimateConversationBytes({ bytes: size, versions });
        expect(estimate).toBeGreaterThanOrEqual(size + STORAGE.emptyConversationBytes);
        expect(
          estimateConversationBytes({ bytes: size + more, versions: versions + others }),
        ).toBeGreaterThanOrEqual(estimate);
      },
    ),
  );
});

test('a size is reported again once it has changed by 128 KiB in either direction', () => {
  const step = STORAGE.reportStepBytes;
  expect(step).toBe(131_072);
  for (const change of [0, 1 - step, step - 1]) expect(shouldReportSize(1e6 + change, 1e6)).toBe(false);
  for (const change of [-step, step]) expect(shouldReportSize(1e6 + change, 1e6)).toBe(true);
});
