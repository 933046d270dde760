/**
 * Texts of people and of models as a prompt tells them: they are story, whatever they look like. What a prompt is built of
 * stays the prompt's own: its headings, its marks for what is out of the story, and the marks by which models know who
 * speaks, which some programs read out of any text. Nothing here makes a text longer.
 */

/** The marks of chat templates: ChatML, Llama, Mistral, Gemma, Phi, DeepSeek, Command and their kin. */
const ANGLE_MARKS =
  /<(?=[|｜]|\/?(?:s|bos|eos|pad|unk|(?:start|end)_of_turn|(?:start|end)_header_id|(?:begin|end)_of_text|im_start|im_end|system|sys)\s*>|<\/?sys>)/giu;
const PIPE_CLOSERS = /(?<=[|｜])>/gu;
const BRACKET_MARKS =
  /\[(?=\/?\s*(?:inst|system(?:_prompt)?|available_tools|tool_calls|tool_results|gmask|out of the story)\b)/giu;
/** A line that begins as our own headings do. */
const HEADING = /^([^\S\n]*)[#＃]{1,6}[^\S\n]+/gmu;
/** What ends a line for some readers of it, though not for ours. */
const LINE_BREAKS = /\r\n?|[\v\f\u0085\u2028\u2029]/gu;
/** Letters that nobody sees and some models read, but for the flags of regions, which are spelt with them. */
const TAG_CHARS = /(\u{1F3F4}[\u{E0020}-\u{E007E}]{1,8}\u{E007F})|[\u{E0000}-\u{E007F}]/gu;

/** A message as it is told: in it nobody else begins to speak. */
export function escapeMessage(text: string): string {
  return text
    .replaceAll(TAG_CHARS, '$1')
    .replaceAll(ANGLE_MARKS, '‹')
    .replaceAll(PIPE_CLOSERS, '›')
    .replaceAll(BRACKET_MARKS, '(');
}

/** A text within the prompt's own: in it no section of the prompt begins either. */
export function escapeSection(text: string): string {
  return escapeMessage(text).replaceAll(LINE_BREAKS, '\n').replaceAll(HEADING, '$1');
}

/** What somebody is called, in one line. */
export function escapeName(name: string): string {
  return escapeSection(name.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')).trim();
}
