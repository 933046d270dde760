import { CARD } from '../../../features/character/limits.ts';
import { readLorebookFile } from '../../../features/character/lorebook/lorebook-file.ts';
import type { EditableLorebook } from '../../../features/character/lorebook/lorebook-rules.ts';

export type LorebookFileResult =
  | { ok: true; book: EditableLorebook }
  /** `unreadable`: the browser may not read the file, or it no longer exists. */
  | { ok: false; code: 'size' | 'unreadable' | 'json' | 'character' | 'unknown' };

/** The part of a browser's file that is needed. */
export type NamedFile = Pick<File, 'name' | 'size' | 'text'>;

/** Reads a file that the user chose as a lorebook. */
export async function readChosenLorebook(file: NamedFile): Promise<LorebookFileResult> {
  if (file.size > CARD.maxJsonBytes) return { ok: false, code: 'size' };
  const text = await file.text().catch(() => null);
  if (text === null) return { ok: false, code: 'unreadable' };
  const value = parseJson(text);
  if (value === undefined) return { ok: false, code: 'json' };
  const book = readLorebookFile(value, file.name.replace(/\.[^.]{1,10}$/, ''));
  if (book !== null) return { ok: true, book };
  return { ok: false, code: isCharacterLike(value) ? 'character' : 'unknown' };
}

/** Undefined for text that is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether JSON is probably a character, so that the error can say where to import it. */
const isCharacterLike = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (('spec' in value && String(value.spec).startsWith('chara_card_')) ||
    ('kind' in value && value.kind === 'character') ||
    'first_mes' in value ||
    'char_name' in value);
