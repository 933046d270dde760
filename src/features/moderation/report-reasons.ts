/** Reasons for a report, in a file of its own for the report page; in display order (docs/product.md). */
export const REPORT_REASONS = [
  'nsfw',
  'copyright',
  'illegal',
  'impersonation',
  'discrimination',
  'misinformation',
  'brokenImage',
  'spam',
  'wrongTag',
  'other',
] as const;
