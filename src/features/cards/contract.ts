import { z } from 'zod';
import { characterExtras, definition, pointOfView, visibility } from '../character/contract.ts';
import { modelType } from '../model/contract.ts';

/** The form's fields as a card fills them in; missing ones are empty, or null for the picture. */
export const cardDraft = z.object({
  /** As POST /api/characters accepts it; null when the card has no usable picture. */
  avatar_id: z.string().nullable(),
  /** URL for showing the picture. */
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
  free_tags: z.array(z.string()),
  alternate_greetings: z.array(z.string()),
  /** The card's own parts, with others' access turned off. */
  definition,
});
export type CardDraft = z.infer<typeof cardDraft>;

/** Notes for the user on how a card was read. */
export const cardNoteCode = z.enum([
  /** A text exceeded its limit: of `from` characters, the first `to` were kept. */
  'cut',
  /** `from` texts of a list exceeded their limit and were cut to at most `to` characters each. */
  'several_cut',
  /** Of `from` entries of a list, `to` were kept. */
  'left_out',
  /** The card has nothing for a required field. */
  'missing',
  /** The card is for adults, and the user's spicy mode is off. */
  'spicy_mode_needed',
  /** The card is for adults, but this site has no adult content, so the draft is not marked as such. */
  'explicit_left',
  /** The card has no picture. */
  'picture_missing',
  /** Its picture has more bytes or pixels than a portrait may have. */
  'picture_too_large',
  /** Its picture is damaged or of an unsupported type. */
  'picture_unreadable',
  /** `from` other pictures and sounds of the card are not imported. Links to other sites stay in the card. */
  'assets_left',
  /** Its lorebook was imported, with `to` entries. */
  'lorebook_kept',
  /** Its lorebook is too large to be used here. Exports still contain it. */
  'lorebook_too_large',
  /** The file has `from` chats with the character, which are not imported. */
  'chats_left',
  /** `from` chunks of other programs' metadata exceed the limit, and exports do not contain them. */
  'metadata_left',
  /** The file contains the card in two versions. The newer one is damaged, so the older one was used. */
  'older_taken',
  /** The card names its sources; `texts` has the first ones. The card keeps them, and exports contain them. */
  'source_kept',
]);
export type CardNoteCode = z.infer<typeof cardNoteCode>;

export const cardNote = z.object({
  code: cardNoteCode,
  /** Field of the draft. */
  field: z.string().optional(),
  from: z.number().int().optional(),
  to: z.number().int().optional(),
  /** Untrusted text from the card: show it as plain text only, never as a link. */
  texts: z.array(z.string()).optional(),
  /** The note in English. */
  sentence: z.string(),
});
export type CardNote = z.infer<typeof cardNote>;

/** An imported card; `import_id` links it to the character that is created from it. */
export const importedCard = z.object({
  draft: cardDraft,
  /**
   * Data that the character gets from the card in addition to the draft, unless the request that creates it sets other
   * values.
   */
  extras: characterExtras,
  notes: z.array(cardNote),
  import_id: z.string(),
});
export type ImportedCard = z.infer<typeof importedCard>;

/** Data of an imported card in addition to its draft, for a form that is reopened. */
export const importedExtras = z.object({ extras: characterExtras, definition });
export type ImportedExtras = z.infer<typeof importedExtras>;

export const cardQuery = z.object({
  /** A picture that contains both versions, one version as JSON, or an archive that includes the picture. */
  format: z.enum(['png', 'json', 'charx']).default('png'),
  /** The version of a JSON export. By default an imported card is exported in its own version. */
  spec: z.enum(['v2', 'v3']).optional(),
});
