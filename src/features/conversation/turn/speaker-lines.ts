/** Recognizes the lines of a script in a reply: `Mira: Hello.` Pure. */

/** What a line begins with: a speaker's name and how many characters it takes, or what it may still become. */
export type SpeakerMatch = { length: number } | 'none' | 'incomplete';

const BOLD = '**';
const COLON = /^[ \t]*[:：]/;
const BLANKS = /^[ \t]*$/;
/** The bold type ends before or after the colon. */
const BOLD_COLON = /^(?:\*\*[ \t]*[:：]|[ \t]*[:：]\*\*)/;
const BOLD_COLON_BEGUN = /^(?:\*{0,2}|\*\*[ \t]*|[ \t]*(?:[:：]\*?)?)$/;

/**
 * Looks for one of these names with a colon at the beginning of a line, also in bold, in any case.
 * @param line the part of the line received so far
 */
export function matchSpeaker(line: string, names: readonly string[]): SpeakerMatch {
  const indent = line.length - line.replace(/^[ \t]+/, '').length;
  const isBold = line.startsWith(BOLD, indent);
  const rest = line.slice(indent + (isBold ? BOLD.length : 0));
  let isIncomplete = rest === '' || rest === '*';
  for (const name of names) {
    const begun = rest.slice(0, name.length);
    if (begun.toLowerCase() !== name.slice(0, begun.length).toLowerCase()) continue;
    const after = begun.length < name.length ? '' : rest.slice(name.length);
    const mark = (isBold ? BOLD_COLON : COLON).exec(after);
    if (mark !== null) return { length: line.length - after.length + mark[0].length };
    isIncomplete ||= begun.length < name.length || (isBold ? BOLD_COLON_BEGUN : BLANKS).test(after);
  }
  return isIncomplete ? 'incomplete' : 'none';
}
