import { describe, expect, test } from 'vitest';
import {
  dictionaryFindings,
  markupProblems,
  neededKeys,
  staleAllowances,
  staleNotes,
  wordsIn,
} from '../../../../scripts/locales/dictionary.mjs';
import { lineOf } from '../../../../scripts/locales/finding.mjs';
import { literalFindings } from '../../../../scripts/locales/literals.mjs';
import { postFindings } from '../../../../scripts/locales/posts.mjs';
import { sourceOf } from '../../../../scripts/locales/sources.mjs';
import { flatten, LANGUAGES as CHECKED } from '../../../../scripts/locales/texts.mjs';
import { LANGUAGES } from '../../../../src/config/languages.ts';
import { typographyProblems, wrongScript } from '../../../../scripts/locales/typography.mjs';
import { shellWordFindings, usageFindings } from '../../../../scripts/locales/usage.mjs';

const NAMES = ['Loreloom', 'RPG'];

/** Returns the findings for the namespace `home` in a language, compared with the English one. */
function listFindings(
  lang: string,
  texts: object,
  english: object,
  keys: Record<string, string[]> = {},
): string[] {
  const base = flatten('home', english) as Map<string, string>;
  const dictionary = { texts: flatten('home', texts), present: ['home'] };
  return dictionaryFindings(lang, dictionary, base, { keys, names: NAMES }).map(lineOf);
}

test('every language of the switcher is checked', () => {
  expect(CHECKED).toEqual([...LANGUAGES]);
});

describe('Dictionary check', () => {
  test('a missing text is reported with its file and key', () => {
    expect(listFindings('de', {}, { how: { title: 'How it works' } })).toEqual([
      'src/locales/de/home.json  home:how.title: missing',
    ]);
  });

  test('a text that English lacks is reported', () => {
    expect(listFindings('de', { title: 'Da', old: 'Alt' }, { title: 'Here' })).toEqual([
      'src/locales/de/home.json  home:old: superfluous: English has no such text',
    ]);
  });

  test('a missing plural form and one of another language are reported', () => {
    const english = { left_one: '{{count}} point', left_other: '{{count}} points' };
    expect([...neededKeys('pl', flatten('home', english))]).toEqual([
      'home:left_one',
      'home:left_few',
      'home:left_many',
      'home:left_other',
    ]);
    expect([...neededKeys('ja', flatten('home', english))]).toEqual(['home:left_other']);
    expect([...neededKeys('es', flatten('home', english))]).toHaveLength(3);
    expect(listFindings('de', { left_one: '{{count}} Punkt' }, english)).toEqual([
      'src/locales/de/home.json  home:left_other: missing (de counts in one, other)',
    ]);
    expect(
      listFindings('ja', { left_one: '残り{{count}}点', left_other: '残り{{count}}点' }, english),
    ).toEqual(['src/locales/ja/home.json  home:left_one: superfluous: ja has no such plural form']);
  });

  test('a key that ends in «other» without being a plural is accepted', () => {
    expect(
      listFindings(
        'ja',
        { reason_other: 'その他', reason_spam: '迷惑行為' },
        { reason_other: 'Other', reason_spam: 'Spam' },
      ),
    ).toEqual([]);
  });

  test('a lost, added or misspelt placeholder is reported', () => {
    expect(markupProblems('Hallo {{nmae}}', 'Hello {{name}}')).toEqual([
      'lost {{name}}',
      'English has no {{nmae}}',
    ]);
    expect(markupProblems('Hallo {name}}', 'Hello {{name}}')).toContain(
      'a brace that opens or closes no placeholder',
    );
    expect(markupProblems('{{ name }}, hallo', 'Hello {{name}}')).toEqual([]);
    expect(markupProblems('{{count}}', '{{count, number}}')).toHaveLength(2);
  });

  test('a lost tag or nested text is reported', () => {
    expect(markupProblems('hier', '<b>here</b>')).toEqual(['tags differ from English: </b> <b> there']);
    expect(markupProblems('und', 'and $t(common:skip)')).toEqual(['lost $t(common:skip)']);
  });

  test('a form for one may spell out its number only in languages where it means nothing else', () => {
    const english = { left_one: '{{count}} point', left_other: '{{count}} points' };
    expect(listFindings('de', { left_one: 'Ein Punkt', left_other: '{{count}} Punkte' }, english)).toEqual(
      [],
    );
    const russian = {
      left_one: 'Один балл',
      left_few: '{{count}} балла',
      left_many: '{{count}} баллов',
      left_other: '{{count}} балла',
    };
    expect(listFindings('ru', russian, english)).toEqual([
      'src/locales/ru/home.json  home:left_one: lost {{count}}',
    ]);
  });

  test('an untranslated text is reported unless it is listed or has nothing to translate', () => {
    expect(listFindings('de', { title: 'Home' }, { title: 'Home' })).toEqual([
      'src/locales/de/home.json  home:title: reads as in English: «Home»',
    ]);
    expect(listFindings('de', { title: 'Chat' }, { title: 'Chat' }, { de: ['home:title'] })).toEqual([]);
    expect(listFindings('de', { a: { b: 'Chat' } }, { a: { b: 'Chat' } }, { '*': ['home:a.*'] })).toEqual([]);
    expect(listFindings('de', { title: '{{a}} · Loreloom' }, { title: '{{a}} · Loreloom' })).toEqual([]);
    expect(wordsIn('RPGs and RPG', NAMES)).toBe('RPGs and');
  });

  test('an empty value and one that is not a text are reported', () => {
    expect(listFindings('de', { a: ' ', b: 3 }, { a: 'One', b: 'Two' })).toEqual([
      'src/locales/de/home.json  home:a: empty',
      'src/locales/de/home.json  home:b: not a text',
    ]);
  });

  test('a label that grows much wider is reported as a warning', () => {
    const [line] = listFindings('de', { save: 'Zwischenergebnisse sichern' }, { save: 'Save' });
    expect(line).toMatch(/home:save: warning: 26 wide where English has 4/);
    expect(listFindings('de', { save: 'Sichern' }, { save: 'Save' })).toEqual([]);
  });

  test('an exception for a text that no longer exists is reported', () => {
    const list = { keys: { de: ['home:gone', 'home:title'] }, names: [] };
    expect(staleAllowances(list, flatten('home', { title: 'Chat' })).map(({ key }) => key)).toEqual([
      'home:gone',
    ]);
  });

  test('a note for a text that no longer exists is reported', () => {
    const english = flatten('home', { title: 'Chat', left_one: '1', left_other: '2' });
    expect(staleNotes({ 'home:title': 'A verb.', 'home:left_*': 'Of points.' }, english)).toEqual([]);
    expect(staleNotes({ 'home:old': 'A verb.', 'home:tag.*': 'Tags.' }, english).map(lineOf)).toEqual([
      'src/locales/notes.json  home:old: English has no such text',
      'src/locales/notes.json  home:tag.*: English has no such text',
    ]);
  });
});

