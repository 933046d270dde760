import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { REPORT_LIMITS } from '../../../../src/features/moderation/limits.ts';
import { reportReason } from '../../../../src/features/moderation/report-contract.ts';
import { createId } from '../../../../src/lib/ids.ts';
import type { Message } from '../../../../src/features/conversation/contract.ts';
import type { OwnReportList, ReportCase } from '../../../../src/features/moderation/report-contract.ts';
import {
  ConversationClient,
  getMessageId,
  startConversationClient,
} from '../../../support/conversation-client.ts';
import { addCharacter, signInGuest, createAccount, Visitor } from '../../../support/factories.ts';
import { createCreator, createStaffUser } from '../../../support/staff.ts';

const report = (me: Visitor, id: string, json: object): Promise<Response> =>
  me.call(`/api/characters/${id}/reports`, { json });

const listReports = async (id: string) =>
  (await env.DB.prepare('select * from reports where character_id = ? order by id').bind(id).all()).results;

/** Reports a reply; returns the excerpt of the case and its marks about the message’s origin. */
async function reportReply(operator: Visitor, chat: ConversationClient, messageId: string) {
  const { id } = await chat.ask<{ id: string }>(`/messages/${messageId}/reports`, {
    json: { reason: 'illegal' },
    status: 201,
  });
  const { excerpt, history } = await operator.ask<ReportCase>(`/api/admin/reports/${id}`);
  return { excerpt, marks: history.map(({ step }) => step).filter((step) => step.startsWith('told_')) };
}

/** Imports a conversation with these messages. */
async function importChat(me: Visitor, characterId: string, messages: object[]): Promise<ConversationClient> {
  const body = new FormData();
  body.set('character_id', characterId);
  const header = { user_name: 'Me', character_name: 'Mira', chat_metadata: {} };
  const lines = [header, ...messages].map((line) => JSON.stringify(line)).join('\n');
  body.set('file', new Blob([lines]), 'chat.jsonl');
  const { conversation } = await me.ask<{ conversation: { id: string } }>('/api/conversations/import', {
    method: 'POST',
    body,
    status: 201,
  });
  return new ConversationClient(me, conversation.id);
}

