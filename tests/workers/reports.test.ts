import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { REPORT_LIMITS } from '../../src/features/moderation/limits.ts';
import { reportReason } from '../../src/features/character/contract.ts';
import { createId } from '../../src/lib/ids.ts';
import type { Message } from '../../src/features/conversation/contract.ts';
import type { OwnReportList, ReportCase } from '../../src/features/moderation/report-contract.ts';
import { ConversationClient, getMessageId, startConversationClient } from '../support/conversation-client.ts';
import { addCharacter, signInGuest, createAccount, Visitor } from '../support/factories.ts';
import { createCreator, createStaffUser } from '../support/staff.ts';

const report = (me: Visitor, id: string, json: object): Promise<Response> =>
  me.call(`/api/characters/${id}/reports`, { json });

const toldOf = async (id: string) =>
  (await env.DB.prepare('select * from reports where character_id = ? order by id').bind(id).all()).results;

/** Reports a reply, and gives what its case shows of it. */
async function filed(operator: Visitor, chat: ConversationClient, messageId: string) {
  const { id } = await chat.ask<{ id: string }>(`/messages/${messageId}/reports`, {
    json: { reason: 'illegal' },
    status: 201,
  });
  const { excerpt, history } = await operator.ask<ReportCase>(`/api/admin/reports/${id}`);
  return { excerpt, marks: history.map(({ step }) => step).filter((step) => step.startsWith('told_')) };
}

/** A chat that came with a file. */
async function broughtChat(me: Visitor, characterId: string, said: object[]): Promise<ConversationClient> {
  const body = new FormData();
  body.set('character_id', characterId);
  const header = { user_name: 'Me', character_name: 'Mira', chat_metadata: {} };
  const lines = [header, ...said].map((line) => JSON.stringify(line)).join('\n');
  body.set('file', new Blob([lines]), 'chat.jsonl');
  const { conversation } = await me.ask<{ conversation: { id: string } }>('/api/conversations/import', {
    method: 'POST',
    body,
    status: 201,
  });
  return new ConversationClient(me, conversation.id);
}

