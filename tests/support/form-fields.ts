import type { CardDraft } from '../../src/features/cards/contract.ts';
import type { ExtrasView, OwnCharacter } from '../../src/features/character/contract.ts';
import { toDefinition } from '../../src/features/character/definition-parts.ts';
import {
  toCharacterBody,
  EMPTY_FIELDS,
  type CharacterFields,
} from '../../src/islands/character-form/form-rules.ts';

// The form's fields of a character and the server's answer.

export const AVATAR = { avatar_id: `${'a'.repeat(32)}.webp`, url: `/media/${'a'.repeat(32)}.webp` };
export const WREN: CharacterFields = {
  ...EMPTY_FIELDS,
  avatar: AVATAR,
  name: 'Wren',
  oneliner: 'Maps coasts that others only tell of.',
  character_traits: 'Curious, stubborn.',
  first_message: 'You are late, {{user}}.',
};

const toOwnedFields = (fields: CharacterFields) => {
  const { nickname, lorebook, recommended_style: _, ...rest } = toCharacterBody(fields);
  const { definition, language, recommended_style } = fields;
  return { ...rest, definition, language, extras: { nickname, lorebook, recommended_style } };
};

export const toOwnCharacter = (fields: CharacterFields, id = 'c1'): OwnCharacter => ({
  ...toOwnedFields(fields),
  id,
  avatar_url: fields.avatar?.url ?? '',
  chat_count: 0,
  likes: 0,
  liked_count: 0,
  disliked_count: 0,
  featured: false,
  creator: { id: 'u1', name: 'ana' },
  summary: null,
  created_at: '2026-01-01T00:00:00.000Z',
  moderation: 'shown',
  version: 1,
  summary_generated: false,
  updated_at: '2026-01-01T00:00:00.000Z',
});

/** The card's extras besides its draft. */
export const CARD_EXTRAS: ExtrasView = {
  nickname: 'Rob',
  lorebook: { entries: [{ keys: ['sea'], content: 'Deep.', odd: [1] }], odd: true },
  recommended_style: null,
};
export const CARD_DEFINITION = toDefinition({
  description: { text: 'Sings before dawn.', shared: false },
  creator_notes: { text: 'A loud one.', shared: false },
});
export const CARD: CardDraft = {
  avatar_id: null,
  avatar_url: null,
  name: 'Robin',
  oneliner: 'Out of a card.',
  character_traits: 'Loud.\r\n',
  first_message: 'Hello.',
  model_type: 'roleplay',
  visibility: 'private',
  point_of_view: 'rpg',
  nsfw_allowed: false,
  suggested_replies: [],
  tags: ['fantasy'],
  free_tags: ['vampires'],
  alternate_greetings: ['Or so.'],
  definition: CARD_DEFINITION,
};
