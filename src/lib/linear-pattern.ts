/**
 * Regular expressions whose matching takes linear time: the pattern becomes a nondeterministic automaton of bounded
 * size that reads each character once (Thompson's construction), and a counter of steps ends the work of many patterns.
 * The engine's own expressions may backtrack without a limit, and nothing could stop one from a stranger.
 *
 * The syntax and meaning are JavaScript's, for the question whether a text contains a match. Characters and classes are
 * asked of the engine, one character at a time. Back references and assertions that look ahead or behind need
 * backtracking and are not supported.
 */

/** Instructions per pattern; `a{1000}` has 1000. */
const MAX_INSTRUCTIONS = 1000;
/** Levels of groups. */
const MAX_DEPTH = 50;
/** Characters of which an instruction remembers whether they match. */
const MAX_KNOWN_CHARS = 64;

/** Whether a character, by its code point, belongs to a class. */
type CharTest = (char: number) => boolean;
/** Whether something is true of the place between two characters. */
type Condition = (before: number, after: number) => boolean;

type Instruction =
  | { kind: 'char'; matches: CharTest }
  | { kind: 'condition'; holds: Condition }
  /** Continues at both places. */
  | { kind: 'fork'; to: number; or: number }
  | { kind: 'match' };

/** A part of a pattern. */
type Node =
  | { kind: 'char'; matches: CharTest }
  | { kind: 'condition'; holds: Condition }
  | { kind: 'sequence'; parts: Node[] }
  | { kind: 'choice'; options: Node[] }
  | { kind: 'repeat'; part: Node; min: number; max: number };

/** Steps that remain for the patterns of one search; a pattern without steps left finds nothing. */
export interface StepBudget {
  steps: number;
}

/** A pattern that is ready for matching. */
export interface LinearPattern {
  /** Its number of instructions. */
  size: number;
  /** Whether the text contains a match. Reduces the budget. */
  isIn: (text: string, budget: StepBudget) => boolean;
}

/** Thrown inside this file for a pattern that is invalid, not supported or too large. */
class UnsupportedPattern extends Error {}

/**
 * Compiles a pattern.
 * @param flags `i`, `m` and `s` have their meaning, others none
 * @returns null for a pattern that is invalid, not supported or too large
 */
export function compileLinearPattern(source: string, flags: string): LinearPattern | null {
  try {
    const program = compile(new PatternParser(source, flags).parse());
    const canBegin = findBeginnings(program);
    return { size: program.length, isIn: (text, budget) => search(program, canBegin, text, budget) };
  } catch (error) {
    if (error instanceof UnsupportedPattern) return null;
    throw error;
  }
}

const ASCII_CHARS = 128;

/** Remembers the answers for the characters that are asked: all of ASCII, and the first others. */
function rememberChars(matches: CharTest): CharTest {
  const ascii = new Int8Array(ASCII_CHARS).fill(-1);
  const others = new Map<number, boolean>();
  return (char) => {
    const before = char < ASCII_CHARS ? ascii[char] : others.get(char);
    if (before !== undefined && before !== -1) return before === 1 || before === true;
    const found = matches(char);
    if (char < ASCII_CHARS) ascii[char] = found ? 1 : 0;
    else if (others.size < MAX_KNOWN_CHARS) others.set(char, found);
    return found;
  };
}

/** Represents the character before the beginning of a text, and after its end. */
const NO_CHAR = -1;
const isWordChar = rememberChars((char) => /^\w$/.test(String.fromCodePoint(char)));
const LINE_ENDS = new Set(['\n', '\r', '\u2028', '\u2029'].map((char) => char.charCodeAt(0)));
const isInWord = (char: number) => char !== NO_CHAR && isWordChar(char);
const isWordEdge: Condition = (before, after) => isInWord(before) !== isInWord(after);

