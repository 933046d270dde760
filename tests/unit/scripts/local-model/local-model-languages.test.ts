import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  chooseLanguage,
  CODES,
  detectLanguage,
  LANGUAGES,
} from '../../../../scripts/local-model/languages.mjs';
import { makeRandom } from '../../../../scripts/local-model/random.mjs';
import { reply } from '../../../../scripts/local-model/reply.mjs';
import { answer } from '../../../../scripts/local-model/tasks.mjs';
import { readSeeds } from '../../../../scripts/seed/read-seeds.mjs';
import { parseNotes, buildNotesPrompt } from '../../../../src/features/conversation/memory/memory.ts';
import {
  buildRolePrompt,
  findRepeatedSentences,
  generateReplies,
  type Message,
  type Role,
} from '../../../support/local-model-replies.mjs';

const MAREN: Role = {
  name: 'Maren',
  tagline: 'The last lighthouse keeper',
  traits: 'Maren is a gruff keeper who has lived alone by the sea. She keeps the old lamp burning.',
  first: '*The door bangs open. Maren lifts her lantern.* "You are either lost or stupid. Come in."',
};

/** A greeting, the name Mira, three questions, a fear, an action, a liking, "ok", and a question for the name. */
const MESSAGES: Record<string, string> = {
  en: "Hello.|My name is Mira.|Who are you?|Where are we?|Why do you stay here?|I'm afraid of the dark.|*sits down by the fire*|I love old maps.|ok|What is my name?",
  de: 'Hallo.|Ich heiße Mira.|Wer bist du?|Wo sind wir?|Warum bleibst du hier?|Ich habe Angst vor der Dunkelheit.|*setzt sich ans Feuer*|Ich mag alte Karten.|ok|Wie heiße ich?',
  es: 'Hola.|Me llamo Mira.|¿Quién eres?|¿Dónde estamos?|¿Por qué te quedas aquí?|Tengo miedo de la oscuridad.|*se sienta junto al fuego*|Me gustan los mapas antiguos.|vale|¿Cómo me llamo?',
  fr: "Bonjour.|Je m'appelle Mira.|Qui es-tu ?|Où sommes-nous ?|Pourquoi restes-tu ici ?|J'ai peur du noir.|*s'assoit près du feu*|J'aime les vieilles cartes.|d'accord|Comment je m'appelle ?",
  hi: 'नमस्ते।|मेरा नाम मीरा है।|आप कौन हैं?|हम कहाँ हैं?|आप यहाँ क्यों रहते हैं?|मुझे अंधेरे से डर लगता है।|*आग के पास बैठती है*|मुझे पुराने नक्शे पसंद हैं।|ठीक है|मेरा नाम क्या है?',
  id: 'Halo.|Nama saya Mira.|Kamu siapa?|Kita di mana?|Kenapa kamu tinggal di sini?|Aku takut pada kegelapan.|*duduk di dekat api*|Aku suka peta tua.|oke|Siapa nama saya?',
  it: 'Ciao.|Mi chiamo Mira.|Chi sei?|Dove siamo?|Perché resti qui?|Ho paura del buio.|*si siede accanto al fuoco*|Mi piacciono le vecchie mappe.|va bene|Come mi chiamo?',
  ja: 'こんにちは。|私の名前はミラです。|あなたは誰ですか？|ここはどこですか？|なぜここにいるのですか？|暗闇が怖いです。|*火のそばに座る*|古い地図が好きです。|うん|私の名前は何ですか？',
  pl: 'Cześć.|Nazywam się Mira.|Kim jesteś?|Gdzie jesteśmy?|Dlaczego tu zostajesz?|Boję się ciemności.|*siada przy ogniu*|Lubię stare mapy.|dobrze|Jak mam na imię?',
  pt: 'Olá.|Meu nome é Mira.|Quem é você?|Onde estamos?|Por que você fica aqui?|Tenho medo do escuro.|*senta perto do fogo*|Gosto de mapas antigos.|está bem|Qual é o meu nome?',
  ru: 'Привет.|Меня зовут Мира.|Кто ты?|Где мы?|Почему ты остаёшься здесь?|Я боюсь темноты.|*садится у огня*|Я люблю старые карты.|ладно|Как меня зовут?',
  zh: '你好。|我叫米拉。|你是谁？|我们在哪里？|你为什么留在这里？|我怕黑暗。|*在火边坐下*|我喜欢旧地图。|好的|我叫什么名字？',
};
const SCRIPTS: Record<string, RegExp> = {
  hi: /\p{Script=Devanagari}/gu,
  ja: /[\p{Script=Han}ぁ-ヿ]/gu,
  ru: /\p{Script=Cyrillic}/gu,
  zh: /\p{Script=Han}/gu,
};
const NAMES: Record<string, string> = { hi: 'मीरा', ja: 'ミラ', ru: 'Мира', zh: '米拉' };
/** The slots that the code fills. */
const SLOTS = new Set(['name', 'echo', 'topic', 'fact', 'who', 'action']);
/** English grammar needs texts that the other languages replace by quotations. */
const ENGLISH_ONLY =
  /^\.lines\.(?:topic|suggestTopic)(?:\[\])?$|^\.facts\.dislikes(?:\.|$)|^\.find\.dislikes$/;

