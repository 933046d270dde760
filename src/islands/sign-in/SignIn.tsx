import { useStore } from '@nanostores/react';
import { useEffect, useId, useRef, type RefObject } from 'react';
import { BRAND } from '../../config/brand.ts';
import { MINIMUM_AGE, RECENT_LOGIN_MS } from '../../features/account/limits.ts';
import { DialogHead, PANEL } from '../shared/ui/DialogHead.tsx';
import { formatFailure } from '../shared/errors.ts';
import { LazyMessages } from '../shared/ui/LazyMessages.tsx';
import type { DictionaryUrls } from '../shared/load-messages.ts';
import { useLang, useTranslate } from '../shared/i18n.tsx';
import { DialogIcon } from '../shared/ui/DialogIcon.tsx';
import { Modal } from '../shared/ui/Modal.tsx';
import { useReturnFocus } from '../shared/ui/return-focus.ts';
import { $session } from '../shared/session-state.ts';
import { ICON, LINK, PRIMARY, SECONDARY } from '../shared/styles.ts';
import { hasPasskeys } from './has-passkeys.ts';
import { LazyEmailSteps } from './LazyEmailSteps.tsx';
import { signInFlow as journey } from './sign-in-flow.ts';
import { $signIn, type GoogleSignInConfig, type SignInNotice } from './sign-in-state.ts';

interface Props {
  lang: string;
  words: DictionaryUrls<'signin' | 'errors'>;
  google?: GoogleSignInConfig | null;
}

/** The sign-in modal. Its island is on every page and hydrates when `openSignIn` opens it. */
export function SignIn({ lang, words, google }: Props) {
  return (
    <LazyMessages name="sign-in" lang={lang} files={words} onFailure={journey.close}>
      <SignInModal google={google} />
    </LazyMessages>
  );
}

const MINUTE_MS = 60_000;

const TITLE_KEYS = { choice: 'choiceTitle', email: 'emailTitle', code: 'codeTitle' } as const;

type GoogleOption = { google: GoogleSignInConfig | null | undefined };

function SignInModal({ google }: GoogleOption) {
  const { open, options, step, notice } = useStore($signIn, { ssr: 'initial' });
  const words = useTranslate('signin');
  const titleId = useId();
  // A new user is signed in already and sees the onboarding dialog instead.
  const shown = open && step !== 'onboarding';
  const isAgain = step === 'choice' && options.methods !== undefined;
  // An account that Google does not know cannot log in again with it, not even with a Gmail address.
  const canUseGoogle = options.methods?.includes('google') ?? true;
  useReturnFocus(open);
  return (
    <Modal
      open={shown}
      onClose={journey.close}
      labelledBy={titleId}
      className={options.keepsPageReadable ? `${PANEL} mb-4` : PANEL}
    >
      <DialogHead
        titleId={titleId}
        title={
          step === 'onboarding' ? '' : words(isAgain ? 'againTitle' : TITLE_KEYS[step], { brand: BRAND.name })
        }
        before={
          step === 'choice' ? null : (
            <button
              type="button"
              className={`${ICON} -ms-3 -mt-2`}
              aria-label={words('back')}
              onClick={journey.back}
            >
              <DialogIcon name="back" />
            </button>
          )
        }
        after={
          <button
            type="button"
            className={`${ICON} -me-3 -mt-2`}
            aria-label={words('close')}
            onClick={journey.close}
          >
            <DialogIcon name="close" />
          </button>
        }
      />
      {isAgain ? <AgainStep google={google} /> : null}
      {step === 'choice' && !isAgain ? <ChoiceStep google={google} /> : null}
      {step === 'email' || step === 'code' ? (
        <LazyEmailSteps google={google != null && canUseGoogle} />
      ) : null}
      <NoticeLine notice={notice} />
    </Modal>
  );
}

