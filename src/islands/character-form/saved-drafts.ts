import type { CardNote } from '../../features/cards/contract.ts';
import { type Definition, DEFINITION_PARTS } from '../../features/character/definition-parts.ts';
import { DEFAULT_REPLY_STYLE } from '../../features/reply-style/reply-style.ts';
import { isLanguage } from '../../locales/detect.ts';
import { dequal } from 'dequal';
import type { TextStorage } from '../shared/outbox.ts';
import { CHARACTER_DRAFT_PREFIX } from '../shared/user-storage.ts';
import { EMPTY_FIELDS, FIELD_NAMES, fitsDeviceStorage, type CharacterFields } from './form-rules.ts';
import type { PublishAttempt, Publication } from './publication.ts';

/** A form's draft on the device. */
export interface SavedDraft extends Publication {
  fields: CharacterFields;
  /** The fields that the draft was based on. */
  from: CharacterFields;
  /** Import id of the card that the draft came from. */
  importId: string | null;
  /** Notes about what the card lost on import. */
  notes: readonly CardNote[];
}

/** Drafts on the device, per account and character. */
export interface SavedDrafts {
  /** @param id the character to edit; null for a new one */
  read(who: string, id: string | null): SavedDraft | null;
  write(who: string, id: string | null, draft: SavedDraft): void;
  forget(who: string, id: string | null): void;
}

/** The prefix is one of those that logging out erases. */
const getDraftKey = (who: string, id: string | null) => `${CHARACTER_DRAFT_PREFIX}${who}:${id ?? 'new'}`;

const isTextList = (value: unknown): boolean =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

const isDefinition = (value: unknown): boolean =>
  DEFINITION_PARTS.every((part) => {
    const { text, shared } = ((value ?? {}) as Partial<Definition>)[part] ?? {};
    return typeof text === 'string' && typeof shared === 'boolean';
  });

const isReplyStyle = (value: unknown): boolean => {
  const style = (value ?? {}) as Record<string, unknown>;
  return Object.keys(DEFAULT_REPLY_STYLE).every((name) => ['string', 'number'].includes(typeof style[name]));
};

const isLorebook = (value: unknown): boolean =>
  Array.isArray((value as { entries?: unknown } | null | undefined)?.entries);

/** Reads stored fields; a missing field or one of the wrong type gets its default. */
function readFields(value: unknown): CharacterFields {
  const kept = (value ?? {}) as Record<string, unknown>;
  const fits = (name: keyof CharacterFields) => {
    const { [name]: now } = kept;
    if (name === 'avatar') {
      const { avatar_id: id, url } = (now ?? {}) as Record<string, unknown>;
      return typeof id === 'string' && typeof url === 'string';
    }
    if (name === 'lorebook') return isLorebook(now);
    if (name === 'definition') return isDefinition(now);
    if (name === 'recommended_style') return isReplyStyle(now);
    if (name === 'language') return typeof now === 'string' && isLanguage(now);
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

/**
 * Placeholder that marks the original lorebook as different from the edited one, so that the original need not be
 * stored.
 */
const OMITTED_LOREBOOK: CharacterFields['lorebook'] = { entries: [], omitted: true };

/** The stored form of a draft. Stores the lorebook only if it was edited and fits, and only once. */
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
 * Stores drafts. Never throws: a full or blocked storage only loses the backup.
 * @param storage null if the browser has none
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
        // Storage is full or blocked; the form itself is unaffected.
      }
    },
    forget(who, id) {
      try {
        storage?.removeItem(getDraftKey(who, id));
      } catch {
        // Storage is blocked, so it holds no draft.
      }
    },
  };
}
