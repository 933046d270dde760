import { z } from 'zod';

export const pointsStatus = z.object({
  current_points: z.number().int(),
  permanent_points: z.number().int(),
  daily_messages_used: z.number().int(),
  /** Null where there is no limit. */
  daily_message_limit: z.number().int().nullable(),
  refills_at: z.string(),
  /** When the person's own day ends. */
  daily_resets_at: z.string(),
  /** What a message costs this person. */
  message_cost: z.number().int(),
  character_cost: z.number().int(),
  /** Current points are filled up to so many, every so many hours. */
  refill_to: z.number().int(),
  refill_hours: z.number().int(),
  /** A membership covers every message. */
  unlimited: z.boolean(),
  /** Whose days are counted, by its IANA name; null for UTC. */
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
      'what it came from: the turn, the character, the invitation, the opening or the refill; whatever happens twice counts once',
    ),
});
export type LedgerEntry = z.infer<typeof ledgerEntry>;

export const ledgerQuery = z.object({
  cursor: z.string().max(100).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
});

export const ledgerPage = z.object({ items: z.array(ledgerEntry), next_cursor: z.string().nullable() });
export type LedgerPage = z.infer<typeof ledgerPage>;

/** Points that the operator gives somebody. They stay, and are worth no money. */
export const pointGrantBody = z.strictObject({
  /** Made by whoever gives: the same again gives nothing twice. */
  gift_id: z
    .string()
    .min(8)
    .max(64)
    .regex(/^[A-Za-z0-9_-]+$/, 'Letters, digits, - and _ only'),
  user_id: z.string().min(1).max(64),
  points: z.number().int().min(1).max(100_000),
});
export const pointGrantResult = z.object({
  user_id: z.string(),
  given: z.boolean().describe('false: a gift of this id was given before, and nothing was given now'),
  points: pointsStatus,
});

export const availabilityBody = z.strictObject({ action: z.enum(['create_character']) });

/** Whether the points are there for an action; nothing is held or spent by asking. */
export const availability = z.object({
  success: z.boolean(),
  error: z.string().nullable(),
  points_required: z.number().int(),
});
export type Availability = z.infer<typeof availability>;
