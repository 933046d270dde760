import { z } from 'zod';
import { CARD } from '../limits.ts';
import { isWithinDepth } from './lorebook-rules.ts';

/**
 * A lorebook as Character Cards of version 2 and 3 define it (`character_book`). Programs write numbers as texts, leave
 * out fields and add their own: everything is kept, and prompts ignore what they do not understand. Length limits are
 * checked by `findLorebookProblems` (lorebook-rules.ts), which knows the previous lorebook.
 */
export const lorebook = z
  .looseObject({ entries: z.array(z.unknown()).max(CARD.lorebook.maxEntries) })
  .refine(isWithinDepth, 'This lorebook is nested too deeply');
export type Lorebook = z.infer<typeof lorebook>;

/** The lorebook as the creator reads and writes it; null for none. */
export const lorebookBody = z.strictObject({ book: lorebook.nullable() });
