import { describe, expect, test } from 'vitest';
import {
  parseKeyCommand,
  ACTION_KEYS,
  type KeyContext,
} from '../../src/islands/chat/messages/message-keys.ts';
import type { MessageAction } from '../../src/islands/chat/messages/available-actions.ts';

const NOWHERE: KeyContext = { writing: false, emptyBox: false, list: false, message: false, layer: false };
const ON_MESSAGE: KeyContext = { ...NOWHERE, list: true, message: true };
const IN_LIST: KeyContext = { ...NOWHERE, list: true };
const IN_BOX: KeyContext = { ...NOWHERE, writing: true };
const IN_EMPTY_BOX: KeyContext = { ...IN_BOX, emptyBox: true };

const press = (key: string, part: Partial<KeyboardEvent> = {}) => ({
  key,
  code: '',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  isComposing: false,
  keyCode: 0,
  repeat: false,
  ...part,
});
const on = (place: KeyContext, key: string, part: Partial<KeyboardEvent> = {}, single = true) =>
  parseKeyCommand(press(key, part), place, single);

describe('A key', () => {
  test.each([
    ['c', 'copy'],
    ['e', 'edit'],
    ['r', 'writeAnew'],
    ['g', 'goOn'],
    ['f', 'fork'],
    ['p', 'togglePin'],
    ['w', 'context'],
    ['Delete', 'deleteFrom'],
  ])('on a message does what its menu says: %s', (key, deed) => {
    expect(on(ON_MESSAGE, key)).toEqual({ kind: 'deed', action: deed });
  });

  test('of each deed is the one that the menu shows', () => {
    for (const [deed, key] of Object.entries(ACTION_KEYS) as [MessageAction, string][]) {
      const expected = deed === 'pin' || deed === 'unpin' ? 'togglePin' : deed;
      expect(on(ON_MESSAGE, key === 'Del' ? 'Delete' : key.toLowerCase())).toMatchObject({
        action: expected,
      });
    }
  });

  test('left and right on a message leads through its versions', () => {
    expect(on(ON_MESSAGE, 'ArrowLeft')).toEqual({ kind: 'version', step: -1 });
    expect(on(ON_MESSAGE, 'ArrowRight')).toEqual({ kind: 'version', step: 1 });
  });

  test('of a deed does nothing where no message has the focus', () => {
    for (const place of [NOWHERE, IN_LIST, IN_BOX])
      for (const key of ['c', 'e', 'r', 'Delete', 'ArrowLeft']) expect(on(place, key)).toBeNull();
  });

  test('up in an empty box edits my last message, and in a text moves through it', () => {
    expect(on(IN_EMPTY_BOX, 'ArrowUp')).toEqual({ kind: 'editLast' });
    expect(on(IN_BOX, 'ArrowUp')).toBeNull();
  });

  test('that belongs to a composition does nothing else', () => {
    expect(on(IN_EMPTY_BOX, 'ArrowUp', { isComposing: true })).toBeNull();
    // As Safari tells it.
    expect(on(IN_EMPTY_BOX, 'ArrowUp', { keyCode: 229 })).toBeNull();
    expect(on(ON_MESSAGE, 'Escape', { keyCode: 229 })).toBeNull();
  });

  test('that I write with is a letter and nothing else', () => {
    for (const key of ['?', '/', 'n', 'e', 'Escape', 'Delete']) {
      expect(on(IN_BOX, key)).toBeNull();
      expect(on({ ...ON_MESSAGE, writing: true }, key)).toBeNull();
    }
  });

  test('with Ctrl, Cmd or Alt stays the browser’s', () => {
    for (const modifier of ['ctrlKey', 'metaKey', 'altKey'] as const)
      for (const key of ['c', 'r', 'f', 'p', 'ArrowLeft'])
        expect(on(ON_MESSAGE, key, { [modifier]: true })).toBeNull();
  });

  test('in a dialog or a menu is theirs', () => {
    for (const key of ['?', '/', 'c', 'Escape']) expect(on({ ...ON_MESSAGE, layer: true }, key)).toBeNull();
  });

  test('for the box and for help works wherever I do not write', () => {
    expect(on(NOWHERE, '/')).toEqual({ kind: 'box' });
    expect(on(NOWHERE, '?', { shiftKey: true })).toEqual({ kind: 'keys' });
  });

  test('in the list leads to the newest, back to the box, and takes back what I did', () => {
    expect(on(IN_LIST, 'n')).toEqual({ kind: 'newest' });
    expect(on(IN_LIST, 'Escape')).toEqual({ kind: 'box' });
    expect(on(ON_MESSAGE, 'u')).toEqual({ kind: 'undo' });
  });

  test('of a single sign does nothing once I switched them off; the others go on working', () => {
    for (const key of ['c', 'e', 'r', 'g', 'f', 'p', 'w', 'n', 'u', '/', '?'])
      expect(on(ON_MESSAGE, key, {}, false)).toBeNull();
    expect(on(ON_MESSAGE, 'Delete', {}, false)).not.toBeNull();
    expect(on(ON_MESSAGE, 'ArrowLeft', {}, false)).not.toBeNull();
    expect(on(ON_MESSAGE, 'Escape', {}, false)).not.toBeNull();
  });

  test('of a Cyrillic keyboard is found by its place', () => {
    expect(on(ON_MESSAGE, 'у', { code: 'KeyE' })).toEqual({ kind: 'deed', action: 'edit' });
    // By its own letter, where it has a Latin one, wherever that key is.
    expect(on(ON_MESSAGE, 'r', { code: 'KeyO' })).toEqual({ kind: 'deed', action: 'writeAnew' });
  });

  test('that is held down does a thing once', () => {
    for (const key of ['r', 'Delete', 'u', 'f']) expect(on(ON_MESSAGE, key, { repeat: true })).toBeNull();
  });
});
