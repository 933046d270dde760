import type { Meta } from './conversation-store.ts';

/** What the person is called in the story now. */
export function personName(meta: Pick<Meta, 'persona' | 'userName'>): string {
  return meta.persona?.name ?? meta.userName;
}

/** What `{{user}}` and `{{char}}` stand for now. */
export function namesOf(meta: Pick<Meta, 'persona' | 'userName' | 'character'>): {
  user: string;
  char: string;
} {
  return { user: personName(meta), char: meta.character.nickname ?? meta.character.name };
}

/** Replaces `{{user}}` and `{{char}}`, in any case, by the names of the story. */
export function fillNames(text: string, names: { user: string; char: string }): string {
  return text.replaceAll(/\{\{(user|char)\}\}/gi, (_, who: string) =>
    who.toLowerCase() === 'user' ? names.user : names.char,
  );
}
