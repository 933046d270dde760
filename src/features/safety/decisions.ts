import { memoizeLru } from '../../lib/memoize-lru.ts';
import { hasChild, hasPartner, hasRelative, hasYoungPerson, readAges, stripChildren } from './ages.ts';
import { createScores, mergeMaxScores, type Scores } from './classifier.ts';
import { classifier } from './weights.ts';

/**
 * What the scores of the text classifier lead to, for each use. A helpline that is shown once too often is harmless, a
 * refusal is not, so each use has its own threshold. Pure.
 */

/** What a text may show that a person needs help with. */
export type CrisisKind = 'suicide' | 'self_harm' | 'harm_to_others';

/** Log-odds, as `Scores` has them; docs/safety-model.md has what each of them costs and finds. */
export const THRESHOLDS = {
  /** A person's own message: the helplines are shown. */
  crisis: { suicide: 1.4, self_harm: 1.8, threat: 2.75 },
  /** A reply, or what is published, urges its reader to die or to hurt themself. */
  encouragement: 3.15,
  /** The same while the person may need help. */
  encouragementInCrisis: 0.5,
  /** That much more where a text is a word alone, which shows little. */
  loneWord: 1.5,
  /** From here on a reply's sentence is not shown before it is over. */
  suspicion: 0,
  /** Sexual by itself: in the competition, and for the hint to mark a character as one for adults. */
  sexual: 1.5,
  /** Sexual in a story with a minor in it. */
  sexualInStory: 2.3,
  /** Sexual in the clause that names a child. */
  sexualWithChild: 3,
  /** Sexual next to the age of a relative. */
  sexualNearRelative: 1,
  /** Sexual in the passage that says that a minor is present, where it has two sentences. */
  sexualNearMinor: -0.3,
  /** A minor is present, in the passage that is sexual. */
  minor: 0.3,
  /** The same in what else is known; that is long, and says many things. */
  minorInStory: 0.5,
  /** That much more where the sentence gives an adult's age. */
  beyondAdultAge: 6,
  /** That much more where the sentence has a number that may be an adult's age, or says how long something lasts. */
  beyondAdultNumber: 2.5,
  /** That much more where the sentence names a relative. */
  beyondRelative: 2.5,
  /** Somebody in what is published for adults is a minor. */
  minorCharacter: 1.35,
} as const;

/** In UTF-16 units, and in sentences: an age holds for that much of a text before and after it. */
const MAX_PASSAGE_CHARS = 600;
const MAX_PASSAGE_SENTENCES = 24;
/** In UTF-16 units: no definition is longer, and a text without an end is not read to its end. */
const MAX_TEXT_CHARS = 600_000;

/** The same text is asked about in several ways, one right after the other. */
const readSentences = memoizeLru(4, (text): readonly ScoredSentence[] =>
  classifier.sentences(text.slice(0, MAX_TEXT_CHARS)),
);

/** The highest scores of any of its sentences. */
function computeMaxScores(text: string): Scores {
  const scores = createScores();
  for (const one of readSentences(text)) mergeMaxScores(scores, one.scores);
  return scores;
}

const SEVERAL_WORDS = /[\p{L}\p{M}][^\p{L}\p{M}\p{N}]+\p{L}|[\u3041-\u30fe\u3400-\u9fff]{3}/u;

/** By how much more a text has to be over a threshold because it is a word alone. */
const computeLoneWordMargin = (text: string): number => (SEVERAL_WORDS.test(text) ? 0 : THRESHOLDS.loneWord);

/* ---- Crises ---- */

