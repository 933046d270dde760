import { BRAND } from '../../config/brand.ts';

/** What a card tells of a character; texts may hold `{{user}}` and `{{char}}`, as cards have them. */
export interface CardSource {
  id: string;
  name: string;
  oneliner: string;
  characterTraits: string;
  firstMessage: string;
  modelType: string;
  /** Null: nothing is told of it. */
  visibility: string | null;
  pointOfView: string;
  nsfwAllowed: boolean;
  suggestedReplies: readonly string[];
  tags: readonly string[];
  /** Who made it, as they are called. */
  creator: string;
  /** Milliseconds since 1970. */
  createdAt: number;
  updatedAt: number;
  alternateGreetings?: readonly string[];
  nickname?: string | null;
  /** By language. */
  creatorNotes?: Readonly<Record<string, string>> | null;
  /** JSON of a `character_book`. */
  lorebook?: string | null;
}

/** What the format has no field for, under our own name. */
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

/** What both versions of the format have. What it has no field for stands under our own name. */
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

/** What version 3 has fields for, and version 2 keeps under our own name. */
function buildV3Fields({ nickname, creatorNotes }: CardSource) {
  return {
    ...(typeof nickname === 'string' ? { nickname } : {}),
    ...(creatorNotes ? { creator_notes_multilingual: { ...creatorNotes } } : {}),
  };
}

/** A character as a Character Card V2: what nearly every program reads. */
export function toCardV2(character: CardSource) {
  return {
    spec: 'chara_card_v2',
    spec_version: '2.0',
    data: buildCardData(character, buildV3Fields(character)),
  };
}

/** A character as a Character Card V3. */
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
