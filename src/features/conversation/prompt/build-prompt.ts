import {
  findActiveEntries,
  trimLoreToBudget,
  type ActiveLoreEntry,
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
import type { Rating } from '../character/content-rating.ts';
import type { PromptLore } from './conversation-lore.ts';
import { replaceMacros } from '../macro-names.ts';
import { escapeName, escapeMessage, escapeSection } from '../../model/prompt-escape.ts';

/**
 * Builds what a model is sent: who it plays, with whom, how, within which bounds, what is remembered, and as much of
 * the history as fits. Pure: the same input gives the same prompt.
 */

/** One message of the history, by its selected text. */
export interface PromptMessage {
  id: string;
  versionId: string;
  role: 'user' | 'character';
  /** Who said it, as they were called then; null for the name of today. */
  name: string | null;
  content: string;
}

export interface PromptInput {
  character: PromptCharacter;
  /** Null for somebody without a name. */
  persona: PromptPersona | null;
  /** Of its world, told as the story comes to it; its names are filled in. */
  lore?: PromptLore | null;
  /** What is remembered and holds, oldest first. */
  memory: readonly PromptMemory[];
  /** Pinned messages that stand before what is to be written, oldest first. */
  pinned: readonly PromptMessage[];
  /**
   * Newest first, the message to answer at its head; read only as far as it fits. Texts that are empty are left out.
   */
  history: Iterable<PromptMessage>;
  task: PromptTask;
  /** What the person may be told. */
  rating: Rating;
  /** What the person's last messages show of them. */
  crisis?: CrisisKind | null;
  /** The id of the model that is asked. */
  model: string;
  /** What the model reads and writes together, in estimated tokens. */
  contextTokens: number;
}

export interface Prompt {
  messages: ModelMessage[];
  /** How many of the newest messages of the history the model sees. */
  included: number;
  estimatedTokens: number;
  /** The longest answer to ask for, in tokens. */
  replyTokens: number;
  /** What the model is shown, for whoever wants to look. */
  record: ContextRecord;
}

/** Room kept for the reply itself. */
export const MAX_REPLY_TOKENS = 1000;
/** Of replies, and of what else is written in a story: lively, and still in character. */
export const REPLY_TEMPERATURE = 0.9;
/** Room for what is not a reply: a few sentences, three short lines. */
const MAX_ANSWER_TOKENS: Record<PromptTask['kind'], number> = {
  reply: MAX_REPLY_TOKENS,
  continue: MAX_REPLY_TOKENS,
  draft: 300,
  suggestions: 200,
};
/** The most that the model's own notes may take of the whole context. */
export const MAX_MEMORY_SHARE = 1 / 5;
/** In a small context they may not take more than this of what is free: the talk itself comes first. */
const MAX_FREE_MEMORY_SHARE = 1 / 3;
/** The most that a lorebook may tell of the whole context, and of what is free: the talk itself comes first. */
export const MAX_LORE_SHARE = 1 / 5;
const MAX_FREE_LORE_SHARE = 1 / 5;
/** Of what is free, pins and the person's notes may fill so much; the rest is for what is being talked about. */
const MAX_USER_CONTEXT_SHARE = 3 / 4;

/** Who speaks in a message: the person by the name of today, others by the name they had. */
export function getSpeaker(message: Pick<PromptMessage, 'role' | 'name'>, names: MacroNames): string {
  if (message.role === 'user') return names.user;
  return message.name === null ? names.char : escapeName(message.name);
}

/** Stands in for what a person would say when the story's first message itself is written anew. */
const OPENING_CUE = '*The story begins.*';

interface PlainSection {
  kind: Exclude<ContextKind, 'history' | 'lore'>;
  text: string;
  tokens: number;
}
type Section = PlainSection | Extract<ContextSection, { kind: 'lore' }>;

function createSection(kind: PlainSection['kind'], text: string): PlainSection {
  return { kind, text, tokens: estimateTokens(text) };
}

/** The messages as they are sent, newest first; those without a word are left out. */
function* toHistoryLines(history: Iterable<PromptMessage>, names: MacroNames): Generator<HistoryLine> {
  for (const { id, versionId, role, name, content } of history) {
    if (content.trim() === '') continue;
    const filled = escapeMessage(replaceMacros(content, names));
    const speaker = role === 'character' && name !== null ? escapeName(name) : names.char;
    // Somebody else than the character spoke, as in a chat of several that was brought along.
    const text = speaker === names.char ? filled : `${speaker}: ${filled}`;
    yield { id, versionId, role, text, tokens: estimateTokens(text) };
  }
}

/** What stands in every prompt of this task, in its order. */
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

/** What does not depend on how much of the story is told. */
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
    free: Math.max(0, contextTokens - replyTokens - sumTokens(fixedSections) - askedTokens),
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
 * Whether all that the person pinned and wrote into memory can be told in every turn, and still leaves room for what is
 * being talked about. The history is not looked at: sooner or later everything pinned is outside it.
 */
export function canFitUserContext(input: Omit<PromptInput, 'history' | 'task'>): boolean {
  const { free, memory, pins, openingText } = buildFrame({ ...input, history: [], task: { kind: 'reply' } });
  const opening = openingText === '' ? 0 : estimateTokens(buildOpeningSection(openingText));
  const told = pins.filter(({ content }) => content !== openingText);
  return countUserContextTokens(memory, told) <= (free - opening) * MAX_USER_CONTEXT_SHARE;
}

/**
 * The prompt of a turn, or of something else that the model is to write. A first message that no longer fits as a
 * message is told in the system prompt instead, and so are pinned messages and what is remembered of the rest. What the
 * person pinned or noted comes before the history; what of it fits in no way is named in the record.
 */
export function buildPrompt(input: PromptInput): Prompt {
  const { contextTokens } = input;
  const frame = buildFrame(input);
  const { replyTokens, lasting, asked, begun, askedTokens, names } = frame;
  const history = new PromptHistory(toHistoryLines(input.history, names));
  const lore = selectLore(input.lore, history, frame, contextTokens);
  const room = { ...frame, free: Math.max(0, frame.free - sumTokens([...lore.before, ...lore.after])) };
  const told = fitHistory(room, history, contextTokens);
  const [character, ...others] = lasting;
  const sections = [
    ...lore.before,
    ...(character === undefined ? [] : [character]),
    ...lore.after,
    ...others,
    ...told.sections,
  ];
  const system = sections.map(({ text }) => text).join('\n\n');

  const spoken = told.taken.toReversed();
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
      // Several providers refuse to answer when nobody has said anything.
      ...(lines.length === 0 ? [{ role: 'user' as const, content: OPENING_CUE }] : toModelMessages(lines)),
    ],
    included: spoken.length,
    estimatedTokens,
    replyTokens,
    record: {
      model: input.model,
      context_tokens: contextTokens,
      reply_tokens: replyTokens,
      estimated_tokens: estimatedTokens,
      first_history_id: told.whole ? null : (spoken[0]?.id ?? null),
      sections: [
        ...sections,
        historySection,
        ...(asked === null ? [] : [{ kind: 'task' as const, text: asked, tokens: askedTokens }]),
      ],
      left_out: told.leftOut,
    },
  };
}

