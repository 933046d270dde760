import type { Operation } from './openapi-operations.ts';
import { createTurnId } from './factories.ts';

/** Valid bodies of routes, and invalid values. */

export const formatOperation = (operation: Operation): string => `${operation.method} ${operation.path}`;

/** A body that the route takes. */
export function buildValidBody(operation: Operation): Record<string, unknown> {
  const good: Record<string, unknown> = {
    email: 'somebody@example.test',
    code: '123456',
    // No device has signed it.
    credential: {
      id: 'AA',
      rawId: 'AA',
      type: 'public-key',
      response: { clientDataJSON: 'AA', attestationObject: 'AA', authenticatorData: 'AA', signature: 'AA' },
    },
    character_id: 'unknown',
    content: 'Hello',
    client_message_id: createTurnId(),
    title: 'A title',
    path: '/en',
    language: 'en',
    action: 'create_character',
    name: 'Wren',
    description: 'Maps coasts.',
    persona_id: 'unknown',
    version_id: 'unknown',
    rating: 'up',
    summary: 'They met.',
    token: 'unknown',
    message: 'The lamp is broken.',
    request: 'unknown',
    outcome: 'adult',
    signature: 'a1'.repeat(32),
    avatar_id: `${'a1'.repeat(16)}.png`,
    oneliner: 'She maps coasts',
    character_traits: 'Patient.',
    model_type: 'roleplay',
    visibility: 'private',
    reason: 'spam',
    moderation: 'hidden',
    turn_id: createTurnId(),
    subscription_id: 'I-UNKNOWN',
    user_id: 'unknown',
    amount_cents: 100,
    gift_id: createTurnId(),
    points: 10,
    note: 'A transfer.',
    mark: 80,
    kind: 'character_hidden',
    subject_id: 'a1'.repeat(13),
    status: operation.path.startsWith('/admin/appeals') ? 'granted' : 'upheld',
    answer: 'Somebody looked at it.',
    character: {
      name: 'Wren',
      oneliner: 'She maps coasts',
      character_traits: 'Patient.',
      model_type: 'roleplay',
    },
    messages: [{ role: 'user', content: 'Hello' }],
  };
  const required = new Set(operation.body?.required);
  // Required unless the definition says who the character is.
  if (formatOperation(operation) === 'POST /characters') required.add('character_traits');
  return Object.fromEntries([...required].map((name) => [name, good[name]]));
}

/** Texts that are only compared with stored values or paths, so that any text is valid. */
const COMPARED_FIELDS = new Set([
  'POST /account/delete-request email',
  'POST /account/delete-confirm token',
  'POST /account/age-check/requests next',
  'POST /account/age-check request',
]);

/** Texts that may be blank on one route: a note or list that is none, a name or traits that another field replaces. */
const BLANK_FIELDS = new Set([
  'POST /conversations/{id}/messages/{mid}/regenerate note',
  'PATCH /characters/{id} character_traits',
  'POST /personas name',
  'PATCH /personas/{id} name',
  'PUT /admin/business blocked_tags',
  'PUT /admin/business merged_tags',
]);

/**
 * Values that look invalid and are not: a switch may be true, null clears a nickname, picture, notes, lorebook, persona or rating,
 * memory and first messages may be empty, text lists accept any text, numbers may be counters or constants, and some
 * returned fields are ignored.
 */
export function isValidValue(operation: Operation, name: string, value: unknown): boolean {
  const switches = operation.body?.properties?.[name]?.type === 'boolean' && value === true;
  const takesAway =
    ((['nickname', 'avatar_id', 'book', 'lorebook', 'recommended_style', 'rating'].includes(name) ||
      formatOperation(operation) === 'PUT /conversations/{id}/persona' ||
      (name === 'character_id' && operation.path.startsWith('/personas'))) &&
      value === null) ||
    (name === 'summary' && typeof value === 'string' && value.trim() === '');
  const mayBeBlank =
    (['first_message', 'details', 'author_note', 'about'].includes(name) ||
      BLANK_FIELDS.has(`${formatOperation(operation)} ${name}`)) &&
    typeof value === 'string' &&
    value.trim() === '';
  const known = ['known', 'alternate_greetings', 'free_tags'].includes(name) && Array.isArray(value);
  const compared =
    COMPARED_FIELDS.has(`${formatOperation(operation)} ${name}`) &&
    typeof value === 'string' &&
    value.trim() === '';
  const numbers =
    ['greeting', 'version', 'amount_cents', 'points', 'mark', 'author_note_depth'].includes(name) &&
    value === 7;
  const constants =
    formatOperation(operation) === 'PUT /admin/business' &&
    (value === null || (value === 7 && !/_on$|_plan$/.test(name)));
  return (
    constants ||
    numbers ||
    switches ||
    takesAway ||
    mayBeBlank ||
    known ||
    compared ||
    UNREAD_FIELDS.has(name)
  );
}

/** Fields that the server ignores when they are sent back, with any value. */
const UNREAD_FIELDS = new Set(['set_aside_count', 'left_out', 'userInfo']);

/** Values that hardly any field accepts. */
export const INVALID_VALUES: [string, unknown][] = [
  ['null', null],
  ['a number', 7],
  ['true', true],
  ['a list', ['x']],
  ['an object', { $gt: '' }],
  ['an empty text', ''],
  ['a blank text', ' \n\t'],
  ['a text of 100,000 characters', 'x'.repeat(100_000)],
];
