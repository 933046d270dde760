import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { openDatabase } from '../../src/db/open.ts';
import { users } from '../../src/db/schema/core.ts';
import { hashDeletionToken, generateDeletionToken } from '../../src/features/account/deletion/deletion.ts';
import {
  RUNTIME_CONFIG_KV_KEY,
  clearRuntimeConfigCache,
} from '../../src/features/runtime-config/runtime-config-gateway.ts';
import { type Visitor, getWalletStub } from './factories.ts';
import type { MembershipRecords, SubscriptionRow } from './membership-invariants.ts';
import type { Agreement } from './paypal-in-memory.ts';

const HOUR_MS = 3_600_000;

/** The rows of the simulation's user, and helpers that write them. */

/** Sets the runtime configuration for everyone's wallets and commissions. */
export async function setRuntimeConfig(me: Visitor, change: Record<string, number>): Promise<void> {
  await env.KV.put(RUNTIME_CONFIG_KV_KEY, JSON.stringify(change));
  clearRuntimeConfigCache(env);
  await runInDurableObject(getWalletStub(me.id), (wallet) =>
    clearRuntimeConfigCache((wallet as unknown as { env: Env }).env),
  );
}

interface RecordOwners {
  userId: string;
  inviterId: string;
  /** The ids of all subscriptions. */
  ids: readonly string[];
}

/** Inserts an account and makes it the inviter of the user an hour before. */
export async function createInviter(userId: string, inviterId: string, now: number): Promise<void> {
  await openDatabase(env.DB)
    .insert(users)
    .values({
      id: inviterId,
      username: `inviter-${inviterId.slice(-6)}`,
      isAnonymous: false,
      createdAt: now,
      updatedAt: now,
    });
  await env.DB.prepare('update users set invited_by = ?, invited_at = ? where id = ?')
    .bind(inviterId, now - HOUR_MS, userId)
    .run();
}

/** Deletes everything that the simulation stored about memberships. */
export async function deleteMembershipRecords({ userId, inviterId, ids }: RecordOwners): Promise<void> {
  await env.DB.batch([
    env.DB.prepare('delete from subscriptions where user_id = ?').bind(userId),
    env.DB.prepare('delete from commissions where inviter_id = ?').bind(inviterId),
    env.DB.prepare(
      'delete from payment_events where subscription_id in (select value from json_each(?))',
    ).bind(JSON.stringify(ids)),
    env.DB.prepare("update users set plan = 'free', plan_until = null where id = ?").bind(userId),
  ]);
}

export async function readMembershipRecords({
  userId,
  inviterId,
  ids,
}: RecordOwners): Promise<MembershipRecords> {
  const [rows, owedCommission, open] = await env.DB.batch<SubscriptionRow & { sum: number }>([
    env.DB.prepare('select id, status, period_end, created_at from subscriptions where user_id = ?').bind(
      userId,
    ),
    env.DB.prepare(
      "select coalesce(sum(amount_cents), 0) as sum from commissions where inviter_id = ? and status <> 'reversed'",
    ).bind(inviterId),
    env.DB.prepare(
      'select count(*) as sum from payment_events where handled_at is null and subscription_id in (select value from json_each(?))',
    ).bind(JSON.stringify(ids)),
  ]);
  return {
    rows: rows?.results ?? [],
    owedCents: owedCommission?.results[0]?.sum ?? -1,
    unhandled: open?.results[0]?.sum ?? -1,
  };
}

/** A deletion token as the mail contains it. */
export async function createDeletionToken(userId: string, until: number): Promise<string> {
  const token = generateDeletionToken();
  await env.DB.prepare(
    'insert or replace into deletion_requests (user_id, token_hash, requested_at, expires_at) values (?, ?, ?, ?)',
  )
    .bind(userId, await hashDeletionToken(token), Date.now(), until)
    .run();
  return token;
}

/** Expects that no reported subscription of a deleted user is still billed. */
export async function expectNothingBilled(agreements: readonly Agreement[]): Promise<void> {
  const open = await env.DB.prepare(
    'select distinct subscription_id as id from payment_events where handled_at is null and subscription_id is not null',
  ).all<{ id: string }>();
  const waiting = new Set(open.results.map(({ id }) => id));
  for (const { kind, kept, isReported: isHeard } of agreements)
    if (kind !== 'foreign' && isHeard && !waiting.has(kept.id))
      expect(['CANCELLED', 'EXPIRED']).toContain(kept.status);
}
