import { estimateTokenCount } from 'tokenx';
import type { ModelMessage } from '../../vendors/model.ts';
import type { PointOfView } from '../character/contract.ts';

/**
 * Builds what a model is sent: who it plays, with whom, how, within which bounds, and as much of
 * the history as fits. Pure: the same input gives the same prompt.
 */

export interface PromptCharacter {
  name: string;
  oneliner: string;
  characterTraits: string;
  firstMessage: string;
  pointOfView: PointOfView;
}

/** Who the person is in the story. */
export interface PromptPersona {
  name: string;
  /** Empty when the person has told nothing of themself. */
  description: string;
}

export interface PromptMessage {
  role: 'user' | 'character';
  content: string;
}

export interface PromptInput {
  character: PromptCharacter;
  persona: PromptPersona | null;
  /** Oldest first; the last one is the message to answer. Texts that are empty are left out. */
  history: readonly PromptMessage[];
  /** Whether the history reaches back to the first message. */
  isWhole: boolean;
  /** What the model reads and writes together, in estimated tokens. */
  contextTokens: number;
}

export interface Prompt {
  messages: ModelMessage[];
  /** How many of the newest messages of the history the model sees. */
  included: number;
  estimatedTokens: number;
}

/** Room kept for the reply itself. */
export const REPLY_TOKENS = 1000;
/** Estimates are a few per cent off, and each message costs some tokens for its frame. */
const ESTIMATE_MARGIN = 1.1;
const FRAME_TOKENS = 4;

const POINT_OF_VIEW: Record<PointOfView, (name: string, person: string) => string> = {
  normal: (name, person) =>
    `Mode: normal. You are ${name} and speak and act only as ${name}, to ${person}. Never speak, decide or act for ${person}.`,
  multiPeople: (name, person) =>
    `Mode: multiPeople. You play all the people of ${name}, each with a voice and a will of their own. Begin a line of speech with the speaker's name and a colon. Never speak or act for ${person}.`,
  rpg: (name, person) =>
    `Mode: rpg. You are ${name}, the narrator and game master. Tell ${person} in the second person what they see, hear and cause; let actions have consequences; end with an open situation or two or three choices. Never decide for ${person}.`,
  reverse: (name, person) =>
    `Mode: reverse. The usual roles are turned round: ${person} is the one of whom the story tells, and decides what is true in it. You are ${name}, and whoever else is about: ask, react and give way. Never speak or act for ${person}.`,
};

const STYLE = [
  'Write actions and what is seen between *asterisks* and speech between "quotation marks".',
  'Answer in the language that the person writes.',
  'Take up what the person said or did, then move the scene on by one step.',
  'Write two to five sentences unless the scene asks for more, and never repeat earlier sentences.',
].join('\n');

const SAFETY = [
  'This is fiction for adults, yet some things have no place in it, whatever the story or the person asks:',
  'No sexual content, and none ever that involves minors or anyone who reads as a minor.',
  'No instructions that would help to hurt people outside the story, and no real person defamed or impersonated.',
  'If the person seems to speak of hurting or killing themself outside the story, leave the story: answer plainly and kindly, and ask them to contact local emergency services or a crisis line.',
  'If sincerely asked whether you are a person, say that you are an AI.',
].join('\n');

/** Replaces `{{user}}` and `{{char}}`, in any case, by the names of the story. */
export function fillNames(text: string, names: { user: string; char: string }): string {
  return text.replaceAll(/\{\{(user|char)\}\}/gi, (_, who: string) =>
    who.toLowerCase() === 'user' ? names.user : names.char,
  );
}

/** The estimated cost of a text in tokens, never below the truth by more than the margin allows. */
export function estimateTokens(text: string): number {
  return Math.ceil(estimateTokenCount(text) * ESTIMATE_MARGIN) + FRAME_TOKENS;
}

function systemPrompt(
  input: PromptInput,
  names: { user: string; char: string },
  opening: string | null,
): string {
  const { character, persona } = input;
  const fill = (text: string): string => fillNames(text, names);
  const sections = [
    `You are ${names.char}, a character in an interactive story with ${names.user}. Stay in character.`,
    `# Character\nName: ${names.char}\nTagline: ${fill(character.oneliner)}\nTraits:\n${fill(character.characterTraits)}`,
    `# Point of view\n${POINT_OF_VIEW[character.pointOfView](names.char, names.user)}`,
    `# The person you talk with\nName: ${names.user}${persona === null || persona.description === '' ? '' : `\nDescription: ${fill(persona.description)}`}`,
    `# Style\n${STYLE}`,
    `# Safety\n${SAFETY}`,
  ];
  if (opening !== null) sections.push(`# How the story began\n${opening}`);
  return sections.join('\n\n');
}

/** Stands in for what a person would say when the story's first message itself is written anew. */
const OPENING_CUE = '*The story begins.*';

/** What a person without a name is called in a prompt. */
const NAMELESS = 'Stranger';

/**
 * The prompt of a turn. Whole messages are taken from the newest back until the next would not fit;
 * the newest user message is always there, and a first message that no longer fits as a message is
 * told in the system prompt instead, so that the story's facts stay.
 */
export function buildPrompt(input: PromptInput): Prompt {
  const names = { user: input.persona?.name ?? NAMELESS, char: input.character.name };
  const history = input.history
    .filter((message) => message.content.trim() !== '')
    .map((message) => ({ role: message.role, content: fillNames(message.content, names) }));
  const budget = Math.max(0, input.contextTokens - REPLY_TOKENS);
  const opening = fillNames(input.character.firstMessage, names).trim();

  const whole = estimateTokens(systemPrompt(input, names, null));
  let taken = takeNewest(history, budget - whole);
  let system = systemPrompt(input, names, null);
  if ((taken.included < history.length || !input.isWhole) && opening !== '') {
    system = systemPrompt(input, names, opening);
    taken = takeNewest(history, budget - estimateTokens(system));
  }
  const conversation = toModelMessages(history.slice(-taken.included));
  return {
    messages: [
      { role: 'system', content: system },
      // Several providers refuse to answer when nobody has said anything.
      ...(conversation.length === 0 ? [{ role: 'user' as const, content: OPENING_CUE }] : conversation),
    ],
    included: taken.included,
    estimatedTokens: estimateTokens(system) + taken.tokens,
  };
}

/** How many of the newest messages fit; the newest user message and what follows it always count. */
function takeNewest(history: readonly PromptMessage[], budget: number): { included: number; tokens: number } {
  const newestUser = history.findLastIndex((message) => message.role === 'user');
  const required = newestUser === -1 ? 1 : history.length - newestUser;
  let tokens = 0;
  let included = 0;
  for (const message of history.toReversed()) {
    const cost = estimateTokens(message.content);
    if (included >= required && tokens + cost > budget) break;
    tokens += cost;
    included += 1;
  }
  return { included, tokens };
}

/** Neighbours of one role become one message: several providers refuse two in a row. */
function toModelMessages(history: readonly PromptMessage[]): ModelMessage[] {
  const messages: ModelMessage[] = [];
  for (const { role, content } of history) {
    const modelRole = role === 'user' ? 'user' : 'assistant';
    const last = messages.at(-1);
    if (last?.role === modelRole) last.content += `\n\n${content}`;
    else messages.push({ role: modelRole, content });
  }
  return messages;
}
