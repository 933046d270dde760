import { activeLore, type LoreIndex } from '../../character/lorebook/lore-activation.ts';
import type { LoreEntry } from '../../character/lorebook/lorebook.ts';
import { type Beside, besideOf, contextOf, type Passage, type Standing } from '../../safety/evidence.ts';
import { countSigns, describeName, saysMinor } from '../../safety/decisions.ts';
import { byRules, type RefusalRule } from '../../safety/moderation.ts';
import type { Meta } from '../conversation-store.ts';
import type { MemoryStore } from '../memory/memory-store.ts';
import type { HistoryMessage, MessageStore } from '../messages/message-store.ts';
import type { PromptLore, StoryLore } from '../prompt/conversation-lore.ts';
import { fillNames, namesOf, personName } from '../conversation-names.ts';

/** What is known of a story beside a text. */
export interface KnownStory {
  /** Its people as they are described, and how the scene goes that they are in: an age or an act there counts. */
  context: string;
  /**
   * Whether anything else in the prompt says that a minor is present. Searched when it is asked.
   * @param text what is said now: a lorebook tells what it comes to
   */
  isMinorPresent(text: string): boolean;
  /** What the rule against sexual texts with minors refuses a text beside. */
  beside(text: string): Beside;
}

/** In UTF-16 units: what was said last belongs to the same scene, whoever of the two said it. */
const SCENE = 1200;
/** In UTF-16 units: so far back an age is looked for. About as much as a prompt tells word for word. */
const KNOWN_CHARS = 120_000;

type Said = Pick<HistoryMessage, 'versionId' | 'role' | 'name' | 'content'>;

/** Somebody as a prompt tells of them. */
export interface KnownPerson {
  of: 'character' | 'persona';
  /** All that they are called. */
  names: readonly string[];
  /** How they are described. */
  texts: readonly string[];
}

/** What a prompt tells, before it is one. */
export interface ToldStory {
  people: readonly KnownPerson[];
  /** Notes, pinned messages, how the story began. */
  beside: () => Iterable<Passage>;
  lore: () => PromptLore | null;
  /** Newest first. */
  history: () => Iterable<Said>;
  fill: (text: string) => string;
}

/** Whether messages say it, by version: each turn brings only a few that were not looked at. */
const seen = new Map<string, boolean>();
const MOST_SEEN = 4000;

function messageSaysMinor({ versionId, role, name, content }: Said, fill: (text: string) => string): boolean {
  const said = fill(content);
  // A version that is still written or calls somebody otherwise now is another text.
  const key = `${versionId} ${said.length}`;
  const before = seen.get(key);
  if (before !== undefined) return before;
  const says = saysMinor(said) || (role === 'character' && name !== null && saysMinor(describeName(name)));
  if (seen.size >= MOST_SEEN) seen.clear();
  if (versionId !== '') seen.set(key, says);
  return says;
}

/** The entries of a book that say it. */
const minorEntries = new WeakMap<LoreIndex, ReadonlySet<LoreEntry>>();

function minorsOf(index: LoreIndex): ReadonlySet<LoreEntry> {
  const known = minorEntries.get(index);
  if (known !== undefined) return known;
  const entries = index.entries.map(({ entry }) => entry);
  const found = new Set(entries.filter(({ name, content }) => saysMinor(`${name}\n${content}`)));
  minorEntries.set(index, found);
  return found;
}

/** The entries that the story has come to and that say it. */
function loreOfMinors(lore: PromptLore | null, story: Iterable<string>): LoreEntry[] {
  if (lore === null) return [];
  const minors = minorsOf(lore.index);
  return minors.size === 0 ? [] : activeLore(lore.index, story).filter((entry) => minors.has(entry));
}

function* spoken(now: string, history: Iterable<Said>, fill: (text: string) => string): Generator<string> {
  yield now;
  for (const { content } of history) yield fill(content);
}

export function knownStory({ people, beside, lore, history, fill }: ToldStory): KnownStory {
  const described = people.map(({ of, names, texts }): Standing => ({
    of,
    text: [...names.map(describeName), ...texts.map(fill)].join('\n'),
  }));
  const scene = sceneIn(history()).map(({ content, said }): Standing => ({
    of: 'message',
    text: fill(content),
    said,
  }));
  /** Whatever else says it, as far as it is asked for. */
  function* findMinors(text: string): Generator<Passage> {
    for (const one of beside()) if (saysMinor(fill(one.text))) yield { of: one.of, text: fill(one.text) };
    let room = KNOWN_CHARS;
    for (const said of history()) {
      if (messageSaysMinor(said, fill)) yield { of: 'message', text: spokenBy(said, fill) };
      room -= said.content.length;
      if (room <= 0) break;
    }
    for (const { name, content } of loreOfMinors(lore(), spoken(text, history(), fill)))
      yield { of: 'lorebook', text: `${name}\n${content}` };
  }
  return {
    context: [...described.map(({ text }) => text), scene.map(({ said }) => said).join('\n')].join('\n'),
    isMinorPresent: (text) => findMinors(text).next().done !== true,
    beside: (text) => besideOf(text, { around: [...described, ...scene], told: () => findMinors(text) }),
  };
}