/** No quotation has its own opening sign in it: a run of those is read once. */
const QUOTED = /"[^"\n]*"|“[^“”\n]*”|„[^„”“"\n]*[”“"]|«[^«»\n]*»|「[^「」\n]*」|『[^『』\n]*』/g;
/** A line of dialogue behind a dash, up to the dash behind which the narrator goes on. */
const DIALOGUE = /^[ \t]*[—–][^—–\n]*/gm;
const ACTION = /\*([^*\n]+)\*/g;

/** What precedes an action of one word, such as "*sighs*": nothing, or the end of a sentence. */
const SENTENCE_START = /(?:^|[.!?…。！？\n])\s*$/u;

/** An emphasised word stays; an action of several words is the character's. */
const isAction = (inside: string): boolean =>
  / /.test(inside.trim()) || /[\p{Script=Han}\p{Script=Hiragana}]{4}/u.test(inside);

const stripActions = (text: string): string =>
  text.replace(ACTION, (_, inside: string, at: number) =>
    isAction(inside) || SENTENCE_START.test(text.slice(Math.max(0, at - 3), at)) ? '\n' : inside,
  );
const stripSpeech = (text: string): string => text.replace(QUOTED, '\n').replace(DIALOGUE, '\n');

/** "This is not a story", "I mean it": what characters say is the person's own then. */
const SINCERITY_PHRASES =
  /(?<!\p{L})(?:not (?:a )?(?:role ?play|rp|story|fiction|game|acting)|out of (?:character|rp)|ooc|for real|i mean it|irl|this is (?:really )?me|kein (?:rollenspiel|rp|spiel)|im ernst|wirklich ich|no es (?:un )?(?:juego|rol|ficci[oó]n|historia)|de verdad|en serio|(?:pas|plus) (?:un|du) (?:jeu|rp|r[oô]le)|pour de vrai|s[eé]rieusement|non [eè] (?:un )?(?:gioco|gdr|storia|finzione)|sul serio|davvero io|n[aã]o [eé] (?:um )?(?:jogo|rp|rpg|hist[oó]ria|fic[cç][aã]o)|a s[eé]rio|de verdade|не (?:ролевая|игра|ролка|рп|история)|серь[её]зно|по-настоящему|правда я|to nie (?:gra|rp|fabuła|historia|zabawa)|na serio|naprawdę|bukan (?:roleplay|rp|cerita|main-?main|permainan)|serius|beneran|ye (?:kahani|roleplay|rp) nahi|sach me[in]?)(?!\p{L})|यह (?:कहानी|रोलप्ले|खेल) नहीं|सच में|不是(?:角色扮演|故事|演戏|开玩笑|游戏)|我是认真的|真的是我|(?:ロールプレイ|お話|演技|冗談|ゲーム)(?:じゃ|では)な|本気(?:です|だ|で)|リアル(?:の話|に)/iu;

/** A message without what it has characters do and say, unless its writer says that they mean it. */
export function extractOwnWords(text: string): string {
  if (SINCERITY_PHRASES.test(text)) return text.replaceAll('*', ' ');
  const spoken = stripActions(text);
  const own = stripSpeech(spoken);
  // A message that is nothing but a quotation is the writer's.
  return /\p{L}/u.test(own) || spoken !== text ? own : text;
}

/**
 * By how much the strongest sentence of a text has to be stronger than a single one: the more sentences there are,
 * the likelier it is that one of them looks like something by chance. The chance grows with their number, so the odds have
 * to; from the eighth sentence on no more, so that a long letter is not ignored.
 */
function computeChanceMargin(text: string): number {
  const sentences = readSentences(text).filter(({ sentence }) => sentence.trim() !== '').length;
  return Math.log(Math.max(1, Math.min(8, sentences)));
}

/** Whether a person's own message speaks of ending their life, of hurting themself, or of hurting real people. */
export function findCrisis(message: string): CrisisKind | null {
  const own = extractOwnWords(message);
  const scores = computeMaxScores(own);
  const chance = computeChanceMargin(own) + computeLoneWordMargin(own);
  const { suicide, self_harm, threat } = THRESHOLDS.crisis;
  const over = { suicide: scores.suicide - suicide, self_harm: scores.self_harm - self_harm };
  if (over.suicide >= chance || over.self_harm >= chance)
    return over.suicide >= over.self_harm ? 'suicide' : 'self_harm';
  return scores.threat - threat >= chance ? 'harm_to_others' : null;
}

/* ---- Encouragement ---- */

/**
 * From which score on a text urges its reader to die or to hurt themself.
 * @param inCrisis whether the reader may need help
 */
export const findEncouragementThreshold = (text: string, inCrisis: boolean): number =>
  inCrisis ? THRESHOLDS.encouragementInCrisis : THRESHOLDS.encouragement + computeLoneWordMargin(text);

/** Whether a text urges its reader to die or to hurt themself. @param inCrisis whether the reader may need help */
export const isEncouraging = (text: string, inCrisis: boolean): boolean =>
  computeMaxScores(text).encouragement >= findEncouragementThreshold(text, inCrisis);

/* ---- Minors ---- */

/** What ends a name and is an age: "Lily, 14", "Lily (15)". Numbered names, as copies have them, are no ages. */
const NAMED_AGE = /(?:[,;|/·、，]\s*(?:1[0-7]|[3-9])|[([（【]\s*1[0-7])\s*[)\]）】]?\s*$/u;
/** In UTF-16 units: what is longer is no name. */
const MAX_NAME_CHARS = 60;

/** A name in a form in which its age is read as one. */
export function describeName(name: string): string {
  const plain = name.normalize('NFKC');
  return NAMED_AGE.test(plain) ? `${name}, age: ${/\d+(?=\D*$)/.exec(plain)?.[0] ?? ''}.` : name;
}

/** A sentence that was read; whether a minor is in it is looked up once, when it counts. */
interface ScoredSentence {
  sentence: string;
  scores: Scores;
  /** How sexual it is, with any person in it. */
  sexual?: number;
  minor?: 'age' | 'words' | null;
}

/** A code behind a name: hexadecimal digits. */
const CODE = /(?<![\p{L}\p{N}])[0-9a-f]{6,}(?![\p{L}\p{N}])/giu;

/** From 18 to 99. */
const ADULT_NUMBER = /(?<!\d)(?:1[89]|[2-9]\d)(?!\d)/;

/** Without any such word a sentence is made of signs and numbers. */
const WORD = /[\p{L}\p{M}]{3}|[\u3041-\u30fe\u3400-\u9fff]/u;

/** How a sentence says that a minor is present: by an age, in other words, or not at all. */
function detectMinor(read: ScoredSentence): 'age' | 'words' | null {
  if (read.minor === undefined) read.minor = detectMinorAbove(read, THRESHOLDS.minor);
  return read.minor;
}

/** Whether a sentence says so surely enough to count in the whole story. */
const isMinorInContext = (read: ScoredSentence): boolean =>
  detectMinor(read) === 'age' ||
  (detectMinor(read) !== null && detectMinorAbove(read, THRESHOLDS.minorInStory) !== null);

/**
 * What drawn children are called where they are drawn for adults. A Spanish woman may be called Loli, so with a capital it
 * counts in a tag of two words alone; ロリ is a part of Florida, 正太 of a man's name.
 */
const DRAWN_CHILD =
  /(?<!\p{L})(?:loli|shota)(?:s|con)?(?!\p{L})|(?<!\p{L})(?:лоли|шота)(?!\p{L})|^\P{L}*(?:Loli|LOLI|Shota|SHOTA)\s+\S+$|(?<![\u30a1-\u30fc])(?:ロリ|ショタ)(?:(?![\u30a1-\u30fc])|コン)|[萝蘿]莉|正太(?!郎)/u;

function detectMinorAbove({ sentence, scores }: ScoredSentence, threshold: number): 'age' | 'words' | null {
  if (DRAWN_CHILD.test(sentence)) return 'words';
  const ages = readAges(sentence);
  if (ages.includes('present')) return 'age';
  // An age of a relative or of the past is of no one else, and a person called grown up has to look more like a child.
  if (ages.includes('relative') || ages.includes('past')) return null;
  if (scores.minor < threshold) return null;
  // A name alone says nothing of an age, nor does one with a code behind it.
  const plain = sentence.replace(CODE, '');
  if (!WORD.test(plain) || !SEVERAL_WORDS.test(plain)) return null;
  const beyond = Math.max(
    ages.includes('adult') ? THRESHOLDS.beyondAdultAge : 0,
    ages.includes('duration') || ADULT_NUMBER.test(plain) ? THRESHOLDS.beyondAdultNumber : 0,
    hasRelative(sentence) ? THRESHOLDS.beyondRelative : 0,
  );
  // By itself, because the sentence before may give an adult's age.
  return classifier.classify(plain).minor < threshold + beyond ? null : 'words';
}

/** Parts "we had sex" from "and put the kids to bed", "when the kids slept": without it, it is the kids who do. */
const CLAUSES =
  /[,;:،，、–—()]|(?<!\p{L})(?:and|then|so|when|while|after|before|once|und|dann|als|während|nachdem|sobald|y|luego|cuando|mientras|et|puis|quand|lorsque|pendant|e|poi|quando|mentre|depois|enquanto|и|потом|когда|пока|potem|gdy|kiedy|dan|lalu|waktu|ketika|saat|setelah|और|फिर|जब|तो)(?!\p{L})|てから|た(?:後|あと|時|とき)|間に/u;

/** A piece of a sentence has to be that much more sexual than a whole one. */
const PIECE_MARGIN = 2.5;

/** How sexual a text is without its words for children and ages. */
function scoreWithoutChildren(text: string): number {
  const [whole = '', ...pieces] = stripChildren(text);
  const score = (piece: string) => classifier.classify(piece).sexual;
  return Math.max(score(whole), ...pieces.map((piece) => score(piece) - PIECE_MARGIN));
}

/** How sexual a sentence is, with any person in it. */
const scoreSentence = ({ sentence, scores }: ScoredSentence): number =>
  hasChild(sentence) || readAges(sentence).length > 0
    ? Math.max(scores.sexual, scoreWithoutChildren(sentence))
    : scores.sexual;

/** Whether a sexual clause has a child in it. */
const hasChildInAct = (sentence: string): boolean =>
  sentence
    .split(CLAUSES)
    .some((clause) => hasYoungPerson(clause) && scoreWithoutChildren(clause) >= THRESHOLDS.sexualWithChild);

/**
 * Whether one of two sentences gives the age of a relative, one is sexual, and neither names an adult partner, as this does:
 * "My son is nine. My husband and I had sex."
 */
const isActWithRelative = (read: readonly ScoredSentence[]): boolean =>
  read.some((one) => (one.sexual ?? one.scores.sexual) >= THRESHOLDS.sexualNearRelative) &&
  read.some(({ sentence }) => readAges(sentence).includes('relative')) &&
  !read.some(({ sentence }) => hasPartner(sentence));

/** What is known about a text, such as a character's definition. */
export interface ContextSigns {
  minor: boolean;
  sexual: boolean;
}

/** Reads the sentences of a text in their order and says with which one it becomes sexual with a minor. */
export class MinorsReader {
  readonly #around: ContextSigns;
  readonly #isMinorPresent: () => boolean;
  /** The last sentences, as far as one passage goes back. */
  readonly #recent: ScoredSentence[] = [];
  /** What was read before those: an age that was said once holds for what follows. */
  readonly #earlier: ScoredSentence[] = [];
  #isPresent: boolean | null = null;

  /** @param isMinorPresent whether anything else says that a minor is present; asked where a text is sexual */
  constructor(around: ContextSigns, isMinorPresent: () => boolean = () => false) {
    this.#around = around;
    this.#isMinorPresent = isMinorPresent;
  }

  /** @returns whether the text is to be refused with this sentence */
  read(sentence: string, scores: Scores): boolean {
    const sexual = scoreSentence({ sentence, scores });
    this.#recent.push({ sentence, scores, sexual });
    let length = this.#recent.reduce((sum, one) => sum + one.sentence.length, 0);
    while (
      this.#recent.length > MAX_PASSAGE_SENTENCES ||
      (this.#recent.length > 1 && length - (this.#recent[0]?.sentence.length ?? 0) > MAX_PASSAGE_CHARS)
    ) {
      const oldest = this.#recent.shift() as ScoredSentence;
      this.#earlier.push(oldest);
      length -= oldest.sentence.length;
    }
    // Two sentences say who a person is and what happens; of more, any two may look like it by chance. What is sexual
    // beyond doubt is refused however many sentences stand between.
    const chance = 2 * Math.log(Math.max(1, this.#recent.length / 2));
    const threshold = Math.min(THRESHOLDS.sexualNearMinor + chance, THRESHOLDS.sexualInStory);
    const most = Math.max(...this.#recent.map((one) => one.sexual ?? one.scores.sexual));
    if (most >= threshold && this.#recent.some((one) => detectMinor(one) !== null)) return true;
    if (this.#around.sexual && isMinorInContext(this.#recent.at(-1) as ScoredSentence)) return true;
    if (sexual >= THRESHOLDS.sexualWithChild && hasChildInAct(sentence)) return true;
    if (isActWithRelative(this.#recent.slice(-2))) return true;
    return sexual >= THRESHOLDS.sexualInStory && this.#isMinorKnown();
  }

  /** Whether a sexual sentence would be refused now. */
  canRefuse(): boolean {
    return this.#recent.some((one) => detectMinor(one) !== null) || this.#isMinorKnown();
  }

  #isMinorKnown(): boolean {
    this.#isPresent ??= this.#around.minor || this.#isMinorPresent();
    // Each sentence is looked at once.
    while (!this.#isPresent && this.#earlier.length > 0)
      this.#isPresent = detectMinor(this.#earlier.pop() as ScoredSentence) === 'age';
    return this.#isPresent;
  }
}

/** A text is read word by word, each time with the same definition: those of the latest stories are read once. */
export const readContextSigns = memoizeLru(16, (context): ContextSigns => {
  const { minor, sexual } = countSigns(context);
  return { minor: minor > 0, sexual: sexual > 0 };
});

/** In how many sentences a text says that a minor is present, and in how many it is sexual. */
export function countSigns(text: string): { minor: number; sexual: number } {
  const signs = { minor: 0, sexual: 0 };
  for (const one of readSentences(text)) {
    if (one.scores.sexual >= THRESHOLDS.sexualInStory) signs.sexual += 1;
    if (isMinorInContext(one)) signs.minor += 1;
  }
  return signs;
}

/** Whether a text says that a minor is present. */
export const hasMinor = (text: string): boolean => countSigns(text).minor > 0;

/**
 * Whether a text is sexual and a minor is present: said in the same passage, or known from around it.
 * @param context what is known about the text, such as a character's definition
 * @param isMinorPresent whether anything else says that a minor is present; asked where the text is sexual
 */
export function isSexualWithMinor(text: string, context = '', isMinorPresent?: () => boolean): boolean {
  const reader = new MinorsReader(readContextSigns(context), isMinorPresent);
  return readSentences(text).some(({ sentence, scores }) => reader.read(sentence, scores));
}

/**
 * Whether a definition says that a person whom its reader may meet is a minor. It is stricter than the check of an act:
 * an author who writes for adults can leave an age out, and what was said cannot be taken back.
 */
export function hasMinorCharacter(definition: string): boolean {
  if (definition.length <= MAX_NAME_CHARS && NAMED_AGE.test(definition.normalize('NFKC'))) return true;
  return readSentences(definition).some((one) => detectMinorAbove(one, THRESHOLDS.minorCharacter) !== null);
}

/* ---- Sexual texts ---- */

/** The sentences of a text that are sexual by themselves. */
export const findSexualSentences = (text: string): string[] =>
  readSentences(text)
    .map(({ sentence }) => sentence.trim())
    .filter((sentence) => classifier.classify(sentence).sexual >= THRESHOLDS.sexual);
