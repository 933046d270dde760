import { z } from 'zod';
import { LANGUAGES } from '../../config/languages.ts';

/** Longer than any URL of the product. The value sent is never stored. */
const MAX_ADDRESS_CHARS = 2048;

export const VIEWPORTS = ['phone', 'desk'] as const;

/** One page view as reported by the browser. The server stores far less: see page-view.ts. */
export const pageViewBody = z.strictObject({
  path: z
    .string()
    .max(MAX_ADDRESS_CHARS)
    .regex(/^\/\S*$/, 'A path must start with a slash')
    .describe('Only the kind of page is stored'),
  language: z.enum(LANGUAGES),
  referrer: z
    .string()
    .max(MAX_ADDRESS_CHARS)
    .regex(/^[a-z][a-z0-9+.-]*:\/\/\S+$/i, 'Not an address')
    .optional()
    .describe('URL of the previous page; only its kind is stored'),
  viewport: z
    .enum(VIEWPORTS)
    .optional()
    .describe('Window width; if omitted, the browser’s client hint is used'),
});
export type PageViewBody = z.infer<typeof pageViewBody>;
