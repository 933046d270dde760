import { escapeHtml } from './html.ts';
import { sanitizeText } from './sanitize-text.ts';

/** The frame of exported HTML pages: each is one file without script that opens anywhere. */

export interface PageLabels {
  /** Language of the labels, as a BCP 47 tag for `lang`. */
  language: string;
}

const STYLE = [
  ':root{color-scheme:light dark;--bg:#f6f0e4;--text:#241e16;--quiet:#5f5545;--line:#d8ccb6;--accent:#8a5a00;--danger:#a32a1c}',
  '@media (prefers-color-scheme:dark){:root{--bg:#16130f;--text:#ece4d6;--quiet:#b3a896;--line:#3a332a;--accent:#e6a63a;--danger:#ee8275}}',
  "body{margin:0;background:var(--bg);color:var(--text);font:1.0625rem/1.6 'Source Sans 3','Segoe UI',Roboto,'Noto Sans',sans-serif}",
  'main{max-inline-size:42rem;margin-inline:auto;padding:1.5rem 1rem 4rem;overflow-wrap:anywhere}',
  "h1,h2,h3{font-family:Georgia,'Noto Serif',serif;font-weight:600;line-height:1.25}h1{font-size:1.9rem}h2{font-size:1.15rem;margin:0}",
  'a{color:var(--accent)}.note{color:var(--quiet);font-size:.9375rem;margin:.25rem 0}.danger{color:var(--danger)}',
  'dl{display:grid;grid-template-columns:auto 1fr;gap:.1rem 1rem}dt{color:var(--quiet)}dd{margin:0}',
  'article{border-block-start:1px solid var(--line);padding-block:1rem}article.user h2{color:var(--accent)}',
  '.plain{white-space:pre-wrap}article :is(p,li,blockquote){white-space:pre-line}.trash{border-block-start:3px double var(--line);margin-block-start:2rem;padding-block-start:1rem}',
  'pre{overflow-x:auto;padding:.75rem;border:1px solid var(--line)}blockquote{margin-inline:0;padding-inline-start:1rem;border-inline-start:3px solid var(--line)}',
  '.table{overflow-x:auto;margin-block:1em}table{inline-size:max-content;max-inline-size:max(100%,36rem);border-collapse:collapse;overflow-wrap:break-word}:is(th,td){min-inline-size:4em;max-inline-size:24em;padding:.3rem .75rem;border:1px solid var(--line);text-align:start;vertical-align:baseline;unicode-bidi:plaintext}:is(th,td).center{text-align:center}:is(th,td).end{text-align:end}',
  'li.dash{list-style:none}summary{cursor:pointer;padding-block:.6rem}hr{border:0;border-block-start:1px solid var(--line)}',
  'section{margin-block-start:2rem}main>p a,section a{display:inline-block;min-inline-size:2.75rem;padding-block:.65rem}',
  'ul.chats{list-style:none;padding:0}ul.chats li{border-block-start:1px solid var(--line);padding-block:.75rem}',
].join('');

/** Allows only the inline style above, so that injected markup could neither run script nor fetch anything. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** Sanitizes a name or message text. The result is plain text, not yet escaped for HTML. */
export function toDisplayText(text: string): string {
  return sanitizeText(text.toWellFormed()).trim();
}

/**
 * Formats a time as a `<time>` element, the same in every language: `2026-03-10 12:00 UTC`. @param at milliseconds since
 * 1970
 */
export function formatTimeHtml(at: number): string {
  const iso = new Date(at).toISOString();
  return `<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
}

/** Renders the document up to the page's own heading. @param title plain text, escaped here */
export function renderPageHead({ language }: PageLabels, title: string): string {
  return [
    `<!doctype html><html lang="${escapeHtml(language)}" dir="ltr"><head><meta charset="utf-8">`,
    `<meta http-equiv="content-security-policy" content="${escapeHtml(POLICY)}">`,
    '<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="referrer" content="no-referrer">',
    `<title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body><main>`,
  ].join('');
}

/** Closes what `renderPageHead` opened. */
export function renderPageEnd(): string {
  return '</main></body></html>\n';
}
