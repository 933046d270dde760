import { describe, expect, test } from 'vitest';
import type { NamedReplyStyle } from '../../../../../src/features/reply-style/contract.ts';
import { DEFAULT_REPLY_STYLE } from '../../../../../src/features/reply-style/reply-style.ts';
import {
  MAX_STYLE_FILE_BYTES,
  serializeStyleFile,
} from '../../../../../src/features/reply-style/style-file.ts';
import { createReplyStyles } from '../../../../../src/islands/chat/dialogs/reply-styles-state.ts';
import { type Failure, NETWORK_FAILURE, type Result } from '../../../../../src/islands/shared/api.ts';

const RAIN = { ...DEFAULT_REPLY_STYLE, author_note: 'It rains.' };
const CALM = { ...DEFAULT_REPLY_STYLE, liveliness: 'calm' } as const;
const INVALID: Failure = { ok: false, status: 400, code: 'invalid_input', error: '' };

/** A server that stores styles, or can fail. */
function createServer(...stored: NamedReplyStyle[]) {
  const server = { stored, failure: null as Failure | null };
  const answer = <T>(data: T): Result<T> => server.failure ?? { ok: true, data };
  let made = 0;
  const styles = createReplyStyles(
    {
      list: async () => answer({ items: server.stored, limit: 20 }),
      create: async (body) => {
        const style = { ...DEFAULT_REPLY_STYLE, ...body, id: `new${(made += 1)}` } as NamedReplyStyle;
        if (server.failure === null) server.stored = [...server.stored, style];
        return answer(style);
      },
      change: async (id, change) => {
        const before = server.stored.find((style) => style.id === id) as NamedReplyStyle;
        return answer({ ...before, ...change } as NamedReplyStyle);
      },
      remove: async (id) => {
        if (server.failure === null) server.stored = server.stored.filter((style) => style.id !== id);
        return answer(null);
      },
    },
    new Intl.Collator('en').compare,
  );
  const listNames = () => styles.$styles.get().items.map(({ name }) => name);
  return { server, styles, listNames };
}

const rain: NamedReplyStyle = { ...RAIN, id: 'r', name: 'Rain' };
const calm: NamedReplyStyle = { ...CALM, id: 'c', name: 'calm' };
const toFile = (text: string) => new File([text], 'x.style.json');

describe('Named styles next to the form', () => {
  test('the style with the conversation’s settings is chosen when the styles are loaded', async () => {
    const { styles, listNames } = createServer(rain, calm);
    await styles.load(RAIN);
    expect(styles.$styles.get()).toMatchObject({ phase: 'ready', chosenId: 'r', limit: 20 });
    expect(listNames()).toEqual(['calm', 'Rain']);
    await styles.load(DEFAULT_REPLY_STYLE);
    expect(styles.$styles.get().chosenId).toBeNull();
  });

  test('choosing a style fills the form, and choosing none brings back what was there', async () => {
    const { styles } = createServer(rain, calm);
    await styles.load(DEFAULT_REPLY_STYLE);
    const written = { ...DEFAULT_REPLY_STYLE, author_note: 'Unsaved.' };
    expect(styles.choose('r', written)).toEqual(RAIN);
    expect(styles.choose('c', RAIN)).toEqual(CALM);
    expect(styles.choose(null, CALM)).toEqual(written);
  });

  test('a style saved from the form is chosen, and can be renamed and changed', async () => {
    const { styles, listNames } = createServer(calm);
    await styles.load(RAIN);
    expect(await styles.saveAs('Rain', RAIN)).toBe(true);
    expect(styles.$styles.get()).toMatchObject({
      chosenId: 'new1',
      outcome: { kind: 'saved', name: 'Rain' },
    });
    expect(await styles.changeChosen({ name: 'A storm' })).toBe(true);
    expect(listNames()).toEqual(['A storm', 'calm']);
  });

  test('a deleted style can be restored', async () => {
    const { styles, listNames } = createServer(rain, calm);
    await styles.load(RAIN);
    await styles.deleteChosen();
    expect(listNames()).toEqual(['calm']);
    expect(styles.$styles.get()).toMatchObject({
      chosenId: null,
      outcome: { kind: 'deleted', name: 'Rain' },
    });
    await styles.restoreDeleted();
    expect(listNames()).toEqual(['calm', 'Rain']);
    expect(styles.$styles.get()).toMatchObject({ chosenId: 'new1', deleted: null });
  });

  test('a style that is gone already counts as deleted', async () => {
    const { styles, server, listNames } = createServer(rain);
    await styles.load(RAIN);
    server.failure = { ok: false, status: 404, code: 'not_found', error: '' };
    await styles.deleteChosen();
    expect(listNames()).toEqual([]);
  });

  test('a failed action changes nothing and says why', async () => {
    const { styles, server, listNames } = createServer(rain);
    await styles.load(RAIN);
    server.failure = NETWORK_FAILURE;
    expect(await styles.saveAs('x', CALM)).toBe(false);
    expect(await styles.changeChosen({ name: 'x' })).toBe(false);
    await styles.deleteChosen();
    expect(listNames()).toEqual(['Rain']);
    expect(styles.$styles.get()).toMatchObject({ chosenId: 'r', busy: false, problem: { code: 'network' } });
  });

  test('an imported file becomes a chosen style', async () => {
    const { styles, listNames } = createServer(calm);
    await styles.load(CALM);
    expect(await styles.importFile(toFile(serializeStyleFile(rain)), CALM)).toEqual(RAIN);
    expect(listNames()).toEqual(['calm', 'Rain']);
    expect(styles.$styles.get().outcome).toEqual({ kind: 'imported', name: 'Rain' });
  });

  test('a file that is no style, is too large or has wrong values is refused', async () => {
    const { styles, server, listNames } = createServer();
    await styles.load(CALM);
    expect(await styles.importFile(toFile('{"spec": "chara_card_v2"}'), CALM)).toBeNull();
    expect(styles.$styles.get().problem).toBe('file_wrong');
    expect(await styles.importFile(toFile(' '.repeat(MAX_STYLE_FILE_BYTES + 1)), CALM)).toBeNull();
    expect(styles.$styles.get().problem).toBe('file_too_large');
    server.failure = INVALID;
    expect(await styles.importFile(toFile(serializeStyleFile(rain)), CALM)).toBeNull();
    expect(styles.$styles.get().problem).toBe('file_wrong');
    expect(listNames()).toEqual([]);
  });
});
