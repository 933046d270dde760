import type { Mail } from '../../vendors/mail.ts';
import { escapeHtml } from '../../lib/html.ts';

/** The texts of a mail before rendering, as complete sentences. */
export interface MailText {
  language: string;
  brand: string;
  subject: string;
  greeting: string;
  paragraphs: readonly string[];
  /** Six digits to copy, shown large on their own line. */
  code?: string;
  /** The main action. `fallbackText` introduces the plain link for mail programs that do not show the button. */
  button?: { label: string; url: string; fallbackText: string };
  /** Paragraphs after the button. */
  rest?: readonly string[];
  /** Why the mail was sent. */
  footer?: readonly string[];
  unsubscribeLink?: { label: string; url: string };
}

/** Replaces control characters and line breaks: a subject must be one line. */
export function toOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}

// Mail programs support little CSS, and some drop the head. Essential styles are inline, and widths are set by tables;
// the head only adds dark colours. No image or font is loaded, so opening a mail cannot be tracked.
const SANS = "font-family:'Segoe UI',Roboto,'Noto Sans',Helvetica,Arial,sans-serif";
const SERIF = "font-family:Georgia,'Times New Roman','Noto Serif',serif";
const TEXT_COLOR = 'color:#241e16';
const MUTED_COLOR = 'color:#5f5545';

const HEAD_STYLE = [
  ':root{color-scheme:light dark;supported-color-schemes:light dark}',
  '@media (prefers-color-scheme:dark){',
  '.page{background-color:#16130f!important}',
  '.sheet{background-color:#1e1a15!important;border-color:#3a332a!important}',
  '.ink{color:#ece4d6!important}.quiet{color:#b3a896!important}.rule{border-color:#3a332a!important}',
  '.button{background-color:#e6a63a!important}.button a{color:#1d1505!important}',
  '.link{color:#e6a63a!important}}',
].join('');

const renderParagraph = (text: string): string =>
  `<p class="ink" style="margin:0 0 16px;${SANS};font-size:16px;line-height:1.55;${TEXT_COLOR}">${escapeHtml(text)}</p>`;

const renderSmall = (html: string): string =>
  `<p class="quiet" style="margin:0 0 8px;${SANS};font-size:13px;line-height:1.5;${MUTED_COLOR}">${html}</p>`;

const renderLink = (url: string, label: string): string =>
  `<a class="link" href="${escapeHtml(url)}" style="color:#8a5a00;text-decoration:underline;overflow-wrap:anywhere;word-break:break-word">${escapeHtml(label)}</a>`;

function renderButton({ label, url, fallbackText: otherwise }: NonNullable<MailText['button']>): string {
  return [
    '<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 20px"><tr>',
    '<td class="button" bgcolor="#8a5a00" style="background-color:#8a5a00;border-radius:4px">',
    `<a href="${escapeHtml(url)}" style="display:inline-block;padding:13px 24px;${SANS};font-size:16px;line-height:1.3;color:#fffaf0;text-decoration:none;font-weight:600">${escapeHtml(label)}</a>`,
    '</td></tr></table>',
    renderSmall(`${escapeHtml(otherwise)}<br>${renderLink(url, url)}`),
    '<div style="height:12px;line-height:12px;font-size:12px">&#160;</div>',
  ].join('');
}

const renderCode = (code: string): string =>
  `<p class="ink" dir="ltr" style="margin:4px 0 20px;${SANS};font-size:30px;line-height:1.3;letter-spacing:6px;${TEXT_COLOR}"><strong>${escapeHtml(code)}</strong></p>`;

function renderHtml(mail: MailText): string {
  const { button, code, rest = [], footer = [], unsubscribeLink: wayOut } = mail;
  const last = [...footer.map((line) => renderSmall(escapeHtml(line)))];
  if (wayOut !== undefined) last.push(renderSmall(renderLink(wayOut.url, wayOut.label)));
  return [
    `<!doctype html><html lang="${escapeHtml(mail.language)}" dir="ltr"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">',
    // Phones otherwise turn numbers and dates into links.
    '<meta name="format-detection" content="telephone=no,date=no,address=no,email=no">',
    `<title>${escapeHtml(toOneLine(mail.subject))}</title><style>${HEAD_STYLE}</style></head>`,
    '<body class="page" style="margin:0;padding:0;background-color:#f6f0e4">',
    '<table class="page" role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#f6f0e4" style="background-color:#f6f0e4"><tr>',
    '<td align="center" style="padding:24px 12px">',
    '<table class="sheet" role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#fdf9f0" style="max-width:560px;background-color:#fdf9f0;border:1px solid #d8ccb6;border-radius:4px"><tr>',
    '<td align="left" style="padding:28px 24px 20px">',
    `<p class="ink" style="margin:0 0 20px;${SERIF};font-size:22px;line-height:1.2;${TEXT_COLOR}">${escapeHtml(mail.brand)}</p>`,
    renderParagraph(mail.greeting),
    ...mail.paragraphs.map(renderParagraph),
    code === undefined ? '' : renderCode(code),
    button === undefined ? '' : renderButton(button),
    ...rest.map(renderParagraph),
    last.length === 0
      ? ''
      : `<div class="rule" style="margin:20px 0 0;padding:14px 0 0;border-top:1px solid #d8ccb6">${last.join('')}</div>`,
    '</td></tr></table></td></tr></table></body></html>',
  ].join('');
}

/** Renders the plain text part. */
function renderText({
  greeting,
  paragraphs,
  code,
  button,
  rest = [],
  footer = [],
  unsubscribeLink: wayOut,
}: MailText): string {
  const foot = [...footer, ...(wayOut === undefined ? [] : [`${wayOut.label}\n${wayOut.url}`])];
  return [
    greeting,
    ...paragraphs,
    ...(code === undefined ? [] : [code]),
    ...(button === undefined ? [] : [`${button.label}\n${button.url}`]),
    ...rest,
    ...(foot.length === 0 ? [] : [`—\n${foot.join('\n\n')}`]),
  ].join('\n\n');
}

/** Renders the text and the HTML part. All texts are HTML-escaped here. */
export function renderMail(mail: MailText): Pick<Mail, 'subject' | 'text' | 'html'> {
  return { subject: toOneLine(mail.subject), text: renderText(mail), html: renderHtml(mail) };
}
