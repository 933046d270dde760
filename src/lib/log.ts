import { AsyncLocalStorage } from 'node:async_hooks';
import { createId } from './ids.ts';
import { redactText } from './redact.ts';

/**
 * The log: one line of JSON for each thing that somebody who watches the site may want to know. What can be told is a closed
 * list, of events and of what stands beside them, so that nothing of what people are, say or hold gets in by accident
 * (docs/watching.md says what each means and what to do about it).
 */

type Level = 'info' | 'warn' | 'error';

/** Every event, and how loud it is: `error` wants a look, `warn` is to be looked at when there are many, `info` is a trace. */
export const EVENTS = {
  // Calls, pages and what goes on by itself.
  request: 'info',
  request_failed: 'error',
  page_failed: 'error',
  page_data_failed: 'error',
  cron_done: 'info',
  task_failed: 'error',
  environment_wrong: 'error',
  health_failed: 'error',
  check_done: 'info',
  check_slow: 'warn',
  check_failed: 'error',
  check_waits: 'warn',
  check_not_kept: 'error',
  check_not_cleared: 'warn',
  database_seen: 'info',
  database_slow: 'warn',
  database_large: 'error',
  backlog: 'info',
  backlog_old: 'error',
  // Turns and models.
  model_failed: 'warn',
  model_circuit_opened: 'error',
  model_circuit_closed: 'info',
  model_budget_reached: 'error',
  model_budget_near: 'warn',
  model_calls_stopped: 'warn',
  model_budget_unread: 'error',
  moderation_budget_reached: 'error',
  reserve_failed: 'error',
  turn_failed: 'error',
  turn_end_failed: 'error',
  checkpoint_failed: 'error',
  context_not_kept: 'warn',
  turn_not_measured: 'error',
  test_reserve_failed: 'error',
  test_turn_failed: 'error',
  test_settle_failed: 'error',
  persona_waits: 'error',
  settlement_waits: 'error',
  index_waits: 'error',
  referral_waits: 'error',
  referral_lost: 'error',
  search_waits: 'error',
  memory_failed: 'warn',
  unlisted_conversation_stays: 'error',
  clearing_failed: 'error',
  download_incomplete: 'error',
  // Characters, lists and caches.
  creation_waits: 'error',
  summary_failed: 'warn',
  summary_refused: 'warn',
  summary_waits: 'warn',
  trending_unread: 'error',
  page_purge_failed: 'error',
  page_purges_given_up: 'error',
  page_purges_wait: 'error',
  // Accounts and mails.
  google_refused: 'warn',
  guest_uncounted: 'warn',
  code_uncounted: 'warn',
  mail_failed: 'error',
  mail_not_sent: 'error',
  mail_given_up: 'error',
  erasure_waits: 'error',
  erasure_failed: 'error',
  guest_stays: 'error',
  characters_stay: 'error',
  deletion_unfinished: 'error',
  // Money.
  membership_not_cancelled: 'error',
  ledger_differs: 'error',
  ledgers_checked: 'info',
  books_wait: 'error',
  payment_event_waits: 'error',
  payment_events_given_up: 'error',
  webhook_not_verified: 'error',
  subscription_unknown: 'error',
  subscription_refused: 'error',
  subscription_used: 'error',
  subscription_foreign: 'error',
  subscription_not_active: 'error',
  subscription_wrong_plan: 'error',
  subscription_wrong_currency: 'error',
  subscription_wrong_price: 'error',
  payment_too_small: 'error',
  paid_twice: 'error',
  second_subscription_not_cancelled: 'error',
  cancellation_waits: 'error',
  downgrade_refused: 'error',
  downgrade_failed: 'error',
  claim_waits: 'error',
  paypal_unavailable: 'error',
  // Safety, and what staff did.
  moderation_failed: 'error',
  granted_appeals_unread: 'error',
  measure_taken: 'info',
  measure_ended: 'info',
  character_moderated: 'info',
  competition_judged: 'info',
  prize_given: 'info',
  season_decided: 'info',
  points_given: 'info',
  paid_out: 'info',
  business_changed: 'info',
  business_not_read: 'error',
  business_not_understood: 'error',
} as const satisfies Record<string, Level>;

export type LogEvent = keyof typeof EVENTS;

/** All that may stand beside an event. Ids are those of rows: they lead nobody anywhere who cannot read the database. */
export const FIELDS = [
  // The redacted message of an error, or the reason of another refusal.
  ...['message', 'stack', 'reason', 'detail', 'why', 'code', 'outcome'],
  // Of a call, a task, a part.
  ...[
    'method',
    'route',
    'status',
    'ms',
    'one_in',
    'cron',
    'task',
    'tasks',
    'failed',
    'part',
    'parts',
    'model',
  ],
  // What staff did, and to what.
  ...['admin_id', 'measure_id', 'subject_id', 'character_id', 'conversation_id', 'payout_id', 'gift_id'],
  ...['kind', 'before', 'after', 'season', 'prize', 'place', 'mark', 'points', 'names'],
  // Mails, caches, wallets, exports.
  ...['mail_id', 'tries', 'cache', 'tags', 'what', 'wallet', 'wallets', 'different', 'silent'],
  ...['ledger', 'balance', 'held', 'bytes', 'waiting', 'oldest_ms', 'spent_cents', 'budget_cents', 'tokens'],
] as const;

type FieldValue = string | number | boolean | null | undefined;
export type LogFields = {
  [name in (typeof FIELDS)[number]]?: FieldValue | readonly FieldValue[] | Record<string, FieldValue>;
};

const KNOWN = new Set<string>(FIELDS);

const requestIds = new AsyncLocalStorage<string>();

/**
 * Does something whose log lines can be told to belong together: a call, a turn of a conversation, a round of housekeeping.
 * @param id the call's own; without one this is a run of its own
 */
export function withLogContext<T>(id: string | undefined, work: () => T): T {
  return requestIds.run(id ?? createId(Date.now()), work);
}

/** Keeps what cannot be meant for a log out of everything that is told. */
function redactValue(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value);
  if (Array.isArray(value)) return value.map(redactValue);
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, redactValue(one)]));
  return value;
}

/** Writes one line. */
export function log(event: LogEvent, fields: LogFields = {}): void {
  const level = EVENTS[event];
  const knownFields = Object.entries(fields).flatMap(([name, value]) =>
    KNOWN.has(name) ? [[name, name === 'wallet' ? value : redactValue(value)]] : [],
  );
  const line = JSON.stringify({
    event,
    level,
    request_id: requestIds.getStore(),
    ...Object.fromEntries(knownFields),
  });
  // The platform has the level by the way a line came.
  if (level === 'error') console.error(line);
  else if (level === 'warn') console.warn(line);
  else console.log(line);
}
