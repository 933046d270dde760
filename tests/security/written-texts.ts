import { SCRIPTS } from './scripts-corpus.ts';

// Every field that users can write, with the number that its text reports when it runs, and the places that show
// it.
// A test compares the table with the OpenAPI document, and the browser tests look for each text at its places.

/** A place that shows texts: a page or an opened part of it. */
export type Place = string;

/**
 * A field as the OpenAPI document names it, or another input; numbered from 21, because the corpus uses up to
 * 17.
 */
export const WRITTEN: Readonly<Record<string, readonly [number: number, ...places: Place[]]>> = {
  'patch /api/account .nickname': [
    21,
    'a character’s page',
    'a maker’s page',
    'a maker’s report',
    'the choice of a persona',
    'what the model saw',
    'the account',
    'a report of a character',
    'an account that staff opens',
    'a report of a message',
    'a report that was decided',
    'an appeal against a refusal',
    'an appeal against a measure',
    'an appeal that was decided',
    'the competition',
  ],
  'post /api/characters .name': [
    22,
    'a character’s page',
    'a maker’s page',
    'a chat',
    'one’s characters',
    'the form',
    'favourites',
    'a character’s report',
    'one’s chats, searched',
    'a list of characters',
    'what the model saw',
    'a report of a character',
    'a report of a message',
    'an appeal against a refusal',
    'an appeal against a measure',
    'an appeal that was decided',
    'what was decided about oneself',
    'the competition',
    'one’s characters in the competition',
  ],
  'post /api/characters .oneliner': [
    23,
    'a character’s page',
    'a maker’s page',
    'one’s characters',
    'the form',
    'favourites',
    'a list of characters',
    'what the model saw',
    'a report of a character',
    'a report of a message',
    'an appeal against a measure',
  ],
  'post /api/characters .character_traits': [
    24,
    'the form',
    'what the model saw',
    'a report of a character',
    'a report of a message',
    'an appeal against a refusal',
    'an appeal against a measure',
    'an appeal that was decided',
  ],
  'post /api/characters .first_message': [
    25,
    'a character’s page',
    'a chat',
    'the form',
    'what the model saw',
    'one’s chats, searched',
    'a report of a character',
    'a report of a message',
    'an appeal against a measure',
  ],
  'post /api/characters .about': [
    67,
    'a character’s page',
    'the form',
    'a report of a character',
    'a report of a message',
    'an appeal against a measure',
  ],
  'post /api/characters .suggested_replies[]': [
    26,
    'a character’s page',
    'the form',
    'deleted messages',
    'a report of a character',
    'a report of a message',
    'an appeal against a measure',
  ],
  'post /api/characters .alternate_greetings[]': [
    27,
    'the form',
    'a report of a character',
    'a report of a message',
    'an appeal against a measure',
  ],
  'post /api/characters .nickname': [
    28,
    'the form',
    'what the model saw',
    'a report of a character',
    'a report of a message',
    'an appeal against a measure',
  ],
  'post /api/characters .definition.creator_notes.text': [
    29,
    'the form',
    'a report of a character',
    'a report of a message',
    'an appeal against a measure',
  ],
  'post /api/characters .definition.description.text': [
    59,
    'the form',
    'a report of a character',
    'a report of a message',
    'an appeal against a measure',
  ],
  'post /api/characters .definition.personality.text': [
    60,
    'the form',
    'a report of a character',
    'a report of a message',
    'an appeal against a measure',
  ],
  'post /api/characters .definition.scenario.text': [
    61,
    'the form',
    'a report of a character',
    'a report of a message',
    'an appeal against a measure',
  ],
  'post /api/characters .definition.example_dialogue.text': [
    62,
    'the form',
    'a report of a character',
    'a report of a message',
    'an appeal against a measure',
  ],
  'post /api/characters .definition.instructions.text': [
    63,
    'the form',
    'a report of a character',
    'a report of a message',
    'an appeal against a measure',
  ],
  'post /api/characters .definition.post_history_instructions.text': [
    64,
    'the form',
    'a report of a character',
    'a report of a message',
    'an appeal against a measure',
  ],
  'post /api/characters .definition.depth_prompt.text': [
    65,
    'the form',
    'a report of a character',
    'a report of a message',
    'an appeal against a measure',
  ],
  'post /api/characters .recommended_style.author_note': [
    66,
    'a report of a character',
    'a report of a message',
    'an appeal against a measure',
  ],
  'post /api/characters .free_tags[]': [68, 'a character’s page', 'the form'],
  'a lorebook’s text': [30, 'a report of a character'],
  'a lorebook’s key': [31, 'the form', 'a report of a character'],
  'a lorebook’s name': [32, 'the form', 'a report of a character'],
  'patch /api/conversations/{id} .title': [
    33,
    'a chat',
    'a chat’s name',
    'one’s chats',
    'one’s chats, searched',
  ],
  'post /api/conversations/{id}/messages .content': [
    34,
    'a chat',
    'one’s chats, searched',
    'what the model saw',
    'deleted messages',
  ],
  'put /api/conversations/{id}/memory .summary': [35, 'the memory'],
  'put /api/conversations/{id}/memory .entries[].text': [36, 'the memory'],
  'post /api/personas .name': [37, 'personas', 'the choice of a persona'],
  'post /api/personas .description': [38, 'personas', 'the choice of a persona'],
  'post /api/characters/{id}/reports .details': [39, 'a report of a character'],
  'post /api/creators/{id}/reports .details': [40, 'a report that was decided'],
  'post /api/conversations/{id}/messages/{mid}/reports .details': [41, 'a report of a message'],
  'post /api/appeals .message': [
    42,
    'an appeal against a refusal',
    'an appeal against a measure',
    'an appeal that was decided',
  ],
  'post /api/appeals .refused_text': [43, 'an appeal against a refusal', 'an appeal that was decided'],
  'post /api/feedback .message': [69, 'the feedback'],
  'post /api/admin/gifts .reason': [70, 'one’s points'],
  'put /api/admin/characters/{id}/moderation .reason': [
    44,
    'an account that staff opens',
    'what was decided about oneself',
  ],
  'post /api/admin/measures .reason': [
    45,
    'a report of a character',
    'an account that staff opens',
    'an appeal against a measure',
    'what was decided about oneself',
  ],
  'patch /api/admin/reports/{id} .answer': [46, 'a report that was decided', 'what one reported'],
  'patch /api/admin/reports/{id} .note': [47, 'a report that was decided'],
  'patch /api/admin/appeals/{id} .answer': [48, 'an appeal that was decided', 'what one reported'],
  'patch /api/admin/appeals/{id} .note': [49, 'an appeal that was decided'],
  'a browser’s name for itself': [50, 'one’s sessions'],
  'a card’s name': [51, 'a card that was brought'],
  'a card’s description': [52, 'a card that was brought'],
  'a card’s first message': [53, 'a card that was brought'],
  'a card’s other greeting': [54, 'a card that was brought'],
  'a card’s note': [55, 'a card that was brought'],
  'a card’s lorebook, by a key': [56, 'a card that was brought'],
  'a chat’s name of the character': [57, 'a chat that was brought'],
  'a chat’s message': [58, 'a chat that was brought'],
};