/** What the lorebook tells where the story stands now, before the character and after it. */
function selectLore(
  lore: PromptLore | null | undefined,
  history: PromptHistory,
  { free, begun }: Frame,
  contextTokens: number,
): { before: Section[]; after: Section[] } {
  if (lore == null) return { before: [], after: [] };
  const share = Math.floor(Math.min(contextTokens * MAX_LORE_SHARE, free * MAX_FREE_LORE_SHARE));
  // Two headings, should there be something to tell at both places.
  const budget = Math.min(lore.tokenBudget ?? share, share) - 2 * estimateTokens(buildLoreSection([]));
  const story = begun === '' ? history.readTexts() : withBegun(begun, history);
  const told = trimLoreToBudget(findActiveEntries(lore.index, story), budget, estimateTokens);
  return { before: buildLoreSections(told.before), after: buildLoreSections(told.after) };
}

/** What is being gone on with is the newest of the story. */
function* withBegun(begun: string, history: PromptHistory): Generator<string> {
  yield begun;
  yield* history.readTexts();
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
 * Takes the history that fits beside what has to be told: the opening, and the pinned messages that do not stand in it.
 * Telling costs room, by which more may fall out and has to be told: the round ends when nothing more does.
 */
function fitHistory(frame: Frame, history: PromptHistory, contextTokens: number): FittedPrompt {
  const { free, memory, pins, openingText } = frame;
  const notes = Math.min(
    Math.floor(contextTokens * MAX_MEMORY_SHARE),
    Math.floor(free * MAX_FREE_MEMORY_SHARE),
  );
  // What has to be answered is sent in any case.
  const answered = sumTokens(history.take(0).messages);
  const omittedPinIds = new Set<string>();
  let opening: Section[] = [];
  for (;;) {
    // The opening may be pinned too, and is told once.
    const outside = pins.filter(
      ({ id, content }) => omittedPinIds.has(id) && (opening.length === 0 || content !== openingText),
    );
    const all = free - answered - sumTokens(opening);
    const userContext = selectUserContext(memory, outside, { all, notes });
    const told = [...opening, ...buildUserContextSections(userContext)];
    const { messages: taken, isComplete: whole } = history.take(free - sumTokens(told));
    const there = new Set(taken.map(({ id }) => id));
    const more = pins.filter(({ id }) => !there.has(id) && !omittedPinIds.has(id));
    const addsOpening = opening.length === 0 && !whole && openingText !== '';
    if (more.length === 0 && !addsOpening) {
      const isTold = new Set([...there, ...userContext.pinned.map(({ id }) => id)]);
      // One that is read word for word after all need not be told as well.
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

/** Neighbours of one role become one message: several providers refuse two in a row. */
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
