import type { RefusalRule } from '../../safety/moderation.ts';
import type { Crisis } from '../moderation/crisis-help.ts';

/** What forks, exports and imports carry of a conversation: a neutral shape, of no file format and no table. */

/** A message with everything that is kept of it: what forks, exports and imports carry. */
export interface MessageRecord {
  id: string;
  role: 'user' | 'character';
  /** Who said it, as it was then; null is the person's or the character's present name. */
  name: string | null;
  /** Milliseconds since 1970. */
  createdAt: number;
  pinned: boolean;
  /** Fields of an imported line that we have no place for, kept for export; bounded. */
  source: Record<string, unknown> | null;
  /** Index into `versions`. */
  selected: number;
  /** At least one, oldest first. */
  versions: VersionRecord[];
}

/** A message that was deleted and can still be had back. */
export interface TrashedRecord extends MessageRecord {
  /** Milliseconds since 1970. */
  deletedAt: number;
  /** When it goes for good. */
  expiresAt: number;
}

export interface VersionRecord {
  id: string;
  content: string;
  /** Null for texts that no model wrote. */
  model: string | null;
  status: 'complete' | 'interrupted' | 'failed';
  errorCode: string | null;
  edited: boolean;
  /** Milliseconds since 1970. */
  createdAt: number;
  /** That it showed that its person may need help; no file has it. */
  crisis?: Crisis;
  /** The rule of safety that ended it; no file has it. */
  rule?: RefusalRule;
  /** The text with its macros, where a fork takes over an opening that follows the person's name; no file has it. */
  template?: string;
}

/** What a chat file says of the whole chat; null where it does not say. */
export interface ChatHeader {
  /** What the person is called in it. */
  userName: string | null;
  /** The name of the persona that they are in it. */
  persona: string | null;
  characterName: string | null;
  /** Milliseconds since 1970. */
  createdAt: number | null;
  title: string | null;
  /** What other programs keep with the chat, written back as it came; bounded. */
  metadata: Record<string, unknown> | null;
}

/** The model of a text that a model wrote, where a file does not say which. */
export const UNKNOWN_MODEL = 'unknown';
