import { describe, expect, test } from 'vitest';
import { makeRandom } from '../../scripts/local-model/random.mjs';
import { answer } from '../../scripts/local-model/tasks.mjs';
import { readSummary, buildSummaryPrompt } from '../../src/features/character/discovery/summary.ts';
import {
  parseNotes,
  buildMergePrompt,
  buildNotesPrompt,
} from '../../src/features/conversation/memory/memory.ts';
import { buildPrompt, type PromptMessage } from '../../src/features/conversation/prompt/build-prompt.ts';
import { parseDraft, parseSuggestions } from '../../src/features/model/parse-completion.ts';
import type { PromptTask } from '../../src/features/conversation/prompt/prompt-sections.ts';

const NAMES = { user: 'Anouk', char: 'Maren Oake' };
const TALK: PromptMessage[] = (
  [
    ['character', '*Maren lifts her lantern.* "You are either lost or stupid. Come in."'],
    ['user', 'I am Anouk. I come from Bergen, and I am looking for my sister.'],
    ['character', '"I saw a girl at the harbour," she says, and turns the brass key.'],
    ['user', 'I carry only a lantern and a map.'],
    ['character', '"Then keep the lantern dry," she says.'],
  ] as const
).map(([role, content], index) => ({ id: `m${index}`, versionId: `v${index}`, role, name: null, content }));

function asked(task: PromptTask, seed: number): string {
  const { messages } = buildPrompt({
    character: {
      name: NAMES.char,
      oneliner: 'The last lighthouse keeper of the northern coast',
      characterTraits: 'Maren is gruff and keeps the old brass lamp burning every night.',
      firstMessage: TALK[0]?.content ?? '',
      pointOfView: 'normal',
    },
    persona: { name: NAMES.user, description: '' },
    memory: [],
    pinned: [],
    history: TALK.toReversed(),
    task,
    rating: 'general',
    model: 'offline-demo',
    contextTokens: 16_000,
  });
  return answer(messages, makeRandom(seed));
}

describe('What the offline demo writes beside replies', () => {
  test('three next lines of mine, short and different, whenever I ask', () => {
    for (let seed = 0; seed < 20; seed += 1) {
      const lines = parseSuggestions(asked({ kind: 'suggestions' }, seed));
      expect(lines).toHaveLength(3);
      for (const line of lines ?? []) expect(line.split(' ').length).toBeLessThanOrEqual(12);
    }
  });

  test('a line of mine for the box, in my own voice', () => {
    const draft = parseDraft(asked({ kind: 'draft' }, 3), NAMES.user);
    expect(draft).toMatch(/^\*I .+\* ".+"$/);
    expect(draft).not.toContain('Out of the story');
  });

  test('more of a reply, without its beginning', () => {
    const begun = '"Then keep the lantern dry," she says.';
    const more = asked({ kind: 'continue', text: begun }, 5);
    expect(more.length).toBeGreaterThan(20);
    expect(more).not.toContain(begun);
  });

  test('notes that are true, once each, and a dash when there is nothing new', () => {
    const notes = parseNotes(answer(buildNotesPrompt(TALK, [], NAMES), makeRandom(1)), false) ?? '';
    for (const fact of [
      'Anouk comes from Bergen.',
      'Anouk is looking for their sister.',
      'a lantern and a map',
    ])
      expect(notes).toContain(fact);
    const again = parseNotes(answer(buildNotesPrompt(TALK, [notes], NAMES), makeRandom(1)), false);
    expect(again).not.toContain('Bergen');
    const small = TALK.slice(0, 1);
    expect(parseNotes(answer(buildNotesPrompt(small, [], NAMES), makeRandom(1)), false)).toMatch(
      /^Maren Oake said: “/,
    );
  });

  test('older notes in fewer words', () => {
    const parts = [{ text: 'Anouk comes from Bergen. It rained.' }, { text: 'Maren has a key. It is old.' }];
    expect(parseNotes(answer(buildMergePrompt(parts, NAMES), makeRandom(1)), false)).toBe(
      'Anouk comes from Bergen. Maren has a key.',
    );
  });

  test('an introduction of a character in its maker’s words', () => {
    const source = {
      name: 'Maren Oake',
      oneliner: 'Keeps the light, and her own counsel',
      characterTraits: 'Maren, 61, keeps a lighthouse. She trusts nobody who whistles.',
      firstMessage: '*Maren lifts her lantern.*',
      language: 'en',
    };
    expect(readSummary(answer(buildSummaryPrompt(source), makeRandom(1)), source)).toBe(
      'Maren Oake: Keeps the light, and her own counsel. Maren, 61, keeps a lighthouse.',
    );
  });
});
