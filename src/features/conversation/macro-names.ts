import type { ConversationMeta } from './conversation-store.ts';

/** What the person is called in the story now. */
export function getPersonName(meta: Pick<ConversationMeta, 'persona' | 'userName'>): string {
  return meta.persona?.name ?? meta.userName;
}

/** What `{{user}}` and `{{char}}` stand for now. */
export function getMacroNames(meta: Pick<ConversationMeta, 'persona' | 'userName' | 'character'>): {
  user: string;
  char: string;
} {
  return { user: getPersonName(meta), char: meta.character.nickname ?? meta.character.name };
}

/** Replaces `{{user}}` and `{{char}}`, in any case, by the names of the story. */
export function replaceMacros(text: string, names: { user: string; char: string }): string {
  return text.replaceAll(/\{\{(user|char)\}\}/gi, (_, who: string) =>
    who.toLowerCase() === 'user' ? names.user : names.char,
  );
}
