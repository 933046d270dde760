// Over 400 lines on purpose: all thresholds and the rules that use them are read together.
import { memoizeLru } from '../../lib/memoize-lru.ts';
import { stripAdditions } from './additions.ts';
import {
  hasAdultStatement,
  hasChild,
  hasPartner,
  hasRelative,
  hasSexualAct,
  hasTeacher,
  hasYoungPerson,
  hasYoungWord,
  readAges,
  stripChildren,
  stripNumbers,
} from './ages.ts';
import { createScores, mergeMaxScores, type Scores } from './classifier.ts';
import { LABELS } from './labels.ts';
import { normalizeText } from './text-features.ts';
import { classifier } from './weights.ts';

/**
 * Turns classifier scores into decisions. Each use has its own threshold, because showing a helpline once too often is
 * harmless and a wrong refusal is not. Pure.
 */

/** The kinds of crisis in which a user needs help. */
export type CrisisKind = 'suicide' | 'self_harm' | 'harm_to_others';

/** Log-odds, like `Scores`. docs/tables/safety-figures.md has the error rates of each. */
export const THRESHOLDS = {
  /** In a user's message: show the helplines. */
  crisis: { suicide: 1.4, self_harm: 1.8, threat: 2.8 },
  /** Added for a sentence with a laugh, which may mean that it is a joke. */
  beyondLaugh: 0.8,
  /** A reply or a publication urges its reader to suicide or self-harm. */
  encouragement: 3.15,
  /** The same while the user may need help. */
  encouragementInCrisis: 0.5,
  /** Added for a text of a single word, which is weak evidence. */
  loneWord: 1.5,
  /** From this score a sentence of a reply is held back until it is complete. */
  suspicion: 0,
  /** Sexual on its own: for the competition, and for the hint to mark a character as adult. */
  sexual: 1.5,
  /** Sexual in a conversation with a minor. */
  sexualInStory: 2.3,
  /** Below this a sentence is not searched for the words of an act, which takes longer than its score. */
  sexualForAct: -5,
  /** Sexual in the clause that mentions a child. */
  sexualWithChild: 3,
  /** Sexual next to the age of a relative. */
  sexualNearRelative: 1,
  /**
   * Sexual in the passage with a minor, by how a sentence shows the minor; the values for one other sentence. Harmless
   * texts state ages more often than they have words for a child that the classifier is sure of.
   */
  sexualNearMinor: { age: 0.15, words: -0.3, narrated: 1.2 },
  /** Added for a long sentence that shows the minor: stories mention an age along the way; "She is 15." states it. */
  beyondMention: 0.3,
  /** By this much a crisis may exceed the sexual score of a sexual sentence. */
  crisisBeyondSexual: 0.5,
  /** A minor is present, in a sexual passage. */
  minor: 0.3,
  /** A minor is present, in the context. Stricter, because the context is long and covers many subjects. */
  minorInStory: 0.5,
  /** Added when the sentence states an adult's age, or that someone is of age. */
  beyondAdultAge: 6,
  /** Added when the sentence contains a number that may be an adult's age, or a duration. */
  beyondAdultNumber: 2.5,
  /** Added when the sentence mentions a relative, or has a word about adults that sounds young and no child. */
  beyondRelative: 2.5,
  /** Added when the sentence mentions a teacher and no child. */
  beyondTeacher: 4,
  /** A character in an adult publication is a minor. */
  minorCharacter: 1.35,
} as const;

/** Below this no sentence is refused for a minor in its passage. */
export const MIN_SEXUAL_NEAR_MINOR = Math.min(...Object.values(THRESHOLDS.sexualNearMinor));

/** UTF-16 units and sentences: an age applies to this much text before and after it. */
const MAX_PASSAGE_CHARS = 600;
const MAX_PASSAGE_SENTENCES = 24;
/** UTF-16 units; longer than any definition, and a bound for texts of any length. */
const MAX_TEXT_CHARS = 600_000;

/** Callers ask several questions about the same text in a row. */
const readSentences = memoizeLru(4, (text): readonly ScoredSentence[] =>
  classifier.sentences(text.slice(0, MAX_TEXT_CHARS)),
);

