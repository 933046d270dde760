/**
 * Escapes texts of users and models for a prompt. They must not imitate the prompt's own structure: its headings, its
 * out-of-story marks, and the role tokens of chat templates, which some servers parse in any text. Escaping never
 * lengthens a text.
 */

/** Role tokens of chat templates: ChatML, Llama, Mistral, Gemma, Phi, DeepSeek, Command and similar. */
const ANGLE_MARKS =
  /<(?=[|｜]|\/?(?:s|bos|eos|pad|unk|(?:start|end)_of_turn|(?:start|end)_header_id|(?:begin|end)_of_text|im_start|im_end|system|sys)\s*>|<\/?sys>)/giu;
const PIPE_CLOSERS = /(?<=[|｜])>/gu;
const BRACKET_MARKS =
  /\[(?=\/?\s*(?:inst|system(?:_prompt)?|available_tools|tool_calls|tool_results|gmask|out of the story)\b)/giu;
/** A line that starts like a heading of the prompt. */
const HEADING = /^([^\S\n]*)[#＃]{1,6}[^\S\n]+/gmu;
/** Line breaks that some parsers recognise and ours does not. */
const LINE_BREAKS = /\r\n?|[\v\f\u0085\u2028\u2029]/gu;
/** Invisible tag characters, which some models read; regional flags, which consist of them, are kept. */
const TAG_CHARS = /(\u{1F3F4}[\u{E0020}-\u{E007E}]{1,8}\u{E007F})|[\u{E0000}-\u{E007F}]/gu;

/** Escapes a message, so that it cannot start another speaker's turn. */
export function escapeMessage(text: string): string {
  return text
    .replaceAll(TAG_CHARS, '$1')
    .replaceAll(ANGLE_MARKS, '‹')
    .replaceAll(PIPE_CLOSERS, '›')
    .replaceAll(BRACKET_MARKS, '(');
}

/** Escapes a text inside a prompt section, so that it cannot start a section either. */
export function escapeSection(text: string): string {
  return escapeMessage(text).replaceAll(LINE_BREAKS, '\n').replaceAll(HEADING, '$1');
}

/** Escapes a name and puts it on one line. */
export function escapeName(name: string): string {
  return escapeSection(name.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')).trim();
}
