import { z } from 'zod';
import { characterExtras, pointOfView, visibility } from '../character/contract.ts';
import { modelType } from '../model/contract.ts';

/** What a card told for the form's fields; what it did not tell is empty, or null for its picture. */
export const cardDraft = z.object({
  /** As POST /api/characters takes it; null when the card brought no picture that can be taken. */
  avatar_id: z.string().nullable(),
  /** Where it is shown from. */
  avatar_url: z.string().nullable(),
  name: z.string(),
  oneliner: z.string(),
  character_traits: z.string(),
  first_message: z.string(),
  model_type: modelType,
  visibility,
  point_of_view: pointOfView,
  nsfw_allowed: z.boolean(),
  suggested_replies: z.array(z.string()),
  tags: z.array(z.string()),
  alternate_greetings: z.array(z.string()),
});
export type CardDraft = z.infer<typeof cardDraft>;

/** What somebody should know of how a card was read. */
export const cardNoteCode = z.enum([
  /** A text was longer than it may be: `from` characters, of which `to` stayed. */
  'cut',
  /** Of a list, `from` texts were longer than they may be: of each, `to` characters stayed at most. */
  'several_cut',
  /** Of a list, `from` entries became `to`. */
  'left_out',
  /** The card has nothing for a field that the form needs. */
  'missing',
  /** The card is for adults, and spicy mode is off for whoever brought it. */
  'spicy_mode_needed',
  /** The card is for adults, and this site has nothing for adults: the draft is not. */
  'explicit_left',
  /** No picture came with it. */
  'picture_missing',
  /** Its picture has more bytes, or more pixels, than a portrait may have. */
  'picture_too_large',
  /** Its picture is damaged, or of a kind that is not taken. */
  'picture_unreadable',
  /** Too many pictures were brought within the hour. */
  'picture_later',
  /** Other pictures and sounds of the card, `from` of them, do not come along. Addresses that lead elsewhere stay in it. */
  'assets_left',
  /** Its lorebook came along: `to` entries. */
  'lorebook_kept',
  /** Its lorebook is too large to be used here. Exports have it still. */
  'lorebook_too_large',
  /** The file has the card in two versions. The newer one is broken, and the older one was taken. */
  'older_taken',
  /** It says where it comes from: `texts`, the first ones. The card keeps them, and exports have them. */
  'source_kept',
]);
export type CardNoteCode = z.infer<typeof cardNoteCode>;

export const cardNote = z.object({
  code: cardNoteCode,
  /** Of the draft. */
  field: z.string().optional(),
  from: z.number().int().optional(),
  to: z.number().int().optional(),
  /** What the card says itself: somebody else's words, to be shown as text and to be followed by nothing. */
  texts: z.array(z.string()).optional(),
  /** The note in English. */
  sentence: z.string(),
});
export type CardNote = z.infer<typeof cardNote>;

/** A card that was brought: `import_id` ties it to the character that is made of it. */
export const importedCard = z.object({
  draft: cardDraft,
  /** What the character has of it beside the draft, unless it is given otherwise when it is made. */
  extras: characterExtras,
  notes: z.array(cardNote),
  import_id: z.string(),
});
export type ImportedCard = z.infer<typeof importedCard>;

/** What a card that was brought has beside its draft, for a form that is opened again. */
export const importedExtras = importedCard.pick({ extras: true });

export const cardQuery = z.object({
  /** A picture that carries both versions, one version as JSON, or an archive with its picture beside it. */
  format: z.enum(['png', 'json', 'charx']).default('png'),
  /** Of JSON: the version that is wanted. Without it an imported card goes out in the version that it came in. */
  spec: z.enum(['v2', 'v3']).optional(),
});