/** The highest scores over all sentences. */
function computeMaxScores(text: string): Scores {
  const scores = createScores();
  for (const one of readSentences(text)) mergeMaxScores(scores, one.scores);
  return scores;
}

const SEVERAL_WORDS = /[\p{L}\p{M}][^\p{L}\p{M}\p{N}]+\p{L}|[\u3041-\u30fe\u3400-\u9fff]{3}/u;

/** The additional score required of a text of a single word. */
const computeLoneWordMargin = (text: string): number => (SEVERAL_WORDS.test(text) ? 0 : THRESHOLDS.loneWord);

/* ---- Crises ---- */

/** Quotations exclude their own opening mark, so that a run of marks is scanned once. */
const QUOTED = /"[^"\n]*"|“[^“”\n]*”|„[^„”“"\n]*[”“"]|«[^«»\n]*»|「[^「」\n]*」|『[^『』\n]*』/g;
/** Dialogue after a dash, up to the dash at which narration resumes. */
const DIALOGUE = /^[ \t]*[—–][^—–\n]*/gm;
const ACTION = /(?<!\*)\*(?!\*)([^*\n]+)\*(?!\*)/g;
/** The marks of actions and speech; without them, each is a sentence of its own. */
const MARKS = /[*"“”„«»「」『』]/g;

/** What precedes a one-word action such as "*sighs*": the start of the text or the end of a sentence. */
const SENTENCE_START = /(?:^|[.!?…。！？\n])\s*$/u;

/** One emphasised word belongs to the writer; several words are an action of the character. */
const isAction = (inside: string): boolean =>
  / /.test(inside.trim()) || /[\p{Script=Han}\p{Script=Hiragana}]{4}/u.test(inside);

const stripActions = (text: string): string =>
  text.replace(ACTION, (_, inside: string, at: number) =>
    isAction(inside) || SENTENCE_START.test(text.slice(Math.max(0, at - 3), at)) ? '\n' : inside,
  );
const stripSpeech = (text: string): string => text.replace(QUOTED, '\n').replace(DIALOGUE, '\n');

/** Phrases such as "This is not a story" or "I mean it": the message then speaks for the user. */
const SINCERITY_PHRASES =
  /(?<!\p{L})(?:not (?:a )?(?:role ?play|rp|story|fiction|game|acting)|out of (?:character|rp)|ooc|for real|i mean it|i am serious|i'm serious|im serious|irl|this is (?:really )?me|kein (?:rollenspiel|rp|spiel)|im ernst|wirklich ich|no es (?:un )?(?:juego|rol|ficci[oó]n|historia)|de verdad|en serio|(?:pas|plus) (?:un|du) (?:jeu|rp|r[oô]le)|pour de vrai|s[eé]rieusement|non [eè] (?:un )?(?:gioco|gdr|storia|finzione)|sul serio|davvero io|n[aã]o [eé] (?:um )?(?:jogo|rp|rpg|hist[oó]ria|fic[cç][aã]o)|a s[eé]rio|de verdade|не (?:ролевая|игра|ролка|рп|история)|серь[её]зно|по-настоящему|правда я|to nie (?:gra|rp|fabuła|historia|zabawa)|na serio|naprawdę|bukan (?:roleplay|rp|cerita|main-?main|permainan)|serius|beneran|ye (?:kahani|roleplay|rp) nahi|sach me[in]?)(?!\p{L})|यह (?:कहानी|रोलप्ले|खेल) नहीं|सच में|不是(?:角色扮演|故事|演戏|开玩笑|游戏)|我是认真的|真的是我|(?:ロールプレイ|お話|演技|冗談|ゲーム)(?:じゃ|では)な|本気(?:です|だ|で)|リアル(?:の話|に)/iu;

/** Removes actions and dialogue from a message, unless its writer says that they mean it. */
export function extractOwnWords(text: string): string {
  const spoken = stripActions(text);
  const own = stripSpeech(spoken);
  if (own !== text && SINCERITY_PHRASES.test(text)) return text.replaceAll(MARKS, '\n');
  // A message that consists only of a quotation is the writer's own.
  return /\p{L}/u.test(own) || spoken !== text ? own : text;
}

/**
 * The additional score required of the strongest sentence in a longer text, because with more sentences one is more
 * likely to match by chance. The required odds grow with the number of sentences, up to eight, so that long
 * letters still count.
 */
function computeChanceMargin(text: string): number {
  const sentences = readSentences(text).filter(({ sentence }) => SEVERAL_WORDS.test(sentence)).length;
  return Math.log(Math.max(1, Math.min(8, sentences)));
}

/** An emoji after a plain sentence hides from the classifier what its words say; those that laugh say that it is a joke. */
const EMOJI = /(?![😀-😆😂🤣😹💀])\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\ufe0f|\u200d)*/gu;

/** An id or a key: its letters are random and say nothing. */
const RANDOM_ID = /(?<![\p{L}\p{N}])(?=[a-z]{0,40}\d)[a-z\d]{16,}(?![\p{L}\p{N}])/giu;

/** The highest scores over the sentences of a text that have additions, without these. */
function scoreWithoutAdditions(text: string): Scores {
  const scores = createScores();
  for (const { sentence } of readSentences(text))
    for (const { text: bare, laughs } of stripAdditions(sentence)) {
      const margin = computeLoneWordMargin(bare) + (laughs ? THRESHOLDS.beyondLaugh : 0);
      const own = classifier.classify(bare);
      for (const label of LABELS) scores[label] = Math.max(scores[label], own[label] - margin);
    }
  return scores;
}

/** Whether a user's message expresses suicidal intent, self-harm, or a threat against real people. */
export function findCrisis(message: string): CrisisKind | null {
  const own = extractOwnWords(message).replace(RANDOM_ID, '').replace(EMOJI, '');
  const scores = computeMaxScores(own);
  mergeMaxScores(scores, scoreWithoutAdditions(own));
  const { suicide, self_harm, threat } = THRESHOLDS.crisis;
  const over = {
    suicide: scores.suicide - suicide,
    self_harm: scores.self_harm - self_harm,
    threat: scores.threat - threat,
  };
  if (Math.max(over.suicide, over.self_harm, over.threat) < 0) return null;
  const margin = computeChanceMargin(own) + computeLoneWordMargin(own);
  if (over.suicide >= margin || over.self_harm >= margin)
    return over.suicide >= over.self_harm ? 'suicide' : 'self_harm';
  return over.threat >= margin ? 'harm_to_others' : null;
}

/* ---- Encouragement ---- */

/**
 * The score from which a text counts as urging its reader to suicide or self-harm.
 * @param inCrisis whether the reader may need help
 */
export const findEncouragementThreshold = (text: string, inCrisis: boolean): number =>
  inCrisis ? THRESHOLDS.encouragementInCrisis : THRESHOLDS.encouragement + computeLoneWordMargin(text);

/** Whether a text urges its reader to suicide or self-harm. @param inCrisis whether the reader may need help */
export const isEncouraging = (text: string, inCrisis: boolean): boolean =>
  computeMaxScores(text).encouragement >= findEncouragementThreshold(text, inCrisis);

/* ---- Minors ---- */

/** An age at the end of a name: "Lily, 14", "Lily (15)". Numbered names, as given to copies, do not match. */
const NAMED_AGE = /(?:[,;|/·、，]\s*(?:1[0-7]|[3-9])|[([（【]\s*1[0-7])(?:\s*[)\]）】])?$/u;
/** UTF-16 units; longer texts are not names. */
const MAX_NAME_CHARS = 60;

/** Rewrites a name with an age so that the age parser recognises it. */
export function describeName(name: string): string {
  const plain = name.normalize('NFKC').trimEnd();
  return NAMED_AGE.test(plain) ? `${name}, age: ${/(?<!\d)\d+(?=\D*$)/.exec(plain)?.[0] ?? ''}.` : name;
}

/** A scored sentence; whether it contains a minor and whether it names a sexual act is computed once, on demand. */
interface ScoredSentence {
  sentence: string;
  scores: Scores;
  /** With the previous sentence, where the two belong together. */
  withBefore?: string;
  /** The evidence that it is sexual, with people and ages ignored (see `scoreSentence`). */
  sexual?: number;
  minor?: MinorSign;
  act?: boolean;
}

/** A sentence with the evidence that it is sexual. */
type WeighedSentence = ScoredSentence & { sexual: number };

/** How a sentence shows a minor: by an age, by an age in a story in the past tense, by other words, or not at all. */
type MinorSign = 'age' | 'narrated' | 'words' | null;

/** Hexadecimal digits after a name. */
const CODE = /(?<![\p{L}\p{N}])[0-9a-f]{6,}(?![\p{L}\p{N}])/giu;

const YEAR = /(?<!\d)(?:19|20)\d\d(?!\d)/g;

/** A number from 18 to 99. */
const ADULT_NUMBER = /(?<!\d)(?:1[89]|[2-9]\d)(?!\d)/;

/** Without any such word, a sentence consists of symbols and numbers. */
const WORD = /[\p{L}\p{M}]{3}|[\u3041-\u30fe\u3400-\u9fff]/u;

function detectMinor(read: ScoredSentence): MinorSign {
  if (read.minor === undefined) read.minor = detectMinorAbove(read, THRESHOLDS.minor);
  return read.minor;
}

/** Whether the sentence is clear enough to apply to the whole conversation. */
const isMinorInContext = (read: ScoredSentence): boolean =>
  detectMinor(read) === 'age' ||
  (detectMinor(read) === 'words' && detectMinorAbove(read, THRESHOLDS.minorInStory) !== null);

/**
 * Terms for drawn children in adult art. Loli is also a Spanish woman's name, so capitalised it counts only in a tag of
 * two words; ロリ is part of Florida, and 正太 of male names.
 */
const DRAWN_CHILD =
  /(?<!\p{L})(?:loli|shota)(?:s|con)?(?!\p{L})|(?<!\p{L})(?:лоли|шота)(?!\p{L})|^\P{L}*(?:Loli|LOLI|Shota|SHOTA)\s+\S+$|(?<![\u30a1-\u30fc])(?:ロリ|ショタ)(?:(?![\u30a1-\u30fc])|コン)|[萝蘿]莉|正太(?!郎)/u;

/** Reads other spellings too, where the sentence does not have the word, so that the name stays one. */
const isDrawnChild = (sentence: string): boolean =>
  DRAWN_CHILD.test(/loli/i.test(sentence) ? sentence : normalizeText(sentence));

function detectMinorAbove({ sentence, scores, withBefore }: ScoredSentence, threshold: number): MinorSign {
  if (isDrawnChild(sentence)) return 'words';
  const ages = readAges(withBefore ?? sentence);
  if (ages.includes('present')) return 'age';
  // An age of a relative or in the past shows no minor in the scene. A stated adult age raises the threshold below.
  if (ages.includes('relative') || ages.includes('past')) return null;
  if (ages.includes('narrated')) return 'narrated';
  if (scores.minor < threshold) return null;
  // A name alone, even with a code after it, shows no age. An adult's year of birth looks like a minor's.
  const coded = sentence.replace(CODE, '');
  const dated = ages.includes('adult') ? coded.replace(YEAR, '') : coded;
  // The number of a quantity looks like an age.
  const plain = ages.includes('duration') ? stripNumbers(dated) : dated;
  if (!WORD.test(plain) || !SEVERAL_WORDS.test(plain)) return null;
  const beyond = Math.max(
    ages.includes('adult') || hasAdultStatement(sentence) ? THRESHOLDS.beyondAdultAge : 0,
    ages.includes('duration') || ADULT_NUMBER.test(plain) ? THRESHOLDS.beyondAdultNumber : 0,
    hasRelative(sentence) ? THRESHOLDS.beyondRelative : 0,
    hasTeacher(sentence) && !hasChild(sentence) ? THRESHOLDS.beyondTeacher : 0,
    !hasChild(sentence) && hasYoungWord(sentence) ? THRESHOLDS.beyondRelative : 0,
  );
  // Score the sentence alone, because the previous sentence may state an adult's age.
  return classifier.classify(plain).minor < threshold + beyond ? null : 'words';
}

/**
 * Splits "we had sex" from "and put the kids to bed" or "when the kids slept", so that the kids do not count
 * as participants.
 */
const CLAUSES =
  /[,;:،，、–—()]|(?<!\p{L})(?:and|then|so|when|while|after|before|once|und|dann|als|während|nachdem|sobald|y|luego|cuando|mientras|et|puis|quand|lorsque|pendant|e|poi|quando|mentre|depois|enquanto|и|потом|когда|пока|potem|gdy|kiedy|dan|lalu|waktu|ketika|saat|setelah|और|फिर|जब|तो)(?!\p{L})|てから|た(?:後|あと|時|とき)|間に/u;

/** How much of the highest other alarming score the evidence loses, and the least such score that counts. */
const OTHER_LABELS = { share: 0.3, least: -2 };
/** What the evidence gains with each doubling of the number of letters, and the number at which it gains nothing. */
const LENGTH = { gain: 0.28, letters: 40 };

/** Counts UTF-16 units; an ideograph says as much as three letters. */
const countLetters = (text: string): number =>
  text.length + 2 * (text.match(/[\u3041-\u9fff]/g)?.length ?? 0);

/**
 * The evidence that a text is sexual, in log-odds: its score, less for a text that is as alarming in other ways, and for
 * a short one, whose few features reach a score by chance.
 */
export function weighSexual(
  text: string,
  { sexual, suicide, self_harm, threat, encouragement }: Scores,
): number {
  const others = Math.max(OTHER_LABELS.least, suicide, self_harm, threat, encouragement);
  const length = Math.log2(Math.max(1, countLetters(text)) / LENGTH.letters);
  return sexual - OTHER_LABELS.share * others + LENGTH.gain * length;
}

/** Added for a piece of a sentence, compared with a whole one. */
const PIECE_MARGIN = 2.5;

/** The evidence that a text is sexual without its words for children and ages. */
function scoreWithoutChildren(text: string): number {
  const [whole = '', ...pieces] = stripChildren(text);
  const score = (piece: string) =>
    weighSexual(piece, classifier.classify(piece)) - computeLoneWordMargin(piece);
  return Math.max(score(whole), ...pieces.map((piece) => score(piece) - PIECE_MARGIN));
}

/** A word that contains a digit. */
const DIGIT = /\p{Nd}/u;
const WORD_WITH_DIGIT = /(?<!\p{L})\p{L}*\p{Nd}[\p{L}\p{Nd}]*/gu;

/**
 * Whether a sentence is about a crisis rather than sexual. Half of every score is how alarming a text is at all, so what
 * children write about suicide would count as sexual next to their age.
 */
const isMainlyCrisis = ({ suicide, self_harm, threat, sexual }: Scores): boolean =>
  Math.max(suicide, self_harm, threat) > sexual + THRESHOLDS.crisisBeyondSexual;

/**
 * The evidence that a sentence is sexual, independent of who is in it, and of codes such as those after copied names:
 * their features are random and could hide what the other words say.
 */
function scoreSentence({ sentence, scores }: ScoredSentence): number {
  if (isMainlyCrisis(scores)) return Number.NEGATIVE_INFINITY;
  const plain = DIGIT.test(sentence) ? sentence.replace(WORD_WITH_DIGIT, '') : sentence;
  return Math.max(
    weighSexual(sentence, scores),
    hasChild(sentence) || readAges(sentence).length > 0
      ? scoreWithoutChildren(sentence)
      : Number.NEGATIVE_INFINITY,
    plain === sentence ? Number.NEGATIVE_INFINITY : weighSexual(plain, classifier.classify(plain)),
  );
}

/** Whether a sexual clause mentions a child. */
const hasChildInAct = (sentence: string): boolean =>
  sentence
    .split(CLAUSES)
    .some((clause) => hasYoungPerson(clause) && scoreWithoutChildren(clause) >= THRESHOLDS.sexualWithChild);

/**
 * Whether two sentences state the age of a relative and contain a sexual act without an adult partner. "My son is nine.
 * My husband and I had sex." does not match.
 */
const isActWithRelative = (read: readonly WeighedSentence[]): boolean =>
  read.some(({ sexual }) => sexual >= THRESHOLDS.sexualNearRelative) &&
  read.some(({ sentence }) => readAges(sentence).includes('relative')) &&
  !read.some(({ sentence }) => hasPartner(sentence));

/** Sentences in which an age in the past tense belongs to the act. */
const MAX_NARRATED_SENTENCES = 3;

/** Letters; a longer sentence says more than who the minor is. */
const MAX_STATEMENT_LETTERS = 45;

/**
 * The evidence from which a passage is refused, by the clearest of its sentences that show a minor; infinite if none does.
 * An age in the past tense counts next to the act, unless the passage states an adult's age: "I was 14 when we met; now I
 * am 30" is a memory.
 */
function findPassageThreshold(recent: readonly ScoredSentence[]): number {
  const isMemory = () => recent.some(({ sentence }) => readAges(sentence).includes('adult'));
  const thresholds = recent.map((one, index) => {
    const sign = detectMinor(one);
    if (sign === null) return Infinity;
    if (sign === 'narrated' && (index < recent.length - MAX_NARRATED_SENTENCES || isMemory()))
      return Infinity;
    const isMention = countLetters(one.sentence) > MAX_STATEMENT_LETTERS;
    return THRESHOLDS.sexualNearMinor[sign] + (isMention ? THRESHOLDS.beyondMention : 0);
  });
  return Math.min(...thresholds);
}

/** Whether a passage shows a minor and has a sentence that is sexual enough. */
function isSexualNearMinor(recent: readonly WeighedSentence[]): boolean {
  const most = Math.max(...recent.map(({ sexual }) => sexual));
  if (most < MIN_SEXUAL_NEAR_MINOR) return false;
  // In a longer passage two sentences may combine by chance, so the threshold rises with the number of sentences besides
  // those that show the minor. A clearly sexual sentence is refused however long the passage is.
  const others = recent.filter((one) => one.sexual === most || detectMinor(one) === null).length;
  const chance = 2 * Math.log(others);
  const threshold = findPassageThreshold(recent);
  return most >= Math.min(threshold + chance, Math.max(threshold, THRESHOLDS.sexualInStory));
}

/** Whether a passage states the age of a minor who is present and names a sexual act, at any score. */
const hasAgeAndAct = (recent: readonly ScoredSentence[]): boolean =>
  // The act first: most passages have none, and it costs less to see.
  recent.some(detectAct) && recent.some((one) => detectMinor(one) === 'age');

function detectAct(read: ScoredSentence): boolean {
  const { sexual = read.scores.sexual, sentence } = read;
  read.act ??= sexual > THRESHOLDS.sexualForAct && hasSexualAct(sentence);
  return read.act;
}

/** Whether a sentence is refused when the conversation is known to have a minor in it. */
const isSexualInStory = (read: ScoredSentence): boolean =>
  (read.sexual ?? scoreSentence(read)) >= THRESHOLDS.sexualInStory || detectAct(read);

/** Signs found in the context of a text, such as a character's definition. */
export interface ContextSigns {
  minor: boolean;
  sexual: boolean;
}

/** A number with a full stop at the end of a sentence, which may be an ordinal: "14. Geburtstag". */
const ORDINAL_END = /(?<!\d)\d{1,2}\.\s?$/;
/** UTF-16 units of an answer to a question: "Her age? Fourteen." */
const MAX_ANSWER_CHARS = 20;

/** Whether an age may be split over two sentences. */
const isContinued = (before: string, sentence: string): boolean =>
  ORDINAL_END.test(before) || (sentence.length <= MAX_ANSWER_CHARS && /[?？]\s?$/.test(before));

/** Reads a text sentence by sentence and reports the sentence that makes it sexual with a minor. */
export class MinorsReader {
  readonly #around: ContextSigns;
  readonly #isMinorPresent: () => boolean;
  /** The sentences of the current passage. */
  readonly #recent: WeighedSentence[] = [];
  /** Older sentences: an age stated once applies to everything after it. */
  readonly #earlier: ScoredSentence[] = [];
  #isPresent: boolean | null = null;
  /** Whether the current passage shows a minor; null until it is asked for. */
  #isNear: boolean | null = null;

  /** @param isMinorPresent whether other sources show a minor; called only for sexual texts */
  constructor(around: ContextSigns, isMinorPresent: () => boolean = () => false) {
    this.#around = around;
    this.#isMinorPresent = isMinorPresent;
  }

  /** @returns whether to refuse the text at this sentence */
  read(sentence: string, scores: Scores): boolean {
    const sexual = scoreSentence({ sentence, scores });
    this.#isNear = null;
    const before = this.#recent.at(-1)?.sentence ?? '';
    this.#recent.push({
      sentence,
      scores,
      sexual,
      ...(isContinued(before, sentence) ? { withBefore: before + sentence } : {}),
    });
    let length = this.#recent.reduce((sum, one) => sum + one.sentence.length, 0);
    while (
      this.#recent.length > MAX_PASSAGE_SENTENCES ||
      (this.#recent.length > 1 && length - (this.#recent[0]?.sentence.length ?? 0) > MAX_PASSAGE_CHARS)
    ) {
      const oldest = this.#recent.shift() as WeighedSentence;
      this.#earlier.push(oldest);
      length -= oldest.sentence.length;
    }
    if (isSexualNearMinor(this.#recent)) return true;
    if (hasAgeAndAct(this.#recent)) return true;
    if (this.#around.sexual && isMinorInContext(this.#recent.at(-1) as ScoredSentence)) return true;
    if (sexual >= THRESHOLDS.sexualWithChild && hasChildInAct(sentence)) return true;
    if (isActWithRelative(this.#recent.slice(-2))) return true;
    return isSexualInStory(this.#recent.at(-1) as ScoredSentence) && this.#isMinorKnown();
  }

  /** Whether the current passage shows a minor. */
  isMinorNear(): boolean {
    return (this.#isNear ??= findPassageThreshold(this.#recent) < Infinity);
  }

  /** Whether a sexual sentence would be refused now. */
  canRefuse(): boolean {
    return this.isMinorNear() || this.#isMinorKnown();
  }

  #isMinorKnown(): boolean {
    this.#isPresent ??= this.#around.minor || this.#isMinorPresent();
    // Each earlier sentence is examined once.
    while (!this.#isPresent && this.#earlier.length > 0)
      this.#isPresent = detectMinor(this.#earlier.pop() as ScoredSentence) === 'age';
    return this.#isPresent;
  }
}

/** Cached because a text is checked word by word with the same definition. */
export const readContextSigns = memoizeLru(16, (context): ContextSigns => {
  const { minor, sexual } = countSigns(context);
  return { minor: minor > 0, sexual: sexual > 0 };
});

/** Counts the sentences that show a minor and those that are sexual. */
export function countSigns(text: string): { minor: number; sexual: number } {
  const signs = { minor: 0, sexual: 0 };
  for (const one of readSentences(text)) {
    if (one.scores.sexual >= THRESHOLDS.sexualInStory) signs.sexual += 1;
    if (isMinorInContext(one)) signs.minor += 1;
  }
  return signs;
}

/** Whether a text shows that a minor is present. */
export const hasMinor = (text: string): boolean => countSigns(text).minor > 0;

/** Whether a text is refused when the conversation is known to have a minor in it. */
export const isSexualWithKnownMinor = (text: string): boolean => readSentences(text).some(isSexualInStory);

/**
 * Whether a text is sexual while a minor is present, in the same passage or according to the context.
 * @param context related text, such as a character's definition
 * @param isMinorPresent whether other sources show a minor; called only for sexual texts
 */
export function isSexualWithMinor(text: string, context = '', isMinorPresent?: () => boolean): boolean {
  const reader = new MinorsReader(readContextSigns(context), isMinorPresent);
  return readSentences(text).some(({ sentence, scores }) => reader.read(sentence, scores));
}

/**
 * Whether a definition describes a minor whom its user may meet. Stricter than the check of acts: an author who writes
 * for adults can leave out an age, and a stated age cannot be taken back.
 */
export function hasMinorCharacter(definition: string): boolean {
  if (definition.length <= MAX_NAME_CHARS && NAMED_AGE.test(definition.normalize('NFKC').trimEnd()))
    return true;
  return readSentences(definition).some((one) =>
    ['age', 'words'].includes(detectMinorAbove(one, THRESHOLDS.minorCharacter) ?? ''),
  );
}

/* ---- Sexual texts ---- */

/** The sentences of a text that are sexual on their own. */
export const findSexualSentences = (text: string): string[] =>
  readSentences(text)
    .map(({ sentence }) => sentence.trim())
    .filter((sentence) => classifier.classify(sentence).sexual >= THRESHOLDS.sexual);
