import type { StoryCharacterSource } from '../create-conversation.ts';
import type { Parts } from '../compose-conversation.ts';
import type { Meta } from '../conversation-store.ts';
import { beginAnew } from '../messages/greetings.ts';

/** Has a story go by this version of its character from now on; by a newer one that it goes by already, it stays. */
export function takeVersion(
  parts: Pick<Parts, 'store' | 'messages' | 'lore' | 'engine' | 'opening'>,
  { character, lorebook }: StoryCharacterSource,
  now: number,
): void {
  const { store, lore, engine, opening } = parts;
  const { character: before } = store.meta() as Meta;
  if (before.id !== character.id || (before.version ?? 1) >= (character.version ?? 1)) return;
  store.setCharacter(character);
  lore.keep(lorebook);
  beginAnew(parts, opening(), before, (id) => engine.isWriting(id), now);
}
