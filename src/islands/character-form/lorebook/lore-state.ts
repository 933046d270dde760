import { atom, type ReadableAtom } from 'nanostores';
import { CARD } from '../../../features/character/limits.ts';
import { type Fields, isFields } from '../../../features/character/lorebook/lorebook.ts';
import {
  copyOf,
  EMPTY_BOOK,
  type EntryPart,
  newEntry,
  placesOf,
  withField,
  withPart,
} from '../../../features/character/lorebook/lorebook-edit.ts';
import type { Book } from '../../../features/character/lorebook/lorebook-rules.ts';
import { isSameForm, type CharacterForm } from '../form-state.ts';

/** Entries that are drawn at once: a book may have thousands. */
export const PAGE_ENTRIES = 50;
/** From so many entries on they can be searched. */
export const SEARCHED_FROM = 21;

/** What of the form's last section is open. */
export interface LoreView {
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
export interface Lore {
  $view: ReadableAtom<LoreView>;
  see(part: Partial<LoreView>): void;
  /** Opens the page on which an entry stands, and the entry. @param wanted gets the focus then */
  reveal(place: number, wanted: string): void;
  search(query: string): void;
  change(place: number, part: EntryPart): void;
  /** @param value undefined: the book has no such field */
  put(field: string, value: unknown): void;
  /** @returns its place; null when there is no room for one more */
  add(): number | null;
  /** Puts a copy behind an entry. @returns its place; null when there is no room for one more */
  duplicate(place: number): number | null;
  /** @returns brings it back where it was, or as near as the book allows */
  remove(place: number): () => void;
}

export const CLOSED_LORE: LoreView = { open: false, query: '', page: 0, entry: null, wanted: null };

/** The places of the entries that are drawn. */
export interface ShownEntries {
  places: number[];
  /** How many were found, on all pages. */
  found: number;
  /** From 0; the last one where there are fewer by now. */
  page: number;
  pages: number;
}

export function shownEntries(book: Book, { query, page, entry }: LoreView): ShownEntries {
  const all = placesOf(book, query, entry);
  const pages = Math.max(1, Math.ceil(all.length / PAGE_ENTRIES));
  const shown = Math.min(page, pages - 1);
  const places = all.slice(shown * PAGE_ENTRIES, (shown + 1) * PAGE_ENTRIES);
  return { places, found: all.length, page: shown, pages };
}

export function createLore({ $form, write }: Pick<CharacterForm, '$form' | 'write'>): Lore {
  const $view = atom<LoreView>(CLOSED_LORE);
  const see = (part: Partial<LoreView>) => $view.set({ ...$view.get(), ...part });
  const book = (): Book => $form.get().fields.lorebook ?? EMPTY_BOOK;
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
    const found = placesOf(book(), query).indexOf(place);
    const all = found === -1;
    see({
      open: true,
      query: all ? '' : query,
      page: Math.floor((all ? place : found) / PAGE_ENTRIES),
      entry: place,
    });
    return place;
  };

  return {
    $view,
    see,
    reveal(place, wanted) {
      show(place);
      see({ wanted });
    },
    search: (query) => see({ query, page: 0, entry: null }),
    change(place, part) {
      const { entries } = book();
      const { [place]: entry } = entries;
      if (!isFields(entry)) return;
      putEntries(entries.with(place, withPart(entry, part)));
    },
    put: (field, value) => write({ lorebook: withField(book(), field, value) }),
    add() {
      const place = insert(book().entries.length, newEntry(book()));
      return place === null ? null : show(place);
    },
    duplicate(place) {
      const { [place]: entry } = book().entries;
      if (!isFields(entry)) return null;
      const copied = insert(place + 1, copyOf(entry as Fields));
      return copied === null ? null : show(copied);
    },
    remove(place) {
      const form = $form.get();
      const before = book();
      const { [place]: entry } = before.entries;
      putEntries(before.entries.toSpliced(place, 1));
      const { entry: open } = $view.get();
      const after = open !== null && open > place ? open - 1 : open;
      see({ entry: open === place ? null : after });
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
