import {
  findNextMerge,
  findNextRun,
  type LiveMemoryEntry,
  MERGED_MEMORY_SHARE,
} from '../../src/features/conversation/memory/memory.ts';
import { buildPrompt, type PromptMessage } from '../../src/features/conversation/prompt/build-prompt.ts';
import { MAX_MEMORY_SHARE } from '../../src/features/conversation/prompt/fit-history.ts';
import { buildPromptLore } from '../../src/features/conversation/prompt/conversation-lore.ts';
import { estimateTokens } from '../../src/features/model/estimate-tokens.ts';
import { MIRA } from './prompts.ts';
import { createRandom } from './random.ts';

const WORDS =
  'the lamp rain door harbour quiet she kept turning letters under stone while nobody came back'.split(' ');

const TOKENS_PER_WORD = estimateTokens(WORDS.join(' ')) / WORDS.length;

/** A lorebook: two constant entries, and forty with a key that messages contain now and then. */
const LORE = buildPromptLore(
  {
    entries: Array.from({ length: 42 }, (_, number) => ({
      keys: [`place${number}`],
      constant: number >= 40,
      content: `Place ${number} ${'is old and quiet '.repeat(15)}`,
      enabled: true,
    })),
  },
  { user: 'Anouk', char: 'Mira' },
);

/** A conversation whose turns have 400 tokens, with a lorebook, pinned messages and notes that are written after each turn. */
class LongStory {
  readonly messages: PromptMessage[] = [];
  readonly #pinned: PromptMessage[] = [];
  readonly #coveredIds = new Set<string>();
  readonly #random = createRandom();
  #memory: LiveMemoryEntry[] = [];
  #startId: string | null = null;
  readonly #contextTokens: number;

  constructor(contextTokens: number) {
    this.#contextTokens = contextTokens;
  }

  /** Adds a turn. @returns the prompt of its reply */
  addTurn(): string {
    const turn = this.messages.length / 2;
    const message = this.#addMessage('user', 60, 100);
    if (turn % 37 === 5) this.#pinned.push(message);
    const prompt = buildPrompt({
      character: { ...MIRA, characterTraits: 'Patient. '.repeat(110) },
      persona: { name: 'Anouk', description: 'A smuggler.' },
      lore: LORE,
      memory: this.#memory,
      pinned: this.#pinned,
      history: this.messages.toReversed(),
      startId: this.#startId,
      task: { kind: 'reply' },
      rating: 'general',
      model: 'some-model',
      contextTokens: this.#contextTokens,
    });
    this.#startId = prompt.record.first_history_id;
    this.#addMessage('character', 280, 360);
    this.#writeNotes(prompt.nextStartId);
    return JSON.stringify(prompt.messages);
  }

  #addMessage(role: PromptMessage['role'], least: number, most: number): PromptMessage {
    const position = this.messages.length;
    const message: PromptMessage = {
      id: `m${String(position).padStart(5, '0')}`,
      versionId: `v${position}`,
      role,
      name: null,
      content: this.#createText(least + this.#random() * (most - least)),
    };
    this.messages.push(message);
    return message;
  }

  #createText(tokens: number): string {
    const words = this.#random() < 0.3 ? [`place${Math.floor(this.#random() * 40)}`] : [];
    for (let left = tokens; left > 0; left -= TOKENS_PER_WORD)
      words.push(WORDS[Math.floor(this.#random() * WORDS.length)] as string);
    return words.join(' ');
  }

  /** Does what the summariser does after a turn. */
  #writeNotes(beforeId: string | null): void {
    let share = MAX_MEMORY_SHARE;
    for (let step = 0; step < 6; step += 1) {
      const parts = findNextMerge(this.#memory, this.#contextTokens, share);
      if (parts !== null) {
        share = MERGED_MEMORY_SHARE;
        const others = this.#memory.filter((entry) => !parts.includes(entry));
        this.#memory = [this.#createNote(200, (parts[0] as LiveMemoryEntry).firstSourceId), ...others];
        continue;
      }
      const outside = this.messages
        .filter(({ id }) => beforeId !== null && id < beforeId)
        .map((message, position) => ({ ...message, position, covered: this.#coveredIds.has(message.id) }));
      const run = findNextRun(outside, this.#contextTokens);
      if (run === null) return;
      for (const { id } of run) this.#coveredIds.add(id);
      this.#memory.push(this.#createNote(100, run[0]?.id ?? null));
    }
  }

  #createNote(tokens: number, firstSourceId: string | null): LiveMemoryEntry {
    const text = this.#createText(tokens);
    const times = { createdAt: 0, updatedAt: 0, position: 0 };
    return { id: text.slice(0, 60), text, author: 'model', stale: false, firstSourceId, ...times };
  }
}

/** The share of the earlier prompt that the later one repeats from its beginning. */
function measureRepeated(earlier: string, later: string): number {
  let same = 0;
  while (same < earlier.length && earlier[same] === later[same]) same += 1;
  return same / earlier.length;
}

const mean = (list: readonly number[]) => list.reduce((sum, one) => sum + one, 0) / list.length;

/** Measures which share of each prompt the next one repeats: the median, the mean, and the least mean of 200 turns. */
export function measureRepeatedShares(contextTokens: number, turns: number) {
  const story = new LongStory(contextTokens);
  const prompts = Array.from({ length: turns }, () => story.addTurn());
  const shares = prompts.slice(1).map((prompt, index) => measureRepeated(prompts[index] as string, prompt));
  return {
    median: shares.toSorted((a, b) => a - b)[Math.floor(shares.length / 2)] as number,
    mean: mean(shares),
    least: Math.min(...shares.slice(199).map((_, from) => mean(shares.slice(from, from + 200)))),
  };
}
