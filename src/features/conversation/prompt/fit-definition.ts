import { PROMPT_PARTS, type PromptPart, type PromptParts } from '../../character/definition-parts.ts';
import type { ContextSection } from '../memory/memory-contract.ts';
import type { TokenCounter } from '../../model/estimate-tokens.ts';
import { escapeSection } from '../../model/prompt-escape.ts';
import { MAX_REPLY_TOKENS } from './reply-tokens.ts';
import { splitSentences } from './sentences.ts';

/**
 * Fits the parts of a character's definition into a prompt. Pure. Parts that do not fit are shortened to their first whole
 * sentences, or left out.
 */

/** Parts about how the character replies, which a draft of the user's message does not need. */
const INSTRUCTIONS: ReadonlySet<PromptPart> = new Set([
  'instructions',
  'post_history_instructions',
  'depth_prompt',
]);

/** Parts that stand after the history, in this order. All others stand after the character's traits. */
const AFTER_HISTORY = ['depth_prompt', 'post_history_instructions'] as const;
const BEFORE_HISTORY = [
  'description',
  'personality',
  'scenario',
  'example_dialogue',
  'instructions',
] as const;

/** Replaced by the prompt of the program that a card comes from, which does not exist here. */
const ORIGINAL_MACRO = /\{\{original\}\}/gi;

/** A part as the prompt has it, without a heading. */
export interface PreparedPart {
  part: PromptPart;
  text: string;
}

/**
 * Prepares the parts for prompts, in the order of their priority. Empty ones are left out.
 * @param fill replaces the macros
 */
export function prepareParts(parts: PromptParts, fill: (text: string) => string): PreparedPart[] {
  return PROMPT_PARTS.map((part) => {
    const text = (parts[part] ?? '').replaceAll(ORIGINAL_MACRO, '');
    return { part, text: text === '' ? '' : escapeSection(fill(text)).trim() };
  }).filter(({ text }) => text !== '');
}

/** Maximum share of the context, without the reply, for the definition. */
const MAX_DEFINITION_SHARE = 1 / 2;

/** Returns how many estimated tokens a definition may take; the same in every turn with a model. */
export const computeDefinitionBudget = (contextTokens: number): number =>
  Math.max(0, Math.floor((contextTokens - MAX_REPLY_TOKENS) * MAX_DEFINITION_SHARE));

/** What became of a part in a prompt. */
export interface FittedPart {
  part: PromptPart;
  state: 'included' | 'shortened' | 'left_out';
  /** The text with its heading; empty when it is left out. */
  text: string;
  tokens: number;
}

export interface FittedDefinition {
  /** By priority. */
  parts: FittedPart[];
  tokens: number;
  /** The sections after the traits; empty for none. */
  before: string;
  /** The instructions after the history; empty for none. */
  after: string;
}

/**
 * Fits parts into a budget, by priority.
 * @param parts from `prepareParts`
 * @param about.budget in estimated tokens
 * @param about.isReply false for a text that the model writes for the user
 * @param about.isCrisis a crisis leaves out what would have the last word after its instructions
 */
export function fitDefinition(
  parts: readonly PreparedPart[],
  about: {
    budget: number;
    isReply: boolean;
    isCrisis: boolean;
    char: string;
    count: TokenCounter;
  },
): FittedDefinition {
  let left = about.budget;
  const fitted = parts.flatMap(({ part, text }): FittedPart[] => {
    if (!about.isReply && INSTRUCTIONS.has(part)) return [];
    const isHeld = about.isCrisis && AFTER_HISTORY.some((after) => after === part);
    const one = isHeld ? toOmittedPart(part) : fitPart(part, text, { ...about, budget: left });
    left -= one.tokens;
    return [one];
  });
  const join = (order: readonly PromptPart[]) =>
    order
      .map((part) => fitted.find((one) => one.part === part)?.text ?? '')
      .filter((text) => text !== '')
      .join('\n\n');
  return {
    parts: fitted,
    tokens: about.budget - left,
    before: join(BEFORE_HISTORY),
    after: join(AFTER_HISTORY),
  };
}

/** Describes the parts for the prompt's record, without texts: only the creator may read those that are not shared. */
export const describeDefinition = ({ parts, tokens }: FittedDefinition): ContextSection[] =>
  parts.length === 0
    ? []
    : [
        {
          kind: 'definition',
          tokens,
          parts: parts.map(({ part, state, tokens: cost }) => ({ part, state, tokens: cost })),
        },
      ];

const toOmittedPart = (part: PromptPart): FittedPart => ({ part, state: 'left_out', text: '', tokens: 0 });

function fitPart(
  part: PromptPart,
  text: string,
  { budget, char, count }: { budget: number; char: string; count: TokenCounter },
): FittedPart {
  const whole = buildPartSection(part, text, char);
  const tokens = count(whole);
  if (tokens <= budget) return { part, state: 'included', text: whole, tokens };
  // What frames a message is counted once, not with each sentence.
  const frame = count('');
  let spent = count(buildPartSection(part, '', char));
  let kept = '';
  for (const sentence of splitSentences(text)) {
    spent += count(sentence) - frame;
    if (spent > budget) break;
    kept += sentence;
  }
  if (kept.trim() === '') return toOmittedPart(part);
  const shortened = buildPartSection(part, kept.trimEnd(), char);
  return { part, state: 'shortened', text: shortened, tokens: count(shortened) };
}

const HEADINGS: Record<(typeof BEFORE_HISTORY)[number], (char: string) => string> = {
  description: (char) => `# About ${char}`,
  personality: (char) => `# Personality of ${char}`,
  scenario: () => '# Scenario',
  example_dialogue: (char) => `# How ${char} speaks, by example`,
  instructions: (char) => `# Instructions of the author of ${char}`,
};

function buildPartSection(part: PromptPart, text: string, char: string): string {
  if (part === 'post_history_instructions' || part === 'depth_prompt')
    return `[Out of the story, from the author of ${char}: ${text}]`;
  return `${HEADINGS[part](char)}\n${text}`;
}
