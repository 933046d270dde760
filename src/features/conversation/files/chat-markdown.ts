import type { ChatHeader, MessageRecord, VersionRecord } from './chat-record.ts';
import { formatMarkdownQuote } from '../../markup/markdown-quote.ts';
import { replaceMacros } from '../macro-names.ts';

/** The texts of a Markdown export, in the reader's language. */
export interface MarkdownLabels {
  /** The heading of a chat without a title. */
  untitled: string;
  person: string;
  character: string;
  begun: string;
  exported: string;
  writtenByAi: string;
  edited: string;
  /** Marks a reply that was interrupted or failed. */
  unfinished: string;
}

/** `2026-03-10 12:00 UTC`: independent of language and time zone. */
function formatTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** Escapes a name or title for one line of Markdown. */
function escapeInline(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/[\\`*_[\]<>#|~&!]/g, String.raw`\$&`);
}

/** Renders the part before the first message. @param now the time of the export, in milliseconds since 1970 */
export function renderMarkdownHead(header: ChatHeader, words: MarkdownLabels, now: number): string {
  const facts: [string, string][] = [
    [words.character, escapeInline(header.characterName ?? '')],
    [words.person, escapeInline(header.userName ?? '')],
    [words.begun, header.createdAt === null ? '' : formatTime(header.createdAt)],
    [words.exported, formatTime(now)],
  ];
  const lines = facts.filter(([, value]) => value !== '').map(([label, value]) => `- ${label}: ${value}`);
  return `# ${escapeInline(header.title ?? '') || words.untitled}\n\n${lines.join('\n')}\n`;
}

/**
 * Renders the selected version of a message: speaker as heading, time, text as a quotation. AI-written text is marked
 * visibly and, for programs, by a comment.
 */
export function renderMarkdownMessage(
  message: MessageRecord,
  header: ChatHeader,
  words: MarkdownLabels,
): string {
  const version = message.versions[message.selected] as VersionRecord;
  const present = message.role === 'user' ? header.userName : header.characterName;
  const fallback = message.role === 'user' ? words.person : words.character;
  const name = escapeInline(message.name ?? present ?? '') || fallback;
  const generated = version.model !== null;
  const notes = [
    formatTime(message.createdAt),
    ...(generated ? [words.writtenByAi] : []),
    ...(version.edited ? [words.edited] : []),
    ...(version.status === 'complete' ? [] : [words.unfinished]),
  ];
  const mark = `<!-- ai_generated: ${String(generated)} -->`;
  const content = replaceMacros(version.content, {
    user: header.userName ?? words.person,
    char: header.characterName ?? words.character,
    at: message.createdAt,
  });
  const text = content.trim() === '' ? '' : `\n${formatMarkdownQuote(content)}\n`;
  return `\n## ${name}\n\n*${notes.join(' · ')}* ${mark}\n${text}`;
}

/**
 * Renders a chat as a Markdown document, in pieces.
 * @param pages messages in order, one page at a time; an error in it ends the document unfinished
 */
export async function* renderChatMarkdown(
  header: ChatHeader,
  pages: AsyncIterable<readonly MessageRecord[]>,
  words: MarkdownLabels,
  now: number,
): AsyncGenerator<string> {
  yield renderMarkdownHead(header, words, now);
  for await (const page of pages) {
    if (page.length > 0) yield page.map((message) => renderMarkdownMessage(message, header, words)).join('');
  }
}
