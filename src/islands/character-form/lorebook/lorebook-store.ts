import { characterForm } from '../character-form.ts';
import { createLorebookStore } from './lorebook-state.ts';

/** The lorebook of a page's form. */
export const lorebookStore = createLorebookStore(characterForm);
