import type { PayPalButtonsComponentOptions } from '@paypal/paypal-js';
import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState } from 'react';
import { BRAND } from '../../config/brand.ts';
import type { PaymentClient } from '../../features/billing/contract.ts';
import { browserClock } from '../shared/clock.ts';
import { useLang, useTranslate } from '../shared/i18n.tsx';
import { SECONDARY } from '../shared/styles.ts';
import { getSubscriptionStart } from './membership-rules.ts';
import { createPayPalLoader } from './paypal-loader.ts';

const loader = createPayPalLoader({ library: () => import('@paypal/paypal-js'), clock: browserClock });

/** The CSP nonce for PayPal's script; browsers hide the attribute, so read the property. */
const getPaymentNonce = () => document.querySelector<HTMLElement>('[data-payment]')?.nonce ?? '';

/**
 * PayPal's own button. Its script loads with the button, so users who cannot buy never load it.
 * @param offer fetches what can be bought at the time of the click, because plans and prices may
 * change while the page is open
 * @param onBegun called when PayPal asks the user to approve a subscription
 * @param onApproved activates the subscription that the user approved at PayPal
 */
export function PayPalButton({
  client,
  offer,
  onBegun,
  onApproved,
}: {
  client: PaymentClient;
  offer: () => Promise<PaymentClient | null>;
  onBegun: (subscriptionId: string) => void;
  onApproved: (subscriptionId: string) => Promise<void>;
}) {
  const words = useTranslate('membership');
  const lang = useLang();
  const { status } = useStore(loader.$state, { ssr: 'initial' });
  const [hasFailed, setHasFailed] = useState(false);
  const fetchIt = () => void loader.load(client, { lang, nonce: getPaymentNonce() });
  const first = useRef(fetchIt);
  useEffect(() => first.current(), []);
  return (
    <div data-loader={status} aria-busy={status === 'pending'} className="payment">
      <p role="status" className={status === 'initial' || status === 'pending' ? 'quiet' : 'sr-only'}>
        {status === 'initial' ? words('payPalNotLoaded') : ''}
        {status === 'pending' ? words('payPalLoading') : ''}
        {status === 'resolved' ? words('payPalLoaded') : ''}
      </p>
      {status === 'resolved' ? (
        <PayPalButtons offer={offer} onBegun={onBegun} onApproved={onApproved} onTrouble={setHasFailed} />
      ) : null}
      {status === 'rejected' ? (
        <div role="alert" className="flex flex-col items-start gap-3">
          <p className="border-s-2 border-danger ps-3">{words('payPalLoadFailed')}</p>
          <button type="button" className={SECONDARY} onClick={fetchIt}>
            {words('tryAgain')}
          </button>
        </div>
      ) : null}
      <p role="alert" className={hasFailed ? 'border-s-2 border-danger ps-3' : 'sr-only'}>
        {hasFailed ? words('payPalFailed') : ''}
      </p>
    </div>
  );
}

/** The button, which PayPal's script renders. */
function PayPalButtons({ offer, onBegun, onApproved, onTrouble }: PayPalButtonProps) {
  const place = useRef<HTMLDivElement>(null);
  // PayPal keeps the callbacks from when the button was created; the ref gives them the latest props.
  const latest = useRef({ offer, onBegun, onApproved, onTrouble });
  useEffect(() => {
    latest.current = { offer, onBegun, onApproved, onTrouble };
  });
  useEffect(() => {
    const { makeButtons } = loader.$state.get();
    if (makeButtons === null || place.current === null) return;
    const buttons = makeButtons(createButtonOptions(() => latest.current));
    if (!buttons.isEligible()) return loader.reject();
    let isUnmounted = false;
    buttons.render(place.current).catch(() => {
      if (!isUnmounted) loader.reject();
    });
    return () => {
      isUnmounted = true;
      void buttons.close().catch(() => {});
    };
  }, []);
  return <div ref={place} className="payment-button" />;
}

interface PayPalButtonProps {
  offer: () => Promise<PaymentClient | null>;
  onBegun: (subscriptionId: string) => void;
  onApproved: (subscriptionId: string) => Promise<void>;
  onTrouble: (isRendered: boolean) => void;
}

function createButtonOptions(getProps: () => PayPalButtonProps): PayPalButtonsComponentOptions {
  return {
    fundingSource: 'paypal',
    style: { label: 'subscribe', shape: 'rect', layout: 'vertical', height: 48 },
    onClick: () => getProps().onTrouble(false),
    createSubscription: async (_data, actions) => {
      const client = await getProps().offer();
      // PayPal closes its window and reports the error.
      if (client === null) throw new Error('nothing can be agreed to now');
      const startTime = getSubscriptionStart(client, Date.now());
      const id = await actions.subscription.create({
        plan_id: client.plan_id,
        custom_id: client.custom_id,
        ...(startTime === null ? {} : { start_time: startTime }),
        application_context: {
          brand_name: BRAND.name,
          shipping_preference: 'NO_SHIPPING',
          user_action: 'SUBSCRIBE_NOW',
          // Return address if PayPal opens in this tab instead of a pop-up; PayPal appends the subscription id.
          return_url: new URL('/membership', location.href).href,
          cancel_url: new URL('/account', location.href).href,
        },
      });
      getProps().onBegun(id);
      return id;
    },
    onApprove: async ({ subscriptionID }) => {
      // Without an id, nothing can be activated here; PayPal's webhook will do it.
      if (subscriptionID === null || subscriptionID === undefined) return getProps().onTrouble(true);
      await getProps().onApproved(subscriptionID);
    },
    // Closing PayPal's window is the user's choice, not an error.
    onCancel: () => getProps().onTrouble(false),
    onError: () => getProps().onTrouble(true),
  };
}
