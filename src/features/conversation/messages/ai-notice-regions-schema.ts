import { z } from 'zod';

/**
 * The schema of data/ai-notice-regions.json, which people edit. A unit test validates the file; at run time it is
 * imported without validation.
 */

/** A law that asks for a notice that an AI answers. */
export const aiNoticeLaw = z.strictObject({
  country: z.string().regex(/^[A-Z]{2}$/, 'ISO 3166-1 alpha-2, or EU'),
  region: z
    .string()
    .regex(/^[A-Z0-9]{1,3}$/)
    .nullable()
    .describe('The second part of its ISO 3166-2 code, as Cloudflare names it; null for the whole country'),
  law: z.string().min(1),
  from: z.iso.date().describe('The first day on which it applies'),
  bold: z.boolean().describe('Whether it prescribes bold capitals of at least 16 points'),
  asks: z.string().min(1).describe('When it asks for a notice, for reviewers'),
  note: z.string().min(1).nullable().describe('For reviewers: what is not confirmed'),
  source: z.strictObject({
    address: z.url({ protocol: /^https$/ }),
    read: z.iso.date().nullable().describe('The day on which someone read it; null while no one has'),
  }),
});
export type AiNoticeLaw = z.infer<typeof aiNoticeLaw>;

export const aiNoticeRegionsFile = z.strictObject({ laws: z.array(aiNoticeLaw).min(1) });