/** A message, under a name that says it all by itself. */
function spokenBy({ role, name, content }: Said, fill: (text: string) => string): string {
  const isCalled = role === 'character' && name !== null && saysMinor(describeName(name));
  return isCalled ? `${name}\n${fill(content)}` : fill(content);
}

/** What is known in a conversation of all that its prompts tell. @param beforeId of which message; null for a new one */
export function storyAround(
  {
    meta,
    messages,
    memory,
    lore,
  }: { meta: Meta; messages: MessageStore; memory: MemoryStore; lore: StoryLore },
  beforeId: string | null,
): KnownStory {
  const { name, nickname, oneliner, character_traits: traits, first_message: opening } = meta.character;
  const names = namesOf(meta);
  const upTo = beforeId ?? undefined;
  const message = beforeId === null ? null : messages.message(beforeId);
  const history = () => (beforeId === null ? messages.history() : messages.historyBefore(beforeId));
  const known = knownStory({
    people: [
      {
        of: 'character',
        names: [name, ...(nickname === undefined ? [] : [nickname])],
        texts: [oneliner, traits, opening],
      },
      { of: 'persona', names: [personName(meta)], texts: [meta.persona?.description ?? ''] },
    ],
    *beside() {
      yield { of: 'message', text: messages.opening() };
      // A reply that goes on has begun already.
      if (message?.status === 'streaming') yield { of: 'message', text: message.content };
      for (const { text } of memory.live(upTo)) yield { of: 'note', text };
      for (const { content } of messages.pinned(upTo)) yield { of: 'message', text: content };
    },
    lore: () => lore.for(names),
    history,
    fill: (text) => fillNames(text, names),
  });
  return { ...known, beside: (text) => ({ ...known.beside(text), character: meta.character.id }) };
}

/** The end of what was said so far, oldest first: each message, and as much of it as is in the scene. @param history newest first */
function sceneIn(history: Iterable<Pick<HistoryMessage, 'content'>>): { content: string; said: string }[] {
  const scene: { content: string; said: string }[] = [];
  let room = SCENE;
  for (const { content } of history) {
    scene.push({ content, said: content.slice(-room) });
    room -= content.length;
    if (room <= 0) break;
  }
  return scene.toReversed();
}

/** Texts of a chat that is read from its beginning, each with its place; no more than reach back so far. */
class Reach {
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
  drained(at: number): { text: string; place: number }[] {
    this.upTo(at);
    return this.#texts.splice(0);
  }
}

/**
 * Who reads a chat from its beginning: what was said of somebody's age holds for what is said after it. Texts are looked
 * at only once somebody asks.
 */
class ToldAges {
  readonly #waiting = new Reach(KNOWN_CHARS);
  readonly #said = new Reach(KNOWN_CHARS);
  #end = 0;

  say(text: string): void {
    this.#end += text.length;
    this.#waiting.add(text, this.#end);
    this.#waiting.upTo(this.#end);
  }

  /** What said it not too long ago. */
  get said(): string[] {
    for (const { text, place } of this.#waiting.drained(this.#end))
      if (saysMinor(text)) this.#said.add(text, place);
    return this.#said.upTo(this.#end).map(({ text }) => text);
  }

  get minor(): boolean {
    return this.said.length > 0;
  }
}

/** In UTF-16 units: in a text of this length that is sexual and was let through, nobody says an age either. */
const SEEN_WHOLE = 600;

/** Looks at the texts of a chat that is brought, from its beginning. */
export class BroughtChat {
  readonly #ages = new ToldAges();
  /** What was sexual. */
  readonly #acts = new Reach(SCENE);
  #end = 0;

  /** A name that somebody speaks under. */
  called(name: string): void {
    this.#ages.say(describeName(name));
  }

  /**
   * The rule that the next text breaks, and what it breaks it beside; null where it breaks none.
   * @param around what is known of its people
   */
  refused(text: string, around: readonly Standing[]): { rule: RefusalRule; beside: Beside } | null {
    const isLong = text.length > SEEN_WHOLE;
    if (isLong) this.#ages.say(text);
    let sexual = false;
    const isMinorPresent = () => {
      sexual = true;
      return this.#ages.minor;
    };
    const context = contextOf(around);
    const verdict = byRules(text, { place: 'chat_file', adult: false, context, isMinorPresent });
    const acts = this.#acts.upTo(this.#end);
    // An act may come before the age, too.
    const rule = verdict.ok
      ? !sexual && acts.length > 0 && saysMinor(text)
        ? 'minors'
        : null
      : verdict.rule;
    const found = rule === null ? null : { rule, beside: this.#beside(text, around, acts) };
    // What is let by all the same has been said: what comes after it stands beside it.
    if (rule !== null) sexual ||= isSexual(text);
    if (sexual) this.#acts.add(text, this.#end);
    this.#end += text.length;
    if (!isLong && (!sexual || rule !== null)) this.#ages.say(text);
    return found;
  }

  #beside(text: string, around: readonly Standing[], acts: readonly { text: string }[]): Beside {
    const before = acts.map(({ text: said }): Standing => ({ of: 'message', text: said }));
    const told = () => this.#ages.said.map((said): Passage => ({ of: 'message', text: said }));
    return besideOf(text, { around: [...around, ...before], told });
  }
}

const isSexual = (text: string): boolean => countSigns(text).sexual > 0;
