import {
  findActiveEntries,
  trimLoreToBudget,
  type ActiveLoreEntry,
  type ScannedMessage,
} from '../../character/lorebook/lore-activation.ts';
import type { CrisisKind } from '../../safety/decisions.ts';
import type { ModelMessage } from '../../../vendors/model.ts';
import type { ContextKind, ContextRecord, ContextSection, OmittedItem } from '../memory/memory-contract.ts';
import { type HistoryLine, PromptHistory } from './prompt-history.ts';
import {
  buildCharacterSection,
  buildLoreSection,
  DEFAULT_USER_NAME,
  buildOpeningSection,
  buildPersonSection,
  buildPinnedSection,
  buildPointOfViewSection,
  buildSafetySection,
  buildStyleSection,
  buildTaskSection,
  isCharacterTask,
  type MacroNames,
  type PromptCharacter,
  type PromptPersona,
  type PromptTask,
} from './prompt-sections.ts';
import { sumTokens, estimateTokens } from '../../model/estimate-tokens.ts';
import {
  countUserContextTokens,
  type PinLine,
  toOmittedPin,
  type PromptMemory,
  selectUserContext,
  type FittedUserContext,
} from './user-context.ts';
import type { Rating } from '../character/character-state.ts';
import type { PromptLore } from './conversation-lore.ts';
import { replaceMacros } from '../macro-names.ts';
import { escapeName, escapeMessage, escapeSection } from '../../model/prompt-escape.ts';

/**
 * Builds the messages for a model: character, user, rules, memory, and as much of the history as fits. Pure: the same
 * input gives the same prompt.
 */

/** A message of the history with its selected text. */
export interface PromptMessage {
  id: string;
  versionId: string;
  role: 'user' | 'character';
  /** Speaker's name at that time; null for the current name. */
  name: string | null;
  content: string;
}

export interface PromptInput {
  character: PromptCharacter;
  /** Null for a user without a name. */
  persona: PromptPersona | null;
  /** Entries are included when the conversation activates them; their macros are replaced. */
  lore?: PromptLore | null;
  /** The valid entries, oldest first. */
  memory: readonly PromptMemory[];
  /** Pinned messages before the text to write, oldest first. */
  pinned: readonly PromptMessage[];
  /** Newest first, starting with the message to answer; read lazily until no more fits. Empty texts are left out. */
  history: Iterable<PromptMessage>;
  task: PromptTask;
  rating: Rating;
  /** The crisis that the user's last messages show. */
  crisis?: CrisisKind | null;
  /** The model's id. */
  model: string;
  /** The model's context window for prompt and reply, in estimated tokens. */
  contextTokens: number;
}

export interface Prompt {
  messages: ModelMessage[];
  /** How many of the newest messages fit. */
  included: number;
  estimatedTokens: number;
  /** The maximum answer length, in tokens. */
  replyTokens: number;
  /** The prompt by section, for the user to inspect. */
  record: ContextRecord;
  /** The names in the prompt. */
  names: MacroNames;
}

/** Tokens reserved for the reply. */
export const MAX_REPLY_TOKENS = 1000;
/** For replies and assist texts: lively, but still in character. */
export const REPLY_TEMPERATURE = 0.9;
/** Tokens reserved for the answer; drafts and suggestions are a few short lines. */
const MAX_ANSWER_TOKENS: Record<PromptTask['kind'], number> = {
  reply: MAX_REPLY_TOKENS,
  continue: MAX_REPLY_TOKENS,
  draft: 300,
  suggestions: 200,
};
/** Maximum share of the context for the model's notes. */
export const MAX_MEMORY_SHARE = 1 / 5;
/** Maximum share of the free tokens for the model's notes, so that a small context keeps room for the history. */
const MAX_FREE_MEMORY_SHARE = 1 / 3;
/** Maximum shares of the context and of the free tokens for the lorebook; the rest is for the history. */
export const MAX_LORE_SHARE = 1 / 5;
const MAX_FREE_LORE_SHARE = 1 / 5;
/** Maximum share of the free tokens for pinned messages and the user's notes; the rest is for the history. */
const MAX_USER_CONTEXT_SHARE = 3 / 4;