function ChoiceStep({ google }: GoogleOption) {
  const { options, busy } = useStore($signIn);
  const { auth } = useStore($session);
  const words = useTranslate('signin');
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    first.current?.focus();
    if (google && options.google) void journey.continueWithGoogle(google);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- an earlier press of the Google button counts once
  }, []);
  const isGuest = auth?.user?.is_anonymous === true;
  const guestFirst = options.guestFirst === true && !isGuest;
  const hasAccountOptions = (
    <>
      {google ? <GoogleButton ref={guestFirst ? null : first} google={google} /> : null}
      <button
        ref={guestFirst || google ? null : first}
        type="button"
        className={guestFirst || google ? SECONDARY : PRIMARY}
        disabled={busy}
        onClick={() => void journey.chooseEmail()}
      >
        {words('continueWithEmail')}
      </button>
      <PasskeyButton look={SECONDARY} />
    </>
  );
  // Another press would be refused again.
  const isGuestRefused = options.trouble === 'too_many_guests';
  const guestButton = isGuestRefused ? null : isGuest ? (
    <p className="text-sm text-text-quiet">{words('guestDataKept')}</p>
  ) : (
    <>
      <button
        ref={guestFirst ? first : null}
        type="button"
        className={guestFirst ? PRIMARY : SECONDARY}
        disabled={busy}
        onClick={() => void journey.continueAsGuest()}
      >
        {words('continueAsGuest')}
      </button>
      <p className="text-sm text-text-quiet">{words('guestNote')}</p>
    </>
  );
  return (
    <div className="flex flex-col gap-3">
      {options.reason ? <p className="mb-1 text-text-quiet">{words(`reason_${options.reason}`)}</p> : null}
      {guestFirst ? guestButton : hasAccountOptions}
      {guestFirst ? hasAccountOptions : guestButton}
      <div className="mt-2 text-sm text-text-quiet">
        <p>{words('agreement', { age: MINIMUM_AGE })}</p>
        <p className="flex flex-wrap gap-x-6">
          <a className={`${LINK} row-link`} href="/terms">
            {words('terms')}
          </a>
          <a className={`${LINK} row-link`} href="/privacy">
            {words('privacy')}
          </a>
        </p>
      </div>
    </div>
  );
}

/** Opens Google's window. */
function GoogleButton({
  google,
  ref = null,
}: {
  google: GoogleSignInConfig;
  ref?: RefObject<HTMLButtonElement | null> | null;
}) {
  const { busy, atGoogle } = useStore($signIn);
  const words = useTranslate('signin');
  return (
    <button
      ref={ref}
      type="button"
      className="button button-google"
      disabled={busy}
      aria-busy={atGoogle}
      onPointerEnter={() => journey.preloadGoogle(google)}
      onClick={() => void journey.continueWithGoogle(google)}
    >
      <img src="/icons/google.svg" alt="" width={18} height={18} />
      {words(atGoogle ? 'waitingForGoogle' : 'continueWithGoogle')}
    </button>
  );
}

/** Lets the user choose a passkey; nothing in browsers without them. */
function PasskeyButton({ look }: { look: string }) {
  const { busy } = useStore($signIn);
  const words = useTranslate('signin');
  if (!hasPasskeys()) return null;
  return (
    <button type="button" className={look} disabled={busy} onClick={() => void journey.continueWithPasskey()}>
      {words('continueWithPasskey')}
    </button>
  );
}

/** Asks a user who is logged in to log in again, by one of the account's own ways. */
function AgainStep({ google }: GoogleOption) {
  const { options, busy } = useStore($signIn);
  const words = useTranslate('signin');
  const buttons = useRef<HTMLDivElement>(null);
  useEffect(() => buttons.current?.querySelector<HTMLElement>('button, a')?.focus(), []);
  const { reason, methods = [] } = options;
  const hasPasskey = methods.includes('passkey');
  return (
    <div className="flex flex-col gap-3" ref={buttons}>
      <p className="mb-1 text-text-quiet">
        {reason === 'passkey'
          ? words('reason_passkey')
          : words('reason_recent', { minutes: RECENT_LOGIN_MS / MINUTE_MS })}
      </p>
      {hasPasskey ? <PasskeyButton look={PRIMARY} /> : null}
      {methods.includes('code') ? (
        <button
          type="button"
          className={hasPasskey ? SECONDARY : PRIMARY}
          disabled={busy}
          onClick={() => void journey.chooseEmail()}
        >
          {words('continueWithEmail')}
        </button>
      ) : null}
      {google && methods.includes('google') ? <GoogleButton google={google} /> : null}
      {reason === 'passkey' && !hasPasskey ? (
        <a className={PRIMARY} href="/account#passkeys">
          {words('addPasskey')}
        </a>
      ) : null}
    </div>
  );
}

function NoticeLine({ notice }: { notice: SignInNotice | null }) {
  const errors = useTranslate('errors');
  const lang = useLang();
  const line = useRef<HTMLParagraphElement>(null);
  // With a phone's keyboard open, the modal is shorter than its content.
  useEffect(() => {
    if (notice) line.current?.scrollIntoView({ block: 'nearest' });
  }, [notice]);
  return (
    <p
      ref={line}
      role={notice?.tone === 'info' ? 'status' : 'alert'}
      className={`mt-4 text-sm empty:hidden ${notice?.tone === 'info' ? 'text-state' : 'text-danger'}`}
    >
      {notice ? formatFailure(notice, errors, lang) : null}
    </p>
  );
}
