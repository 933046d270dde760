import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import { TRASH } from '../../features/character/limits.ts';
import { failureSentence } from '../shared/errors.ts';
import { useLang, useWords } from '../shared/i18n.tsx';
import { PRIMARY, SECONDARY } from '../shared/styles.ts';
import { useChat } from './chat-context.ts';
import { openFrame } from './dialogs/dialog-state.ts';
import { rescueFocus } from './messages/message-focus.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Stands in the place of the messages when there are none to show: what happened, and what to do. */
export function ChatTrouble({ characterId }: { characterId: string | null }) {
  const chat = useChat();
  const { phase, problem, conversation, startingNew, notice, trashedUntil } = useStore(chat.$chat);
  const words = useWords('chat');
  const errors = useWords('errors');
  const lang = useLang();
  const discover = (
    <a className={SECONDARY} href={`/${lang}/discover`}>
      {words('toDiscover')}
    </a>
  );
  const deletedChats = (
    <button type="button" className={SECONDARY} aria-haspopup="dialog" onClick={() => openFrame('deleted')}>
      {words('deletedChats')}
    </button>
  );
  const [openedAt] = useState(Date.now);
  useFocusKept(phase, conversation !== null);
  return (
    <div
      role="alert"
      className="mx-auto flex w-full max-w-prose flex-1 flex-col justify-center gap-4 px-4 py-10"
    >
      {phase === 'failed' ? (
        <>
          <h2 className="font-serif text-2xl">
            {failureSentence(problem ?? { code: 'chat_history_failed', error: '' }, errors, lang)}
          </h2>
          <p className="text-text-quiet">{words('failedSafe')}</p>
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
          <h2 className="font-serif text-2xl">{words('deletedTitle')}</h2>
          <p className="text-text-quiet">
            {words('deletedText', { count: daysUntil(trashedUntil, openedAt) })}
          </p>
          <p className="flex flex-wrap gap-3">
            <button type="button" className={PRIMARY} onClick={() => void chat.bringBack()}>
              {words('takeItBack')}
            </button>
            <button
              type="button"
              className={SECONDARY}
              disabled={startingNew}
              onClick={() => void chat.startNew()}
            >
              {words('newConversation')}
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
                {words('newConversation')}
              </button>
            ) : null}
            <LookAgain />
            {deletedChats}
            {discover}
          </p>
        </>
      ) : null}
      {phase === 'signed-out' ? (
        <>
          <h2 className="font-serif text-2xl">{words('signedOutTitle')}</h2>
          <p className="text-text-quiet">{words('signedOutText')}</p>
          <p className="flex flex-wrap gap-3">
            <button type="button" className={PRIMARY} onClick={() => void chat.restart()}>
              {words('signIn')}
            </button>
            {discover}
          </p>
        </>
      ) : null}
      {notice ? <p className="text-harm">{failureSentence(notice, errors, lang)}</p> : null}
    </div>
  );
}

/** How many days are left until a time, begun ones with them; the whole time in the trash where none is known. */
function daysUntil(time: string | null, now: number): number {
  const left = time === null ? TRASH.keptMs : Date.parse(time) - now;
  return Math.max(1, Math.ceil(left / DAY_MS));
}

/** Looks whether the conversation is back, and says when it is not. */
function LookAgain() {
  const chat = useChat();
  const words = useWords('chat');
  const [looks, setLooks] = useState(false);
  const [inVain, setInVain] = useState(false);
  return (
    <>
      <button
        type="button"
        className={SECONDARY}
        aria-disabled={looks}
        onClick={async () => {
          if (looks) return;
          setLooks(true);
          setInVain(false);
          await chat.reload();
          setLooks(false);
          setInVain(true);
        }}
      >
        {words('lookAgain')}
      </button>
      {inVain ? <span className="basis-full text-text-quiet">{words('stillNotHere')}</span> : null}
    </>
  );
}

/** Whoever was at something that is gone, in the chat before or here, reads on with the page itself. */
function useFocusKept(phase: string, afterChat: boolean): void {
  useEffect(() => {
    if (afterChat) rescueFocus(null);
    return () => rescueFocus(null);
  }, [phase, afterChat]);
}
