import { describe, expect, test } from 'vitest';
import { createId } from '../../src/lib/ids.ts';
import { createOwnCharacter } from '../support/character-actions.ts';
import { ConversationClient, startConversationClient } from '../support/conversation-client.ts';
import { getLastEvent, EventReader, summarizeKinds } from '../support/event-reader.ts';
import { addCharacter, createTurnId, createAccount, type Visitor } from '../support/factories.ts';
import { buildReplyScript } from '../support/reply-script.ts';

/** The act alone: of grown-ups, nobody minds it. */
const ACT = 'They have sex.';
/** What was said since, longer than any scene. */
const LONG = 'The rain falls on the roof, and nobody speaks for a long time. '.repeat(40);

const kept = async (chat: ConversationClient, entries: { text: string }[]) =>
  expect((await chat.call('/memory', { method: 'PUT', json: { entries } })).status).toBe(200);
const within = async (me: Visitor, form: object) =>
  startConversationClient(me, (await createOwnCharacter(me, form)).id);
const lore = (entry: object) => ({
  lorebook: { entries: [{ enabled: true, insertion_order: 1, ...entry }] },
});

/** Each place of a story that tells of an age, and a conversation in which it stands there. @param age how old somebody is */
const PLACES: Record<string, (me: Visitor, age: string) => Promise<ConversationClient>> = {
  'who I am': async (me, age) => {
    await me.ask('/api/personas', {
      json: { name: `Lily, ${age} years old`, description: 'Kind.', is_default: true },
      status: 201,
    });
    return startConversationClient(me);
  },
  'what my persona is called, in short': async (me, age) => {
    await me.ask('/api/personas', {
      json: { name: `Lily (${age})`, description: 'Kind.', is_default: true },
      status: 201,
    });
    return startConversationClient(me);
  },
  'what the character is called': (me, age) => within(me, { nickname: `Mia, ${age} years old` }),
  'a note': async (me, age) => {
    const chat = await startConversationClient(me);
    await chat.insertMessages('Hello.', 'Good evening.');
    await kept(chat, [{ text: `Mia is ${age} years old.` }]);
    return chat;
  },
  'an entry of the lorebook': (me, age) =>
    within(me, lore({ keys: ['Mia'], content: `Mia is ${age} years old.` })),
  'an entry that is always told': (me, age) =>
    within(me, lore({ keys: [], constant: true, content: `Mia is ${age} years old.` })),
  'a message that I pinned': async (me, age) => {
    const chat = await startConversationClient(me);
    await chat.insertMessages(`Mia is ${age} years old.`, LONG);
    const [, said] = await chat.ids();
    expect((await chat.pin(said as string)).ok).toBe(true);
    return chat;
  },
  'what was said a long reply ago': async (me, age) => {
    const chat = await startConversationClient(me);
    await chat.insertMessages(`Mia comes in. She is ${age} years old.`, LONG);
    return chat;
  },
};

const drafted = async (chat: ConversationClient) => {
  await chat.insertMessages(`Hello, Mia. ${buildReplyScript(ACT, 100).replace('scenario:', 'draft:')}`, LONG);
  return chat.call('/impersonate', { json: { client_message_id: createTurnId() } });
};

describe.each(Object.keys(PLACES))('Where %s says that somebody is a child', (place) => {
  const chatOf = async (age: string) =>
    (PLACES[place] as (typeof PLACES)[string])(await createAccount(), age);

  test('nothing sexual is said there, by me or by the character, nor drafted', async () => {
    const chat = await chatOf('14');
    expect(getLastEvent(await chat.send(`Mia smiles. ${ACT}`)).data.code).toBe('text_refused');
    expect(getLastEvent(await chat.send(`Mia smiles. ${buildReplyScript(ACT, 100)}`)).data.code).toBe(
      'reply_refused',
    );
    const draft = await drafted(chat);
    expect(await draft.json()).toMatchObject({ code: 'ask_failed', reason: 'reply_refused' });
  });

  test('the story goes on without, and of grown-ups all may be said', async () => {
    const child = await chatOf('14');
    expect(summarizeKinds(await child.send('Mia smiles. We feed the horses.'))).toEqual([
      'accepted',
      'delta',
      'done',
    ]);
    const grown = await chatOf('34');
    expect(summarizeKinds(await grown.send(`Mia smiles. ${buildReplyScript(ACT, 100)}`))).toEqual([
      'accepted',
      'delta',
      'done',
    ]);
    expect(summarizeKinds(await grown.send(`Mia smiles. ${ACT}`))).toEqual(['accepted', 'delta', 'done']);
    expect((await drafted(grown)).status).toBe(200);
  });
});

