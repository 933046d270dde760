import { describe, expect, test } from 'vitest';
import { createId } from '../../../../src/lib/ids.ts';
import { createOwnCharacter } from '../../../support/character-actions.ts';
import { ConversationClient, startConversationClient } from '../../../support/conversation-client.ts';
import { getLastEvent, EventReader, summarizeKinds } from '../../../support/event-reader.ts';
import { addCharacter, createTurnId, createAccount, type Visitor } from '../../../support/factories.ts';
import { buildReplyScript } from '../../../support/reply-script.ts';

/** The act alone, which is allowed between adults. */
const ACT = 'They have sex.';
/** A text longer than the scene that the rules look at. */
const LONG = 'The rain falls on the roof, and nobody speaks for a long time. '.repeat(40);

const saveNotes = async (chat: ConversationClient, entries: { text: string }[]) =>
  expect((await chat.call('/memory', { method: 'PUT', json: { entries } })).status).toBe(200);
const startWith = async (me: Visitor, form: object) =>
  startConversationClient(me, (await createOwnCharacter(me, form)).id);
const buildLorebook = (entry: object) => ({
  lorebook: { entries: [{ enabled: true, insertion_order: 1, ...entry }] },
});

/** The places that can state an age, each with a function that creates a conversation with it. @param age the age */
const PLACES: Record<string, (me: Visitor, age: string) => Promise<ConversationClient>> = {
  'the persona’s name': async (me, age) => {
    await me.ask('/api/personas', {
      json: { name: `Lily, ${age} years old`, description: 'Kind.', is_default: true },
      status: 201,
    });
    return startConversationClient(me);
  },
  'the short form of the persona’s name': async (me, age) => {
    await me.ask('/api/personas', {
      json: { name: `Lily (${age})`, description: 'Kind.', is_default: true },
      status: 201,
    });
    return startConversationClient(me);
  },
  'the character’s nickname': (me, age) => startWith(me, { nickname: `Mia, ${age} years old` }),
  'a memory note': async (me, age) => {
    const chat = await startConversationClient(me);
    await chat.insertMessages('Hello.', 'Good evening.');
    await saveNotes(chat, [{ text: `Mia is ${age} years old.` }]);
    return chat;
  },
  'a lorebook entry': (me, age) =>
    startWith(me, buildLorebook({ keys: ['Mia'], content: `Mia is ${age} years old.` })),
  'a constant lorebook entry': (me, age) =>
    startWith(me, buildLorebook({ keys: [], constant: true, content: `Mia is ${age} years old.` })),
  'a pinned message': async (me, age) => {
    const chat = await startConversationClient(me);
    await chat.insertMessages(`Mia is ${age} years old.`, LONG);
    const [, messages] = await chat.ids();
    expect((await chat.pin(messages as string)).ok).toBe(true);
    return chat;
  },
  'a message before a long reply': async (me, age) => {
    const chat = await startConversationClient(me);
    await chat.insertMessages(`Mia comes in. She is ${age} years old.`, LONG);
    return chat;
  },
};

const requestDraft = async (chat: ConversationClient) => {
  await chat.insertMessages(`Hello, Mia. ${buildReplyScript(ACT, 100).replace('scenario:', 'draft:')}`, LONG);
  return chat.call('/impersonate', { json: { client_message_id: createTurnId() } });
};

describe.each(Object.keys(PLACES))('Age of a child in %s', (place) => {
  const createChat = async (age: string) =>
    (PLACES[place] as (typeof PLACES)[string])(await createAccount(), age);

  test('a sexual message, reply or draft is refused when the conversation states a child’s age', async () => {
    const chat = await createChat('14');
    expect(getLastEvent(await chat.send(`Mia smiles. ${ACT}`)).data.code).toBe('text_refused');
    expect(getLastEvent(await chat.send(`Mia smiles. ${buildReplyScript(ACT, 100)}`)).data.code).toBe(
      'reply_refused',
    );
    const draft = await requestDraft(chat);
    expect(await draft.json()).toMatchObject({ code: 'assist_failed', reason: 'reply_refused' });
  });

  test('the conversation continues without sexual content about a child, and freely about adults', async () => {
    const child = await createChat('14');
    expect(summarizeKinds(await child.send('Mia smiles. We feed the horses.'))).toEqual([
      'accepted',
      'delta',
      'done',
    ]);
    const adult = await createChat('34');
    expect(summarizeKinds(await adult.send(`Mia smiles. ${buildReplyScript(ACT, 100)}`))).toEqual([
      'accepted',
      'delta',
      'done',
    ]);
    expect(summarizeKinds(await adult.send(`Mia smiles. ${ACT}`))).toEqual(['accepted', 'delta', 'done']);
    expect((await requestDraft(adult)).status).toBe(200);
  });
});

describe('Adult conversations', () => {
  test('an adult conversation may mention a child of the family', async () => {
    const chat = await startConversationClient(await createAccount());
    await chat.insertMessages('My 14-year-old son waits at home.', LONG);
    expect(summarizeKinds(await chat.send(ACT))).toEqual(['accepted', 'delta', 'done']);
  });

  test('a lorebook entry about a child that was not activated does not restrict the conversation', async () => {
    const chat = await startWith(
      await createAccount(),
      buildLorebook({ keys: ['orphanage'], content: 'Tom is 9 years old.' }),
    );
    expect(summarizeKinds(await chat.send(ACT))).toEqual(['accepted', 'delta', 'done']);
  });

  test('a child may appear long after a sexual scene', async () => {
    const chat = await startConversationClient(await createAccount());
    await chat.insertMessages(ACT, LONG);
    expect(summarizeKinds(await chat.send('The messenger is 14 years old. He bows and leaves.'))).toEqual([
      'accepted',
      'delta',
      'done',
    ]);
  });
});

