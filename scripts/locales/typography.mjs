// Checks typography by language: quotation marks, spaces, punctuation, script. Plain JavaScript for Node 20.

/** Replaces a placeholder, which may be a word of any script. */
const PLACE = '\u{FFFC}';
const NO_BREAK = '\u{A0}\u{202F}';
const EAST_ASIAN = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー々〆';

/** Returns the prose of a text, without placeholders, tags and addresses. */
export function proseOf(text) {
  return text
    .replaceAll(/\{\{.*?\}\}|\$t\([^)]*\)/gs, PLACE)
    .replaceAll(/<\/?[a-z\d][^<>]*>/gi, '')
    .replaceAll(/https?:\/\/\S*[\p{L}\d/]|[\w.+-]+@[\w-]+\.[\w.-]*\w/gu, PLACE);
}

/** Whether paired marks are unclosed, or closed before they are opened. */
function unpaired(text, open, close) {
  let depth = 0;
  for (const c of text) {
    if (c === open) depth += 1;
    else if (c === close) depth -= 1;
    if (depth < 0) return true;
  }
  return depth !== 0;
}

/** Creates a rule from the pattern of an error and a description of it. */
const rule = (pattern, what) => ({ finds: (text) => new RegExp(pattern, 'u').test(text), what });
const pair = (open, close, what = `${open} and ${close} do not match`) => ({
  finds: (text) => unpaired(text, open, close),
  what,
});
const never = (characters, what) => rule(`[${characters}]`, what);

/** The description of straight quotation marks, which English posts may have. */
export const STRAIGHT_QUOTES = 'a straight quotation mark';
/** The description of three dots, which English error messages may have: docs/product.md gives one its wording. */
export const THREE_DOTS = 'three dots: write …';

const EVERYWHERE = [
  rule('^\\s|\\s$', 'a blank at its beginning or end'),
  rule(`[ ${NO_BREAK}]{2}|\\t`, 'two blanks together, or a tab'),
  rule('\\.\\.\\.', THREE_DOTS),
  rule('"', STRAIGHT_QUOTES),
  rule(' - ', 'a hyphen between blanks: write the dash of the language'),
  // The soft hyphen is allowed: it marks where a word too long for a phone may break.
  rule('[\\u{200B}\\u{2060}\\u{FEFF}]', 'an invisible character'),
];

/** A rule for every language except English, where the straight apostrophe is the product's style. */
const NO_STRAIGHT_APOSTROPHE = rule(
  "'",
  'a straight apostrophe or quotation mark: write ’ or the language’s own',
);
const NO_BLANK_BEFORE = rule(` [,.;:!?](?![\\p{L}\\d])`, 'a blank before a punctuation mark');
const LATIN_SINGLE = [NO_STRAIGHT_APOSTROPHE, NO_BLANK_BEFORE];
const CURLY = [pair('“', '”'), never('„', '„ is not a mark of this language')];
const GUILLEMETS_OR_CURLY = [pair('«', '»'), ...CURLY, rule('« | »', 'a blank inside « »')];

/** Rules for full-width punctuation next to Chinese characters or kana. */
const FULL_WIDTH = [
  NO_STRAIGHT_APOSTROPHE,
  rule(`(?<=[${EAST_ASIAN}${PLACE}）」』”’])[,.!?;:]`, 'half-width punctuation: write ，、。！？；：'),
  rule(`(?<=[A-Za-z])[,!?;](?= ?[${EAST_ASIAN}])`, 'half-width punctuation: write ，、。！？；：'),
  rule(
    `(?<=[${EAST_ASIAN}])\\(|\\((?=[${EAST_ASIAN}])|(?<=[${EAST_ASIAN}])\\)`,
    'half-width brackets: write （ ）',
  ),
  rule(
    `(?<=[${EAST_ASIAN}、。，！？；：「」『』（）]) (?=[${EAST_ASIAN}、。，！？；：「」『』（）])`,
    'a blank inside the text',
  ),
  rule('[\\u{FF01}\\u{FF0C}\\u{FF1A}\\u{FF1B}\\u{FF1F}、。] ', 'a blank after full-width punctuation'),
];

/** Russian words with a Latin letter, or Latin words with a Russian one. */
const MIXED_WORD = rule(
  '\\p{Script=Cyrillic}\\p{Script=Latin}|\\p{Script=Latin}\\p{Script=Cyrillic}',
  'a word of Latin and Cyrillic letters mixed',
);