describe('When I report a character', () => {
  test('it is kept with its reason, for each reason that there is', async () => {
    const me = await createAccount();
    for (const reason of reportReason.options) {
      const id = await addCharacter();
      const answer = await report(me, id, { reason, details: 'Look at the picture. 🙈' });
      expect(answer.status).toBe(201);
      const { id: reportId } = await answer.json<{ id: string }>();
      expect(await toldOf(id)).toMatchObject([
        { id: reportId, reporter_id: me.id, reason, details: 'Look at the picture. 🙈', status: 'open' },
      ]);
    }
  });

  test('again, it is the same report, told anew and open again; somebody else’s is another', async () => {
    const [me, other] = [await createAccount(), await createAccount()];
    const id = await addCharacter();
    const first = await (await report(me, id, { reason: 'spam' })).json<{ id: string }>();
    await env.DB.prepare("update reports set status = 'dismissed', resolved_at = 5 where id = ?")
      .bind(first.id)
      .run();
    const again = await report(me, id, { reason: 'illegal', details: 'Worse than that.' });
    expect([again.status, await again.json()]).toEqual([201, first]);
    expect(await toldOf(id)).toMatchObject([
      { reason: 'illegal', details: 'Worse than that.', status: 'open', resolved_at: null },
    ]);
    await report(other, id, { reason: 'spam' });
    expect(await toldOf(id)).toHaveLength(2);
  });

  test('its details have at most 300 characters, and its reason is one of those that are offered', async () => {
    const me = await createAccount();
    const id = await addCharacter();
    expect((await report(me, id, { reason: 'other', details: 'd'.repeat(300) })).status).toBe(201);
    for (const [json, field, said] of [
      [
        { reason: 'other', details: 'd'.repeat(301) },
        'details',
        'Report details must not exceed 300 characters',
      ],
      [{ reason: 'other', details: 'half \ud83d' }, 'details', expect.any(String)],
      [{ reason: 'other', details: 7 }, 'details', expect.any(String)],
      [{ reason: 'boring' }, 'reason', expect.any(String)],
      [{ details: 'Why?' }, 'reason', expect.any(String)],
      [{ reason: 'other', status: 'upheld' }, 'status', 'Unknown field'],
    ] as const) {
      const answer = await report(me, id, json);
      expect([answer.status, await answer.json()]).toMatchObject([
        400,
        { code: 'invalid_input', fields: { [field]: [said] } },
      ]);
    }
  });

  test('without an account, I am asked to log in', async () => {
    const id = await addCharacter();
    for (const [visitor, status, code] of [
      [new Visitor(), 401, 'unauthenticated'],
      [await signInGuest(), 403, 'account_required'],
    ] as const) {
      const answer = await report(visitor, id, { reason: 'spam' });
      expect([answer.status, await answer.json()]).toMatchObject([status, { code }]);
    }
    expect(await toldOf(id)).toEqual([]);
  });

  test('that I may not know of, it is not found', async () => {
    const me = await createAccount();
    const hidden = [
      await addCharacter({ visibility: 'private' }),
      await addCharacter({ nsfwAllowed: true }),
      await addCharacter({ moderation: 'hidden' }),
      await addCharacter({ moderation: 'removed' }),
      await addCharacter({ deletedAt: 5 }),
      createId(Date.now()),
    ];
    for (const id of hidden) {
      expect((await report(me, id, { reason: 'spam' })).status).toBe(404);
      expect(await toldOf(id)).toEqual([]);
    }
    expect(
      (await report(me, await addCharacter({ visibility: 'unlisted' }), { reason: 'spam' })).status,
    ).toBe(201);
  });

  test('of very many within the hour the last ones wait, also when they come at once', async () => {
    const me = await createAccount();
    const ids: string[] = [];
    for (let index = 0; index < REPORT_LIMITS.maxPerHour + 3; index += 1) ids.push(await addCharacter());
    const answers = await Promise.all(ids.map((id) => report(me, id, { reason: 'spam' })));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(3);
    const wait = Number(refused[0]?.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(3500);
    expect(wait).toBeLessThanOrEqual(3600);
    // Telling of the same with other words is one more; sending the same once more is none.
    const told = ids[answers.findIndex(({ status }) => status === 201)] as string;
    expect((await report(me, told, { reason: 'illegal' })).status).toBe(429);
    expect((await report(me, told, { reason: 'spam' })).status).toBe(201);
    expect(await toldOf(told)).toMatchObject([{ reason: 'spam' }]);
    await env.DB.prepare('update reports set created_at = created_at - 3600001 where reporter_id = ?')
      .bind(me.id)
      .run();
    expect((await report(me, await addCharacter(), { reason: 'spam' })).status).toBe(201);
  });
});

describe('When I tell of the same again and again', () => {
  test('each time counts within the hour, and none of it overwrites what was told before', async () => {
    const me = await createAccount();
    const id = await addCharacter();
    for (let index = 0; index < REPORT_LIMITS.maxPerHour; index += 1)
      expect((await report(me, id, { reason: 'other', details: `Time ${index}` })).status).toBe(201);
    const refused = await report(me, id, { reason: 'other', details: 'Once more' });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3500);
    expect((await report(me, await addCharacter(), { reason: 'spam' })).status).toBe(429);
    const last = `Time ${REPORT_LIMITS.maxPerHour - 1}`;
    expect(await toldOf(id)).toMatchObject([{ details: last }]);
    // A day later the report is an old one that is told once.
    await env.DB.batch([
      env.DB.prepare('update reports set created_at = created_at - 86400000 where reporter_id = ?').bind(
        me.id,
      ),
      env.DB.prepare('update case_steps set created_at = created_at - 86400000 where admin_id = ?').bind(
        me.id,
      ),
    ]);
    for (let index = 0; index < REPORT_LIMITS.maxPerHour; index += 1)
      expect((await report(me, index === 0 ? id : await addCharacter(), { reason: 'spam' })).status).toBe(
        201,
      );
    expect((await report(me, await addCharacter(), { reason: 'spam' })).status).toBe(429);
  });
});

describe('When I report a creator', () => {
  const tell = (me: Visitor, id: string, json: object = { reason: 'impersonation' }) =>
    me.call(`/api/creators/${id}/reports`, { json });

  test('it is kept once, told anew, and counted with everything that I report', async () => {
    const me = await createAccount();
    const { maker: creator } = await createCreator();
    const [first, again] = [await tell(me, creator.id), await tell(me, creator.id, { reason: 'spam' })];
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(await again.json()).toEqual(await first.json());
    const { items } = await me.ask<OwnReportList>('/api/me/reports');
    expect(items).toMatchObject([
      { subject: 'creator', subject_id: creator.id, character_id: null, reason: 'spam', status: 'open' },
    ]);
  });

  test('there has to be one: a guest is none, and neither is nobody', async () => {
    const me = await createAccount();
    for (const id of [(await signInGuest()).id, createId(Date.now()), 'unknown'])
      expect((await tell(me, id)).status).toBe(404);
    expect((await tell(await signInGuest(), me.id)).status).toBe(403);
    expect((await tell(new Visitor(), me.id)).status).toBe(401);
  });
});

