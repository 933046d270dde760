// Over 400 lines: one list of every place where a text is moderated, and of what is refused there.
import { env } from 'cloudflare:workers';
import { describe, expect, inject, test } from 'vitest';
import type { OwnCharacter } from '../../../../src/features/character/contract.ts';
import { createId } from '../../../../src/lib/ids.ts';
import {
  uploadTestPicture,
  createOwnCharacter,
  buildForm,
  fetchOwnCharacters,
  submitForm,
} from '../../../support/character-actions.ts';
import { ConfiguredVisitor } from '../../../support/configured-visitor.ts';
import { getLastEvent, EventReader } from '../../../support/event-reader.ts';
import {
  startConversation,
  createTurnId,
  getPoints,
  createAccount,
  type Visitor,
} from '../../../support/factories.ts';

/** KID is a definition with an age, ACT one with a sexual act, BOTH has both. */
const KID = 'Mia is twelve years old and likes horses.';
const ACT = 'She is naked and wants to have sex.';
const BOTH = 'She is 14 years old. They have sex.';

const reverse = (text: string) => [...text].toReversed().join('');

interface Refusal {
  code: string;
  error: string;
  rule?: string;
  refused_text?: string;
  fields?: Record<string, string[]>;
}

async function readRefusal(answer: Promise<Response>): Promise<[number, Refusal]> {
  const response = await answer;
  return [response.status, await response.json<Refusal>()];
}

/** A refusal by the rule about minors, with the error at this field. */
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

/** The same user at a site with a moderation model, or with one that does not answer. */
const withModeration = (me: Visitor) =>
  new ConfiguredVisitor({ MODERATION_BASE_URL: inject('moderationUrl') }, me);
const withDeadModeration = (me: Visitor) =>
  new ConfiguredVisitor({ MODERATION_BASE_URL: env.MODEL_DEEPSEEK_BASE_URL }, me);

/** The texts with this word that the moderation model was asked about. */
async function listCheckedTexts(word: string): Promise<string[]> {
  const answer = await fetch(`${inject('moderationUrl')}/control/texts?with=${word}`);
  return (await answer.json<{ text: string }[]>()).map(({ text }) => text);
}

