import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { check } from '../../scripts/faults/check.mjs';
import { MUTATIONS, proveChecker } from '../../scripts/faults/mutations.mjs';
import { openStores } from '../../scripts/faults/stores.mjs';
import { faultsStores } from '../support/faults-stores.ts';

const made = () => {
  const folder = mkdtempSync(join(tmpdir(), 'loreloom-faults-'));
  return { folder, ...faultsStores(folder) };
};

function checked(folder: string, journal: unknown) {
  const stores = openStores(folder);
  try {
    return check(stores.read(), journal);
  } finally {
    stores.close();
  }
}

describe('The checker of what crashes leave', () => {
  test('finds nothing wrong with stores that are whole', () => {
    const { folder, journal } = made();
    const found = checked(folder, journal);
    expect(found.violations).toEqual([]);
    expect(found.checks).toBeGreaterThan(60);
  });

  test('names every way in which they can be spoilt, and leaves them as they were', () => {
    const { folder, journal } = made();
    expect(proveChecker(folder, journal)).toEqual({
      shown: MUTATIONS.length,
      named: MUTATIONS.length,
      missed: [],
      without: [],
    });
    expect(checked(folder, journal).violations).toEqual([]);
  });

  test.each([
    ['told a second and a half before the crash is a loss', 1600, { reply_shrunk: 1 }],
    ['told in the last second is none', 900, {}],
  ])('knows the last second of a reply: what was %s', (_, beforeMs, counts) => {
    const { folder, journal } = made();
    const { turns, deaths } = journal as {
      turns: { streams: { parts: { at: number }[] }[] }[];
      deaths: { at: number }[];
    };
    for (const part of turns[1]?.streams[0]?.parts ?? []) part.at = (deaths[0]?.at ?? 0) - beforeMs;
    expect(checked(folder, journal).counts).toEqual(counts);
  });

  test('says of a conversation that is gone with all that was accepted in it', () => {
    const { folder, journal } = made();
    const stores = openStores(folder);
    stores.read().conversations[0]?.db.exec('delete from meta');
    stores.close();
    expect(checked(folder, journal).counts).toMatchObject({
      conversation_lost: 7,
      row_without_conversation: 1,
    });
  });

  test('holds a client’s word against the stores: an edit that was confirmed and is not there', () => {
    const { folder, journal } = made();
    const acts = journal.acts as { act: string; body?: { content: string } }[];
    const edit = acts.find(({ act }) => act === 'edit');
    if (edit?.body !== undefined) edit.body.content = 'Another text';
    expect(checked(folder, journal).counts).toEqual({ edit_lost: 1 });
  });
});
