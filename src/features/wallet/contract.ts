import { z } from 'zod';
import { createVisibleTextSchema } from '../../lib/text-schemas.ts';
import { MAX_GRANT_POINTS, MAX_GRANT_REASON_CHARS } from './limits.ts';

export const pointsStatus = z.object({
  current_points: z.number().int(),
  permanent_points: z.number().int(),
  daily_messages_used: z.number().int(),
  /** Null for no limit. */
  daily_message_limit: z.number().int().nullable(),
  refills_at: z.string(),
  /** The end of the user's local day. */
  daily_resets_at: z.string(),
  /** Points per message for this user. */
  message_cost: z.number().int(),
  character_cost: z.number().int(),
  /** A refill raises the current points to `refill_to`, once per `refill_hours`. */
  refill_to: z.number().int(),
  refill_hours: z.number().int(),
  /** True when a membership covers all messages. */
  unlimited: z.boolean(),
  /** IANA name of the time zone that defines the user's days; null for UTC. */
  time_zone: z.string().nullable(),
});
export type PointsStatus = z.infer<typeof pointsStatus>;

export const ledgerKind = z.enum([
  'opening',
  'refill',
  'message',
  'message_covered',
  'message_free',
  'invite',
  'gift',
  'character',
  'character_refund',
  'publication',
  'publication_refund',
]);
export type LedgerKind = z.infer<typeof ledgerKind>;

export const ledgerEntry = z.object({
  id: z.string(),
  at: z.string(),
  kind: ledgerKind,
  reason: z.string(),
  amount: z.number().int(),
  balance_after: z.number().int(),
  conversation_id: z.string().optional(),
  message_id: z.string().optional(),
  event_id: z
    .string()
    .optional()
    .describe(
      'Id of the cause: a turn, character, invitation, grant, opening balance or refill; the same event never changes the points twice',
    ),
});
export type LedgerEntry = z.infer<typeof ledgerEntry>;

export const ledgerQuery = z.object({
  cursor: z.string().max(100).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
  group: z
    .string()
    .regex(/^[0-9a-z]{26}\.[0-9a-z]{26}$/)
    .optional()
    .describe('The `id` of a group of `GET /points/history`: only its entries'),
});

export const ledgerPage = z.object({ items: z.array(ledgerEntry), next_cursor: z.string().nullable() });
export type LedgerPage = z.infer<typeof ledgerPage>;

export const ledgerHistoryQuery = z.object({
  cursor: z.string().max(100).optional(),
  days: z.coerce.number().int().min(1).max(31).default(7),
});

/** The entries of one day and one conversation; outside of conversations, of one kind. */
export const ledgerGroup = z.object({
  id: z.string(),
  day: z.string().describe('YYYY-MM-DD, in the time zone of the user’s points'),
  conversation_id: z.string().optional(),
  character_name: z.string().optional().describe('Missing if the conversation no longer exists'),
  kind: ledgerKind.describe('The kind of the newest entry'),
  reason: z.string().describe('The reason of the newest entry'),
  entries: z.number().int(),
  replies: z.number().int().describe('Number of entries for complete replies'),
  amount: z.number().int().describe('The sum of the entries’ amounts'),
});
export type LedgerGroup = z.infer<typeof ledgerGroup>;

export const ledgerHistory = z.object({ items: z.array(ledgerGroup), next_cursor: z.string().nullable() });
export type LedgerHistory = z.infer<typeof ledgerHistory>;

/** Permanent points granted by an operator. They have no monetary value. */
export const pointGrantBody = z.strictObject({
  /** Chosen by the caller. Repeating a request with the same id grants nothing. */
  gift_id: z
    .string()
    .min(8)
    .max(64)
    .regex(/^[A-Za-z0-9_-]+$/, 'Letters, digits, - and _ only'),
  user_id: z.string().min(1).max(64),
  points: z.number().int().min(1).max(MAX_GRANT_POINTS),
  reason: createVisibleTextSchema(MAX_GRANT_REASON_CHARS, 'Say why')
    .optional()
    .describe('Shown to the user in the points history'),
});
export const pointGrantResult = z.object({
  user_id: z.string(),
  given: z.boolean().describe('False if this `gift_id` was granted before; nothing was granted now'),
  points: pointsStatus,
});

export const availabilityBody = z.strictObject({ action: z.enum(['create_character']) });

/** Whether the user has enough points for an action. The check neither holds nor spends points. */
export const availability = z.object({
  success: z.boolean(),
  error: z.string().nullable(),
  points_required: z.number().int(),
});
export type Availability = z.infer<typeof availability>;
