import { useStore } from '@nanostores/react';
import { useEffect, useId, useRef, useState } from 'react';
import { APPEAL_LIMITS } from '../../features/safety/limits.ts';
import type { RefusedPlace } from '../../features/moderation/appeal-contract.ts';
import type { RefusalRule } from '../../features/safety/moderation.ts';
import { client, readJson, type Failure } from '../shared/api.ts';
import { FieldWithCounter, getDescriptionIds } from '../shared/ui/FieldWithCounter.tsx';
import { formatFailure } from '../shared/errors.ts';
import { useLang, useTranslate } from '../shared/i18n.tsx';
import { useOnline } from '../shared/online.ts';
import { $session } from '../shared/session-state.ts';
import { FIELD, QUIET, SECONDARY } from '../shared/styles.ts';

/** Content that moderation refused. */
export interface RefusedContent {
  place: RefusedPlace;
  rule: RefusalRule;
  /** The refused text, which the appeal contains. */
  text: string;
  /** Token from the refusal; proves to the server that it refused this text. */
  token?: string;
  /** A reply of a conversation, which the server looks up itself. */
  reply?: { conversationId: string; messageId: string };
}

/** Whether the user has no account page yet, where answers are shown. */
const useIsGuest = (): boolean => useStore($session, { ssr: 'initial' }).auth?.user?.is_anonymous === true;

/** A button and short form to appeal against a refusal. Not a `<form>`, so that it can be used inside one. */
export function AppealPrompt({ refused }: { refused: RefusedContent }) {
  const words = useTranslate('errors');
  const isGuest = useIsGuest();
  const [step, setStep] = useState<'closed' | 'writing' | 'sending' | 'sent'>('closed');
  const [message, setMessage] = useState('');
  const [failure, setFailure] = useState<Failure | null>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const said = useRef<HTMLParagraphElement>(null);
  const previouslyOpen = useRef(false);
  useEffect(() => {
    // The focused control was removed with the previous step.
    if (step === 'sent') said.current?.focus();
    if (step === 'closed' && previouslyOpen.current) opener.current?.focus();
    previouslyOpen.current = step !== 'closed';
  }, [step]);

  const send = async () => {
    setStep('sending');
    setFailure(null);
    const answer = await readJson(
      client.appeals.$post({
        json: {
          place: refused.place,
          rule: refused.rule,
          refused_text: refused.text.slice(0, APPEAL_LIMITS.maxRefusedTextChars).toWellFormed(),
          ...(refused.token === undefined ? {} : { appeal_token: refused.token }),
          ...(refused.reply === undefined
            ? {}
            : { conversation_id: refused.reply.conversationId, message_id: refused.reply.messageId }),
          message,
        },
      }),
    );
    if (answer.ok) return setStep('sent');
    setFailure(answer);
    setStep('writing');
  };

  if (step === 'sent')
    return (
      <p ref={said} role="status" tabIndex={-1} className="text-sm">
        {words(isGuest ? 'appeal_sent_guest' : 'appeal_sent')}
      </p>
    );
  if (step === 'closed')
    return (
      <button ref={opener} type="button" className={`${QUIET} w-fit`} onClick={() => setStep('writing')}>
        {words('appeal_open')}
      </button>
    );
  return (
    <AppealTextForm
      {...{ message, setMessage, failure }}
      busy={step === 'sending'}
      send={() => void send()}
      leave={() => setStep('closed')}
    />
  );
}

/** The appeal's text field and buttons. */
export function AppealTextForm({
  message,
  setMessage,
  failure,
  busy,
  send,
  leave,
}: {
  message: string;
  setMessage: (message: string) => void;
  failure: Failure | null;
  busy: boolean;
  send: () => void;
  leave: () => void;
}) {
  const words = useTranslate('errors');
  const lang = useLang();
  const online = useOnline();
  const isGuest = useIsGuest();
  const id = useId();
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => box.current?.focus(), []);
  const used = message.trim().length;
  const over = used > APPEAL_LIMITS.maxMessageChars;
  const cannot = busy || !online || over || used === 0;
  return (
    <div role="group" aria-labelledby={id} className="flex flex-col gap-2">
      <FieldWithCounter
        id={id}
        label={words('appeal_label')}
        length={words('appeal_text_length', { used, limit: APPEAL_LIMITS.maxMessageChars })}
        over={over}
        note={words(online ? (isGuest ? 'appeal_note_guest' : 'appeal_note') : 'network')}
        wrong={failure === null ? null : formatFailure(failure, words, lang)}
      >
        <textarea
          ref={box}
          id={id}
          rows={3}
          dir="auto"
          className={`${FIELD} w-full resize-y`}
          value={message}
          aria-invalid={over}
          aria-describedby={getDescriptionIds(id)}
          onChange={({ target }) => setMessage(target.value)}
        />
      </FieldWithCounter>
      <div className="flex flex-wrap gap-3">
        <button
          type="button"
          className={SECONDARY}
          aria-busy={busy}
          aria-disabled={cannot}
          onClick={() => (cannot ? box.current?.focus() : send())}
        >
          {words(busy ? 'appeal_sending' : 'appeal_send')}
        </button>
        <button type="button" className={QUIET} onClick={leave}>
          {words('appeal_cancel')}
        </button>
      </div>
    </div>
  );
}
