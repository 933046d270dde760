import { escapeHtml } from '../../lib/html.ts';
import {
  renderPageEnd,
  renderPageHead,
  type PageLabels,
  toDisplayText,
  formatTimeHtml,
} from '../../lib/export-page.ts';

/** Texts of the archive's index page, in the reader's language. */
export interface ContentsLabels extends PageLabels {
  title: string;
  intro: string;
  aiNote: string;
  chats: string;
  noChats: string;
  untitled: string;
  lastMessage: string;
  inTrash: string;
  forPrograms: string;
  memory: string;
  otherFiles: string;
  account: string;
  personas: string;
  points: string;
  characters: string;
  pictures: string;
  notHere: string;
  notHereDerived: string;
  notHereSecret: string;
  missing: string;
  missingIntro: string;
  notWhole: string;
  more: string;
  moreIntro: string;
  moreLink: string;
}

/** A conversation of the archive with the paths of its files; a path is null when that file could not be read. */
export interface ListedConversation {
  title: string | null;
  /** Empty when the name is unknown. */
  characterName: string;
  /** Milliseconds since 1970. */
  lastMessageAt: number;
  keptUntil: number | null;
  page: string | null;
  lines: string | null;
  notes: string | null;
}

/** A file that is missing from the archive or incomplete, by its path. */
export interface MissingFile {
  path: string;
  /** True when part of the file is in the archive. */
  begun: boolean;
}

export interface Contents {
  chats: readonly ListedConversation[];
  /** The other files of the archive. */
  files: readonly { path: string; kind: 'account' | 'personas' | 'points' | 'characters' | 'pictures' }[];
  missing: readonly MissingFile[];
  /** URL of the download with the remaining chats; null when these are all. */
  next: string | null;
}

/** Encodes a path as a relative URL; each segment is escaped, so no name can break out of it. */
function encodeHref(path: string): string {
  return escapeHtml(path.split('/').map(encodeURIComponent).join('/'));
}

const renderLink = (path: string, text: string): string =>
  `<a href="${encodeHref(path)}">${escapeHtml(text)}</a>`;

function renderConversation(chat: ListedConversation, words: ContentsLabels): string {
  const name = toDisplayText(chat.title ?? '') || toDisplayText(chat.characterName) || words.untitled;
  const others = [
    ...(chat.title === null || chat.characterName === ''
      ? []
      : [`<bdi>${escapeHtml(toDisplayText(chat.characterName))}</bdi>`]),
    `${escapeHtml(words.lastMessage)} ${formatTimeHtml(chat.lastMessageAt)}`,
    ...(chat.keptUntil === null
      ? []
      : [`<b>${escapeHtml(words.inTrash)} ${formatTimeHtml(chat.keptUntil)}</b>`]),
    ...(chat.lines === null ? [] : [renderLink(chat.lines, words.forPrograms)]),
    ...(chat.notes === null ? [] : [renderLink(chat.notes, words.memory)]),
  ];
  const title = chat.page === null ? escapeHtml(name) : renderLink(chat.page, name);
  return `<li><bdi>${title}</bdi><p class="note">${others.join(' · ')}</p></li>`;
}

/** Renders the archive's index page: its contents, what is left out, and what could not be read. */
export function renderContentsPage(contents: Contents, words: ContentsLabels): string {
  const { chats, files, missing, next } = contents;
  const section = (title: string, html: string) => `<section><h2>${escapeHtml(title)}</h2>${html}</section>`;
  const paragraph = (text: string) => `<p>${escapeHtml(text)}</p>`;
  const kinds = (['account', 'personas', 'points', 'characters', 'pictures'] as const).flatMap((kind) => {
    const own = files.filter((file) => file.kind === kind);
    if (own.length === 0) return [];
    const links = own.map(
      ({ path }) => `<li>${renderLink(path, path.slice(path.lastIndexOf('/') + 1))}</li>`,
    );
    return [`<li>${escapeHtml(words[kind])}<ul>${links.join('')}</ul></li>`];
  });
  return [
    renderPageHead(words, words.title),
    `<h1>${escapeHtml(words.title)}</h1>${paragraph(words.intro)}`,
    next === null
      ? ''
      : section(
          words.more,
          `${paragraph(words.moreIntro)}<p><a href="${escapeHtml(next)}">${escapeHtml(words.moreLink)}</a></p>`,
        ),
    missing.length === 0
      ? ''
      : section(
          words.missing,
          `<p class="danger">${escapeHtml(words.missingIntro)}</p><ul>${missing
            .map(
              ({ path, begun }) =>
                `<li>${escapeHtml(path)}${begun ? ` · ${escapeHtml(words.notWhole)}` : ''}</li>`,
            )
            .join('')}</ul>`,
        ),
    section(
      words.chats,
      chats.length === 0
        ? paragraph(words.noChats)
        : `<p class="note">${escapeHtml(words.aiNote)}</p><ul class="chats">${chats.map((chat) => renderConversation(chat, words)).join('')}</ul>`,
    ),
    kinds.length === 0 ? '' : section(words.otherFiles, `<ul>${kinds.join('')}</ul>`),
    section(words.notHere, `${paragraph(words.notHereDerived)}${paragraph(words.notHereSecret)}`),
    renderPageEnd(),
  ].join('\n');
}
