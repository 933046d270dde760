import { BRAND } from '../../config/brand.ts';
import type { ChatList, Conversation } from '../../features/conversation/contract.ts';
import type { ViewMessage } from '../../features/conversation/messages/reply-view.ts';
import type { ModelList } from '../../features/model/contract.ts';
import { EMPTY_CHAT, type Chat, type ChatState } from '../../islands/chat/chat.ts';
import { atom } from 'nanostores';

/** A fixed time, so that screenshots stay the same. UTC ISO 8601. */
export const SAMPLE_TIME = '2026-01-05T20:30:00.000Z';
/** Far in the future, which the history always groups under «Today». */
const FUTURE_TIME = '2126-01-05T20:30:00.000Z';

export interface SampleCharacter {
  id: string;
  name: string;
  avatar_url: string;
}

/** A chat message; complete and stored unless `part` says otherwise. */
export function createSampleMessage(key: string, part: Partial<ViewMessage>): ViewMessage {
  const version = `${key}-version`;
  const content = part.content ?? '';
  const model = part.role === 'user' ? null : BRAND.modelValue;
  return {
    id: key,
    key,
    role: 'character',
    content,
    created_at: SAMPLE_TIME,
    edited: false,
    pinned: false,
    status: 'complete',
    versions: [{ id: version, content, model, created_at: SAMPLE_TIME, edited: false }],
    selected_version_id: version,
    delivery: 'stored',
    ...part,
  };
}

/** A chat in a fixed state whose actions do nothing. */
export function createStaticChat(state: Partial<ChatState> = {}, draft = ''): Chat {
  const noop = () => {};
  const resolveNothing = () => Promise.resolve();
  return {
    $chat: atom<ChatState>({ ...EMPTY_CHAT, phase: 'ready', ...state }),
    $draft: atom(draft),
    start: resolveNothing,
    restart: resolveNothing,
    reload: resolveNothing,
    setDraft: noop,
    insertIntoComposer: noop,
    send: resolveNothing,
    retry: resolveNothing,
    takeBack: noop,
    regenerate: resolveNothing,
    requestReply: resolveNothing,
    continueReply: resolveNothing,
    edit: () => Promise.resolve(false),
    deleteFrom: () => Promise.resolve(false),
    restore: () => Promise.resolve(false),
    selectVersion: () => Promise.resolve(false),
    pin: () => Promise.resolve(false),
    rate: () => Promise.resolve(false),
    fork: () => Promise.resolve(false),
    rename: () => Promise.resolve(false),
    setPersona: () => Promise.resolve(false),
    takeVersion: () => Promise.resolve(false),
    chooseGreeting: () => Promise.resolve(false),
    remove: () => Promise.resolve(false),
    bringBack: () => Promise.resolve(false),
    showLater: resolveNothing,
    showMessage: resolveNothing,
    showNewest: resolveNothing,
    suggest: resolveNothing,
    draftMessage: resolveNothing,
    handleHint: noop,
    stop: resolveNothing,
    showEarlier: resolveNothing,
    startNew: resolveNothing,
    dismissHelp: noop,
    dismissNotice: noop,
    dismissSuggestions: noop,
    wake: noop,
    dispose: noop,
  };
}

/** A conversation with a character and its suggested replies. */
export function createConversation(face: SampleCharacter, suggested: readonly string[]): Conversation {
  return {
    id: 'sample',
    character_id: face.id,
    character_name: face.name,
    avatar_url: face.avatar_url,
    title: null,
    created_at: SAMPLE_TIME,
    last_message_time: SAMPLE_TIME,
    message_count: 2,
    suggested_replies: [...suggested],
    persona: null,
    user_name: 'Stranger',
    own_name: 'Stranger',
    context_start_id: null,
    character_version: 1,
  };
}

/** A history of two chats from today, of which `sample` may be open, and one older chat. */
export function createChats(face: SampleCharacter, count = 3): ChatList['chats'] {
  return [
    { id: 'sample', last_message_time: FUTURE_TIME, message_count: 12 },
    { id: 'sample-2', last_message_time: FUTURE_TIME, message_count: 1 },
    { id: 'sample-3', last_message_time: SAMPLE_TIME, message_count: 340 },
  ]
    .slice(0, count)
    .map((chat) => ({
      ...chat,
      character_id: face.id,
      character_name: face.name,
      avatar_url: face.avatar_url,
      title: null,
      last_line: 'Where were we?',
      branch_of: null,
      unread: false,
    }));
}

/** Models of every kind: recommended, real, demo and unavailable. */
export const SAMPLE_MODELS: ModelList['items'] = [
  { id: 'recommended', label: 'Recommended', available: true },
  { id: BRAND.modelValue, label: BRAND.name, available: true },
  { id: 'deepseek', label: 'Demo', available: true },
  { id: 'mistral', label: 'Mistral', available: false },
];
