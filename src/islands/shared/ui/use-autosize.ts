import { type KeyboardEvent, type RefObject, useLayoutEffect } from 'react';
import { isOfComposition } from './is-composing.ts';
import { hasFinger } from './has-coarse-pointer.ts';

/** Has a field grow with its text. */
export function useGrowing(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  useLayoutEffect(() => {
    // Browsers that size a field by its content need no help.
    if (field.current !== null && !CSS.supports('field-sizing', 'content')) fit(field.current);
  }, [field, text]);
}

function fit(field: HTMLTextAreaElement): void {
  field.style.height = 'auto';
  field.style.height = `${field.scrollHeight}px`;
}

/** Sends what is written by the Enter key alone; with Shift it begins a new line. */
export function sendByEnter(event: KeyboardEvent, send: () => void): void {
  if (event.key !== 'Enter' || event.shiftKey || isOfComposition(event.nativeEvent)) return;
  // On a touch keyboard there is no other way to a new line.
  if (hasFinger()) return;
  event.preventDefault();
  send();
}
