// Over 400 lines: one list of every place where a text is looked at, and what is refused there.
import { env } from 'cloudflare:workers';
import { describe, expect, inject, test } from 'vitest';
import type { OwnCharacter } from '../../src/features/character/contract.ts';
import { createId } from '../../src/lib/ids.ts';
import {
  uploadTestPicture,
  createOwnCharacter,
  buildForm,
  fetchOwnCharacters,
  submitForm,
} from '../support/character-actions.ts';
import { ConfiguredVisitor } from '../support/configured-visitor.ts';
import { getLastEvent, EventReader } from '../support/event-reader.ts';
import {
  startConversation,
  createTurnId,
  getPoints,
  createAccount,
  type Visitor,
} from '../support/factories.ts';

/** A definition that says an age, and one that says an act. */
const KID = 'Mia is twelve years old and likes horses.';
const ACT = 'She is naked and wants to have sex.';
const BOTH = 'She is 14 years old. They have sex.';

interface Refusal {
  code: string;
  error: string;
  rule?: string;
  refused_text?: string;
  fields?: Record<string, string[]>;
}

async function refused(answer: Promise<Response>): Promise<[number, Refusal]> {
  const response = await answer;
  return [response.status, await response.json<Refusal>()];
}

/** A refusal for the rule about minors at a field. */
const atField = (field: string) => [
  422,
  expect.objectContaining({
    code: 'text_refused',
    rule: 'minors',
    fields: { [field]: [expect.any(String)] },
  }),
];

const patch = (me: Visitor, id: string, json: object) =>
  me.call(`/api/characters/${id}`, { method: 'PATCH', json });

/** The same person at a site with a moderation model, or with one that does not answer. */
const moderated = (me: Visitor) =>
  new ConfiguredVisitor({ MODERATION_BASE_URL: inject('moderationUrl') }, me);
const unanswered = (me: Visitor) =>
  new ConfiguredVisitor({ MODERATION_BASE_URL: env.MODEL_DEEPSEEK_BASE_URL }, me);

/** What the moderation model was asked about. */
async function askedAbout(word: string): Promise<string[]> {
  const answer = await fetch(`${inject('moderationUrl')}/control/texts?with=${word}`);
  return (await answer.json<{ text: string }[]>()).map(({ text }) => text);
}

