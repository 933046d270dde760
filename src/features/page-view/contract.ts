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
    .regex(/^\/\S*$/, 'A path begins with a slash')
    .describe('only the kind of page that it leads to is kept'),
  language: z.enum(LANGUAGES),
  referrer: z
    .string()
    .max(MAX_ADDRESS_CHARS)
    .regex(/^[a-z][a-z0-9+.-]*:\/\/\S+$/i, 'Not an address')
    .optional()
    .describe('the page before; only what sort of place it is is kept'),
  viewport: z
    .enum(VIEWPORTS)
    .optional()
    .describe('how wide the window is; left out, the browser’s own hint counts'),
});
export type PageViewBody = z.infer<typeof pageViewBody>;
