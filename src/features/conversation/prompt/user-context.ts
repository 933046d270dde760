import type { LeftOut } from '../memory/memory-contract.ts';
import { memorySection, pinnedSection } from './prompt-sections.ts';
import { costOf, estimateTokens } from '../../model/estimate-tokens.ts';

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
export interface ToldWishes {
  memory: string | null;
  /** The pins that are told, in their order. */
  pinned: PinLine[];
  /** The person's notes that are not told in full. */
  notesLeftOut: LeftOut[];
}

/** A paragraph of memory above this is told sentence by sentence. */
const LONG_LINE_CHARACTERS = 600;
const SENTENCE_END = /(?<=[.!?…]["”»’)]?\s)|(?<=[。！？।]["”」』）]?)/u;
/** Enough to know a text by. */
const EXCERPT_CHARACTERS = 160;

/** Long memories by their lines and sentences, so that one of them may be told in part. */
function piecesOf(memory: readonly PromptMemory[]): Piece[] {
  return memory.flatMap(({ id, text, author }) =>
    text
      .split('\n')
      .flatMap((line) => (line.length > LONG_LINE_CHARACTERS ? line.split(SENTENCE_END) : [line]))
      .map((piece) => piece.trim())
      .filter((piece) => piece !== '')
      .map((piece) => ({ id, text: piece, author, tokens: estimateTokens(piece) })),
  );
}

/**
 * The texts that stay within a budget of estimated tokens, the newest before the oldest.
 * @param texts oldest first
 */
function fitting<T extends { tokens: number }>(texts: readonly T[], budget: number): T[] {
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

const MEMORY_FRAME = estimateTokens(memorySection([]));
const PINNED_FRAME = estimateTokens(pinnedSection([]));
const withFrame = (parts: readonly { tokens: number }[], frame: number): number =>
  parts.length === 0 ? 0 : costOf(parts) + frame;
const priced = (pins: readonly PinLine[]) =>
  pins.map((pin) => ({ ...pin, tokens: estimateTokens(pin.line) }));

/**
 * Tells the person's own notes, then the pins, then as many of the model's notes as there is room for; of each the
 * newest first.
 * @param room in estimated tokens: for all of it, and of that for notes, which the model's own never pass
 */
export function tellWishes(
  memory: readonly PromptMemory[],
  pins: readonly PinLine[],
  room: { all: number; notes: number },
): ToldWishes {
  const pieces = piecesOf(memory);
  const own = pieces.filter(({ author }) => author === 'person');
  const ownTold = fitting(own, room.all - MEMORY_FRAME);
  const notesCost = withFrame(ownTold, MEMORY_FRAME);
  const pinned = fitting(priced(pins), room.all - notesCost - PINNED_FRAME);
  const left = room.all - notesCost - withFrame(pinned, PINNED_FRAME);
  const modelTold = fitting(
    pieces.filter(({ author }) => author === 'model'),
    Math.min(left, room.notes - notesCost) - (ownTold.length === 0 ? MEMORY_FRAME : 0),
  );
  const told = new Set([...ownTold, ...modelTold]);
  const texts = pieces.filter((piece) => told.has(piece)).map(({ text }) => text);
  return {
    memory: texts.length === 0 ? null : memorySection(texts),
    pinned,
    notesLeftOut: notesLeftOut(own, told),
  };
}

/** What the whole of somebody's notes and pins costs, should all of it have to be told. */
export function costOfWishes(memory: readonly PromptMemory[], pins: readonly PinLine[]): number {
  const own = piecesOf(memory.filter(({ author }) => author === 'person'));
  return withFrame(own, MEMORY_FRAME) + withFrame(priced(pins), PINNED_FRAME);
}

/** By note, with whether the rest of it is told. */
function notesLeftOut(own: readonly Piece[], told: ReadonlySet<Piece>): LeftOut[] {
  return [...Map.groupBy(own, ({ id }) => id)].flatMap(([id, pieces]) => {
    const missing = pieces.filter((piece) => !told.has(piece));
    if (missing.length === 0) return [];
    return {
      kind: 'note' as const,
      id,
      excerpt: excerptOf(missing.map(({ text }) => text).join(' ')),
      tokens: costOf(missing),
      in_part: missing.length < pieces.length,
    };
  });
}

/** A pinned message that is not told, and not read word for word either. */
export function pinLeftOut({ id, content, line }: PinLine): LeftOut {
  return { kind: 'pin', id, excerpt: excerptOf(content), tokens: estimateTokens(line), in_part: false };
}

function excerptOf(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line.length <= EXCERPT_CHARACTERS) return line;
  return `${line.slice(0, EXCERPT_CHARACTERS).toWellFormed().trimEnd()}…`;
}
