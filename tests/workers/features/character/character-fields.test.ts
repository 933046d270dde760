import { describe, expect, test } from 'vitest';
import {
  MAX_ALTERNATE_GREETINGS,
  MAX_SUGGESTED_REPLIES,
} from '../../../../src/features/character/character-rules.ts';
import type { OwnCharacter } from '../../../../src/features/character/contract.ts';
import {
  createOwnCharacter,
  buildForm,
  fetchOwnCharacters,
  submitForm,
} from '../../../support/character-actions.ts';
import { listLedger, createAccount, type Visitor } from '../../../support/factories.ts';

type Fields = Record<string, string[]>;

/** Returns the field errors of a form, or null when it is accepted. */
async function submitForErrors(me: Visitor, form: object): Promise<Fields | null> {
  const answer = await submitForm(me, form);
  if (answer.status === 201) return null;
  const { code, fields } = await answer.json<{ code: string; fields: Fields }>();
  expect([answer.status, code]).toEqual([400, 'invalid_input']);
  return fields;
}

/** A wave emoji is two UTF-16 units, as browsers count them. */
const repeatEmoji = (units: number): string => '🌊'.repeat(units / 2);

/** A field, a value that it refuses, and the error message. */
const INVALID_FIELDS: [field: string, what: string, value: unknown, message: string][] = [
  ['avatar_id', 'missing', undefined, 'Please upload an avatar'],
  ['avatar_id', 'empty', '', 'Please upload an avatar'],
  ['avatar_id', 'a path', '../../secret.png', 'Please upload an avatar'],
  ['avatar_id', 'an SVG', `${'a'.repeat(32)}.svg`, 'Please upload an avatar'],
  ['avatar_id', 'an address', 'https://evil.example/a.png', 'Please upload an avatar'],
  ['name', 'missing', undefined, 'Name is required'],
  ['name', 'blank', ' \u200b\n', 'Name is required'],
  ['name', 'too long', 'n'.repeat(51), 'The name can have up to 50 characters'],
  ['name', 'too long in emoji', repeatEmoji(52), 'The name can have up to 50 characters'],
  ['name', 'of two lines', 'Or\nla', 'A name is one line of text'],
  ['name', 'half a character', 'Or\ud83dla', 'This text holds half a character'],
  ['oneliner', 'missing', undefined, 'Tagline is required'],
  ['oneliner', 'blank', '  ', 'Tagline is required'],
  ['oneliner', 'too long', 'o'.repeat(51), 'The tagline can have up to 50 characters'],
  ['oneliner', 'half a character', '\udc4b', 'This text holds half a character'],
  ['character_traits', 'missing', undefined, 'Traits are required'],
  ['character_traits', 'blank', '\n\n', 'Traits are required'],
  ['character_traits', 'too long', 't'.repeat(1001), 'The traits can have up to 1000 characters'],
  ['about', 'too long', 'a'.repeat(5001), '“About” can have up to 5000 characters'],
  ['first_message', 'too long', 'f'.repeat(2001), 'The first message can have up to 2000 characters'],
  [
    'first_message',
    'too long in emoji',
    repeatEmoji(2002),
    'The first message can have up to 2000 characters',
  ],
  ['suggested_replies', 'of two words', ['Two words'], 'A suggested reply has 3 to 5 words'],
  [
    'suggested_replies',
    'of six words',
    ['One two three four five six'],
    'A suggested reply has 3 to 5 words',
  ],
  ['suggested_replies', 'of signs', ['… — !'], 'A suggested reply has 3 to 5 words'],
  ['suggested_replies', 'of two lines', ['One two\nthree'], 'A suggested reply has 3 to 5 words'],
  ['suggested_replies', 'half a character', ['One two \ud83d three'], 'A suggested reply has 3 to 5 words'],
  [
    'suggested_replies',
    'very long words',
    [`${'x'.repeat(60)} ${'y'.repeat(60)} z`],
    'A suggested reply has 3 to 5 words',
  ],
];

/** Values that no form sends, each with its field. */
const UNEXPECTED_VALUES: [field: string, value: unknown][] = [
  ['model_type', undefined],
  ['model_type', 'deepseek'],
  ['model_type', null],
  ['visibility', undefined],
  ['visibility', 'secret'],
  ['point_of_view', 'first'],
  ['nsfw_allowed', 'true'],
  ['nsfw_allowed', 1],
  ['suggested_replies', 'Who are you then?'],
  ['suggested_replies', [7]],
  ['suggested_replies', Array.from({ length: MAX_SUGGESTED_REPLIES + 1 }, () => 'Who are you then?')],
  ['tags', ['__proto__']],
  ['tags', 'rpg'],
  ['tags', Array.from({ length: 6 }, () => 'rpg')],
  ['alternate_greetings', ['']],
  ['alternate_greetings', ['x'.repeat(2001)]],
  ['alternate_greetings', Array.from({ length: MAX_ALTERNATE_GREETINGS + 1 }, () => 'Hello.')],
  ['import_id', '../cards'],
  ['name', { $gt: '' }],
  ['character_traits', ['x']],
  // Fields that only the platform or moderation sets.
  ['featured', true],
  ['chat_count', 1_000_000],
  ['creator_id', 'somebody'],
  ['moderation', 'shown'],
  ['version', 7],
  ['summary', 'Mine'],
  ['id', 'mine'],
  ['constructor', {}],
];

