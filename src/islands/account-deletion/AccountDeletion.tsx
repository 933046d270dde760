import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { formatDate, formatTime } from '../../locales/format.ts';
import type { SessionUser } from '../../features/account/contract.ts';
import { useOnline } from '../shared/online.ts';
import { browserClock } from '../shared/clock.ts';
import { Dictionaries, useLang, useWords, type Dictionary } from '../shared/i18n.tsx';
import { $session, forgetPerson } from '../shared/session-state.ts';
import { PRIMARY, SECONDARY } from '../shared/styles.ts';
import { askToSignIn, openSignIn } from '../sign-in/sign-in-state.ts';
import { AskForLink } from './AskForLink.tsx';
import { deletionApi } from './deletion-api.ts';
import { createDeletion, type Deletion, type DeletionState } from './deletion-state.ts';
import { Trouble } from './Trouble.tsx';
import '../admin/admin-layout.css';

/** The way out of an account, step by step. @param token of the link that led here; null without one */
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
    <Dictionaries lang={lang} dictionary={dictionary}>
      <Steps token={token} />
    </Dictionaries>
  );
}

/** Back here, with the link. */
const here = () => location.pathname + location.search;

function Steps({ token }: { token: string | null }) {
  const words = useWords('deletion');
  const online = useOnline();
  const [deletion] = useState(() =>
    createDeletion(
      {
        api: deletionApi,
        clock: browserClock,
        signIn: () => askToSignIn({ reason: 'required', next: here() }),
        forgetPerson,
      },
      token,
    ),
  );
  const state = useStore(deletion.$state, { ssr: 'initial' });
  const { auth, status } = useStore($session, { ssr: 'initial' });
  const user = auth?.user ?? null;
  useEffect(() => {
    // The link has served: whoever comes to this device next need not find it.
    if (state.step === 'done') history.replaceState(history.state, '', location.pathname);
  }, [state.step]);

  if (state.step === 'done') return <Done subscription={state.subscription} />;
  if (state.step === 'unsure') return <Unsure />;
  if (status === 'known' && (user === null || user.is_anonymous)) return <NoAccount guest={user !== null} />;
  return (
    <div className="mt-4 flex flex-col gap-4">
      {online ? null : (
        <p role="status" className="border-s-2 border-state ps-3">
          {words('offline')}
        </p>
      )}
      {state.step === 'ask' ? <AskForLink deletion={deletion} /> : null}
      {state.step === 'sent' ? <Sent deletion={deletion} state={state} /> : null}
      {state.step === 'confirm' ? (
        <Confirm deletion={deletion} state={state} token={token ?? ''} user={user} />
      ) : null}
      {state.step === 'invalid' ? <Invalid deletion={deletion} /> : null}
    </div>
  );
}

/** A step with its title, which has the focus when one has come to it. */
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

function Sent({
  deletion,
  state: { sent, mayAskAgain, busy, failure },
}: {
  deletion: Deletion;
  state: DeletionState;
}) {
  const words = useWords('deletion');
  const lang = useLang();
  if (sent === null) return null;
  const { email, newFrom } = sent;
  return (
    <Step title={words('sentTitle')}>
      <p className="break-words">{words('sentText', { email })}</p>
      <p className="text-text-quiet">
        {mayAskAgain
          ? words('sentAgain')
          : words('sentWait', { time: formatTime(new Date(newFrom).toISOString(), lang) })}
      </p>
      <Trouble failure={failure} />
      <div className="flex flex-wrap gap-3">
        {mayAskAgain ? (
          <button
            type="button"
            className={SECONDARY}
            disabled={busy}
            onClick={() => void deletion.request(email)}
          >
            {words('sendAgain')}
          </button>
        ) : null}
        <a className={SECONDARY} href="/account">
          {words('keep')}
        </a>
      </div>
    </Step>
  );
}

function Confirm({
  deletion,
  state: { busy, failure },
  token,
  user,
}: {
  deletion: Deletion;
  state: DeletionState;
  token: string;
  user: SessionUser | null;
}) {
  const words = useWords('deletion');
  const email = user?.email ?? '';
  return (
    <Step title={words('confirmTitle')} arrived={false}>
      <p className="break-words">{words('confirmText', { email })}</p>
      {/* To everybody: a subscription that rests may be taken up again, and has given its plan away. */}
      <p>{words('confirmMembership')}</p>
      <p className="font-medium">{words('copyTitle')}</p>
      <a className="link" href="/api/account/export" download>
        {words('copy')}
      </a>
      <Trouble failure={failure} common={words('failed')} />
      <p role="status" className={busy ? '' : 'sr-only'}>
        {busy ? words('deleting') : ''}
      </p>
      <div className="flex flex-wrap gap-3">
        <button
          type="button"
          className={`${SECONDARY} button-harm`}
          disabled={busy || email === ''}
          onClick={() => void deletion.confirm(token)}
        >
          {words('confirm')}
        </button>
        <a className={SECONDARY} href="/account">
          {words('keep')}
        </a>
      </div>
    </Step>
  );
}

function Invalid({ deletion }: { deletion: Deletion }) {
  const words = useWords('deletion');
  return (
    <Step title={words('invalidTitle')}>
      <p>{words('invalidText')}</p>
      <div className="flex flex-wrap gap-3">
        <button type="button" className={SECONDARY} onClick={() => deletion.startOver()}>
          {words('newLink')}
        </button>
        <a className={SECONDARY} href="/account">
          {words('keep')}
        </a>
      </div>
    </Step>
  );
}

function Done({ subscription }: Pick<DeletionState, 'subscription'>) {
  const words = useWords('deletion');
  const lang = useLang();
  return (
    <div className="mt-4">
      <Step title={words('doneTitle')}>
        {subscription === null ? null : (
          <p className="break-words">
            {words(subscription.status === 'cancelled' ? 'doneCancelled' : 'doneExpired', {
              id: subscription.id,
              // The same day as in the mail, which does not know its reader's time zone.
              date: formatDate(subscription.paid_until, lang, { zone: 'UTC' }),
            })}
          </p>
        )}
        <p>{words('doneText')}</p>
        <a className={PRIMARY} href="/">
          {words('home')}
        </a>
      </Step>
    </div>
  );
}

function Unsure() {
  const words = useWords('deletion');
  return (
    <div className="mt-4">
      <Step title={words('unsureTitle')}>
        <p>{words('unsureText')}</p>
        <a className={PRIMARY} href="/">
          {words('home')}
        </a>
      </Step>
    </div>
  );
}

/** Nobody with an account is here: the page asks for them, and they may come back to it after they refused. */
function NoAccount({ guest }: { guest: boolean }) {
  const words = useWords('deletion');
  return (
    <div className="mt-4 flex flex-col items-start gap-4">
      <p>{words(guest ? 'guestText' : 'loginText')}</p>
      <button
        type="button"
        className={PRIMARY}
        onClick={() => openSignIn({ reason: 'required', next: here() })}
      >
        {words('logIn')}
      </button>
    </div>
  );
}
