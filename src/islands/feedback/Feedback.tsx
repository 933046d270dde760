import { useStore } from '@nanostores/react';
import { useEffect, useId, useRef } from 'react';
import { TEXT_LIMITS } from '../../config/text-limits.ts';
import { FieldWithCounter, getDescriptionIds } from '../shared/ui/FieldWithCounter.tsx';
import { formatFailure } from '../shared/errors.ts';
import { TranslationProvider, type Dictionary, useLang, useTranslate } from '../shared/i18n.tsx';
import { FIELD, PRIMARY, SECONDARY } from '../shared/styles.ts';
import { feedbackStore, type FeedbackState, validateMessage } from './feedback-state.ts';
import '../admin/admin-layout.css';

/** The feedback form; works without an account. */
export function FeedbackPage({
  lang,
  dictionary,
}: {
  lang: string;
  dictionary: Dictionary<'feedback' | 'errors'>;
}) {
  return (
    <TranslationProvider lang={lang} dictionary={dictionary}>
      <FeedbackView />
    </TranslationProvider>
  );
}

function FeedbackView() {
  const state = useStore(feedbackStore.$feedback, { ssr: 'initial' });
  useEffect(() => feedbackStore.restoreDraft(), []);
  return state.status === 'sent' ? <FeedbackSent /> : <FeedbackForm state={state} />;
}

function FeedbackSent() {
  const words = useTranslate('feedback');
  const statusElement = useRef<HTMLDivElement>(null);
  useEffect(() => statusElement.current?.focus(), []);
  return (
    <div
      ref={statusElement}
      role="status"
      tabIndex={-1}
      className="flex flex-col items-start gap-3 outline-none"
    >
      <h2>{words('sentTitle')}</h2>
      <p>{words('sentText')}</p>
      <button type="button" className={SECONDARY} onClick={feedbackStore.startAgain}>
        {words('sendMore')}
      </button>
    </div>
  );
}

function FeedbackForm({ state }: { state: FeedbackState }) {
  const words = useTranslate('feedback');
  const errors = useTranslate('errors');
  const lang = useLang();
  const id = useId();
  const message = useRef<HTMLTextAreaElement>(null);
  const { failure } = state;
  const sending = state.status === 'sending';
  const limit = TEXT_LIMITS.feedback;
  const used = state.message.length;
  const trouble = validateMessage(state);
  const badAddress = failure?.fields?.['email'] !== undefined;
  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        void feedbackStore.send();
        if (validateMessage(feedbackStore.$feedback.get()) !== null) message.current?.focus();
      }}
    >
      <FieldWithCounter
        id={`${id}-message`}
        label={words('messageLabel')}
        length={words('textLength', { used, limit })}
        over={used > limit}
        note={words('messageNote')}
        wrong={trouble === null ? null : words(`message_${trouble}`, { limit })}
      >
        <textarea
          ref={message}
          id={`${id}-message`}
          rows={8}
          dir="auto"
          autoComplete="off"
          className={`${FIELD} resize-y`}
          value={state.message}
          readOnly={sending}
          aria-required
          aria-invalid={trouble !== null}
          aria-describedby={getDescriptionIds(`${id}-message`)}
          onChange={(event) => feedbackStore.write({ message: event.target.value })}
        />
      </FieldWithCounter>
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
          onChange={(event) => feedbackStore.write({ email: event.target.value })}
        />
        <p id={`${id}-email-note`} className="text-sm text-text-quiet">
          {words('emailNote')}
        </p>
        <p id={`${id}-email-wrong`} role="status" className="text-sm text-danger empty:hidden">
          {badAddress ? errors('invalid_email') : null}
        </p>
      </div>
      <div role="alert" className="empty:hidden">
        {failure === null || badAddress ? null : (
          <>
            <p className="text-danger">{formatFailure(failure, errors, lang)}</p>
            <p className="text-text-quiet">{words('textKept')}</p>
          </>
        )}
      </div>
      <button type="submit" className={`${PRIMARY} self-start`} disabled={sending} aria-busy={sending}>
        {words(sending ? 'sending' : 'send')}
      </button>
    </form>
  );
}
