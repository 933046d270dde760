import type { CrisisKind } from '../../safety/decisions.ts';
import type { ModelMessage } from '../../../vendors/model.ts';
import type { ContextRecord, ContextSection } from '../memory/memory-contract.ts';
import { fitHistory } from './fit-history.ts';
import { buildAuthorNote, buildLastSections } from './last-sections.ts';
import { selectLore } from './prompt-lore.ts';
import { type HistoryLine, PromptHistory } from './prompt-history.ts';
import {
  buildCharacterSection,
  DEFAULT_USER_NAME,
  buildOpeningSection,
  createSection,
  type PromptSection,
  buildPersonSection,
  buildPointOfViewSection,
  buildSafetySection,
  buildStyleSection,
  isCharacterTask,
  type MacroNames,
  type PromptCharacter,
  type PromptPersona,
  type PromptTask,
} from './prompt-sections.ts';
import {
  type ContextRatios,
  detectScript,
  estimateTokens,
  type Script,
  sumTokens,
  type TokenCounter,
} from '../../model/estimate-tokens.ts';
import type { Tokenizer } from '../../model/token-weights.ts';
import { countUserContextTokens, type PinLine, type PromptMemory } from './user-context.ts';
import type { Rating } from '../character/character-state.ts';
import type { PromptLore } from './conversation-lore.ts';
import type { ReplyLength } from '../../reply-style/reply-style.ts';
import { MAX_REPLY_TOKENS } from './reply-tokens.ts';
import {
  computeDefinitionBudget,
  fitDefinition,
  describeDefinition,
  type PreparedPart,
} from './fit-definition.ts';
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
  /** Milliseconds since 1970; undefined for messages that are not stored. */
  createdAt?: number;
}

export interface PromptInput {
  character: PromptCharacter;
  /** Null for a user without a name. */
  persona: PromptPersona | null;
  /** The character's definition, from `prepareParts`. */
  parts?: readonly PreparedPart[];
  /** Entries are included when the conversation activates them; their macros are replaced. */
  lore?: PromptLore | null;
  /** The valid entries, oldest first. */
  memory: readonly PromptMemory[];
  /** Pinned messages before the text to write, oldest first. */
  pinned: readonly PromptMessage[];
  /** Newest first, starting with the message to answer; read lazily until no more fits. Empty texts are left out. */
  history: Iterable<PromptMessage>;
  /**
   * The first message of the history in the previous prompt; null when that had all of it. The history starts there
   * again while it fits, so that this prompt begins with the previous one, which the provider has kept.
   */
  startId?: string | null;
  task: PromptTask;
  /** When the conversation was created, in milliseconds since 1970: the time of the macros in a definition. */
  startedAt?: number;
  rating: Rating;
  /** The user's instructions for this conversation; empty or absent for none. */
  authorNote?: string;
  /** How many messages follow the author's note; absent for none. */
  authorNoteDepth?: number;
  /** The user's instructions for this reply alone; empty or absent for none. */
  regenerateNote?: string;
  /** How long a reply should be; absent to leave it to the rules of style. */
  replyLength?: ReplyLength;
  /** The maximum length of a reply, in tokens; absent for the usual one. */
  replyTokens?: number;
  /** The crisis that the user's last messages show. */
  crisis?: CrisisKind | null;
  /** The model's id. */
  model: string;
  /** The model's context window for prompt and reply, in estimated tokens. */
  contextTokens: number;
  /** Null or absent when it is unknown. */
  tokenizer?: Tokenizer | null;
  /** How many times smaller the window is for a script than `contextTokens`, as refusals have taught. */
  contextRatios?: ContextRatios;
  /** Whether the history uses all of its room even if it is cut, so that no room is left for the next messages. */
  fillsRoom?: boolean;
}

export interface Prompt {
  messages: ModelMessage[];
  /** How many of the newest messages fit. */
  included: number;
  estimatedTokens: number;
  /** The maximum answer length, in tokens. */
  replyTokens: number;
  /**
   * The first message that the history will have after its next cut, when that is near: notes of the messages before it
   * are needed soon. Otherwise the first message of the history; null when that is complete.
   */
  nextStartId: string | null;
  /** The script of the newest messages. */
  script: Script;
  /** The prompt by section, for the user to inspect. */
  record: ContextRecord;
  /** The names in the prompt. */
  names: MacroNames;
}

/** Tokens reserved for an answer that is not a reply: a few short lines. */
const MAX_ASSIST_TOKENS = { draft: 300, suggestions: 200 };
/** Maximum share of the free tokens for pinned messages and the user's notes; the rest is for the history. */
const MAX_USER_CONTEXT_SHARE = 3 / 4;

/** Returns the speaker of a message: the user by their current name, others by their name at that time. */
export function getSpeaker(message: Pick<PromptMessage, 'role' | 'name'>, names: MacroNames): string {
  if (message.role === 'user') return names.user;
  return message.name === null ? names.char : escapeName(message.name);
}

