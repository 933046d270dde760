import {
  findActiveEntries,
  type LoreIndex,
  type ScannedMessage,
} from '../../character/lorebook/lore-activation.ts';
import type { LoreEntry } from '../../character/lorebook/lorebook.ts';
import {
  type RefusalEvidence,
  collectEvidence,
  joinContext,
  type Passage,
  type ContextPassage,
} from '../../safety/evidence.ts';
import { describeName, hasMinor, isSexualWithKnownMinor } from '../../safety/decisions.ts';
import { applyRules, type RefusalRule } from '../../safety/moderation.ts';
import type { ConversationMeta } from '../conversation-store.ts';
import type { MemoryStore } from '../memory/memory-store.ts';
import type { HistoryMessage, MessageStore } from '../messages/message-store.ts';
import type { PromptLore, ConversationLore } from '../prompt/conversation-lore.ts';
import type { PreparedPart } from '../prompt/fit-definition.ts';
import { expandMacros, getMacroNames, getPersonName } from '../macro-names.ts';

/** The context in which a text is moderated. */
export interface ModerationContext {
  /** Descriptions of the people and the latest messages. An age or sexual act in it counts as if it were in the text. */
  context: string;
  /**
   * Whether any other part of the prompt says that a minor is present. Searched lazily.
   * @param text the moderated text, which can activate lorebook entries
   */
  isMinorPresent(text: string): boolean;
  /** Collects the passages because of which the rule `minors` refuses a text. */
  collectEvidence(text: string): RefusalEvidence;
}

/** In UTF-16 units: the end of the conversation belongs to the same scene, no matter who wrote it. */
const MAX_SCENE_CHARS = 1200;
/** In UTF-16 units: how far back to search for ages; about as much as a prompt contains word for word. */
const MAX_LOOKBACK_CHARS = 120_000;

type SpokenMessage = Pick<HistoryMessage, 'versionId' | 'role' | 'name' | 'content'>;

/** A person as described in the prompt. */
export interface PersonDescription {
  of: 'character' | 'persona' | 'note';
  /** All names of the person. */
  names: readonly string[];
  texts: readonly string[];
}

/** The parts that a prompt is built from. */
export interface ContextSources {
  people: readonly PersonDescription[];
  /** Notes, pinned messages, the opening and the character's definition. */
  beside: () => Iterable<Passage>;
  lore: () => PromptLore | null;
  /** Newest first. */
  history: () => Iterable<SpokenMessage>;
  /** Replaces macros with everything that they may become. */
  fill: (text: string) => string;
}

/** Whether a message mentions a minor, by version: each turn adds only a few messages that were not searched before. */
const minorCache = new Map<string, boolean>();
const MAX_CACHED_MESSAGES = 4000;

function isMinorMessage(
  { versionId, role, name, content }: SpokenMessage,
  fill: (text: string) => string,
): boolean {
  const said = fill(content);
  // The length is part of the key: a version in progress and a changed name give another text.
  const key = `${versionId} ${said.length}`;
  const before = minorCache.get(key);
  if (before !== undefined) return before;
  const says = hasMinor(said) || (role === 'character' && name !== null && hasMinor(describeName(name)));
  if (minorCache.size >= MAX_CACHED_MESSAGES) minorCache.clear();
  if (versionId !== '') minorCache.set(key, says);
  return says;
}

/** The entries of a lorebook that mention a minor. */
const minorEntryCache = new WeakMap<LoreIndex, ReadonlySet<LoreEntry>>();

function findMinorEntries(index: LoreIndex): ReadonlySet<LoreEntry> {
  const known = minorEntryCache.get(index);
  if (known !== undefined) return known;
  const entries = index.entries.map(({ entry }) => entry);
  const found = new Set(entries.filter(({ name, content }) => hasMinor(`${name}\n${content}`)));
  minorEntryCache.set(index, found);
  return found;
}

/** Whether a part of a definition mentions a minor. */
const minorPartCache = new WeakMap<PreparedPart, boolean>();

function isMinorPart(part: PreparedPart): boolean {
  const known = minorPartCache.get(part) ?? hasMinor(part.text);
  minorPartCache.set(part, known);
  return known;
}

/** Returns the active lorebook entries that mention a minor. */
function findActiveMinorLore(lore: PromptLore | null, story: Iterable<ScannedMessage>): LoreEntry[] {
  if (lore === null) return [];
  const minors = findMinorEntries(lore.index);
  return minors.size === 0 ? [] : findActiveEntries(lore.index, story).filter((entry) => minors.has(entry));
}

