import type { PinnedSource } from './character-copy.ts';
import type { ConversationParts } from '../compose-conversation.ts';
import { updateGreeting } from '../messages/greetings.ts';

/**
 * Switches a conversation to this version of its character, greeting, lorebook and definition included. Ignored when it
 * already uses this or a newer version.
 */
export function updateCharacterVersion(
  parts: Pick<ConversationParts, 'store' | 'messages' | 'engine' | 'opening'>,
  source: PinnedSource,
  now: number,
): void {
  const { store, engine, opening } = parts;
  const { character } = source;
  const before = store.getCharacter();
  if (before.id !== character.id || (before.version ?? 1) >= (character.version ?? 1)) return;
  store.setCharacter(source);
  updateGreeting(parts, opening(), before, (id) => engine.isWriting(id), now);
}