describe('A character who is sexual and a minor', () => {
  test.each([
    ['name', { name: 'Lily, 14 years old, has sex' }],
    ['oneliner', { oneliner: BOTH }],
    ['character_traits', { character_traits: BOTH }],
    ['first_message', { first_message: `*${BOTH}*` }],
    ['alternate_greetings', { alternate_greetings: ['Hello.', BOTH] }],
    ['suggested_replies', { suggested_replies: ['have sex, underage girl'] }],
    ['nickname', { nickname: 'I am 14, sex with me' }],
    ['creator_notes', { creator_notes: { en: BOTH } }],
    ['lorebook', { lorebook: { entries: [{ keys: ['mia'], content: BOTH, enabled: true }] } }],
  ])('is not made, and costs nothing: the %s says why', async (field, fields) => {
    const me = await createAccount();
    const before = await getPoints(me);
    for (const visibility of ['public', 'unlisted', 'private'] as const) {
      const form = await buildForm(me, { ...fields, visibility });
      expect(await refused(submitForm(me, form))).toEqual(atField(field));
    }
    expect(await getPoints(me)).toEqual(before);
    expect((await fetchOwnCharacters(me)).count).toBe(0);
  });

  test('is refused where one field says the age and another one the act', async () => {
    const me = await createAccount();
    const form = await buildForm(me, { character_traits: KID, first_message: ACT });
    const [status, { code, rule }] = await refused(submitForm(me, form));
    expect([status, code, rule]).toEqual([422, 'text_refused', 'minors']);
  });

  test('is refused where the age is said by the character and the act by a page of its world', async () => {
    const me = await createAccount();
    const lorebook = { entries: [{ keys: ['night'], content: ACT, enabled: true }] };
    const form = await buildForm(me, { character_traits: KID, lorebook });
    expect(await refused(submitForm(me, form))).toEqual(atField('lorebook'));
  });

  test('can be tried again once it is mended, with the same key, and is made and paid for once', async () => {
    const me = await createAccount();
    const key = `key-${createId(Date.now())}`;
    const form = await buildForm(me, { oneliner: BOTH });
    expect((await refused(submitForm(me, form, key)))[0]).toBe(422);
    const answer = await submitForm(me, { ...form, oneliner: 'Keeps the light' }, key);
    expect(answer.status).toBe(201);
  });

  test('goes back with the text that was refused, for whoever wants to appeal', async () => {
    const me = await createAccount();
    const [, answer] = await refused(submitForm(me, await buildForm(me, { oneliner: BOTH })));
    expect(answer.refused_text).toBe(BOTH);
  });

  test('does not become one by a change, whoever may see it', async () => {
    const me = await createAccount();
    const kid = await createOwnCharacter(me, { character_traits: KID, visibility: 'private' });
    for (const change of [{ first_message: ACT }, { alternate_greetings: [ACT] }, { oneliner: BOTH }])
      expect((await refused(patch(me, kid.id, change)))[0]).toBe(422);
    expect((await refused(patch(me, kid.id, { first_message: ACT })))[1].fields).toHaveProperty(
      'first_message',
    );
    const book = { book: { entries: [{ keys: ['x'], content: BOTH, enabled: true }] } };
    expect(
      await refused(me.call(`/api/characters/${kid.id}/lorebook`, { method: 'PUT', json: book })),
    ).toEqual(atField('lorebook'));
    const { first_message: kept } = await me.ask<OwnCharacter>(`/api/me/characters/${kid.id}`);
    expect(kept).toBe(kid.first_message);
  });

  test('is refused as a card, whole, with what is wrong in it', async () => {
    const me = await createAccount();
    const file = (data: object) => {
      const body = new FormData();
      const card = { spec: 'chara_card_v2', spec_version: '2.0', data: { name: 'Mia', ...data } };
      body.set('file', new File([JSON.stringify(card)], 'mia.json', { type: 'application/json' }));
      return me.call('/api/characters/import', { body });
    };
    const [status, answer] = await refused(file({ description: BOTH, first_mes: 'Hi' }));
    expect([status, answer.rule, answer.refused_text?.includes(BOTH)]).toEqual([422, 'minors', true]);
    expect(answer.fields).toHaveProperty('character_traits');
    expect(
      await refused(
        file({ description: 'Kind.', character_book: { entries: [{ keys: ['a'], content: BOTH }] } }),
      ),
    ).toEqual(atField('lorebook'));
    const kept = await env.DB.prepare('select count(*) as n from cards where owner_id = ? and created_at > 0')
      .bind(me.id)
      .first<number>('n');
    expect(kept).toBe(0);
  });

  test('is not talked with in a test chat either', async () => {
    const me = await createAccount();
    const before = await getPoints(me);
    const say = (character: object, content: string) =>
      me.call('/api/characters/test-chat', {
        json: {
          turn_id: createTurnId(),
          character: {
            name: 'Mia',
            oneliner: 'Rides',
            character_traits: 'Kind.',
            model_type: 'roleplay',
            ...character,
          },
          messages: [{ role: 'user', content }],
        },
      });
    expect(await refused(say({ character_traits: BOTH }, 'Hello'))).toEqual(atField('character_traits'));
    expect(await refused(say({ character_traits: KID }, '*undresses her*'))).toEqual(atField('messages'));
    expect(await getPoints(me)).toEqual(before);
  });
});

describe('A character who is a child in a story without sex', () => {
  test('is made, changed and talked with as any other', async () => {
    const me = await createAccount();
    const made = await createOwnCharacter(me, { character_traits: KID, oneliner: 'Age: 12. Rides to war' });
    const answer = await patch(me, made.id, { first_message: '*feeds the horse* "Hello!"' });
    expect(answer.status).toBe(200);
  });

  test('may live in the family of an adult character', async () => {
    const me = await createAccount();
    const made = await createOwnCharacter(me, {
      character_traits: 'Anna is 41 and the mother of a 15-year-old daughter.',
    });
    expect(made.id).toBeTruthy();
  });
});

