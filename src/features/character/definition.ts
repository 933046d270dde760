import { dequal } from 'dequal';
import type { ExtrasView, PointOfView } from './contract.ts';
import type { ModelType } from '../model/contract.ts';
import type { Lorebook } from './lorebook/lorebook-contract.ts';
import type { ReplyStyle } from '../reply-style/contract.ts';
import { parseReplyStyle } from '../reply-style/reply-style.ts';
import { type PromptParts, parseDefinition, selectPromptParts } from './definition-parts.ts';
import { getPortraitUrl } from './portrait.ts';

/** Everything about its character that a conversation depends on. Each version of a character is one of these. */
export interface CharacterDefinition {
  name: string;
  oneliner: string;
  character_traits: string;
  first_message: string;
  model_type: ModelType;
  point_of_view: PointOfView;
  suggested_replies: string[];
  avatar_url: string;
  /** Other first messages that a conversation may start with. */
  alternate_greetings: string[];
  /** Replaces `{{char}}`; null to use the name. */
  nickname: string | null;
  /** A Character Card's `character_book` with all unknown fields; null when there is none. */
  lorebook: Record<string, unknown> | null;
  /** The parts that models read. Absent in versions that were stored before characters had parts. */
  parts?: PromptParts;
  /** The reply style that new conversations start with; absent for the default one. */
  recommended_style?: ReplyStyle;
}

/** Columns of a character's row. */
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

/** Data of a character in addition to the form's main fields. */
export interface CharacterExtras {
  nickname: string | null;
  alternateGreetings: string[];
  /** JSON of a `character_book`. */
  lorebook: string | null;
  /** JSON of the parts that have a text. */
  definition: string | null;
  /** JSON of the reply style that the creator recommends. */
  recommendedStyle: string | null;
}

export const NO_EXTRAS: CharacterExtras = {
  nickname: null,
  alternateGreetings: [],
  lorebook: null,
  definition: null,
  recommendedStyle: null,
};

/** Data of a card in addition to the form's main fields, as it is stored. */
export interface CardExtras {
  nickname: string | null;
  /** As JSON; null when there is none, or it exceeds the limits. */
  lorebook: string | null;
  /** JSON of the parts that have a text; null when there are none. */
  definition: string | null;
  /** JSON of the reply style that its creator recommends; null for none. */
  recommendedStyle: string | null;
}

export const NO_CARD_EXTRAS: CardExtras = {
  nickname: null,
  lorebook: null,
  definition: null,
  recommendedStyle: null,
};

/** Converts extras to the form in which the creator reads and writes them. */
export const toExtrasView = ({
  nickname,
  lorebook,
  recommendedStyle,
}: Pick<CardExtras, 'nickname' | 'lorebook' | 'recommendedStyle'>): ExtrasView => ({
  nickname,
  lorebook: lorebook === null ? null : (JSON.parse(lorebook) as Lorebook),
  recommended_style: parseReplyStyle(recommendedStyle),
});

/** The only place that builds a definition from stored data. */
export function buildDefinition(texts: CharacterTexts, extras: CharacterExtras): CharacterDefinition {
  const style = parseReplyStyle(extras.recommendedStyle);
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
    parts: selectPromptParts(parseDefinition(extras.definition)),
    ...(style === null ? {} : { recommended_style: style }),
  };
}

const encoder = new TextEncoder();

/** What the texts of a character take, in bytes of UTF-8. @param about the creator's text for readers */
export const computeCharacterBytes = (
  texts: CharacterTexts,
  about: string,
  extras: CharacterExtras,
): number => {
  const { name, oneliner, characterTraits, firstMessage, suggestedReplies } = texts;
  const { alternateGreetings, lorebook, definition } = extras;
  const all = [name, oneliner, characterTraits, firstMessage, ...suggestedReplies, about];
  return [...all, ...alternateGreetings, lorebook ?? '', definition ?? ''].reduce(
    (sum, text) => sum + encoder.encode(text).length,
    0,
  );
};

/** Whether two definitions are equal, regardless of the order of a lorebook's fields. */
export function isSameDefinition(one: CharacterDefinition, other: CharacterDefinition): boolean {
  return dequal(one, other);
}