describe('A story for grown-ups', () => {
  test('goes on where a child of the family was spoken of', async () => {
    const chat = await startConversationClient(await createAccount());
    await chat.insertMessages('My 14-year-old son waits at home.', LONG);
    expect(summarizeKinds(await chat.send(ACT))).toEqual(['accepted', 'delta', 'done']);
  });

  test('goes on where a lorebook knows of a child that nobody has come to', async () => {
    const chat = await within(
      await createAccount(),
      lore({ keys: ['orphanage'], content: 'Tom is 9 years old.' }),
    );
    expect(summarizeKinds(await chat.send(ACT))).toEqual(['accepted', 'delta', 'done']);
  });

  test('goes on where a child comes in long after', async () => {
    const chat = await startConversationClient(await createAccount());
    await chat.insertMessages(ACT, LONG);
    expect(summarizeKinds(await chat.send('The messenger is 14 years old. He bows and leaves.'))).toEqual([
      'accepted',
      'delta',
      'done',
    ]);
  });
});

describe('A long text', () => {
  const BOTH = `Mia is 14 years old. ${LONG}${ACT}`;

  test('is refused for an age at its beginning and an act at its end', async () => {
    const chat = await startConversationClient(await createAccount());
    expect(getLastEvent(await chat.send(BOTH)).data.code).toBe('text_refused');
    expect(getLastEvent(await chat.send(`Tell me. ${buildReplyScript(BOTH, 40)}`)).data.code).toBe(
      'reply_refused',
    );
  });
});

describe('A test chat', () => {
  const LONE = { name: 'Mia', oneliner: 'Rides', character_traits: 'Kind.', model_type: 'roleplay' };
  const tried = async (me: Visitor, said: string[], more: object = {}) => {
    const response = await me.call('/api/characters/test-chat', {
      json: {
        turn_id: createTurnId(),
        character: { ...LONE, ...more },
        messages: said.map((content, index) => ({ role: index % 2 === 0 ? 'user' : 'character', content })),
      },
    });
    if (response.status !== 200) return (await response.json<{ code: string }>()).code;
    return getLastEvent(await (await EventReader.fromResponse(response)).readRest()).data.code ?? 'done';
  };
  const book = (age: string) => lore({ keys: ['Mia'], content: `Mia is ${age} years old.` });

  test.each([
    [
      'a message long before',
      (me: Visitor, act: string, age: string) => tried(me, [`Mia is ${age} years old.`, LONG, act]),
    ],
    ['the lorebook', (me: Visitor, act: string, age: string) => tried(me, [`Mia smiles. ${act}`], book(age))],
    [
      'my persona’s name',
      async (me: Visitor, act: string, age: string) => {
        const json = { name: `Lily, ${age}`, description: 'Kind.', is_default: true };
        await me.ask('/api/personas', { json, status: 201 });
        return tried(me, [act]);
      },
    ],
  ])('refuses an act where %s says an age, and one in the reply', async (_, tryIt) => {
    expect(await tryIt(await createAccount(), ACT, '14')).toBe('text_refused');
    expect(await tryIt(await createAccount(), buildReplyScript(ACT, 100), '14')).toBe('reply_refused');
    expect(await tryIt(await createAccount(), ACT, '34')).toBe('done');
  });

  test('refuses an act in the reply to a message that says the age', async () => {
    expect(await tried(await createAccount(), [`Mia is 14 years old. ${buildReplyScript(ACT, 100)}`])).toBe(
      'reply_refused',
    );
  });
});

describe('A chat that is brought', () => {
  const bring = async (
    me: Visitor,
    { user = 'Ana', who = 'Mia', said }: { user?: string; who?: string; said: string[] },
  ) => {
    const lines = [
      { user_name: user, character_name: 'Mia', create_date: '2026-01-01@10h00m00s' },
      ...said.map((mes, index) => ({
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
    ['who I am in it', { user: 'Lily, 14 years old', said: ['Hello.', ACT] }],
    ['who speaks in it', { who: 'Mia (14)', said: ['Hello.', 'Hi.', ACT] }],
    ['a message long before', { said: ['Mia is 14 years old.', LONG, LONG, ACT] }],
    ['a message right after it', { said: ['Hello.', ACT, 'By the way, I am 14 years old.'] }],
  ])('is refused for an act where %s says the age', async (_, told) => {
    const me = await createAccount();
    const answer = await bring(me, told);
    expect([answer.status, await answer.json()]).toMatchObject([
      422,
      { code: 'text_refused', rule: 'minors' },
    ]);
    const grown = JSON.parse(JSON.stringify(told).replaceAll('14', '34')) as typeof told;
    expect((await bring(me, grown)).status).toBe(201);
  });

  test('whose header names me as a child keeps that in mind for what is said here', async () => {
    const me = await createAccount();
    const answer = await bring(me, { user: 'Lily, 14 years old', said: ['Hello.', 'Hi.'] });
    const { conversation } = await answer.json<{ conversation: { id: string } }>();
    const chat = new ConversationClient(me, conversation.id);
    expect(getLastEvent(await chat.send(ACT)).data.code).toBe('text_refused');
    expect(getLastEvent(await chat.send(`Tell me. ${buildReplyScript(ACT, 100)}`)).data.code).toBe(
      'reply_refused',
    );
  });
});
