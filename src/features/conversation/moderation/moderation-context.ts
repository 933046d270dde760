import { findActiveEntries, type LoreIndex } from '../../character/lorebook/lore-activation.ts';
import type { LoreEntry } from '../../character/lorebook/lorebook.ts';
import {
  type RefusalEvidence,
  collectEvidence,
  joinContext,
  type Passage,
  type ContextPassage,
} from '../../safety/evidence.ts';
import { countSigns, describeName, hasMinor } from '../../safety/decisions.ts';
import { applyRules, type RefusalRule } from '../../safety/moderation.ts';
import type { ConversationMeta } from '../conversation-store.ts';
import type { MemoryStore } from '../memory/memory-store.ts';
import type { HistoryMessage, MessageStore } from '../messages/message-store.ts';
import type { PromptLore, ConversationLore } from '../prompt/conversation-lore.ts';
import { replaceMacros, getMacroNames, getPersonName } from '../macro-names.ts';

/** What is known of a story beside a text. */
export interface ModerationContext {
  /** Its people as they are described, and how the scene goes that they are in: an age or an act there counts. */
  context: string;
  /**
   * Whether anything else in the prompt says that a minor is present. Searched when it is asked.
   * @param text what is said now: a lorebook tells what it comes to
   */
  isMinorPresent(text: string): boolean;
  /** What the rule against sexual texts with minors refuses a text beside. */
  collectEvidence(text: string): RefusalEvidence;
}

/** In UTF-16 units: what was said last belongs to the same scene, whoever of the two said it. */
const MAX_SCENE_CHARS = 1200;
/** In UTF-16 units: so far back an age is looked for. About as much as a prompt tells word for word. */
const MAX_LOOKBACK_CHARS = 120_000;

type SpokenMessage = Pick<HistoryMessage, 'versionId' | 'role' | 'name' | 'content'>;

/** Somebody as a prompt tells of them. */
export interface PersonDescription {
  of: 'character' | 'persona';
  /** All that they are called. */
  names: readonly string[];
  /** How they are described. */
  texts: readonly string[];
}

/** What a prompt tells, before it is one. */
export interface ContextSources {
  people: readonly PersonDescription[];
  /** Notes, pinned messages, how the story began. */
  beside: () => Iterable<Passage>;
  lore: () => PromptLore | null;
  /** Newest first. */
  history: () => Iterable<SpokenMessage>;
  fill: (text: string) => string;
}

/** Whether messages say it, by version: each turn brings only a few that were not looked at. */
const minorCache = new Map<string, boolean>();
const MAX_CACHED_MESSAGES = 4000;

function isMinorMessage(
  { versionId, role, name, content }: SpokenMessage,
  fill: (text: string) => string,
): boolean {
  const said = fill(content);
  // A version that is still written or calls somebody otherwise now is another text.
  const key = `${versionId} ${said.length}`;
  const before = minorCache.get(key);
  if (before !== undefined) return before;
  const says = hasMinor(said) || (role === 'character' && name !== null && hasMinor(describeName(name)));
  if (minorCache.size >= MAX_CACHED_MESSAGES) minorCache.clear();
  if (versionId !== '') minorCache.set(key, says);
  return says;
}

/** The entries of a book that say it. */
const minorEntryCache = new WeakMap<LoreIndex, ReadonlySet<LoreEntry>>();

function findMinorEntries(index: LoreIndex): ReadonlySet<LoreEntry> {
  const known = minorEntryCache.get(index);
  if (known !== undefined) return known;
  const entries = index.entries.map(({ entry }) => entry);
  const found = new Set(entries.filter(({ name, content }) => hasMinor(`${name}\n${content}`)));
  minorEntryCache.set(index, found);
  return found;
}

/** The entries that the story has come to and that say it. */
function findActiveMinorLore(lore: PromptLore | null, story: Iterable<string>): LoreEntry[] {
  if (lore === null) return [];
  const minors = findMinorEntries(lore.index);
  return minors.size === 0 ? [] : findActiveEntries(lore.index, story).filter((entry) => minors.has(entry));
}

function* readTexts(
  now: string,
  history: Iterable<SpokenMessage>,
  fill: (text: string) => string,
): Generator<string> {
  yield now;
  for (const { content } of history) yield fill(content);
}

