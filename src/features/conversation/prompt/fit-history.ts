import type { OmittedItem } from '../memory/memory-contract.ts';
import { sumTokens, type TokenCounter } from '../../model/estimate-tokens.ts';
import type { PlacedLore } from './prompt-lore.ts';
import type { HistoryLine, PromptHistory, TakenHistory } from './prompt-history.ts';
import {
  buildOpeningSection,
  buildPinnedSection,
  createSection,
  type PromptSection,
} from './prompt-sections.ts';
import {
  type FittedUserContext,
  type PinLine,
  type PromptMemory,
  selectUserContext,
  toOmittedPin,
} from './user-context.ts';

/**
 * Selects the part of the history that a prompt contains, and the sections for what is outside it. Pure.
 */

/** Maximum share of the context for the model's notes. */
export const MAX_MEMORY_SHARE = 1 / 5;
/** Maximum share of the free tokens for the model's notes, so that a small context keeps room for the history. */
const MAX_FREE_MEMORY_SHARE = 1 / 3;
/** The share of its room that the history keeps when it is cut. A cut changes where prompts begin, so cuts are rare. */
const KEPT_SHARE = 0.65;
/** A history that uses less of its room than this starts earlier again, because a larger model was chosen, for instance. */
const NEARLY_EMPTY_SHARE = 0.4;

/** What is fitted into a prompt, and the tokens that are free for it. */
export interface Fittable {
  free: number;
  memory: readonly PromptMemory[];
  pins: readonly PinLine[];
  openingText: string;
  count: TokenCounter;
  /** Whether the history uses all of its room even if it is cut. */
  fillsRoom: boolean;
  /** Places entries of the lorebook in a part of the history. @param messages newest first */
  placeLore: (messages: readonly HistoryLine[]) => PlacedLore;
}

interface FittedPrompt {
  /** Newest first. */
  taken: HistoryLine[];
  whole: boolean;
  lore: PlacedLore;
  /** The tokens of messages and lorebook, and how many there is room for. */
  used: number;
  room: number;
  sections: PromptSection[];
  leftOut: OmittedItem[];
}

/** A part of the history with the entries of the lorebook in it. */
type TakenPart = TakenHistory & { lore: PlacedLore };

/**
 * Fits the history and the sections for what is outside it. The history starts where it started in the previous prompt
 * until it has no room left, and is then cut to a part of its room, so that most prompts begin with the previous one.
 * @returns also the first message after the next cut, when that is near
 */
export function fitHistory(
  frame: Fittable,
  history: PromptHistory,
  contextTokens: number,
  startId: string | null,
): FittedPrompt & { nextStartId: string | null } {
  const withLore = (taken: TakenHistory | null): TakenPart | null =>
    taken === null ? null : { ...taken, lore: frame.placeLore(taken.messages) };
  const same = fitSections(frame, history, contextTokens, (budget) => {
    const part = withLore(history.takeFrom(startId, budget));
    return part === null || part.tokens + part.lore.tokens > budget ? null : part;
  });
  const isKept = same !== null && (same.whole || same.used >= same.room * NEARLY_EMPTY_SHARE);
  // The next prompt has two messages more; these three are about as long.
  const next = sumTokens(same?.taken.slice(0, 3) ?? []);
  if (isKept && same.used + next <= same.room) return { ...same, nextStartId: null };
  const cut = (reserved: number) =>
    fitSections(frame, history, contextTokens, (budget) => {
      const kept = budget * (frame.fillsRoom ? 1 : KEPT_SHARE) - reserved;
      const part = withLore(history.take(kept)) as TakenPart;
      // A shorter history activates no more than a longer one does, but for rare entries with excluded keys.
      return part.tokens + part.lore.tokens > kept ? withLore(history.take(kept - part.lore.tokens)) : part;
    });
  if (isKept) return { ...same, nextStartId: cut(next)?.taken.at(-1)?.id ?? null };
  return { ...(cut(0) as FittedPrompt), nextStartId: null };
}

/**
 * Fits the sections for the opening, for notes and for pinned messages outside the history. Each section reduces the room
 * for the history, so further messages may drop out and need a section; repeat until nothing changes.
 * @param take returns the history within a budget; null when it does not fit
 */
function fitSections(
  { free, memory, pins, openingText, count }: Fittable,
  history: PromptHistory,
  contextTokens: number,
  take: (budget: number) => TakenPart | null,
): FittedPrompt | null {
  const notes = Math.min(
    Math.floor(contextTokens * MAX_MEMORY_SHARE),
    Math.floor(free * MAX_FREE_MEMORY_SHARE),
  );
  // The message to answer is always included.
  const answered = history.take(0).tokens;
  /** The pinned messages and notes that are needed, because the history does not contain what they say. */
  const neededIds = new Set(memory.filter(isNeededAlways).map(({ id }) => id));
  let opening: PromptSection[] = [];
  for (;;) {
    // The opening may be pinned too; include it only once.
    const outside = pins.filter(
      ({ id, content }) => neededIds.has(id) && (opening.length === 0 || content !== openingText),
    );
    const all = free - answered - sumTokens(opening);
    const neededMemory = memory.filter(({ id }) => neededIds.has(id));
    const userContext = selectUserContext(neededMemory, outside, { all, notes }, count);
    const sections = [...opening, ...buildUserContextSections(userContext, count)];
    const room = free - sumTokens(sections);
    const taken = take(room);
    if (taken === null) return null;
    const there = new Set(taken.messages.map(({ id }) => id));
    const more = [
      ...pins.filter(({ id }) => !there.has(id) && !neededIds.has(id)),
      ...memory.filter(({ id, firstSourceId }) => !neededIds.has(id) && !there.has(firstSourceId ?? '')),
    ];
    const addsOpening = opening.length === 0 && !taken.isComplete && openingText !== '';
    if (more.length === 0 && !addsOpening) {
      const knownIds = new Set([...there, ...userContext.pinned.map(({ id }) => id)]);
      // A pinned message that is in the history after all needs no second copy.
      const pinned = userContext.pinned.filter(({ id }) => !there.has(id));
      return {
        taken: taken.messages,
        whole: taken.isComplete,
        lore: taken.lore,
        used: taken.tokens + taken.lore.tokens,
        room,
        sections: [...opening, ...buildUserContextSections({ ...userContext, pinned }, count)],
        leftOut: [
          ...userContext.omittedNotes,
          ...outside.filter(({ id }) => !knownIds.has(id)).map((pin) => toOmittedPin(pin, count)),
        ],
      };
    }
    for (const { id } of more) neededIds.add(id);
    if (addsOpening) opening = [createSection('opening', buildOpeningSection(openingText), count)];
  }
}

/** Whether a note is included even while the history contains its messages: the user wrote it, or it has no messages. */
const isNeededAlways = ({ author, firstSourceId }: PromptMemory): boolean =>
  author === 'person' || firstSourceId === null;

function buildUserContextSections(
  { memory, pinned }: FittedUserContext,
  count: TokenCounter,
): PromptSection[] {
  return [
    ...(memory === null ? [] : [createSection('memory', memory, count)]),
    ...(pinned.length === 0
      ? []
      : [createSection('pinned', buildPinnedSection(pinned.map(({ line }) => line)), count)]),
  ];
}
