import { useEffect, useState } from 'react';
import type { CharacterDetail } from '../../features/character/contract.ts';
import type { AiNoticeForm } from '../../features/conversation/messages/ai-notice-form.ts';
import '../admin/admin-layout.css';
import './chat.css';
import { TranslationProvider, type Dictionary } from '../shared/i18n.tsx';
import { Announcer } from './Announcer.tsx';
import { createBrowserChat, keepUpToDate } from './browser-chat.ts';
import { ChatBar } from './ChatBar.tsx';
import { AiNoticeContext, ChatContext, OpeningContext, useChatField, type Opening } from './chat-context.ts';
import { ChatError } from './ChatError.tsx';
import { Composer } from './composer/Composer.tsx';
import { LazyGuestPrompt } from './composer/LazyGuestPrompt.tsx';
import { openChatDialog } from './dialogs/dialog-state.ts';
import { MessageLayers } from './messages/MessageLayers.tsx';
import { MessageList } from './scroll/MessageList.tsx';
import { loadModels } from './state/models-state.ts';
import { NewerVersion } from './messages/NewerVersion.tsx';
import { CharacterUnavailable } from './CharacterUnavailable.tsx';
import { NsfwNotice } from './NsfwNotice.tsx';
import { useReadAloud } from './read-aloud/use-read-aloud.ts';
import { getUnavailableReason } from './messages/available-actions.ts';

/** The fields of the character that the page can show before the conversation is loaded. */
export type ChatCharacter = Pick<CharacterDetail, 'id' | 'name' | 'avatar_url'>;

/** The chat page: shows a given conversation, the newest one with a character, or a new one. */
export function Chat({
  lang,
  dictionary,
  characterId,
  conversationId,
  character,
  greeting,
  messageId,
  opened,
  scene,
  linked,
  hasSpicyMode,
  aiNotice,
}: {
  lang: string;
  dictionary: Dictionary<'chat' | 'errors'>;
  characterId: string | null;
  conversationId: string | null;
  /** The message to scroll to at the start. */
  messageId: string | null;
  character: CharacterDetail | null;
  /** The character's first message, shown while there is no conversation; null when it is not public. */
  greeting: string | null;
  /** What the page's HTML shows; null when the chat has to find its conversation. */
  opened: Opening | null;
  /** Starts a new conversation from the lines that the home page shows. */
  scene: boolean;
  /** The character's fields from the link to this page, shown until the conversation is loaded. */
  linked: ChatCharacter | null;
  /** Whether spicy mode exists on this site. */
  hasSpicyMode: boolean;
  /** How the AI notice looks for the user until the conversation says it. */
  aiNotice: AiNoticeForm;
}) {
  const [chat] = useState(() => createBrowserChat(opened?.page ?? null));
  useEffect(() => {
    void loadModels();
    void chat.start({
      characterId,
      conversationId,
      ...(scene ? { scene: 'home' } : {}),
      ...(messageId === null ? {} : { messageId }),
    });
    const stop = keepUpToDate(chat);
    return () => {
      stop();
      chat.dispose();
    };
  }, [chat, characterId, conversationId, messageId, scene]);
  return (
    <TranslationProvider lang={lang} dictionary={dictionary}>
      <ChatContext value={chat}>
        <OpeningContext value={opened}>
          <AiNoticeContext value={aiNotice}>
            <ChatView character={character} greeting={greeting} linked={linked} hasSpicyMode={hasSpicyMode} />
          </AiNoticeContext>
        </OpeningContext>
      </ChatContext>
    </TranslationProvider>
  );
}

function ChatView({
  character,
  greeting,
  linked,
  hasSpicyMode,
}: {
  character: CharacterDetail | null;
  greeting: string | null;
  linked: ChatCharacter | null;
  hasSpicyMode: boolean;
}) {
  const phase = useChatField('phase');
  const conversation = useChatField('conversation');
  const face: ChatCharacter | null = conversation
    ? {
        id: conversation.character_id,
        name: conversation.character_name,
        avatar_url: conversation.avatar_url,
      }
    : (character ?? (phase === 'starting' ? linked : null));
  const unavailableReason = getUnavailableReason(conversation);
  useReadAloud(character?.language);
  return (
    <section className="flex h-full min-h-80 flex-col overflow-clip bg-bg text-text">
      <ChatBar face={face} />
      {phase === 'ready' || phase === 'starting' ? (
        <>
          <MessageList
            face={face}
            modelType={character?.model_type ?? null}
            greeting={greeting}
            onOpenMemory={() => openChatDialog('memory')}
          />
          {unavailableReason !== null ? (
            <CharacterUnavailable because={unavailableReason} />
          ) : (
            <Composer
              face={face}
              modelType={character?.model_type ?? null}
              note={
                <>
                  <NsfwNotice isHere={hasSpicyMode} />
                  <NewerVersion />
                  <LazyGuestPrompt />
                </>
              }
            />
          )}
        </>
      ) : (
        <ChatError characterId={face?.id ?? null} />
      )}
      <MessageLayers />
      <Announcer name={face?.name ?? ''} />
    </section>
  );
}
