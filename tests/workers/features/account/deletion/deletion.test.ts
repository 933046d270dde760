import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { DELETION_LINK } from '../../../../../src/features/account/limits.ts';
import { loadTexts } from '../../../../../src/locales/i18n.ts';
import { startConversationClient } from '../../../../support/conversation-client.ts';
import {
  runErasures,
  requestDeletion,
  confirmDeletion,
  deleteAccount,
} from '../../../../support/account-deletion.ts';
import { openLiveTab } from '../../../../support/live-tab.ts';
import {
  startTurn,
  requestLoginCode,
  signInGuest,
  listMessages,
  getPoints,
  createAccount,
  Visitor,
  getWalletStub,
} from '../../../../support/factories.ts';
import { createScene } from '../../../../support/scripted-model.ts';
import { isObjectEmpty } from '../../../../support/stored-traces.ts';
import { mailsTo } from '../../../mailbox.ts';

const { t: german } = await loadTexts('de');

const readAuthStatus = (me: Visitor) => me.ask<{ is_authenticated: boolean }>('/api/auth/status');
const accountExists = async (me: Visitor) =>
  (await env.DB.prepare('select id from users where id = ?').bind(me.id).first()) !== null;
const readRefusal = async (response: Response) => {
  const { code } = await response.json<{ code: string }>();
  return [response.status, code];
};

describe('Requesting account deletion', () => {
  test("the deletion request needs the account's own address, in any letter case", async () => {
    const me = await createAccount();
    expect(
      await me.ask('/api/account/delete-request', { json: { email: 'else@example.test' }, status: 400 }),
    ).toMatchObject({
      code: 'invalid_input',
      fields: { email: ['Email address does not match your account'] },
    });
    const tooLong = { email: `${'a'.repeat(400)}@example.test` };
    expect(await me.ask('/api/account/delete-request', { json: tooLong, status: 400 })).toMatchObject({
      fields: { email: ['Email address does not match your account'] },
    });
    await me.ask('/api/account/delete-request', { json: {}, status: 400 });
    expect(
      await me.ask('/api/account/delete-request', {
        json: { email: `  ${me.email.toUpperCase()} ` },
        status: 201,
      }),
    ).toEqual({ sent: true, expires_in: 86_400 });
  });

  test('guests and unauthenticated callers cannot request a deletion', async () => {
    const [guest, unauthenticated] = [await signInGuest(), new Visitor()];
    for (const [path, json] of [
      ['/api/account/delete-request', { email: 'somebody@example.test' }],
      ['/api/account/delete-confirm', { token: 'x' }],
    ] as const) {
      expect(await readRefusal(await guest.call(path, { json }))).toEqual([403, 'account_required']);
      expect(await readRefusal(await unauthenticated.call(path, { json }))).toEqual([401, 'unauthenticated']);
    }
  });

  test('the deletion mail contains the link and its lifetime, and the token is stored as a hash', async () => {
    const me = await createAccount();
    const token = await requestDeletion(me);
    const mail = mailsTo(me.email).at(-1);
    expect(mail?.text).toContain(`https://loreloom.test/delete-account?token=${token}`);
    expect(mail?.text).toContain('24');
    const stored = JSON.stringify((await env.DB.prepare('select * from deletion_requests').all()).results);
    expect(stored).not.toContain(token);
  });

  test('a second deletion link within ten minutes is refused, and a later link replaces the first', async () => {
    const me = await createAccount();
    const json = { email: me.email };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => me.call('/api/account/delete-request', { json })),
    );
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([201, 429, 429, 429, 429]);
    const refused = answers.find((answer) => answer.status === 429) as Response;
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(500);
    expect(await refused.json()).toMatchObject({ code: 'deletion_link_recently_sent' });
    const links = () => mailsTo(me.email).filter(({ text }) => text.includes('/delete-account?token='));
    await vi.waitFor(() => expect(links()).toHaveLength(1));
    const [, first = ''] = /token=([0-9a-f]{64})/.exec(links()[0]?.text ?? '') ?? [];
    await env.DB.prepare('update deletion_requests set requested_at = ? where user_id = ?')
      .bind(Date.now() - DELETION_LINK.resendAfterMs, me.id)
      .run();
    const second = await requestDeletion(me);
    expect(links()).toHaveLength(2);
    expect(await readRefusal(await confirmDeletion(me, first))).toEqual([400, 'invalid_deletion_link']);
    expect((await confirmDeletion(me, second)).status).toBe(200);
  });

  test('a deletion needs a confirmation within a day', async () => {
    const me = await createAccount();
    const token = await requestDeletion(me);
    expect(await readAuthStatus(me)).toMatchObject({ is_authenticated: true });
    await env.DB.prepare('update deletion_requests set expires_at = ? where user_id = ?')
      .bind(Date.now() - 1, me.id)
      .run();
    expect(await readRefusal(await confirmDeletion(me, token))).toEqual([400, 'invalid_deletion_link']);
    expect(await accountExists(me)).toBe(true);
  });

  test('a deletion link works for its own account only', async () => {
    const [me, other] = [await createAccount(), await createAccount()];
    const token = await requestDeletion(me);
    await requestDeletion(other);
    for (const bad of [token, 'f'.repeat(64), '', 'nonsense'])
      expect(await readRefusal(await confirmDeletion(other, bad))).toEqual([400, 'invalid_deletion_link']);
    expect([await accountExists(me), await accountExists(other)]).toEqual([true, true]);
    const long = await other.call('/api/account/delete-confirm', { json: { token: 'x'.repeat(201) } });
    expect(long.status).toBe(400);
  });

  test('deletion mails are in the language of the account', async () => {
    const me = await createAccount();
    await me.ask('/api/account', { method: 'PATCH', json: { language: 'de' } });
    await requestDeletion(me);
    expect(mailsTo(me.email).at(-1)?.subject).toBe(german('mail:deletion_link.subject'));
    await confirmByMail(me);
    const done = german('mail:deletion_done.subject');
    await vi.waitFor(() => expect(mailsTo(me.email).at(-1)?.subject).toBe(done));
  });
});