describe('When I report a message', () => {
  test('what the character said comes along from my chat, as it is there', async () => {
    const me = await createAccount();
    const { maker: creator, id } = await createCreator();
    const chat = await startConversationClient(me, id);
    await chat.send('Hello there.');
    const said = (await chat.messages()).at(-1);
    const answer = await chat.call(`/messages/${said?.id}/reports`, {
      json: { reason: 'illegal', details: 'This.' },
    });
    expect(answer.status).toBe(201);
    const row = await env.DB.prepare('select * from reports where reporter_id = ?').bind(me.id).first();
    expect(row).toMatchObject({
      subject: 'message',
      subject_id: said?.id,
      character_id: id,
      owner_id: creator.id,
      details: 'This.',
      excerpt: said?.content.trim(),
    });
  });

  test('that I edited, it is filed as the character said it, and the case says that it was edited', async () => {
    const [operator, me] = [await createStaffUser(), await createAccount()];
    const { id } = await createCreator();
    const chat = await startConversationClient(me, id);
    await chat.send('Hello there.');
    const said = (await chat.messages()).at(-1) as Message;
    await chat.edit(said.id, 'Something that nobody but me ever wrote.');
    expect(await filed(operator, chat, said.id)).toEqual({
      excerpt: said.content.trim(),
      marks: ['told_edited'],
    });
    // As it was said, it bears no mark.
    await chat.send('And now?');
    const next = (await chat.messages()).at(-1) as Message;
    expect(await filed(operator, chat, next.id)).toEqual({ excerpt: next.content.trim(), marks: [] });
  });

  test('that came with a file, the case says so, in a fork of the chat, too; what is written here is written here', async () => {
    const [operator, me] = [await createStaffUser(), await createAccount()];
    const { id } = await createCreator();
    const chat = await broughtChat(me, id, [
      { name: 'Me', is_user: true, mes: 'Hello' },
      { name: 'Mira', is_user: false, mes: 'Something vile.', extra: { model: 'loreloom' } },
    ]);
    const foreign = (await chat.messages()).at(-1) as Message;
    const imported = { excerpt: 'Something vile.', marks: ['told_imported'] };
    expect(await filed(operator, chat, foreign.id)).toEqual(imported);
    const { chat: fork } = await chat.fork(foreign.id);
    const copy = (await fork.messages()).at(-1) as Message;
    expect((await filed(operator, fork, copy.id)).marks).toContain('told_imported');
    await chat.edit(foreign.id, 'Something viler.');
    const edited = await filed(operator, chat, foreign.id);
    expect(edited.excerpt).toBe('Something viler.');
    expect(edited.marks).toEqual(expect.arrayContaining(['told_edited', 'told_imported']));
    await chat.send('Go on.');
    const own = (await chat.messages()).at(-1) as Message;
    expect((await filed(operator, chat, own.id)).marks).toEqual([]);
  });

  test('it has to be a reply in a chat of mine', async () => {
    const [me, other] = [await createAccount(), await createAccount()];
    const { id } = await createCreator();
    const chat = await startConversationClient(other, id);
    await chat.send('Hello there.');
    const messages = await chat.messages();
    const tell = (visitor: Visitor, chatId: string, mid: string) =>
      visitor.call(`/api/conversations/${chatId}/messages/${mid}/reports`, { json: { reason: 'spam' } });
    expect((await tell(me, chat.id, getMessageId(messages, -1))).status).toBe(404);
    expect((await tell(other, chat.id, getMessageId(messages, -2))).status).toBe(404);
    expect((await tell(other, chat.id, createId(Date.now()))).status).toBe(404);
    expect((await tell(other, createId(Date.now()), getMessageId(messages, -1))).status).toBe(404);
    const found = await env.DB.prepare(
      "select count(*) as n from reports where subject = 'message' and reporter_id in (?, ?)",
    )
      .bind(me.id, other.id)
      .first('n');
    expect(found).toBe(0);
    expect((await tell(other, chat.id, getMessageId(messages, -1))).status).toBe(201);
  });
});
