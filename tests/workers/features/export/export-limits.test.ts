import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { api } from '../../../../src/api/app.ts';
import { DOWNLOADS } from '../../../../src/features/wallet/limits.ts';
import { escapeHtml } from '../../../../src/lib/html.ts';
import { loadTexts } from '../../../../src/locales/i18n.ts';
import { type ConversationClient, startConversationClient } from '../../../support/conversation-client.ts';
import {
  downloadArchive,
  type ExportDocument,
  downloadDocument,
  EXPORT_PATH,
  createUserWithData,
} from '../../../support/data-export.ts';
import {
  addCharacter,
  startConversation,
  getConversationStub,
  signInGuest,
  ORIGIN,
  getWalletStub,
  listConversation,
} from '../../../support/factories.ts';

const { t } = await loadTexts('en');

/** Makes all messages of a conversation unreadable, or only the last one. */
async function damage(chat: ConversationClient, what: 'all' | { last: true }): Promise<void> {
  await runInDurableObject(getConversationStub(chat.id), (_, { storage: { sql } }) => {
    if (what === 'all') sql.exec('alter table messages rename to lost');
    else
      sql.exec('update messages set created_at = 9e15 where position = (select max(position) from messages)');
  });
}

describe('Unreadable data in the account export', () => {
  test('an account export with unreadable conversations contains the rest and names what is missing', async () => {
    const me = await signInGuest();
    const [lost, half, whole] = [
      await startConversationClient(me),
      await startConversationClient(me),
      await startConversationClient(me),
    ] as const;
    for (const chat of [lost, half, whole]) {
      await listConversation(me, chat.id);
      await chat.ask('', { method: 'PATCH', json: { title: `T-${chat.id}` } });
    }
    await half.insertMessages(...Array.from({ length: 250 }, (_, at) => `Line ${at} of it.`));
    await whole.send('All of this.');
    await damage(lost, 'all');
    await damage(half, { last: true });
    const archive = await downloadArchive(me);
    const listFiles = (chat: ConversationClient, ending: string) =>
      archive.paths.filter((path) => path.endsWith(`${chat.id}.${ending}`));
    expect([listFiles(lost, 'jsonl'), listFiles(lost, 'html')]).toEqual([[], []]);
    expect(archive.text(listFiles(whole, 'html')[0] as string)).toContain('All of this.');
    const lines = archive.text(listFiles(half, 'jsonl')[0] as string);
    expect(lines.endsWith('\n')).toBe(true);
    for (const line of lines.trimEnd().split('\n')) expect(() => JSON.parse(line) as unknown).not.toThrow();
    expect(lines).toContain('Line 99 of it.');
    expect(archive.text(listFiles(half, 'html')[0] as string)).toContain(
      escapeHtml(t('export:chatIncomplete')),
    );
    const index = archive.text('index.html');
    expect(index).toContain(escapeHtml(t('export:missingTitle')));
    expect(
      index.match(new RegExp(`T-${half.id}.jsonl · ${escapeHtml(t('export:fileIncomplete'))}`, 'g')),
    ).toHaveLength(1);
    expect(index.match(new RegExp(`T-${lost.id}.jsonl</li>`, 'g'))).toHaveLength(1);

    const { conversations, missing } = await downloadDocument(me);
    expect(conversations).toMatchObject([
      { id: lost.id, missing: true },
      { id: half.id, incomplete: true },
      { id: whole.id, title: `T-${whole.id}` },
    ]);
    expect(missing).toEqual([
      { path: `conversations/${lost.id}`, begun: false },
      { path: `conversations/${half.id}`, begun: true },
    ]);
  });

  test('the account export names a missing picture and an unreadable ledger', async () => {
    const { me, key } = await createUserWithData('calamus');
    await env.MEDIA.delete(key);
    await me.ask('/api/points');
    await runInDurableObject(getWalletStub(me.id), (_, { storage: { sql } }) => {
      sql.exec('alter table ledger rename to lost');
    });
    const archive = await downloadArchive(me);
    expect(archive.text('index.html')).toContain(`<li>pictures/${key}</li>`);
    expect(archive.text('index.html')).toContain('<li>points.json · incomplete</li>');
    expect(archive.json('points.json')).toMatchObject({ now: { current_points: 50 }, ledger: [] });
    expect((await downloadDocument(me)).points?.ledger).toEqual([]);
  });
});