/** Returns the speaker of a message: the user by their current name, others by their name at that time. */
export function getSpeaker(message: Pick<PromptMessage, 'role' | 'name'>, names: MacroNames): string {
  if (message.role === 'user') return names.user;
  return message.name === null ? names.char : escapeName(message.name);
}

/**
 * The user's turn before an opening: the templates of many models want the user first, and some providers reject a request
 * without a user message.
 */
const OPENING_CUE = '*The story begins.*';
const OPENING_CUE_TOKENS = estimateTokens(OPENING_CUE);

interface PlainSection {
  kind: Exclude<ContextKind, 'history' | 'lore'>;
  text: string;
  tokens: number;
}
type Section = PlainSection | Extract<ContextSection, { kind: 'lore' }>;

function createSection(kind: PlainSection['kind'], text: string): PlainSection {
  return { kind, text, tokens: estimateTokens(text) };
}

/** Converts the history for the prompt, newest first, without empty messages. */
function* toHistoryLines(history: Iterable<PromptMessage>, names: MacroNames): Generator<HistoryLine> {
  for (const { id, versionId, role, name, content } of history) {
    if (content.trim() === '') continue;
    const filled = escapeMessage(replaceMacros(content, names));
    const speaker = role === 'character' && name !== null ? escapeName(name) : names.char;
    // Another speaker than the character, from an imported group chat.
    const text = speaker === names.char ? filled : `${speaker}: ${filled}`;
    yield { id, versionId, role, text, tokens: estimateTokens(text) };
  }
}

/** The sections that every prompt of this task has, in order. */
function buildFixedSections(input: PromptInput, names: MacroNames): Section[] {
  const { character, persona, task, rating } = input;
  const fill = (text: string) => escapeSection(replaceMacros(text, names));
  return [
    createSection('character', buildCharacterSection(character, names, task, fill)),
    ...(isCharacterTask(task)
      ? [createSection('point_of_view', buildPointOfViewSection(character.pointOfView, names))]
      : []),
    createSection('person', buildPersonSection(names, fill(persona?.description ?? ''), task)),
    createSection('style', buildStyleSection(task)),
    createSection('safety', buildSafetySection(rating, input.crisis ?? null, names, task)),
  ];
}

/** The parts of a prompt that do not depend on how much of the history fits. */
function buildFrame(input: PromptInput) {
  const { task, contextTokens } = input;
  const { name, nickname } = input.character;
  const user = escapeName(input.persona?.name ?? '');
  const names: MacroNames = {
    user: user === '' ? DEFAULT_USER_NAME : user,
    char: escapeName(nickname ?? name),
  };
  const replyTokens = MAX_ANSWER_TOKENS[task.kind];
  const fixedSections = buildFixedSections(input, names);
  const asked = buildTaskSection(task, names);
  const begun = task.kind === 'continue' ? escapeMessage(replaceMacros(task.text, names)) : '';
  const askedTokens =
    (asked === null ? 0 : estimateTokens(asked)) + (begun === '' ? 0 : estimateTokens(begun));
  return {
    names,
    replyTokens,
    lasting: fixedSections,
    asked,
    begun,
    askedTokens,
    free: Math.max(
      0,
      contextTokens - replyTokens - sumTokens(fixedSections) - askedTokens - OPENING_CUE_TOKENS,
    ),
    openingText: escapeSection(replaceMacros(input.character.firstMessage, names)).trim(),
    memory: input.memory.map((entry) => ({
      ...entry,
      text: escapeSection(replaceMacros(entry.text, names)),
    })),
    pins: input.pinned
      .map((message) => ({
        ...message,
        content: escapeSection(replaceMacros(message.content, names)).trim(),
      }))
      .filter(({ content }) => content !== '')
      .map(({ id, content, role, name }): PinLine => {
        return { id, content, line: `${getSpeaker({ role, name }, names)}: ${content}` };
      }),
  };
}
type Frame = ReturnType<typeof buildFrame>;

