import type { CardNote } from '../../features/cards/contract.ts';
import { dequal } from 'dequal';
import type { TextStorage } from '../shared/outbox.ts';
import { CHARACTER_DRAFTS } from '../shared/user-storage.ts';
import { EMPTY, FIELD_NAMES, fitsDevice, type CharacterFields } from './form-rules.ts';
import type { Attempt, Publication } from './publication.ts';

/** What a form keeps on the device. */
export interface KeptDraft extends Publication {
  fields: CharacterFields;
  /** What it was written over. */
  from: CharacterFields;
  /** Ties the card that it came from to it. */
  importId: string | null;
  /** What that card lost on its way. */
  notes: readonly CardNote[];
}

/** What somebody writes into the form, kept on the device for each account and each character. */
export interface KeptDrafts {
  /** @param id the character that is changed; null for a new one */
  read(who: string, id: string | null): KeptDraft | null;
  write(who: string, id: string | null, draft: KeptDraft): void;
  forget(who: string, id: string | null): void;
}

/** Among the texts that go when their writer logs out. */
const keyOf = (who: string, id: string | null) => `${CHARACTER_DRAFTS}${who}:${id ?? 'new'}`;

const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

const isBook = (value: unknown): boolean =>
  Array.isArray((value as { entries?: unknown } | null | undefined)?.entries);

/** The fields of a kept text; what is not there, or of another kind than it should be, is as in a new form. */
function readFields(value: unknown): CharacterFields {
  const kept = (value ?? {}) as Record<string, unknown>;
  const fits = (name: keyof CharacterFields) => {
    const { [name]: now } = kept;
    if (name === 'avatar') {
      const { avatar_id: id, url } = (now ?? {}) as Record<string, unknown>;
      return typeof id === 'string' && typeof url === 'string';
    }
    if (name === 'lorebook') return isBook(now);
    if (name === 'creator_notes')
      return typeof now === 'object' && now !== null && isTexts(Object.values(now));
    return Array.isArray(EMPTY[name]) ? isTexts(now) : typeof now === typeof EMPTY[name];
  };
  return Object.fromEntries(
    FIELD_NAMES.map((name) => [name, fits(name) ? kept[name] : EMPTY[name]]),
  ) as unknown as CharacterFields;
}

function readAttempt(value: unknown): Attempt | null {
  const { key, body } = (value ?? {}) as Partial<Attempt>;
  return typeof key === 'string' && typeof body?.name === 'string' ? { key, body } : null;
}

/** No book: what was written over a lorebook is told from what was not, and the book itself need not be kept for it. */
const OLDER_BOOK: CharacterFields['lorebook'] = { entries: [], older: true };

/** A draft as it is kept: a lorebook only where it was written in, once, and where there is room for it. */
function toKept({ fields, from, ...rest }: KeptDraft) {
  const writtenBook = !dequal(fields.lorebook, from.lorebook) && fitsDevice(fields.lorebook);
  const { lorebook: _, ...older } = from;
  const { lorebook, ...written } = fields;
  return { ...rest, fields: writtenBook ? { ...written, lorebook } : written, from: older, writtenBook };
}

/**
 * Keeps drafts in a storage. One that is full or forbidden costs only the safety net: nothing here throws.
 * @param storage null where the browser offers none
 */
export function createKeptDrafts(storage: TextStorage | null): KeptDrafts {
  return {
    read(who, id) {
      try {
        const kept = JSON.parse(storage?.getItem(keyOf(who, id)) ?? 'null') as Record<string, unknown> | null;
        if (kept === null || typeof kept !== 'object') return null;
        const { importId, notes, draftId, tries } = kept;
        return {
          fields: readFields(kept['fields']),
          from: {
            ...readFields(kept['from']),
            ...(kept['writtenBook'] === true ? { lorebook: OLDER_BOOK } : {}),
          },
          importId: typeof importId === 'string' ? importId : null,
          notes: Array.isArray(notes) ? (notes as CardNote[]) : [],
          draftId: typeof draftId === 'string' ? draftId : '',
          tries: typeof tries === 'number' ? tries : 0,
          attempt: readAttempt(kept['attempt']),
        };
      } catch {
        return null;
      }
    },
    write(who, id, draft) {
      try {
        storage?.setItem(keyOf(who, id), JSON.stringify(toKept(draft)));
      } catch {
        // Nothing can be kept on this device; what is on the screen is untouched.
      }
    },
    forget(who, id) {
      try {
        storage?.removeItem(keyOf(who, id));
      } catch {
        // There is nothing of ours then.
      }
    },
  };
}