/** Without ids: what a prompt may contain with some probability counts. */
function* readStory(
  now: string,
  history: Iterable<SpokenMessage>,
  fill: (text: string) => string,
): Generator<ScannedMessage> {
  yield { id: null, text: now };
  for (const { content } of history) yield { id: null, text: fill(content) };
}

export function buildModerationContext({
  people,
  beside: listExtra,
  lore,
  history,
  fill,
}: ContextSources): ModerationContext {
  const described = people.map(({ of, names, texts }): ContextPassage => ({
    of,
    text: [...names.map(describeName), ...texts.map(fill)].join('\n'),
  }));
  const scene = readScene(history()).map(({ content, said }): ContextPassage => ({
    of: 'message',
    text: fill(content),
    said,
  }));
  /** Lazily yields all other passages that mention a minor. */
  function* findMinors(text: string): Generator<Passage> {
    for (const one of listExtra()) if (hasMinor(fill(one.text))) yield { of: one.of, text: fill(one.text) };
    let room = MAX_LOOKBACK_CHARS;
    for (const said of history()) {
      if (isMinorMessage(said, fill)) yield { of: 'message', text: toNamedText(said, fill) };
      room -= said.content.length;
      if (room <= 0) break;
    }
    for (const { name, content } of findActiveMinorLore(lore(), readStory(text, history(), fill)))
      yield { of: 'lorebook', text: `${name}\n${content}` };
  }
  return {
    context: [...described.map(({ text }) => text), scene.map(({ said }) => said).join('\n')].join('\n'),
    isMinorPresent: (text) => findMinors(text).next().done !== true,
    collectEvidence: (text) =>
      collectEvidence(text, { around: [...described, ...scene], listExtra: () => findMinors(text) }),
  };
}

/** The text of a message, preceded by its speaker's name if that name itself indicates a minor. */
function toNamedText({ role, name, content }: SpokenMessage, fill: (text: string) => string): string {
  const isMinorName = role === 'character' && name !== null && hasMinor(describeName(name));
  return isMinorName ? `${name}\n${fill(content)}` : fill(content);
}

/**
 * Builds the context from everything that the conversation's prompts contain.
 * @param beforeId the moderated message; null for a new one
 */
export function buildConversationContext(
  {
    meta,
    messages,
    memory,
    lore,
    authorNote,
  }: {
    meta: ConversationMeta;
    messages: MessageStore;
    memory: MemoryStore;
    lore: ConversationLore;
    authorNote: string;
  },
  beforeId: string | null,
): ModerationContext {
  const { name, nickname, oneliner, character_traits: traits, first_message: opening } = meta.character;
  const names = getMacroNames(meta);
  const upTo = beforeId ?? undefined;
  const regenerateNote = beforeId === null ? null : messages.findRegenerateNote(beforeId);
  const notes = [authorNote, regenerateNote ?? ''].filter((note) => note !== '');
  const history = () => (beforeId === null ? messages.readHistory() : messages.readHistoryBefore(beforeId));
  const known = buildModerationContext({
    people: [
      {
        of: 'character',
        names: [name, ...(nickname === undefined ? [] : [nickname])],
        texts: [oneliner, traits, opening],
      },
      { of: 'persona', names: [getPersonName(meta)], texts: [meta.persona?.description ?? ''] },
      ...notes.map((note) => ({ of: 'note' as const, names: [], texts: [note] })),
    ],
    *beside() {
      yield { of: 'message', text: messages.getOpeningText() };
      // A continued reply already has a text.
      const message = beforeId === null ? null : messages.findMessage(beforeId);
      if (message?.status === 'streaming') yield { of: 'message', text: message.content };
      for (const { text } of memory.listLive(upTo)) yield { of: 'note', text };
      for (const { content } of messages.pinned(upTo)) yield { of: 'message', text: content };
      for (const part of lore.getPromptParts(names))
        if (isMinorPart(part)) yield { of: 'character', text: part.text };
    },
    lore: () => lore.getPromptLore(names),
    history,
    fill: (text) => expandMacros(text, names),
  });
  return {
    ...known,
    collectEvidence: (text) => ({ ...known.collectEvidence(text), character: meta.character.id }),
  };
}

