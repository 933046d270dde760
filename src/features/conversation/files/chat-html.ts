import { escapeHtml } from '../../../lib/html.ts';
import {
  renderPageEnd,
  renderPageHead,
  type PageLabels,
  toDisplayText,
  formatTimeHtml,
} from '../../../lib/export-page.ts';
import type { ChatHeader, MessageRecord, TrashedRecord, VersionRecord } from './chat-record.ts';
import type { ExportedNote } from '../memory/memory-store.ts';
import { renderMarkupHtml } from '../../markup/markup-html.ts';
import { replaceMacros } from '../macro-names.ts';
import type { KeptAsk } from '../turn/turn-store.ts';

/** The words of a chat told as a page, in its reader's language. */
export interface ChatPageLabels extends PageLabels {
  /** The heading of a chat without a title. */
  untitled: string;
  person: string;
  character: string;
  begun: string;
  saved: string;
  persona: string;
  inTrash: string;
  writtenByAi: string;
  /** That what a model writes is made up. */
  aiNote: string;
  edited: string;
  pinned: string;
  unfinished: string;
  otherVersions: string;
  memory: string;
  notedByModel: string;
  notedByPerson: string;
  setAside: string;
  deletedMessages: string;
  deletedAt: string;
  keptUntil: string;
  /** Over what a model wrote for the person to say. */
  suggested: string;
  allChats: string;
  /** In the place of a picture; of one with words, with `{{text}}` where they stand. */
  picture: string;
  pictureNamed: string;
}

/** What a page tells of a chat beside its messages. */
export interface ChatPage {
  header: ChatHeader;
  /** Who the person is in it. */
  persona: { name: string; description: string } | null;
  notes: readonly ExportedNote[];
  asked: readonly KeptAsk[];
  /** When a chat in the trash goes for good, in milliseconds since 1970. */
  keptUntil: number | null;
  /** The moment of the download, in milliseconds since 1970. */
  now: number;
}

/** What is told of something in two words; nothing when there is nothing to tell. */
function renderFact(label: string, html: string): string {
  return html === '' ? '' : `<dt>${escapeHtml(label)}</dt><dd dir="auto">${html}</dd>`;
}

/** What stands before the first message. */
function renderChatHead(
  { header, persona, notes, asked, keptUntil, now }: ChatPage,
  words: ChatPageLabels,
): string {
  const title = toDisplayText(header.title ?? '') || words.untitled;
  const facts = [
    renderFact(words.character, escapeHtml(toDisplayText(header.characterName ?? ''))),
    renderFact(words.person, escapeHtml(toDisplayText(header.userName ?? ''))),
    renderFact(words.begun, header.createdAt === null ? '' : formatTimeHtml(header.createdAt)),
    renderFact(words.saved, formatTimeHtml(now)),
    ...(keptUntil === null ? [] : [renderFact(words.inTrash, formatTimeHtml(keptUntil))]),
  ];
  return [
    renderPageHead(words, title),
    `<p><a href="../index.html">${escapeHtml(words.allChats)}</a></p>`,
    `<h1 dir="auto">${escapeHtml(title)}</h1><dl>${facts.join('')}</dl>`,
    `<p class="note">${escapeHtml(words.aiNote)}</p>`,
    persona === null
      ? ''
      : `<details><summary>${escapeHtml(words.persona)}</summary><p dir="auto"><b>${escapeHtml(toDisplayText(persona.name))}</b></p>` +
        `<p class="plain" dir="auto">${escapeHtml(toDisplayText(persona.description))}</p></details>`,
    notes.length === 0
      ? ''
      : `<details><summary>${escapeHtml(words.memory)}</summary><ul>${notes.map((note) => renderNote(note, words)).join('')}</ul></details>`,
    asked.length === 0
      ? ''
      : `<details><summary>${escapeHtml(words.suggested)}</summary><ul>${asked.map((ask) => renderSuggestion(ask, words)).join('')}</ul></details>`,
    '\n',
  ].join('');
}

