import { useStore } from '@nanostores/react';
import { failureSentence } from '../shared/errors.ts';
import { useLang, useWords } from '../shared/i18n.tsx';
import { PRIMARY, SECONDARY } from '../shared/styles.ts';
import { useChat } from './chat-context.ts';

/** Stands in the place of the messages when there are none to show: what happened, and what to do. */
export function ChatTrouble({ characterId }: { characterId: string | null }) {
  const chat = useChat();
  const { phase, problem, startingNew, notice } = useStore(chat.$chat);
  const words = useWords('chat');
  const errors = useWords('errors');
  const lang = useLang();
  const discover = (
    <a className={SECONDARY} href={`/${lang}/discover`}>
      {words('toDiscover')}
    </a>
  );
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
            {discover}
          </p>
        </>
      ) : null}
      {phase === 'signed-out' ? (
        <>
          <h2 className="font-serif text-2xl">{words('signedOutTitle')}</h2>
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