describe('Sexual characters who are minors', () => {
  test.each([
    ['name', { name: 'Lily, 14 years old, has sex' }],
    ['oneliner', { oneliner: BOTH }],
    ['character_traits', { character_traits: BOTH }],
    ['first_message', { first_message: `*${BOTH}*` }],
    ['about', { about: `# Mia\n\n${BOTH}` }],
    ['alternate_greetings', { alternate_greetings: ['Hello.', BOTH] }],
    ['suggested_replies', { suggested_replies: ['have sex, underage girl'] }],
    ['nickname', { nickname: 'I am 14, sex with me' }],
    ['definition.description', { definition: { description: { text: BOTH } } }],
    ['definition.creator_notes', { definition: { creator_notes: { text: BOTH } } }],
    ['lorebook', { lorebook: { entries: [{ keys: ['mia'], content: BOTH, enabled: true }] } }],
  ])(
    'creating a sexual character who is a minor is refused with an error at the %s, and costs nothing',
    async (field, fields) => {
      const me = await createAccount();
      const before = await getPoints(me);
      for (const visibility of ['public', 'unlisted', 'private'] as const) {
        const form = await buildForm(me, { ...fields, visibility });
        expect(await readRefusal(submitForm(me, form))).toEqual(atField(field));
      }
      expect(await getPoints(me)).toEqual(before);
      expect((await fetchOwnCharacters(me)).count).toBe(0);
    },
  );

  test.each([
    ['backwards', `{{reverse:${reverse(BOTH)}}}`],
    ['backwards around a name', `{{reverse:{{user}} ${reverse(BOTH)}}}`],
    ['with notes within a word', BOTH.replace('sex', 's{{// one}}e{{// two}}x')],
    ['by lot', `${KID} {{pick:Hello.,{{reverse:${reverse(ACT)}}}}}`],
  ])('a text that shows a minor only where its macros are replaced, %s, is refused', async (_, text) => {
    const me = await createAccount();
    const form = await buildForm(me, { definition: { description: { text } } });
    expect(await readRefusal(submitForm(me, form))).toEqual(atField('definition.description'));
  });

  test('what the macros of one text become counts in the context of another', async () => {
    const me = await createAccount();
    const form = await buildForm(me, {
      definition: { description: { text: `{{reverse:${reverse(KID)}}}` }, scenario: { text: ACT } },
    });
    expect(await readRefusal(submitForm(me, form))).toEqual([
      422,
      expect.objectContaining({ code: 'text_refused', rule: 'minors' }),
    ]);
  });

  test('a character whose age and sexual act are in different fields is refused', async () => {
    const me = await createAccount();
    const form = await buildForm(me, { character_traits: KID, first_message: ACT });
    const [status, { code, rule }] = await readRefusal(submitForm(me, form));
    expect([status, code, rule]).toEqual([422, 'text_refused', 'minors']);
  });

  test('a character whose age is in its traits and whose sexual act is in its lorebook is refused', async () => {
    const me = await createAccount();
    const lorebook = { entries: [{ keys: ['night'], content: ACT, enabled: true }] };
    const form = await buildForm(me, { character_traits: KID, lorebook });
    expect(await readRefusal(submitForm(me, form))).toEqual(atField('lorebook'));
  });

  test('a refused character can be created with the same key after a correction', async () => {
    const me = await createAccount();
    const key = `key-${createId(Date.now())}`;
    const form = await buildForm(me, { oneliner: BOTH });
    expect((await readRefusal(submitForm(me, form, key)))[0]).toBe(422);
    const answer = await submitForm(me, { ...form, oneliner: 'Keeps the light' }, key);
    expect(answer.status).toBe(201);
  });

  test('a refusal returns the refused text, so that it can be appealed', async () => {
    const me = await createAccount();
    const [, answer] = await readRefusal(submitForm(me, await buildForm(me, { oneliner: BOTH })));
    expect(answer.refused_text).toBe(BOTH);
  });

  test('a change that makes a minor character sexual is refused, even if the character is private', async () => {
    const me = await createAccount();
    const kid = await createOwnCharacter(me, { character_traits: KID, visibility: 'private' });
    for (const change of [{ first_message: ACT }, { alternate_greetings: [ACT] }, { oneliner: BOTH }])
      expect((await readRefusal(patch(me, kid.id, change)))[0]).toBe(422);
    expect((await readRefusal(patch(me, kid.id, { first_message: ACT })))[1].fields).toHaveProperty(
      'first_message',
    );
    const book = { book: { entries: [{ keys: ['x'], content: BOTH, enabled: true }] } };
    expect(
      await readRefusal(me.call(`/api/characters/${kid.id}/lorebook`, { method: 'PUT', json: book })),
    ).toEqual(atField('lorebook'));
    const { first_message: kept } = await me.ask<OwnCharacter>(`/api/me/characters/${kid.id}`);
    expect(kept).toBe(kid.first_message);
  });

  test('a character card of a sexual minor is refused as a whole with field errors', async () => {
    const me = await createAccount();
    const file = (data: object) => {
      const body = new FormData();
      const card = { spec: 'chara_card_v2', spec_version: '2.0', data: { name: 'Mia', ...data } };
      body.set('file', new File([JSON.stringify(card)], 'mia.json', { type: 'application/json' }));
      return me.call('/api/characters/import', { body });
    };
    const [status, answer] = await readRefusal(file({ description: BOTH, first_mes: 'Hi' }));
    expect([status, answer.rule, answer.refused_text?.includes(BOTH)]).toEqual([422, 'minors', true]);
    expect(answer.fields).toHaveProperty(['definition.description']);
    expect(
      await readRefusal(
        file({ description: 'Kind.', character_book: { entries: [{ keys: ['a'], content: BOTH }] } }),
      ),
    ).toEqual(atField('lorebook'));
    const kept = await env.DB.prepare('select count(*) as n from cards where owner_id = ? and created_at > 0')
      .bind(me.id)
      .first<number>('n');
    expect(kept).toBe(0);
  });

  test('a test chat with a sexual minor is refused and costs nothing', async () => {
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
    expect(await readRefusal(say({ character_traits: BOTH }, 'Hello'))).toEqual(atField('character_traits'));
    expect(await readRefusal(say({ character_traits: KID }, '*undresses her*'))).toEqual(atField('messages'));
    expect(await getPoints(me)).toEqual(before);
  });
});

describe('Child characters without sexual content', () => {
  test('a child character without sexual content can be created and edited', async () => {
    const me = await createAccount();
    const made = await createOwnCharacter(me, { character_traits: KID, oneliner: 'Age: 12. Rides to war' });
    const answer = await patch(me, made.id, { first_message: '*feeds the horse* "Hello!"' });
    expect(answer.status).toBe(200);
  });

  test('an adult character may have a child in the family', async () => {
    const me = await createAccount();
    const made = await createOwnCharacter(me, {
      character_traits: 'Anna is 41 and the mother of a 15-year-old daughter.',
    });
    expect(made.id).toBeTruthy();
  });
});

/** A definition with an age and no sexual word. */
const PUPIL = 'Lily is 14 years old, a schoolgirl. She is in love with {{user}}, her teacher.';

