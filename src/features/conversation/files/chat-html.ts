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

/** The texts of an HTML export, in the reader's language. */
export interface ChatPageLabels extends PageLabels {
  /** The heading of a chat without a title. */
  untitled: string;
  person: string;
  character: string;
  begun: string;
  saved: string;
  persona: string;
  authorNote: string;
  replySettings: string;
  noteDepth: string;
  replyLength: string;
  replyLength_short: string;
  replyLength_medium: string;
  replyLength_long: string;
  /** The number of words of a reply, where the length is a number. */
  replyWords: string;
  liveliness: string;
  liveliness_calm: string;
  liveliness_balanced: string;
  liveliness_lively: string;
  /** The model's temperature, where the liveliness is a number. */
  temperature: string;
  /** The user's note for one version of a reply. */
  regenerateNote: string;
  inTrash: string;
  writtenByAi: string;
  /** States that texts written by a model are fictional. */
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
  /** The heading of drafts and suggested replies. */
  suggested: string;
  allChats: string;
  /** Replace a picture; in `pictureNamed`, `{{text}}` is replaced by its alternative text. */
  picture: string;
  pictureNamed: string;
}

/** The parts of an HTML export besides the messages. */
export interface ChatPage {
  header: ChatHeader;
  /** The user's persona. */
  persona: { name: string; description: string } | null;
  notes: readonly ExportedNote[];
  asked: readonly KeptAsk[];
  /** When a chat in the trash is erased, in milliseconds since 1970. */
  keptUntil: number | null;
  /** The time of the download, in milliseconds since 1970. */
  now: number;
}

/** Renders a label with its value; empty when there is no value. */
function renderFact(label: string, html: string): string {
  return html === '' ? '' : `<dt>${escapeHtml(label)}</dt><dd dir="auto">${html}</dd>`;
}

/** Renders the part before the first message. */
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
    renderReplySettings(header.replySettings, words),
    notes.length === 0
      ? ''
      : `<details><summary>${escapeHtml(words.memory)}</summary><ul>${notes.map((note) => renderNote(note, words)).join('')}</ul></details>`,
    asked.length === 0
      ? ''
      : `<details><summary>${escapeHtml(words.suggested)}</summary><ul>${asked.map((ask) => renderSuggestion(ask, words)).join('')}</ul></details>`,
    '\n',
  ].join('');
}

/** Renders a text in a closed part of the page. */
const renderFolded = (label: string, text: string): string =>
  `<details><summary>${escapeHtml(label)}</summary><p class="plain" dir="auto">${escapeHtml(toDisplayText(text))}</p></details>`;

/** Renders the settings that differ from the default ones. */
function renderReplySettings(settings: ChatHeader['replySettings'], words: ChatPageLabels): string {
  const { author_note: note, author_note_depth: depth, reply_length: length, liveliness } = settings;
  const facts = [
    depth === undefined ? '' : renderFact(words.noteDepth, String(depth)),
    length === undefined
      ? ''
      : typeof length === 'number'
        ? renderFact(words.replyWords, String(length))
        : renderFact(words.replyLength, escapeHtml(words[`replyLength_${length}`])),
    liveliness === undefined
      ? ''
      : typeof liveliness === 'number'
        ? renderFact(words.temperature, String(liveliness))
        : renderFact(words.liveliness, escapeHtml(words[`liveliness_${liveliness}`])),
  ].join('');
  return [
    note === undefined ? '' : renderFolded(words.authorNote, note),
    facts === ''
      ? ''
      : `<details><summary>${escapeHtml(words.replySettings)}</summary><dl>${facts}</dl></details>`,
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

/** Renders a message: speaker, time and the selected version; other versions are collapsed. */
export function renderMessageHtml(message: MessageRecord, header: ChatHeader, words: ChatPageLabels): string {
  const present = message.role === 'user' ? header.userName : header.characterName;
  const fallback = message.role === 'user' ? words.person : words.character;
  const name = toDisplayText(message.name ?? present ?? '') || fallback;
  const chosen = message.versions[message.selected] as VersionRecord;
  const others = message.versions.filter((version) => version !== chosen);
  const version = (record: VersionRecord, at: number, extra: string[]) => {
    const generated = record.model !== null;
    const about = [
      formatTimeHtml(at),
      ...(generated ? [words.writtenByAi] : []).map(escapeHtml),
      ...(record.edited ? [words.edited] : []).map(escapeHtml),
      ...(record.status === 'complete' ? [] : [words.unfinished]).map(escapeHtml),
      ...extra.map(escapeHtml),
    ];
    const text = replaceMacros(record.content, {
      user: header.userName ?? words.person,
      char: header.characterName ?? words.character,
      at: message.createdAt,
    });
    const { regenerateNote } = record;
    const note = regenerateNote === undefined ? '' : renderFolded(words.regenerateNote, regenerateNote);
    return `<p class="note">${about.join(' · ')}</p><div data-ai-generated="${String(generated)}">${renderMarkupHtml(text, words)}</div>${note}`;
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
 * Renders a chat as a self-contained page, in pieces. All texts are escaped.
 * @param pages messages in order, one page at a time; an error in it ends the page unfinished
 * @param trashed deleted messages that can still be restored
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
