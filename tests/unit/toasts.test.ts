import { beforeEach, describe, expect, it } from 'vitest';
import {
  $toasts,
  dismissToast,
  ERROR_TOAST_MS,
  MAX_TOASTS,
  PERMISSION_TOAST_MS,
  showToast,
  TOAST_MS,
} from '../../src/islands/shared/toasts-state.ts';

describe('toasts', () => {
  beforeEach(() => $toasts.set([]));
  const texts = () => $toasts.get().map(({ text }) => text);

  it('stand at the bottom left for five seconds unless someone says otherwise', () => {
    showToast({ text: 'Saved' });
    expect($toasts.get()).toMatchObject([{ position: 'bottom-left', durationMs: TOAST_MS, kind: 'state' }]);
  });

  it('stand where and for as long as they have to: refusals three seconds, refused permissions five', () => {
    showToast({ text: 'Not enough points', kind: 'harm', durationMs: ERROR_TOAST_MS });
    showToast({ text: 'No', kind: 'harm', position: 'top-right', durationMs: PERMISSION_TOAST_MS });
    expect($toasts.get()).toMatchObject([
      { position: 'bottom-left', durationMs: 3000, kind: 'harm' },
      { position: 'top-right', durationMs: 5000, kind: 'harm' },
    ]);
  });

  it('are at most three: the oldest gives way', () => {
    for (const text of ['one', 'two', 'three', 'four']) showToast({ text });
    expect($toasts.get()).toHaveLength(MAX_TOASTS);
    expect(texts()).toEqual(['two', 'three', 'four']);
  });

  it('do not say the same thing twice at once', () => {
    showToast({ text: 'No network' });
    showToast({ text: 'Saved' });
    showToast({ text: 'No network' });
    expect(texts()).toEqual(['Saved', 'No network']);
  });

  it('go when they are dismissed, and only they', () => {
    const first = showToast({ text: 'one' });
    showToast({ text: 'two' });
    dismissToast(first);
    expect(texts()).toEqual(['two']);
  });
});
