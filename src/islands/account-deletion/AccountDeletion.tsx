import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { formatDate, formatTime } from '../../locales/format.ts';
import type { SessionUser } from '../../features/account/contract.ts';
import { useOnline } from '../shared/online.ts';
import { browserClock } from '../shared/clock.ts';
import { TranslationProvider, useLang, useTranslate, type Dictionary } from '../shared/i18n.tsx';
import { endDeviceSession } from '../shared/device-session/end-session.ts';
import { $session } from '../shared/session-state.ts';
import { PRIMARY, SECONDARY } from '../shared/styles.ts';
import { askToSignIn, openSignIn } from '../sign-in/sign-in-state.ts';
import { RequestLinkStep } from './RequestLinkStep.tsx';
import { deletionApi } from './deletion-api.ts';
import { createAccountDeletionFlow, type AccountDeletionFlow, type DeletionState } from './deletion-state.ts';
import { DeletionError } from './DeletionError.tsx';
import '../admin/admin-layout.css';

/** Account deletion, step by step. @param token from the emailed link; null when the page was opened without one */
export function AccountDeletion({
  lang,
  dictionary,
  token,
}: {
  lang: string;
  dictionary: Dictionary<'deletion' | 'errors'>;
  token: string | null;
}) {
  return (
    <TranslationProvider lang={lang} dictionary={dictionary}>
      <Steps token={token} />
    </TranslationProvider>
  );
}

/** This page with its token, as the address to return to after signing in. */
const getCurrentPath = () => location.pathname + location.search;

function Steps({ token }: { token: string | null }) {
  const words = useTranslate('deletion');
  const online = useOnline();
  const [deletion] = useState(() =>
    createAccountDeletionFlow(
      {
        api: deletionApi,
        clock: browserClock,
        signIn: () => askToSignIn({ reason: 'required', next: getCurrentPath() }),
        clearSession: endDeviceSession,
      },
      token,
    ),
  );
  const state = useStore(deletion.$state, { ssr: 'initial' });
  const { auth, status } = useStore($session, { ssr: 'initial' });
  const user = auth?.user ?? null;
  useEffect(() => {
    // The token is used up; remove it so that the next user of this device does not find it in the address.
    if (state.step === 'done') history.replaceState(history.state, '', location.pathname);
  }, [state.step]);

  if (state.step === 'done') return <DoneStep subscription={state.subscription} />;
  if (state.step === 'unsure') return <UnknownResultStep />;
  if (status === 'known' && (user === null || user.is_anonymous))
    return <AccountRequired guest={user !== null} />;
  return (
    <div className="mt-4 flex flex-col gap-4">
      {online ? null : (
        <p role="status" className="border-s-2 border-state ps-3">
          {words('offline')}
        </p>
      )}
      {state.step === 'ask' ? <RequestLinkStep deletion={deletion} /> : null}
      {state.step === 'sent' ? <LinkSentStep deletion={deletion} state={state} /> : null}
      {state.step === 'confirm' ? (
        <ConfirmStep deletion={deletion} state={state} token={token ?? ''} user={user} />
      ) : null}
      {state.step === 'invalid' ? <InvalidLinkStep deletion={deletion} /> : null}
    </div>
  );
}

/** A step with a heading. The heading takes the focus when the step replaces another one (`arrived`). */
function Step({
  title,
  arrived = true,
  children,
}: {
  title: string;
  arrived?: boolean;
  children: ReactNode;
}) {
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (arrived) head.current?.focus();
  }, [arrived]);
  return (
    <section className="flex flex-col items-start gap-4">
      <h2 ref={head} tabIndex={-1} className="text-2xl">
        {title}
      </h2>
      {children}
    </section>
  );
}

