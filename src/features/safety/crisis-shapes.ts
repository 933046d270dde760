import { compiledEntries, type CrisisWords, type Words } from './crisis-words.ts';

/**
 * The shapes that despair takes in one language. Each is put together from a few sets of words (who, wishing or refusing,
 * what), so that a shape is written once and stands for many sentences. An entry is written as in CrisisWords and is
 * complete in itself.
 */
export interface CrisisShapes {
  script: CrisisWords['script'];
  /** To be dead, not to be alive, not to wake up. */
  deathWish: readonly string[];
  /** No reason, no strength, no wish to live on. */
  noMoreLife: readonly string[];
  /** Others would be better off; nobody would mind. */
  burden: readonly string[];
  /** To end it, or to leave this world. */
  ending: readonly string[];
  /** A last message, a day that is chosen, what is put in order. */
  parting: readonly string[];
  /** Pills, heights, trains, a noose, and what one would do with them. */
  means: readonly string[];
  /** To cut, burn, hit or starve oneself. */
  wounding: readonly string[];
  /** The urge to do so, and a relapse. */
  craving: readonly string[];
  /** Fresh cuts, and what hides them. */
  traces: readonly string[];
  /** A game, a film, a kitchen or somebody else: a sentence with one of these is not about the writer. */
  elsewhere: readonly string[];
  /** It is long over, and life is good again. */
  overcome: readonly string[];
  /** It is not over: it comes back. */
  again: readonly string[];
}

type Shape = Exclude<keyof CrisisShapes, 'script'>;

const SHAPES = {
  suicide: ['deathWish', 'noMoreLife', 'burden', 'ending', 'parting', 'means'],
  self_harm: ['wounding', 'craving', 'traces'],
} as const satisfies Readonly<Record<string, readonly Shape[]>>;

export type ShapedKind = keyof typeof SHAPES;

export type CompiledShapes = Readonly<Record<ShapedKind | 'elsewhere' | 'overcome' | 'again', Words>>;

/** The shapes of each kind as one regular expression, made when they are first needed. */
export function compileShapes(shapes: CrisisShapes): CompiledShapes {
  const one = (names: readonly Shape[]): Words =>
    compiledEntries(
      names.flatMap((name) => shapes[name]),
      shapes.script,
    );
  return {
    suicide: one(SHAPES.suicide),
    self_harm: one(SHAPES.self_harm),
    elsewhere: one(['elsewhere']),
    overcome: one(['overcome']),
    again: one(['again']),
  };
}

const says = (shape: Words, text: string): boolean => shape(text).test(text);

/** Whether the writer says that it lies behind them, and not that it comes back. */
export const isOvercome = (shapes: CompiledShapes, text: string): boolean =>
  says(shapes.overcome, text) && !says(shapes.again, text);

/** Which distress has one of its shapes in a text, which has been made plain; null if none has. */
export function shapedIn(shapes: CompiledShapes, text: string): ShapedKind | null {
  for (const kind of ['suicide', 'self_harm'] as const) {
    const shape = shapes[kind](text);
    for (let hit = shape.exec(text); hit !== null; hit = shape.exec(text)) {
      const from = text.lastIndexOf('.', hit.index) + 1;
      const end = text.indexOf('.', hit.index + hit[0].length);
      if (!says(shapes.elsewhere, text.slice(from, end === -1 ? text.length : end + 1))) return kind;
    }
  }
  return null;
}