describe('Typography check', () => {
  test.each([
    ['de', ' Hallo'],
    ['de', 'Hallo  du'],
    ['de', 'Moment...'],
    ['de', 'Er sagt "ja"'],
    ['de', 'Er sagt “ja”'],
    ['de', 'Er sagt „ja'],
    ['de', "Wie geht's"],
    ['de', 'Hallo - du'],
    ['en', 'She says "yes"'],
    ['fr', 'Prêt ?'],
    ['fr', 'Prêt?'],
    ['fr', 'Nom: {{name}}'],
    ['fr', '« oui »'],
    ['fr', "L'histoire"],
    ['es', 'Listo?'],
    ['es', '«Hola'],
    ['it', 'Dice „ciao”'],
    ['pt', 'Diz «olá»'],
    ['pl', 'Mówi „tak“'],
    ['ru', 'Он сказал “да”'],
    ['ru', 'Привeт'],
    ['ja', '準備はいい?'],
    ['ja', '“はい”と言う'],
    ['ja', '名前: {{name}}'],
    ['ja', '{{name}}: {{text}}'],
    ['ja', '物語を 書く'],
    ['ja', 'ｶﾅです'],
    ['hi', 'आप यहाँ हैं.'],
    ['hi', 'वह "हाँ" कहती है'],
    ['zh', '准备好了吗?'],
    ['zh', '「好」'],
    ['zh', '請寫一段話'],
    ['id', 'Siap ?'],
    ['pl', 'Gotowe\u{200B}'],
  ])('in %s the typography of «%s» is refused', (lang, text) => {
    expect(typographyProblems(lang, text)).not.toEqual([]);
  });

  test.each([
    ['en', "A guest’s chats, and “{{query}}” too… It's 10:30"],
    ['de', 'Ein „Gast“ sagt: „Ich sag’s.“ – {{name}}'],
    ['fr', 'L’heure\u{A0}: 10:30. «\u{A0}{{query}}\u{A0}»\u{202F}? Oui\u{A0}! {{name}}\u{A0}: {{text}}'],
    ['es', '¿Listo? ¡Sí! «{{query}}» y “otra”: 10:30'],
    ['it', 'L’attesa di «{{query}}»: perché no?'],
    ['pt', 'Resultados para “{{query}}”: 12.000'],
    ['pl', 'Wyniki dla „{{query}}”, a w środku «tak»'],
    ['ru', 'Привет, «{{query}}» — это JSON-файл'],
    ['ja', '「{{query}}」の検索結果：{{count}}件。Loreloomへようこそ（無料）'],
    ['hi', '“{{query}}” के नतीजे। समय: 10:30 पर?'],
    ['zh', '“{{query}}”的结果：{{count}} 个（约 2.5 分钟）。用 Loreloom 写作……'],
    ['id', 'Hasil untuk “{{query}}”: lihat https://a.example/b?c=d, atau tulis ke a.b@c.example.'],
  ])('in %s the correct text «%s» is accepted', (lang, text) => {
    expect(typographyProblems(lang, text)).toEqual([]);
    expect(wrongScript(lang, text, NAMES)).toEqual([]);
  });
});