/** A definition that says an age, and no word about sex. */
const PUPIL = 'Lily is 14 years old, a schoolgirl. She is in love with {{user}}, her teacher.';

describe('A character for adults who is a minor', () => {
  const grown = async () => {
    const me = await createAccount();
    await me.ask('/api/account', { method: 'PATCH', json: { spicy_mode: true, age_confirmed: true } });
    return me;
  };

  test.each([
    ['name', { name: 'Lily, 14' }],
    ['character_traits', { character_traits: PUPIL }],
    ['first_message', { first_message: '"I am only fifteen years old."' }],
    ['alternate_greetings', { alternate_greetings: ['Hello.', '*{{user}} is a 16-year-old boy.*'] }],
    ['lorebook', { lorebook: { entries: [{ keys: ['lily'], content: PUPIL, enabled: true }] } }],
  ])(
    'is not made, whoever may see it, and nobody says a word about sex: the %s says why',
    async (field, of) => {
      const me = await grown();
      for (const visibility of ['public', 'private'] as const) {
        const form = await buildForm(me, { ...of, visibility, nsfw_allowed: true });
        expect(await refused(submitForm(me, form))).toEqual(atField(field));
      }
      expect((await fetchOwnCharacters(me)).count).toBe(0);
    },
  );

  test('does not become one when the flag is turned on, or an age is written later', async () => {
    const me = await grown();
    const kid = await createOwnCharacter(me, { character_traits: PUPIL, nsfw_allowed: false });
    expect(await refused(patch(me, kid.id, { nsfw_allowed: true }))).toEqual(atField('character_traits'));
    const adult = await createOwnCharacter(me, { character_traits: 'Mara is 34.', nsfw_allowed: true });
    expect(await refused(patch(me, adult.id, { oneliner: 'Age: 15' }))).toEqual(atField('oneliner'));
    const book = { book: { entries: [{ keys: ['x'], content: PUPIL, enabled: true }] } };
    const put = me.call(`/api/characters/${adult.id}/lorebook`, { method: 'PUT', json: book });
    expect(await refused(put)).toEqual(atField('lorebook'));
  });

  test('is not tried in a test chat', async () => {
    const me = await grown();
    const say = me.call('/api/characters/test-chat', {
      json: {
        turn_id: createTurnId(),
        character: {
          name: 'Lily',
          oneliner: 'Reads',
          character_traits: PUPIL,
          model_type: 'roleplay',
          nsfw_allowed: true,
        },
        messages: [{ role: 'user', content: 'Hello' }],
      },
    });
    expect(await refused(say)).toEqual(atField('character_traits'));
  });

  test('is none for a son of eight years, or a class that she teaches', async () => {
    const me = await grown();
    const character_traits = 'Mara is 34, a widow with her 8-year-old son. She teaches the seventh grade.';
    expect((await createOwnCharacter(me, { character_traits, nsfw_allowed: true })).id).toBeTruthy();
  });
});