function LinkSentStep({
  deletion,
  state: { sent, canResend: mayAskAgain, busy, failure },
}: {
  deletion: AccountDeletionFlow;
  state: DeletionState;
}) {
  const words = useTranslate('deletion');
  const lang = useLang();
  if (sent === null) return null;
  const { email, resendAt: newFrom } = sent;
  return (
    <Step title={words('sentTitle')}>
      <p className="break-words">{words('sentText', { email })}</p>
      <p className="text-text-quiet">
        {mayAskAgain
          ? words('sentResendNow')
          : words('sentResendLater', { time: formatTime(new Date(newFrom).toISOString(), lang) })}
      </p>
      <DeletionError failure={failure} common={words('requestFailed')} />
      <div className="flex flex-wrap gap-3">
        {mayAskAgain ? (
          <button
            type="button"
            className={SECONDARY}
            disabled={busy}
            onClick={() => void deletion.request(email)}
          >
            {words('resendLink')}
          </button>
        ) : null}
        <a className={SECONDARY} href="/account">
          {words('keepAccount')}
        </a>
      </div>
    </Step>
  );
}

function ConfirmStep({
  deletion,
  state: { busy, failure },
  token,
  user,
}: {
  deletion: AccountDeletionFlow;
  state: DeletionState;
  token: string;
  user: SessionUser | null;
}) {
  const words = useTranslate('deletion');
  const email = user?.email ?? '';
  return (
    <Step title={words('confirmTitle')} arrived={false}>
      <p className="break-words">{words('confirmText', { email })}</p>
      {/* Shown to every user: a suspended subscription grants no plan, but PayPal can reactivate it. */}
      <p>{words('confirmMembership')}</p>
      <p className="font-medium">{words('downloadTitle')}</p>
      <a className="link" href="/account#data">
        {words('downloadLink')}
      </a>
      <DeletionError failure={failure} common={words('deletionFailed')} />
      <p role="status" className={busy ? '' : 'sr-only'}>
        {busy ? words('deleting') : ''}
      </p>
      <div className="flex flex-wrap gap-3">
        <button
          type="button"
          className={`${SECONDARY} button-danger`}
          disabled={busy || email === ''}
          onClick={() => void deletion.confirm(token)}
        >
          {words('confirmDelete')}
        </button>
        <a className={SECONDARY} href="/account">
          {words('keepAccount')}
        </a>
      </div>
    </Step>
  );
}

function InvalidLinkStep({ deletion }: { deletion: AccountDeletionFlow }) {
  const words = useTranslate('deletion');
  return (
    <Step title={words('invalidTitle')}>
      <p>{words('invalidText')}</p>
      <div className="flex flex-wrap gap-3">
        <button type="button" className={SECONDARY} onClick={() => deletion.startOver()}>
          {words('requestNewLink')}
        </button>
        <a className={SECONDARY} href="/account">
          {words('keepAccount')}
        </a>
      </div>
    </Step>
  );
}

function DoneStep({ subscription }: Pick<DeletionState, 'subscription'>) {
  const words = useTranslate('deletion');
  const lang = useLang();
  return (
    <div className="mt-4">
      <Step title={words('doneTitle')}>
        {subscription === null ? null : (
          <p className="break-words">
            {words(subscription.status === 'cancelled' ? 'doneCancelled' : 'doneExpired', {
              id: subscription.id,
              // UTC, so that the date matches the email, which does not know the reader's time zone.
              date: formatDate(subscription.paid_until, lang, { zone: 'UTC' }),
            })}
          </p>
        )}
        <p>{words('doneText')}</p>
        <a className={PRIMARY} href="/">
          {words('goHome')}
        </a>
      </Step>
    </div>
  );
}

function UnknownResultStep() {
  const words = useTranslate('deletion');
  return (
    <div className="mt-4">
      <Step title={words('unsureTitle')}>
        <p>{words('unsureText')}</p>
        <a className={PRIMARY} href="/">
          {words('goHome')}
        </a>
      </Step>
    </div>
  );
}

/** Shown to guests and logged-out visitors: asks for an account, also after they closed the sign-in dialog. */
function AccountRequired({ guest }: { guest: boolean }) {
  const words = useTranslate('deletion');
  return (
    <div className="mt-4 flex flex-col items-start gap-4">
      <p>{words(guest ? 'guestText' : 'logInText')}</p>
      <button
        type="button"
        className={PRIMARY}
        onClick={() => openSignIn({ reason: 'required', next: getCurrentPath() })}
      >
        {words('logIn')}
      </button>
    </div>
  );
}
