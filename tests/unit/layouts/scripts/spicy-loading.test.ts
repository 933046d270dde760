import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { SessionUser } from '../../../../src/features/account/contract.ts';
import { ANA } from '../../../support/session-users.ts';

const AGE_CHECK = '../../../../src/layouts/scripts/spicy/age-check.ts';
const SPICY_SWITCH = '../../../../src/layouts/scripts/spicy/spicy-switch.ts';
const ADULT_VIEW = '../../../../src/components/scripts/view-refresh.ts';

const failToLoad = () => {
  throw new Error('Failed to fetch dynamically imported module');
};

class Switch extends EventTarget {
  readonly attributes = new Map<string, string>();
  setAttribute(name: string, value: string): void {
    this.attributes.set(name, value);
  }
  press(): void {
    this.dispatchEvent(new Event('click'));
  }
}

/** The age dialog, in which the user chooses the age check. */
class AgeDialog extends EventTarget {
  returnValue = '';
  showModal(): void {
    queueMicrotask(() => {
      this.returnValue = 'check';
      this.dispatchEvent(new Event('close'));
    });
  }
}

/** A page with the switch for `user`; `tab` is the session storage. */
async function page(user: SessionUser | null, { tab = {} }: { tab?: Record<string, string> } = {}) {
  vi.resetModules();
  const window = new EventTarget();
  const notices: unknown[] = [];
  window.addEventListener('loreloom:network-trouble', (event) => notices.push((event as CustomEvent).detail));
  vi.stubGlobal('window', window);
  vi.stubGlobal('sessionStorage', { getItem: (key: string) => tab[key] ?? null });
  vi.stubGlobal('location', { reload: () => undefined });
  const button = new Switch();
  const dialog = new AgeDialog();
  vi.stubGlobal('document', {
    documentElement: { dataset: {} },
    querySelectorAll: () => [button],
    querySelector: () => dialog,
  });
  const { $session } = await import('../../../../src/islands/shared/session-state.ts');
  const updateSession = (sessionUser: SessionUser | null) =>
    $session.set({
      status: 'known',
      auth: {
        is_authenticated: sessionUser !== null,
        isAuthenticated: sessionUser !== null,
        user: sessionUser,
      },
    });
  updateSession(user);
  const { setUpSpicySwitch: wireSpicy } = await import('../../../../src/layouts/scripts/spicy/spicy.ts');
  wireSpicy();
  return { button, notices, window, arrive: updateSession };
}

beforeEach(() => {
  vi.doUnmock(AGE_CHECK);
  vi.doUnmock(SPICY_SWITCH);
  vi.doUnmock(ADULT_VIEW);
});
afterEach(() => vi.unstubAllGlobals());

describe('Scripts that fail to load', () => {
  test('the spicy switch recovers when the age check fails to load, and leads to it on the next press', async () => {
    vi.doMock(AGE_CHECK, failToLoad);
    const { button, notices } = await page(ANA);
    button.press();
    await vi.waitFor(() => expect(notices).toHaveLength(1));
    await vi.waitFor(() => expect(button.attributes.get('aria-busy')).toBe('false'));
    expect(button.attributes.get('aria-checked')).toBe('false');
    const goToCheck = vi.fn(async () => true);
    vi.doMock(AGE_CHECK, () => ({ startAgeCheck: goToCheck }));
    button.press();
    await vi.waitFor(() => expect(goToCheck).toHaveBeenCalledOnce());
    expect(notices).toHaveLength(1);
  });

  test('the spicy switch itself is loaded again on the next press', async () => {
    vi.doMock(SPICY_SWITCH, failToLoad);
    const { button, notices } = await page(ANA);
    button.press();
    await vi.waitFor(() => expect(notices).toHaveLength(1));
    const pressed = vi.fn(async () => undefined);
    vi.doMock(SPICY_SWITCH, () => ({ createPageSpicySwitch: () => pressed }));
    button.press();
    await vi.waitFor(() => expect(pressed).toHaveBeenCalledOnce());
    expect(notices).toHaveLength(1);
  });

  test('the spicy switch asks for a login again after the login failed to load', async () => {
    const { button, window } = await page(null);
    const asks: unknown[] = [];
    window.addEventListener('loreloom:ask', (event) => asks.push((event as CustomEvent).detail));
    button.press();
    await vi.waitFor(() => expect(asks).toEqual(['sign-in']));
    button.press();
    // The failure of another feature does not count.
    window.dispatchEvent(new CustomEvent('loreloom:network-trouble', { detail: 'search' }));
    await new Promise((resolve) => void setImmediate(resolve));
    button.press();
    expect(asks).toEqual(['sign-in']);
    window.dispatchEvent(new CustomEvent('loreloom:network-trouble', { detail: 'sign-in' }));
    await vi.waitFor(() => {
      button.press();
      expect(asks).toEqual(['sign-in', 'sign-in']);
    });
  });

  test('the adult view is loaded again with the next session update', async () => {
    vi.doMock(ADULT_VIEW, failToLoad);
    const adult = { ...ANA, age_confirmed: true, spicy_mode: true };
    const { notices, arrive: updateSession } = await page(adult);
    await vi.waitFor(() => expect(notices).toHaveLength(1));
    const drawForAdults = vi.fn(async () => undefined);
    vi.doMock(ADULT_VIEW, () => ({ renderNsfwView: drawForAdults }));
    updateSession(adult);
    await vi.waitFor(() => expect(drawForAdults).toHaveBeenCalledOnce());
    // An adult view that was rendered once is not rendered again.
    updateSession(adult);
    await new Promise((resolve) => void setImmediate(resolve));
    expect(drawForAdults).toHaveBeenCalledOnce();
    expect(notices).toHaveLength(1);
  });

  test('a failure to load the age check is reported after returning from a check', async () => {
    vi.doMock(AGE_CHECK, failToLoad);
    const { notices } = await page(ANA, { tab: { 'age-check': '1' } });
    await vi.waitFor(() => expect(notices).toHaveLength(1));
  });
});