describe('Character reports', () => {
  test('a report of a character is stored with its reason, for each reason', async () => {
    const me = await createAccount();
    for (const reason of reportReason.options) {
      const id = await addCharacter();
      const answer = await report(me, id, { reason, details: 'Look at the picture. 🙈' });
      expect(answer.status).toBe(201);
      const { id: reportId } = await answer.json<{ id: string }>();
      expect(await listReports(id)).toMatchObject([
        { id: reportId, reporter_id: me.id, reason, details: 'Look at the picture. 🙈', status: 'open' },
      ]);
    }
  });

  test('reporting the same character again updates and reopens the user’s report', async () => {
    const [me, other] = [await createAccount(), await createAccount()];
    const id = await addCharacter();
    const first = await (await report(me, id, { reason: 'spam' })).json<{ id: string }>();
    await env.DB.prepare("update reports set status = 'dismissed', resolved_at = 5 where id = ?")
      .bind(first.id)
      .run();
    const again = await report(me, id, { reason: 'illegal', details: 'Worse than that.' });
    expect([again.status, await again.json()]).toEqual([201, first]);
    expect(await listReports(id)).toMatchObject([
      { reason: 'illegal', details: 'Worse than that.', status: 'open', resolved_at: null },
    ]);
    await report(other, id, { reason: 'spam' });
    expect(await listReports(id)).toHaveLength(2);
  });

  test('a report needs a valid reason and at most 300 characters of details', async () => {
    const me = await createAccount();
    const id = await addCharacter();
    expect((await report(me, id, { reason: 'other', details: 'd'.repeat(300) })).status).toBe(201);
    for (const [json, field, expectedError] of [
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
        { code: 'invalid_input', fields: { [field]: [expectedError] } },
      ]);
    }
  });

  test('reporting a character requires an account', async () => {
    const id = await addCharacter();
    for (const [visitor, status, code] of [
      [new Visitor(), 401, 'unauthenticated'],
      [await signInGuest(), 403, 'account_required'],
    ] as const) {
      const answer = await report(visitor, id, { reason: 'spam' });
      expect([answer.status, await answer.json()]).toMatchObject([status, { code }]);
    }
    expect(await listReports(id)).toEqual([]);
  });

  test('reporting a character that the user may not see is answered with 404', async () => {
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
      expect(await listReports(id)).toEqual([]);
    }
    expect(
      (await report(me, await addCharacter({ visibility: 'unlisted' }), { reason: 'spam' })).status,
    ).toBe(201);
  });

  test('reports beyond the hourly limit are refused, even when they come at once', async () => {
    const me = await createAccount();
    const ids: string[] = [];
    for (let index = 0; index < REPORT_LIMITS.maxPerHour + 3; index += 1) ids.push(await addCharacter());
    const answers = await Promise.all(ids.map((id) => report(me, id, { reason: 'spam' })));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(3);
    const wait = Number(refused[0]?.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(3500);
    expect(wait).toBeLessThanOrEqual(3600);
    // A changed report counts against the limit; the same one again does not.
    const reported = ids[answers.findIndex(({ status }) => status === 201)] as string;
    expect((await report(me, reported, { reason: 'illegal' })).status).toBe(429);
    expect((await report(me, reported, { reason: 'spam' })).status).toBe(201);
    expect(await listReports(reported)).toMatchObject([{ reason: 'spam' }]);
    await env.DB.prepare('update reports set created_at = created_at - 3600001 where reporter_id = ?')
      .bind(me.id)
      .run();
    expect((await report(me, await addCharacter(), { reason: 'spam' })).status).toBe(201);
  });
});

