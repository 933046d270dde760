import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { check, NAMES } from '../../scripts/faults/check.mjs';
import { MUTATIONS, proveChecker } from '../../scripts/faults/mutations.mjs';
import { openStores } from '../../scripts/faults/stores.mjs';
import { createFaultStores } from '../support/fault-stores.ts';

const made = () => {
  const folder = mkdtempSync(join(tmpdir(), 'loreloom-faults-'));
  return { folder, ...createFaultStores(folder) };
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

  test('can name nothing that no mutation provokes, and is provoked by none that it cannot name', () => {
    expect([...new Set(MUTATIONS.map(({ name }: { name: string }) => name))].toSorted()).toEqual(
      NAMES.toSorted(),
    );
  });

  test('lets a selection be, where its message was written anew meanwhile or nobody knows what was chosen last', () => {
    const { folder, journal } = made();
    const { acts, turns } = journal as {
      acts: { act: string; path: string; body?: Record<string, string> }[];
      turns: { id: string; ended: number }[];
    };
    const select = acts.find(({ act }) => act === 'select');
    if (select?.body !== undefined) select.body.version_id = 'm3-v';
    expect(checked(folder, journal).counts).toEqual({ selection_lost: 1 });
    acts.push({ ...select, outcome: 'unknown', body: { version_id: 'm3-b' } } as never);
    expect(checked(folder, journal).counts).toEqual({});
    acts.pop();
    const again = turns.find(({ id }) => id === 't3');
    if (again !== undefined) again.ended += 10;
    expect(checked(folder, journal).counts).toEqual({});
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
      conversation_lost: 14,
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
