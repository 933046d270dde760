import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { check, VIOLATIONS } from '../../../../scripts/faults/check.mjs';
import { MUTATIONS, proveChecker } from '../../../../scripts/faults/mutations.mjs';
import { openStores } from '../../../../scripts/faults/stores.mjs';
import { createFaultStores } from '../../../support/fault-stores.ts';

const createStores = () => {
  const folder = mkdtempSync(join(tmpdir(), 'loreloom-faults-'));
  return { folder, ...createFaultStores(folder) };
};

function checkStores(folder: string, journal: unknown) {
  const stores = openStores(folder);
  try {
    return check(stores.read(), journal);
  } finally {
    stores.close();
  }
}

describe('Fault checker', () => {
  test('the checker finds no violation in intact stores', () => {
    const { folder, journal } = createStores();
    const found = checkStores(folder, journal);
    expect(found.violations).toEqual([]);
    expect(found.checks).toBeGreaterThan(60);
  });

  test('the checker reports every mutation and leaves the stores unchanged', () => {
    const { folder, journal } = createStores();
    expect(proveChecker(folder, journal)).toEqual({
      shown: MUTATIONS.length,
      named: MUTATIONS.length,
      missed: [],
      without: [],
    });
    expect(checkStores(folder, journal).violations).toEqual([]);
  });

  test('the checker has a mutation for every violation that it can report', () => {
    expect([...new Set(MUTATIONS.map(({ name }: { name: string }) => name))].toSorted()).toEqual(
      VIOLATIONS.toSorted(),
    );
  });

  test('the checker accepts another version if its message was regenerated or the last choice is unknown', () => {
    const { folder, journal } = createStores();
    const { actions, turns } = journal as {
      actions: { kind: string; path: string; body?: Record<string, string> }[];
      turns: { id: string; ended: number }[];
    };
    const select = actions.find(({ kind }) => kind === 'select');
    if (select?.body !== undefined) select.body.version_id = 'm3-v';
    expect(checkStores(folder, journal).counts).toEqual({ selection_lost: 1 });
    actions.push({ ...select, outcome: 'unknown', body: { version_id: 'm3-b' } } as never);
    expect(checkStores(folder, journal).counts).toEqual({});
    actions.pop();
    const turn = turns.find(({ id }) => id === 't3');
    if (turn !== undefined) turn.ended += 10;
    expect(checkStores(folder, journal).counts).toEqual({});
  });

  test.each([
    ['more than two seconds', 2350, { reply_shrunk: 1 }],
    ['the last two seconds', 2000, {}],
  ])('the checker judges a crash that took %s of a reply', (_, beforeMs, counts) => {
    const { folder, journal } = createStores();
    const { turns, crashes } = journal as {
      turns: { streams: { parts: { at: number }[] }[] }[];
      crashes: { at: number }[];
    };
    for (const part of turns[1]?.streams[0]?.parts ?? []) part.at = (crashes[0]?.at ?? 0) - beforeMs;
    expect(checkStores(folder, journal).counts).toEqual(counts);
  });

  test('the checker reports a lost conversation with every action that was confirmed in it', () => {
    const { folder, journal } = createStores();
    const stores = openStores(folder);
    stores.read().conversations[0]?.db.exec('delete from meta');
    stores.close();
    expect(checkStores(folder, journal).counts).toMatchObject({
      conversation_lost: 14,
      row_without_conversation: 1,
    });
  });

  test('the checker reports an edit that was confirmed and is not stored', () => {
    const { folder, journal } = createStores();
    const actions = journal.actions as { kind: string; body?: { content: string } }[];
    const edit = actions.find(({ kind }) => kind === 'edit');
    if (edit?.body !== undefined) edit.body.content = 'Another text';
    expect(checkStores(folder, journal).counts).toEqual({ edit_lost: 1 });
  });
});
