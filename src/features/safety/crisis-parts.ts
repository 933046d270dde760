import { compiledEntries, type CrisisWords, type Words } from './crisis-words.ts';

/**
 * What sentences about distress are put together from, in one language. An entry is written as in CrisisWords; a rule is
 * kept where all of its parts stand close together in one sentence, in whatever order the language or its writer puts them.
 */
export interface CrisisParts {
  script: CrisisWords['script'];
  /** Letters, a will, what is given away. */
  farewell: readonly string[];
  /** When one is dead or gone. */
  afterMe: readonly string[];
  /** What would be easier, calmer, happier. */
  better: readonly string[];
  withoutMe: readonly string[];
  noReason: readonly string[];
  /** To go on, to get up, to wake up. */
  goOn: readonly string[];
  /** Pills, bridge, rope, blade. */
  means: readonly string[];
  /** What one does with them in order to die. */
  useUp: readonly string[];
  /** What makes of the means something else: a river, a guard, somebody who does it for fun. */
  story: readonly string[];
  wish: readonly string[];
  /** A death that would come by itself. */
  mishap: readonly string[];
  dying: readonly string[];
  /** What death is said to be: a relief, allowed, the only way. */
  relief: readonly string[];
  /** Not to be here any more, complete in itself. */
  gone: readonly string[];
  /** To cut, burn or carve, said of oneself. */
  wound: readonly string[];
  flesh: readonly string[];
  /** What it is done with, or what is left of it. */
  blade: readonly string[];
  /** Why it is done, or how often. */
  because: readonly string[];
  /** To hurt oneself, in words that name the self. */
  hurtMyself: readonly string[];
  /** Marks that are hidden, or a wish to hurt oneself: complete in itself. */
  marks: readonly string[];
  /** What makes a wound an accident or a matter of the kitchen. */
  accident: readonly string[];
  /** To stab, shoot, poison or attack real people: complete in itself. */
  attack: readonly string[];
  /** To kill or hurt real people, as it is also said in anger. */
  kill: readonly string[];
  /** When, or with which weapon. */
  soon: readonly string[];
  /** A game, a story, a small matter between siblings. */
  play: readonly string[];
}

type Part = Exclude<keyof CrisisParts, 'script'>;

const RULES: Readonly<Record<'suicide' | 'self_harm' | 'harm_to_others', readonly (readonly Part[])[]>> = {
  suicide: [
    ['farewell', 'afterMe'],
    ['better', 'withoutMe'],
    ['noReason', 'goOn'],
    ['means', 'useUp'],
    ['wish', 'mishap'],
    ['dying', 'relief'],
    ['gone'],
  ],
  self_harm: [
    ['wound', 'flesh', 'blade'],
    ['wound', 'flesh', 'because'],
    ['hurtMyself', 'because'],
    ['marks'],
  ],
  harm_to_others: [['attack'], ['kill', 'soon']],
};
const AGAINST: Readonly<Record<keyof typeof RULES, Part>> = {
  suicide: 'story',
  self_harm: 'accident',
  harm_to_others: 'play',
};

export type CompiledParts = Readonly<Record<Part, Words>> & { script: CrisisWords['script'] };

/** The parts as regular expressions, made when they are first needed. */
export function compileParts({ script, ...parts }: CrisisParts): CompiledParts {
  const made = Object.entries(parts).map(
    ([part, entries]) => [part, compiledEntries(entries, script)] as const,
  );
  return { ...(Object.fromEntries(made) as Record<Part, Words>), script };
}

/** How far apart the parts of one thought stand, where nobody has set a full stop. */
const CLOSE = { words: 220, signs: 70 };

const says = (part: Words, text: string): boolean => part(text).test(text);

function* thoughts(text: string, script: CrisisWords['script']): Generator<string> {
  const close = CLOSE[script];
  for (const sentence of text.split('.')) {
    for (let from = 0; from === 0 || from + close / 2 < sentence.length; from += close / 2) {
      yield sentence.length <= close ? sentence : sentence.slice(from, from + close);
      if (sentence.length <= close) break;
    }
  }
}

/** Which kind of distress is put together from the language's parts in a text, which has been made plain; null if none is. */
export function composedIn(parts: CompiledParts, text: string, light: boolean): keyof typeof RULES | null {
  for (const kind of ['suicide', 'self_harm', 'harm_to_others'] as const) {
    const possible = RULES[kind].filter((rule) => rule.every((part) => says(parts[part], text)));
    // Whoever laughs at a threat plays.
    if (possible.length === 0 || (kind === 'harm_to_others' && light)) continue;
    for (const thought of thoughts(text, parts.script)) {
      if (says(parts[AGAINST[kind]], thought)) continue;
      if (possible.some((rule) => rule.every((part) => says(parts[part], thought)))) return kind;
    }
  }
  return null;
}
