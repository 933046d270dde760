// What reading a message costs: `node scripts/bench/story-text.mjs`. Each hostile text at n and 4n characters: a ratio
// near 4 is linear, near 16 would be a square. Then a long reply as it streams in, and what only reading its end saves.
import { toPlainText, parseMarkup } from '../../src/features/markup/parse-markup.ts';

const N = 8_000;
const RUNS = 15;
/** Below this the clock and the collector say more than the text. */
const LINEAR_RATIO_LIMIT = 9;
const SLOW_MS = 50;

const repeated = (piece) => (n) => piece.repeat(Math.ceil(n / piece.length)).slice(0, n);
const halves = (first, second) => (n) => repeated(first)(n / 2) + repeated(second)(n / 2);
/** Runs of growing length: no two alike, so none closes another. */
const growing = (mark, between) => (n) => {
  let text = '';
  for (let length = 1; text.length < n; length += 1) text += mark.repeat(length) + between;
  return text.slice(0, n);
};

const HOSTILE = {
  asterisks: repeated('*'),
  'asterisks with spaces': repeated('* '),
  brackets: repeated('['),
  'closing brackets': halves('[', ']'),
  'links that never end': repeated('[a]('),
  'bad links': repeated('[a](javascript:b)'),
  'links with long titles': repeated('[a](b "'),
  pictures: repeated('!['),
  'quote marks': repeated('>'),
  'quote marks with spaces': repeated('> '),
  'quoted lines': repeated('> a\n'),
  backticks: repeated('`'),
  'backticks of growing length': growing('`', ' '),
  'asterisks of growing length': growing('*', 'a'),
  fences: repeated('```\n'),
  'fences in tildes': growing('~', '\n'),
  'opened actions': repeated('*a '),
  'closed actions': repeated('a* '),
  'opened, then closed': halves('*a ', ' a*'),
  'stress and actions crossed': repeated('*a **b* c** '),
  'asterisks and letters': repeated('*a**a'),
  underscores: repeated('_a __b '),
  'quotation marks': repeated('"a '),
  'quotation marks nested': halves('„', '“'),
  'brackets around speech': repeated('["«'),
  'lists within lists': growing(' ', '- a\n'),
  'list marks in a row': repeated('1. '),
  dashes: repeated('- '),
  'dashes and a letter': (n) => `${repeated('- ')(n - 1)}a`,
  'headings with their ends': repeated('# # '),
  'empty lines': repeated('\n'),
  'empty lines with spaces': repeated(' \n'),
  spaces: (n) => `a${repeated(' ')(n - 2)}b`,
  'items and empty lines': repeated('- a\n\n\n'),
  addresses: repeated('http://'),
  'bad addresses': repeated('http://% '),
  'address with points': (n) => `http://a.b/${repeated('.')(n)}`,
  'address with parentheses': (n) => `http://a.b/${repeated('(a')(n)}`,
  escapes: repeated('\\*'),
  'right-to-left overrides': repeated('\u202Eab'),
  'zero-width letters': repeated('\u200B\u200D'),
  'marks on one letter': (n) => `a${repeated('\u0301\u0302')(n)}`,
  emoji: repeated('😀'),
  'one long word': repeated('a'),
};

function best(work) {
  let least = Infinity;
  for (let run = 0; run < RUNS; run += 1) {
    const start = performance.now();
    work();
    least = Math.min(least, performance.now() - start);
  }
  return least;
}

let slow = 0;
console.log(`${'text'.padEnd(30)} ${`${N}`.padStart(9)} ${`${4 * N}`.padStart(9)}   ratio`);
for (const [name, make] of Object.entries(HOSTILE)) {
  const [few, many] = [make(N), make(4 * N)];
  for (const text of [few, many]) parseMarkup(text, true);
  const [short, long] = [best(() => parseMarkup(few, true)), best(() => parseMarkup(many, true))];
  const ratio = long / short;
  const tooSlow = long > SLOW_MS || (ratio > LINEAR_RATIO_LIMIT && long > 2);
  slow += tooSlow ? 1 : 0;
  console.log(
    `${name.padEnd(30)} ${short.toFixed(2).padStart(6)} ms ${long.toFixed(2).padStart(6)} ms ${ratio.toFixed(1).padStart(7)}${tooSlow ? '  TOO SLOW' : ''}`,
  );
}

const PARAGRAPH =
  '*She sets the lamp down and turns the page.* "You came back," she says. "I had **almost** stopped waiting." The rain goes on.\n\n';
const REPLY = PARAGRAPH.repeat(Math.ceil(8_000 / PARAGRAPH.length)).slice(0, 8_000);
const BURST = 20;

function stream(remember) {
  const start = performance.now();
  let earlier;
  let most = 0;
  for (let end = BURST; end <= REPLY.length; end += BURST) {
    const before = performance.now();
    const story = parseMarkup(REPLY.slice(0, end), true, earlier);
    most = Math.max(most, performance.now() - before);
    if (remember) earlier = story;
  }
  return { all: performance.now() - start, most };
}
stream(true);
stream(false);
for (const [name, remember] of [
  ['only its last block', true],
  ['all of it each time', false],
]) {
  const { all, most } = stream(remember);
  console.log(
    `8,000 characters in ${REPLY.length / BURST} bursts, reading ${name}: ${all.toFixed(1)} ms, at most ${most.toFixed(2)} ms at once`,
  );
}
console.log(`without marks: ${best(() => toPlainText(REPLY)).toFixed(2)} ms`);
process.exitCode = slow === 0 ? 0 : 1;
