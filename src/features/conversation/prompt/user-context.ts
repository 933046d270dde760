import type { OmittedItem } from '../memory/memory-contract.ts';
import { buildMemorySection, buildPinnedSection } from './prompt-sections.ts';
import { splitSentences } from './sentences.ts';
import { sumTokens, type TokenCounter } from '../../model/estimate-tokens.ts';

/**
 * Selects notes and pinned messages for the prompt. The user's own notes and pinned messages have priority over the
 * history and over the model's notes; those that do not fit are listed. Pure.
 */

/** A memory entry. */
export interface PromptMemory {
  id: string;
  text: string;
  author: 'model' | 'person';
  /** The oldest message that it was derived from; null for none. */
  firstSourceId: string | null;
}

/** A pinned message in the prompt. */
export interface PinLine {
  /** The message's id. */
  id: string;
  /** The text without the speaker. */
  content: string;
  /** The text with the speaker. */
  line: string;
}

/** A part of a note, with its estimated tokens. */
interface Piece {
  id: string;
  text: string;
  author: PromptMemory['author'];
  tokens: number;
}

/** The selected notes and pinned messages. */
export interface FittedUserContext {
  memory: string | null;
  /** The pinned messages that fit, in their order. */
  pinned: PinLine[];
  /** The user's notes that do not fit completely. */
  omittedNotes: OmittedItem[];
}

/** A longer paragraph of memory is split into sentences. */
const MAX_LINE_CHARS = 600;
/** Long enough to recognise a text. */
const MAX_EXCERPT_CHARS = 160;

/** Splits notes into lines and long lines into sentences, so that a note can be included in part. */
function splitPieces(memory: readonly PromptMemory[], count: TokenCounter): Piece[] {
  return memory.flatMap(({ id, text, author }) =>
    text
      .split('\n')
      .flatMap((line) => (line.length > MAX_LINE_CHARS ? splitSentences(line) : [line]))
      .map((piece) => piece.trim())
      .filter((piece) => piece !== '')
      .map((piece) => ({ id, text: piece, author, tokens: count(piece) })),
  );
}

/**
 * Returns the texts that fit into a budget of estimated tokens, newest first in priority.
 * @param texts oldest first
 * @returns oldest first
 */
function selectNewestWithin<T extends { tokens: number }>(texts: readonly T[], budget: number): T[] {
  let left = budget;
  return texts
    .toReversed()
    .filter(({ tokens }) => {
      if (tokens > left) return false;
      left -= tokens;
      return true;
    })
    .toReversed();
}

const MEMORY_FRAME = buildMemorySection([]);
const PINNED_FRAME = buildPinnedSection([]);
const withFrame = (parts: readonly { tokens: number }[], frame: number): number =>
  parts.length === 0 ? 0 : sumTokens(parts) + frame;
const withTokens = (pins: readonly PinLine[], count: TokenCounter) =>
  pins.map((pin) => ({ ...pin, tokens: count(pin.line) }));

/**
 * Selects the user's notes, then pinned messages, then as many of the model's notes as fit; the newest of each first.
 * @param room in estimated tokens: `all` for everything, `notes` for notes; only the model's notes are limited by `notes`
 */
export function selectUserContext(
  memory: readonly PromptMemory[],
  pins: readonly PinLine[],
  room: { all: number; notes: number },
  count: TokenCounter,
): FittedUserContext {
  const [memoryFrame, pinnedFrame] = [count(MEMORY_FRAME), count(PINNED_FRAME)];
  const pieces = splitPieces(memory, count);
  const own = pieces.filter(({ author }) => author === 'person');
  const ownIncluded = selectNewestWithin(own, room.all - memoryFrame);
  const notesCost = withFrame(ownIncluded, memoryFrame);
  const pinned = selectNewestWithin(withTokens(pins, count), room.all - notesCost - pinnedFrame);
  const left = room.all - notesCost - withFrame(pinned, pinnedFrame);
  const modelIncluded = selectNewestWithin(
    pieces.filter(({ author }) => author === 'model'),
    Math.min(left, room.notes - notesCost) - (ownIncluded.length === 0 ? memoryFrame : 0),
  );
  const included = new Set([...ownIncluded, ...modelIncluded]);
  const texts = pieces.filter((piece) => included.has(piece)).map(({ text }) => text);
  return {
    memory: texts.length === 0 ? null : buildMemorySection(texts),
    pinned,
    omittedNotes: notesLeftOut(own, included),
  };
}

/** Returns the tokens of all the user's notes and pinned messages together. */
export function countUserContextTokens(
  memory: readonly PromptMemory[],
  pins: readonly PinLine[],
  count: TokenCounter,
): number {
  const own = splitPieces(
    memory.filter(({ author }) => author === 'person'),
    count,
  );
  return withFrame(own, count(MEMORY_FRAME)) + withFrame(withTokens(pins, count), count(PINNED_FRAME));
}

/** Groups the omitted parts by note; `in_part` means that the rest of the note is included. */
function notesLeftOut(own: readonly Piece[], included: ReadonlySet<Piece>): OmittedItem[] {
  return [...Map.groupBy(own, ({ id }) => id)].flatMap(([id, pieces]) => {
    const missing = pieces.filter((piece) => !included.has(piece));
    if (missing.length === 0) return [];
    return {
      kind: 'note' as const,
      id,
      excerpt: toExcerpt(missing.map(({ text }) => text).join(' ')),
      tokens: sumTokens(missing),
      in_part: missing.length < pieces.length,
    };
  });
}

/** Describes a pinned message that is neither included nor part of the history. */
export function toOmittedPin({ id, content, line }: PinLine, count: TokenCounter): OmittedItem {
  return { kind: 'pin', id, excerpt: toExcerpt(content), tokens: count(line), in_part: false };
}

function toExcerpt(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line.length <= MAX_EXCERPT_CHARS) return line;
  return `${line.slice(0, MAX_EXCERPT_CHARS).toWellFormed().trimEnd()}…`;
}