/**
 * Whether all pinned messages and notes of the user fit into every prompt and leave room for the history. The pinned
 * messages in the history count too, because sooner or later they are outside it.
 */
export function canFitUserContext(input: Omit<PromptInput, 'history' | 'task'>): boolean {
  const { free, memory, pins, openingText } = buildFrame({ ...input, history: [], task: { kind: 'reply' } });
  const opening = openingText === '' ? 0 : estimateTokens(buildOpeningSection(openingText));
  const pinned = pins.filter(({ content }) => content !== openingText);
  return countUserContextTokens(memory, pinned) <= (free - opening) * MAX_USER_CONTEXT_SHARE;
}

/**
 * Builds the prompt of a turn or an assist request. When the opening no longer fits into the history, it moves to the
 * system prompt; so do pinned messages and memory notes. The user's pinned messages and notes have priority over the
 * history; those that do not fit at all are listed in the record.
 */
export function buildPrompt(input: PromptInput): Prompt {
  const { contextTokens } = input;
  const frame = buildFrame(input);
  const { replyTokens, lasting, asked, begun, askedTokens, names } = frame;
  const history = new PromptHistory(toHistoryLines(input.history, names));
  const lore = selectLore(input, history, frame);
  const room = { ...frame, free: Math.max(0, frame.free - sumTokens([...lore.before, ...lore.after])) };
  const fitted = fitHistory(room, history, contextTokens);
  const [character, ...others] = lasting;
  const sections = [
    ...lore.before,
    ...(character === undefined ? [] : [character]),
    ...lore.after,
    ...others,
    ...fitted.sections,
  ];
  const system = sections.map(({ text }) => text).join('\n\n');

  const spoken = fitted.taken.toReversed();
  const lines = [
    ...spoken,
    ...(begun === '' ? [] : [{ role: 'character' as const, text: begun }]),
    ...(asked === null ? [] : [{ role: 'user' as const, text: asked }]),
  ];
  const historySection: ContextSection = {
    kind: 'history',
    tokens: sumTokens(spoken),
    messages: spoken.map(({ id, versionId, tokens }) => ({ message_id: id, version_id: versionId, tokens })),
  };
  const estimatedTokens = sumTokens(sections) + historySection.tokens + askedTokens;
  return {
    messages: [
      { role: 'system', content: system },
      ...toModelMessages(lines[0]?.role === 'user' ? lines : [{ role: 'user', text: OPENING_CUE }, ...lines]),
    ],
    included: spoken.length,
    estimatedTokens,
    replyTokens,
    names,
    record: {
      model: input.model,
      context_tokens: contextTokens,
      reply_tokens: replyTokens,
      estimated_tokens: estimatedTokens,
      first_history_id: fitted.whole ? null : (spoken[0]?.id ?? null),
      sections: [
        ...sections,
        historySection,
        ...(asked === null ? [] : [{ kind: 'task' as const, text: asked, tokens: askedTokens }]),
      ],
      left_out: fitted.leftOut,
    },
  };
}

/** Selects the active lorebook entries, for the places before and after the character. */
function selectLore(
  { lore, task, contextTokens }: PromptInput,
  history: PromptHistory,
  { free, begun }: Frame,
): { before: Section[]; after: Section[] } {
  if (lore == null) return { before: [], after: [] };
  const share = Math.floor(Math.min(contextTokens * MAX_LORE_SHARE, free * MAX_FREE_LORE_SHARE));
  // Reserves two headings, in case both places have entries.
  const budget = Math.min(lore.tokenBudget ?? share, share) - 2 * estimateTokens(buildLoreSection([]));
  const story =
    task.kind === 'continue' ? withBegun({ id: task.replyId, text: begun }, history) : history.readLines();
  const active = trimLoreToBudget(findActiveEntries(lore.index, story), budget, estimateTokens);
  return { before: buildLoreSections(active.before), after: buildLoreSections(active.after) };
}

