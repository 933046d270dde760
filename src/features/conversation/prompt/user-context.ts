import type { OmittedItem } from '../memory/memory-contract.ts';
import { buildMemorySection, buildPinnedSection } from './prompt-sections.ts';
import { sumTokens, estimateTokens } from '../../model/estimate-tokens.ts';

/**
 * What is told to a model beside the history: notes and pinned messages. What the person wrote or pinned is their wish,
 * so it comes before the history and before the model's own notes, and what of it does not fit is named. Pure.
 */

/** Something that is remembered of what the model no longer reads. */
export interface PromptMemory {
  id: string;
  text: string;
  author: 'model' | 'person';
}

/** A pinned message as it is told. */
export interface PinLine {
  /** The message's. */
  id: string;
  /** What was said, without who said it. */
  content: string;
  /** Both. */
  line: string;
}

/** A text as it is told, with its cost. */
interface Piece {
  id: string;
  text: string;
  author: PromptMemory['author'];
  tokens: number;
}

/** What is told of notes and pins, as the texts of their sections; null for none. */
export interface FittedUserContext {
  memory: string | null;
  /** The pins that are told, in their order. */
  pinned: PinLine[];
  /** The person's notes that are not told in full. */
  omittedNotes: OmittedItem[];
}

/** A paragraph of memory above this is told sentence by sentence. */
const MAX_LINE_CHARS = 600;
const SENTENCE_END = /(?<=[.!?…]["”»’)]?\s)|(?<=[。！？।]["”」』）]?)/u;
/** Enough to know a text by. */
const MAX_EXCERPT_CHARS = 160;

/** Long memories by their lines and sentences, so that one of them may be told in part. */
function splitPieces(memory: readonly PromptMemory[]): Piece[] {
  return memory.flatMap(({ id, text, author }) =>
    text
      .split('\n')
      .flatMap((line) => (line.length > MAX_LINE_CHARS ? line.split(SENTENCE_END) : [line]))
      .map((piece) => piece.trim())
      .filter((piece) => piece !== '')
      .map((piece) => ({ id, text: piece, author, tokens: estimateTokens(piece) })),
  );
}

/**
 * The texts that stay within a budget of estimated tokens, the newest before the oldest.
 * @param texts oldest first
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

const MEMORY_FRAME_TOKENS = estimateTokens(buildMemorySection([]));
const PINNED_FRAME_TOKENS = estimateTokens(buildPinnedSection([]));
const withFrame = (parts: readonly { tokens: number }[], frame: number): number =>
  parts.length === 0 ? 0 : sumTokens(parts) + frame;
const withTokens = (pins: readonly PinLine[]) =>
  pins.map((pin) => ({ ...pin, tokens: estimateTokens(pin.line) }));

/**
 * Tells the person's own notes, then the pins, then as many of the model's notes as there is room for; of each the
 * newest first.
 * @param room in estimated tokens: for all of it, and of that for notes, which the model's own never pass
 */
export function selectUserContext(
  memory: readonly PromptMemory[],
  pins: readonly PinLine[],
  room: { all: number; notes: number },
): FittedUserContext {
  const pieces = splitPieces(memory);
  const own = pieces.filter(({ author }) => author === 'person');
  const ownIncluded = selectNewestWithin(own, room.all - MEMORY_FRAME_TOKENS);
  const notesCost = withFrame(ownIncluded, MEMORY_FRAME_TOKENS);
  const pinned = selectNewestWithin(withTokens(pins), room.all - notesCost - PINNED_FRAME_TOKENS);
  const left = room.all - notesCost - withFrame(pinned, PINNED_FRAME_TOKENS);
  const modelIncluded = selectNewestWithin(
    pieces.filter(({ author }) => author === 'model'),
    Math.min(left, room.notes - notesCost) - (ownIncluded.length === 0 ? MEMORY_FRAME_TOKENS : 0),
  );
  const included = new Set([...ownIncluded, ...modelIncluded]);
  const texts = pieces.filter((piece) => included.has(piece)).map(({ text }) => text);
  return {
    memory: texts.length === 0 ? null : buildMemorySection(texts),
    pinned,
    omittedNotes: notesLeftOut(own, included),
  };
}

/** What the whole of somebody's notes and pins costs, should all of it have to be told. */
export function countUserContextTokens(memory: readonly PromptMemory[], pins: readonly PinLine[]): number {
  const own = splitPieces(memory.filter(({ author }) => author === 'person'));
  return withFrame(own, MEMORY_FRAME_TOKENS) + withFrame(withTokens(pins), PINNED_FRAME_TOKENS);
}

/** By note, with whether the rest of it is told. */
function notesLeftOut(own: readonly Piece[], told: ReadonlySet<Piece>): OmittedItem[] {
  return [...Map.groupBy(own, ({ id }) => id)].flatMap(([id, pieces]) => {
    const missing = pieces.filter((piece) => !told.has(piece));
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

/** A pinned message that is not told, and not read word for word either. */
export function toOmittedPin({ id, content, line }: PinLine): OmittedItem {
  return { kind: 'pin', id, excerpt: toExcerpt(content), tokens: estimateTokens(line), in_part: false };
}

function toExcerpt(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line.length <= MAX_EXCERPT_CHARS) return line;
  return `${line.slice(0, MAX_EXCERPT_CHARS).toWellFormed().trimEnd()}…`;
}
