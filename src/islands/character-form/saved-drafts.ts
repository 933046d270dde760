import type { CardNote } from '../../features/cards/contract.ts';
import { dequal } from 'dequal';
import type { TextStorage } from '../shared/outbox.ts';
import { CHARACTER_DRAFT_PREFIX } from '../shared/user-storage.ts';
import { EMPTY_FIELDS, FIELD_NAMES, fitsDeviceStorage, type CharacterFields } from './form-rules.ts';
import type { PublishAttempt, Publication } from './publication.ts';

/** What a form keeps on the device. */
export interface SavedDraft extends Publication {
  fields: CharacterFields;
  /** What it was written over. */
  from: CharacterFields;
  /** Ties the card that it came from to it. */
  importId: string | null;
  /** What that card lost on its way. */
  notes: readonly CardNote[];
}

/** What somebody writes into the form, kept on the device for each account and each character. */
export interface SavedDrafts {
  /** @param id the character that is changed; null for a new one */
  read(who: string, id: string | null): SavedDraft | null;
  write(who: string, id: string | null, draft: SavedDraft): void;
  forget(who: string, id: string | null): void;
}

/** Among the texts that go when their writer logs out. */
const getDraftKey = (who: string, id: string | null) => `${CHARACTER_DRAFT_PREFIX}${who}:${id ?? 'new'}`;

const isTextList = (value: unknown): boolean =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

const isLorebook = (value: unknown): boolean =>
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
    if (name === 'lorebook') return isLorebook(now);
    if (name === 'creator_notes')
      return typeof now === 'object' && now !== null && isTextList(Object.values(now));
    return Array.isArray(EMPTY_FIELDS[name]) ? isTextList(now) : typeof now === typeof EMPTY_FIELDS[name];
  };
  return Object.fromEntries(
    FIELD_NAMES.map((name) => [name, fits(name) ? kept[name] : EMPTY_FIELDS[name]]),
  ) as unknown as CharacterFields;
}

function readAttempt(value: unknown): PublishAttempt | null {
  const { key, body } = (value ?? {}) as Partial<PublishAttempt>;
  return typeof key === 'string' && typeof body?.name === 'string' ? { key, body } : null;
}

/** No book: what was written over a lorebook is told from what was not, and the book itself need not be kept for it. */
const OMITTED_LOREBOOK: CharacterFields['lorebook'] = { entries: [], omitted: true };

/** A draft as it is kept: a lorebook only where it was written in, once, and where there is room for it. */
function toStoredDraft({ fields, from, ...rest }: SavedDraft) {
  const storedLorebook = !dequal(fields.lorebook, from.lorebook) && fitsDeviceStorage(fields.lorebook);
  const { lorebook: _, ...older } = from;
  const { lorebook, ...written } = fields;
  return {
    ...rest,
    fields: storedLorebook ? { ...written, lorebook } : written,
    from: older,
    writtenBook: storedLorebook,
  };
}

/**
 * Keeps drafts in a storage. One that is full or forbidden costs only the safety net: nothing here throws.
 * @param storage null where the browser offers none
 */
export function createSavedDrafts(storage: TextStorage | null): SavedDrafts {
  return {
    read(who, id) {
      try {
        const kept = JSON.parse(storage?.getItem(getDraftKey(who, id)) ?? 'null') as Record<
          string,
          unknown
        > | null;
        if (kept === null || typeof kept !== 'object') return null;
        const { importId, notes, draftId, tries } = kept;
        return {
          fields: readFields(kept['fields']),
          from: {
            ...readFields(kept['from']),
            ...(kept['writtenBook'] === true ? { lorebook: OMITTED_LOREBOOK } : {}),
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
        storage?.setItem(getDraftKey(who, id), JSON.stringify(toStoredDraft(draft)));
      } catch {
        // Nothing can be kept on this device; what is on the screen is untouched.
      }
    },
    forget(who, id) {
      try {
        storage?.removeItem(getDraftKey(who, id));
      } catch {
        // There is nothing of ours then.
      }
    },
  };
}
