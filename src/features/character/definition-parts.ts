import { hasVisibleText } from '../../lib/sanitize-text.ts';

/**
 * The labelled parts behind a character's traits. Each has a switch `shared`; while it is off, only the creator reads or
 * downloads the part.
 */
export const DEFINITION_PARTS = [
  'description',
  'personality',
  'scenario',
  'example_dialogue',
  'instructions',
  'post_history_instructions',
  'depth_prompt',
  'creator_notes',
] as const;
export type DefinitionPart = (typeof DEFINITION_PARTS)[number];

/** In UTF-16 units: the longest parts of cards have about half of it. */
export const MAX_PART_CHARS = 20_000;

export interface PartText {
  text: string;
  /** Whether other accounts may read and download it. */
  shared: boolean;
}

/** All parts, as the creator reads and writes them. */
export type Definition = Record<DefinitionPart, PartText>;

/** The parts that have a text, as they are stored. */
export type StoredDefinition = Partial<Definition>;

/** Changes of parts; a missing part or field stays as it is. */
export type DefinitionChange = {
  [Part in DefinitionPart]?: { text?: string | undefined; shared?: boolean | undefined } | undefined;
};

const EMPTY_PART: PartText = { text: '', shared: false };

/** Builds a record with a value for each part. */
export function mapParts<Value>(build: (part: DefinitionPart) => Value): Record<DefinitionPart, Value> {
  return Object.fromEntries(DEFINITION_PARTS.map((part) => [part, build(part)])) as Record<
    DefinitionPart,
    Value
  >;
}

/** Returns all parts; those without a text are empty. @param stored null for none */
export const toDefinition = (stored: StoredDefinition | null): Definition =>
  mapParts((part) => stored?.[part] ?? EMPTY_PART);

/**
 * Applies changes to the stored parts.
 * @returns null when no part has a text
 */
export function mergeDefinition(
  stored: StoredDefinition | null,
  change: DefinitionChange | undefined,
): StoredDefinition | null {
  const merged = Object.entries(toDefinition(stored))
    .map(([part, { text, shared }]) => {
      const changed = change?.[part as DefinitionPart];
      return [part, { text: changed?.text ?? text, shared: changed?.shared ?? shared }] as const;
    })
    .filter(([, { text }]) => hasVisibleText(text));
  return merged.length === 0 ? null : (Object.fromEntries(merged) as StoredDefinition);
}

/** The same for the stored JSON. */
export function mergeDefinitionJson(
  stored: string | null,
  change: DefinitionChange | undefined,
): string | null {
  const merged = mergeDefinition(parseDefinition(stored), change);
  return merged === null ? null : JSON.stringify(merged);
}

/** Returns the parts that other accounts may read; null when there are none. */
export function selectSharedParts(stored: StoredDefinition | null): StoredDefinition | null {
  const shared = Object.entries(stored ?? {}).filter(([, part]) => part.shared);
  return shared.length === 0 ? null : (Object.fromEntries(shared) as StoredDefinition);
}

/**
 * The parts that models read, the most important one first: where the context is short, it is the last one to be
 * shortened. The notes are for users; the card format keeps them out of prompts.
 */
export const PROMPT_PARTS = [
  'description',
  'instructions',
  'personality',
  'scenario',
  'post_history_instructions',
  'depth_prompt',
  'example_dialogue',
] as const satisfies readonly Exclude<DefinitionPart, 'creator_notes'>[];
export type PromptPart = (typeof PROMPT_PARTS)[number];
export type PromptParts = { readonly [Part in PromptPart]?: string };

/** Returns the texts that models read. */
export function selectPromptParts(stored: StoredDefinition | null): PromptParts {
  const { creator_notes: _, ...parts } = stored ?? {};
  return Object.fromEntries(Object.entries(parts).map(([part, { text }]) => [part, text]));
}

/** Whether models learn something about the character from its parts. */
export const hasPromptPart = (definition: DefinitionChange | null | undefined): boolean =>
  PROMPT_PARTS.some((part) => hasVisibleText(definition?.[part]?.text ?? ''));

/** Parses the stored JSON; null when there is none. */
export const parseDefinition = (json: string | null | undefined): StoredDefinition | null =>
  json == null ? null : (JSON.parse(json) as StoredDefinition);
