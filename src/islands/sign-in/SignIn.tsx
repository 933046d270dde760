import { useStore } from '@nanostores/react';
import { useEffect, useId, useRef } from 'react';
import { BRAND } from '../../config.ts';
import { failureSentence } from '../shared/errors.ts';
import { Dictionaries, useLang, useWords, type Dictionary } from '../shared/i18n.tsx';
import { BackIcon, CloseIcon } from '../shared/icons.tsx';
import { Modal } from '../shared/Modal.tsx';
import { $session } from '../shared/session-state.ts';
import { FIELD, ICON, LINK, PRIMARY, SECONDARY } from '../shared/styles.ts';
import { isGmailAddress } from './address.ts';
import { CodeStep } from './CodeStep.tsx';
import { emailSubmitRests, signInJourney as journey } from './sign-in-journey.ts';
import { $signIn, type SignInNotice } from './sign-in-state.ts';

/** The sign-in modal. It sleeps on every page until `openSignIn` wakes it. */
export function SignIn({ lang, dictionary }: { lang: string; dictionary: Dictionary<'signin' | 'errors'> }) {
  return (
    <Dictionaries lang={lang} dictionary={dictionary}>
      <SignInModal />
    </Dictionaries>
  );
}

const TITLES = { choice: 'choiceTitle', email: 'emailTitle', code: 'codeTitle' } as const;

function SignInModal() {
  const { open, step, notice } = useStore($signIn, { ssr: 'initial' });
  const words = useWords('signin');
  const titleId = useId();
  const wasOpen = useRef(false);
  useEffect(() => {
    // What opened the modal may be gone by now, such as a button for those who are not logged in.
    if (!open && wasOpen.current && document.activeElement === document.body) {
      document.getElementById('main')?.focus({ preventScroll: true });
    }
    wasOpen.current = open;
  }, [open]);
  return (
    <Modal
      open={open}
      onClose={journey.close}
      labelledBy={titleId}
      className="m-auto max-h-[calc(100dvh-2rem)] w-[min(26rem,calc(100vw-2rem))] overflow-y-auto rounded-lg border border-line bg-surface p-6 shadow-2xl"
    >
      <header className="-mt-2 mb-4 flex items-center gap-1">
        {step === 'choice' ? null : (
          <button type="button" className={`${ICON} -ms-3`} aria-label={words('back')} onClick={journey.back}>
            <BackIcon />
          </button>
        )}
        <h2 id={titleId} className="font-serif text-2xl">
          {words(TITLES[step], { brand: BRAND.name })}
        </h2>
        <button
          type="button"
          className={`${ICON} ms-auto -me-3`}
          aria-label={words('close')}
          onClick={journey.close}
        >
          <CloseIcon />
        </button>
      </header>
      {step === 'choice' ? <ChoiceStep /> : null}
      {step === 'email' ? <EmailStep /> : null}
      {step === 'code' ? <CodeStep /> : null}
      <NoticeLine notice={notice} />
    </Modal>
  );
}

function ChoiceStep() {
  const { options, busy } = useStore($signIn);
  const { auth } = useStore($session);
  const words = useWords('signin');
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => first.current?.focus(), []);
  const isGuest = auth?.user?.is_anonymous === true;
  return (
    <div className="flex flex-col gap-3">
      {options.reason ? <p className="mb-1 text-text-quiet">{words(`reason_${options.reason}`)}</p> : null}
      <button ref={first} type="button" className={PRIMARY} disabled={busy} onClick={journey.chooseEmail}>
        {words('withEmail')}
      </button>
      {isGuest ? (
        <p className="text-sm text-text-quiet">{words('guestKeeps')}</p>
      ) : (
        <>
          <button
            type="button"
            className={SECONDARY}
            disabled={busy}
            onClick={() => void journey.continueAsGuest()}
          >
            {words('asGuest')}
          </button>
          <p className="text-sm text-text-quiet">{words('guestNote')}</p>
        </>
      )}
      <p className="mt-2 text-sm text-text-quiet">
        {words('agree')}{' '}
        <a className={LINK} href="/terms">
          {words('terms')}
        </a>{' '}
        ·{' '}
        <a className={LINK} href="/privacy">
          {words('privacy')}
        </a>
      </p>
    </div>
  );
}

function EmailStep() {
  const { email, busy, notice } = useStore($signIn);
  const words = useWords('signin');
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  useEffect(() => field.current?.focus(), []);
  const gmail = isGmailAddress(email);
  const hints = [`${id}-note`, ...(gmail ? [`${id}-gmail`] : [])].join(' ');
  return (
    <form
      noValidate
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        void journey.submitEmail();
      }}
    >
      <label htmlFor={id} className="font-medium">
        {words('emailLabel')}
      </label>
      <input
        ref={field}
        id={id}
        type="email"
        name="email"
        autoComplete="email"
        inputMode="email"
        enterKeyHint="send"
        className={`${FIELD} w-full px-3 py-2`}
        value={email}
        aria-describedby={hints}
        aria-invalid={gmail || notice?.code === 'invalid_email'}
        onChange={(event) => journey.typeEmail(event.target.value)}
      />
      <p id={`${id}-note`} className="text-sm text-text-quiet">
        {words('emailNote')}
      </p>
      <p id={`${id}-gmail`} role="status" className="text-sm text-harm empty:hidden">
        {gmail ? words('gmailWarning') : null}
      </p>
      <button type="submit" className={PRIMARY} disabled={emailSubmitRests({ email, busy })} aria-busy={busy}>
        {words(busy ? 'sendingCode' : 'sendCode')}
      </button>
    </form>
  );
}

function NoticeLine({ notice }: { notice: SignInNotice | null }) {
  const errors = useWords('errors');
  const lang = useLang();
  return (
    <p
      role={notice?.tone === 'info' ? 'status' : 'alert'}
      className={`mt-4 text-sm empty:hidden ${notice?.tone === 'info' ? 'text-state' : 'text-harm'}`}
    >
      {notice ? failureSentence(notice, errors, lang) : null}
    </p>
  );
}
