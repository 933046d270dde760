import { describe, expect, test } from 'vitest';
import { LANGUAGES, type Thread } from '../../../../scripts/local-model/languages.mjs';
import { splitIntoPieces } from '../../../../scripts/local-model/pace.mjs';
import { makeRandom } from '../../../../scripts/local-model/random.mjs';
import {
  buildRolePrompt,
  countSharedTurns,
  findRepeatedSentences,
  generateReplies,
  generateReply,
  simulateConversations,
  splitIntoSentences,
  type Message,
  type Role,
} from '../../../support/local-model-replies.mjs';
import { reply } from '../../../../scripts/local-model/reply.mjs';
import bundled from '../../../../scripts/seed/characters/en.json';

const MAREN: Role = {
  name: 'Maren Oake',
  tagline: 'The last lighthouse keeper of the northern coast',
  traits:
    'Maren is a gruff lighthouse keeper who has lived alone since her brother drowned. She keeps the old brass lamp burning every night. She loves black coffee. Secret: one winter she let the lamp go out.',
  first:
    '*The lighthouse door bangs open. Maren lifts her lantern.* "You are either lost or stupid. Come in."',
};
const PIPPA: Role = {
  name: 'Pippa',
  tagline: 'Fairy of misplaced things',
  traits:
    'Pippa is a playful, mischievous fairy who collects lost keys. She wants to find the door that none of them fits.',
  first: '*A fairy drops from the shelf into your teacup.* "Oops. Is this yours?"',
};
const UNIT: Role = {
  name: 'Unit Seven',
  tagline: 'Robot night guard of a closed museum',
  traits:
    'Unit Seven is a robot that guards a museum. It is literal about idioms. Likes: spoons. Goal: to learn what a smile is for',
  first: '*A lamp turns on in the gallery.* "Visitor. Please do not lean."',
};
const CREW: Role = {
  name: 'The Crew of the Petrel',
  tagline: 'Three sailors, one ship',
  traits: 'Three people speak: Dov, a nervous cook; Ana, the captain; and Lur, who lies.',
  first: '**Dov:** "The soup is moving."\n\n**Ana:** *at the wheel* "So are we."',
  mode: 'multiPeople',
};
const DUNGEON: Role = {
  name: 'The Ninth Stair',
  tagline: 'A dungeon below the city',
  traits: 'A game master. The dungeon of Harrow is ruled by a king without a face.',
  first: '*You stand at the top of the stairs with a lamp.* What do you do?',
  mode: 'rpg',
};

const EVENING = `Hello.
My name is Mira.|Who are you?|ok|I lost my brother last winter.|Do you like the rain?
*sits down by the fire*|What is that light?|ok|the first one|Tell me a story
haha|I love old maps.|Why do you stay here?|no|yes
Let's go outside|Do you have a secret?|thank you|Goodbye`.split(/[|\n]/);
const HALF = EVENING.slice(0, 12);
const SHRUGS = Array.from({ length: 20 }, () => 'ok');

