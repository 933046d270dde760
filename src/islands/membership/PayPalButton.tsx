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

/** The number by which the page's policy lets PayPal's script draw its button; the browser hides it from the document. */
const getPaymentNonce = () => document.querySelector<HTMLElement>('[data-payment]')?.nonce ?? '';

/**
 * PayPal's own button. Its script is fetched with it, which is there for nobody who may not buy.
 * @param offer what can be agreed to when the button is pressed: a page may stand open while plans and prices change
 * @param onBegun what somebody is asked about at PayPal
 * @param onApproved what somebody agreed to at PayPal is to be activated here
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
        {status === 'initial' ? words('payPalInitial') : ''}
        {status === 'pending' ? words('payPalPending') : ''}
        {status === 'resolved' ? words('payPalResolved') : ''}
      </p>
      {status === 'resolved' ? (
        <PayPalButtons offer={offer} onBegun={onBegun} onApproved={onApproved} onTrouble={setHasFailed} />
      ) : null}
      {status === 'rejected' ? (
        <div role="alert" className="flex flex-col items-start gap-3">
          <p className="border-s-2 border-harm ps-3">{words('payPalRejected')}</p>
          <button type="button" className={SECONDARY} onClick={fetchIt}>
            {words('tryAgain')}
          </button>
        </div>
      ) : null}
      <p role="alert" className={hasFailed ? 'border-s-2 border-harm ps-3' : 'sr-only'}>
        {hasFailed ? words('payPalTrouble') : ''}
      </p>
    </div>
  );
}

/** The button itself, which PayPal's script draws. */
function PayPalButtons({ offer, onBegun, onApproved, onTrouble }: PayPalButtonProps) {
  const place = useRef<HTMLDivElement>(null);
  // PayPal keeps what it was given when the button was made: it asks for the latest when it is pressed.
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
      // PayPal closes its window, and tells of the error.
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
          // Where PayPal leads who could not be shown a window of its own; it adds the subscription's number.
          return_url: new URL('/membership', location.href).href,
          cancel_url: new URL('/account', location.href).href,
        },
      });
      getProps().onBegun(id);
      return id;
    },
    onApprove: async ({ subscriptionID }) => {
      // Without its number there is nothing to activate; what PayPal tells the server will.
      if (subscriptionID === null || subscriptionID === undefined) return getProps().onTrouble(true);
      await getProps().onApproved(subscriptionID);
    },
    // Whoever closes PayPal's window has decided.
    onCancel: () => getProps().onTrouble(false),
    onError: () => getProps().onTrouble(true),
  };
}