describe('Repeated reports', () => {
  test('repeated reports of one character count against the hourly limit, and a refused one changes nothing', async () => {
    const me = await createAccount();
    const id = await addCharacter();
    for (let index = 0; index < REPORT_LIMITS.maxPerHour; index += 1)
      expect((await report(me, id, { reason: 'other', details: `Time ${index}` })).status).toBe(201);
    const refused = await report(me, id, { reason: 'other', details: 'Once more' });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3500);
    expect((await report(me, await addCharacter(), { reason: 'spam' })).status).toBe(429);
    const last = `Time ${REPORT_LIMITS.maxPerHour - 1}`;
    expect(await listReports(id)).toMatchObject([{ details: last }]);
    // A day later, updating the old report counts once.
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

describe('Creator reports', () => {
  const sendReport = (me: Visitor, id: string, json: object = { reason: 'impersonation' }) =>
    me.call(`/api/creators/${id}/reports`, { json });

  test('a second report of a creator updates the first one', async () => {
    const me = await createAccount();
    const { maker: creator } = await createCreator();
    const [first, again] = [
      await sendReport(me, creator.id),
      await sendReport(me, creator.id, { reason: 'spam' }),
    ];
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(await again.json()).toEqual(await first.json());
    const { items } = await me.ask<OwnReportList>('/api/me/reports');
    expect(items).toMatchObject([
      { subject: 'creator', subject_id: creator.id, character_id: null, reason: 'spam', status: 'open' },
    ]);
  });

  test('only an account that exists and has a profile can be reported as a creator', async () => {
    const me = await createAccount();
    for (const id of [(await signInGuest()).id, createId(Date.now()), 'unknown'])
      expect((await sendReport(me, id)).status).toBe(404);
    expect((await sendReport(await signInGuest(), me.id)).status).toBe(403);
    expect((await sendReport(new Visitor(), me.id)).status).toBe(401);
  });
});

describe('Message reports', () => {
  test('a report of a message stores the reply’s text and its character’s creator', async () => {
    const me = await createAccount();
    const { maker: creator, id } = await createCreator();
    const chat = await startConversationClient(me, id);
    await chat.send('Hello there.');
    const reply = (await chat.messages()).at(-1);
    const answer = await chat.call(`/messages/${reply?.id}/reports`, {
      json: { reason: 'illegal', details: 'This.' },
    });
    expect(answer.status).toBe(201);
    const row = await env.DB.prepare('select * from reports where reporter_id = ?').bind(me.id).first();
    expect(row).toMatchObject({
      subject: 'message',
      subject_id: reply?.id,
      character_id: id,
      owner_id: creator.id,
      details: 'This.',
      excerpt: reply?.content.trim(),
    });
  });

  test('a report of an edited reply quotes the original, and the case says that it was edited', async () => {
    const [operator, me] = [await createStaffUser(), await createAccount()];
    const { id } = await createCreator();
    const chat = await startConversationClient(me, id);
    await chat.send('Hello there.');
    const reply = (await chat.messages()).at(-1) as Message;
    await chat.edit(reply.id, 'Something that nobody but me ever wrote.');
    expect(await reportReply(operator, chat, reply.id)).toEqual({
      excerpt: reply.content.trim(),
      marks: ['told_edited'],
    });
    // An unedited reply has no mark.
    await chat.send('And now?');
    const next = (await chat.messages()).at(-1) as Message;
    expect(await reportReply(operator, chat, next.id)).toEqual({ excerpt: next.content.trim(), marks: [] });
  });

  test('a report of an imported reply says that it was imported, in a fork as well', async () => {
    const [operator, me] = [await createStaffUser(), await createAccount()];
    const { id } = await createCreator();
    const chat = await importChat(me, id, [
      { name: 'Me', is_user: true, mes: 'Hello' },
      { name: 'Mira', is_user: false, mes: 'Something vile.', extra: { model: 'loreloom' } },
    ]);
    const foreign = (await chat.messages()).at(-1) as Message;
    const imported = { excerpt: 'Something vile.', marks: ['told_imported'] };
    expect(await reportReply(operator, chat, foreign.id)).toEqual(imported);
    const { chat: fork } = await chat.fork(foreign.id);
    const copy = (await fork.messages()).at(-1) as Message;
    expect((await reportReply(operator, fork, copy.id)).marks).toContain('told_imported');
    await chat.edit(foreign.id, 'Something viler.');
    const edited = await reportReply(operator, chat, foreign.id);
    expect(edited.excerpt).toBe('Something viler.');
    expect(edited.marks).toEqual(expect.arrayContaining(['told_edited', 'told_imported']));
    await chat.send('Go on.');
    const own = (await chat.messages()).at(-1) as Message;
    expect((await reportReply(operator, chat, own.id)).marks).toEqual([]);
  });

  test('only a reply in an own conversation can be reported', async () => {
    const [me, other] = [await createAccount(), await createAccount()];
    const { id } = await createCreator();
    const chat = await startConversationClient(other, id);
    await chat.send('Hello there.');
    const messages = await chat.messages();
    const sendReport = (visitor: Visitor, chatId: string, mid: string) =>
      visitor.call(`/api/conversations/${chatId}/messages/${mid}/reports`, { json: { reason: 'spam' } });
    expect((await sendReport(me, chat.id, getMessageId(messages, -1))).status).toBe(404);
    expect((await sendReport(other, chat.id, getMessageId(messages, -2))).status).toBe(404);
    expect((await sendReport(other, chat.id, createId(Date.now()))).status).toBe(404);
    expect((await sendReport(other, createId(Date.now()), getMessageId(messages, -1))).status).toBe(404);
    const found = await env.DB.prepare(
      "select count(*) as n from reports where subject = 'message' and reporter_id in (?, ?)",
    )
      .bind(me.id, other.id)
      .first('n');
    expect(found).toBe(0);
    expect((await sendReport(other, chat.id, getMessageId(messages, -1))).status).toBe(201);
  });
});
