import { atom } from 'nanostores';

/** SPEC section 9: at most three at once, five seconds each, unless SPEC gives one a time of its own. */
export const MAX_TOASTS = 3;
export const TOAST_MS = 5000;

/** How long the refusals of SPEC section 9 stand, in milliseconds. */
export const ERROR_TOAST_MS = 3000;
export const PERMISSION_TOAST_MS = 5000;
/** How long what was done can be undone: longer than other toasts stand, because one has to see first what is gone. */
export const UNDO_MS = 10_000;

export interface Toast {
  id: number;
  text: string;
  /** `harm` is read out at once; `state` waits for its turn. */
  kind: 'state' | 'harm';
  /** SPEC section 8 puts refused permissions at the top right; everything else stands at the bottom left. */
  position: 'bottom-left' | 'top-right';
  durationMs: number;
  /** One thing to do, such as undoing; doing it takes the toast away. */
  action?: { label: string; run: () => void };
}

/** The toasts that stand now, oldest first. */
export const $toasts = atom<readonly Toast[]>([]);

/** How much of the window's lower edge no toast may cover: one writes there. In pixels. */
export const $toastOffset = atom(0);

let lastId = 0;

/**
 * Shows a toast; the oldest gives way when there would be more than {@link MAX_TOASTS}. The same words are not
 * shown twice at once: the later one takes the earlier one's place.
 * @returns its id, for taking it away before its time
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
