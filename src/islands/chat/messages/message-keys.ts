import { isComposingKey } from '../../shared/ui/is-composing.ts';
import type { MessageAction } from './available-actions.ts';

/** The command of a key press. The list itself handles arrow up and down, which move between messages. */
export type KeyCommand =
  | { kind: 'deed'; action: Exclude<MessageAction, 'pin' | 'unpin'> | 'togglePin' }
  | { kind: 'version'; step: -1 | 1 }
  | { kind: 'undo' | 'newest' | 'box' | 'keys' | 'editLast' };

/** The position of the focus when a key is pressed. */
export interface KeyContext {
  /** In a text field. */
  writing: boolean;
  /** In the composer, and it is empty. */
  emptyBox: boolean;
  /** In the message list. */
  list: boolean;
  /** On a message. */
  message: boolean;
  /** In a dialog or a menu, which handles its own keys. */
  layer: boolean;
}

/**
 * Single-letter shortcuts. They work only in the message list: elsewhere letters are text, or a screen reader's own keys.
 */
const LETTERS: Record<string, KeyCommand> = {
  c: { kind: 'deed', action: 'copy' },
  e: { kind: 'deed', action: 'edit' },
  r: { kind: 'deed', action: 'regenerate' },
  g: { kind: 'deed', action: 'continue' },
  f: { kind: 'deed', action: 'branchFrom' },
  p: { kind: 'deed', action: 'togglePin' },
  w: { kind: 'deed', action: 'context' },
};

/** The key of each action that has one, shown in the message menu. */
export const ACTION_KEYS: Record<Exclude<MessageAction, 'regenerateWithNote'>, string> = {
  copy: 'C',
  edit: 'E',
  regenerate: 'R',
  continue: 'G',
  branchFrom: 'F',
  pin: 'P',
  unpin: 'P',
  context: 'W',
  deleteFrom: 'Del',
};

/**
 * Parses a key press into a command; null when the key is not for the chat.
 * @param singleKeys whether single-character shortcuts are on (WCAG 2.1.4: users can turn them off)
 */
export function parseKeyCommand(
  event: Pick<
    KeyboardEvent,
    'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'isComposing' | 'keyCode' | 'repeat'
  >,
  context: KeyContext,
  singleKeys: boolean,
): KeyCommand | null {
  if (event.ctrlKey || event.metaKey || event.altKey || context.layer || isComposingKey(event)) return null;
  if (context.emptyBox && event.key === 'ArrowUp' && !event.shiftKey) return { kind: 'editLast' };
  if (context.writing) return null;
  const letter = getLatinLetter(event);
  if (singleKeys && event.key === '?') return { kind: 'keys' };
  if (event.shiftKey) return null;
  if (singleKeys && event.key === '/') return { kind: 'box' };
  if (!context.list) return null;
  if (event.key === 'Escape') return { kind: 'box' };
  if (singleKeys && !event.repeat && letter === 'n') return { kind: 'newest' };
  if (singleKeys && !event.repeat && letter === 'u') return { kind: 'undo' };
  if (!context.message) return null;
  if (event.key === 'ArrowLeft') return { kind: 'version', step: -1 };
  if (event.key === 'ArrowRight') return { kind: 'version', step: 1 };
  if (event.repeat) return null;
  if (event.key === 'Delete') return { kind: 'deed', action: 'deleteFrom' };
  return singleKeys && letter !== null && Object.hasOwn(LETTERS, letter) ? (LETTERS[letter] ?? null) : null;
}

/** The Latin letter of a key. On keyboards of another script, the letter at the key's position. */
function getLatinLetter({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string | null {
  if (/^[a-z]$/i.test(key)) return key.toLowerCase();
  // Another layout types a letter of its own script with this key.
  if (!/^\p{L}$/u.test(key)) return null;
  return /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() ?? null;
}