/** Enough to tell the script of the messages. */
const SCRIPT_SAMPLE_CHARS = 500;

/**
 * The user's turn before an opening: the templates of many models want the user first, and some providers reject a request
 * without a user message.
 */
const OPENING_CUE = '*The story begins.*';

/** Converts the history for the prompt, newest first, without empty messages. */
function* toHistoryLines(
  history: Iterable<PromptMessage>,
  names: MacroNames,
  count: TokenCounter,
): Generator<HistoryLine> {
  for (const { id, versionId, role, name, content, createdAt } of history) {
    if (content.trim() === '') continue;
    const filled = escapeMessage(replaceMacros(content, { ...names, at: createdAt }));
    const speaker = role === 'character' && name !== null ? escapeName(name) : names.char;
    // Another speaker than the character, from an imported group chat.
    const text = speaker === names.char ? filled : `${speaker}: ${filled}`;
    yield { id, versionId, role, text, tokens: count(text) };
  }
}

/** The sections that every prompt of this task has, in order. */
function buildFixedSections(input: PromptInput, names: MacroNames, count: TokenCounter): PromptSection[] {
  const { character, persona, task, rating } = input;
  const fill = (text: string) => escapeSection(replaceMacros(text, { ...names, at: input.startedAt }));
  return [
    createSection('character', buildCharacterSection(character, names, task, fill), count),
    ...(isCharacterTask(task)
      ? [createSection('point_of_view', buildPointOfViewSection(character.pointOfView, names), count)]
      : []),
    createSection('person', buildPersonSection(names, fill(persona?.description ?? ''), task), count),
    createSection('style', buildStyleSection(task), count),
    createSection('safety', buildSafetySection(rating), count),
  ];
}

function getNames({ character, persona }: Pick<PromptInput, 'character' | 'persona'>): MacroNames {
  const user = escapeName(persona?.name ?? '');
  return {
    user: user === '' ? DEFAULT_USER_NAME : user,
    char: escapeName(character.nickname ?? character.name),
  };
}

const createCounter =
  ({ tokenizer }: Pick<PromptInput, 'tokenizer'>): TokenCounter =>
  (text) =>
    estimateTokens(text, tokenizer);

/** The script of the newest messages. */
function detectHistoryScript(history: PromptHistory): Script {
  let sample = '';
  for (const { text } of history.readLines()) {
    sample += text;
    if (sample.length >= SCRIPT_SAMPLE_CHARS) break;
  }
  return detectScript(sample.slice(0, SCRIPT_SAMPLE_CHARS));
}

/** The parts of a prompt that do not depend on how much of the history fits. */
function buildFrame(input: PromptInput, contextTokens: number) {
  const { task } = input;
  const names = getNames(input);
  const count = createCounter(input);
  const replyTokens =
    task.kind === 'draft' || task.kind === 'suggestions'
      ? MAX_ASSIST_TOKENS[task.kind]
      : (input.replyTokens ?? MAX_REPLY_TOKENS);
  const fixedSections = buildFixedSections(input, names, count);
  const authorNote = buildAuthorNote(input, names, count);
  const lastSections = buildLastSections(input, names, count);
  const begun = task.kind === 'continue' ? escapeMessage(replaceMacros(task.text, names)) : '';
  const lastTokens = sumTokens([...authorNote, ...lastSections]) + (begun === '' ? 0 : count(begun));
  const room = Math.max(
    0,
    contextTokens - replyTokens - sumTokens(fixedSections) - lastTokens - count(OPENING_CUE),
  );
  const definition = fitDefinition(input.parts ?? [], {
    // The same in each turn, so that the beginning of the prompt stays the same.
    budget: Math.min(computeDefinitionBudget(contextTokens), room),
    isReply: isCharacterTask(task),
    isCrisis: input.crisis != null,
    char: names.char,
    count,
  });
  return {
    names,
    count,
    replyTokens,
    fixedSections,
    authorNote,
    lastSections,
    begun,
    lastTokens,
    definition,
    free: room - definition.tokens,
    openingText: escapeSection(
      replaceMacros(input.character.firstMessage, { ...names, at: input.startedAt }),
    ).trim(),
    memory: input.memory.map((entry) => ({
      ...entry,
      text: escapeSection(replaceMacros(entry.text, names)),
    })),
    pins: input.pinned
      .map((message) => ({
        ...message,
        content: escapeSection(replaceMacros(message.content, { ...names, at: message.createdAt })).trim(),
      }))
      .filter(({ content }) => content !== '')
      .map(({ id, content, role, name }): PinLine => {
        return { id, content, line: `${getSpeaker({ role, name }, names)}: ${content}` };
      }),
  };
}

/**
 * Whether all pinned messages and notes of the user fit into every prompt and leave room for the history. The pinned
 * messages in the history count too, because sooner or later they are outside it.
 */
