import { atom } from 'nanostores';

/** At most three toasts at once, five seconds each, unless docs/product.md gives one a different time. */
export const MAX_TOASTS = 3;
export const TOAST_MS = 5000;

/** Milliseconds for which error and permission toasts show (docs/product.md). */
export const ERROR_TOAST_MS = 3000;
export const PERMISSION_TOAST_MS = 5000;
/**
 * Milliseconds for which an undo is offered. Longer than other toasts, because the user must notice first what is gone.
 */
export const UNDO_MS = 10_000;

export interface Toast {
  id: number;
  text: string;
  /** `danger` is announced assertively; `state` politely. */
  kind: 'state' | 'danger';
  /** Refused permissions show at the top right, everything else at the bottom left (docs/product.md). */
  position: 'bottom-left' | 'top-right';
  durationMs: number;
  /** An action such as undo; running it closes the toast. */
  action?: { label: string; run: () => void };
}

/** The visible toasts, oldest first. */
export const $toasts = atom<readonly Toast[]>([]);

/** Pixels at the bottom of the window that toasts must not cover, because the composer is there. */
export const $toastOffset = atom(0);

let lastId = 0;

/**
 * Shows a toast. The oldest one is removed beyond {@link MAX_TOASTS}; an existing toast with the same text is replaced.
 * @returns its id, to dismiss it early
 */
export function showToast({
  text,
  kind = 'state',
  position: place = 'bottom-left',
  durationMs = TOAST_MS,
  action,
}: Pick<Toast, 'text'> & Partial<Omit<Toast, 'id'>>): number {
  const id = ++lastId;
  const others = $toasts.get().filter((toast) => toast.text !== text);
  $toasts.set([
    ...others.slice(1 - MAX_TOASTS),
    { id, text, kind, position: place, durationMs, ...(action ? { action } : {}) },
  ]);
  return id;
}

export function dismissToast(id: number): void {
  $toasts.set($toasts.get().filter((toast) => toast.id !== id));
}
