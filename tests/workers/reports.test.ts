import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { REPORTS } from '../../src/config.ts';
import { reportReason } from '../../src/features/character/contract.ts';
import { newId } from '../../src/ids.ts';
import type { OwnReportList } from '../../src/features/safety/report-contract.ts';
import { idAt, newChat } from '../support/chat.ts';
import { character, guest, signedIn, Visitor } from '../support/makers.ts';
import { maker } from '../support/staff.ts';

const report = (me: Visitor, id: string, json: object): Promise<Response> =>
  me.call(`/api/characters/${id}/reports`, { json });

const toldOf = async (id: string) =>
  (await env.DB.prepare('select * from reports where character_id = ? order by id').bind(id).all()).results;

describe('When I report a character', () => {
  test('it is kept with its reason, for each reason that there is', async () => {
    const me = await signedIn();
    for (const reason of reportReason.options) {
      const id = await character();
      const answer = await report(me, id, { reason, details: 'Look at the picture. 🙈' });
      expect(answer.status).toBe(201);
      const { id: reportId } = await answer.json<{ id: string }>();
      expect(await toldOf(id)).toMatchObject([
        { id: reportId, reporter_id: me.id, reason, details: 'Look at the picture. 🙈', status: 'open' },
      ]);
    }
  });

  test('again, it is the same report, told anew and open again; somebody else’s is another', async () => {
    const [me, other] = [await signedIn(), await signedIn()];
    const id = await character();
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
    const me = await signedIn();
    const id = await character();
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
    const id = await character();
    for (const [visitor, status, code] of [
      [new Visitor(), 401, 'unauthenticated'],
      [await guest(), 403, 'account_required'],
    ] as const) {
      const answer = await report(visitor, id, { reason: 'spam' });
      expect([answer.status, await answer.json()]).toMatchObject([status, { code }]);
    }
    expect(await toldOf(id)).toEqual([]);
  });

  test('that I may not know of, it is not found', async () => {
    const me = await signedIn();
    const hidden = [
      await character({ visibility: 'private' }),
      await character({ nsfwAllowed: true }),
      await character({ moderation: 'hidden' }),
      await character({ moderation: 'removed' }),
      await character({ deletedAt: 5 }),
      newId(Date.now()),
    ];
    for (const id of hidden) {
      expect((await report(me, id, { reason: 'spam' })).status).toBe(404);
      expect(await toldOf(id)).toEqual([]);
    }
    expect((await report(me, await character({ visibility: 'unlisted' }), { reason: 'spam' })).status).toBe(
      201,
    );
  });

  test('of very many within the hour the last ones wait, also when they come at once', async () => {
    const me = await signedIn();
    const ids: string[] = [];
    for (let index = 0; index < REPORTS.perHour + 3; index += 1) ids.push(await character());
    const answers = await Promise.all(ids.map((id) => report(me, id, { reason: 'spam' })));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(3);
    const wait = Number(refused[0]?.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(3500);
    expect(wait).toBeLessThanOrEqual(3600);
    // What was reported may be told anew.
    const told = ids[answers.findIndex(({ status }) => status === 201)] as string;
    expect((await report(me, told, { reason: 'illegal' })).status).toBe(201);
    await env.DB.prepare('update reports set created_at = created_at - 3600001 where reporter_id = ?')
      .bind(me.id)
      .run();
    expect((await report(me, await character(), { reason: 'spam' })).status).toBe(201);
  });
});

describe('When I report a creator', () => {
  const tell = (me: Visitor, id: string, json: object = { reason: 'impersonation' }) =>
    me.call(`/api/creators/${id}/reports`, { json });

  test('it is kept once, told anew, and counted with everything that I report', async () => {
    const me = await signedIn();
    const { maker: creator } = await maker();
    const [first, again] = [await tell(me, creator.id), await tell(me, creator.id, { reason: 'spam' })];
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(await again.json()).toEqual(await first.json());
    const { items } = await me.ask<OwnReportList>('/api/me/reports');
    expect(items).toMatchObject([
      { subject: 'creator', subject_id: creator.id, character_id: null, reason: 'spam', status: 'open' },
    ]);
  });

  test('there has to be one: a guest is none, and neither is nobody', async () => {
    const me = await signedIn();
    for (const id of [(await guest()).id, newId(Date.now()), 'unknown'])
      expect((await tell(me, id)).status).toBe(404);
    expect((await tell(await guest(), me.id)).status).toBe(403);
    expect((await tell(new Visitor(), me.id)).status).toBe(401);
  });
});

describe('When I report a message', () => {
  test('what the character said comes along from my chat, as it is there', async () => {
    const me = await signedIn();
    const { maker: creator, id } = await maker();
    const chat = await newChat(me, id);
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

  test('it has to be a reply in a chat of mine', async () => {
    const [me, other] = [await signedIn(), await signedIn()];
    const { id } = await maker();
    const chat = await newChat(other, id);
    await chat.send('Hello there.');
    const messages = await chat.messages();
    const tell = (visitor: Visitor, chatId: string, mid: string) =>
      visitor.call(`/api/conversations/${chatId}/messages/${mid}/reports`, { json: { reason: 'spam' } });
    expect((await tell(me, chat.id, idAt(messages, -1))).status).toBe(404);
    expect((await tell(other, chat.id, idAt(messages, -2))).status).toBe(404);
    expect((await tell(other, chat.id, newId(Date.now()))).status).toBe(404);
    expect((await tell(other, newId(Date.now()), idAt(messages, -1))).status).toBe(404);
    const found = await env.DB.prepare(
      "select count(*) as n from reports where subject = 'message' and reporter_id in (?, ?)",
    )
      .bind(me.id, other.id)
      .first('n');
    expect(found).toBe(0);
    expect((await tell(other, chat.id, idAt(messages, -1))).status).toBe(201);
  });
});
