import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { SessionUser } from '../../src/features/account/contract.ts';
import { ANA } from '../support/session-users.ts';

const AGE_CHECK = '../../src/layouts/scripts/spicy/age-check.ts';
const SPICY_SWITCH = '../../src/layouts/scripts/spicy/spicy-switch.ts';
const ADULT_VIEW = '../../src/components/scripts/view-refresh.ts';

const notFetched = () => {
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

/** The question about age, which the reader answers with having it checked. */
class AgeDialog extends EventTarget {
  returnValue = '';
  showModal(): void {
    queueMicrotask(() => {
      this.returnValue = 'check';
      this.dispatchEvent(new Event('close'));
    });
  }
}

/** A page with the switch, on which `user` is; what is kept in the tab is `tab`. */
async function page(user: SessionUser | null, { tab = {} }: { tab?: Record<string, string> } = {}) {
  vi.resetModules();
  const window = new EventTarget();
  const told: unknown[] = [];
  window.addEventListener('loreloom:network-trouble', (event) => told.push((event as CustomEvent).detail));
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
  const { $session } = await import('../../src/islands/shared/session-state.ts');
  const arrive = (who: SessionUser | null) =>
    $session.set({
      status: 'known',
      auth: { is_authenticated: who !== null, isAuthenticated: who !== null, user: who },
    });
  arrive(user);
  const { setUpSpicySwitch: wireSpicy } = await import('../../src/layouts/scripts/spicy/spicy.ts');
  wireSpicy();
  return { button, told, window, arrive };
}

beforeEach(() => {
  vi.doUnmock(AGE_CHECK);
  vi.doUnmock(SPICY_SWITCH);
  vi.doUnmock(ADULT_VIEW);
});
afterEach(() => vi.unstubAllGlobals());

describe('when a script does not come', () => {
  test('the spicy switch is as before, I am told, and pressing it again leads to the check', async () => {
    vi.doMock(AGE_CHECK, notFetched);
    const { button, told } = await page(ANA);
    button.press();
    await vi.waitFor(() => expect(told).toHaveLength(1));
    await vi.waitFor(() => expect(button.attributes.get('aria-busy')).toBe('false'));
    expect(button.attributes.get('aria-checked')).toBe('false');
    const goToCheck = vi.fn(async () => true);
    vi.doMock(AGE_CHECK, () => ({ startAgeCheck: goToCheck }));
    button.press();
    await vi.waitFor(() => expect(goToCheck).toHaveBeenCalledOnce());
    expect(told).toHaveLength(1);
  });

  test('the switch itself is fetched again when I press it again', async () => {
    vi.doMock(SPICY_SWITCH, notFetched);
    const { button, told } = await page(ANA);
    button.press();
    await vi.waitFor(() => expect(told).toHaveLength(1));
    const pressed = vi.fn(async () => undefined);
    vi.doMock(SPICY_SWITCH, () => ({ createPageSpicySwitch: () => pressed }));
    button.press();
    await vi.waitFor(() => expect(pressed).toHaveBeenCalledOnce());
    expect(told).toHaveLength(1);
  });

  test('the switch asks me again to log in', async () => {
    const { button, window } = await page(null);
    const asks: unknown[] = [];
    window.addEventListener('loreloom:ask', (event) => asks.push((event as CustomEvent).detail));
    button.press();
    await vi.waitFor(() => expect(asks).toEqual(['sign-in']));
    button.press();
    // Something else that did not come is no answer.
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

  test('what is for adults comes with the next news of me', async () => {
    vi.doMock(ADULT_VIEW, notFetched);
    const adult = { ...ANA, age_confirmed: true, spicy_mode: true };
    const { told, arrive } = await page(adult);
    await vi.waitFor(() => expect(told).toHaveLength(1));
    const drawForAdults = vi.fn(async () => undefined);
    vi.doMock(ADULT_VIEW, () => ({ renderNsfwView: drawForAdults }));
    arrive(adult);
    await vi.waitFor(() => expect(drawForAdults).toHaveBeenCalledOnce());
    // Drawn once it stays.
    arrive(adult);
    await new Promise((resolve) => void setImmediate(resolve));
    expect(drawForAdults).toHaveBeenCalledOnce();
    expect(told).toHaveLength(1);
  });

  test('I am told when I come back from a check of my age', async () => {
    vi.doMock(AGE_CHECK, notFetched);
    const { told } = await page(ANA, { tab: { 'age-check': '1' } });
    await vi.waitFor(() => expect(told).toHaveLength(1));
  });
});
