import { buildCardDraft } from '../../src/features/cards/card-draft.ts';
import { getCardDefinition, getCardExtras, getCardStyle } from '../../src/features/cards/card-fields.ts';
import type { StoredCardSource } from '../../src/features/cards/card-source-store.ts';

/** The character of an imported card. @param changes edits made since the import */
export function buildCardSource(
  card: Parameters<typeof buildCardDraft>[0],
  changes: Partial<StoredCardSource> = {},
): StoredCardSource {
  const { draft } = buildCardDraft(card);
  return {
    id: 'id',
    creatorId: 'maker',
    name: draft.name,
    oneliner: draft.oneliner,
    characterTraits: draft.character_traits,
    firstMessage: draft.first_message,
    modelType: draft.model_type,
    visibility: 'public',
    pointOfView: draft.point_of_view,
    nsfwAllowed: draft.nsfw_allowed,
    suggestedReplies: draft.suggested_replies,
    tags: draft.tags,
    freeTags: draft.free_tags,
    creator: 'Maker',
    createdAt: 1_800_000_000_000,
    updatedAt: 1_800_000_000_000,
    avatarKey: 'picture.png',
    alternateGreetings: draft.alternate_greetings,
    ...getCardExtras(card),
    definition: getCardDefinition(card),
    recommendedStyle: getCardStyle(card),
    ...changes,
  };
}
