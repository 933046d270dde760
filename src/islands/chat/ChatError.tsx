import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import { TRASH } from '../../features/character/limits.ts';
import { formatFailure } from '../shared/errors.ts';
import { useLang, useTranslate } from '../shared/i18n.tsx';
import { PRIMARY, SECONDARY } from '../shared/styles.ts';
import { useChat } from './chat-context.ts';
import { openChatDialog } from './dialogs/dialog-state.ts';
import { restoreLostFocus } from './messages/message-focus.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Replaces the messages when there are none to show: what happened, and what the user can do. */
export function ChatError({ characterId }: { characterId: string | null }) {
  const chat = useChat();
  const { phase, problem, conversation, startingNew, notice, trashedUntil } = useStore(chat.$chat);
  const words = useTranslate('chat');
  const errors = useTranslate('errors');
  const lang = useLang();
  const discover = (
    <a className={SECONDARY} href={`/${lang}/discover`}>
      {words('findCharacter')}
    </a>
  );
  const deletedChats = (
    <button
      type="button"
      className={SECONDARY}
      aria-haspopup="dialog"
      onClick={() => openChatDialog('deleted')}
    >
      {words('deletedChatsTitle')}
    </button>
  );
  const [openedAt] = useState(Date.now);
  useFocusRestore(phase, conversation !== null);
  return (
    <div
      role="alert"
      className="mx-auto flex w-full max-w-prose flex-1 flex-col justify-center gap-4 px-4 py-10"
    >
      {phase === 'failed' ? (
        <>
          <h2 className="font-serif text-2xl">
            {formatFailure(problem ?? { code: 'chat_history_failed', error: '' }, errors, lang)}
          </h2>
          <p className="text-text-quiet">{words('loadFailedNote')}</p>
          <p className="flex flex-wrap gap-3">
            <button type="button" className={PRIMARY} onClick={() => void chat.reload()}>
              {words('tryAgain')}
            </button>
            {discover}
          </p>
        </>
      ) : null}
      {phase === 'deleted' ? (
        <>
          <h2 className="font-serif text-2xl">{words('inTrashTitle')}</h2>
          <p className="text-text-quiet">
            {words('inTrashText', { count: countDaysUntil(trashedUntil, openedAt) })}
          </p>
          <p className="flex flex-wrap gap-3">
            <button type="button" className={PRIMARY} onClick={() => void chat.bringBack()}>
              {words('inTrashRestore')}
            </button>
            <button
              type="button"
              className={SECONDARY}
              disabled={startingNew}
              onClick={() => void chat.startNew()}
            >
              {words('newChat')}
            </button>
            {deletedChats}
            {discover}
          </p>
        </>
      ) : null}
      {phase === 'not-found' ? (
        <>
          <h2 className="font-serif text-2xl">{words('notFoundTitle')}</h2>
          <p className="text-text-quiet">{words('notFoundText')}</p>
          <p className="flex flex-wrap gap-3">
            {characterId ? (
              <button
                type="button"
                className={PRIMARY}
                disabled={startingNew}
                onClick={() => void chat.startNew()}
              >
                {words('newChat')}
              </button>
            ) : null}
            <CheckAgainButton />
            {deletedChats}
            {discover}
          </p>
        </>
      ) : null}
      {phase === 'signed-out' ? (
        <>
          <h2 className="font-serif text-2xl">{words('loggedOutTitle')}</h2>
          <p className="text-text-quiet">{words('loggedOutText')}</p>
          <p className="flex flex-wrap gap-3">
            <button type="button" className={PRIMARY} onClick={() => void chat.restart()}>
              {words('logIn')}
            </button>
            {discover}
          </p>
        </>
      ) : null}
      {notice ? <p className="text-danger">{formatFailure(notice, errors, lang)}</p> : null}
    </div>
  );
}

/** Days left until a time, rounded up, at least 1. The full retention time of the trash when the time is unknown. */
function countDaysUntil(time: string | null, now: number): number {
  const left = time === null ? TRASH.retentionMs : Date.parse(time) - now;
  return Math.max(1, Math.ceil(left / DAY_MS));
}

/** Checks whether the conversation was restored, and says so when it was not. */
function CheckAgainButton() {
  const chat = useChat();
  const words = useTranslate('chat');
  const [isChecking, setChecking] = useState(false);
  const [isStillMissing, setStillMissing] = useState(false);
  return (
    <>
      <button
        type="button"
        className={SECONDARY}
        aria-disabled={isChecking}
        onClick={async () => {
          if (isChecking) return;
          setChecking(true);
          setStillMissing(false);
          await chat.reload();
          setChecking(false);
          setStillMissing(true);
        }}
      >
        {words('notFoundRetry')}
      </button>
      {isStillMissing ? <span className="basis-full text-text-quiet">{words('notFoundStill')}</span> : null}
    </>
  );
}

/** Returns focus to the page when the focused element was removed, in the chat before or on this screen. */
function useFocusRestore(phase: string, afterChat: boolean): void {
  useEffect(() => {
    if (afterChat) restoreLostFocus(null);
    return () => restoreLostFocus(null);
  }, [phase, afterChat]);
}