export function canFitUserContext(input: Omit<PromptInput, 'history' | 'task'>): boolean {
  const frame = buildFrame({ ...input, history: [], task: { kind: 'reply' } }, input.contextTokens);
  const { free, memory, pins, openingText, count } = frame;
  const opening = openingText === '' ? 0 : count(buildOpeningSection(openingText));
  const pinned = pins.filter(({ content }) => content !== openingText);
  return countUserContextTokens(memory, pinned, count) <= (free - opening) * MAX_USER_CONTEXT_SHARE;
}

/**
 * Builds the prompt of a turn or an assist request. When the opening no longer fits into the history, it moves to the
 * system prompt; so do pinned messages and memory notes. The user's pinned messages and notes have priority over the
 * history; those that do not fit at all are listed in the record.
 */
export function buildPrompt(input: PromptInput): Prompt {
  const { task } = input;
  const history = new PromptHistory(toHistoryLines(input.history, getNames(input), createCounter(input)));
  const script = detectHistoryScript(history);
  const contextTokens = Math.floor(input.contextTokens / (input.contextRatios?.[script] ?? 1));
  const frame = buildFrame(input, contextTokens);
  const { replyTokens, fixedSections, authorNote, begun, lastTokens, names, count, definition } = frame;
  const lore = selectLore(input.lore, { free: frame.free + lastTokens, contextTokens }, count);
  const begunLine =
    begun === '' || task.kind !== 'continue'
      ? []
      : [{ id: task.replyId, role: 'character' as const, text: begun }];
  const fitted = fitHistory(
    {
      ...frame,
      fillsRoom: input.fillsRoom ?? false,
      free: Math.max(0, frame.free - sumTokens([...lore.before, ...lore.after])),
      placeLore: (messages) => lore.place([...messages.toReversed(), ...begunLine]),
    },
    history,
    contextTokens,
    input.startId ?? null,
  );
  const [character, ...others] = fixedSections;
  const head = [...lore.before, ...(character === undefined ? [] : [character])];
  const tail = [...lore.after, ...others, ...fitted.sections];
  const toTexts = (sections: readonly PromptSection[]) => sections.map(({ text }) => text);
  const described = definition.before === '' ? [] : [definition.before];
  const system = [...toTexts(head), ...described, ...toTexts(tail)].join('\n\n');

  const spoken = fitted.taken.toReversed();
  const depth = authorNote.length === 0 ? 0 : (input.authorNoteDepth ?? 0);
  const lastSections = [...(depth === 0 ? authorNote : []), ...frame.lastSections];
  const said = [...spoken, ...begunLine];
  const noteAt = Math.max(0, said.length - depth);
  const toLines = (messages: readonly Omit<HistoryLine, 'tokens' | 'versionId'>[]) =>
    messages.flatMap(({ id, role, text }) => {
      const block = fitted.lore.blocks.get(id);
      return [{ role, text }, ...(block === undefined ? [] : [{ role: 'user' as const, text: block.text }])];
    });
  const toUserLines = (texts: readonly string[]) => texts.map((text) => ({ role: 'user' as const, text }));
  const lines = [
    ...toLines(said.slice(0, noteAt)),
    ...(depth === 0 ? [] : toUserLines(toTexts(authorNote))),
    ...toLines(said.slice(noteAt)),
    ...toUserLines([...(definition.after === '' ? [] : [definition.after]), ...toTexts(lastSections)]),
  ];
  const isOpening = spoken.length === 0 && authorNote.length + lastSections.length === 0;
  const hasPersonFirst = (said[0]?.role ?? lines[0]?.role) === 'user';
  const historySection: ContextSection = {
    kind: 'history',
    tokens: sumTokens(spoken),
    messages: spoken.map(({ id, versionId, tokens }) => ({ message_id: id, version_id: versionId, tokens })),
  };
  const definitionSections = describeDefinition(definition);
  const firstId = fitted.whole ? null : (spoken[0]?.id ?? null);
  const estimatedTokens =
    sumTokens([...head, ...definitionSections, ...tail, historySection]) + fitted.lore.tokens + lastTokens;
  return {
    messages: [
      { role: 'system', content: system },
      ...toModelMessages(
        hasPersonFirst && !isOpening ? lines : [{ role: 'user', text: OPENING_CUE }, ...lines],
      ),
    ],
    included: spoken.length,
    estimatedTokens,
    replyTokens,
    names,
    nextStartId: fitted.nextStartId ?? firstId,
    script,
    record: {
      model: input.model,
      context_tokens: contextTokens,
      reply_tokens: replyTokens,
      estimated_tokens: estimatedTokens,
      first_history_id: firstId,
      sections: [
        ...head,
        ...definitionSections,
        ...tail,
        historySection,
        ...fitted.lore.blocks.values(),
        ...(depth === 0 ? [] : authorNote),
        ...lastSections,
      ],
      left_out: fitted.leftOut,
    },
  };
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