describe('What others are to call me', () => {
  const name = (me: Visitor, json: object) => me.call('/api/account', { method: 'PATCH', json });

  test('is refused where it is sexual and of a minor, in my account and in the onboarding', async () => {
    const me = await createAccount();
    expect(await refused(name(me, { nickname: 'Loli nsfw' }))).toEqual(atField('nickname'));
    expect(await refused(name(me, { username: 'loli_nsfw' }))).toEqual(atField('username'));
    expect(await refused(me.call('/api/onboarding', { json: { nickname: 'I am 14, sex with me' } }))).toEqual(
      atField('nickname'),
    );
    expect(await me.ask('/api/account')).toMatchObject({ nickname: null });
    expect((await name(me, { nickname: 'Lily, 14' })).status).toBe(200);
    expect(await refused(name(me, { username: 'nsfw_sex' }))).toEqual(atField('username'));
  });

  test('is sent to the moderation model, where there is one, and waits for it', async () => {
    const me = await createAccount();
    const there = moderated(me);
    const [status, answer] = await refused(name(there, { nickname: '[[finds:hate]]' }));
    expect([status, answer.rule, Object.keys(answer.fields ?? {})]).toEqual([422, 'hate', ['nickname']]);
    const [waits, { code }] = await refused(name(unanswered(me), { nickname: 'Ada' }));
    expect([waits, code]).toEqual([503, 'moderation_unavailable']);
    expect((await name(unanswered(me), { email_notifications: false })).status).toBe(200);
  });

  test('can be appealed about', async () => {
    const me = await createAccount();
    const [, { refused_text, rule }] = await refused(name(me, { nickname: 'Loli nsfw' }));
    const json = { place: 'name', rule, refused_text, message: 'It is a joke.' };
    expect((await me.call('/api/appeals', { json })).status).toBe(201);
  });
});

describe('A chat that is brought', () => {
  const bring = (me: Visitor, characterId: string, said: string) => {
    const lines = [
      { user_name: 'Ana', character_name: 'Mia', create_date: '2026-01-01@10h00m00s' },
      { name: 'Ana', is_user: true, send_date: '2026-01-01T10:00:00Z', mes: 'Hello' },
      { name: 'Mia', is_user: false, send_date: '2026-01-01T10:00:01Z', mes: 'Hi.', swipes: ['Hi.', said] },
    ];
    const body = new FormData();
    body.set('character_id', characterId);
    body.set('file', new File([lines.map((line) => JSON.stringify(line)).join('\n')], 'mia.jsonl'));
    return me.call('/api/conversations/import', { body });
  };

  test('is refused whole where the character says the age and one of its versions the act', async () => {
    const me = await createAccount();
    const kid = await createOwnCharacter(me, { character_traits: KID });
    expect(await refused(bring(me, kid.id, ACT))).toEqual(atField('file'));
    expect((await me.ask<{ chats: unknown[] }>('/api/chats')).chats).toEqual([]);
    expect((await bring(me, kid.id, 'Let us ride.')).status).toBe(201);
  });
});

describe('What is to be remembered', () => {
  test('is refused where it is sexual and of a minor, as a note and as a whole', async () => {
    const me = await createAccount();
    const id = await startConversation(me);
    const put = (json: object) => me.call(`/api/conversations/${id}/memory`, { method: 'PUT', json });
    expect(await refused(put({ entries: [{ text: BOTH }] }))).toEqual(atField('entries'));
    expect(await refused(put({ entries: [{ text: KID }, { text: ACT }] }))).toEqual(atField('entries'));
    expect(await refused(put({ summary: BOTH }))).toEqual(atField('summary'));
    expect((await put({ entries: [{ text: KID }] })).status).toBe(200);
  });
});

describe('A persona', () => {
  test('who is sexual and a minor is refused, new or changed', async () => {
    const me = await createAccount();
    const json = { name: 'Mia', description: BOTH };
    expect(await refused(me.call('/api/personas', { json }))).toEqual(atField('description'));
    const kept = await me.ask<{ id: string }>('/api/personas', {
      json: { name: 'Mia', description: 'Rides horses.' },
      status: 201,
    });
    expect(
      await refused(me.call(`/api/personas/${kept.id}`, { method: 'PATCH', json: { description: BOTH } })),
    ).toEqual(atField('description'));
  });
});

