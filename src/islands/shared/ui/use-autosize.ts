import { type KeyboardEvent, type RefObject, useLayoutEffect } from 'react';
import { isComposingKey } from './is-composing.ts';
import { hasCoarsePointer } from './has-coarse-pointer.ts';

/** Has a field grow with its text. */
export function useAutosize(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  useLayoutEffect(() => {
    // Browsers that size a field by its content need no help.
    if (field.current !== null && !CSS.supports('field-sizing', 'content')) resizeToContent(field.current);
  }, [field, text]);
}

function resizeToContent(field: HTMLTextAreaElement): void {
  field.style.height = 'auto';
  field.style.height = `${field.scrollHeight}px`;
}

/** Sends what is written by the Enter key alone; with Shift it begins a new line. */
export function submitOnEnter(event: KeyboardEvent, send: () => void): void {
  if (event.key !== 'Enter' || event.shiftKey || isComposingKey(event.nativeEvent)) return;
  // On a touch keyboard there is no other way to a new line.
  if (hasCoarsePointer()) return;
  event.preventDefault();
  send();
}
