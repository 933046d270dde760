import { atom, type ReadableAtom } from 'nanostores';
import { CARD } from '../../../features/character/limits.ts';
import { type LoreFields, isLoreFields } from '../../../features/character/lorebook/lorebook.ts';
import {
  copyEntry,
  EMPTY_LOREBOOK,
  type EntryChange,
  createEntry,
  searchEntries,
  setField,
  updateEntry,
} from '../../../features/character/lorebook/lorebook-edit.ts';
import type { EditableLorebook } from '../../../features/character/lorebook/lorebook-rules.ts';
import { isSameForm, type CharacterForm } from '../form-state.ts';

/** Entries that are drawn at once: a book may have thousands. */
export const ENTRIES_PER_PAGE = 50;
/** From so many entries on they can be searched. */
export const MIN_SEARCHABLE_ENTRIES = 21;

/** What of the form's last section is open. */
export interface LorebookView {
  /** Whether the section is. */
  open: boolean;
  query: string;
  /** Of the entries that were found, from 0. */
  page: number;
  /** The entry that is open, by its place in the book; one at a time. */
  entry: number | null;
  /** The id of the control that gets the focus once it is drawn. */
  wanted: string | null;
}

/** The lorebook in the form: what can be done with it, and what of it is seen. */
export interface LorebookStore {
  $view: ReadableAtom<LorebookView>;
  updateView(part: Partial<LorebookView>): void;
  /** Opens the page on which an entry stands, and the entry. @param wanted gets the focus then */
  revealEntry(place: number, wanted: string): void;
  search(query: string): void;
  updateEntry(place: number, part: EntryChange): void;
  /** @param value undefined: the book has no such field */
  updateLorebook(field: string, value: unknown): void;
  /** @returns its place; null when there is no room for one more */
  addEntry(): number | null;
  /** Puts a copy behind an entry. @returns its place; null when there is no room for one more */
  duplicateEntry(place: number): number | null;
  /** @returns brings it back where it was, or as near as the book allows */
  removeEntry(place: number): () => void;
}

export const CLOSED_LOREBOOK: LorebookView = { open: false, query: '', page: 0, entry: null, wanted: null };

/** The places of the entries that are drawn. */
export interface VisibleEntries {
  places: number[];
  /** How many were found, on all pages. */
  found: number;
  /** From 0; the last one where there are fewer by now. */
  page: number;
  pages: number;
}

export function getVisibleEntries(
  book: EditableLorebook,
  { query, page, entry }: LorebookView,
): VisibleEntries {
  const all = searchEntries(book, query, entry);
  const pages = Math.max(1, Math.ceil(all.length / ENTRIES_PER_PAGE));
  const shown = Math.min(page, pages - 1);
  const places = all.slice(shown * ENTRIES_PER_PAGE, (shown + 1) * ENTRIES_PER_PAGE);
  return { places, found: all.length, page: shown, pages };
}

export function createLorebookStore({ $form, write }: Pick<CharacterForm, '$form' | 'write'>): LorebookStore {
  const $view = atom<LorebookView>(CLOSED_LOREBOOK);
  const updateView = (part: Partial<LorebookView>) => $view.set({ ...$view.get(), ...part });
  const book = (): EditableLorebook => $form.get().fields.lorebook ?? EMPTY_LOREBOOK;
  const putEntries = (entries: unknown[]) => write({ lorebook: { ...book(), entries } });

  const insert = (place: number, entry: unknown) => {
    const { entries } = book();
    if (entries.length >= CARD.lorebook.maxEntries) return null;
    putEntries(entries.toSpliced(place, 0, entry));
    return Math.min(place, entries.length);
  };
  /** What is drawn is what was meant, wherever it stands now. */
  const show = (place: number) => {
    const { query } = $view.get();
    const found = searchEntries(book(), query).indexOf(place);
    const all = found === -1;
    updateView({
      open: true,
      query: all ? '' : query,
      page: Math.floor((all ? place : found) / ENTRIES_PER_PAGE),
      entry: place,
    });
    return place;
  };

  return {
    $view,
    updateView,
    revealEntry(place, wanted) {
      show(place);
      updateView({ wanted });
    },
    search: (query) => updateView({ query, page: 0, entry: null }),
    updateEntry(place, part) {
      const { entries } = book();
      const { [place]: entry } = entries;
      if (!isLoreFields(entry)) return;
      putEntries(entries.with(place, updateEntry(entry, part)));
    },
    updateLorebook: (field, value) => write({ lorebook: setField(book(), field, value) }),
    addEntry() {
      const place = insert(book().entries.length, createEntry(book()));
      return place === null ? null : show(place);
    },
    duplicateEntry(place) {
      const { [place]: entry } = book().entries;
      if (!isLoreFields(entry)) return null;
      const copied = insert(place + 1, copyEntry(entry as LoreFields));
      return copied === null ? null : show(copied);
    },
    removeEntry(place) {
      const form = $form.get();
      const before = book();
      const { [place]: entry } = before.entries;
      putEntries(before.entries.toSpliced(place, 1));
      const { entry: open } = $view.get();
      const after = open !== null && open > place ? open - 1 : open;
      updateView({ entry: open === place ? null : after });
      return () => {
        if (!isSameForm(form, $form.get())) return;
        // Without its last entry, the book may have gone with a save: what it had around them comes back as well.
        if ($form.get().fields.lorebook === null) write({ lorebook: { ...before, entries: [] } });
        const back = insert(place, entry);
        if (back !== null) show(back);
      };
    },
  };
}
