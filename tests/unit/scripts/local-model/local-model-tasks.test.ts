import { describe, expect, test } from 'vitest';
import { makeRandom } from '../../../../scripts/local-model/random.mjs';
import { answer } from '../../../../scripts/local-model/tasks.mjs';
import { readSummary, buildSummaryPrompt } from '../../../../src/features/character/discovery/summary.ts';
import {
  parseNotes,
  buildMergePrompt,
  buildNotesPrompt,
} from '../../../../src/features/conversation/memory/memory.ts';
import {
  buildPrompt,
  type PromptMessage,
} from '../../../../src/features/conversation/prompt/build-prompt.ts';
import { parseDraft, parseSuggestions } from '../../../../src/features/model/parse-completion.ts';
import type { PromptTask } from '../../../../src/features/conversation/prompt/prompt-sections.ts';

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

function answerTask(task: PromptTask, seed: number): string {
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

describe('tasks of the offline demo model', () => {
  test('the model suggests three short and different lines for the user', () => {
    for (let seed = 0; seed < 20; seed += 1) {
      const lines = parseSuggestions(answerTask({ kind: 'suggestions' }, seed));
      expect(lines).toHaveLength(3);
      for (const line of lines ?? []) expect(line.split(' ').length).toBeLessThanOrEqual(12);
    }
  });

  test('the model drafts a message in the voice of the user', () => {
    const draft = parseDraft(answerTask({ kind: 'draft' }, 3), NAMES.user);
    expect(draft).toMatch(/^\*I .+\* ".+"$/);
    expect(draft).not.toContain('Out of the story');
  });

  test('the model continues a reply and does not repeat its beginning', () => {
    const begun = '"Then keep the lantern dry," she says.';
    const more = answerTask({ kind: 'continue', replyId: 'r', text: begun }, 5);
    expect(more.length).toBeGreaterThan(20);
    expect(more).not.toContain(begun);
  });

  test('the notes state each fact once and skip the facts that are noted already', () => {
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

  test('the merged notes keep the first sentence of each older note', () => {
    const parts = [{ text: 'Anouk comes from Bergen. It rained.' }, { text: 'Maren has a key. It is old.' }];
    expect(parseNotes(answer(buildMergePrompt(parts, NAMES), makeRandom(1)), false)).toBe(
      'Anouk comes from Bergen. Maren has a key.',
    );
  });

  test('the introduction of a character uses sentences of its card', () => {
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
