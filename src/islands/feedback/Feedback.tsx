import { useStore } from '@nanostores/react';
import { useEffect, useId, useRef } from 'react';
import { TEXT_LIMITS } from '../../config/text-limits.ts';
import { CountedField, describedBy } from '../shared/ui/FieldWithCounter.tsx';
import { failureSentence } from '../shared/errors.ts';
import { Dictionaries, type Dictionary, useLang, useWords } from '../shared/i18n.tsx';
import { FIELD, PRIMARY, SECONDARY } from '../shared/styles.ts';
import { feedback, type FeedbackState, messageTrouble } from './feedback-state.ts';
import '../admin/admin-layout.css';

/** The form for what one misses and what broke; nobody need be logged in. */
export function Feedback({
  lang,
  dictionary,
}: {
  lang: string;
  dictionary: Dictionary<'feedback' | 'errors'>;
}) {
  return (
    <Dictionaries lang={lang} dictionary={dictionary}>
      <FeedbackView />
    </Dictionaries>
  );
}

function FeedbackView() {
  const state = useStore(feedback.$feedback, { ssr: 'initial' });
  useEffect(() => feedback.recall(), []);
  return state.status === 'sent' ? <Sent /> : <Form state={state} />;
}

function Sent() {
  const words = useWords('feedback');
  const told = useRef<HTMLDivElement>(null);
  useEffect(() => told.current?.focus(), []);
  return (
    <div ref={told} role="status" tabIndex={-1} className="flex flex-col items-start gap-3 outline-none">
      <h2>{words('sentTitle')}</h2>
      <p>{words('sentText')}</p>
      <button type="button" className={SECONDARY} onClick={feedback.again}>
        {words('another')}
      </button>
    </div>
  );
}

function Form({ state }: { state: FeedbackState }) {
  const words = useWords('feedback');
  const errors = useWords('errors');
  const lang = useLang();
  const id = useId();
  const message = useRef<HTMLTextAreaElement>(null);
  const { failure } = state;
  const sending = state.status === 'sending';
  const limit = TEXT_LIMITS.feedback;
  const used = state.message.length;
  const trouble = messageTrouble(state);
  const badAddress = failure?.fields?.['email'] !== undefined;
  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        void feedback.send();
        if (messageTrouble(feedback.$feedback.get()) !== null) message.current?.focus();
      }}
    >
      <CountedField
        id={`${id}-message`}
        label={words('messageLabel')}
        length={words('length', { used, limit })}
        over={used > limit}
        note={words('messageNote')}
        wrong={trouble === null ? null : words(`message_${trouble}`, { limit })}
      >
        <textarea
          ref={message}
          id={`${id}-message`}
          rows={8}
          dir="auto"
          className={`${FIELD} resize-y`}
          value={state.message}
          readOnly={sending}
          aria-required
          aria-invalid={trouble !== null}
          aria-describedby={describedBy(`${id}-message`)}
          onChange={(event) => feedback.write({ message: event.target.value })}
        />
      </CountedField>
      <div className="flex flex-col gap-1">
        <label htmlFor={`${id}-email`} className="font-medium">
          {words('emailLabel')}
        </label>
        <input
          id={`${id}-email`}
          type="email"
          autoComplete="email"
          className={FIELD}
          value={state.email}
          readOnly={sending}
          aria-invalid={badAddress}
          aria-describedby={`${id}-email-wrong ${id}-email-note`}
          onChange={(event) => feedback.write({ email: event.target.value })}
        />
        <p id={`${id}-email-note`} className="text-sm text-text-quiet">
          {words('emailNote')}
        </p>
        <p id={`${id}-email-wrong`} role="status" className="text-sm text-harm empty:hidden">
          {badAddress ? errors('invalid_email') : null}
        </p>
      </div>
      <div role="alert" className="empty:hidden">
        {failure === null || badAddress ? null : (
          <>
            <p className="text-harm">{failureSentence(failure, errors, lang)}</p>
            <p className="text-text-quiet">{words('kept')}</p>
          </>
        )}
      </div>
      <button type="submit" className={`${PRIMARY} self-start`} disabled={sending} aria-busy={sending}>
        {words(sending ? 'sending' : 'send')}
      </button>
    </form>
  );
}
