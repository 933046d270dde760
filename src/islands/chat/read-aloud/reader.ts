import { replaceMacros } from '../../../features/conversation/macro-names.ts';
import type { Message } from '../../../features/conversation/contract.ts';
import { readChatSettings } from '../appearance/chat-settings.ts';
import { getCurrentReply, watchReply } from '../messages/reply-announcer.ts';
import {
  $isReadingReplies,
  $readingContext,
  $readMessageId,
  type ReadingContext,
} from '../state/messages-state.ts';
import { createReplyReader, type ReplyReader } from './reply-reader.ts';
import { createSpeechQueue, type Sentence, type Speaker } from './speech-queue.ts';
import { toSpokenSentences } from './spoken-text.ts';
import { getSpokenLanguage, loadVoices, selectVoice } from './voices.ts';

const queue = createSpeechQueue(createBrowserSpeaker(), (messageId) => $readMessageId.set(messageId));
let reader: ReplyReader | null = null;
let stopFollowing = () => {};
let isReadingWanted = false;

/** The browser's voices, with the settings of this device. */
function createBrowserSpeaker(): Speaker {
  // Chrome forgets an utterance that nothing refers to, and never reports its end.
  const spoken = new Set<SpeechSynthesisUtterance>();
  return {
    speak({ text, lang }, onEnd) {
      const { rate, voices } = readChatSettings().voice;
      const utterance = new SpeechSynthesisUtterance(text);
      utterance.lang = lang;
      utterance.rate = rate;
      utterance.voice = selectVoice(speechSynthesis.getVoices(), lang, voices) ?? null;
      const finish = () => {
        spoken.delete(utterance);
        onEnd();
      };
      utterance.addEventListener('end', finish);
      utterance.addEventListener('error', finish);
      spoken.add(utterance);
      speechSynthesis.speak(utterance);
    },
    cancel: () => speechSynthesis.cancel(),
  };
}

/** Stops at once. Of a reply that is being written, nothing more is read. */
export function stopReading(): void {
  reader?.silence();
  queue.stop();
}

document.addEventListener(
  'keydown',
  ({ key }) => {
    if (key === 'Escape') stopReading();
  },
  // A dialog or the list may handle the key as well.
  true,
);
// Some browsers go on speaking after the page was left.
window.addEventListener('pagehide', stopReading);

/** Replaces macros as the page does. */
function fillNames({ chat, nameless }: ReadingContext, text: string, at: number): string {
  const { conversation } = chat.$chat.get();
  const char = conversation?.character_nickname ?? conversation?.character_name ?? '';
  return replaceMacros(text, { user: conversation?.user_name ?? nameless, char, at });
}

/** Reads a whole message, instead of what is being read. */
export function readMessage({
  id,
  content,
  created_at: at,
}: Pick<Message, 'id' | 'content' | 'created_at'>): void {
  stopReading();
  const context = $readingContext.get();
  if (context === null) return;
  const text = fillNames(context, content, Date.parse(at));
  const lang = getSpokenLanguage(text, context.lang);
  queue.add(toSpokenSentences(text, lang).map((sentence) => ({ text: sentence, lang, messageId: id })));
}

/**
 * Reads a message, or stops when it is being read.
 * @returns false if the device has no voice
 */
export async function toggleReading(message: Parameters<typeof readMessage>[0]): Promise<boolean> {
  if ($readMessageId.get() === message.id) {
    stopReading();
    return true;
  }
  if ((await loadVoices()).length === 0) return false;
  readMessage(message);
  return true;
}

/**
 * Begins to read the chat's replies aloud as they are written, if the device has a voice. Until then, screen readers
 * announce them.
 */
export async function startReading(): Promise<void> {
  isReadingWanted = true;
  const voices = await loadVoices();
  const context = $readingContext.get();
  if (!isReadingWanted || context === null || voices.length === 0) return;
  stopFollowing();
  stopFollowing = followReplies(context);
  $isReadingReplies.set(true);
}

/** Reads no more replies; screen readers announce them again. */
export function endReading(): void {
  isReadingWanted = false;
  $isReadingReplies.set(false);
  stopFollowing();
  stopFollowing = () => {};
}

function followReplies(context: ReadingContext): () => void {
  const { $chat } = context.chat;
  const current = getCurrentReply($chat.get());
  const created = createReplyReader(
    queue,
    context.lang,
    current?.ended === true ? current : null,
    (text, reply): Sentence => {
      const filled = fillNames(context, text, reply.createdAt);
      return { text: filled, lang: getSpokenLanguage(filled, context.lang), messageId: reply.messageId };
    },
  );
  reader = created;
  const stops = [
    $chat.subscribe(created.handleState),
    watchReply(context.chat, () => {
      const reply = getCurrentReply($chat.get());
      if (reply) created.handleReply(reply);
    }),
    unlockSpeech(),
  ];
  return () => {
    for (const stop of stops) stop();
    created.silence();
    reader = null;
  };
}

/**
 * Speaks nothing when the user next touches the page: iOS lets a page speak on its own only after it has spoken in answer
 * to a touch or a key.
 * @returns a function that gives up
 */
function unlockSpeech(): () => void {
  const stop = () => {
    window.removeEventListener('pointerup', unlock, true);
    window.removeEventListener('keydown', unlock, true);
  };
  const unlock = () => {
    stop();
    if (!speechSynthesis.speaking) speechSynthesis.speak(new SpeechSynthesisUtterance(''));
  };
  window.addEventListener('pointerup', unlock, true);
  window.addEventListener('keydown', unlock, true);
  return stop;
}