describe('Script check', () => {
  test.each([
    ['ja', 'Start chatting'],
    ['hi', 'Start a new chat'],
    ['ru', 'Начать the new chat сейчас'],
    ['zh', '开始聊天ください'],
    ['ja', '利用規約個人情報保護方針同意必要'],
    ['de', 'Начать'],
    ['es', 'Escribe your historia'],
    ['hi', 'शुरू करें 开始'],
    ['en', 'Начать'],
  ])('in %s a text of another script is refused: %s', (lang, text) => {
    expect(wrongScript(lang, text, NAMES)).not.toEqual([]);
  });
});

const toSources = (files: Record<string, string>) =>
  Object.entries(files).map(([file, text]) => sourceOf(file, text));

describe('Usage check', () => {
  const english = new Map(
    Object.entries({
      'home:title': 'Home',
      'home:step.one.title': 'One',
      'home:step.one.text': 'First',
      'chat:send': 'Send',
      'chat:left_one': '{{count}} left',
      'chat:left_other': '{{count}} left',
      'chat:age_today': 'Today',
      'errors:gone': 'Gone',
      'errors:lost': 'Lost',
    }),
  );
  const namespaces = ['home', 'chat', 'errors'];
  const used = {
    'src/pages/a.astro':
      "---\nconst { t } = Astro.locals;\n---\n<p title={t('home:title')}>{['one'].map((s) => t(`home:step.${s}.title`))}</p>",
    'src/islands/b.tsx':
      "const TITLES = { a: 'send' } as const;\nfunction B() { const words = useTranslate('chat'); return words(TITLES[x]) + words('left', { count: 1 }) + words(`age_${y}`); }",
    'src/islands/c.ts':
      "export function say(code: string, words: TranslateFn<'errors'>) { return words(code as never); }",
    'src/features/d.ts': "export const refuse = () => ({ ok: false, code: 'gone' });",
  };

  test('a text that no source uses is reported by its key', () => {
    expect(usageFindings(toSources(used), english, namespaces).map(lineOf)).toEqual([
      'src/locales/en/home.json  home:step.one.text: no source asks for this text',
      'src/locales/en/errors.json  errors:lost: no source asks for this text',
    ]);
  });

  test('a use without a text is reported with its file and line', () => {
    const lines = (file: string, source: string) =>
      usageFindings(toSources({ [file]: source }), english, namespaces)
        .map(lineOf)
        .filter((line) => line.startsWith(file));
    expect(
      lines('src/pages/x.astro', "---\nconst { t } = Astro.locals;\n---\n<p>{t('home:titel')}</p>"),
    ).toEqual(['src/pages/x.astro:4  home:titel: English has no such text']);
    expect(
      lines(
        'src/islands/x.tsx',
        "function X() {\n const words = useTranslate('chat');\n return words('sendd');\n}",
      ),
    ).toEqual(['src/islands/x.tsx:3  sendd: English has no such text']);
    expect(lines('src/pages/y.ts', 't(`home:step.${a}.titel`)')).toEqual([
      'src/pages/y.ts:1  home:step.*.titel: English has no such text',
    ]);
  });

  test('English texts read as a file count as used', () => {
    const reading = {
      'src/pages/e.ts':
        "import home from '../locales/en/home.json';\nexport const known = (c: string) => c in home.step.one;",
    };
    const left = usageFindings(toSources({ ...used, ...reading }), english, namespaces).map(({ key }) => key);
    expect(left).toEqual(['errors:lost']);
  });

  test('words of the shell are checked against the scripts that read them', () => {
    const shell = {
      'src/layouts/Sidebar.astro':
        "<template data-template=\"words\" {...Object.fromEntries(g.map((x) => [`data-group-${x}`, x]))} data-guest={t('shell:guest')} data-old={t('shell:old')}></template>",
      'src/layouts/shell/a.ts': "getLabel('guest'); getLabel(`group-${g}`); getLabel('newer');",
    };
    expect(shellWordFindings(toSources(shell)).map(lineOf)).toEqual([
      'src/layouts/shell/a.ts:1  newer: the page carries no such word for its scripts',
      'src/layouts/Sidebar.astro:1  old: no script of the shell reads this word',
    ]);
  });
});

