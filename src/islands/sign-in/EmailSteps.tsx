import { useStore } from '@nanostores/react';
import { useEffect, useId, useRef } from 'react';
import { useTranslate } from '../shared/i18n.tsx';
import { FIELD, PRIMARY } from '../shared/styles.ts';
import { CodeStep } from './CodeStep.tsx';
import {
  codeFlow as journey,
  isEmailSubmitDisabled,
  shouldUseGoogle,
  type GoogleOption,
} from './code-flow.ts';
import { $signIn } from './sign-in-state.ts';

/** Sign-in by email code: the address, then the code. */
export function EmailSteps({ google }: GoogleOption) {
  return useStore($signIn).step === 'email' ? <EmailStep google={google} /> : <CodeStep />;
}

function EmailStep({ google }: GoogleOption) {
  const { email, busy, notice } = useStore($signIn);
  const words = useTranslate('signin');
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  useEffect(() => field.current?.focus(), []);
  const gmail = shouldUseGoogle(email, { google });
  const hints = [`${id}-note`, ...(gmail ? [`${id}-gmail`] : [])].join(' ');
  return (
    <form
      noValidate
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        void journey.submitEmail({ google });
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
        onChange={(event) => journey.setEmail(event.target.value)}
      />
      <p id={`${id}-note`} className="text-sm text-text-quiet">
        {words('emailNote')}
      </p>
      <p id={`${id}-gmail`} role="status" className="text-sm text-danger empty:hidden">
        {gmail ? words('gmailWarningGoogle') : null}
      </p>
      <button
        type="submit"
        className={PRIMARY}
        disabled={isEmailSubmitDisabled({ email, busy }, { google })}
        aria-busy={busy}
      >
        {words(busy ? 'sendingCode' : 'sendCode')}
      </button>
    </form>
  );
}
