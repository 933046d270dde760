/**
 * What one language has for urging somebody to die or to hurt themself. An entry is written as those of the crisis lists
 * are (crisis-words.ts): `*` is any ending, ` .. ` up to four words, a lone `.` where a sentence begins or ends; beyond
 * that it is a regular expression. `kept`, `idle`, `egging` and `help` are words alone; `$` ends what stands right before.
 */
export interface UrgingWords {
  /** Whether words are parted by blanks. */
  script: 'words' | 'signs';
  /** Said to somebody of themself, so plainly that no story needs it. */
  urged: readonly string[];
  /** That nobody would miss them: villains say so too, and it counts beside a `nudge` or an `it`. */
  worthless: readonly string[];
  /** Words of many scenes («jump!», «pull the trigger»): they count where a crisis is open, and beside `worthless`. */
  nudge: readonly string[];
  /** «Do it»: the same, but also said of a call for help. */
  it: readonly string[];
  /** Denials and reports: right before it in the sentence, none of it is urging. */
  kept: readonly string[];
  /** Who else may be the one that does it, and what is an accident: where no crisis is open. */
  idle: readonly string[];
  /** What makes urging of a denial: «why don't you». */
  egging: readonly string[];
  /** What somebody may be asked to do instead: «call them, do it now». */
  help: readonly string[];
  /** A character's definition that has it urge the person it talks with. */
  made: readonly string[];
}
