import { BRAND } from '../../config/brand.ts';
import type { ReplyStyle } from '../reply-style/contract.ts';
import type { DefinitionPart, StoredDefinition } from './definition-parts.ts';

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
  freeTags?: readonly string[];
  /** Display name of the creator. */
  creator: string;
  /** In ms since 1970. */
  createdAt: number;
  updatedAt: number;
  alternateGreetings?: readonly string[];
  nickname?: string | null;
  /** The parts that this export contains. */
  definition?: StoredDefinition | null;
  /** JSON of a `character_book`. */
  lorebook?: string | null;
  recommendedStyle?: ReplyStyle | null;
}

/** Builds our own extension, with the data that the format has no field for, except for traits and reply style. */
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

/**
 * Builds the fields that both versions of the format share, including our own extension. Other programs find the traits
 * as the description; if it also has a description, they are in the extension.
 */
function buildCardData(character: CardSource, more: Readonly<Record<string, unknown>> = {}) {
  const getText = (part: DefinitionPart) => character.definition?.[part]?.text;
  const description = getText('description');
  const depthPrompt = getText('depth_prompt');
  return {
    name: character.name,
    description: description ?? character.characterTraits,
    personality: getText('personality') ?? '',
    scenario: getText('scenario') ?? '',
    first_mes: character.firstMessage,
    mes_example: getText('example_dialogue') ?? '',
    creator_notes: getText('creator_notes') ?? character.oneliner,
    system_prompt: getText('instructions') ?? '',
    post_history_instructions: getText('post_history_instructions') ?? '',
    alternate_greetings: [...(character.alternateGreetings ?? [])],
    tags: [...character.tags, ...(character.freeTags ?? [])],
    creator: character.creator,
    character_version: '',
    extensions: {
      [BRAND.modelValue]: {
        ...buildOwnExtension(character),
        ...(description === undefined ? {} : { character_traits: character.characterTraits }),
        ...(character.recommendedStyle ? { recommended_style: character.recommendedStyle } : {}),
        ...more,
      },
      ...(depthPrompt === undefined ? {} : { depth_prompt: toCardDepthPrompt(depthPrompt) }),
    },
    ...buildCharacterBook(character),
  };
}

/** Builds the field in which programs keep a depth prompt, with their default place. */
export const toCardDepthPrompt = (prompt: string) => ({ prompt, depth: 4, role: 'system' });

const buildCharacterBook = ({ lorebook }: CardSource) =>
  typeof lorebook === 'string' ? { character_book: JSON.parse(lorebook) as Record<string, unknown> } : {};

/** Fields of version 3 that version 2 keeps in our own extension. */
const buildV3Fields = ({ nickname }: CardSource) => (typeof nickname === 'string' ? { nickname } : {});

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
