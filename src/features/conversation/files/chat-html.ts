import { escapeHtml } from '../../../lib/html.ts';
import {
  renderPageEnd,
  renderPageHead,
  type PageWords,
  toShownText,
  formatTimeHtml,
} from '../../../lib/saved-page.ts';
import type { ChatHeader, MessageRecord, TrashedRecord, VersionRecord } from './chat-record.ts';
import type { KeptNote } from '../memory/memory-store.ts';
import { storyHtml } from '../../markup/markup-html.ts';
import { fillNames } from '../conversation-names.ts';
import type { KeptAsk } from '../turn/turn-store.ts';

/** The words of a chat told as a page, in its reader's language. */
export interface ChatPageWords extends PageWords {
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
  notes: readonly KeptNote[];
  asked: readonly KeptAsk[];
  /** When a chat in the trash goes for good, in milliseconds since 1970. */
  keptUntil: number | null;
  /** The moment of the download, in milliseconds since 1970. */
  now: number;
}

/** What is told of something in two words; nothing when there is nothing to tell. */
function fact(label: string, html: string): string {
  return html === '' ? '' : `<dt>${escapeHtml(label)}</dt><dd dir="auto">${html}</dd>`;
}

/** What stands before the first message. */
function chatHead({ header, persona, notes, asked, keptUntil, now }: ChatPage, words: ChatPageWords): string {
  const title = toShownText(header.title ?? '') || words.untitled;
  const facts = [
    fact(words.character, escapeHtml(toShownText(header.characterName ?? ''))),
    fact(words.person, escapeHtml(toShownText(header.userName ?? ''))),
    fact(words.begun, header.createdAt === null ? '' : formatTimeHtml(header.createdAt)),
    fact(words.saved, formatTimeHtml(now)),
    ...(keptUntil === null ? [] : [fact(words.inTrash, formatTimeHtml(keptUntil))]),
  ];
  return [
    renderPageHead(words, title),
    `<p><a href="../index.html">${escapeHtml(words.allChats)}</a></p>`,
    `<h1 dir="auto">${escapeHtml(title)}</h1><dl>${facts.join('')}</dl>`,
    `<p class="note">${escapeHtml(words.aiNote)}</p>`,
    persona === null
      ? ''
      : `<details><summary>${escapeHtml(words.persona)}</summary><p dir="auto"><b>${escapeHtml(toShownText(persona.name))}</b></p>` +
        `<p class="plain" dir="auto">${escapeHtml(toShownText(persona.description))}</p></details>`,
    notes.length === 0
      ? ''
      : `<details><summary>${escapeHtml(words.memory)}</summary><ul>${notes.map((note) => noteHtml(note, words)).join('')}</ul></details>`,
    asked.length === 0
      ? ''
      : `<details><summary>${escapeHtml(words.suggested)}</summary><ul>${asked.map((ask) => askHtml(ask, words)).join('')}</ul></details>`,
    '\n',
  ].join('');
}

function noteHtml(note: KeptNote, words: ChatPageWords): string {
  const about = [
    note.author === 'model' ? words.notedByModel : words.notedByPerson,
    ...(note.stale ? [words.setAside] : []),
  ];
  const by = note.author === 'model' ? ' data-ai-generated="true"' : '';
  return `<li${by}><p class="plain" dir="auto">${escapeHtml(toShownText(note.text))}</p><p class="note">${about.map(escapeHtml).join(' · ')}</p></li>`;
}

function askHtml({ texts, made_at }: KeptAsk, words: ChatPageWords): string {
  const lines = texts.map((text) => `<p class="plain" dir="auto">${escapeHtml(toShownText(text))}</p>`);
  return `<li data-ai-generated="true">${lines.join('')}<p class="note">${formatTimeHtml(Date.parse(made_at))} · ${escapeHtml(words.writtenByAi)}</p></li>`;
}

/** One message: who and when, the version that was chosen, and the others behind a fold. */
export function messageHtml(message: MessageRecord, header: ChatHeader, words: ChatPageWords): string {
  const present = message.role === 'user' ? header.userName : header.characterName;
  const fallback = message.role === 'user' ? words.person : words.character;
  const name = toShownText(message.name ?? present ?? '') || fallback;
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
    const text = fillNames(told.content, {
      user: header.userName ?? words.person,
      char: header.characterName ?? words.character,
    });
    return `<p class="note">${about.join(' · ')}</p><div data-ai-generated="${String(generated)}">${storyHtml(text, words)}</div>`;
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
export async function* chatHtml(
  page: ChatPage,
  pages: AsyncIterable<readonly MessageRecord[]>,
  trashed: AsyncIterable<readonly TrashedRecord[]>,
  words: ChatPageWords,
): AsyncGenerator<string> {
  yield chatHead(page, words);
  for await (const messages of pages) {
    for (const message of messages) yield messageHtml(message, page.header, words);
  }
  let any = false;
  for await (const messages of trashed) {
    for (const message of messages) {
      if (!any) yield `<section class="trash"><h2>${escapeHtml(words.deletedMessages)}</h2>\n`;
      any = true;
      const times =
        fact(words.deletedAt, formatTimeHtml(message.deletedAt)) +
        fact(words.keptUntil, formatTimeHtml(message.expiresAt));
      yield `<dl>${times}</dl>${messageHtml(message, page.header, words)}`;
    }
  }
  yield `${any ? '</section>' : ''}${renderPageEnd()}`;
}