describe('Adult-rated characters who are minors', () => {
  const createAdultUser = async () => {
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
    'creating an adult-rated minor is refused with an error at the %s, even without a sexual word',
    async (field, of) => {
      const me = await createAdultUser();
      for (const visibility of ['public', 'private'] as const) {
        const form = await buildForm(me, { ...of, visibility, nsfw_allowed: true });
        expect(await readRefusal(submitForm(me, form))).toEqual(atField(field));
      }
      expect((await fetchOwnCharacters(me)).count).toBe(0);
    },
  );

  test('making a minor adult-rated, or adding an underage age to an adult-rated character, is refused', async () => {
    const me = await createAdultUser();
    const kid = await createOwnCharacter(me, { character_traits: PUPIL, nsfw_allowed: false });
    expect(await readRefusal(patch(me, kid.id, { nsfw_allowed: true }))).toEqual(atField('character_traits'));
    const adult = await createOwnCharacter(me, { character_traits: 'Mara is 34.', nsfw_allowed: true });
    expect(await readRefusal(patch(me, adult.id, { oneliner: 'Age: 15' }))).toEqual(atField('oneliner'));
    const book = { book: { entries: [{ keys: ['x'], content: PUPIL, enabled: true }] } };
    const put = me.call(`/api/characters/${adult.id}/lorebook`, { method: 'PUT', json: book });
    expect(await readRefusal(put)).toEqual(atField('lorebook'));
  });

  test('a test chat with an adult-rated minor is refused', async () => {
    const me = await createAdultUser();
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
    expect(await readRefusal(say)).toEqual(atField('character_traits'));
  });

  test('an adult-rated character may mention a young son or a school class', async () => {
    const me = await createAdultUser();
    const character_traits = 'Mara is 34, a widow with her 8-year-old son. She teaches the seventh grade.';
    expect((await createOwnCharacter(me, { character_traits, nsfw_allowed: true })).id).toBeTruthy();
  });
});

describe('User names', () => {
  const name = (me: Visitor, json: object) => me.call('/api/account', { method: 'PATCH', json });

  test('a sexual name of a minor is refused in the account and in the onboarding', async () => {
    const me = await createAccount();
    expect(await readRefusal(name(me, { nickname: 'Loli nsfw' }))).toEqual(atField('nickname'));
    expect(await readRefusal(name(me, { username: 'loli_nsfw' }))).toEqual(atField('username'));
    expect(
      await readRefusal(me.call('/api/onboarding', { json: { nickname: 'I am 14, sex with me' } })),
    ).toEqual(atField('nickname'));
    expect(await me.ask('/api/account')).toMatchObject({ nickname: null });
    expect((await name(me, { nickname: 'Lily, 14' })).status).toBe(200);
    expect(await readRefusal(name(me, { username: 'nsfw_sex' }))).toEqual(atField('username'));
  });

  test('a name is checked by the moderation model and refused while that does not answer', async () => {
    const me = await createAccount();
    const there = withModeration(me);
    const [status, answer] = await readRefusal(name(there, { nickname: '[[finds:hate]]' }));
    expect([status, answer.rule, Object.keys(answer.fields ?? {})]).toEqual([422, 'hate', ['nickname']]);
    const [waits, { code }] = await readRefusal(name(withDeadModeration(me), { nickname: 'Ada' }));
    expect([waits, code]).toEqual([503, 'moderation_unavailable']);
    expect((await name(withDeadModeration(me), { email_notifications: false })).status).toBe(200);
  });

  test('a refused name can be appealed', async () => {
    const me = await createAccount();
    const [, { refused_text, rule }] = await readRefusal(name(me, { nickname: 'Loli nsfw' }));
    const json = { place: 'name', rule, refused_text, message: 'It is a joke.' };
    expect((await me.call('/api/appeals', { json })).status).toBe(201);
  });
});

describe('Imported conversations', () => {
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

  test('a conversation import is refused as a whole when one version sexualises a minor character', async () => {
    const me = await createAccount();
    const kid = await createOwnCharacter(me, { character_traits: KID });
    expect(await readRefusal(bring(me, kid.id, ACT))).toEqual(atField('file'));
    expect((await me.ask<{ chats: unknown[] }>('/api/chats')).chats).toEqual([]);
    expect((await bring(me, kid.id, 'Let us ride.')).status).toBe(201);
  });
});

describe('Memory notes', () => {
  test('sexual memory about a minor is refused, as a note, across notes and as a summary', async () => {
    const me = await createAccount();
    const id = await startConversation(me);
    const put = (json: object) => me.call(`/api/conversations/${id}/memory`, { method: 'PUT', json });
    expect(await readRefusal(put({ entries: [{ text: BOTH }] }))).toEqual(atField('entries'));
    expect(await readRefusal(put({ entries: [{ text: KID }, { text: ACT }] }))).toEqual(atField('entries'));
    expect(await readRefusal(put({ summary: BOTH }))).toEqual(atField('summary'));
    expect((await put({ entries: [{ text: KID }] })).status).toBe(200);
  });
});