type Json = string | Json[] | { [key: string]: Json };

const data: Record<string, { [key: string]: Json }> = Object.fromEntries(
  CODES.map((code) => [
    code,
    JSON.parse(
      readFileSync(new URL(`../../../../scripts/local-model/data/${code}.json`, import.meta.url), 'utf8'),
    ),
  ]),
);

/** Lists the paths of all values: keys by name, entries of lists of texts as []. */
function listPaths(value: Json, path = ''): string[] {
  if (typeof value === 'string') return [path];
  if (Array.isArray(value)) return [...new Set(value.flatMap((one) => listPaths(one, `${path}[]`)))];
  return Object.entries(value).flatMap(([key, one]) => listPaths(one, `${path}.${key}`));
}

function listTexts(value: Json): string[] {
  return typeof value === 'string' ? [value] : Object.values(value).flatMap(listTexts);
}

const listTurns = (code: string): string[] => (MESSAGES[code] ?? '').split('|');

test('the model has data and test messages for the twelve languages of the product', () => {
  expect(CODES).toEqual('de en es fr hi id it ja pl pt ru zh'.split(' '));
  expect(Object.keys(MESSAGES).toSorted()).toEqual(CODES);
});

test('a short message that fits two languages keeps the language of the conversation', () => {
  const german = ['Ich bin Noor.', 'Warst du je verliebt?'];
  expect(chooseLanguage(german, '').language.code).toBe('de');
  expect(chooseLanguage([...german, 'Merci beaucoup !'], '').language.code).toBe('fr');
  expect(chooseLanguage(['暗闇が怖いです。', '大丈夫'], '').language.code).toBe('ja');
});

test.each(CODES)('the seeded characters in %s answer their suggested replies in it', (code) => {
  const characters = readSeeds().filter(({ language }) => language === code);
  const answers = characters.flatMap((character) => {
    const role = {
      name: character.name,
      tagline: character.oneliner,
      traits: character.character_traits,
      first: character.first_message,
      mode: character.point_of_view,
    };
    return generateReplies(role, character.suggested_replies, 1);
  });
  expect(answers.filter((text) => detectLanguage(text) !== code)).toEqual([]);
  expect(answers.length).toBeGreaterThan(0);
});