describe('Long texts', () => {
  const BOTH = `Mia is 14 years old. ${LONG}${ACT}`;

  test('a long text is refused for an age at its beginning and an act at its end', async () => {
    const chat = await startConversationClient(await createAccount());
    expect(getLastEvent(await chat.send(BOTH)).data.code).toBe('text_refused');
    expect(getLastEvent(await chat.send(`Tell me. ${buildReplyScript(BOTH, 40)}`)).data.code).toBe(
      'reply_refused',
    );
  });
});

describe('Ages in a test chat', () => {
  const LONE = { name: 'Mia', oneliner: 'Rides', character_traits: 'Kind.', model_type: 'roleplay' };
  const sendTestMessages = async (me: Visitor, messages: string[], more: object = {}) => {
    const response = await me.call('/api/characters/test-chat', {
      json: {
        turn_id: createTurnId(),
        character: { ...LONE, ...more },
        messages: messages.map((content, index) => ({
          role: index % 2 === 0 ? 'user' : 'character',
          content,
        })),
      },
    });
    if (response.status !== 200) return (await response.json<{ code: string }>()).code;
    return getLastEvent(await (await EventReader.fromResponse(response)).readRest()).data.code ?? 'done';
  };
  const book = (age: string) => buildLorebook({ keys: ['Mia'], content: `Mia is ${age} years old.` });

  test.each([
    [
      'a message long before',
      (me: Visitor, act: string, age: string) =>
        sendTestMessages(me, [`Mia is ${age} years old.`, LONG, act]),
    ],
    [
      'the lorebook',
      (me: Visitor, act: string, age: string) => sendTestMessages(me, [`Mia smiles. ${act}`], book(age)),
    ],
    [
      'the persona’s name',
      async (me: Visitor, act: string, age: string) => {
        const json = { name: `Lily, ${age}`, description: 'Kind.', is_default: true };
        await me.ask('/api/personas', { json, status: 201 });
        return sendTestMessages(me, [act]);
      },
    ],
  ])('a test chat refuses an act in a message or a reply when an age is in %s', async (_, send) => {
    expect(await send(await createAccount(), ACT, '14')).toBe('text_refused');
    expect(await send(await createAccount(), buildReplyScript(ACT, 100), '14')).toBe('reply_refused');
    expect(await send(await createAccount(), ACT, '34')).toBe('done');
  });

  test('a test chat refuses an act in the reply to a message with an age', async () => {
    expect(
      await sendTestMessages(await createAccount(), [`Mia is 14 years old. ${buildReplyScript(ACT, 100)}`]),
    ).toBe('reply_refused');
  });
});

describe('Ages in imported conversations', () => {
  const importChat = async (
    me: Visitor,
    { user = 'Ana', who = 'Mia', messages }: { user?: string; who?: string; messages: string[] },
  ) => {
    const lines = [
      { user_name: user, character_name: 'Mia', create_date: '2026-01-01@10h00m00s' },
      ...messages.map((mes, index) => ({
        name: index % 2 === 0 ? user : who,
        is_user: index % 2 === 0,
        send_date: `2026-01-01T10:00:0${index}Z`,
        mes,
      })),
    ];
    const body = new FormData();
    body.set('character_id', await addCharacter({ name: `Keeper ${createId(Date.now())}` }));
    body.set('file', new File([lines.map((line) => JSON.stringify(line)).join('\n')], 'mia.jsonl'));
    return me.call('/api/conversations/import', { body });
  };

  test.each([
    ['the user’s name', { user: 'Lily, 14 years old', messages: ['Hello.', ACT] }],
    ['a speaker’s name', { who: 'Mia (14)', messages: ['Hello.', 'Hi.', ACT] }],
    ['a message long before', { messages: ['Mia is 14 years old.', LONG, LONG, ACT] }],
    ['a message right after it', { messages: ['Hello.', ACT, 'By the way, I am 14 years old.'] }],
  ])('an import is refused for an act when the age is in %s', async (_, told) => {
    const me = await createAccount();
    const answer = await importChat(me, told);
    expect([answer.status, await answer.json()]).toMatchObject([
      422,
      { code: 'text_refused', rule: 'minors' },
    ]);
    const adult = JSON.parse(JSON.stringify(told).replaceAll('14', '34')) as typeof told;
    expect((await importChat(me, adult)).status).toBe(201);
  });

  test('an import with an age in the user’s name restricts the conversation after it', async () => {
    const me = await createAccount();
    const answer = await importChat(me, { user: 'Lily, 14 years old', messages: ['Hello.', 'Hi.'] });
    const { conversation } = await answer.json<{ conversation: { id: string } }>();
    const chat = new ConversationClient(me, conversation.id);
    expect(getLastEvent(await chat.send(ACT)).data.code).toBe('text_refused');
    expect(getLastEvent(await chat.send(`Tell me. ${buildReplyScript(ACT, 100)}`)).data.code).toBe(
      'reply_refused',
    );
  });
});