export function buildModerationContext({
  people,
  beside,
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
  /** Whatever else says it, as far as it is asked for. */
  function* findMinors(text: string): Generator<Passage> {
    for (const one of beside()) if (hasMinor(fill(one.text))) yield { of: one.of, text: fill(one.text) };
    let room = MAX_LOOKBACK_CHARS;
    for (const said of history()) {
      if (isMinorMessage(said, fill)) yield { of: 'message', text: toNamedText(said, fill) };
      room -= said.content.length;
      if (room <= 0) break;
    }
    for (const { name, content } of findActiveMinorLore(lore(), readTexts(text, history(), fill)))
      yield { of: 'lorebook', text: `${name}\n${content}` };
  }
  return {
    context: [...described.map(({ text }) => text), scene.map(({ said }) => said).join('\n')].join('\n'),
    isMinorPresent: (text) => findMinors(text).next().done !== true,
    collectEvidence: (text) =>
      collectEvidence(text, { around: [...described, ...scene], told: () => findMinors(text) }),
  };
}

/** A message, under a name that says it all by itself. */
function toNamedText({ role, name, content }: SpokenMessage, fill: (text: string) => string): string {
  const isMinorName = role === 'character' && name !== null && hasMinor(describeName(name));
  return isMinorName ? `${name}\n${fill(content)}` : fill(content);
}

/** What is known in a conversation of all that its prompts tell. @param beforeId of which message; null for a new one */
export function buildConversationContext(
  {
    meta,
    messages,
    memory,
    lore,
  }: { meta: ConversationMeta; messages: MessageStore; memory: MemoryStore; lore: ConversationLore },
  beforeId: string | null,
): ModerationContext {
  const { name, nickname, oneliner, character_traits: traits, first_message: opening } = meta.character;
  const names = getMacroNames(meta);
  const upTo = beforeId ?? undefined;
  const message = beforeId === null ? null : messages.findMessage(beforeId);
  const history = () => (beforeId === null ? messages.readHistory() : messages.readHistoryBefore(beforeId));
  const known = buildModerationContext({
    people: [
      {
        of: 'character',
        names: [name, ...(nickname === undefined ? [] : [nickname])],
        texts: [oneliner, traits, opening],
      },
      { of: 'persona', names: [getPersonName(meta)], texts: [meta.persona?.description ?? ''] },
    ],
    *beside() {
      yield { of: 'message', text: messages.getOpeningText() };
      // A reply that goes on has begun already.
      if (message?.status === 'streaming') yield { of: 'message', text: message.content };
      for (const { text } of memory.listLive(upTo)) yield { of: 'note', text };
      for (const { content } of messages.pinned(upTo)) yield { of: 'message', text: content };
    },
    lore: () => lore.getPromptLore(names),
    history,
    fill: (text) => replaceMacros(text, names),
  });
  return {
    ...known,
    collectEvidence: (text) => ({ ...known.collectEvidence(text), character: meta.character.id }),
  };
}

/** The end of what was said so far, oldest first: each message, and as much of it as is in the scene. @param history newest first */
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

/** Texts of a chat that is read from its beginning, each with its place; no more than reach back so far. */
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

  /** Those that still count. @param at how far the chat was read */
  upTo(at: number): readonly { text: string; place: number }[] {
    while ((this.#texts[0]?.place ?? Infinity) < at - this.#chars) this.#texts.shift();
    return this.#texts;
  }

  /** Takes all of them out. */
  drain(at: number): { text: string; place: number }[] {
    this.upTo(at);
    return this.#texts.splice(0);
  }
}

/**
 * Who reads a chat from its beginning: what was said of somebody's age holds for what is said after it. Texts are looked
 * at only once somebody asks.
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

  /** What said it not too long ago. */
  get said(): string[] {
    for (const { text, place } of this.#waiting.drain(this.#end))
      if (hasMinor(text)) this.#said.add(text, place);
    return this.#said.upTo(this.#end).map(({ text }) => text);
  }

  get minor(): boolean {
    return this.said.length > 0;
  }
}

/** In UTF-16 units: in a text of this length that is sexual and was let through, nobody says an age either. */
const LONG_TEXT_CHARS = 600;

/** Looks at the texts of a chat that is brought, from its beginning. */
export class ImportedChatModerator {
  readonly #ages = new AgeMentions();
  /** What was sexual. */
  readonly #acts = new TextWindow(MAX_SCENE_CHARS);
  #end = 0;

  /** A name that somebody speaks under. */
  addName(name: string): void {
    this.#ages.say(describeName(name));
  }

  /**
   * The rule that the next text breaks, and what it breaks it beside; null where it breaks none.
   * @param around what is known of its people
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
    // An act may come before the age, too.
    const rule = verdict.ok ? (!sexual && acts.length > 0 && hasMinor(text) ? 'minors' : null) : verdict.rule;
    const found = rule === null ? null : { rule, beside: this.#beside(text, around, acts) };
    // What is let by all the same has been said: what comes after it stands beside it.
    if (rule !== null) sexual ||= isSexual(text);
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
    const told = () => this.#ages.said.map((said): Passage => ({ of: 'message', text: said }));
    return collectEvidence(text, { around: [...around, ...before], told });
  }
}

const isSexual = (text: string): boolean => countSigns(text).sexual > 0;
