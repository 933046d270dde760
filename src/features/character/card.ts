import { BRAND } from '../../config/brand.ts';

/** The data of a character that a card contains; texts may have the card macros `{{user}}` and `{{char}}`. */
export interface CardSource {
  id: string;
  name: string;
  oneliner: string;
  characterTraits: string;
  firstMessage: string;
  modelType: string;
  /** Null leaves the visibility out of the card. */
  visibility: string | null;
  pointOfView: string;
  nsfwAllowed: boolean;
  suggestedReplies: readonly string[];
  tags: readonly string[];
  /** Display name of the creator. */
  creator: string;
  /** In ms since 1970. */
  createdAt: number;
  updatedAt: number;
  alternateGreetings?: readonly string[];
  nickname?: string | null;
  /** By language. */
  creatorNotes?: Readonly<Record<string, string>> | null;
  /** JSON of a `character_book`. */
  lorebook?: string | null;
}

/** Builds our own extension, with the data that the format has no field for. */
export function buildOwnExtension(character: CardSource) {
  const { visibility } = character;
  return {
    id: character.id,
    oneliner: character.oneliner,
    model_type: character.modelType,
    ...(visibility === null ? {} : { visibility }),
    point_of_view: character.pointOfView,
    nsfw_allowed: character.nsfwAllowed,
    suggested_replies: [...character.suggestedReplies],
  };
}

/** Builds the fields that both versions of the format share, including our own extension. */
function buildCardData(character: CardSource, more: Readonly<Record<string, unknown>> = {}) {
  return {
    name: character.name,
    description: character.characterTraits,
    personality: '',
    scenario: '',
    first_mes: character.firstMessage,
    mes_example: '',
    creator_notes: character.creatorNotes?.['en'] ?? character.oneliner,
    system_prompt: '',
    post_history_instructions: '',
    alternate_greetings: [...(character.alternateGreetings ?? [])],
    tags: [...character.tags],
    creator: character.creator,
    character_version: '',
    extensions: { [BRAND.modelValue]: { ...buildOwnExtension(character), ...more } },
    ...buildCharacterBook(character),
  };
}

const buildCharacterBook = ({ lorebook }: CardSource) =>
  typeof lorebook === 'string' ? { character_book: JSON.parse(lorebook) as Record<string, unknown> } : {};

/** Fields of version 3 that version 2 keeps in our own extension. */
function buildV3Fields({ nickname, creatorNotes }: CardSource) {
  return {
    ...(typeof nickname === 'string' ? { nickname } : {}),
    ...(creatorNotes ? { creator_notes_multilingual: { ...creatorNotes } } : {}),
  };
}

/** Converts a character to a Character Card V2, which nearly every program reads. */
export function toCardV2(character: CardSource) {
  return {
    spec: 'chara_card_v2',
    spec_version: '2.0',
    data: buildCardData(character, buildV3Fields(character)),
  };
}

/** Converts a character to a Character Card V3. */
export function toCardV3(character: CardSource) {
  return {
    spec: 'chara_card_v3',
    spec_version: '3.0',
    data: {
      ...buildCardData(character),
      ...buildV3Fields(character),
      group_only_greetings: [],
      creation_date: Math.floor(character.createdAt / 1000),
      modification_date: Math.floor(character.updatedAt / 1000),
    },
  };
}