/** Confirms with the link in the latest mail. */
async function confirmByMail(me: Visitor): Promise<void> {
  const token = /token=([0-9a-f]{64})/.exec(mailsTo(me.email).at(-1)?.text ?? '')?.[1] ?? '';
  expect((await confirmDeletion(me, token)).status).toBe(200);
}

describe('Confirming account deletion', () => {
  test('confirming a deletion logs out every device, closes live connections and sends one last mail', async () => {
    const me = await createAccount();
    await env.DB.prepare('delete from login_codes where email = ?').bind(me.email).run();
    const laptop = await createAccount(me.email);
    const { id } = await startConversationClient(me);
    const tab = await openLiveTab(laptop, id, 'page-on-the-laptop');
    const before = mailsTo(me.email).length;
    await deleteAccount(me);
    expect(me.cookie).toBe('');
    await tab.closed;
    expect(await readAuthStatus(laptop)).toMatchObject({ is_authenticated: false, user: null });
    expect((await laptop.call(`/api/conversations/${id}`)).status).toBe(401);
    await vi.waitFor(() => {
      const fresh = mailsTo(me.email).slice(before);
      expect(fresh.at(-1)?.text).toContain('https://loreloom.test/privacy');
    });
    await runErasures();
    // Exactly two mails: the link and the goodbye.
    expect(mailsTo(me.email).slice(before)).toHaveLength(2);
  });

  test('confirming a deletion in two tabs at once deletes the account once', async () => {
    const me = await createAccount();
    const token = await requestDeletion(me);
    const before = mailsTo(me.email).length;
    const [first, second] = [Object.assign(new Visitor(), me), Object.assign(new Visitor(), me)];
    const answers = await Promise.all([confirmDeletion(first, token), confirmDeletion(second, token)]);
    // The slower tab may find its session already ended.
    for (const answer of answers) expect([200, 401]).toContain(answer.status);
    expect(answers.map((answer) => answer.status)).toContain(200);
    await runErasures();
    await vi.waitFor(() => expect(mailsTo(me.email).slice(before)).toHaveLength(1));
    expect(await readRefusal(await confirmDeletion(me, token))).toEqual([401, 'unauthenticated']);
  });

  test('a running reply ends with the account deletion, and none of it is stored', async () => {
    const me = await createAccount();
    const chat = await startConversationClient(me);
    const token = await requestDeletion(me);
    const slow = createScene('gate n=3');
    const reply = await startTurn(me, chat.id, `Hello ${slow.marker}`);
    await slow.reached();
    expect((await confirmDeletion(me, token)).status).toBe(200);
    await slow.open();
    await reply.readRest().catch(() => []);
    await runErasures();
    expect((await me.call(`/api/conversations/${chat.id}`)).status).toBe(401);
  });

  test('a new account with the same address starts empty', async () => {
    const me = await createAccount();
    await startConversationClient(me);
    await me.ask('/api/account', { method: 'PATCH', json: { nickname: 'Ada' } });
    await deleteAccount(me);
    const newAccount = await createAccount(me.email);
    expect(newAccount.id).not.toBe(me.id);
    expect(await newAccount.ask('/api/chats')).toEqual({ chats: [] });
    expect(await newAccount.ask('/api/auth/status')).toMatchObject({
      user: { nickname: null, onboarding_completed: false },
    });
    await runErasures();
    expect((await getPoints(newAccount)).current_points).toBe(50);
  });
});

describe('Guest wallets', () => {
  test("a guest's wallet is erased after the guest logs in to an account", async () => {
    const email = `reader-${crypto.randomUUID()}@example.test`;
    const first = await createAccount(email);
    const guest = await signInGuest();
    const chat = await startConversationClient(guest);
    await chat.send('As a guest.');
    const guestId = guest.id;
    await env.DB.prepare('delete from login_codes where email = ?').bind(email).run();
    const code = await requestLoginCode(email, guest);
    await guest.ask('/api/auth/login-with-code', { json: { email, code }, status: 201 });
    expect(await listMessages(first, chat.id)).toHaveLength(3);
    await runErasures();
    expect(await isObjectEmpty(getWalletStub(guestId))).toBe(true);
    expect(await listMessages(first, chat.id)).toHaveLength(3);
    expect((await getPoints(first)).current_points).toBe(50);
  });
});