describe('Personas', () => {
  test('a persona who is a sexual minor is refused when created and when changed', async () => {
    const me = await createAccount();
    const json = { name: 'Mia', description: BOTH };
    expect(await readRefusal(me.call('/api/personas', { json }))).toEqual(atField('description'));
    const kept = await me.ask<{ id: string }>('/api/personas', {
      json: { name: 'Mia', description: 'Rides horses.' },
      status: 201,
    });
    expect(
      await readRefusal(
        me.call(`/api/personas/${kept.id}`, { method: 'PATCH', json: { description: BOTH } }),
      ),
    ).toEqual(atField('description'));
  });
});

describe('Moderation model', () => {
  test('the moderation model checks public and unlisted characters, and its refusal names the field', async () => {
    const me = await createAccount();
    const there = withModeration(me);
    const word = `kappa${createId(Date.now())}`;
    for (const visibility of ['public', 'unlisted'] as const) {
      const form = await buildForm(me, { oneliner: `${word} [[finds:hate]]`, visibility });
      const [status, answer] = await readRefusal(submitForm(there, form));
      expect([status, answer.rule, Object.keys(answer.fields ?? {})]).toEqual([422, 'hate', ['oneliner']]);
    }
    expect((await fetchOwnCharacters(me)).count).toBe(0);
    expect(await listCheckedTexts(word)).not.toEqual([]);
  });

  test('a private character is checked by the moderation model only when it is made public', async () => {
    const me = await createAccount();
    const there = withModeration(me);
    const word = `sigma${createId(Date.now())}`;
    const form = await buildForm(me, { oneliner: `${word} [[finds:sexual]]`, visibility: 'private' });
    const made = await (await submitForm(there, form)).json<OwnCharacter>();
    expect(await listCheckedTexts(word)).toEqual([]);
    const [status, answer] = await readRefusal(patch(there, made.id, { visibility: 'public' }));
    expect([status, answer.rule]).toEqual([422, 'sexual']);
    expect((await me.ask<OwnCharacter>(`/api/me/characters/${made.id}`)).visibility).toBe('private');
  });

  test('the moderation model is asked only about changed fields', async () => {
    const me = await createAccount();
    const there = withModeration(me);
    const word = `omega${createId(Date.now())}`;
    const made = await (
      await submitForm(there, await buildForm(me, { character_traits: `${word} traits` }))
    ).json<OwnCharacter>();
    const before = (await listCheckedTexts(word)).length;
    expect((await patch(there, made.id, { oneliner: 'Another line' })).status).toBe(200);
    expect((await listCheckedTexts(word)).length).toBe(before);
  });

  test('the moderation model checks the messages of a test chat', async () => {
    const me = await createAccount();
    const say = (content: string) =>
      withModeration(me).call('/api/characters/test-chat', {
        json: {
          turn_id: createTurnId(),
          character: { name: 'Wren', oneliner: 'Maps', character_traits: 'Kind.', model_type: 'roleplay' },
          messages: [{ role: 'user', content }],
        },
      });
    expect((await readRefusal(say('[[finds:illicit/violent]]')))[1]).toMatchObject({ rule: 'illegal' });
    const events = await EventReader.fromResponse(await say('[[scenario:echo]] hello'));
    expect(getLastEvent(await events.readRest())).toMatchObject({ event: 'done' });
  });
});

describe('Unanswering moderation model', () => {
  test('publishing a character is refused and free while moderation does not answer, and a private one is saved', async () => {
    const me = await createAccount();
    const before = await getPoints(me);
    const avatar_id = await uploadTestPicture(me);
    const [status, { code }] = await readRefusal(
      submitForm(withDeadModeration(me), await buildForm(me, { avatar_id, visibility: 'public' })),
    );
    expect([status, code]).toEqual([503, 'moderation_unavailable']);
    expect(await getPoints(me)).toEqual(before);
    const kept = await submitForm(
      withDeadModeration(me),
      await buildForm(me, { avatar_id, visibility: 'private' }),
    );
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

  test('a general test chat is answered by the local rules alone while moderation does not answer', async () => {
    const me = await createAccount();
    const events = await EventReader.fromResponse(await say(withDeadModeration(me), false));
    expect(getLastEvent(await events.readRest())).toMatchObject({ event: 'done' });
  });

  test('an adult test chat is refused and free while moderation does not answer', async () => {
    const me = await createAccount();
    await me.ask('/api/account', { method: 'PATCH', json: { spicy_mode: true, age_confirmed: true } });
    const before = await getPoints(me);
    const [status, { code }] = await readRefusal(say(withDeadModeration(me), true));
    expect([status, code]).toEqual([503, 'moderation_unavailable']);
    expect(await getPoints(me)).toEqual(before);
  });
});