describe('Exports in several parts', () => {
  test('an account export with more conversations than fit continues in a next part with its link', async () => {
    const me = await signInGuest();
    const mira = await addCharacter();
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.push(await startConversation(me, mira));
    const bounds = DOWNLOADS as { chats: number };
    const usual = bounds.chats;
    bounds.chats = 2;
    try {
      const exportedIds: string[] = [];
      let address: string | null = `${EXPORT_PATH}?format=json`;
      while (address !== null) {
        const part: ExportDocument = await me.ask<ExportDocument>(address);
        expect(part.account === undefined).toBe(exportedIds.length > 0);
        exportedIds.push(...part.conversations.map(({ id }) => id));
        address = part.next === null ? null : part.next.replace(/^https?:\/\/[^/]+/, '');
      }
      expect(exportedIds).toEqual(ids);
      const archive = await downloadArchive(me);
      const next =
        /href="(https[^"]+)"/.exec(archive.text('index.html'))?.[1]?.replaceAll('&amp;', '&') ?? '';
      const second = await me.call(next.replace(/^https?:\/\/[^/]+/, ''));
      expect(second.headers.get('content-disposition')).toMatch(/loreloom-[\d-]+-2\.zip/);
      await second.body?.cancel();
    } finally {
      bounds.chats = usual;
    }
  });
});

describe('Export limits', () => {
  test('account exports run one at a time, and the next can start after one ended or was aborted', async () => {
    const me = await signInGuest();
    const chat = await startConversationClient(me);
    await chat.insertMessages(...Array.from({ length: 20 }, () => crypto.randomUUID().repeat(2000)));
    const [one, other] = await Promise.all([me.call(EXPORT_PATH), me.call(EXPORT_PATH)]);
    const [running, refused] = one.status === 200 ? [one, other] : [other, one];
    expect(running.status).toBe(200);
    expect({ status: refused.status, body: await refused.json() }).toMatchObject({
      status: 429,
      body: { code: 'too_many_requests' },
    });
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(DOWNLOADS.staleAfterMs / 1000);
    expect((await me.call(EXPORT_PATH, { method: 'HEAD' })).status).toBe(200);
    await running.arrayBuffer();

    // Aborted before the first byte is read.
    const unread = await api.fetch(
      new Request(ORIGIN + EXPORT_PATH, { headers: { cookie: me.cookie } }),
      env,
      {
        waitUntil: () => undefined,
      } as unknown as ExecutionContext,
    );
    expect(unread.status).toBe(200);
    await unread.body?.cancel();

    const aborted = await me.call(EXPORT_PATH);
    expect(aborted.status).toBe(200);
    const reader = (aborted.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    await reader.cancel();
    expect((await downloadArchive(me)).paths).toContain('index.html');
  });

  test('account exports are limited per hour and user', async () => {
    const me = await signInGuest();
    for (let count = 0; count < DOWNLOADS.maxPerHour; count += 1) await downloadDocument(me);
    const refused = await me.call(EXPORT_PATH);
    expect(refused.status).toBe(429);
    await refused.arrayBuffer();
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000);
    await runInDurableObject(getWalletStub(me.id), (_, { storage: { sql } }) => {
      sql.exec('update downloads set started_at = started_at - 3600000, alive_at = alive_at - 3600000');
    });
    await downloadDocument(me);
    await downloadDocument(await signInGuest());
  });

  test('an account export that stopped responding blocks the next one only for a limited time', async () => {
    const me = await signInGuest();
    await getWalletStub(me.id).startDownload('lost');
    expect((await me.call(EXPORT_PATH)).status).toBe(429);
    await runInDurableObject(getWalletStub(me.id), (_, { storage: { sql } }) => {
      sql.exec('update downloads set alive_at = alive_at - ?', DOWNLOADS.staleAfterMs);
    });
    expect((await downloadArchive(me)).paths).toContain('account.json');
  });
});
