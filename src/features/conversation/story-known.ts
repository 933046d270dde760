import { activeLore, type LoreIndex } from '../character/lore-told.ts';
import type { LoreEntry } from '../character/lorebook.ts';
import { minorIn, nameOf } from '../safety/minors.ts';
import { byRules, type RefusalRule } from '../safety/moderation.ts';
import type { Meta } from './conversation-store.ts';
import type { MemoryStore } from './memory-store.ts';
import type { HistoryMessage, MessageStore } from './message-store.ts';
import type { PromptLore, StoryLore } from './story-lore.ts';
import { fillNames, namesOf, personName } from './story-names.ts';

/** What is known of a story beside a text. */
export interface KnownStory {
  /** Its people as they are described, and how the scene goes that they are in: an age or an act there counts. */
  context: string;
  /**
   * Whether something else that a prompt tells says of somebody that they are a minor. Looked for when it is asked for.
   * @param text what is said now: a lorebook tells what it comes to
   */
  minorTold(text: string): boolean;
}

/** In UTF-16 units: what was said last belongs to the same scene, whoever of the two said it. */
const SCENE = 1200;
/** In UTF-16 units: so far back an age is looked for. About as much as a prompt tells word for word. */
const KNOWN_CHARS = 120_000;

type Said = Pick<HistoryMessage, 'versionId' | 'role' | 'name' | 'content'>;

/** Somebody as a prompt tells of them. */
export interface KnownPerson {
  /** All that they are called. */
  names: readonly string[];
  /** How they are described. */
  texts: readonly string[];
}

/** What a prompt tells, before it is one. */
export interface ToldStory {
  people: readonly KnownPerson[];
  /** Notes, pinned messages, how the story began. */
  beside: () => Iterable<string>;
  lore: () => PromptLore | null;
  /** Newest first. */
  history: () => Iterable<Said>;
  fill: (text: string) => string;
}

/** Whether messages say it, by version: each turn brings only a few that were not looked at. */
const seen = new Map<string, boolean>();
const MOST_SEEN = 4000;

function saysMinor({ versionId, role, name, content }: Said, fill: (text: string) => string): boolean {
  const said = fill(content);
  // A version that is still written or calls somebody otherwise now is another text.
  const key = `${versionId} ${said.length}`;
  const before = seen.get(key);
  if (before !== undefined) return before;
  const says = minorIn(said) || (role === 'character' && name !== null && minorIn(nameOf(name)));
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
  const found = new Set(entries.filter(({ name, content }) => minorIn(`${name}\n${content}`)));
  minorEntries.set(index, found);
  return found;
}

function loreTellsMinor(lore: PromptLore | null, story: Iterable<string>): boolean {
  if (lore === null) return false;
  const minors = minorsOf(lore.index);
  return minors.size > 0 && activeLore(lore.index, story).some((entry) => minors.has(entry));
}

function* spoken(now: string, history: Iterable<Said>, fill: (text: string) => string): Generator<string> {
  yield now;
  for (const { content } of history) yield fill(content);
}

export function knownStory({ people, beside, lore, history, fill }: ToldStory): KnownStory {
  const described = people.flatMap(({ names, texts }) => [...names.map(nameOf), ...texts.map(fill)]);
  return {
    context: [...described, sceneIn(history())].join('\n'),
    minorTold(text) {
      for (const one of beside()) if (minorIn(fill(one))) return true;
      let room = KNOWN_CHARS;
      for (const said of history()) {
        if (saysMinor(said, fill)) return true;
        room -= said.content.length;
        if (room <= 0) break;
      }
      return loreTellsMinor(lore(), spoken(text, history(), fill));
    },
  };
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
  return knownStory({
    people: [
      { names: [name, ...(nickname === undefined ? [] : [nickname])], texts: [oneliner, traits, opening] },
      { names: [personName(meta)], texts: [meta.persona?.description ?? ''] },
    ],
    *beside() {
      yield messages.opening();
      // A reply that goes on has begun already.
      if (message?.status === 'streaming') yield message.content;
      for (const { text } of memory.live(upTo)) yield text;
      for (const { content } of messages.pinned(upTo)) yield content;
    },
    lore: () => lore.for(names),
    history,
    fill: (text) => fillNames(text, names),
  });
}

/** The end of what was said so far, oldest first. @param history newest first */
function sceneIn(history: Iterable<Pick<HistoryMessage, 'content'>>): string {
  const said: string[] = [];
  let room = SCENE;
  for (const { content } of history) {
    said.push(content.slice(-room));
    room -= content.length;
    if (room <= 0) break;
  }
  return said.toReversed().join('\n');
}

/**
 * Who reads a chat from its beginning: what was said of somebody's age holds for what is said after it. Texts are looked
 * at only once somebody asks.
 */
class ToldAges {
  readonly #waiting: { text: string; end: number }[] = [];
  #end = 0;
  /** Where it was said last; null while it was not. */
  #last: number | null = null;

  say(text: string): void {
    this.#end += text.length;
    this.#waiting.push({ text, end: this.#end });
    while ((this.#waiting[0]?.end ?? Infinity) < this.#end - KNOWN_CHARS) this.#waiting.shift();
  }

  /** Whether it was said not too long ago. */
  get minor(): boolean {
    for (const { text, end } of this.#waiting.splice(0)) if (minorIn(text)) this.#last = end;
    return this.#last !== null && this.#end - this.#last <= KNOWN_CHARS;
  }
}

/** In UTF-16 units: in a text of this length that is sexual and was let through, nobody says an age either. */
const SEEN_WHOLE = 600;

/** Looks at the texts of a chat that is brought, from its beginning. */
export class BroughtChat {
  readonly #ages = new ToldAges();
  /** In UTF-16 units: since something sexual was said. */
  #sinceAct = Infinity;

  /** A name that somebody speaks under. */
  called(name: string): void {
    this.#ages.say(nameOf(name));
  }

  /** The rule that the next text breaks, or null. @param context what is known of its people */
  refused(text: string, context: string): RefusalRule | null {
    const isLong = text.length > SEEN_WHOLE;
    if (isLong) this.#ages.say(text);
    let sexual = false;
    const minorTold = () => {
      sexual = true;
      return this.#ages.minor;
    };
    const verdict = byRules(text, { place: 'chat_file', adult: false, context, minorTold });
    if (!verdict.ok) return verdict.rule;
    // An act may come before the age, too.
    if (!sexual && this.#sinceAct <= SCENE && minorIn(text)) return 'minors';
    this.#sinceAct = (sexual ? 0 : this.#sinceAct) + text.length;
    if (!isLong && !sexual) this.#ages.say(text);
    return null;
  }
}
