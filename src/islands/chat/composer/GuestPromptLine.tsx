import { useId, useState } from 'react';
import { TEXT_LIMITS } from '../../../config/text-limits.ts';
import type { SessionUser } from '../../../features/account/contract.ts';
import { api, client, encodePathPart, readJson, type Failure } from '../../shared/api.ts';
import { formatFailure } from '../../shared/errors.ts';
import { useLang, useTranslate } from '../../shared/i18n.tsx';
import { refreshSession } from '../../shared/session-state.ts';
import { FIELD, ICON, SECONDARY } from '../../shared/styles.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import { openSignIn } from '../../sign-in/sign-in-state.ts';
import { useChat, useChatField } from '../chat-context.ts';
import { focusComposer, restoreLostFocus } from '../messages/message-focus.ts';
import { hasCoarsePointer } from '../../shared/ui/has-coarse-pointer.ts';
import { chooseGuestPrompt, readPromptHistory, saveLogInDismissed, saveNameSettled } from './guest-prompt.ts';

/** One quiet line above a guest's composer: the question for a name, or the offer to log in. */
export function GuestPromptLine({ user, replyCount }: { user: SessionUser; replyCount: number }) {
  const conversation = useChatField('conversation');
  const [history, setHistory] = useState(readPromptHistory);
  const [now] = useState(Date.now);
  if (conversation === null) return null;
  const hasPersona = conversation.persona !== null;
  const prompt = chooseGuestPrompt({ user, replyCount, hasPersona, history, now });
  if (prompt === 'name')
    return (
      <NameLine
        conversationId={conversation.id}
        name={conversation.character_name}
        onSettled={() => {
          saveNameSettled();
          setHistory({ ...history, isNameSettled: true });
          moveFocus();
        }}
      />
    );
  if (prompt === 'log-in')
    return (
      <LogInLine
        onDismiss={() => {
          saveLogInDismissed(Date.now());
          setHistory({ ...history, logInDismissedAt: Date.now() });
          moveFocus();
        }}
      />
    );
  return null;
}

/** Moves the focus from the line that closes; into the composer, unless that would open a phone's keyboard. */
function moveFocus(): void {
  if (hasCoarsePointer()) requestAnimationFrame(() => restoreLostFocus(null));
  else focusComposer();
}

/**
 * Saves the name as the user's nickname, and lets the open chat use it.
 * @returns why that failed; null when it is done
 */
async function saveName(conversationId: string, nickname: string): Promise<Failure | null> {
  const saved = await api.changeAccount({ nickname });
  if (!saved.ok) return saved;
  const named = await readJson(
    client.conversations[':id']['own-name'].$put({ param: { id: encodePathPart(conversationId) } }),
  );
  return named.ok ? null : named;
}

function NameLine({
  conversationId,
  name,
  onSettled,
}: {
  conversationId: string;
  name: string;
  /** The name was saved, or the question dismissed. */
  onSettled: () => void;
}) {
  const chat = useChat();
  const words = useTranslate('chat');
  const errors = useTranslate('errors');
  const lang = useLang();
  const id = useId();
  const [nickname, setNickname] = useState('');
  const [isSaving, setSaving] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const text = nickname.trim();
  const isTooLong = text.length > TEXT_LIMITS.nickname;
  const isDisabled = isSaving || text === '' || isTooLong;
  const problem = isTooLong
    ? errors('nickname_too_long')
    : failure === null
      ? null
      : formatFailure(failure, errors, lang);

  const save = async () => {
    if (isDisabled) return;
    setSaving(true);
    const failed = await saveName(conversationId, text);
    setSaving(false);
    if (failed !== null) return setFailure(failed);
    onSettled();
    // Texts with the old name have changed.
    chat.handleHint({ type: 'changed', message_ids: [] });
    await refreshSession();
  };

  return (
    <form
      noValidate
      className="flex flex-wrap items-center gap-x-2 gap-y-1 py-1 text-sm"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <label htmlFor={id} className="min-w-0 flex-1 basis-48 break-words">
        {words('guestNameQuestion', { name })}
      </label>
      <span className="flex min-w-0 flex-1 basis-48 items-center gap-2">
        <input
          id={id}
          name="nickname"
          // oxlint-disable-next-line jsx-a11y/autocomplete-valid -- HTML has this value
          autoComplete="nickname"
          enterKeyHint="done"
          className={`${FIELD} min-w-0 flex-1 px-3 py-2`}
          value={nickname}
          aria-invalid={problem !== null}
          aria-describedby={`${id}-problem`}
          onChange={({ target }) => {
            setNickname(target.value);
            setFailure(null);
          }}
        />
        <button type="submit" className={SECONDARY} disabled={isDisabled} aria-busy={isSaving}>
          {words('guestNameSave')}
        </button>
        <button type="button" className={ICON} aria-label={words('dismiss')} onClick={onSettled}>
          <Icon name="close" />
        </button>
      </span>
      <p id={`${id}-problem`} role="alert" className="basis-full text-danger empty:hidden">
        {problem}
      </p>
    </form>
  );
}

function LogInLine({ onDismiss }: { onDismiss: () => void }) {
  const words = useTranslate('chat');
  return (
    <div role="note" className="flex items-center gap-2 py-1 text-sm">
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-1">
        <p className="min-w-0 flex-1 basis-60 break-words">{words('guestLogInOffer')}</p>
        <button type="button" className={SECONDARY} onClick={() => openSignIn({ reason: 'save' })}>
          {words('logIn')}
        </button>
      </div>
      <button type="button" className={ICON} aria-label={words('dismiss')} onClick={onDismiss}>
        <Icon name="close" />
      </button>
    </div>
  );
}