describe('Invalid character forms', () => {
  test('an invalid field is refused with its error message, both on creation and on change', async () => {
    const me = await createAccount();
    const good = await buildForm(me);
    const { id } = await createOwnCharacter(me, { avatar_id: good.avatar_id });
    for (const [field, what, value, message] of INVALID_FIELDS) {
      const where = `${field} ${what}`;
      expect({ where, fields: await submitForErrors(me, { ...good, [field]: value }) }).toEqual({
        where,
        fields: { [field]: [message] },
      });
      if (value === undefined) continue;
      const answer = await me.call(`/api/characters/${id}`, { method: 'PATCH', json: { [field]: value } });
      expect({ where, status: answer.status, body: await answer.json() }).toMatchObject({
        where,
        status: 400,
        body: { fields: { [field]: [message] } },
      });
    }
    expect((await fetchOwnCharacters(me)).items).toHaveLength(1);
    expect((await listLedger(me)).filter(({ kind }) => kind === 'character')).toHaveLength(1);
  });

  test('a value that no form sends is refused and changes nothing', async () => {
    const me = await createAccount();
    const good = await buildForm(me);
    const { id } = await createOwnCharacter(me, { avatar_id: good.avatar_id });
    const before = await fetchOwnCharacters(me);
    for (const [field, value] of UNEXPECTED_VALUES) {
      expect(Object.keys((await submitForErrors(me, { ...good, [field]: value })) ?? {})).toEqual([field]);
      if (value === undefined) continue;
      const answer = await me.call(`/api/characters/${id}`, { method: 'PATCH', json: { [field]: value } });
      expect([field, answer.status]).toEqual([field, 400]);
    }
    expect(await fetchOwnCharacters(me)).toEqual(before);
  });

  test('the last text that describes a character to models cannot be removed', async () => {
    const me = await createAccount();
    const { id } = await createOwnCharacter(me, {
      character_traits: '',
      definition: { scenario: { text: 'A lighthouse.' }, creator_notes: { text: 'Be kind to her.' } },
    });
    const change = (json: object) => me.call(`/api/characters/${id}`, { method: 'PATCH', json });
    const emptied = { definition: { scenario: { text: '' } } };
    const refused = await change(emptied);
    expect([refused.status, (await refused.json<{ fields: Fields }>()).fields]).toEqual([
      400,
      { character_traits: ['Traits are required'] },
    ]);
    expect((await change({ ...emptied, character_traits: 'She keeps the light.' })).status).toBe(200);
  });

  test('a form with several invalid fields reports all of them at once', async () => {
    const me = await createAccount();
    expect(Object.keys((await submitForErrors(me, {})) ?? {}).toSorted()).toEqual([
      'avatar_id',
      'character_traits',
      'model_type',
      'name',
      'oneliner',
      'visibility',
    ]);
  });
});

describe('Character forms at the limits', () => {
  test('a form with every field at its maximum length is stored unchanged, in any script', async () => {
    const me = await createAccount();
    const fields = {
      name: repeatEmoji(50),
      oneliner: 'あ'.repeat(50),
      character_traits: `${'т'.repeat(999)}\n`,
      first_message: repeatEmoji(2000),
      suggested_replies: [
        'One two three',
        'One two three four five',
        'Кто ты такая, Орла?',
        'あなたは誰ですか',
        '你到底是谁',
        'Where’s the 2nd lamp?',
      ],
      tags: ['male', 'female', 'anime', 'fantasy', 'rpg'] as const,
      alternate_greetings: Array.from({ length: MAX_ALTERNATE_GREETINGS }, () => 'é'.repeat(2000)),
    };
    const created = await createOwnCharacter(me, { ...fields, tags: [...fields.tags] });
    expect(created).toMatchObject({ ...fields, tags: expect.arrayContaining([...fields.tags]) });
    expect(await me.ask(`/api/me/characters/${created.id}`)).toEqual(created);
  });

  test('markup, scripts and control characters in the fields are stored as typed', async () => {
    const me = await createAccount();
    const hostile = {
      oneliner: '<script>alert(1)</script>',
      character_traits: `"'><img src=x onerror=alert(1)> \u202egnorts {{user}} \${1}`,
      first_message: "'; drop table characters; -- \u0000 end",
      alternate_greetings: ['</script><!-- {{char}}'],
    };
    const created = await createOwnCharacter(me, { ...hostile, name: '\u202eOrla </title> &amp;' });
    expect(created).toMatchObject({ ...hostile, name: 'Orla </title> &amp;' });
    const updated = await me.ask<OwnCharacter>(`/api/characters/${created.id}`, {
      method: 'PATCH',
      json: { ...hostile, name: created.name },
    });
    expect(updated.version).toBe(1);
  });
});
