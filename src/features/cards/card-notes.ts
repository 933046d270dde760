import type { CardNote, CardNoteCode } from './contract.ts';

const FIELD_NAMES: Record<string, string> = {
  avatar_id: 'the picture',
  name: 'the name',
  oneliner: 'the tagline',
  character_traits: 'the traits',
  first_message: 'the first message',
  alternate_greetings: 'the alternative first messages',
  suggested_replies: 'the suggested replies',
  tags: 'the tags',
  'definition.description': 'the description',
  'definition.personality': 'the personality',
  'definition.scenario': 'the scenario',
  'definition.example_dialogue': 'the example dialogue',
  'definition.instructions': 'the instructions',
  'definition.post_history_instructions': 'the post-history instructions',
  'definition.depth_prompt': 'the depth prompt',
  'definition.creator_notes': 'the creator’s notes',
};

type CardNoteDetails = Pick<CardNote, 'field' | 'from' | 'to' | 'texts'>;

const formatCount = (count: number | undefined, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`;

const NOTE_MESSAGES: Record<CardNoteCode, (details: CardNoteDetails) => string> = {
  cut: ({ field = '', from, to }) =>
    `Only the first ${to} of ${from} characters of ${FIELD_NAMES[field] ?? field} were imported.`,
  several_cut: ({ field = '', from, to }) =>
    `${from} of ${FIELD_NAMES[field] ?? field} were shortened to at most ${to} characters each.`,
  left_out: ({ field = '', from, to }) => `${to} of ${from} of ${FIELD_NAMES[field] ?? field} were imported.`,
  missing: ({ field = '' }) => `The card has nothing for ${FIELD_NAMES[field] ?? field}.`,
  spicy_mode_needed: () =>
    'The card is for adults. To publish the character as one for adults (18+), turn on spicy mode.',
  explicit_left: () =>
    'The card allows explicit stories. This site does not offer them, so the character will not allow them.',
  picture_missing: () => 'The card has no picture. Choose one.',
  picture_too_large: () => 'The card’s picture is too large for a portrait. Choose a smaller one.',
  picture_unreadable: () => 'The card’s picture cannot be read. Choose another one.',
  assets_left: ({ from }) =>
    `Other pictures and sounds not imported: ${from}. Links to other sites were kept.`,
  lorebook_kept: ({ to }) => `The card’s lorebook was imported with ${formatCount(to, 'entry', 'entries')}.`,
  lorebook_too_large: ({ from }) =>
    `The card’s lorebook (${formatCount(from, 'entry', 'entries')}) is too large to use here. It is kept with the card and included when you export it.`,
  chats_left: ({ from }) => `Chats not imported: ${from}.`,
  metadata_left: ({ from }) =>
    `Only 4 MB of the data that other programs wrote into the picture were kept. Left out: ${formatCount(from, 'part', 'parts')}.`,
  older_taken: () =>
    'The file contains two versions of the card. The newer one is damaged, so the older one was imported.',
  source_kept: ({ texts = [] }) =>
    `The card names its source, and your exports of it will name it too: ${texts.join(', ')}`,
};

/** Creates a note with its sentence. */
export function createCardNote(code: CardNoteCode, details: CardNoteDetails = {}): CardNote {
  return { code, ...details, sentence: NOTE_MESSAGES[code](details) };
}