const QUANTIFIER = /[*+?]|\{(\d{1,5})(,?)(\d{0,5})\}/y;
const CLASS = /\[(?:[^\]\\]|\\[\s\S])*\]/y;
const ESCAPE = /\\(?:u\{[\da-f]{1,6}\}|u[\da-f]{4}|x[\da-f]{2}|p\{[\w=]{1,60}\}|c[a-z]|[^\dk])/iy;
const NUL_ESCAPE = /\\0(?!\d)/y;
const GROUP_START = /\((?:\?:|\?<[\p{ID_Start}$_][\p{ID_Continue}$]*>)?(?!\?)/uy;

/** Reads a pattern by the grammar: a choice of sequences of repeated atoms. */
class PatternParser {
  readonly #source: string;
  readonly #flags: string;
  #at = 0;
  #depth = 0;

  constructor(source: string, flags: string) {
    this.#source = source;
    this.#flags = flags;
  }

  parse(): Node {
    const node = this.#readChoice();
    if (this.#at < this.#source.length) throw new UnsupportedPattern();
    return node;
  }

  /** Reads what a sticky expression matches here; null when it does not. */
  #take(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.#at;
    const match = expression.exec(this.#source);
    if (match !== null) this.#at += match[0].length;
    return match;
  }

  #readChoice(): Node {
    const options = [this.#readSequence()];
    while (this.#source[this.#at] === '|') {
      this.#at += 1;
      options.push(this.#readSequence());
    }
    return { kind: 'choice', options };
  }

  #readSequence(): Node {
    const parts: Node[] = [];
    for (let next = this.#source[this.#at]; next !== undefined; next = this.#source[this.#at]) {
      if (next === '|' || next === ')') break;
      parts.push(this.#readRepeated());
    }
    return { kind: 'sequence', parts };
  }

  #readRepeated(): Node {
    const part = this.#readAtom();
    const match = this.#take(QUANTIFIER);
    if (match === null) return part;
    if (part.kind === 'condition') throw new UnsupportedPattern();
    const [sign, min, comma, max] = match;
    // A lazy quantifier finds other places, but not in other texts.
    if (this.#source[this.#at] === '?') this.#at += 1;
    if (sign === '*') return { kind: 'repeat', part, min: 0, max: Infinity };
    if (sign === '+') return { kind: 'repeat', part, min: 1, max: Infinity };
    if (sign === '?') return { kind: 'repeat', part, min: 0, max: 1 };
    const least = Number(min);
    const most = comma === '' ? least : max === '' ? Infinity : Number(max);
    if (most < least) throw new UnsupportedPattern();
    return { kind: 'repeat', part, min: least, max: most };
  }

  #readAtom(): Node {
    const next = this.#source[this.#at] as string;
    if (next === '(') return this.#readGroup();
    if (next === '[') return this.#createChar(this.#take(CLASS)?.[0]);
    if (next === '\\') return this.#readEscape();
    if ('*+?'.includes(next)) throw new UnsupportedPattern();
    if (next === '^' || next === '$') {
      this.#at += 1;
      return { kind: 'condition', holds: this.#createAnchor(next) };
    }
    // A brace that begins no quantifier is a character.
    if (next === '{' && this.#take(QUANTIFIER) !== null) throw new UnsupportedPattern();
    const code = this.#source.codePointAt(this.#at) as number;
    const char = String.fromCodePoint(code);
    this.#at += char.length;
    if (char === '.') return this.#createChar(char);
    return this.#flags.includes('i')
      ? this.#createChar('{}]/'.includes(char) ? `\\${char}` : char)
      : { kind: 'char', matches: (one) => one === code };
  }

  #readGroup(): Node {
    this.#depth += 1;
    if (this.#take(GROUP_START) === null || this.#depth > MAX_DEPTH) throw new UnsupportedPattern();
    const inner = this.#readChoice();
    if (this.#source[this.#at] !== ')') throw new UnsupportedPattern();
    this.#at += 1;
    this.#depth -= 1;
    return inner;
  }

  #readEscape(): Node {
    const text = (this.#take(NUL_ESCAPE) ?? this.#take(/\\[dws]/iy) ?? this.#take(ESCAPE))?.[0];
    if (text === '\\b') return { kind: 'condition', holds: isWordEdge };
    if (text === '\\B') return { kind: 'condition', holds: (before, after) => !isWordEdge(before, after) };
    return this.#createChar(text);
  }

  #createAnchor(sign: '^' | '$'): Condition {
    const multiline = this.#flags.includes('m');
    const isEnd = (char: number) => char === NO_CHAR || (multiline && LINE_ENDS.has(char));
    return sign === '^' ? (before) => isEnd(before) : (_, after) => isEnd(after);
  }

  /** @param source a pattern for exactly one character */
  #createChar(source: string | undefined): Node {
    if (source === undefined) throw new UnsupportedPattern();
    const expression = this.#createExpression(source);
    return { kind: 'char', matches: rememberChars((char) => expression.test(String.fromCodePoint(char))) };
  }

  #createExpression(source: string): RegExp {
    const flags = ['i', 's'].filter((flag) => this.#flags.includes(flag)).join('');
    // Without `u`, an escape without a meaning matches its character.
    for (const more of ['u', '']) {
      try {
        return new RegExp(`^${source}$`, flags + more);
      } catch {
        continue;
      }
    }
    throw new UnsupportedPattern();
  }
}

/** Converts a parsed pattern to instructions. */
function compile(node: Node): Instruction[] {
  const program: Instruction[] = [];
  const add = (instruction: Instruction) => {
    if (program.length >= MAX_INSTRUCTIONS) throw new UnsupportedPattern();
    return program.push(instruction) - 1;
  };
  const write = (part: Node): void => {
    if (part.kind === 'sequence') for (const one of part.parts) write(one);
    else if (part.kind === 'choice') writeChoice(part.options);
    else if (part.kind === 'repeat') writeRepeat(part);
    else add(part);
  };
  const writeChoice = ([first, ...rest]: Node[]): void => {
    if (first === undefined) return;
    if (rest.length === 0) return write(first);
    const fork = { kind: 'fork' as const, to: program.length + 1, or: 0 };
    add(fork);
    write(first);
    const end = { kind: 'fork' as const, to: 0, or: 0 };
    add(end);
    fork.or = program.length;
    writeChoice(rest);
    end.to = program.length;
    end.or = program.length;
  };
  const writeRepeat = ({ part, min, max }: Extract<Node, { kind: 'repeat' }>): void => {
    for (let count = 0, end = -1; count < min && end !== program.length; count += 1) {
      // A part without instructions, such as an empty group, is not repeated: the limit would never end that.
      end = program.length;
      write(part);
    }
    if (max === Infinity) {
      const start = program.length;
      const fork = { kind: 'fork' as const, to: start + 1, or: 0 };
      add(fork);
      write(part);
      add({ kind: 'fork', to: start, or: start });
      fork.or = program.length;
      return;
    }
    const forks: Extract<Instruction, { kind: 'fork' }>[] = [];
    for (let count = min; count < max; count += 1) {
      const fork = { kind: 'fork' as const, to: program.length + 1, or: 0 };
      forks.push(fork);
      add(fork);
      write(part);
    }
    for (const fork of forks) fork.or = program.length;
  };
  write(node);
  add({ kind: 'match' });
  return program;
}

/**
 * Returns whether a match can begin with a character, so that most places of a text are skipped; null where a match may
 * begin with a condition or be empty.
 */
function findBeginnings(program: readonly Instruction[]): CharTest | null {
  const reached = new Set<number>();
  const open = [0];
  const first: CharTest[] = [];
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    if (reached.has(state)) continue;
    reached.add(state);
    const instruction = program[state] as Instruction;
    if (instruction.kind === 'fork') open.push(instruction.to, instruction.or);
    else if (instruction.kind === 'char') first.push(instruction.matches);
    else return null;
  }
  return rememberChars((char) => first.some((matches) => matches(char)));
}

/** Whether a text contains a match: follows all possible states at once, one character after the other. */
function search(
  program: readonly Instruction[],
  canBegin: CharTest | null,
  text: string,
  budget: StepBudget,
): boolean {
  const reached = new Int32Array(program.length).fill(-1);
  const open: number[] = [];
  let states: number[] = [];
  let next: number[] = [];
  let before = NO_CHAR;
  for (let at = 0, round = 0; ; round += 1) {
    const after = text.codePointAt(at) ?? NO_CHAR;
    budget.steps -= 1;
    if (budget.steps < 0) return false;
    if (canBegin === null || (after !== NO_CHAR && canBegin(after))) open.push(0);
    for (let index = states.length - 1; index >= 0; index -= 1) open.push(states[index] as number);
    for (let state = open.pop(); state !== undefined; state = open.pop()) {
      if (reached[state] === round) continue;
      reached[state] = round;
      budget.steps -= 1;
      if (budget.steps < 0) return false;
      const instruction = program[state] as Instruction;
      if (instruction.kind === 'match') return true;
      if (instruction.kind === 'fork') open.push(instruction.or, instruction.to);
      else if (instruction.kind === 'condition') {
        if (instruction.holds(before, after)) open.push(state + 1);
      } else if (after !== NO_CHAR && instruction.matches(after)) next.push(state + 1);
    }
    if (after === NO_CHAR) return false;
    [states, next] = [next, states];
    next.length = 0;
    before = after;
    at += after > 0xffff ? 2 : 1;
  }
}
