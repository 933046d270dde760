import type { loadScript, PayPalNamespace } from '@paypal/paypal-js';
import { atom, type ReadableAtom } from 'nanostores';
import type { PaymentClient } from '../../features/billing/contract.ts';
import type { Clock } from '../shared/clock.ts';

type CreateButtons = NonNullable<PayPalNamespace['Buttons']>;

/** Load state of PayPal's script. `initial`: not requested yet. */
export interface LoaderState {
  status: 'initial' | 'pending' | 'resolved' | 'rejected';
  /** PayPal's button factory, once the script is loaded. */
  makeButtons: CreateButtons | null;
}

interface LoaderDeps {
  /** PayPal's loader package, imported only when the user may pay. */
  library(): Promise<{ loadScript: typeof loadScript }>;
  clock: Clock;
}

export interface PayPalLoader {
  $state: ReadableAtom<LoaderState>;
  /** Loads the script unless it is loaded or loading; retries after a failure. */
  load(client: PaymentClient, page: { lang: string; nonce: string }): Promise<void>;
  /** Marks the loaded script as unusable. */
  reject(): void;
}

/** Longest wait for the script, in milliseconds; a later one is not used. */
export const PAYPAL_TIMEOUT_MS = 20_000;

/** PayPal's locales need a region, and PayPal does not support all of our languages. */
const LOCALES: Partial<Record<string, string>> = {
  en: 'en_US',
  es: 'es_ES',
  fr: 'fr_FR',
  de: 'de_DE',
  it: 'it_IT',
  pt: 'pt_BR',
  ru: 'ru_RU',
  ja: 'ja_JP',
  hi: 'en_IN',
  pl: 'pl_PL',
  zh: 'zh_CN',
  id: 'id_ID',
};

export function createPayPalLoader({ library, clock }: LoaderDeps): PayPalLoader {
  const $state = atom<LoaderState>({ status: 'initial', makeButtons: null });
  let latest = 0;

  function reject(): void {
    latest += 1;
    $state.set({ status: 'rejected', makeButtons: null });
  }

  return {
    $state,
    reject,
    async load({ client_id: clientId, sdk_base: base }, { lang, nonce }) {
      const { status } = $state.get();
      if (status === 'pending' || status === 'resolved') return;
      const call = ++latest;
      $state.set({ status: 'pending', makeButtons: null });
      const cancelTimeout = clock.after(PAYPAL_TIMEOUT_MS, () => call === latest && reject());
      try {
        const { loadScript } = await library();
        const paypal = await loadScript({
          clientId,
          currency: 'USD',
          intent: 'subscription',
          vault: true,
          components: 'buttons',
          disableFunding: 'card,paylater',
          locale: LOCALES[lang] ?? 'en_US',
          sdkBaseUrl: `${base}/sdk/js`,
          ...(nonce === '' ? {} : { dataCspNonce: nonce }),
        });
        if (call !== latest) return;
        const make = paypal?.Buttons;
        if (make === undefined) return reject();
        $state.set({ status: 'resolved', makeButtons: (options) => make.call(paypal, options) });
      } catch {
        if (call === latest) reject();
      } finally {
        cancelTimeout();
      }
    },
  };
}
