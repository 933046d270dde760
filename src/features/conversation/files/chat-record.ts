import type { RefusalRule } from '../../safety/moderation.ts';
import type { Crisis } from '../moderation/crisis-help.ts';
import type { ReplyRating } from '../contract.ts';
import type { ReplySettings } from '../prompt/reply-settings-contract.ts';

/** The data of a conversation in forks, exports and imports, independent of file formats and tables. */

/** A message with all its versions. */
export interface MessageRecord {
  id: string;
  role: 'user' | 'character';
  /** Speaker's name at that time; null for their current name. */
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

/** A deleted message that can still be restored. */
export interface TrashedRecord extends MessageRecord {
  /** Milliseconds since 1970. */
  deletedAt: number;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

export interface VersionRecord {
  id: string;
  content: string;
  /** Null for a text that no model wrote. */
  model: string | null;
  status: 'complete' | 'interrupted' | 'failed';
  errorCode: string | null;
  edited: boolean;
  /** Milliseconds since 1970. */
  createdAt: number;
  /** Set when the message showed that its author may need help; not part of any file. */
  crisis?: Crisis;
  /** The safety rule that ended the reply; not part of any file. */
  rule?: RefusalRule;
  /** The model reached its limit; not part of any file. */
  isCut?: true;
  /** What the model thought before it wrote the text. */
  thinking?: string;
  /** The user's instructions for this version alone. */
  regenerateNote?: string;
  /** What the user thinks of it. */
  rating?: ReplyRating;
  /** The text with its macros, for forks of an opening that follows the user's name; not part of any file. */
  template?: string;
}

/** The header of a chat file; null where a value is missing. */
export interface ChatHeader {
  /** The user's name in the chat. */
  userName: string | null;
  /** The name of the user's persona. */
  persona: string | null;
  characterName: string | null;
  /** Milliseconds since 1970. */
  createdAt: number | null;
  title: string | null;
  /** Those that differ from the default ones. */
  replySettings: Partial<ReplySettings>;
  /** Other programs' metadata, written back unchanged; bounded. */
  metadata: Record<string, unknown> | null;
}

/** The model of an AI-written text when a file does not name it. */
export const UNKNOWN_MODEL = 'unknown';
