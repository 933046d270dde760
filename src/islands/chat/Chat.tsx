import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import type { CharacterDetail } from '../../features/character/contract.ts';
import { failureSentence } from '../shared/errors.ts';
import { Dictionaries, useLang, useWords, type Dictionary } from '../shared/i18n.tsx';
import { browserChat, wakeWithPage } from './browser-chat.ts';
import { ChatBar } from './ChatBar.tsx';
import { ChatContext, useChat } from './chat-context.ts';
import { ChatTrouble } from './ChatTrouble.tsx';
import { Composer } from './Composer.tsx';
import { MessageList } from './MessageList.tsx';
import { loadModels } from './models-state.ts';
import { withoutMarks } from './roleplay-marks.ts';

/** What the page may know of the character before the conversation is loaded. */
export type ChatFace = Pick<CharacterDetail, 'id' | 'name' | 'avatar_url'>;

/** The chat: of a conversation, of the newest one with a character, or a new one. */
export function Chat({
  lang,
  dictionary,
  characterId,
  conversationId,
  character,
}: {
  lang: string;
  dictionary: Dictionary<'chat' | 'errors'>;
  characterId: string | null;
  conversationId: string | null;
  character: CharacterDetail | null;
}) {
  const [chat] = useState(browserChat);
  useEffect(() => {
    void loadModels();
    void chat.start({ characterId, conversationId });
    const stopWaking = wakeWithPage(chat);
    return () => {
      stopWaking();
      chat.leave();
    };
  }, [chat, characterId, conversationId]);
  return (
    <Dictionaries lang={lang} dictionary={dictionary}>
      <ChatContext value={chat}>
        <ChatView character={character} />
      </ChatContext>
    </Dictionaries>
  );
}

function ChatView({ character }: { character: CharacterDetail | null }) {
  const chat = useChat();
  const { phase, conversation } = useStore(chat.$chat, { ssr: 'initial' });
  const face: ChatFace | null = conversation
    ? {
        id: conversation.character_id,
        name: conversation.character_name,
        avatar_url: conversation.avatar_url,
      }
    : character;
  return (
    <section className="flex h-[calc(100dvh-var(--topbar-height,0px))] min-h-80 flex-col bg-bg text-text">
      <ChatBar face={face} modelType={character?.model_type ?? null} />
      {phase === 'ready' || phase === 'starting' ? (
        <>
          <MessageList face={face} />
          <Composer face={face} />
        </>
      ) : (
        <ChatTrouble characterId={face?.id ?? null} />
      )}
      <FinishedReply face={face} />
    </section>
  );
}

/** Says a finished reply once to those who listen; what is still being written is never read out. */
function FinishedReply({ face }: { face: ChatFace | null }) {
  const { finished } = useStore(useChat().$chat, { ssr: 'initial' });
  const words = useWords('chat');
  const errors = useWords('errors');
  const lang = useLang();
  const code = finished?.error_code;
  return (
    <p role="status" className="sr-only">
      {finished ? words('replySaid', { name: face?.name ?? '', text: withoutMarks(finished.content) }) : null}
      {code ? ` ${failureSentence({ code, error: '' }, errors, lang)}` : null}
    </p>
  );
}