/**
 * The latest messages, oldest first: each with its text and the part of it that is in the scene.
 * @param history newest first
 */
function readScene(history: Iterable<Pick<HistoryMessage, 'content'>>): { content: string; said: string }[] {
  const scene: { content: string; said: string }[] = [];
  let room = MAX_SCENE_CHARS;
  for (const { content } of history) {
    scene.push({ content, said: content.slice(-room) });
    room -= content.length;
    if (room <= 0) break;
  }
  return scene.toReversed();
}

/** Texts of a chat that is read from its beginning, with their positions. Texts too far back are dropped. */
class TextWindow {
  readonly #chars: number;
  readonly #texts: { text: string; place: number }[] = [];

  /** @param chars in UTF-16 units */
  constructor(chars: number) {
    this.#chars = chars;
  }

  add(text: string, place: number): void {
    this.#texts.push({ text, place });
  }

  /** The texts that still count. @param at the current position */
  upTo(at: number): readonly { text: string; place: number }[] {
    while ((this.#texts[0]?.place ?? Infinity) < at - this.#chars) this.#texts.shift();
    return this.#texts;
  }

  /** Returns the texts that still count and empties the window. */
  drain(at: number): { text: string; place: number }[] {
    this.upTo(at);
    return this.#texts.splice(0);
  }
}

/**
 * Tracks mentions of minors while a chat is read from its beginning: a mention counts for the texts after it. Texts are
 * searched lazily.
 */
class AgeMentions {
  readonly #waiting = new TextWindow(MAX_LOOKBACK_CHARS);
  readonly #said = new TextWindow(MAX_LOOKBACK_CHARS);
  #end = 0;

  say(text: string): void {
    this.#end += text.length;
    this.#waiting.add(text, this.#end);
    this.#waiting.upTo(this.#end);
  }

  /** The recent texts that mention a minor. */
  get said(): string[] {
    for (const { text, place } of this.#waiting.drain(this.#end))
      if (hasMinor(text)) this.#said.add(text, place);
    return this.#said.upTo(this.#end).map(({ text }) => text);
  }

  get minor(): boolean {
    return this.said.length > 0;
  }
}

/**
 * In UTF-16 units. A sexual text up to this length that passed the rules contains no age, so it is not searched again.
 */
const LONG_TEXT_CHARS = 600;

/** Moderates the texts of an imported chat, in order. */
export class ImportedChatModerator {
  readonly #ages = new AgeMentions();
  /** Recent sexual texts. */
  readonly #acts = new TextWindow(MAX_SCENE_CHARS);
  #end = 0;

  /** Adds the name of a speaker. */
  addName(name: string): void {
    this.#ages.say(describeName(name));
  }

  /**
   * Returns the rule that the next text breaks, with the evidence; null when it breaks none.
   * @param around descriptions of the people
   */
  checkText(
    text: string,
    around: readonly ContextPassage[],
  ): { rule: RefusalRule; beside: RefusalEvidence } | null {
    const isLong = text.length > LONG_TEXT_CHARS;
    if (isLong) this.#ages.say(text);
    let sexual = false;
    const isMinorPresent = () => {
      sexual = true;
      return this.#ages.minor;
    };
    const context = joinContext(around);
    const verdict = applyRules(text, { place: 'chat_file', adult: false, context, isMinorPresent });
    const acts = this.#acts.upTo(this.#end);
    // The sexual act may precede the mention of the age.
    const rule = verdict.ok ? (!sexual && acts.length > 0 && hasMinor(text) ? 'minors' : null) : verdict.rule;
    const found = rule === null ? null : { rule, beside: this.#beside(text, around, acts) };
    // A text that breaks a rule may be exempt and imported, so it is context for the texts after it.
    if (rule !== null) sexual ||= isSexualWithKnownMinor(text);
    if (sexual) this.#acts.add(text, this.#end);
    this.#end += text.length;
    if (!isLong && (!sexual || rule !== null)) this.#ages.say(text);
    return found;
  }

  #beside(
    text: string,
    around: readonly ContextPassage[],
    acts: readonly { text: string }[],
  ): RefusalEvidence {
    const before = acts.map(({ text: said }): ContextPassage => ({ of: 'message', text: said }));
    const listAges = () => this.#ages.said.map((said): Passage => ({ of: 'message', text: said }));
    return collectEvidence(text, { around: [...around, ...before], listExtra: listAges });
  }
}