describe('Where a moderation model is configured', () => {
  test('it is asked about what others may see, and its refusal names the field', async () => {
    const me = await createAccount();
    const there = moderated(me);
    const word = `kappa${createId(Date.now())}`;
    for (const visibility of ['public', 'unlisted'] as const) {
      const form = await buildForm(me, { oneliner: `${word} [[finds:hate]]`, visibility });
      const [status, answer] = await refused(submitForm(there, form));
      expect([status, answer.rule, Object.keys(answer.fields ?? {})]).toEqual([422, 'hate', ['oneliner']]);
    }
    expect((await fetchOwnCharacters(me)).count).toBe(0);
    expect(await askedAbout(word)).not.toEqual([]);
  });

  test('what nobody else sees is not sent to it; opening it to others is', async () => {
    const me = await createAccount();
    const there = moderated(me);
    const word = `sigma${createId(Date.now())}`;
    const form = await buildForm(me, { oneliner: `${word} [[finds:sexual]]`, visibility: 'private' });
    const made = await (await submitForm(there, form)).json<OwnCharacter>();
    expect(await askedAbout(word)).toEqual([]);
    const [status, answer] = await refused(patch(there, made.id, { visibility: 'public' }));
    expect([status, answer.rule]).toEqual([422, 'sexual']);
    expect((await me.ask<OwnCharacter>(`/api/me/characters/${made.id}`)).visibility).toBe('private');
  });

  test('only what is changed is asked about again', async () => {
    const me = await createAccount();
    const there = moderated(me);
    const word = `omega${createId(Date.now())}`;
    const made = await (
      await submitForm(there, await buildForm(me, { character_traits: `${word} traits` }))
    ).json<OwnCharacter>();
    const before = (await askedAbout(word)).length;
    expect((await patch(there, made.id, { oneliner: 'Another line' })).status).toBe(200);
    expect((await askedAbout(word)).length).toBe(before);
  });

  test('a message of a test chat is looked at, and so is the answer', async () => {
    const me = await createAccount();
    const say = (content: string) =>
      moderated(me).call('/api/characters/test-chat', {
        json: {
          turn_id: createTurnId(),
          character: { name: 'Wren', oneliner: 'Maps', character_traits: 'Kind.', model_type: 'roleplay' },
          messages: [{ role: 'user', content }],
        },
      });
    expect((await refused(say('[[finds:illicit/violent]]')))[1]).toMatchObject({ rule: 'illegal' });
    const events = await EventReader.fromResponse(await say('[[scenario:echo]] hello'));
    expect(getLastEvent(await events.readRest())).toMatchObject({ event: 'done' });
  });
});

describe('Where the moderation model does not answer', () => {
  test('nothing is published, nothing is paid, and what is written stays with whoever wrote it', async () => {
    const me = await createAccount();
    const before = await getPoints(me);
    const avatar_id = await uploadTestPicture(me);
    const [status, { code }] = await refused(
      submitForm(unanswered(me), await buildForm(me, { avatar_id, visibility: 'public' })),
    );
    expect([status, code]).toEqual([503, 'moderation_unavailable']);
    expect(await getPoints(me)).toEqual(before);
    const kept = await submitForm(unanswered(me), await buildForm(me, { avatar_id, visibility: 'private' }));
    expect(kept.status).toBe(201);
  });

  const say = (me: Visitor, nsfw_allowed: boolean) =>
    me.call('/api/characters/test-chat', {
      json: {
        turn_id: createTurnId(),
        character: {
          name: 'Wren',
          oneliner: 'Maps',
          character_traits: 'Kind.',
          model_type: 'roleplay',
          nsfw_allowed,
        },
        messages: [{ role: 'user', content: '[[scenario:tokens n=3]] hello' }],
      },
    });

  test('a plain chat goes on with the rules alone', async () => {
    const me = await createAccount();
    const events = await EventReader.fromResponse(await say(unanswered(me), false));
    expect(getLastEvent(await events.readRest())).toMatchObject({ event: 'done' });
  });

  test('a chat for adults waits until it answers', async () => {
    const me = await createAccount();
    await me.ask('/api/account', { method: 'PATCH', json: { spicy_mode: true, age_confirmed: true } });
    const before = await getPoints(me);
    const [status, { code }] = await refused(say(unanswered(me), true));
    expect([status, code]).toEqual([503, 'moderation_unavailable']);
    expect(await getPoints(me)).toEqual(before);
  });
});
