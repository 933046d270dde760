import { atom, type ReadableAtom } from 'nanostores';
import { CARD } from '../../../features/character/limits.ts';
import { type LoreFields, isLoreFields } from '../../../features/character/lorebook/lorebook.ts';
import {
  copyEntry,
  EMPTY_LOREBOOK,
  type EntryChange,
  createEntry,
  mergeLorebooks,
  searchEntries,
  setField,
  updateEntry,
} from '../../../features/character/lorebook/lorebook-edit.ts';
import {
  countBookBytes,
  isWithinDepth,
  type EditableLorebook,
} from '../../../features/character/lorebook/lorebook-rules.ts';
import { isSameForm, type CharacterForm } from '../form-state.ts';

/** Entries per page; a book may have thousands. */
export const ENTRIES_PER_PAGE = 50;
/** The search appears from this many entries on. */
export const MIN_SEARCHABLE_ENTRIES = 21;

/** View state of the advanced section. */
export interface LorebookView {
  /** Whether the section is open. */
  open: boolean;
  query: string;
  /** Page of the search results, from 0. */
  page: number;
  /** Index of the open entry; one at a time. */
  entry: number | null;
  /** Id of the control to focus after rendering. */
  wanted: string | null;
}

/** Edits the form's lorebook and holds its view state. */
export interface LorebookStore {
  $view: ReadableAtom<LorebookView>;
  updateView(part: Partial<LorebookView>): void;
  /** Shows the page with an entry and opens the entry. @param wanted id of the control to focus */
  revealEntry(place: number, wanted: string): void;
  search(query: string): void;
  updateEntry(place: number, part: EntryChange): void;
  /** @param value undefined removes the field */
  updateLorebook(field: string, value: unknown): void;
  /** @returns the new entry's index; null if the book is full */
  addEntry(): number | null;
  /** Inserts a copy after an entry. @returns its index; null if the book is full */
  duplicateEntry(place: number): number | null;
  /** @returns undoes it: restores the entry at its index, or the nearest possible one */
  removeEntry(place: number): () => void;
  /** Adds the entries of a lorebook file. */
  importLorebook(added: EditableLorebook): LorebookImport;
}

export type LorebookImport =
  | { ok: true; undo: () => void }
  | { ok: false; code: 'empty' | 'entries' | 'bytes' | 'depth' };

export const CLOSED_LOREBOOK: LorebookView = { open: false, query: '', page: 0, entry: null, wanted: null };

/** Indexes of the entries to draw. */
export interface VisibleEntries {
  places: number[];
  /** Number of matches on all pages. */
  found: number;
  /** From 0, clamped to the last page. */
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
  /** Opens an entry on its page; clears the search if the entry does not match it. */
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
        // A save may have removed the empty book; restore its settings too.
        if ($form.get().fields.lorebook === null) write({ lorebook: { ...before, entries: [] } });
        const back = insert(place, entry);
        if (back !== null) show(back);
      };
    },
    importLorebook(added) {
      const form = $form.get();
      const before = form.fields.lorebook;
      if (added.entries.length === 0) return { ok: false, code: 'empty' };
      if (!isWithinDepth(added)) return { ok: false, code: 'depth' };
      const next = mergeLorebooks(book(), added);
      if (next.entries.length > CARD.lorebook.maxEntries) return { ok: false, code: 'entries' };
      if (countBookBytes(next) > CARD.lorebook.maxBytes) return { ok: false, code: 'bytes' };
      const imported = new Set(next.entries.slice(before?.entries.length ?? 0));
      write({ lorebook: next });
      updateView({ open: true, query: '', page: 0, entry: null });
      const undo = () => {
        if (!isSameForm(form, $form.get())) return;
        const entries = book().entries.filter((entry) => !imported.has(entry));
        updateView({ query: '', page: 0, entry: null });
        write({ lorebook: entries.length === 0 ? before : { ...book(), entries } });
      };
      return { ok: true, undo };
    },
  };
}