describe('Literal check', () => {
  const findLiterals = (file: string, source: string) =>
    literalFindings(sourceOf(file, source), NAMES).map(({ what }) => what.replace(/^.* in /, ''));

  test.each([
    ['<p>Hello you</p>', 'markup: «Hello you»'],
    ['<img alt="A lamp" />', '«alt»: «A lamp»'],
    ['<button aria-label="Close">×</button>', '«aria-label»: «Close»'],
    ['<p>{late ? "Too late" : t("a:b")}</p>', 'markup: «Too late»'],
    ['<p>{`${count} words`}</p>', 'markup: «words»'],
    ['<meta name="description" content="A place" />', '«content»: «A place»'],
    ['<Shell title="Home" />', '«title»: «Home»'],
    ['<script>document.body.textContent = "Gone";</script>', 'a script: «Gone»'],
    ['<script>x.setAttribute("aria-label", "Open");</script>', 'a script: «Open»'],
  ])('text outside the dictionaries is found on a page: %s', (markup, what) => {
    expect(findLiterals('src/pages/a.astro', markup)).toEqual([what]);
  });

  test('text outside the dictionaries is found in an island with its line', () => {
    const source = 'export function A() {\n  return (\n    <p title="Now">\n      Then\n    </p>\n  );\n}\n';
    expect(literalFindings(sourceOf('src/islands/a.tsx', source)).map(({ file }) => file)).toEqual([
      'src/islands/a.tsx:3',
      'src/islands/a.tsx:3',
    ]);
  });

  test('no name, symbol, code or invisible attribute counts as text', () => {
    const source =
      '---\nconst x = "words of a script";\n---\n<!-- a note --><style>a{b:c}</style><p class="big" data-x="y">Loreloom · {" · "}&nbsp;<code>npm start</code>{t("a:b")}</p><meta name="viewport" content="width=device-width" /><svg><title>{t("a:c")}</title></svg>';
    expect(findLiterals('src/pages/a.astro', source)).toEqual([]);
  });
});

describe('Blog post check', () => {
  const english =
    '---\ntitle: On memory\ndescription: What stays.\npublished: 2026-11-20\ntags: [memory, craft]\n---\n\nA long first paragraph about what is kept and why.\n\n## One\n\nSee [discover](/en/discover).\n\n```\ncode\n```\n';
  const german = english
    .replace('On memory', 'Vom Gedächtnis')
    .replace('What stays.', 'Was bleibt.')
    .replace(
      'A long first paragraph about what is kept and why.',
      'Ein langer erster Absatz darüber, was bleibt und warum.',
    )
    .replace('## One', '## Eins')
    .replace('See [discover](/en/discover)', 'Sieh unter [Entdecken](/de/discover) nach');
  const problems = (text: string) =>
    postFindings('de', 'p.md', text, english, NAMES).map(({ key, what }) => `${key} ${what}`.trim());

  test('a translated post is accepted', () => {
    expect(problems(german)).toEqual([]);
  });

  test('lists and tables are accepted, and a line broken inside a Japanese sentence is refused', () => {
    const list = '- one\n- two\n\n| a | b |\n|---|---|\n| c | d |\n';
    const inJapanese = (text: string) =>
      postFindings('ja', 'p.md', text, list, NAMES).map(({ what }) => what);
    expect(inJapanese('- 一つ\n- 二つ\n\n| あ | い |\n|---|---|\n| う | え |\n')).toEqual([]);
    expect(inJapanese('- 一つ\n  です\n- 二つ\n')).toEqual(['a blank inside the text']);
  });

  test.each([
    ['with another date', german.replace('2026-11-20', '2026-11-21'), /published differs/],
    ['with other tags', german.replace('memory, craft', 'memory'), /tags differs/],
    ['without its description', german.replace(/description.*\n/, ''), /description missing/],
    ['with an English title', german.replace('Vom Gedächtnis', 'On memory'), /title reads as in English/],
    ['with a missing heading', german.replace('## Eins', 'Eins'), /headings differ/],
    ['with a heading of another level', german.replace('## Eins', '### Eins'), /headings differ/],
    ['without its code', german.replace(/```\ncode\n```/, ''), /code blocks differ/],
    ['with a lost link', german.replace('[Entdecken](/de/discover)', 'Entdecken'), /links differ/],
    ['with a link into another language', german.replace('/de/discover', '/en/discover'), /links differ/],
    [
      'with a paragraph left in English',
      german.replace(/Ein langer.*/, 'A long first paragraph about what is kept and why.'),
      /reads as in English/,
    ],
    ['with foreign quotation marks', german.replace('Sieh unter', 'Sieh "unter"'), /straight quotation/],
  ])('a post %s is refused', (_, text, what) => {
    expect(problems(text).join('\n')).toMatch(what);
  });
});
