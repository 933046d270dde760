import { isComposingKey } from '../../shared/ui/is-composing.ts';
import type { MessageAction } from './available-actions.ts';

/** What a key asks for. Arrows up and down, which lead from message to message, are the list's own. */
export type KeyCommand =
  | { kind: 'deed'; action: Exclude<MessageAction, 'pin' | 'unpin' | 'context'> | 'togglePin' | 'context' }
  | { kind: 'version'; step: -1 | 1 }
  | { kind: 'undo' | 'newest' | 'box' | 'keys' | 'editLast' };

/** Where the focus is when a key is pressed. */
export interface KeyContext {
  /** In something that one writes in. */
  writing: boolean;
  /** In the box for messages, and it is empty. */
  emptyBox: boolean;
  /** Among the messages. */
  list: boolean;
  /** On one message. */
  message: boolean;
  /** In a dialog or a menu, which has keys of its own. */
  layer: boolean;
}

/** One letter each, only among the messages: elsewhere letters are for writing, and for a screen reader's own keys. */
const LETTERS: Record<string, KeyCommand> = {
  c: { kind: 'deed', action: 'copy' },
  e: { kind: 'deed', action: 'edit' },
  r: { kind: 'deed', action: 'writeAnew' },
  g: { kind: 'deed', action: 'goOn' },
  f: { kind: 'deed', action: 'fork' },
  p: { kind: 'deed', action: 'togglePin' },
  w: { kind: 'deed', action: 'context' },
};

/** The letter by which a menu tells how a deed is done from the keyboard. */
export const ACTION_KEYS: Record<MessageAction, string> = {
  copy: 'C',
  edit: 'E',
  writeAnew: 'R',
  goOn: 'G',
  fork: 'F',
  pin: 'P',
  unpin: 'P',
  context: 'W',
  deleteFrom: 'Del',
};

/**
 * What a key press asks for; null when it is not for the chat.
 * @param singleKeys whether single letters and signs may do something (WCAG 2.1.4: they can be switched off)
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

/** The Latin letter of a key; a keyboard of another script is read by where its keys are. */
function getLatinLetter({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string | null {
  if (/^[a-z]$/i.test(key)) return key.toLowerCase();
  // What another layout writes with this key, in its own letters.
  if (!/^\p{L}$/u.test(key)) return null;
  return /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() ?? null;
}
