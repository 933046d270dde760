/** Reasons for a report, in display order (docs/product.md). Apart from the contract, whose import would load zod into the report page. */
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
