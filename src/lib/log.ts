import { AsyncLocalStorage } from 'node:async_hooks';
import { createId } from './ids.ts';
import { redactText, describeError } from './redact.ts';

/**
 * Structured log: one line of JSON per event. Events and fields are closed lists, so that personal data, message texts
 * and secrets cannot get in by accident. docs/tables/log-events.md says what each event means,
 * docs/runbook.md how to react.
 */

type Level = 'info' | 'warn' | 'error';

/** All events with their level: `error` needs a look, `warn` needs one when there are many, `info` is a trace. */
export const EVENTS = {
  // Requests, pages and background tasks.
  request: 'info',
  request_failed: 'error',
  page_failed: 'error',
  page_data_failed: 'error',
  cron_done: 'info',
  cron_task_failed: 'error',
  config_invalid: 'error',
  health_failed: 'error',
  check_done: 'info',
  check_slow: 'warn',
  check_failed: 'error',
  check_deferred: 'warn',
  check_save_failed: 'error',
  check_cleanup_failed: 'warn',
  database_stats: 'info',
  database_slow: 'warn',
  database_large: 'error',
  backlog: 'info',
  queue_stalled: 'error',
  // Turns and models.
  model_failed: 'warn',
  model_context_exceeded: 'warn',
  model_circuit_opened: 'error',
  model_circuit_closed: 'info',
  model_budget_reached: 'error',
  model_budget_near: 'warn',
  model_calls_stopped: 'warn',
  model_budget_read_failed: 'error',
  moderation_budget_reached: 'error',
  reserve_failed: 'error',
  turn_failed: 'error',
  turn_end_failed: 'error',
  turn_access_failed: 'error',
  checkpoint_failed: 'error',
  context_save_failed: 'warn',
  turn_metrics_failed: 'error',
  test_reserve_failed: 'error',
  test_turn_failed: 'error',
  test_settle_failed: 'error',
  persona_deferred: 'error',
  settlement_deferred: 'error',
  list_row_deferred: 'error',
  referral_deferred: 'error',
  rating_deferred: 'error',
  referral_lost: 'error',
  search_deferred: 'error',
  memory_failed: 'warn',
  title_failed: 'warn',
  unlisted_conversation_cleanup_failed: 'error',
  clearing_failed: 'error',
  download_incomplete: 'error',
  // Characters, lists and caches.
  creation_deferred: 'error',
  summary_failed: 'warn',
  summary_refused: 'warn',
  summary_deferred: 'warn',
  trending_read_failed: 'error',
  page_purge_failed: 'error',
  page_purges_abandoned: 'error',
  page_purges_deferred: 'error',
  // Accounts and mails.
  google_refused: 'warn',
  passkey_refused: 'warn',
  admin_passkeys_missing: 'warn',
  mail_failed: 'error',
  mail_not_sent: 'error',
  mail_abandoned: 'error',
  erasure_deferred: 'error',
  erasure_failed: 'error',
  guest_cleanup_failed: 'error',
  character_cleanup_failed: 'error',
  deletion_failed: 'error',
  // Money.
  cancellation_failed: 'error',
  ledger_mismatch: 'error',
  ledgers_checked: 'info',
  reconciliation_deferred: 'error',
  payment_event_deferred: 'error',
  payment_events_abandoned: 'error',
  webhook_not_verified: 'error',
  subscription_not_found: 'error',
  subscription_refused: 'error',
  subscription_already_claimed: 'error',
  subscription_wrong_account: 'error',
  subscription_not_active: 'error',
  subscription_wrong_plan: 'error',
  subscription_wrong_currency: 'error',
  subscription_wrong_price: 'error',
  payment_too_small: 'error',
  duplicate_payment: 'error',
  second_subscription_not_cancelled: 'error',
  cancellation_deferred: 'error',
  downgrade_refused: 'error',
  downgrade_failed: 'error',
  claim_deferred: 'error',
  paypal_unavailable: 'error',
  // Safety and staff actions.
  moderation_failed: 'error',
  granted_appeals_read_failed: 'error',
  moderation_action_applied: 'info',
  moderation_action_revoked: 'info',
  character_moderated: 'info',
  competition_judged: 'info',
  prize_awarded: 'info',
  season_decided: 'info',
  points_granted: 'info',
  character_featured: 'info',
  payout_recorded: 'info',
  runtime_config_changed: 'info',
  runtime_config_read_failed: 'error',
  runtime_config_parse_failed: 'error',
} as const satisfies Record<string, Level>;

export type LogEvent = keyof typeof EVENTS;

/** The allowed fields. Ids are row ids, which are useless without access to the database. */
export const FIELDS = [
  // The redacted message of an error, or the reason for a refusal.
  ...['message', 'stack', 'reason', 'detail', 'code', 'outcome'],
  // A request, a task, or a part of the status page or of a download.
  ...[
    'method',
    'route',
    'status',
    'ms',
    'sample_rate',
    'cron',
    'task',
    'tasks',
    'failed',
    'part',
    'parts',
    'model',
    'ratio',
  ],
  // Staff actions and their subjects.
  ...['admin_id', 'measure_id', 'subject_id', 'character_id', 'conversation_id', 'payout_id', 'grant_id'],
  ...['kind', 'before', 'after', 'season', 'prize', 'place', 'mark', 'points', 'names'],
  // Mails, caches, wallets, exports.
  ...['mail_id', 'tries', 'cache', 'tags', 'operation', 'wallet', 'wallets', 'mismatched', 'unresponsive'],
  ...['ledger', 'balance', 'held', 'bytes', 'pending', 'oldest_ms', 'spent_cents', 'budget_cents', 'tokens'],
] as const;

type FieldValue = string | number | boolean | null | undefined;
export type LogFields = {
  [name in (typeof FIELDS)[number]]?: FieldValue | readonly FieldValue[] | Record<string, FieldValue>;
};

const KNOWN = new Set<string>(FIELDS);

const requestIds = new AsyncLocalStorage<string>();

/**
 * Runs `work` so that all its log lines share one `request_id`: a request, a turn of a conversation or a cron run.
 * @param id of the request; undefined creates a new one
 */
export function withLogContext<T>(id: string | undefined, work: () => T): T {
  return requestIds.run(id ?? createId(Date.now()), work);
}

/** Redacts every text inside a field's value. */
function redactValue(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value);
  if (Array.isArray(value)) return value.map(redactValue);
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, redactValue(one)]));
  return value;
}

/**
 * Writes one log line. Unknown fields are dropped and texts are redacted; `wallet` is a hexadecimal object id, which
 * redaction would remove.
 */
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
  // The platform derives the level from the console method.
  if (level === 'error') console.error(line);
  else if (level === 'warn') console.warn(line);
  else console.log(line);
}

/** Logs a failure without any message text. */
export function logFailure(event: LogEvent, error: unknown): void {
  log(event, { message: describeError(error) });
}

/** Runs a save whose failure must not stop what follows. */
export function saveOrLog(event: LogEvent, save: () => void): void {
  try {
    save();
  } catch (error) {
    logFailure(event, error);
  }
}
