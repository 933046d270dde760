import { dequal } from 'dequal';
import type { ExtrasView, PointOfView } from './contract.ts';
import type { ModelType } from '../model/contract.ts';
import type { Lorebook } from './lorebook/lorebook-contract.ts';
import { getPortraitUrl } from './portrait.ts';

/** What a conversation goes by: everything that its character is to it. A version of a character is one of these. */
export interface CharacterDefinition {
  name: string;
  oneliner: string;
  character_traits: string;
  first_message: string;
  model_type: ModelType;
  point_of_view: PointOfView;
  suggested_replies: string[];
  avatar_url: string;
  /** First messages that a conversation may begin with instead. */
  alternate_greetings: string[];
  /** Stands for `{{char}}`; null where the name does. */
  nickname: string | null;
  /** A Character Card's `character_book`, unknown fields and all; null when there is none. */
  lorebook: Record<string, unknown> | null;
}

/** A character as its row has it. */
export interface CharacterTexts {
  name: string;
  oneliner: string;
  characterTraits: string;
  firstMessage: string;
  modelType: ModelType;
  pointOfView: PointOfView;
  suggestedReplies: string[];
  avatarKey: string;
}

/** What it has beyond the form's fields. */
export interface CharacterExtras {
  nickname: string | null;
  alternateGreetings: string[];
  /** JSON of the book. */
  lorebook: string | null;
}

export const NO_EXTRAS: CharacterExtras = { nickname: null, alternateGreetings: [], lorebook: null };

/** What a card has beyond the form's first fields, as it is kept. */
export interface CardExtras {
  nickname: string | null;
  /** By language. */
  creatorNotes: Record<string, string> | null;
  /** As JSON; null when there is none, or it is larger than one may be. */
  lorebook: string | null;
}

export const NO_CARD_EXTRAS: CardExtras = { nickname: null, creatorNotes: null, lorebook: null };

/** The same as it is read and written by the character's maker. */
export const toExtrasView = ({ nickname, creatorNotes, lorebook }: CardExtras): ExtrasView => ({
  nickname,
  creator_notes: creatorNotes,
  lorebook: lorebook === null ? null : (JSON.parse(lorebook) as Lorebook),
});

/** The one place where a definition is made of what is kept. */
export function buildDefinition(texts: CharacterTexts, extras: CharacterExtras): CharacterDefinition {
  return {
    name: texts.name,
    oneliner: texts.oneliner,
    character_traits: texts.characterTraits,
    first_message: texts.firstMessage,
    model_type: texts.modelType,
    point_of_view: texts.pointOfView,
    suggested_replies: texts.suggestedReplies,
    avatar_url: getPortraitUrl(texts.avatarKey),
    alternate_greetings: extras.alternateGreetings,
    nickname: extras.nickname,
    lorebook: extras.lorebook === null ? null : (JSON.parse(extras.lorebook) as Record<string, unknown>),
  };
}

/** Whether a conversation would go by the same. A lorebook that was sent again may have its fields in another order. */
export function isSameDefinition(one: CharacterDefinition, other: CharacterDefinition): boolean {
  return dequal(one, other);
}
