import { describe, expect, test } from 'vitest';
import {
  parseKeyCommand,
  ACTION_KEYS,
  type KeyContext,
} from '../../../../../src/islands/chat/messages/message-keys.ts';
import type { MessageAction } from '../../../../../src/islands/chat/messages/available-actions.ts';

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

describe('Message keys', () => {
  test.each([
    ['c', 'copy'],
    ['e', 'edit'],
    ['r', 'regenerate'],
    ['g', 'continue'],
    ['f', 'branchFrom'],
    ['p', 'togglePin'],
    ['w', 'context'],
    ['Delete', 'deleteFrom'],
  ])('a key on a message runs the action of its menu: %s', (key, expected) => {
    expect(on(ON_MESSAGE, key)).toEqual({ kind: 'deed', action: expected });
  });

  test('the key of each action is the one that the menu shows', () => {
    for (const [messageAction, key] of Object.entries(ACTION_KEYS) as [MessageAction, string][]) {
      const expected = messageAction === 'pin' || messageAction === 'unpin' ? 'togglePin' : messageAction;
      expect(on(ON_MESSAGE, key === 'Del' ? 'Delete' : key.toLowerCase())).toMatchObject({
        action: expected,
      });
    }
  });

  test('the left and right arrow keys on a message switch its versions', () => {
    expect(on(ON_MESSAGE, 'ArrowLeft')).toEqual({ kind: 'version', step: -1 });
    expect(on(ON_MESSAGE, 'ArrowRight')).toEqual({ kind: 'version', step: 1 });
  });

  test('a message key does nothing while no message has the focus', () => {
    for (const place of [NOWHERE, IN_LIST, IN_BOX])
      for (const key of ['c', 'e', 'r', 'Delete', 'ArrowLeft']) expect(on(place, key)).toBeNull();
  });

  test('the up arrow edits the last message from an empty composer and moves the caret otherwise', () => {
    expect(on(IN_EMPTY_BOX, 'ArrowUp')).toEqual({ kind: 'editLast' });
    expect(on(IN_BOX, 'ArrowUp')).toBeNull();
  });

  test('a key that belongs to an input method composition runs nothing', () => {
    expect(on(IN_EMPTY_BOX, 'ArrowUp', { isComposing: true })).toBeNull();
    // Safari reports a composition only by this key code.
    expect(on(IN_EMPTY_BOX, 'ArrowUp', { keyCode: 229 })).toBeNull();
    expect(on(ON_MESSAGE, 'Escape', { keyCode: 229 })).toBeNull();
  });

  test('a key pressed while writing runs nothing', () => {
    for (const key of ['?', '/', 'n', 'e', 'Escape', 'Delete']) {
      expect(on(IN_BOX, key)).toBeNull();
      expect(on({ ...ON_MESSAGE, writing: true }, key)).toBeNull();
    }
  });

  test('a key with Ctrl, Cmd or Alt is left to the browser', () => {
    for (const modifier of ['ctrlKey', 'metaKey', 'altKey'] as const)
      for (const key of ['c', 'r', 'f', 'p', 'ArrowLeft'])
        expect(on(ON_MESSAGE, key, { [modifier]: true })).toBeNull();
  });

  test('a key in a dialog or menu is left to it', () => {
    for (const key of ['?', '/', 'c', 'Escape']) expect(on({ ...ON_MESSAGE, layer: true }, key)).toBeNull();
  });

  test('the keys for the composer and for help work wherever the user is not writing', () => {
    expect(on(NOWHERE, '/')).toEqual({ kind: 'box' });
    expect(on(NOWHERE, '?', { shiftKey: true })).toEqual({ kind: 'keys' });
  });

  test('keys in the message list go to the newest message, return to the composer and undo', () => {
    expect(on(IN_LIST, 'n')).toEqual({ kind: 'newest' });
    expect(on(IN_LIST, 'Escape')).toEqual({ kind: 'box' });
    expect(on(ON_MESSAGE, 'u')).toEqual({ kind: 'undo' });
  });

  test('single-character keys do nothing once switched off, while the other keys keep working', () => {
    for (const key of ['c', 'e', 'r', 'g', 'f', 'p', 'w', 'n', 'u', '/', '?'])
      expect(on(ON_MESSAGE, key, {}, false)).toBeNull();
    expect(on(ON_MESSAGE, 'Delete', {}, false)).not.toBeNull();
    expect(on(ON_MESSAGE, 'ArrowLeft', {}, false)).not.toBeNull();
    expect(on(ON_MESSAGE, 'Escape', {}, false)).not.toBeNull();
  });

  test('a key of a Cyrillic keyboard is recognized by its position', () => {
    expect(on(ON_MESSAGE, 'у', { code: 'KeyE' })).toEqual({ kind: 'deed', action: 'edit' });
    // A key with a Latin letter is recognized by that letter, wherever it is.
    expect(on(ON_MESSAGE, 'r', { code: 'KeyO' })).toEqual({ kind: 'deed', action: 'regenerate' });
  });

  test('a key that is held down runs its action once', () => {
    for (const key of ['r', 'Delete', 'u', 'f']) expect(on(ON_MESSAGE, key, { repeat: true })).toBeNull();
  });
});