const BY_LANGUAGE = {
  en: [pair('“', '”'), never('„«»', 'quotation marks are “…” here'), NO_BLANK_BEFORE],
  es: [
    ...LATIN_SINGLE,
    ...GUILLEMETS_OR_CURLY,
    { finds: (text) => count(text, '?') !== count(text, '¿'), what: '¿ and ? do not match' },
    { finds: (text) => count(text, '!') !== count(text, '¡'), what: '¡ and ! do not match' },
  ],
  fr: [
    NO_STRAIGHT_APOSTROPHE,
    pair('«', '»'),
    pair('“', '”'),
    never('„', '„ is not a mark of this language'),
    rule(
      `(?<=[^${NO_BREAK}?!…(])(?:[?!;»]|:(?![\\p{L}\\d/]))`,
      'a no-break space is missing before ? ! ; : or »',
    ),
    rule(`«(?![${NO_BREAK}])`, 'a no-break space is missing after «'),
    rule(' [,.](?![\\p{L}\\d])', 'a blank before a punctuation mark'),
  ],
  de: [...LATIN_SINGLE, pair('„', '“'), pair('‚', '‘'), never('”«»', 'quotation marks are „…“ here')],
  it: [...LATIN_SINGLE, ...GUILLEMETS_OR_CURLY],
  pt: [...LATIN_SINGLE, ...CURLY, never('«»', 'quotation marks are “…” here')],
  ru: [
    ...LATIN_SINGLE,
    pair('«', '»'),
    pair('„', '“'),
    never('”', 'quotation marks are «…», inside them „…“'),
    rule('« | »', 'a blank inside « »'),
    MIXED_WORD,
  ],
  ja: [
    ...FULL_WIDTH,
    pair('「', '」'),
    pair('『', '』'),
    never('“”„«»', 'quotation marks are 「…」 here'),
    never('，．', '， and ． are Chinese: write 、 and 。'),
    never('\\u{FF65}-\\u{FF9F}', 'half-width katakana'),
  ],
  hi: [
    ...LATIN_SINGLE,
    ...CURLY,
    never('«»', 'quotation marks are “…” here'),
    rule(
      '(?<=[\\p{Script=Devanagari}])(?:\\.(?!\\S)|\\|)',
      'a full stop or a bar after Hindi words: write ।',
    ),
    rule(' ।', 'a blank before ।'),
  ],
  pl: [...LATIN_SINGLE, pair('„', '”'), pair('«', '»'), never('“', 'quotation marks are „…” here')],
  zh: [
    ...FULL_WIDTH,
    pair('“', '”'),
    never('「」『』„«»', 'quotation marks are “…” here'),
    // Frequent characters that have another form in Simplified Chinese.
    never(
      '們這個為會說時過對點話訊設體後還沒從開關讓與嗎麼書寫選擇應實現數據頁錯誤號發',
      'a traditional character',
    ),
  ],
  id: [...LATIN_SINGLE, ...CURLY, never('«»', 'quotation marks are “…” here')],
};

const count = (text, character) => text.split(character).length - 1;

/**
 * Lists the typographic errors of a text.
 * @param {string} lang
 * @param {string} text
 * @returns {string[]}
 */
export function typographyProblems(lang, text) {
  const prose = proseOf(text);
  return [...EVERYWHERE, ...(BY_LANGUAGE[lang] ?? [])]
    .filter(({ finds }) => finds(prose))
    .map(({ what }) => what);
}

/** The scripts of languages that do not use the Latin alphabet. */
const SCRIPTS = {
  ru: ['Cyrillic', /\p{Script=Cyrillic}/u],
  ja: ['kana or kanji', /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u],
  hi: ['Devanagari', /\p{Script=Devanagari}/u],
  zh: ['Chinese', /\p{Script=Han}/u],
};
/** Japanese texts of at least this length contain kana; short labels may not. */
const SENTENCE_OF_HAN = /\p{Script=Han}{9}/u;
/** Words that exist only in English among the product's languages. */
const ENGLISH_WORDS =
  /(?<![\p{L}'’-])(?:the|and|your|you|with|this|that|have|will not|please)(?![\p{L}'’-])/iu;

/**
 * Reports text in another script than its language's, or partly in English.
 * @param {string} lang
 * @param {string} text
 * @param {readonly string[]} names words that stay untranslated in every language
 * @returns {string[]}
 */
export function wrongScript(lang, text, names = []) {
  if (lang === 'en') {
    return /[\p{Script=Cyrillic}\p{Script=Devanagari}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(
      text,
    )
      ? ['letters of another script']
      : [];
  }
  let prose = proseOf(text).replaceAll(PLACE, ' ');
  for (const name of names) prose = prose.replaceAll(name, ' ');
  const script = SCRIPTS[lang];
  const latin = prose.match(/(?<!\p{L})\p{Script=Latin}{2,}/gu) ?? [];
  if (script === undefined) {
    const foreign = Object.entries(SCRIPTS).find(([, [, letters]]) => letters.test(prose));
    if (foreign) return [`${foreign[1][0]} letters in a language of Latin ones`];
    return ENGLISH_WORDS.test(prose) ? ['English words are left in it'] : [];
  }
  const [name, letters] = script;
  if (!letters.test(prose)) return latin.length > 1 ? [`no ${name} letters in it`] : [];
  const problems = [];
  if (/\p{Script=Latin}{2,} \p{Script=Latin}{2,} \p{Script=Latin}{2,}/u.test(prose)) {
    problems.push('English words are left in it');
  }
  if (
    lang === 'ja' &&
    SENTENCE_OF_HAN.test(prose) &&
    !/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(prose)
  ) {
    problems.push('a sentence without kana');
  }
  if (lang === 'zh' && /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(prose))
    problems.push('Japanese kana');
  const others = Object.entries(SCRIPTS).filter(
    ([other]) => other !== lang && !(lang === 'ja' && other === 'zh') && !(lang === 'zh' && other === 'ja'),
  );
  for (const [, [otherName, otherLetters]] of others) {
    if (otherLetters.test(prose)) problems.push(`${otherName} letters`);
  }
  return problems;
}
