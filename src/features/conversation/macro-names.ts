import type { ConversationMeta } from './conversation-store.ts';

/** Returns the user's current name in the conversation: their persona's, otherwise their own. */
export function getPersonName(meta: Pick<ConversationMeta, 'persona' | 'userName'>): string {
  return meta.persona?.name ?? meta.userName;
}

/** Returns the current replacements for `{{user}}` and `{{char}}`. */
export function getMacroNames(meta: Pick<ConversationMeta, 'persona' | 'userName' | 'character'>): {
  user: string;
  char: string;
} {
  return { user: getPersonName(meta), char: meta.character.nickname ?? meta.character.name };
}

/** Replaces `{{user}}` and `{{char}}`, in any case. */
export function replaceMacros(text: string, names: { user: string; char: string }): string {
  return text.replaceAll(/\{\{(user|char)\}\}/gi, (_, who: string) =>
    who.toLowerCase() === 'user' ? names.user : names.char,
  );
}
