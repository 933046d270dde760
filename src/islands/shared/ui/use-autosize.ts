import { type KeyboardEvent, type RefObject, useLayoutEffect } from 'react';
import { isComposingKey } from './is-composing.ts';
import { hasCoarsePointer } from './has-coarse-pointer.ts';

/** Grows a text field with its text. */
export function useAutosize(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  useLayoutEffect(() => {
    // Browsers with `field-sizing` do this in CSS.
    if (field.current !== null && !CSS.supports('field-sizing', 'content')) resizeToContent(field.current);
  }, [field, text]);
}

function resizeToContent(field: HTMLTextAreaElement): void {
  field.style.height = 'auto';
  field.style.height = `${field.scrollHeight}px`;
}

/** Submits with Enter; Shift+Enter inserts a new line. */
export function submitOnEnter(event: KeyboardEvent, send: () => void): void {
  if (event.key !== 'Enter' || event.shiftKey || isComposingKey(event.nativeEvent)) return;
  // Touch keyboards have no other key for a new line.
  if (hasCoarsePointer()) return;
  event.preventDefault();
  send();
}