/** The text of a continued reply is the newest part of the conversation. */
function* withBegun(begun: ScannedMessage, history: PromptHistory): Generator<ScannedMessage> {
  if (begun.text !== '') yield begun;
  yield* history.readLines();
}

function buildLoreSections(entries: readonly ActiveLoreEntry[]): Section[] {
  if (entries.length === 0) return [];
  const text = buildLoreSection(entries.map((entry) => escapeSection(entry.text)));
  return [{ kind: 'lore', text, tokens: estimateTokens(text), entries: entries.map(({ name }) => name) }];
}

interface FittedPrompt {
  /** Newest first. */
  taken: HistoryLine[];
  whole: boolean;
  sections: Section[];
  leftOut: OmittedItem[];
}

/**
 * Fits the history and the sections for the opening and for pinned messages outside the history. Each section reduces the
 * room for the history, so further messages may drop out and need a section; repeat until nothing changes.
 */
function fitHistory(frame: Frame, history: PromptHistory, contextTokens: number): FittedPrompt {
  const { free, memory, pins, openingText } = frame;
  const notes = Math.min(
    Math.floor(contextTokens * MAX_MEMORY_SHARE),
    Math.floor(free * MAX_FREE_MEMORY_SHARE),
  );
  // The message to answer is always included.
  const answered = sumTokens(history.take(0).messages);
  const omittedPinIds = new Set<string>();
  let opening: Section[] = [];
  for (;;) {
    // The opening may be pinned too; include it only once.
    const outside = pins.filter(
      ({ id, content }) => omittedPinIds.has(id) && (opening.length === 0 || content !== openingText),
    );
    const all = free - answered - sumTokens(opening);
    const userContext = selectUserContext(memory, outside, { all, notes });
    const sections = [...opening, ...buildUserContextSections(userContext)];
    const { messages: taken, isComplete: whole } = history.take(free - sumTokens(sections));
    const there = new Set(taken.map(({ id }) => id));
    const more = pins.filter(({ id }) => !there.has(id) && !omittedPinIds.has(id));
    const addsOpening = opening.length === 0 && !whole && openingText !== '';
    if (more.length === 0 && !addsOpening) {
      const isTold = new Set([...there, ...userContext.pinned.map(({ id }) => id)]);
      // A pinned message that is in the history after all needs no second copy.
      const pinned = userContext.pinned.filter(({ id }) => !there.has(id));
      return {
        taken,
        whole,
        sections: [...opening, ...buildUserContextSections({ ...userContext, pinned })],
        leftOut: [
          ...userContext.omittedNotes,
          ...outside.filter(({ id }) => !isTold.has(id)).map(toOmittedPin),
        ],
      };
    }
    for (const { id } of more) omittedPinIds.add(id);
    if (addsOpening) opening = [createSection('opening', buildOpeningSection(openingText))];
  }
}

function buildUserContextSections({ memory, pinned }: FittedUserContext): Section[] {
  return [
    ...(memory === null ? [] : [createSection('memory', memory)]),
    ...(pinned.length === 0
      ? []
      : [createSection('pinned', buildPinnedSection(pinned.map(({ line }) => line)))]),
  ];
}

/** Joins neighbouring messages of the same role, because several providers reject two in a row. */
function toModelMessages(lines: readonly { role: PromptMessage['role']; text: string }[]): ModelMessage[] {
  const messages: ModelMessage[] = [];
  for (const { role, text } of lines) {
    const modelRole = role === 'user' ? 'user' : 'assistant';
    const last = messages.at(-1);
    if (last?.role === modelRole) last.content += `\n\n${text}`;
    else messages.push({ role: modelRole, content: text });
  }
  return messages;
}