describe.each(CODES)('data of %s', (code) => {
  const file = data[code] ?? {};

  test('the file has the same keys as the German one', () => {
    const expected = listPaths(data.de ?? {});
    const paths = listPaths(file).filter((path) => code !== 'en' || !ENGLISH_ONLY.test(path));
    expect(paths.toSorted()).toEqual(expected.toSorted());
  });

  test('every text is trimmed, not empty and has only known slots', () => {
    const { speech, ...rest } = file;
    expect(speech).toHaveLength(2);
    for (const text of listTexts(rest)) {
      expect(text).toBe(text.trim());
      expect(text).not.toBe('');
    }
    const { lines, things, threads, choices, facts, care, said } = file;
    for (const text of listTexts([lines, things, threads, choices, facts, care, said] as Json[]))
      for (const [, slot = ''] of text.matchAll(/(?<!\\p)\{(\w+)\}/g))
        expect(SLOTS).toContain(slot.toLowerCase());
  });

  test('every text occurs once in its list', () => {
    const { lines, threads, choices } = file;
    for (const list of [...Object.values(lines as object), threads, choices].map(listTexts))
      expect(new Set(list).size).toBe(list.length);
  });
});

describe.each(CODES)('replies in %s', (code) => {
  const turns = listTurns(code);
  const agreement = turns[8] ?? '';
  const questions = turns.slice(2, -1).filter((text) => !text.startsWith('*'));
  const long = [...turns, ...questions, '…', agreement, agreement, agreement];
  const replies = generateReplies(MAREN, long, 4);

  test('every reply uses the script and the language of the user', () => {
    for (const text of replies) {
      const letters = text.replaceAll('Maren', '').match(/\p{L}/gu)?.length ?? 0;
      const own = text.match(SCRIPTS[code] ?? /\p{Script=Latin}/gu)?.length ?? 0;
      expect(own / letters).toBeGreaterThan(0.9);
    }
    expect(detectLanguage(replies.join('\n'))).toBe(code);
  });

  test('no sentence is repeated within twenty turns, whether the user says much or little', () => {
    const short = [...turns.slice(0, 2), ...Array.from({ length: 18 }, () => agreement)];
    for (const seed of [1, 2, 3]) {
      expect(findRepeatedSentences(generateReplies(MAREN, long, seed))).toEqual([]);
      expect(findRepeatedSentences(generateReplies(MAREN, short, seed))).toEqual([]);
    }
  });

  test('the replies name objects of the scene', () => {
    const objects = ['lamp', 'door', 'sea'].flatMap((key) => LANGUAGES[code]?.things[key]?.lines ?? []);
    const named = objects.filter((line) => replies.slice(0, 5).join('\n').includes(line.replace(/。$/, '')));
    expect(named.length).toBeGreaterThan(0);
  });

  test('the character recalls the name of the user', () => {
    expect(replies[turns.length - 1]).toContain(NAMES[code] ?? 'Mira');
  });

  test('a message without words is answered in the language of the character', () => {
    const messages: Message[] = buildRolePrompt({
      ...MAREN,
      traits: '',
      tagline: '',
      first: replies[0] ?? '',
    });
    const text = reply([...messages, { role: 'user', content: '…' }], makeRandom(1));
    expect(text.match(SCRIPTS[code] ?? /\p{Script=Latin}/gu)?.length ?? 0).toBeGreaterThan(8);
  });

  test('memory notes are in the language of the conversation and the character recalls them', () => {
    const [, introduction = '', , , , fear = '', , liking = ''] = turns;
    const history = [introduction, `${fear} ${liking}`].map((content, index) => ({
      id: `m${index}`,
      versionId: `v${index}`,
      role: 'user' as const,
      name: null,
      content,
    }));
    const names = { user: 'Anouk', char: 'Maren' };
    const notes = parseNotes(answer(buildNotesPrompt(history, [], names), makeRandom(1)), false) ?? '';
    expect(notes).toContain('Anouk');
    expect(notes).toContain(NAMES[code] ?? 'Mira');
    const [system, first] = buildRolePrompt(MAREN, 'Anouk') as [Message, Message];
    const quoted = (LANGUAGES[code]?.said ?? '').replace('{who}', 'Anouk').replace('{echo}', introduction);
    const content = `${system.content}\n\n# What happened so far\n- ${quoted} ${notes}`;
    const recalled = reply(
      [{ role: 'system', content }, first, { role: 'user', content: turns.at(-1) ?? '' }],
      makeRandom(1),
    );
    expect(recalled).toContain(NAMES[code] ?? 'Mira');
  });
});