function renderNote(note: ExportedNote, words: ChatPageLabels): string {
  const about = [
    note.author === 'model' ? words.notedByModel : words.notedByPerson,
    ...(note.stale ? [words.setAside] : []),
  ];
  const by = note.author === 'model' ? ' data-ai-generated="true"' : '';
  return `<li${by}><p class="plain" dir="auto">${escapeHtml(toDisplayText(note.text))}</p><p class="note">${about.map(escapeHtml).join(' · ')}</p></li>`;
}

function renderSuggestion({ texts, made_at }: KeptAsk, words: ChatPageLabels): string {
  const lines = texts.map((text) => `<p class="plain" dir="auto">${escapeHtml(toDisplayText(text))}</p>`);
  return `<li data-ai-generated="true">${lines.join('')}<p class="note">${formatTimeHtml(Date.parse(made_at))} · ${escapeHtml(words.writtenByAi)}</p></li>`;
}

/** One message: who and when, the version that was chosen, and the others behind a fold. */
export function renderMessageHtml(message: MessageRecord, header: ChatHeader, words: ChatPageLabels): string {
  const present = message.role === 'user' ? header.userName : header.characterName;
  const fallback = message.role === 'user' ? words.person : words.character;
  const name = toDisplayText(message.name ?? present ?? '') || fallback;
  const chosen = message.versions[message.selected] as VersionRecord;
  const others = message.versions.filter((version) => version !== chosen);
  const version = (told: VersionRecord, at: number, extra: string[]) => {
    const generated = told.model !== null;
    const about = [
      formatTimeHtml(at),
      ...(generated ? [words.writtenByAi] : []).map(escapeHtml),
      ...(told.edited ? [words.edited] : []).map(escapeHtml),
      ...(told.status === 'complete' ? [] : [words.unfinished]).map(escapeHtml),
      ...extra.map(escapeHtml),
    ];
    const text = replaceMacros(told.content, {
      user: header.userName ?? words.person,
      char: header.characterName ?? words.character,
    });
    return `<p class="note">${about.join(' · ')}</p><div data-ai-generated="${String(generated)}">${renderMarkupHtml(text, words)}</div>`;
  };
  return [
    `<article class="${message.role}"><h2><bdi>${escapeHtml(name)}</bdi></h2>`,
    version(chosen, message.createdAt, message.pinned ? [words.pinned] : []),
    others.length === 0
      ? ''
      : `<details><summary>${escapeHtml(words.otherVersions)}</summary>${others.map((other) => version(other, other.createdAt, [])).join('<hr>')}</details>`,
    '</article>\n',
  ].join('');
}

/**
 * A chat as a page that needs nothing else, in pieces. Every text in it is shown as text.
 * @param pages messages in their order, some at a time; what they throw ends the page unfinished
 * @param trashed those that were deleted and can still be had back
 */
export async function* renderChatHtml(
  page: ChatPage,
  pages: AsyncIterable<readonly MessageRecord[]>,
  trashed: AsyncIterable<readonly TrashedRecord[]>,
  words: ChatPageLabels,
): AsyncGenerator<string> {
  yield renderChatHead(page, words);
  for await (const messages of pages) {
    for (const message of messages) yield renderMessageHtml(message, page.header, words);
  }
  let any = false;
  for await (const messages of trashed) {
    for (const message of messages) {
      if (!any) yield `<section class="trash"><h2>${escapeHtml(words.deletedMessages)}</h2>\n`;
      any = true;
      const times =
        renderFact(words.deletedAt, formatTimeHtml(message.deletedAt)) +
        renderFact(words.keptUntil, formatTimeHtml(message.expiresAt));
      yield `<dl>${times}</dl>${renderMessageHtml(message, page.header, words)}`;
    }
  }
  yield `${any ? '</section>' : ''}${renderPageEnd()}`;
}