/** Other fields that are not shown, or shown as another field, each with the reason. */
export const NOT_SHOWN: readonly (readonly [RegExp, string])[] = [
  [/^patch \/api\/characters\/\{id\} /, 'takes the place of what was made, under the same names'],
  [/\/reply-(?:settings|styles)/, 'is a field’s value and an option’s text, which hold no markup'],
  [/\/regenerate \.note$/, 'is the plain text of a menu’s line'],
  [/^patch \/api\/personas\/\{id\} /, 'takes the place of what was made, under the same names'],
  [/^patch \/api\/conversations\/\{id\}\/messages\/\{mid\} /, 'a message’s text, as when it was sent'],
  [/^post \/api\/onboarding \.nickname$/, 'the same nickname as the account’s'],
  [/^post \/api\/characters\/test-chat /, 'is kept nowhere, and drawn by what draws a chat'],
  [/^put \/api\/admin\/business \.(?:blocked|merged)_tags$/, 'is compared with tags; no page shows it'],
  [/^post \/api\/admin\/payouts \.note$/, 'is told to staff’s programs alone; no page has it'],
  [/[._](?:id|ids\[\])$|\.(?:known|rests_on)\[\]$/, 'names something that is there, or is refused'],
  [/\.(?:token|request|invite_code|username)$/, 'is compared or has a form of its own, else it is refused'],
  [/\.next$/, 'a path of this site, or nothing'],
  [/\/account\/passkeys(?:\/\{id\})? \.name$/, 'is drawn for its owner as a browser’s name for itself is'],
  [/ \.credential\./, 'is what a device signed, and refused unless it is'],
  [/delete-request \.email$/, 'is compared with the account’s'],
];

/** The numbers of the texts that a place shows. */
export const listNumbersAt = (place: Place): number[] =>
  Object.values(WRITTEN)
    .filter(([, ...places]) => places.includes(place))
    .map(([number]) => number);

/**
 * Returns the text of a field: a payload with the field's number, followed by as much of the corpus as fits.
 * @param length in characters
 */
export function buildFieldText(field: string, length = 20): string {
  const [number] = WRITTEN[field] ?? [];
  if (number === undefined) throw new Error(`The table has no field ${field}`);
  return `<svg/onload=ran(${number})> ${SCRIPTS.join(' ')}`.slice(0, length).trim();
}
