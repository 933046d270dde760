import { escapeHtml } from '../../lib/html.ts';
import {
  renderPageEnd,
  renderPageHead,
  type PageLabels,
  toDisplayText,
  formatTimeHtml,
} from '../../lib/export-page.ts';

/** The words of the page that an archive opens with, in its reader's language. */
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

/** A chat of the archive, with its files; null where one could not be read. */
export interface ListedConversation {
  title: string | null;
  /** Empty when nobody could tell it. */
  characterName: string;
  /** Milliseconds since 1970. */
  lastMessageAt: number;
  keptUntil: number | null;
  page: string | null;
  lines: string | null;
  notes: string | null;
}

/** Something that is not in the archive, or not whole, by the path that it has or would have. */
export interface MissingFile {
  path: string;
  /** Whether some of it is there. */
  isPartial: boolean;
}

export interface Contents {
  chats: readonly ListedConversation[];
  /** What else lies in it, by path. */
  files: readonly { path: string; kind: 'account' | 'personas' | 'points' | 'characters' | 'pictures' }[];
  missing: readonly MissingFile[];
  /** Where the rest of one's chats is; null when these were all. */
  next: string | null;
}

/** A path as an address beside this page: of a name, nothing is taken for a part of the address. */
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

/** The page that an archive opens with: what is in it, what is not, and what could not be read. */
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
          `<p class="harm">${escapeHtml(words.missingIntro)}</p><ul>${missing
            .map(
              ({ path, isPartial: begun }) =>
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
