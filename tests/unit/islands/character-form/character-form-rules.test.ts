import { describe, expect, test } from 'vitest';
import { TEXT_LIMITS } from '../../../../src/config/text-limits.ts';
import { createCharacterBody } from '../../../../src/features/character/contract.ts';
import { DEFAULT_REPLY_STYLE } from '../../../../src/features/reply-style/reply-style.ts';
import {
  toCharacterBody,
  diffBodies,
  EMPTY_FIELDS,
  toFields,
  hasFormChanges,
  measureField,
  toNewCharacterBody,
  rebaseFields,
  listRejectedFields,
  validateFields,
  applyCard,
  type CharacterFields,
} from '../../../../src/islands/character-form/form-rules.ts';
import { AVATAR, CARD, CARD_EXTRAS, WREN, toOwnCharacter } from '../../../support/form-fields.ts';

const codes = (fields: Partial<CharacterFields>) =>
  validateFields({ ...WREN, ...fields }).map(({ field, index, code }) =>
    [field, index, code].filter((part) => part !== undefined).join(' '),
  );

describe('Character form rules', () => {
  test('all missing fields are reported in the order of the form', () => {
    expect(validateFields(EMPTY_FIELDS).map(({ field, code }) => `${field} ${code}`)).toEqual([
      'avatar required',
      'name required',
      'oneliner required',
      'character_traits required',
    ]);
    expect(codes({ name: ' \u200b ' })).toEqual(['name required']);
    expect(codes({})).toEqual([]);
  });

  test.each([
    ['name', TEXT_LIMITS.characterName],
    ['oneliner', TEXT_LIMITS.oneliner],
    ['character_traits', TEXT_LIMITS.characterTraits],
    ['first_message', TEXT_LIMITS.firstMessage],
  ] as const)('the field %s is accepted up to its limit and refused above it', (field, limit) => {
    expect(codes({ [field]: 'x'.repeat(limit) })).toEqual([]);
    expect(codes({ [field]: 'x'.repeat(limit + 1) })).toEqual([`${field} too_long`]);
    // An emoji counts as two UTF-16 units, as in the server and in browsers.
    expect(measureField(field, '🦊')).toEqual({ used: 2, limit });
  });

  test('suggested replies need 3 to 5 words, and each greeting may be as long as the first message', () => {
    expect(
      codes({ suggested_replies: ['Yes', '', 'Where are we going?', 'one two three four five six'] }),
    ).toEqual(['suggested_replies 0 words', 'suggested_replies 3 words']);
    expect(codes({ alternate_greetings: ['', 'x'.repeat(2000), 'x'.repeat(2001)] })).toEqual([
      'alternate_greetings 2 too_long',
    ]);
  });

  test.each([
    [
      'Japanese',
      ['あなたは誰ですか？', '一緒に行こう', '今日は何をしますか', 'Miraと一緒に行く'],
      [
        'はい',
        'ありがとう',
        '「はい」',
        'Yes はい',
        'one two three four five はい',
        '助けてくれてありがとうと言いながら私は彼女に近づいて手を握る',
      ],
    ],
    [
      'Chinese',
      ['你是谁？', '我们去哪里？', '你想 go there', '你 好 吗'],
      ['好', '好的', 'Yes 好', 'a b c d e f 好 g h', 'one two three four five 好'],
    ],
    ['Hindi', ['तुम कौन हो?', 'हम कहाँ जा रहे हैं?'], ['हाँ', 'तुम कौन', 'क्या तुम मेरे साथ वहाँ चलोगे']],
    [
      'Russian',
      ['Кто ты такая?', 'Расскажи мне ещё раз об'],
      ['Да', 'Кто ты', 'Расскажи мне ещё раз об этом'],
    ],
    [
      'Thai',
      ['คุณเป็นใคร', 'เราจะไปที่ไหนกันดี'],
      ['ครับ', 'Yes ครับ', 'a b c d e ครับ', 'เราจะไปที่ไหนกันดีเมื่อคุณมาถึงบ้านของฉันในวันพรุ่งนี้'],
    ],
  ])('the words of a suggested reply are counted in %s', (_, fitting, others) => {
    expect(codes({ suggested_replies: fitting })).toEqual([]);
    expect(codes({ suggested_replies: others })).toEqual(
      others.map((_other, index) => `suggested_replies ${index} words`),
    );
  });

  test('the request body is valid and contains no empty list items', () => {
    const body = toCharacterBody({
      ...WREN,
      name: '  Wren ',
      tags: ['rpg', 'female'],
      alternate_greetings: [' ', 'Or so.'],
      suggested_replies: ['', '  Where are we going? '],
    });
    expect(body).toMatchObject({
      avatar_id: AVATAR.avatar_id,
      name: 'Wren',
      tags: ['female', 'rpg'],
      alternate_greetings: ['Or so.'],
      suggested_replies: ['Where are we going?'],
    });
    expect(createCharacterBody.safeParse(body).error).toBeUndefined();
  });

  test('unsaved changes are detected, and only changed fields are sent', () => {
    expect(hasFormChanges({ ...WREN, alternate_greetings: [''] }, WREN)).toBe(false);
    expect(hasFormChanges({ ...WREN, tags: ['anime'] }, WREN)).toBe(true);
    expect(diffBodies(toCharacterBody(WREN), toCharacterBody({ ...WREN, name: 'Robin' }))).toEqual({
      name: 'Robin',
    });
    expect(toFields(toOwnCharacter(WREN))).toEqual(WREN);
  });

  test('a card’s recommended style is sent only when it was changed or removed', () => {
    const style = { ...DEFAULT_REPLY_STYLE, author_note: 'It rains.' };
    const card = { ...CARD_EXTRAS, definition: CARD.definition, recommended_style: style };
    const fields = applyCard(WREN, { draft: CARD, extras: card });
    expect(fields.recommended_style).toEqual(style);
    expect(toNewCharacterBody(fields, card)).not.toHaveProperty('recommended_style');
    for (const recommended_style of [{ ...style, author_note: 'It snows.' }, null])
      expect(toNewCharacterBody({ ...fields, recommended_style }, card)).toMatchObject({ recommended_style });
  });

  test('changes made elsewhere are kept in fields that the user did not edit', () => {
    const newest = { ...WREN, name: 'Robin', oneliner: 'New.' };
    expect(rebaseFields({ ...WREN, oneliner: 'Mine.' }, WREN, newest)).toEqual({
      ...WREN,
      name: 'Robin',
      oneliner: 'Mine.',
    });
  });

  test('a card fills the form with known tags only and keeps the picture if it has none', () => {
    const filled = applyCard(WREN, { draft: CARD, extras: CARD_EXTRAS });
    expect(filled).toMatchObject({ name: 'Robin', character_traits: 'Loud.\r\n', tags: ['fantasy'] });
    expect(filled.avatar).toEqual(AVATAR);
    const own = { ...CARD, avatar_id: 'b', avatar_url: '/media/b' };
    expect(applyCard(WREN, { draft: own, extras: CARD_EXTRAS }).avatar?.avatar_id).toBe('b');
  });

  test('the fields named in a refusal are mapped to fields of the form', () => {
    expect(listRejectedFields({ avatar_id: ['x'], tags: ['x'], _: ['x'] })).toEqual(['avatar', 'tags']);
  });
});
