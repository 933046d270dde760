import { beforeEach, describe, expect, it } from 'vitest';
import {
  $toasts,
  dismissToast,
  ERROR_TOAST_MS,
  MAX_TOASTS,
  PERMISSION_TOAST_MS,
  showToast,
  TOAST_MS,
} from '../../../../src/islands/shared/toasts-state.ts';

describe('Toasts', () => {
  beforeEach(() => $toasts.set([]));
  const texts = () => $toasts.get().map(({ text }) => text);

  it('a toast appears at the bottom left for five seconds by default', () => {
    showToast({ text: 'Saved' });
    expect($toasts.get()).toMatchObject([{ position: 'bottom-left', durationMs: TOAST_MS, kind: 'state' }]);
  });

  it('a toast appears at the given place for the given time', () => {
    showToast({ text: 'Not enough points', kind: 'danger', durationMs: ERROR_TOAST_MS });
    showToast({ text: 'No', kind: 'danger', position: 'top-right', durationMs: PERMISSION_TOAST_MS });
    expect($toasts.get()).toMatchObject([
      { position: 'bottom-left', durationMs: 3000, kind: 'danger' },
      { position: 'top-right', durationMs: 5000, kind: 'danger' },
    ]);
  });

  it('at most three toasts are shown, and the oldest gives way', () => {
    for (const text of ['one', 'two', 'three', 'four']) showToast({ text });
    expect($toasts.get()).toHaveLength(MAX_TOASTS);
    expect(texts()).toEqual(['two', 'three', 'four']);
  });

  it('the same toast is not shown twice at once', () => {
    showToast({ text: 'No network' });
    showToast({ text: 'Saved' });
    showToast({ text: 'No network' });
    expect(texts()).toEqual(['Saved', 'No network']);
  });

  it('dismissing a toast removes only that toast', () => {
    const first = showToast({ text: 'one' });
    showToast({ text: 'two' });
    dismissToast(first);
    expect(texts()).toEqual(['two']);
  });
});
