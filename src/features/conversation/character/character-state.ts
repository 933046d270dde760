import type { ConversationCharacter } from './conversation-character-store.ts';
import type { CharacterState } from '../contract.ts';
import type { Environment } from '../../../env/read-environment.ts';
import { PLACEHOLDER_PORTRAIT } from '../../character/portrait.ts';
import type { ConversationParts } from '../compose-conversation.ts';
import type { CharacterSnapshot, ConversationStore, ConversationMeta } from '../conversation-store.ts';

/** Refuses every request to write in a conversation whose character may not be shown. */
export interface WriteBlock {
  ok: false;
  code: 'character_hidden' | 'character_removed' | 'character_deleted';
}

/** Derives a character's state from its moderation status and whether its creator moved it to the trash. */
export function getCharacterState(character: {
  moderation: 'shown' | 'hidden' | 'removed';
  deletedAt: number | null;
}): Exclude<CharacterState, 'gone'> {
  // A removal by moderation takes precedence over the creator's own deletion.
  if (character.moderation === 'removed') return 'removed';
  return character.deletedAt === null ? character.moderation : 'deleted';
}

/** Returns why no new text may be written with a character in this state; null when it may. */
export function toWriteBlock(state: Exclude<CharacterState, 'gone'>): WriteBlock | null {
  return state === 'shown' ? null : { ok: false, code: `character_${state}` };
}

/** Whether a user may start a conversation with a character. The content rating is checked elsewhere. */
export function canStartConversation(
  character: Pick<ConversationCharacter, 'state' | 'visibility' | 'creatorId'>,
  user: { id: string },
): boolean {
  return (
    character.state === 'shown' && (character.visibility !== 'private' || character.creatorId === user.id)
  );
}

/**
 * What a conversation's replies may contain. `adult`: the character is for adults and the user has turned spicy mode on.
 * `blocked`: it is for adults and the user has not: messages stay readable, but no new text is written.
 */
export type Rating = 'general' | 'adult' | 'blocked';

export interface RatedCharacter {
  /** Whether the character is for adults, by its creator's current setting. */
  nsfwAllowed: boolean;
}

/** Returns the rating of a character for a user. @param spicy whether the user is an adult with spicy mode on */
export function getRating(character: RatedCharacter, spicy: boolean): Rating {
  if (!character.nsfwAllowed) return 'general';
  return spicy ? 'adult' : 'blocked';
}

/** The refusal of every request for new text in a `blocked` conversation. */
export const SPICY_MODE_OFF = { ok: false, code: 'spicy_mode_off' } as const;

/** Returns the problem code for a user who may not see adult content. */
export const getSpicyModeCode = ({ spicyMode }: Environment): 'spicy_mode_unavailable' | 'spicy_mode_off' =>
  spicyMode === 'off' ? 'spicy_mode_unavailable' : 'spicy_mode_off';

/** The refusal of every request that needs a reply of the character. */
export const CHARACTER_DELETED = { ok: false, code: 'character_gone' } as const;

/** Keeps of a character only what the conversation needs to stay readable: its name and point of view. */
function toDeletedCharacter(character: ConversationMeta['character']): CharacterSnapshot {
  const { id, name, model_type, point_of_view, version = 1 } = character;
  return {
    id,
    version,
    name,
    oneliner: '',
    character_traits: '',
    first_message: '',
    model_type,
    point_of_view,
    suggested_replies: [],
    avatar_url: PLACEHOLDER_PORTRAIT,
    gone: true,
  };
}

/** Removes the creator's texts about a character, because the creator's account was deleted. */
export function redactCharacter({
  store,
  contexts,
  replySettings,
}: Pick<ConversationParts, 'store' | 'contexts' | 'replySettings'>): void {
  const settings = replySettings.get();
  // The conversation started with the creator's note, unless the user has written another one.
  if (settings.author_note === store.getMeta()?.character.recommended_style?.author_note)
    replySettings.save({ ...settings, author_note: '' });
  store.setCharacter({
    character: toDeletedCharacter((store.getMeta() as ConversationMeta).character),
    lorebook: null,
    parts: null,
    copyHash: null,
  });
  contexts.redactCharacter();
}

/** Whether the character was deleted with its creator, so that no reply can be written. */
export const isCharacterDeleted = ({ store }: { store: ConversationStore }): boolean =>
  store.getMeta()?.character.gone === true;