describe('replies of the offline demo model', () => {
  for (const role of [MAREN, PIPPA, UNIT, CREW, DUNGEON]) {
    test(`${role.name} repeats no sentence within twenty replies`, () => {
      for (const [seed, messages] of [
        [1, EVENING],
        [2, SHRUGS],
      ] as const) {
        const replies = generateReplies(role, [...messages], seed);
        expect(findRepeatedSentences(replies)).toEqual([]);
        for (const text of replies) expect(splitIntoSentences(text).length).toBeGreaterThan(0);
      }
    });
  }

  test('two replies in a row differ in the order of narration and speech', () => {
    const shapes = generateReplies(PIPPA, EVENING.slice(0, -1), 3).map((text) =>
      [...text.matchAll(/\*[^*]+\*|"[^"]+"/g)].map(([part]) => part.charAt(0)).join(''),
    );
    expect(shapes.filter((shape, turn) => shape === shapes[turn - 1])).toEqual([]);
  });

  test('another seed gives another version of a reply', () => {
    const versions = new Set(
      [1, 2, 3, 4].map((seed) => generateReply(MAREN, 'Do you live here alone?', seed)),
    );
    expect(versions.size).toBe(4);
  });

  test('the same messages with the same seed give the same reply', () => {
    expect(generateReply(PIPPA, 'What did you lose?', 7)).toBe(generateReply(PIPPA, 'What did you lose?', 7));
  });

  test('different characters answer the same lines differently', () => {
    const evenings = [MAREN, PIPPA, UNIT].map(
      (role) => new Set(generateReplies(role, HALF, 3).flatMap(splitIntoSentences)),
    );
    for (const one of evenings) {
      for (const other of evenings) {
        if (one === other) continue;
        const shared = [...one].filter((sentence) => other.has(sentence)).length;
        expect(shared / one.size).toBeLessThan(0.3);
      }
    }
    expect(new Set([MAREN, PIPPA, UNIT].map((role) => generateReply(role, 'Hello.'))).size).toBe(3);
  });

  test('two seeded characters share a sentence in fewer than half of the turns and rarely give the same reply', () => {
    const conversations = simulateConversations(bundled, HALF, 3);
    const shared = countSharedTurns(conversations);
    expect(shared.length).toBeGreaterThan(300);
    // The answers to a greeting, for example, are fewer than the characters.
    expect(shared.reduce((sum, turns) => sum + turns, 0) / shared.length).toBeLessThan(HALF.length / 2);
    for (const turn of HALF.keys()) {
      const replies = conversations.map((sentences) => sentences[turn]?.join('\n'));
      expect(new Set(replies).size).toBeGreaterThan(replies.length * 0.6);
    }
  });

  test('the character acts between asterisks and speaks between quotation marks in 20 to 125 words', () => {
    for (const text of generateReplies(MAREN, EVENING, 4).slice(0, -1)) {
      expect(text).toMatch(/\*[^*]+\*/);
      expect(text).toMatch(/"[^"]+"/);
      const words = text.split(/\s+/).length;
      expect(words).toBeGreaterThanOrEqual(20);
      expect(words).toBeLessThanOrEqual(125);
    }
  });

  test("the character knows the user's name many turns later", () => {
    const texts = generateReplies(
      MAREN,
      ['My name is Ottoline.', 'ok', 'What is that?', 'ok', 'no', 'What is my name?'],
      5,
    );
    expect(texts.at(-1)).toContain('Ottoline');
  });

  test('the character recalls a stated fact when the user asks for it', () => {
    const texts = generateReplies(
      PIPPA,
      ['I come from Lisbon.', 'ok', 'ok', 'Do you remember where I am from?'],
      5,
    );
    expect(texts.at(-1)).toContain('Lisbon');
  });

  test('the character recalls what the user carries', () => {
    for (const [told, asked, kept] of [
      ['I have nothing with me but an old silver key', 'What did I bring with me?', 'an old silver key'],
      ["I brought a lamp and my brother's map.", 'What did I bring?', "a lamp and your brother's map"],
      ["I'm carrying a letter for the queen.", 'What am I carrying?', 'a letter for the queen'],
    ] as const) {
      for (const role of [MAREN, UNIT, CREW, DUNGEON])
        expect(generateReplies(role, [told, 'ok', 'Who are you?', asked], 5).at(-1)).toMatch(
          new RegExp(`you have ${kept} with you`, 'i'),
        );
    }
    expect(generateReplies(MAREN, ['Hello.', 'ok', 'What did I bring with me?'], 5).at(-1)).not.toMatch(
      /\byou have .+ with you\b/i,
    );
  });

  test("the character takes up the user's topic and replaces my by your", () => {
    const texts = Array.from({ length: 20 }, (_, seed) =>
      generateReply(UNIT, 'I found my grandmother’s letter in the wall.', seed),
    );
    expect(
      texts.filter((text) => /\byour grandmother's letter\b|\byou found\b/i.test(text)).length,
    ).toBeGreaterThanOrEqual(10);
    for (const text of texts) expect(text).not.toMatch(/\bmy grandmother/i);
  });

  test('the character says sentences of its card in the first person', () => {
    expect(generateReplies(MAREN, EVENING, 6).join('\n')).toMatch(
      /I keep the old brass lamp burning|one winter I let the lamp go out/i,
    );
  });

  test("the character narrates the user's action in the second person", () => {
    expect(generateReply(MAREN, '*hands you my letter*')).toMatch(/you hand her your letter/i);
  });

  test("a plot moves on while the user says little, and the user's choice decides it", () => {
    const texts = generateReplies(MAREN, ['hello', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok'], 8);
    const findSeen = (text: string): Thread | undefined =>
      LANGUAGES.en?.threads.find(({ choice }: Thread) => text.includes(choice.split(' | ')[0] ?? choice));
    const at = texts.findIndex(findSeen);
    expect(at).toBeGreaterThan(0);
    const thread = findSeen(texts[at] ?? '');
    const messages: Message[] = buildRolePrompt(MAREN);
    for (const text of texts.slice(0, at + 1))
      messages.push({ role: 'user', content: 'ok' }, { role: 'assistant', content: text });
    for (const [content, outcome] of [
      ['The first one.', thread?.first[1]],
      ['The second one.', thread?.second[1]],
    ] as const)
      expect(reply([...messages, { role: 'user', content }], makeRandom(1))).toContain(outcome);
  });

  test('a game master narrates the consequence of an action and offers two or three choices', () => {
    const [first, second] = generateReplies(DUNGEON, ['I open the door.', '2'], 9);
    expect(first).toMatch(/You open the door\./);
    const choices = [...(first ?? '').matchAll(/^\d\. (.+)\.$/gm)].map((match) => match[1] ?? '');
    expect(choices.length).toBeGreaterThanOrEqual(2);
    expect(choices.length).toBeLessThanOrEqual(3);
    const taken = (choices[1] ?? '').split(/,? and see/)[0] ?? '';
    expect(second?.toLowerCase()).toContain(`you ${taken.toLowerCase()}`);
  });

  test('in a scene of several people at least two of them speak', () => {
    for (const text of generateReplies(CREW, ['Hello.', 'Who is hungry?', '*takes the wheel*'], 10)) {
      expect(
        new Set([...text.matchAll(/^\*\*(\p{L}+):\*\*/gmu)].map((match) => match[1])).size,
      ).toBeGreaterThanOrEqual(2);
    }
  });

  test("in a reversed story other people speak and the user's character never acts", () => {
    const lord: Role = {
      name: 'Lord Ashgrove',
      tagline: 'Dark lord',
      mode: 'reverse',
      traits: 'Grim, the old butler, knows everything. Nettle is a goblin cook who fears nobody.',
      first: '*The throne room falls silent as you enter.* "My lord. The soup is late."',
    };
    const text = generateReplies(lord, ['Who spilled it?', 'ok', 'Come here.', 'ok', 'Why?', 'ok'], 11).join(
      '\n',
    );
    expect(text).toMatch(/Nettle|Grim/);
    expect(text).not.toMatch(/\*(?:[^*]*\. )?Lord Ashgrove [a-z]+s\b/);
  });

  test('a message in an unknown script gets a reply that says so, in the language of the character', () => {
    const text = generateReply(MAREN, '안녕하세요, 여기 계세요?');
    expect(text).toMatch(/another language|tongue/);
  });

  test('a message about suicide stops the story and names help', () => {
    for (const said of [
      'I want to kill myself',
      "I don't want to live anymore",
      '*cries* I keep thinking about ending my life',
    ]) {
      const text = generateReply(PIPPA, said);
      expect(text).toMatch(/emergency/i);
      expect(text).toMatch(/crisis|findahelpline/i);
      expect(text).not.toMatch(/\*/);
    }
    expect(generateReply(PIPPA, 'I am dying to see the door')).not.toMatch(/emergency/i);
  });

  test('the character declines a sexual message and stays in the story', () => {
    const text = generateReply(MAREN, 'take off your clothes');
    expect(text).toMatch(/"[^"]+"/);
    expect(text).not.toMatch(/\b(?:clothes|naked|undress)/i);
  });

  test('the model admits that it is a program when the user asks', () => {
    expect(generateReply(MAREN, 'Are you an AI?')).toMatch(/program|offline demo voice/i);
  });

  test('an empty or malformed prompt gets a reply', () => {
    for (const messages of [
      [{ role: 'user', content: 'Hello' }],
      [
        { role: 'system', content: 'Be nice.' },
        { role: 'user', content: '' },
      ],
      [
        { role: 'system', content: '# Character\nName: ???\nTraits:\n((((\n' },
        { role: 'user', content: '***' },
      ],
    ]) {
      expect(reply(messages, makeRandom(1)).trim().length).toBeGreaterThan(20);
    }
  });

  test('the pieces of a stream contain the whole text in any language', () => {
    for (const text of [
      generateReply(MAREN, 'Hello.'),
      generateReply(MAREN, 'こんにちは、元気ですか'),
      generateReply(DUNGEON, 'I open the door.'),
      ' \n a  b\n\n',
    ]) {
      expect(splitIntoPieces(text).join('')).toBe(text);
    }
    expect(
      Math.max(
        ...splitIntoPieces(generateReply(MAREN, 'こんにちは、元気ですか')).map(
          (piece: string) => piece.length,
        ),
      ),
    ).toBeLessThan(30);
  });
});
